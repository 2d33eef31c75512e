"""The contents of a position that only 18DO has, as numbers by name for learning machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trajekt.engine.state import State
from trajekt.games.do.components import SEGMENTS, DoComponents, do_components
from trajekt.games.do.state import DoState, do_state, treasury_of


def own_facts(state: State) -> list[tuple[str, float]]:
    """Return the beer market, the charters of the breweries, what is loaded and what the displays hold; money in Mark."""
    extra, printed = do_state(state), do_components(state.sheet)
    breweries = (*printed.minors, *state.sheet.companies)
    found: list[tuple[str, float]] = [*_market(extra)]
    order = {slot.brewery: place for place, slot in enumerate(extra.order, 1)}
    reserved = {slot.reserved_for: place for place, slot in enumerate(extra.order, 1) if slot.reserved_for}
    for brewery in breweries:
        found.append((f"{brewery} place in the brewery order", order.get(brewery, 0)))
        found.append((f"{brewery} place reserved for it", reserved.get(brewery, 0)))
        found += _charter(extra, printed, brewery)
    found += [(f"{minor} treasury", treasury_of(state, minor)) for minor in printed.minors]
    found += _railways(extra, state)
    found += [(f"marker {code} on display", extra.markers.get(code, 0)) for code in printed.markers]
    for letter in printed.events:
        found.append((f"event {letter} on display", letter in extra.events))
        found.append((f"event {letter} used in this turn", any(each.letter == letter for each in extra.used)))
    set_aside = extra.advertised
    found.append(("advertised brewery, from 1", 0 if set_aside is None else 1 + breweries.index(set_aside.brewery)))
    found.append(("advertised equipment", 0 if set_aside is None else set_aside.bec))
    found.append(("advertised segment", 0 if set_aside is None else set_aside.segment))
    found.append(("advertised new customers", 0 if set_aside is None else set_aside.customers))
    return found


def _market(extra: DoState) -> Iterator[tuple[str, float]]:
    for number in SEGMENTS:
        segment = extra.segments.get(number)
        for name, pair in (("demand", segment.demand), ("supply", segment.supply)) if segment else _NO_SEGMENT:
            yield f"segment {number} {name} regular", pair[0]
            yield f"segment {number} {name} new", pair[1]
        yield f"segment {number} closed", segment.closed if segment else 1
    yield "cubes in stock", extra.stock
    yield "cubes in the price box", extra.price_box


_NO_SEGMENT = (("demand", (0, 0)), ("supply", (0, 0)))


def _charter(extra: DoState, printed: DoComponents, brewery: str) -> Iterator[tuple[str, float]]:
    """The equipment by type, the markers by code and the event of a brewery."""
    charter = extra.charters.get(brewery)
    becs = charter.becs if charter else ()
    ready, idle = Counter(b.kind for b in becs if not b.idle), Counter(b.kind for b in becs if b.idle)
    for kind in dict.fromkeys((*printed.green, *printed.cards)):
        yield f"{brewery} equipment {kind}", ready[kind]
        yield f"{brewery} turned equipment {kind}", idle[kind]
    codes = Counter(marker.code for marker in charter.markers) if charter else Counter()
    aligned = Counter(marker.code for marker in charter.markers if marker.bec) if charter else Counter()
    for code, marker in printed.markers.items():
        yield f"{brewery} marker {code}", codes[code]
        if marker.does == "bottling_line":
            yield f"{brewery} marker {code} aligned", aligned[code]
    for letter in printed.events:
        yield f"{brewery} event {letter}", charter is not None and charter.event == letter


def _railways(extra: DoState, state: State) -> Iterator[tuple[str, float]]:
    for company in state.sheet.companies:
        yield f"{company} free location token is over", company in extra.free_token
        yield f"{company} may be founded again from round", extra.bankrupt.get(company, 0)
        for kind in state.sheet.trains:
            yield (
                f"{company} cubes on trains {kind}",
                sum(load.cubes for load in extra.loads.get(company, ()) if load.train == kind),
            )
            yield f"{company} trains {kind} of its in the pool", extra.pooled.count((kind, company))
