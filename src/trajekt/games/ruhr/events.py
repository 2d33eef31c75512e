"""Events of 18Ruhr alone, and what each of them changes in a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.engine.events import Event
from trajekt.engine.evolve import company_set
from trajekt.engine.frozen import FrozenDict, put
from trajekt.engine.state import Markers, Seat, State
from trajekt.games.ruhr.components import MINES, NO_MARKERS, added, row_of, ruhr_components
from trajekt.games.ruhr.state import (
    ACTIVE,
    PASSIVE,
    REMOVED,
    SUPPLY,
    MontanAssets,
    MontanCorporation,
    RuhrState,
    assets_of,
    ruhr_state,
)


class ScenarioSet(Event, frozen=True, tag="scenario"):
    """The scenario names the active pMCs; the package lies in two columns; 18 location markers are on the map."""

    scenario: str
    columns: tuple[tuple[int, ...], tuple[int, ...]]


class ThingsSet(Event, frozen=True, tag="things"):
    """All that only 18Ruhr has, where a position is set up by hand; the package is open as dealt."""

    things: RuhrState


class MineValued(Event, frozen=True, tag="mine_valued"):
    """The value of a pMC at the end while it is still owned: its price, or what was paid for it, in Mark (Q55)."""

    mine: int
    value: int


class MarkersMoved(Event, frozen=True, tag="markers"):
    """Development markers went between `supply`, `removed` and charters; `stages` in order, as `AAB`."""

    source: str
    target: str
    stages: str
    cause: str


class EngineMoved(Event, frozen=True, tag="engine"):
    """A switch engine went between `supply`, `removed` and the charters of Montan companies."""

    engine: str
    source: str
    target: str
    cause: str


class LocationSet(Event, frozen=True, tag="location"):
    """A location marker shows another value; -1 takes it off the map."""

    mine: int
    value: int
    cause: str


class Earned(Event, frozen=True, tag="earned"):
    """The earnings of a Montan company in its turn, in Mark."""

    works: str
    revenue: int


class MineBecame(Event, frozen=True, tag="mine"):
    """A pMC became `passive`, `merged` or `founded`; its charter is out of the game."""

    mine: int
    status: str


class MontanFounded(Event, frozen=True, tag="montan_founded"):
    """The founding location of a MONTAN corporation."""

    company: CompanyId
    mine: int
    phase: str


class MontanMerged(Event, frozen=True, tag="montan_merged"):
    """A further location of a MONTAN corporation."""

    company: CompanyId
    mine: int


class MontanSettled(Event, frozen=True, tag="montan_settled"):
    """The excess certificates of a MONTAN corporation have been dealt with."""

    company: CompanyId


class MontanClosed(Event, frozen=True, tag="montan_closed"):
    """A MONTAN corporation out of the game, its marker off the market."""

    company: CompanyId


class CardsDealt(Event, frozen=True, tag="cards_dealt"):
    """The holders of the Montan Round Cards 1, 2, 3 ..."""

    seats: tuple[Seat, ...]


class LastMineLost(Event, frozen=True, tag="last_mine_lost"):
    """A player without any pMC from now on."""

    seat: Seat


class BankRefilled(Event, frozen=True, tag="bank_refilled"):
    """A bank that would have been refilled by `amount` Mark; `owed` is what seats owe of a levy."""

    amount: int
    owed: Mapping[int, int] = {}


def _extra(state: State, **values: Any) -> State:
    return replace(state, extra=replace(ruhr_state(state), **values))


def _scenario(state: State, event: ScenarioSet) -> State:
    known = ruhr_components(state.sheet)
    active = known.scenarios[event.scenario]
    mines = {mine: ACTIVE if mine in active else PASSIVE for mine in MINES}
    dealt = {number for column in event.columns for number in column}
    board = state.board
    for at in known.hexes.values():
        contents = board.contents(at)
        board = board.with_contents(at, replace(contents, icons=(*contents.icons, "L0")))
    privates = {number: replace(p, open=number in dealt) for number, p in state.privates.items()}
    return replace(
        state, board=board, privates=FrozenDict(privates), extra=RuhrState(event.scenario, event.columns, mines)
    )


def _with_works(state: State, works: str, **values: Any) -> State:
    found = ruhr_state(state)
    return _extra(state, works=put(found.works, works, replace(found.works.get(works, MontanAssets()), **values)))


def _markers(state: State, event: MarkersMoved) -> State:
    charters = ruhr_components(state.sheet).charters
    industry = charters[event.source if event.source in charters else event.target].industry
    counts = row_of(event.stages)
    assert counts is not None, event
    for place, sign in ((event.source, -1), (event.target, 1)):
        if place == REMOVED:
            removed = ruhr_state(state).removed
            state = _extra(state, removed=put(removed, industry, added(removed.get(industry, NO_MARKERS), counts)))
        elif place != SUPPLY:
            state = _with_works(state, place, markers=added(assets_of(state, place).markers, counts, sign))
    return state


def _engine(state: State, event: EngineMoved) -> State:
    if event.source not in (SUPPLY, REMOVED):
        engines = list(assets_of(state, event.source).engines)
        engines.remove(event.engine)
        state = _with_works(state, event.source, engines=tuple(engines))
    if event.target == REMOVED:
        return _extra(state, scrapped=(*ruhr_state(state).scrapped, event.engine))
    if event.target != SUPPLY:
        engines = sorted((*assets_of(state, event.target).engines, event.engine))
        state = _with_works(state, event.target, engines=tuple(engines))
    return state


def _location(state: State, event: LocationSet) -> State:
    at: HexId = ruhr_components(state.sheet).hexes[event.mine]
    contents = state.board.contents(at)
    icons = tuple(icon for icon in contents.icons if icon[0] != "L")
    if event.value >= 0:
        icons = (*icons, f"L{event.value}")
    return replace(state, board=state.board.with_contents(at, replace(contents, icons=icons)))


def _mine(state: State, event: MineBecame) -> State:
    works = {name: held for name, held in ruhr_state(state).works.items() if name != str(event.mine)}
    return _extra(state, mines=put(ruhr_state(state).mines, event.mine, event.status), works=works)


def _montan(state: State, company: CompanyId, **values: Any) -> State:
    found = ruhr_state(state).montan
    return _extra(state, montan=put(found, company, replace(found[company], **values)))


def _montan_closed(state: State, event: MontanClosed) -> State:
    state = _montan(state, event.company, closed=True)
    state = _extra(state, works={n: held for n, held in ruhr_state(state).works.items() if n != event.company})
    spaces = {c: space for c, space in state.markers.spaces.items() if c != event.company}
    arrivals = tuple(c for c in state.markers.arrivals if c != event.company)
    return replace(state, markers=Markers(FrozenDict(spaces), arrivals))


def _founded(state: State, event: MontanFounded) -> State:
    return _extra(
        state, montan=put(ruhr_state(state).montan, event.company, MontanCorporation((event.mine,), event.phase))
    )


def _merged(state: State, event: MontanMerged) -> State:
    return _montan(state, event.company, mines=(*ruhr_state(state).montan[event.company].mines, event.mine))


def _refilled(state: State, event: BankRefilled) -> State:
    owed = dict(ruhr_state(state).owed)
    for seat, amount in event.owed.items():
        owed[seat] = owed.get(seat, 0) + amount
    return _extra(state, refilled=ruhr_state(state).refilled + event.amount, owed=owed)


def _things(state: State, event: ThingsSet) -> State:
    values = {name: getattr(event.things, name) for name in event.things.__struct_fields__}
    fixed: dict[str, Any] = {
        name: FrozenDict(value) if isinstance(value, Mapping) else value for name, value in values.items()
    }
    dealt = {number for column in event.things.columns for number in column}
    privates = {number: replace(each, open=number in dealt) for number, each in state.privates.items()}
    return replace(state, privates=FrozenDict(privates), extra=replace(event.things, **fixed))


OWN: Mapping[type[Event], Callable[[State, Any], State]] = {
    ScenarioSet: _scenario,
    ThingsSet: _things,
    MineValued: lambda s, v: _extra(s, worth=put(ruhr_state(s).worth, v.mine, v.value)),
    MarkersMoved: _markers,
    EngineMoved: _engine,
    LocationSet: _location,
    Earned: lambda s, v: company_set(s, v.works, revenue=v.revenue) if v.works in s.companies else s,
    MineBecame: _mine,
    MontanFounded: _founded,
    MontanMerged: _merged,
    MontanSettled: lambda s, v: _montan(s, v.company, settled=True),
    MontanClosed: _montan_closed,
    CardsDealt: lambda s, v: _extra(s, cards=v.seats),
    LastMineLost: lambda s, v: _extra(s, lost=(*(seat for seat in ruhr_state(s).lost if seat != v.seat), v.seat)),
    BankRefilled: _refilled,
}
