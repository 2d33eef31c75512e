"""The rules engine: positions, actions, events and the rules as values. It knows no game, no clock and no network.

`state`: a position. `actions`: what may be submitted. `events`: what happened. `evolve`: the only way from a position and an
event to the next position. `ruleset`: rules, checks, duties, reactions and policies that make up a game. `agenda`: frames
still to be done, and the draft of a decision. `decisions`: start, decide, list and explain what is legal, fold events.
`citations`: the rule by which each event of a decision came.

`codec`: actions and events as JSON. `frame_notes`: small values that are stored as one text. `digest`: the fingerprint of a
position. `ruleset_report`: a ruleset as text.
`options`: the choices of a table. `title`: a game as the outside sees it. `player_names`: names told apart.
`import_protocol`: what a game answers about exports of 18xx.games. `bot_hints`: what a game tells bots.
`memo`: answers stored with frozen values. `frozen`: dictionaries that nobody changes.

Packages: `components` (everything printed), `board` (hexes, track, upgrades, reach), `routing` (the search for best runs).
"""
