"""Use cases of a table.

`table_service`: create, import, act, undo, redo, export. `game_import`: files of strangers, decided again. `lobby`: open
tables before their game. `seats`: sit down, hand over, stand-ins, consent. `presence`: who is here. `undo_policy`:
whose actions an undo takes back. `bot_runner`: bots that move by themselves. `standing_orders`: instructions in advance,
with `standing_order_tasks` and `standing_order_context`. `chat`: messages that call those they name. `clock`: time used and
granted. `hex_explanations`: reasons why something is not possible there. `hand_drawn_routes`. `ratings`: of people and bots.
`review_runner`: reviews of finished games in a process of their own. `preload`: types met before threads read. `plans`:
boards to plan on. `comments`: comments on moments, and variations. `workshop`: component sets of owners.
"""
