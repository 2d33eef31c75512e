"""Setting 18DO up: capital, homes face down, the beer market, the minors in play, markers of the Expert Game."""

from __future__ import annotations

from collections.abc import Iterable

from trajekt.engine.board.board import Station
from trajekt.engine.components.schema import CompanyId, HexId, Sheet
from trajekt.engine.events import NumberDrawn, StationsSet, TokensSet
from trajekt.engine.ruleset import Draft, DrawNumber
from trajekt.games.do.components import do_components, railways
from trajekt.games.do.events import DisplayLaid, MarketLaid, MinorsLaid
from trajekt.games.do.options import DoOptions
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.setup import pay_capital


def home_hexes(sheet: Sheet, company: CompanyId) -> tuple[HexId, ...]:
    """The hexes of a home: it may lie over two, which are one destination (DO-ROUTE-11)."""
    homes = sheet.companies[company].homes
    return tuple(at for home in homes for at in (home.hex, *sheet.hexes[home.hex].joined))


def lay_homes(draft: Draft, companies: Iterable[CompanyId]) -> None:
    """Home tokens of railways lie face down: the place is taken, but no station stands there yet (DO-SETUP-11)."""
    for company in companies:
        for at in home_hexes(draft.sheet, company):
            draft.emit(StationsSet(at, (Station(company, 0, asleep=True),)))
        draft.emit(TokensSet(company, draft.sheet.companies[company].station_costs[1:]))


def draw_minors(draft: Draft, draw: DrawNumber, options: DoOptions) -> tuple[str, ...]:
    """One minor more than players, those always in play among them; beginners are dealt one each (DO-SETUP-09, DO-START-10)."""
    known = do_components(draft.sheet).minors
    count = len(draft.state.players)
    left = [minor.id for minor in known.values() if options.beginners or not minor.always]
    chosen = [] if options.beginners else [minor.id for minor in known.values() if minor.always]
    while len(chosen) < count + (not options.beginners):
        chosen.append(left.pop(draw("minors", len(left))))
    for minor in chosen:
        draft.emit(NumberDrawn("minors", known[minor].number))
    return tuple(chosen if options.beginners else sorted(chosen))


def lay_beer(draft: Draft) -> None:
    """Cubes by number of players; segments 3 to 6 begin closed (DO-SETUP-07, DO-SETUP-08)."""
    cubes = do_components(draft.sheet).cubes[len(draft.state.players)]
    first, second = tuple(cubes["segment_1"]), tuple(cubes["segment_2"])
    draft.emit(MarketLaid((first, second), cubes["price_box"], cubes["stock"]))


def set_up(draft: Draft, draw: DrawNumber, options: DoOptions) -> None:
    """All of section 5.1 but the seats, which are drawn already: they are the order cards (DO-SETUP-12)."""
    pay_capital(draft)
    lay_homes(draft, railways(draft.sheet))
    lay_beer(draft)
    dealt = draw_minors(draft, draw, options)
    draft.emit(MinorsLaid(dealt))
    if options.expert:
        known, count = do_components(draft.sheet), len(draft.state.players)
        markers = {code: kind.count[count] for code, kind in known.markers.items()}
        draft.emit(DisplayLaid(markers, tuple(known.events)))
    draft.push(Rounds())
