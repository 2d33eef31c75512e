"""Page models: all that a page shows, as typed values, without a request in sight.

The table page: `table_page` puts it together from parts; `decision` (what is asked now) with `choice_groups`,
`outcome_preview`, `rotations`, `run_step` and `forced_sum`; `map_and_market`; `info_panels` (companies, players, privates) and
`stock_sheet`; `game_log`; `seats_panel`; `clock`; `guided_turn`; `coach`; `tile_effect`; `charts`; `cards`;
`game_end`; `icons`. `fragments`: text in pieces,
drawn once and sent as differences. Other pages: `start_page`, `lobby_page`, `import_preview`, `rules_pages`.
"""
