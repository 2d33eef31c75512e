"""18Ruhr: railways, private Montan companies (pMC) and MONTAN corporations, by the rules 2.1 of 2014.

State. `state` is what only this game remembers (`State.extra`), `events` what changes it, `actions` what may be submitted;
much follows from the position and is asked in `montan_charters`: which markers are inactive, wait, earn. *Works* is a Montan
company by name: a pMC by its number, a MONTAN corporation by its letters. The charter of a pMC is a certificate of the
package (`State.privates`, 1 to 18; 19 to 22 are the private companies), its money an account beside the map, its location
marker a thing on the map (`L0` to `L30`).

Frames, from the bottom: `Rounds`; `Package` (two columns), `StockRound`, `OperatingRound`, `Foundation`, `Merging`; in an
operating round `MontanTurn` and `CompanyTurn`; above a turn what interrupts it: `TooManyTrains`, `TrainOffer`, `EngineOffer`,
`TrainAsk`, `Shortage` (forced purchase); above `Merging` `TooManyEngines`, perhaps upon a `MergedCertificate`.

Rounds and corporations: `starting_package`, `stock_round`, `directorship`, `round_sequence`, `montan_round`,
`montan_round_cards`, `montan_founding`, `montan_closing`.

Montan companies: `montan_charters`, `montan_turn`, `montan_turn_steps`, `development`, `switch_engines`, `railway_links`,
`treasury_shares`.

Railways: `operating_turn` (its steps), `track_rules`, `station_rules`, `city_blocking`, `route_rules`, `running_and_dividends`,
`train_rules`, `bme_link` (money for the BME).

Money that is not there: `forced_purchase`, `forced_purchase_funds`, `bankruptcy`, `receivership`, `loans`.

Course of the game: `phases`, `game_end` (the bank), `scoring`, `invariants`.

`ruleset` lists all of it, `title` hands it over; `components` are what only this game prints; `options`, `refusals`,
`rule_citations` (ids of this game's sheet in what shared checks refuse), `theme`, `panels` (its boards on the page),
`bot_hints`, `observation` (for learning machines), `referee` (facts of a real table),
`hand_position` (a position set up by hand).

`repeated_entries`: what the sheet says twice must agree.
"""
