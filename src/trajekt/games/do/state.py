"""The state that only 18DO has (`State.extra`); its events and their effects stand in `events`.

Much is not stored because it follows. Where a minor belongs and whether it is in play is its `State.privates` entry (by
`Minor.number`); its treasury is an account beside the map (`treasury_of`). A location token lies on the map as an icon
(`K10` to `K30` on a mine, `S10` to `S30` on a mill). The number of the next card of a type is what the display has left of it.
Trains of type 4 are turned exactly in phase 8.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from trajekt.engine.components.schema import CompanyId, HexId, TrainKind
from trajekt.engine.frame_notes import Detail
from trajekt.engine.state import Account, Seat, State, set_aside_account
from trajekt.games.do.components import do_components

SHOWN, REMOVED = "display", "removed"
COAL, STEEL = "K", "S"


class MarketSegment(msgspec.Struct, frozen=True):
    """A segment of the Dortmund beer market: cubes in demand and supply, each (regular, new); closed by its marker."""

    demand: tuple[int, int] = (0, 0)
    supply: tuple[int, int] = (0, 0)
    closed: bool = False


class Bec(msgspec.Struct, frozen=True):
    """Brewery equipment: its number in the game (the lower, the longer it is there), its type, turned or not."""

    number: int
    kind: TrainKind
    idle: bool = False


class Marker(msgspec.Struct, frozen=True):
    """A minor capital expenditure marker on a charter; a bottling line is aligned to the equipment `bec` (0: to none)."""

    code: str
    bec: int = 0


class BreweryCharter(msgspec.Struct, frozen=True):
    """The contents of a brewery's charter, or of a railway's with a beer wagon. `event` is the letter of its special event."""

    becs: tuple[Bec, ...] = ()
    markers: tuple[Marker, ...] = ()
    event: str = ""


class Slot(msgspec.Struct, frozen=True):
    """A place in the brewery order: of `brewery`; or one left by a traded-in minor, for a corporation (DO-FLOAT-03)."""

    brewery: str
    reserved_for: CompanyId = msgspec.field(default="", name="kept_for")


class Load(msgspec.Struct, frozen=True):
    """A train of a type with cubes on it."""

    train: TrainKind
    cubes: int


class Advertised(msgspec.Struct, frozen=True):
    """A cube that Advertising set aside on an equipment, out of the demand of `customers` (0 regular, 1 new) of a segment."""

    brewery: str
    bec: int
    segment: int
    customers: int


class EventInUse(Detail):
    """A special event that a brewery uses in this turn, by its letter (DO-X-21)."""

    brewery: str
    letter: str


class DoState(msgspec.Struct, frozen=True):
    """The extra state. `segments` 1 to 6; `stock` and `price_box` in cubes; `order` the brewery order.

    `charters` by brewery or railway; `loads` the loaded trains of a railway; `handed_out` numbers equipment. `bankrupt` tells
    from which stock round on a corporation that went bankrupt may be founded again (DO-BANKR-03). `free_token` lists railways
    whose right to a free location token is over. `pooled` says which railway put which train into the pool. `markers` and
    `events` lie in the display of the Expert Game; `used` are events used in the present brewery turn.
    """

    segments: Mapping[int, MarketSegment] = {}
    stock: int = 0
    price_box: int = 0
    order: tuple[Slot, ...] = ()
    charters: Mapping[str, BreweryCharter] = {}
    loads: Mapping[CompanyId, tuple[Load, ...]] = {}
    handed_out: int = 0
    bankrupt: Mapping[CompanyId, int] = {}
    free_token: tuple[CompanyId, ...] = ()
    pooled: tuple[tuple[TrainKind, CompanyId], ...] = ()
    markers: Mapping[str, int] = {}
    events: tuple[str, ...] = ()
    used: tuple[EventInUse, ...] = ()
    advertised: Advertised | None = None


NOTHING = DoState()


def do_state(state: State) -> DoState:
    """The extra state; that of a game in which nothing of its own has happened yet is empty."""
    extra = NOTHING if state.extra is None else state.extra
    assert isinstance(extra, DoState)
    return extra


def is_minor(state: State, brewery: str) -> bool:
    """Tell whether an id is that of a minor brewery."""
    return brewery in do_components(state.sheet).minors


def account(state: State, company: str) -> Account:
    """The account of a treasury: a minor's lies beside the map."""
    return set_aside_account(company) if is_minor(state, company) else company


def treasury_of(state: State, company: str) -> int:
    """The treasury of any company, in Mark."""
    return state.aside.get(company, 0) if is_minor(state, company) else state.companies[company].treasury


def owner(state: State, company: str) -> Seat | None:
    """The player who decides for a company: the owner of a minor, the director of a corporation."""
    if is_minor(state, company):
        private = state.privates[do_components(state.sheet).minors[company].number]
        return private.owner if private.open else None
    return state.companies[company].director


def minor_of(state: State, seat: Seat) -> str:
    """The minor that a player owns; empty for none. Nobody owns two."""
    for minor in do_components(state.sheet).minors.values():
        private = state.privates[minor.number]
        if private.owner == seat and private.open:
            return minor.id
    return ""


def charter(state: State, company: str) -> BreweryCharter:
    """The contents of a charter; empty where the company is not in play."""
    return do_state(state).charters.get(company, BreweryCharter())


def breweries(state: State) -> tuple[str, ...]:
    """The breweries in play in their order, reserved places aside."""
    return tuple(slot.brewery for slot in do_state(state).order if not slot.reserved_for)


def segment_of(state: State, number: int) -> MarketSegment:
    """A segment by its number."""
    return do_state(state).segments[number]


def cubes(state: State) -> int:
    """All cubes of the game."""
    extra = do_state(state)
    fields = sum(sum(s.demand) + sum(s.supply) for s in extra.segments.values())
    loaded = sum(load.cubes for loads in extra.loads.values() for load in loads)
    return fields + extra.stock + extra.price_box + loaded + (extra.advertised is not None)


def token_at(state: State, at: HexId) -> int:
    """The value of the location token on a hex in Mark; 0 where there is none."""
    return value_of(state.board.contents(at).icons)


def value_of(icons: tuple[str, ...]) -> int:
    """The value of the location token among the things on a hex."""
    return next((int(icon[1:]) for icon in icons if icon[0] in (COAL, STEEL) and icon[1:].isdecimal()), 0)
