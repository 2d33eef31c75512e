"""Page models: all that a page shows, as typed values, without a request in sight.

`page_model`: base of the models, each with the template that shows it. `position_view`: the position that is looked at.

The table page: `table_page` puts it together from parts: `shared_position` (as everybody is shown it), `table_drawings`,
`decision_part`; `decision` (what is asked now) with `choice_groups`, `rotations`
and `forced_purchase`; `map_and_market`; `info_panels` (companies, players, privates) with `liquidity` and `stock_sheet`;
`game_log`, `since_marks`; `seats_panel`; `sidebar` with `chat`, `comments` (and variations), `clock`, `standing_orders`,
`standing_order_tasks` and `notification_settings`; `guided_turn` with `exercises` and `move_feedback`; `coach`; `offers`
(another player is asked); `glossary_words`; `map_hint`; `game_end`; `icons`. What opens on demand: `hex_info`,
`action_preview` with `outcome_preview`, `outcome_notes` and `run_effect`, `run_step`, `cards`, `charts`. `fragments`: text in
pieces, drawn once and sent as differences. Boards to plan on: `plan_panel`. Tables with real cardboard: `referee_panel`.

Other pages: `start_page` and `account_page` with `table_list`, `lobby_page`, `offline_page`, `finished_games_page`,
`import_preview`, `review_page`, `puzzle_page`, `rules_pages`, `workshop_page` with `entry_form`, `set_up_page` with
`position_form`.
"""
