"""18Rhl: the rules 3.0 of 2006 (R1), the second edition (R2), and "compat", by which the public site played R1.

`ruleset` lists the three in full; `title` hands the game over; `components`, `repeated_entries`, `options`, `setup`, `theme`.

Opening: `rhe_founding` (the RhE: its director's certificate in the package, its par, its shares in the pool), `floating`
(capital in the first edition). Companies: `private_companies` (their powers), `aachen_link` (money for the RhE).

Operating: `track_rules`, `station_rules`, `city_blocking` (the Rhine, blocked cities, closed red hexes), `route_rules`,
`route_editions` (where editions differ on routes), `route_search` (trains in numbers), `running_and_dividends`,
`train_rules`, `forced_purchase`, `bankruptcy`.

Recorded games: `compat_stock`, `compat_track`, `compat_trains`, `compat_forced_purchase`, `compat_bankruptcy`;
`import_18xx` reads exports, with `import_turns` (whose turn it is), `import_shares`, `import_trains` and `import_routes`;
`export_18xx` writes them, by `site_names`.
"""
