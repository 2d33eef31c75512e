"""What only 18Ruhr has to remember (`State.extra`), its events, and what each of them changes.

Much is not kept because it follows: a location marker's value lies on the map (`Ground.icons`, one of `L0` to `L30`), a
marker is inactive by its stage and the phase, it waits in the treasury box if its stage has no box free for it, and the
money of a pMC is an account beside the map (`pmc_account`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.engine.events import Event
from trajekt.engine.evolve import company_set
from trajekt.engine.frozen import FrozenDict, put
from trajekt.engine.state import Markers, Seat, State, set_aside_account
from trajekt.games.ruhr.components import MINES, NO_MARKERS, StageCounts, row_of, ruhr_components

SUPPLY, REMOVED = "supply", "removed"
ACTIVE, PASSIVE, MERGED, FOUNDED = "active", "passive", "merged", "founded"


class MontanAssets(msgspec.Struct, frozen=True):
    """What lies on the charter of a Montan company: markers by stage, engines in order of type."""

    markers: StageCounts = NO_MARKERS
    engines: tuple[str, ...] = ()


class MontanCorporation(msgspec.Struct, frozen=True):
    """A MONTAN corporation: its locations by number of the pMC, the founding one first; the phase of its founding.

    `settled`: its excess certificates have been dealt with (RUHR-FLOAT-07). `closed`: it is out of the game (RUHR-DEV-20).
    """

    mines: tuple[int, ...]
    phase: str
    settled: bool = False
    closed: bool = False


class RuhrState(msgspec.Struct, frozen=True):
    """The extra state. `columns` is the package as dealt, `mines` what has become of each pMC, `worth` what it counts.

    `removed` markers by industry and `scrapped` engines are out of the game for good. `cards` are the Montan Round Cards by
    number, `lost` the players without a pMC in the order in which they lost their last. `refilled` is what refills of the
    bank would have brought in Mark (Q54), `owed` the unpaid levies by seat.
    """

    scenario: str
    columns: tuple[tuple[int, ...], tuple[int, ...]]
    mines: Mapping[int, str]
    works: Mapping[str, MontanAssets] = {}
    montan: Mapping[CompanyId, MontanCorporation] = {}
    worth: Mapping[int, int] = {}
    removed: Mapping[str, StageCounts] = {}
    scrapped: tuple[str, ...] = ()
    cards: tuple[Seat, ...] = ()
    lost: tuple[Seat, ...] = ()
    refilled: int = 0
    owed: Mapping[Seat, int] = {}


def ruhr_state(state: State) -> RuhrState:
    """The extra state of a game of 18Ruhr that has been set up."""
    extra = state.extra
    assert isinstance(extra, RuhrState)
    return extra


def pmc_account(mine: int) -> str:
    """The account of a pMC's treasury."""
    return set_aside_account(str(mine))


def treasury_of(state: State, works: str) -> int:
    """The treasury of a Montan company, in Mark."""
    if works.isdecimal():
        return state.aside.get(works, 0)
    return state.companies[works].treasury


def account(works: str) -> str:
    """The account of a Montan company's treasury."""
    return pmc_account(int(works)) if works.isdecimal() else works


def assets_of(state: State, works: str) -> MontanAssets:
    """What lies on a charter; nothing where the company is not in play."""
    return ruhr_state(state).works.get(works, MontanAssets())


def location(state: State, mine: int) -> int:
    """The value of a location marker: 0 without a link, then 10, 20, 30; -1 where it is off the map (RUHR-REV-01)."""
    return value_at(state.board.contents(ruhr_components(state.sheet).hexes[mine]).icons)


def value_at(icons: tuple[str, ...]) -> int:
    """The value of the location marker among the things on a hex; -1 where there is none."""
    return next((int(icon[1:]) for icon in icons if icon[0] == "L"), -1)


# Events --------------------------------------------------------------------------------------------------------------


class ScenarioSet(Event, frozen=True, tag="scenario"):
    """The scenario names the active pMCs; the package lies in two columns; 18 location markers are on the map."""

    scenario: str
    columns: tuple[tuple[int, ...], tuple[int, ...]]


class MineValued(Event, frozen=True, tag="mine_valued"):
    """What a pMC counts at the end while it is still owned: its price, or what was paid for it, in Mark (Q55)."""

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
    """What a Montan company earned in its turn, in Mark."""

    works: str
    revenue: int


class MineBecame(Event, frozen=True, tag="mine"):
    """A pMC became `passive`, `merged` or `founded`; its charter is out of the game."""

    mine: int
    status: str


class MontanFounded(Event, frozen=True, tag="montan_founded"):
    """A MONTAN corporation has its founding location."""

    company: CompanyId
    mine: int
    phase: str


class MontanMerged(Event, frozen=True, tag="montan_merged"):
    """A MONTAN corporation has a further location."""

    company: CompanyId
    mine: int


class MontanSettled(Event, frozen=True, tag="montan_settled"):
    """The excess certificates of a MONTAN corporation have been dealt with."""

    company: CompanyId


class MontanClosed(Event, frozen=True, tag="montan_closed"):
    """A MONTAN corporation is out of the game, its marker off the market."""

    company: CompanyId


class CardsDealt(Event, frozen=True, tag="cards_dealt"):
    """Who holds the Montan Round Cards 1, 2, 3 ..."""

    seats: tuple[Seat, ...]


class LastMineLost(Event, frozen=True, tag="last_mine_lost"):
    """A player has no pMC any more."""

    seat: Seat


class BankRefilled(Event, frozen=True, tag="bank_refilled"):
    """The bank would have been refilled by `amount` Mark; `owed` is what seats owe of a levy."""

    amount: int
    owed: Mapping[int, int] = {}


# What they change ----------------------------------------------------------------------------------------------------


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


def added(one: StageCounts, other: StageCounts, sign: int = 1) -> StageCounts:
    """The sum of two rows, or their difference."""
    return tuple(a + sign * b for a, b in zip(one, other, strict=True))


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


OWN: Mapping[type[Event], Callable[[State, Any], State]] = {
    ScenarioSet: _scenario,
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
