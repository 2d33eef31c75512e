"""Rules that two games or more share. A game lists those it uses in its `ruleset`, derives others, and adds its own.

Setting up: `setup`, `auction` (the starting package), `first_stock_round` (nothing is traded before it is sold).

Stock rounds: `stock_round` (turns, purchases, limits, priority), `founding` (the director's certificate and the par),
`share_sales`, `floating` (capital, sold-out corporations), `directorship` (who becomes director), `stock_market` (moves of
price markers).

Operating rounds: `operating_round` (order of companies, steps of a turn), `tile_laying`, `stations`, `construction_costs`,
`running_and_dividends`, `route_validation` (the judge of routes), `trains` (purchase, limit, offers, duty to own),
`forced_purchase`, `bankruptcy` (bankrupt players, receivership, debt), `private_companies` (powers that lay tiles),
`private_income`, `track_links` (places joined by track), `game_specific_turns` (turns of other companies than corporations),
`turn_notes` (what counts once in a turn).

By hand: `placement_by_hand` (things put on the table without the rules).

Tables with real cardboard: `referee` (the ruleset of such a table), `referee_declarations` (what is told while only the books
are kept), `referee_entries` (what is entered as it lies), `referee_marks` (what the position remembers of it).

Course of the game: `round_sequence`, `phases`, `game_end` (the bank), `ending_by_agreement`, `scoring`.

Checks of the books: `invariants` (one position), `history_invariants` (a whole game).
"""
