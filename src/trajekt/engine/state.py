"""The position of a game: frozen records in a few columns, changed only by `evolve`.

Money is whole Mark, shares are per cent. A seat is a number, counted clockwise from 0. The *holder* of a certificate is a
seat or one of `IPO` (initial offering), `POOL`, `CHARTER`, `PACKAGE`; an *account* is a seat, a company id, `BANK`, or money
set aside under a name (`set_aside_account("RhE")`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

import msgspec

from trajekt.engine.board.board import Board
from trajekt.engine.components.schema import CompanyId, Phase, Sheet, Space, TileId, TrainKind
from trajekt.engine.frozen import FrozenDict
from trajekt.engine.memo import memo

Seat: TypeAlias = int
Holder: TypeAlias = int | str
Account: TypeAlias = int | str

BANK = "bank"
IPO, POOL, CHARTER = "io", "pool", "charter"
PACKAGE = "package"  # with a certificate of the starting package that is not sold yet (RHL-SET-06)
DISPLAY, GONE = "display", "gone"
ASIDE = "aside:"


def set_aside_account(name: str) -> str:
    """The account of money that lies on the map under a name (RHL-FLT-07)."""
    return ASIDE + name


def set_aside_name(account: str) -> str:
    """The name under which the money of an account is set aside; empty for any other account."""
    return account.removeprefix(ASIDE) if account.startswith(ASIDE) else ""


def drawn_mark(table: str) -> str:
    """The name in `State.marks` of the number that was drawn for a table."""
    return f"drawn:{table}"


class Frame(msgspec.Struct, frozen=True, tag=True):
    """One thing that is still to be done. Each kind of frame has its `Duty` in the ruleset.

    `round_kind` names a round that only one game has: it reads `page.round.<round_kind>` in the catalogues.
    """

    round_kind: ClassVar[str] = ""

    def amount_due(self, _state: State, /) -> int:
        """Return what a company must pay here in Mark, whether it can or not; 0 where nothing must be paid."""
        return 0

    def acting(self) -> str:
        """Return the company, mine or brewery whose turn this is, by its id; empty where a player acts."""
        return ""


class Player(msgspec.Struct, frozen=True, gc=False):
    """A player: cash and loans in Mark. `outside` marks a holder who is none: without limit, vote and rank."""

    cash: int = 0
    loans: int = 0
    bankrupt: bool = False
    outside: bool = False


class Certificate(msgspec.Struct, frozen=True, gc=False):
    """A certificate of `percent` shares and the place where it lies."""

    percent: int
    holder: Holder = IPO
    director: bool = False


class Company(msgspec.Struct, frozen=True, dict=True):
    """A corporation. `certificates` keep the printed order; `stations` are the costs of its unused tokens, cheapest first.

    `due` marks capital that is still to be paid (RHL-FLT-03). `revenue` is that of its last turn, `None` before.
    """

    id: CompanyId
    certificates: tuple[Certificate, ...]
    par: int = 0
    treasury: int = 0
    director: Seat | None = None
    trains: tuple[TrainKind, ...] = ()
    stations: tuple[int, ...] = ()
    founded: bool = False
    floated: bool = False
    operated: bool = False
    receivership: bool = False
    due: bool = False
    debt: int = 0
    revenue: int | None = None

    @memo
    def by_holder(self) -> Mapping[Holder, tuple[int, ...]]:
        """The numbers of the certificates by place, in stack order; places come as they are first met."""
        found: dict[Holder, list[int]] = {}
        for number, certificate in enumerate(self.certificates):
            found.setdefault(certificate.holder, []).append(number)
        return {place: tuple(numbers) for place, numbers in found.items()}

    @memo
    def _percents(self) -> Mapping[Holder, int]:
        """Per cent by place."""
        certificates = self.certificates
        return {place: sum([certificates[n].percent for n in numbers]) for place, numbers in self.by_holder.items()}

    def percent(self, place: Holder) -> int:
        """The certificates at a place, in per cent."""
        return self._percents.get(place, 0)

    def held(self, place: Holder) -> tuple[int, ...]:
        """The numbers of the certificates at a place, in stack order."""
        return self.by_holder.get(place, ())

    @memo
    def shareholders(self) -> Mapping[Seat, int]:
        """Per cent by seat."""
        return {place: percent for place, percent in self._percents.items() if isinstance(place, int)}


class Private(msgspec.Struct, frozen=True, gc=False):
    """A certificate of the starting package: its owner once sold; open until it closes; its power used or not."""

    number: int
    owner: Seat | None = None
    open: bool = True
    used: bool = False


class Bid(msgspec.Struct, frozen=True, gc=False):
    """A standing bid of a seat, in Mark."""

    private: int
    seat: Seat
    amount: int


class Markers(msgspec.Struct, frozen=True):
    """Price markers: the space of each company, and all companies in the order in which they came to lie where they lie.

    On one space the earlier arrival lies above (COMMON-MKT-01).
    """

    spaces: Mapping[CompanyId, Space] = {}
    arrivals: tuple[CompanyId, ...] = ()

    def stack(self, space: Space) -> tuple[CompanyId, ...]:
        """The companies on a space from top to bottom."""
        return tuple(c for c in self.arrivals if self.spaces[c] == space)


class Depot(msgspec.Struct, frozen=True, dict=True):
    """Trains: how many of each kind are on display, those in the pool, and those gone from the game."""

    display: Mapping[TrainKind, int]
    pool: tuple[TrainKind, ...] = ()
    gone: tuple[TrainKind, ...] = ()
    sold: tuple[TrainKind, ...] = ()  # kinds of which the first has left the display


class State(msgspec.Struct, frozen=True, dict=True):
    """Everything needed to go on from a moment. `agenda` ends with the frame on top; it is the only program counter.

    `ending` tells that the game will end and why (`""`, `"or"`, `"sr"`: COMMON-END-01, -02); `outcome` that it has ended.
    `marks` are small public facts of one game by name; `extra` is a record of one game's own.
    """

    names: tuple[str, ...]
    players: tuple[Player, ...]
    companies: Mapping[CompanyId, Company]
    privates: Mapping[int, Private]
    markers: Markers
    board: Board
    supply: Mapping[TileId, int]
    depot: Depot
    bank: int
    phase: str
    agenda: tuple[Frame, ...] = ()
    priority: Seat = 0
    bids: tuple[Bid, ...] = ()
    aside: Mapping[str, int] = {}
    marks: Mapping[str, str] = {}
    peace: tuple[Seat, ...] = ()  # who agrees to end the game now (COMMON-END-06)
    ending: str = ""
    outcome: str = ""
    extra: object = None

    def __repr__(self) -> str:
        frame = type(self.agenda[-1]).__name__ if self.agenda else self.outcome or "no agenda"
        return f"<State {self.sheet.game} {'/'.join(self.names)}, phase {self.phase}, {frame}>"

    @property
    def sheet(self) -> Sheet:
        return self.board.sheet

    @property
    def top(self) -> Frame | None:
        return self.agenda[-1] if self.agenda else None

    @memo
    def current_phase(self) -> Phase:
        return self.sheet.phase_by_name[self.phase]

    def price(self, company: CompanyId) -> int:
        """The price of one share in Mark; 0 before the company has a marker."""
        space = self.markers.spaces.get(company)
        return self.sheet.market.price(space) if space is not None else 0

    @memo
    def operating_order(self) -> tuple[CompanyId, ...]:
        """All companies with a marker in operating order: price, then further right, then top first (COMMON-OR-02)."""
        arrival = {company: n for n, company in enumerate(self.markers.arrivals)}
        spaces = self.markers.spaces
        return tuple(sorted(spaces, key=lambda c: (-self.price(c), -spaces[c][1], arrival[c])))

    def committed_to_bids(self, seat: Seat) -> int:
        """Money promised in bids (COMMON-AUC-05)."""
        return sum(bid.amount for bid in self.bids if bid.seat == seat)

    @memo
    def _counted(self) -> Mapping[Seat, int]:
        """Certificates and open privates by seat."""
        found: dict[Seat, int] = {}
        for private in self.privates.values():
            if private.open and private.owner is not None:
                found[private.owner] = found.get(private.owner, 0) + 1
        for company in self.companies.values():
            for seat in company.shareholders:
                found[seat] = found.get(seat, 0) + len(company.by_holder[seat])
        return found

    def certificate_count(self, seat: Seat) -> int:
        """Certificates that count for the limit: shares and open privates (COMMON-SR-15)."""
        return self._counted.get(seat, 0)

    def clockwise(self, after: Seat) -> tuple[Seat, ...]:
        """All seats still in the game, beginning left of `after`, who comes last."""
        count = len(self.players)
        ring = ((after + step) % count for step in range(1, count + 1))
        return tuple(seat for seat in ring if not self.players[seat].bankrupt)

    def directed_companies(self, seat: Seat) -> tuple[CompanyId, ...]:
        return tuple(c.id for c in self.companies.values() if c.director == seat)


def blank_state(sheet: Sheet, names: tuple[str, ...]) -> State:
    """The box just opened: all money in the bank, all certificates in the initial offering, nothing on the map."""
    count = len(names)
    return State(
        names=names,
        players=tuple(Player() for _ in names),
        companies=FrozenDict(
            {
                c.id: Company(
                    id=c.id,
                    certificates=tuple(Certificate(p, director=n == 0) for n, p in enumerate(c.certificates)),
                    stations=c.station_costs,
                )
                for c in sheet.companies.values()
            }
        ),
        privates=FrozenDict({number: Private(number) for number in sheet.privates}),
        markers=Markers(FrozenDict()),
        board=Board(sheet, FrozenDict()),
        supply=FrozenDict({number: tile.count for number, tile in sheet.tiles.items()}),
        depot=Depot(FrozenDict({kind: train.count for kind, train in sheet.trains.items()})),
        bank=sheet.limits.bank[count],
        phase=sheet.phases[0].name,
        aside=FrozenDict(),
        marks=FrozenDict(),
    )
