"""18Ruhr: railways, private Montan companies (pMC) and MONTAN corporations, by the rules 2.1 of 2014.

How the game is put together, each file one matter:

State. What only this game remembers is `record.Ruhr` (`State.extra`), with its own events; much follows from the position and
is asked in `charters`: which markers are inactive, wait, earn. A *works* is a Montan company by name: a pMC by its number, a
MONTAN corporation by its letters. The charter of a pMC is a certificate of the package (`State.privates`, 1 to 18; 19 to 22
are the private companies), its money an account beside the map, its location marker a thing on the map (`L0` to `L30`).

Frames, from the bottom: `Rounds`; `Package` (two columns), `StockRound`, `OperatingRound`, `Foundation`, `Merging`; in an
operating round `MontanTurn` and `CompanyTurn`; above a turn what interrupts it: `TooManyTrains`, `TrainOffer`, `EngineOffer`,
`TrainAsk`, `Shortage` (forced purchase), `TooManyEngines`.

Files. `package`, `stock`, `directors`, `rounds`, `cards`, `montan_round`, `founding`, `montan_end`: rounds and corporations.
`montan_turn`, `activities`, `development`, `engines`, `links`, `deals`: what Montan companies do. `railway`, `route_rules`:
what railways do. `shortage`, `forced`, `bankruptcy`, `bank_run`, `loans`: money that is not there. `phases`, `ending`: the
course of the game. `ruleset` lists all of it; `cites` names the ids of this game's sheet in what shared checks refuse.
"""
