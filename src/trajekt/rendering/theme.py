"""The look of a game as data: colours of its tokens, its marks, and lettering set by hand.

Nothing in `rendering` names a thing of one game; a game's `theme` module fills a `Look` and hands it in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from trajekt.engine.components.schema import Hex, Sheet, Space


@dataclass(frozen=True)
class TokenLook:
    """A station token: its ground, a second tone for the partition, and the ink of the letters, as `#RRGGBB`.

    `partition` is a key of `token_symbols.PARTITIONS`: the division of the disc that tells it apart without colour.
    """

    contents: str
    second: str
    ink: str
    partition: str


@dataclass(frozen=True)
class Mark:
    """A mark printed on a hex or lying there.

    `shape` is `mine`, `mill`, `anchor`, or `pill`: a lozenge with `text` on `contents`.
    """

    shape: str
    text: str = ""
    contents: str = "#2B3A4A"

    @property
    def colour_name(self) -> str:
        """The colour as a part of a class name: marks of one text may differ in it."""
        return self.contents.removeprefix("#")


@dataclass(frozen=True)
class River:
    """The river along closed sides: its name, and where along its course the name is written (0 source, 1 mouth)."""

    name: str
    at: tuple[float, ...] = (0.5,)


@dataclass(frozen=True)
class MarketLook:
    """The printed signs of a stock market: the colour of the phase from which on a space is a par value; for each row the
    key of a sign in `stock_market.SIGNS`; whether bankruptcy lies left of the lowest value.
    """

    colours: Callable[[Sheet], Mapping[Space, str]]
    rows: tuple[str, ...] = ()
    bankruptcy: bool = False


@dataclass(frozen=True)
class Look:
    """The look of one game. `others` are codes of station tokens that belong to no corporation.

    `placed` sets lettering by hand: for a hex (`"F9"`) as printed, or a tile on it (`"F9/927"`), a place `(x, y)` from
    the middle by what stands there: a name (`(x, y, size)`, or with the number of its lines), `value`, `label`, `hill`,
    `cost`, an icon, `shift`, `slot`, or `revenue0`, `revenue1`, ... by stop. What is not set by hand finds its own place.
    `lasting` are the icons printed on a hex that a tile laid there does not cover. `circled` are the tiles on which a
    lozenge that lies there takes a circle of the city, as a station does. `number` is what a lozenge bears before its text,
    by the hex where it lies. `counted` are the icons of what an off-board area pays for, by the kind that it names.
    """

    tokens: Mapping[str, TokenLook] = field(default_factory=dict)
    marks: Mapping[str, Mark] = field(default_factory=dict)
    river: River | None = None
    others: tuple[str, ...] = ()
    placed: Mapping[str, Mapping[str, tuple[float, ...]]] = field(default_factory=dict)
    lasting: frozenset[str] = frozenset()
    circled: frozenset[str] = frozenset()
    number: Callable[[Hex], str] = lambda printed: ""
    counted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    market: MarketLook | None = None


PLAIN = Look()
