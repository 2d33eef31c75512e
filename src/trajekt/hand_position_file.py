"""Positions set up by hand as a file: what it holds, entry by entry, and the faults that are told of it.

The JSON is that of `positions`, with the options of the game, the space of a marker where its price names several, and the
round that begins. `hand_positions` lays such a position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from trajekt.i18n.sentences import catalogue
from trajekt.records import RecordError

MOST_FAULTS = 30

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=99_999)]
Word: TypeAlias = Annotated[str, msgspec.Meta(max_length=80)]


class HandRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The round that begins: `stock` round `set`, or `operating` round `set`.`number` of `of` (0: as the phase has them).

    `paid`: the cash told is that behind the incomes of the private companies with which an operating round begins.
    """

    kind: Literal["stock", "operating"] = "stock"
    set: Annotated[int, msgspec.Meta(ge=1, le=50)] = 1
    number: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    of: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    paid: bool = False


class HandPlayer(msgspec.Struct, frozen=True):
    """A player of a hand position, in the order of seats: cash in Mark, the numbers of open private companies.

    `shares` are per cent of companies that nobody has founded yet (RhE, GVE, ADR by their private companies); those of others
    stand with the company.
    """

    name: Word
    cash: Count = 0
    loans: Count = 0
    bankrupt: bool = False
    shares: dict[Word, Count] = {}
    privates: Annotated[tuple[int, ...], msgspec.Meta(max_length=30)] = ()


class HandCompany(msgspec.Struct, frozen=True):
    """A founded company. `shares` are per cent by place: a seat's number, `pool`, `charter`; the rest lies in the offering.

    `space` is row and column of its marker, needed where several spaces have its price; those named first lie above.
    `certificates` says of which certificates the shares at a place consist, where that may be doubted; `tokens` are the costs
    of the station markers that are left, which follow from the stations where nothing else is said.
    """

    id: Word
    par: Count = 0
    price: Count | None = None
    space: tuple[int, int] | None = None
    treasury: Count = 0
    debt: Count = 0
    director: int | None = None
    trains: Annotated[tuple[Word, ...], msgspec.Meta(max_length=20)] = ()
    shares: dict[Word, Count] = {}
    certificates: dict[Word, tuple[Count, ...]] = {}
    stations: Annotated[tuple[Word, ...], msgspec.Meta(max_length=20)] = ()
    tokens: Annotated[tuple[Count, ...], msgspec.Meta(max_length=20)] | None = None
    floated: bool = False
    operated: bool = False
    receivership: bool = False


class HandTile(msgspec.Struct, frozen=True):
    """A tile on the map, turned by `rotation` sixths of a circle."""

    hex: Word
    tile: Word
    rotation: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0


class HandPosition(msgspec.Struct, frozen=True):
    """A position at the beginning of a round, as it is set up by hand.

    `display` counts the trains that can still be bought, by kind; where it is left out, none are gone but the obsolete. `aside`
    is money that lies on the map, by name; `bank` is checked where it is given. `used` are private companies whose power is
    gone; `drawn` are the numbers that were drawn at set-up, by table. `marks` are facts that only one game knows, by name;
    `neutral` are stations of those that are no corporations, with their names: `GKB A1:0`; `own` is what the game alone has.
    """

    position: int
    game: Word
    players: Annotated[tuple[HandPlayer, ...], msgspec.Meta(min_length=1, max_length=10)]
    options: dict[str, Any] = {}
    round: HandRound = HandRound()
    phase: Word = ""
    priority: int = 0
    companies: Annotated[tuple[HandCompany, ...], msgspec.Meta(max_length=40)] = ()
    tiles: Annotated[tuple[HandTile, ...], msgspec.Meta(max_length=300)] = ()
    display: dict[Word, Count] | None = None
    pool: Annotated[tuple[Word, ...], msgspec.Meta(max_length=40)] = ()
    aside: dict[Word, Count] = {}
    marks: Annotated[dict[Word, Word], msgspec.Meta(max_length=40)] = {}
    neutral: Annotated[tuple[Word, ...], msgspec.Meta(max_length=20)] = ()
    used: Annotated[tuple[int, ...], msgspec.Meta(max_length=30)] = ()
    drawn: dict[Word, Count] = {}
    own: dict[str, Any] = {}
    bank: int | None = None


@dataclass(frozen=True, slots=True)
class PositionFault:
    """A fault in a position: the place of the entry, the code of its sentence (`position.<code>`), values for the gaps."""

    path: str
    code: str
    values: Mapping[str, str] = field(default_factory=dict)

    def text(self, language: str) -> str:
        """Return what is wrong, in a language."""
        return catalogue(language).text(f"position.{self.code}", **self.values)

    def sentence(self, language: str) -> str:
        """Return the fault in a language, the entry in front."""
        return f"{self.path}: {self.text(language)}"


class PositionError(RecordError):
    """A position that cannot be set up; `faults` are all that were found, entry by entry."""

    def __init__(self, faults: Sequence[PositionFault]) -> None:
        super().__init__("position")
        self.faults = tuple(faults[:MOST_FAULTS])

    def sentence(self, language: str) -> str:
        """Return all faults in a language, one a line."""
        return self.text(language)

    def text(self, language: str) -> str:
        head = catalogue(language).text("file.position")
        return "\n".join((head, *(fault.sentence(language) for fault in self.faults)))


def read_position(data: bytes) -> HandPosition:
    """A position from JSON. Raises `PositionError` with the place of what cannot be read."""
    try:
        return msgspec.json.decode(data, type=HandPosition)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        message, _, path = str(fault).rpartition(" - at `")
        shown = path.rstrip("`") if message else "$"
        raise PositionError([PositionFault(shown, "unreadable", {"detail": message or str(fault)})]) from fault
