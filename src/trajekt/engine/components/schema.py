"""The component sheet: everything printed on cardboard, as typed data of one edition and one choice of variants.

A sheet is read once (`load`), checked (`validation`), and never changes. It holds facts, no behaviour: what cannot be
said as data is a rule with an id. Amounts are whole Mark, shares are per cent, edges and turns are numbers from 0 to 5
clockwise (see `hexes`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from trajekt.engine.frozen import FrozenDict
from trajekt.engine.memo import memo

HexId: TypeAlias = str
TileId: TypeAlias = str
CompanyId: TypeAlias = str
TrainKind: TypeAlias = str
Space: TypeAlias = tuple[int, int]  # row and column on the stock market, both counted from 1

FIRST_STOP = 6  # ends of track: 0 to 5 are the edges, 6 and up are the stops of the face in the order listed


class Stop(msgspec.Struct, frozen=True):
    """A city, town, off-board area or place of loading as printed on a tile or a hex.

    `revenue` maps a colour phase to Mark: the last colour reached counts; a plain number is stored under `""`.
    `slots` are the places for stations. Stops of one `group` are one destination. `icons` count only for routes that
    reach this very stop. `at` is the edge (or `"centre"`) that the stop leans to when drawn, `bank` its side of a river.
    """

    kind: str
    revenue: Mapping[str, int] = {}
    slots: int = 0
    harbour_slots: int = 0
    group: str = ""
    icons: tuple[str, ...] = ()
    name: str = ""
    bank: str = ""
    at: float | str | None = None
    bare: bool = False


class Piece(msgspec.Struct, frozen=True, order=True, gc=False):
    """A track piece between two ends, `a < b`; `kind` is `""` or a kind with rules of its own (`"ferry"`)."""

    a: int
    b: int
    kind: str = ""


class Face(msgspec.Struct, frozen=True, dict=True):
    """The face of a tile or a printed hex: its colour, stops and track, turned as it lies.

    `colour` is `""` for open land. `banks` parts the edges by the river, left bank first.
    """

    colour: str = ""
    stops: tuple[Stop, ...] = ()
    track: tuple[Piece, ...] = ()
    labels: tuple[str, ...] = ()
    icons: tuple[str, ...] = ()
    banks: tuple[tuple[int, ...], ...] = ()
    river_edges: tuple[int, ...] = ()
    ferry_revenue: int | None = None

    @memo
    def edges(self) -> frozenset[int]:
        """The edges that carry track."""
        return frozenset(end for piece in self.track for end in (piece.a, piece.b) if end < FIRST_STOP)

    @memo
    def pieces(self) -> frozenset[Piece]:
        return frozenset(self.track)


class Hex(msgspec.Struct, frozen=True):
    """A printed hex. `cost` is paid before the first lay; `closed_edges` admit no track (stated on both sides)."""

    face: Face = Face()
    names: tuple[str, ...] = ()
    terrain: str = ""
    cost: int = 0
    closed_edges: tuple[int, ...] = ()
    stubs: tuple[int, ...] = ()
    blind_edges: tuple[int, ...] = ()
    possible_icons: tuple[str, ...] = ()
    joined: tuple[HexId, ...] = ()
    fixed: bool = False
    blocked_until: str = ""
    counts_for: str = ""
    reserved_for: tuple[CompanyId, ...] = ()
    own: Mapping[str, object] = {}
    src: str = ""
    note: str = ""


class Tile(msgspec.Struct, frozen=True):
    """A kind of tile and how many there are. `upgrades_to`, where stated, lists the only tiles that may follow."""

    face: Face
    count: int
    name: str = ""
    upgrade_cost: int = 0
    upgrades_to: tuple[TileId, ...] | None = None
    upgrades_from: tuple[TileId, ...] | None = None
    final: bool = False
    hexes: tuple[HexId, ...] = ()
    rotation: int | None = None
    outside_totals: bool = False
    rulebook_number: str = ""
    own: Mapping[str, object] = {}
    src: str = ""
    note: str = ""


class MarketCell(msgspec.Struct, frozen=True):
    """A space of the stock market: the price of one share in Mark, and whether it is a par space."""

    price: int
    par: bool = False


class StockMarket(msgspec.Struct, frozen=True, dict=True):
    """The stock market as printed, rows from the top; `None` where there is no space. `par` lists the par values."""

    rows: tuple[tuple[MarketCell | None, ...], ...]
    par: tuple[int, ...] = ()
    src: str = ""

    def cell(self, space: Space) -> MarketCell | None:
        row, column = space
        if not (1 <= row <= len(self.rows) and 1 <= column <= len(self.rows[row - 1])):
            return None
        return self.rows[row - 1][column - 1]

    @memo
    def _prices(self) -> Mapping[Space, int]:
        return {
            (r, c): cell.price
            for r, row in enumerate(self.rows, 1)
            for c, cell in enumerate(row, 1)
            if cell is not None
        }

    def price(self, space: Space) -> int:
        """The price of one share on a space of the market."""
        return self._prices[space]

    @memo
    def par_spaces(self) -> tuple[Space, ...]:
        """Every par space, from the top row down and from left to right."""
        return tuple(
            (r, c)
            for r, row in enumerate(self.rows, 1)
            for c, cell in enumerate(row, 1)
            if cell is not None and cell.par
        )

    @memo
    def pars(self) -> tuple[int, ...]:
        """The prices of the par spaces in Mark, each once, lowest first."""
        return tuple(sorted({self.price(space) for space in self.par_spaces}))


class Train(msgspec.Struct, frozen=True):
    """A kind of train. `available_on` names the train whose first sale opens it (else: the kind before is sold out).

    `available_after` is the sale that does so, where it is not the first.
    """

    kind: TrainKind
    price: int
    count: int
    reach: int
    name: str = ""
    available_on: str = ""
    available_after: int = 1
    obsolete_on: str = ""
    optional_count: int = 0
    towns: int = 0
    not_for_sale: bool = False
    outside_totals: bool = False
    own: Mapping[str, object] = {}
    src: str = ""


class Phase(msgspec.Struct, frozen=True):
    """A phase, from the first sale of `started_by` on. `colour` is the newest colour of tiles; bonus in Mark."""

    name: str
    started_by: str
    tiles: tuple[str, ...]
    train_limit: int
    operating_rounds: int
    values: str = "yellow"
    industry_bonus: int = 0
    obsolete: tuple[str, ...] = ()
    privates_close: bool = False
    own: Mapping[str, object] = {}

    @property
    def colour(self) -> str:
        return self.tiles[-1]


class Home(msgspec.Struct, frozen=True):
    """A home: the hex and the index of its stop on the printed face."""

    hex: HexId
    stop: int


class CompanyDefinition(msgspec.Struct, frozen=True):
    """A corporation as on its charter. `certificates` are per cent in stack order, the director's certificate first.

    `station_costs` has an entry for each station marker, the homes' (0) first; a corporation without stations has no home.
    `share` is how many per cent one share is. `letters` is the code on the token.
    `pool_percent` of its shares start in the bank pool; their worth waits until track links the hexes of `waits_for`.
    """

    id: CompanyId
    name: str
    homes: tuple[Home, ...]
    certificates: tuple[int, ...]
    float_percent: int
    station_costs: tuple[int, ...]
    colour: str = ""
    letters: str = ""
    start_value: int = 0
    share: int = 10
    pool_percent: int = 0
    waits_for: tuple[HexId, ...] = ()
    own: Mapping[str, object] = {}
    src: str = ""


class PrivateDefinition(msgspec.Struct, frozen=True):
    """A private company, or another certificate of the starting package, by its number.

    `names` maps a language to the name, where it differs. `discount` is taken off the price in each round in which
    nobody buys it. It `brings` a share of `brings_percent` of a corporation.
    """

    number: int
    code: str
    name: str
    price: int
    revenue: int
    tile: TileId = ""
    hexes: tuple[HexId, ...] = ()
    blocks: tuple[HexId, ...] = ()
    available_from: str = ""
    brings: CompanyId = ""
    brings_percent: int = 0
    names: Mapping[str, str] = {}
    discount: int = 0
    does: str = ""
    closes: str = ""
    src: str = ""


class Entrance(msgspec.Struct, frozen=True):
    """An entrance of an off-board area: its stop and edge, and the side of the neighbouring hex that makes the link."""

    hex: HexId
    stop: int
    edge: int
    from_hex: HexId
    from_edge: int


class Area(msgspec.Struct, frozen=True):
    """An off-board area whose value depends on how many of its entrances are linked."""

    name: str
    hexes: tuple[HexId, ...]
    entrances: tuple[Entrance, ...]
    value_by_links: Mapping[int, int]
    src: str = ""


class DrawTable(msgspec.Struct, frozen=True):
    """One row of a table drawn at set-up: which icon lies on which hex."""

    number: int
    icons: Mapping[str, HexId]


class GameLimits(msgspec.Struct, frozen=True):
    """Bank, capital and certificate limits by number of players; the pool's limit in per cent."""

    bank: Mapping[int, int]
    capital: Mapping[int, int]
    certificates: Mapping[int, int]
    pool_percent: int = 50


class Totals(msgspec.Struct, frozen=True):
    """Counts that the rulebook itself gives, as far as it does; `tiles` by colour."""

    tiles: Mapping[str, int] = {}
    trains: int | None = None
    station_markers: int | None = None
    certificates: int | None = None
    hexes: int | None = None
    buildable_hexes: int | None = None


class Sheet(msgspec.Struct, frozen=True, dict=True):
    """All components of one game in one edition with its chosen variants.

    `own` holds the pieces that only this game has, by section; likewise `own` of a hex, tile, train, phase or company what
    only this game prints there. `sources` maps a section (`tiles`), and each entry that
    differs from its section (`tiles.935`), to where it comes from (see `provenance`). `component_set` is the file of the
    component set with which the sheet was made, empty where it is ours alone.
    """

    game: str
    edition: str
    title: str
    designers: tuple[str, ...]
    players: tuple[int, int]
    layout: str
    colours: tuple[str, ...]
    hexes: Mapping[HexId, Hex]
    tiles: Mapping[TileId, Tile]
    market: StockMarket
    trains: Mapping[TrainKind, Train]
    phases: tuple[Phase, ...]
    companies: Mapping[CompanyId, CompanyDefinition]
    privates: Mapping[int, PrivateDefinition]
    limits: GameLimits
    areas: Mapping[str, Area] = {}
    draws: tuple[DrawTable, ...] = ()
    bonuses: Mapping[str, Mapping[str, object]] = {}
    variants: tuple[str, ...] = ()
    sources: Mapping[str, str] = {}
    digest: str = ""
    currency: str = "Mark"
    totals: Totals = Totals()
    own: Mapping[str, Mapping[str, object]] = {}
    component_set: str = ""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if type(value) is dict:
                msgspec.structs.force_setattr(self, name, FrozenDict(value))

    def __repr__(self) -> str:
        return f"<Sheet {self.game} edition {self.edition} {'/'.join(self.variants)}>".replace(" >", ">")

    @memo
    def phase_by_name(self) -> Mapping[str, Phase]:
        return {phase.name: phase for phase in self.phases}

    @memo
    def rotated(self) -> Mapping[tuple[TileId, int], Face]:
        """Every tile in each of its six rotations."""
        return {
            (number, rotation): rotate_face(tile.face, rotation)
            for number, tile in self.tiles.items()
            for rotation in range(6)
        }

    def rank(self, colour: str) -> int:
        """The place of a colour in the order of tiles; open land is -1, a colour outside the order is the last."""
        if not colour:
            return -1
        return self.colours.index(colour) if colour in self.colours else len(self.colours)

    def next_colour(self, colour: str) -> str:
        """The colour of tiles that may follow on one of a colour; empty after the last."""
        return next(iter(self.colours[self.rank(colour) + 1 :]), "")

    def value(self, stop: Stop, colour: str) -> int:
        """The value of a stop in Mark while `colour` is the phase's value colour."""
        amounts = stop.revenue
        if "" in amounts:
            return amounts[""]
        best = 0
        for step in self.colours[: self.rank(colour) + 1]:
            best = amounts.get(step, best)
        return best


def rotate_face(face: Face, rotation: int) -> Face:
    """The face turned clockwise by `rotation` edges."""
    if rotation == 0:
        return face

    def end(number: int) -> int:
        return (number + rotation) % 6 if number < FIRST_STOP else number

    def edges(group: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted((edge + rotation) % 6 for edge in group))

    pieces = []
    for piece in face.track:
        a, b = sorted((end(piece.a), end(piece.b)))
        pieces.append(Piece(a, b, piece.kind))
    stops = tuple(
        msgspec.structs.replace(stop, at=(stop.at + rotation) % 6) if isinstance(stop.at, int | float) else stop
        for stop in face.stops
    )
    return msgspec.structs.replace(
        face,
        stops=stops,
        track=tuple(pieces),
        banks=tuple(edges(bank) for bank in face.banks),
        river_edges=edges(face.river_edges),
    )
