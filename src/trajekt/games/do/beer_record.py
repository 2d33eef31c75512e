"""What is remembered of beer: the market, equipment on charters, the brewery order, beer on trains, markers and events.

The record of the whole game holds one `Beer` as its field `beer`; the events in `beer_events` change it. The treasury of
a minor is money set aside under its id. A brewery is named by the id of a minor (`B4`) or of a corporation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from trajekt.engine.sheet import CompanyId, TrainKind

STOCK, PRICE_BOX, TRAIN, CARD = "stock", "price_box", "train", "card"
"""Places of cubes beside the fields of the market."""

DISPLAY, SPENT = "display", "spent:"
"""Where a marker or an event lies that no brewery holds: an event in use waits, spent, for the end of its user's turn."""

Pair: TypeAlias = tuple[int, int]
"""Cubes for regular and for new customers, or Mark for a cube of each."""

Load: TypeAlias = tuple[TrainKind, int]
"""A loaded train by its type, and how many cubes lie on it."""


class Segment(msgspec.Struct, frozen=True, gc=False):
    """A segment of the market: cubes in its demand and supply fields; closed while a No Demand marker lies there."""

    demand: Pair = (0, 0)
    supply: Pair = (0, 0)
    closed: bool = False


class Equipment(msgspec.Struct, frozen=True):
    """A card of equipment: its type, whether it is one with a green border, and for how many rounds it was `idle`.

    `exported` and `delivered` squares were used in the running turn; `aside`: it is kept from delivering to be handed in.
    `lines` are the bottling lines aligned with it; `advertised` the segment and kind of customers whose cube lies on it.
    """

    kind: TrainKind
    green: bool = False
    idle: int = 0
    exported: int = 0
    delivered: int = 0
    aside: bool = False
    lines: tuple[str, ...] = ()
    advertised: tuple[int, ...] = ()


class Beer(msgspec.Struct, frozen=True):
    """All of it. `segments` 1 to 6; `equipment` by brewery in order of purchase; `order` of the breweries, first first.

    A place in the order that is kept for a corporation until it floats reads `DUB@B5`: that of the minor B5, for the DUB.
    `loads` are the loaded trains of each railway. `markers` (MCM) by holder, `shop` those on display by code; `events` (SEM)
    by letter: the holder, `DISPLAY`, or `SPENT` and the brewery that used it.
    """

    segments: tuple[Segment, ...]
    stock: int
    price_box: int
    equipment: Mapping[str, tuple[Equipment, ...]] = {}
    order: tuple[str, ...] = ()
    loads: Mapping[CompanyId, tuple[Load, ...]] = {}
    markers: Mapping[str, tuple[str, ...]] = {}
    shop: Mapping[str, int] = {}
    events: Mapping[str, str] = {}

    def segment(self, number: int) -> Segment:
        """A segment by its number, 1 to 6."""
        return self.segments[number - 1]

    @property
    def cubes(self) -> int:
        """All cubes in the game (DO-SETUP-07); their number never changes."""
        fields = sum(sum(s.demand) + sum(s.supply) for s in self.segments)
        loaded = sum(cubes for trains in self.loads.values() for _, cubes in trains)
        kept = sum(bool(card.advertised) for cards in self.equipment.values() for card in cards)
        return fields + self.stock + self.price_box + loaded + kept
