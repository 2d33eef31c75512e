"""18LRA: the left bank of the Rhine, by the rules of 18Rhl's second edition where they are common.

`ruleset` lists the game in full; `title` hands it over; `components` are what only this game prints; `options`, `setup`,
`theme`.

`track_rules`, `station_rules` (harbours, turned tokens), `city_blocking` (where trains stop and pass), `route_rules`,
`route_search` (trains in numbers), `forced_purchase`. `venlo_link` (money for the GVE), `emigrant_camp` (Dalheim, and
choices out of turn), `kreisbahn` (station, train, lay and income of the Geldernsche Kreisbahn).

`referee`: facts of a real table.

Reconstructions: `investor` (two players), `short_game` (the game of an hour).

`repeated_entries`: what the sheet says twice must agree.
"""
