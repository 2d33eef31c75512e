"""What only 18DO has to remember (`State.extra`), and its events; what each of them changes stands in `changes`.

Much is not stored because it follows. Where a minor belongs and whether it is in play is its `State.privates` entry (by
`Minor.number`); its treasury is an account beside the map (`treasury_of`). A location token lies on the map as an icon
(`K10` to `K30` on a mine, `S10` to `S30` on a mill). The number of the next card of a type is what the display has left of it.
Trains of type 4 are turned exactly in phase 8.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from trajekt.engine.components.schema import CompanyId, HexId, TrainKind
from trajekt.engine.events import Event
from trajekt.engine.state import Account, Seat, State, set_aside_account
from trajekt.games.do.components import do_components

STOCK, PRICE_BOX, ASIDE_BOX = "stock", "price_box", "aside"
CELLAR = "cellar"
"""Where cubes of the Railway Game come from and go to: as many as are asked for (DO-TRG-06)."""

DEMAND, SUPPLY = "demand", "supply"
SHOWN, REMOVED = "display", "removed"
COAL, STEEL = "K", "S"


class Segment(msgspec.Struct, frozen=True):
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
    """What lies on a charter of a brewery, or of a railway with a beer wagon. `event` is the letter of its special event."""

    becs: tuple[Bec, ...] = ()
    markers: tuple[Marker, ...] = ()
    event: str = ""


class Slot(msgspec.Struct, frozen=True):
    """A place in the brewery order: of `brewery`; or one that a traded-in minor left, kept for a corporation (DO-FLOAT-03)."""

    brewery: str
    kept_for: CompanyId = ""


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


class DoState(msgspec.Struct, frozen=True):
    """The extra state. `segments` 1 to 6; `stock` and `price_box` in cubes; `order` the brewery order.

    `charters` by brewery or railway; `loads` the loaded trains of a railway; `handed_out` numbers equipment. `bankrupt` tells
    from which stock round on a corporation that went bankrupt may be founded again (DO-BANKR-03). `free_token` lists railways
    whose right to a free location token is over. `pooled` says which railway put which train into the pool. `markers` and
    `events` lie in the display of the Expert Game; `used` are events used in the present brewery turn.
    """

    segments: Mapping[int, Segment] = {}
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
    used: tuple[str, ...] = ()
    advertised: Advertised | None = None


NOTHING = DoState()


# Reading -------------------------------------------------------------------------------------------------------------


def do_state(state: State) -> DoState:
    """The extra state; that of a game in which nothing of its own has happened yet is empty."""
    extra = NOTHING if state.extra is None else state.extra
    assert isinstance(extra, DoState)
    return extra


def is_minor(state: State, brewery: str) -> bool:
    """Whether an id is that of a minor brewery."""
    return brewery in do_components(state.sheet).minors


def account(state: State, company: str) -> Account:
    """The account of a treasury: a minor's lies beside the map."""
    return set_aside_account(company) if is_minor(state, company) else company


def treasury_of(state: State, company: str) -> int:
    """The treasury of any company, in Mark."""
    return state.aside.get(company, 0) if is_minor(state, company) else state.companies[company].treasury


def owner(state: State, company: str) -> Seat | None:
    """Who decides for a company: the owner of a minor, the director of a corporation."""
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
    """What lies on a charter; nothing where the company is not in play."""
    return do_state(state).charters.get(company, BreweryCharter())


def breweries(state: State) -> tuple[str, ...]:
    """The breweries in play in their order, places kept open aside."""
    return tuple(slot.brewery for slot in do_state(state).order if not slot.kept_for)


def segment_of(state: State, number: int) -> Segment:
    """A segment by its number."""
    return do_state(state).segments[number]


def field(kind: str, segment: int, customers: int) -> str:
    """The name of a field as a place of cubes: `demand:2:0`."""
    return f"{kind}:{segment}:{customers}"


def on_train(company: CompanyId, train: TrainKind, cubes: int) -> str:
    """The name of a train as a place of cubes: one of this type that bears so many cubes now (0: an unloaded one)."""
    return f"train:{company}:{train}:{cubes}"


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


# Events --------------------------------------------------------------------------------------------------------------


class MarketLaid(Event, frozen=True, tag="market_laid"):
    """The beer market at set-up: demand of segments 1 and 2, price box, Stock; the others begin closed."""

    demand: tuple[tuple[int, int], tuple[int, int]]
    price_box: int
    stock: int


class MinorsLaid(Event, frozen=True, tag="minors_laid"):
    """These minors are in play with their equipment; the others have left the game."""

    minors: tuple[str, ...]


class DisplayLaid(Event, frozen=True, tag="display_laid"):
    """The markers by code and special events of the Expert Game lie in the display."""

    markers: Mapping[str, int]
    events: tuple[str, ...]


class TokenMoved(Event, frozen=True, tag="bid_token"):
    """A player's bid token came to lie on a box of a minor (DO-START-03)."""

    seat: Seat
    private: int
    amount: int


class BeerMoved(Event, frozen=True, tag="beer"):
    """Cubes went from one place to another (see `field`, `on_train`, `STOCK`, `PRICE_BOX`, `ASIDE_BOX`)."""

    source: str
    target: str
    count: int
    cause: str


class Advertising(Event, frozen=True, tag="advertised"):
    """A cube was set aside on an equipment; it comes from the demand named."""

    cube: Advertised


class SegmentSet(Event, frozen=True, tag="segment"):
    """A segment opened or closed."""

    segment: int
    closed: bool
    cause: str


class OrderSet(Event, frozen=True, tag="brewery_order"):
    """The brewery order."""

    order: tuple[Slot, ...]
    cause: str


class CardTaken(Event, frozen=True, tag="equipment_taken"):
    """A Capex card went from the display to a brewery as equipment."""

    brewery: str
    kind: TrainKind
    cause: str = "equipment"


class BecsMoved(Event, frozen=True, tag="becs_moved"):
    """Equipment by number went from a brewery to another, or to `removed`."""

    source: str
    target: str
    numbers: tuple[int, ...]
    cause: str


class BecTurned(Event, frozen=True, tag="bec_turned"):
    """An equipment was turned idle, or upright again."""

    brewery: str
    number: int
    idle: bool


class BreweryEarned(Event, frozen=True, tag="brewery_earned"):
    """The income of a brewery's turn, in Mark."""

    company: str
    revenue: int


class TokenLaid(Event, frozen=True, tag="location_token"):
    """A location token of a value lies on a hex, in place of the one that lay there."""

    hex: HexId
    value: int
    company: CompanyId
    cause: str


class FreeTokenOver(Event, frozen=True, tag="free_token_over"):
    """A railway's right to a free location token is used or lost."""

    company: CompanyId


class ValueLost(Event, frozen=True, tag="value_lost"):
    """A value token entered the space "bankrupt" and left the row."""

    company: CompanyId
    cause: str


class CorporationClosed(Event, frozen=True, tag="corporation_closed"):
    """A bankrupt corporation is as before its founding; from stock round `again` on it may be founded again.

    `dropped` certificates by number leave the game (DO-BANKR-05).
    """

    company: CompanyId
    again: int
    dropped: tuple[int, ...] = ()


class PoolTrain(Event, frozen=True, tag="pool_train"):
    """A railway put a train into the pool (`inside`), or its train left the pool."""

    train: TrainKind
    company: CompanyId
    inside: bool


class MarkerMoved(Event, frozen=True, tag="mcm"):
    """A marker went between the display, `removed` and charters; `bec` is the equipment of the bottling line that goes."""

    code: str
    source: str
    target: str
    cause: str
    bec: int = 0


class MarkerAligned(Event, frozen=True, tag="mcm_aligned"):
    """A bottling line of a brewery, that of equipment `source`, belongs to equipment `target` (0: to none)."""

    brewery: str
    code: str
    source: int
    target: int


class EventMoved(Event, frozen=True, tag="sem"):
    """A special event marker went between the display and charters."""

    letter: str
    source: str
    target: str
    cause: str


class EventsUsed(Event, frozen=True, tag="sem_used"):
    """The special events used in the present brewery turns, as `B2:H`."""

    letters: tuple[str, ...]
