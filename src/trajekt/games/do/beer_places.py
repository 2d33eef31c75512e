"""Places of cubes, as events name them: a field of the market (`demand:2:0`), a train (`train:RhE:3:2`), or a box by its name.

Only here are such names made and read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trajekt.engine.components.schema import CompanyId, TrainKind

STOCK, PRICE_BOX, ASIDE_BOX = "stock", "price_box", "aside"
CELLAR = "cellar"
"""Source and destination of cubes in the Railway Game: as many as are asked for (DO-TRG-06)."""

DEMAND, SUPPLY = "demand", "supply"
TRAIN = "train"


@dataclass(frozen=True, slots=True)
class MarketField:
    """A field of the market: `kind` is demand or supply, of a segment and its customers, 0 regular and 1 new."""

    kind: str
    segment: int
    customers: int


@dataclass(frozen=True, slots=True)
class LoadedTrain:
    """A train of a type that bears so many cubes now; 0: an unloaded one."""

    company: CompanyId
    train: TrainKind
    cubes: int


def field(kind: str, segment: int, customers: int) -> str:
    """The name of a field as a place of cubes: `demand:2:0`."""
    return f"{kind}:{field_name(segment, customers)}"


def on_train(company: CompanyId, train: TrainKind, cubes: int) -> str:
    """The name of a train as a place of cubes: one of this type that bears so many cubes now (0: an unloaded one)."""
    return f"{TRAIN}:{company}:{train}:{cubes}"


def read_place(place: str) -> MarketField | LoadedTrain:
    """The field or the train that a place of cubes names; a box has no more to it than its name.

    >>> read_place(field(DEMAND, 2, 0))
    MarketField(kind='demand', segment=2, customers=0)
    >>> read_place(on_train("RhE", "3", 2))
    LoadedTrain(company='RhE', train='3', cubes=2)
    """
    kind, *rest = place.split(":")
    if kind == TRAIN:
        company, train, cubes = rest
        return LoadedTrain(company, train, int(cubes))
    segment, customers = rest
    return MarketField(kind, int(segment), int(customers))


def field_name(segment: int, customers: int) -> str:
    """The name of a field to which a brewery delivered: `4:0`."""
    return f"{segment}:{customers}"


def fields_of(names: Iterable[str]) -> list[tuple[int, int]]:
    """The fields with these names in order, each once, as segment and customers.

    >>> fields_of(["4:0", "2:1", "4:0"])
    [(2, 1), (4, 0)]
    """
    found = (read_place(f"{DEMAND}:{name}") for name in names)
    return sorted({(each.segment, each.customers) for each in found if isinstance(each, MarketField)})
