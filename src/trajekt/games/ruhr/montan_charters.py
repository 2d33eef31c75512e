"""Charters of Montan companies: where markers lie, what they earn, which may be taken with a card, room for engines.

Nothing here changes anything. A *works* is a Montan company by name: the number of a pMC, or a MONTAN corporation.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from trajekt.engine.components.schema import TrainKind
from trajekt.engine.state import Seat, State
from trajekt.games.ruhr.components import (
    MINES,
    NO_MARKERS,
    STAGES,
    DevelopmentCard,
    MontanCharter,
    StageCounts,
    added,
    ruhr_components,
)
from trajekt.games.ruhr.state import ACTIVE, assets_of, location, ruhr_state
from trajekt.rules.trains import on_display


def charter(state: State, works: str) -> MontanCharter:
    """The printed charter of a Montan company."""
    return ruhr_components(state.sheet).charters[works]


def linked(state: State, works: str) -> bool:
    """Tell whether a Montan company has a link; a MONTAN corporation has one by its founding (RUHR-MR-03)."""
    mine = charter(state, works).mine
    return mine is None or location(state, mine) > 0


def owner_of(state: State, works: str) -> Seat | None:
    """The player who decides for a Montan company: the owner of an active pMC, the director of a MONTAN corporation.

    RUHR-DIR-07, RUHR-PMC-01, RUHR-PMC-05.
    """
    mine = charter(state, works).mine
    if mine is None:
        return state.companies[works].director
    return state.privates[mine].owner if ruhr_state(state).mines[mine] == ACTIVE else None


def active_mines(state: State) -> tuple[int, ...]:
    """The active pMCs that have been sold, by number (RUHR-OR-03)."""
    return tuple(m for m in MINES if ruhr_state(state).mines[m] == ACTIVE and state.privates[m].owner is not None)


def mines_of(state: State, seat: Seat) -> tuple[int, ...]:
    """A player's active pMCs."""
    return tuple(mine for mine in active_mines(state) if state.privates[mine].owner == seat)


def industry_of(state: State, mine: int) -> str:
    """The industry of a pMC, active or passive."""
    return ruhr_components(state.sheet).charters[str(mine)].industry


# Boxes and income ----------------------------------------------------------------------------------------------------


def room(state: State, works: str) -> StageCounts:
    """The boxes that a company may use: without a link none with the track sign (RUHR-DEV-07)."""
    printed = charter(state, works)
    return printed.boxes if linked(state, works) else added(printed.boxes, printed.signs, -1)


def on_boxes(state: State, works: str) -> StageCounts:
    """The markers that lie on boxes; what exceeds them waits in the treasury box (RUHR-DEV-06, RUHR-DEV-08, RUHR-DEV-11)."""
    return tuple(map(min, assets_of(state, works).markers, room(state, works)))


def waiting(state: State, works: str) -> StageCounts:
    """The markers in the treasury box."""
    return added(assets_of(state, works).markers, on_boxes(state, works), -1)


def inactive(state: State, phase: str = "") -> frozenset[int]:
    """The stages whose markers are turned over in a phase, by their place in a row (RUHR-DEV-12, RUHR-DEV-13)."""
    found = state.sheet.phase_by_name[phase or state.phase].own.get("inactive", ())
    assert isinstance(found, list | tuple)
    return frozenset(STAGES.index(str(stage)) for stage in found)


def earning(state: State, works: str) -> list[int]:
    """The earnings of each active marker on a box, highest first."""
    turned, stages = inactive(state), ruhr_components(state.sheet).stages
    lying = on_boxes(state, works)
    return sorted((stages[n] for n in range(len(lying)) if n not in turned for _ in range(lying[n])), reverse=True)


def income(state: State, works: str) -> int:
    """Active markers, and for each engine the next highest of them once more (RUHR-PMC-02, RUHR-SWITCH-04)."""
    earned = earning(state, works)
    return sum(earned) + sum(earned[: len(assets_of(state, works).engines)])


def must_develop(state: State, works: str) -> bool:
    """Tell whether a MONTAN corporation has no active marker (RUHR-DEV-19)."""
    return charter(state, works).mine is None and not earning(state, works)


# Supplies ------------------------------------------------------------------------------------------------------------


def supply(state: State, industry: str) -> StageCounts:
    """The markers of an industry that lie in the supply (RUHR-DEV-03)."""
    known, left = ruhr_components(state.sheet), ruhr_components(state.sheet).markers
    for name, held in ruhr_state(state).works.items():
        if known.charters[name].industry == industry:
            left = added(left, held.markers, -1)
    return added(left, ruhr_state(state).removed.get(industry, NO_MARKERS), -1)


def from_supply(state: State, industry: str, wanted: StageCounts) -> StageCounts:
    """START markers as far as the supply goes, no stage more than the one before it (Q49, RUHR-SR-03)."""
    left = supply(state, industry)
    out: list[int] = []
    for n, count in enumerate(wanted):
        here = min(count, left[n])
        out.append(min(here, out[-1]) if out else here)
    return tuple(out)


def engines_left(state: State, engine: str) -> int:
    """The number of engines of a type in the supply (RUHR-SWITCH-02)."""
    used = sum(held.engines.count(engine) for held in ruhr_state(state).works.values())
    return ruhr_components(state.sheet).engines[engine] - used - ruhr_state(state).scrapped.count(engine)


def engine_room(state: State, works: str) -> int:
    """The number of engines that a charter holds: the second box of a MONTAN only with two locations (RUHR-SWITCH-03)."""
    printed = charter(state, works)
    if printed.mine is not None:
        return 1
    return min(printed.engine_boxes, max(1, len(ruhr_state(state).montan[works].mines)))


# Markers with a card -------------------------------------------------------------------------------------------------


def in_order(markers: StageCounts, most_of_first: int, *, x_after_e: bool) -> bool:
    """At most five of stage A, and no more of a stage than of the one before it (RUHR-DEV-04, -05)."""
    last = len(markers) if x_after_e else len(markers) - 1
    return markers[0] <= most_of_first and all(markers[n] <= markers[n - 1] for n in range(1, last))


@lru_cache(maxsize=64)
def _choices(squares: int, stages: str) -> tuple[StageCounts, ...]:
    """Every row of at most so many markers of these stages, the largest first."""
    ranges = [range(squares + 1) if stage in stages else range(1) for stage in STAGES]
    found = [counts for counts in product(*ranges) if 0 < sum(counts) <= squares]
    return tuple(sorted(found, key=lambda counts: (-sum(counts), tuple(-n for n in counts))))


def legal_takes(state: State, works: str, kind: TrainKind, *, x_after_e: bool) -> tuple[StageCounts, ...]:
    """The markers that a company may take with a card, whatever they cost (RUHR-DEV-01 to -10, -14, -16, -17).

    A pMC takes any number that is legal; a MONTAN corporation, which keeps none in its treasury, as many as it can, or,
    where it has no active marker or the card turns its last one, as many as it can with an active one on its charter.
    """
    card, printed = ruhr_components(state.sheet).cards[kind], charter(state, works)
    held, left = assets_of(state, works).markers, supply(state, printed.industry)
    most_of_first = ruhr_components(state.sheet).most_of_first
    found = _fitting(card, printed, held, left, most_of_first, x_after_e)
    if printed.mine is not None:
        return found if not any(waiting(state, works)) else ()
    turned = turned_by(state, kind)
    active = tuple(counts for counts in found if any_active(added(held, counts), turned))
    if active or must_develop(state, works):
        found = active
    most = max((sum(counts) for counts in found), default=0)
    return tuple(counts for counts in found if sum(counts) == most)


def any_active(markers: StageCounts, turned: frozenset[int]) -> bool:
    """Tell whether a row of markers has one that earns while these stages are turned over."""
    return any(n for at, n in enumerate(markers) if at not in turned)


def loses_last(state: State, works: str, kind: TrainKind, counts: StageCounts = NO_MARKERS) -> bool:
    """Tell whether a MONTAN corporation would have no active marker after a card, though it has one now (RUHR-DEV-19)."""
    if charter(state, works).mine is not None or must_develop(state, works):
        return False
    return not any_active(added(assets_of(state, works).markers, counts), turned_by(state, kind))


def keeps_active(state: State, works: str, treasury: int, *, x_after_e: bool) -> bool:
    """Tell whether some development that the treasury can pay leaves a corporation an active marker."""
    cards = ruhr_components(state.sheet).cards
    return any(
        cards[kind].price <= treasury and not loses_last(state, works, kind, counts)
        for kind in on_display(state)
        for counts in legal_takes(state, works, kind, x_after_e=x_after_e)
    )


@lru_cache(maxsize=4096)
def _fitting(
    card: DevelopmentCard, printed: MontanCharter, held: StageCounts, left: StageCounts, first: int, x_after_e: bool
) -> tuple[StageCounts, ...]:
    """The markers that fit stages, supply, boxes and order: asked at each look at a company, of few different rows."""
    stages = "".join(s for s in card.stages if printed.mine is None or s in "ABC")  # RUHR-PMC-04
    found = []
    for counts in _choices(card.squares, stages):
        after = added(held, counts)
        if any(n > here for n, here in zip(counts, left, strict=True)):
            continue
        if printed.mine is None and any(n > boxes for n, boxes in zip(after, printed.boxes, strict=True)):
            continue
        if in_order(after, first, x_after_e=x_after_e):
            found.append(counts)
    return tuple(found)


def turned_by(state: State, kind: TrainKind) -> frozenset[int]:
    """The stages that are inactive once a card is bought: the card that starts a phase follows its rules (RUHR-DEV-12)."""
    phases = state.sheet.phases
    started = next((p for p in phases if p.started_by == kind), state.current_phase)
    later = started if phases.index(started) > phases.index(state.current_phase) else state.current_phase
    return inactive(state, later.name)


def cards_for(state: State, works: str, *, x_after_e: bool) -> tuple[TrainKind, ...]:
    """The cards on offer with which a company could take markers."""
    return tuple(kind for kind in on_display(state) if legal_takes(state, works, kind, x_after_e=x_after_e))
