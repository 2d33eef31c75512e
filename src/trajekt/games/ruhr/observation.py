"""The contents of a position that only 18Ruhr has, as numbers by name for learning machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trajekt.engine.state import State
from trajekt.games.ruhr.components import MINES, STAGES, RuhrComponents, ruhr_components
from trajekt.games.ruhr.state import ACTIVE, FOUNDED, MERGED, PASSIVE, RuhrState, location, ruhr_state, treasury_of

STATUSES = (PASSIVE, ACTIVE, FOUNDED, MERGED)
"""The states of a mine, in order."""


def own_facts(state: State) -> list[tuple[str, float]]:
    """Return the mines, the charters of the Montan companies, what is out of the game and the package; money in Mark."""
    extra, printed = ruhr_state(state), ruhr_components(state.sheet)
    companies = {company: number for number, company in enumerate(state.sheet.companies, 1)}
    owner = {mine: company for company, montan in extra.montan.items() for mine in montan.mines}
    found: list[tuple[str, float]] = []
    for mine in MINES:
        found += [(f"mine {mine} {status}", extra.mines[mine] == status) for status in STATUSES]
        found.append((f"mine {mine} merged into, company from 1", companies.get(owner.get(mine, ""), 0)))
        found.append((f"mine {mine} worth", extra.worth.get(mine, 0)))
        found.append((f"mine {mine} location value", location(state, mine)))
    for works in printed.charters:
        found += _charter(extra, printed, works)
        found.append((f"{works} treasury", treasury_of(state, works)))
    for company in state.sheet.companies:
        montan = extra.montan.get(company)
        found.append((f"{company} montan founded", montan is not None))
        found.append((f"{company} montan settled", montan is not None and montan.settled))
        found.append((f"{company} montan closed", montan is not None and montan.closed))
    found += _table(extra, printed, state)
    return found


def _charter(extra: RuhrState, printed: RuhrComponents, works: str) -> Iterator[tuple[str, float]]:
    """The markers by stage and the engines by type of a Montan company."""
    assets = extra.works.get(works)
    yield f"{works} in play", assets is not None
    for stage, letter in enumerate(STAGES):
        yield f"{works} markers {letter}", assets.markers[stage] if assets else 0
    engines = Counter(assets.engines) if assets else Counter()
    for kind in printed.engines:
        yield f"{works} engines {kind}", engines[kind]


def _table(extra: RuhrState, printed: RuhrComponents, state: State) -> Iterator[tuple[str, float]]:
    """List what lies beside the map: removed markers, engines, cards, the columns of the package, levies."""
    for industry in sorted({charter.industry for charter in printed.charters.values()}):
        removed = extra.removed.get(industry, (0,) * len(STAGES))
        yield from ((f"{industry} markers {x} removed", removed[n]) for n, x in enumerate(STAGES))
    yield from ((f"engines {kind} scrapped", extra.scrapped.count(kind)) for kind in printed.engines)
    for number in range(len(MINES)):
        yield (
            f"montan round card {number + 1} seat, from 1",
            1 + extra.cards[number] if number < len(extra.cards) else 0,
        )
    for seat in range(len(state.players)):
        yield f"seat {seat} lost its last mine, place", 1 + extra.lost.index(seat) if seat in extra.lost else 0
        yield f"seat {seat} owes levies", extra.owed.get(seat, 0)
    for number in state.privates:
        for side, column in enumerate(extra.columns, 1):
            yield f"item {number} place in column {side}", 1 + column.index(number) if number in column else 0
    yield "refilled", extra.refilled
