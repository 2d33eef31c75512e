"""Places of cubes, as events name them: a field of the market, a train, or a box."""

from __future__ import annotations

from enum import StrEnum

from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.frame_notes import Detail, Note

DEMAND, SUPPLY = "demand", "supply"


class Place(Note):
    """A place of cubes.

    >>> Place.read("demand:2:0"), Place.read("train:RhE:3:2")
    (MarketField(kind='demand', segment=2, customers=0), LoadedTrain(company='RhE', train='3', cubes=2))
    """

    __slots__ = ()

    @classmethod
    def read(cls, text: str) -> Place:
        """Return the place that a text names. Raises ValueError where there is none of this name."""
        if ":" not in text:
            return BeerBox(text)
        return (LoadedTrain if text.startswith(f"{LoadedTrain.word}:") else MarketField).read(text)


class BeerBox(Place, StrEnum):
    """Boxes beside the fields; the cellar of the Railway Game has as many cubes as are asked for (DO-TRG-06)."""

    STOCK = "stock"
    PRICE = "price_box"
    ASIDE = "aside"
    CELLAR = "cellar"


class MarketField(Detail, Place):
    """A field of the market: `kind` is demand or supply, of a segment and its customers, 0 regular and 1 new."""

    kind: str
    segment: int
    customers: int


class LoadedTrain(Detail, Place, word="train"):
    """A train of a type that bears so many cubes now; 0: an unloaded one."""

    company: CompanyId
    train: TrainKind
    cubes: int
