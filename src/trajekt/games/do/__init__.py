"""18DO: the full game, the Expert Game, the Railway Game and the Introduction Game.

`ruleset` lists the full game and the Expert Game; `railway_game` and `introduction_game` list the other two. `title` hands
the game over; `components` are what only it prints; `options`, `setup`, `theme`, `panels` (its boards on the page),
`bot_hints`, `observation` (for learning machines), `refusals`, `invariants`.

State. `state` is what only this game remembers (`State.extra`), `events` what changes it, `actions` what may be submitted,
`frames` what may lie on the agenda. A minor brewery is a certificate of the package by its number; its treasury is an account
beside the map. BEC are the pieces of brewery equipment, as in the rulebook.

Shares: `starting_round` (bid tokens), `stock_round`, `founding`, `minor_trade_in`, `share_sales`, `floating`,
`stock_market`, `treasury_shares`, `bankruptcy`, `scoring`.

Railways: `track_rules`, `station_rules`, `railway_links` (mines and mills), `city_blocking`, `route_rules`,
`running_and_dividends`, `train_rules`,
`forced_purchase`, `phases`, `beer_transport` (may a train carry beer), `railway_game_beer`, `private_breweries`.

Breweries: `brewery_round` (rounds and turns), `brewery_order`, `brewery_equipment`, `brewery_income`, `beer_places`,
`beer_cubes`, `beer_prices`, `price_box`, `beer_loading` (export by train), `beer_deliveries`, `beer_market_clearing`,
`beer_forecast` (incomes to come).

Expert Game: `capital_expenditure_markers` (pubs, bottling lines, wagons), `special_event_markers`, `special_events_in_use`.

`referee`: what a real table tells and is told; `hand_position`: a position set up by hand.
`repeated_entries`: what the sheet says twice must agree.
"""
