"""The games, a folder each: `rhl` (18Rhl, two editions), `lra` (18LRA), `ruhr` (18Ruhr), `do` (18DO).

In every folder the same thing has the same name. `title`: the card by which a game hands itself over. `ruleset`: the game
listed in full. `options`: the choices of a table. `setup`, or the first round's own file: how a game begins. `components`,
`sheet.toml`: what is printed. `state`, `events`, `actions`, `frames`: what only this game remembers, does and awaits.
`track_rules`, `station_rules`, `route_rules`, `route_search`, `running_and_dividends`, `train_rules`, `forced_purchase`,
`bankruptcy`, `founding`, `floating`, `stock_round`, `share_sales`, `phases`, `game_end`, `scoring`, `invariants`: where a
game differs from the shared rule of that name. `refusals`: its own reasons. `theme`, `panels`: how it looks. `bot_hints`:
what it tells bots. `import_18xx`: its exports from 18xx.games. `en.toml`, `de.toml`: its texts.
"""
