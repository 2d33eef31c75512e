"""The pieces that only 18Ruhr has, read from the sheet: cards as development and engines, charters, scenarios, values.

Everything here is printed; nothing changes in play. Amounts are Mark. Rows of markers are six numbers, stages A to E and X.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import msgspec

from trajekt.engine.components.schema import HexId, Sheet, TrainKind
from trajekt.engine.memo import memo_function

STAGES = "ABCDEX"
StageCounts: TypeAlias = tuple[int, ...]
"""Counts of markers by stage, in the order of `STAGES`."""

NO_MARKERS: StageCounts = (0, 0, 0, 0, 0, 0)
BME_PRIVATE, SELLERBECKER, GENERALER = 19, 21, 22
MINES = range(1, 19)
"""The numbers of the private Montan companies, which are also their numbers as certificates of the package."""


class DevelopmentCard(msgspec.Struct, frozen=True):
    """A Capex Card beside its use as a train: `price` for `squares` markers of `stages`, or an engine for `engine_price`."""

    kind: TrainKind
    price: int
    squares: int
    stages: str
    engine: str
    engine_price: int


class MontanCharter(msgspec.Struct, frozen=True):
    """The charter of a Montan company: boxes by stage, how many of them, the last ones, bear the track sign; circles."""

    id: str
    industry: str
    boxes: StageCounts
    signs: StageCounts = NO_MARKERS
    circles: int = 0
    engine_boxes: int = 1
    start_money: int = 0
    start: StageCounts = NO_MARKERS

    @property
    def mine(self) -> int | None:
        """The number of a pMC, None for a MONTAN corporation."""
        return int(self.id) if self.id.isdecimal() else None


class RuhrComponents(msgspec.Struct, frozen=True):
    """All of it; `hexes` are the places of the pMCs, `mine_at` the other way round."""

    cards: Mapping[TrainKind, DevelopmentCard]
    charters: Mapping[str, MontanCharter]
    hexes: Mapping[int, HexId]
    mine_at: Mapping[HexId, int]
    stages: tuple[int, ...]
    markers: StageCounts
    most_of_first: int
    engines: Mapping[str, int]
    second_hand: tuple[int, int]
    scenarios: Mapping[str, tuple[int, ...]]
    package: Mapping[int, tuple[int, ...]]
    surcharge: int
    link: int
    start: Mapping[str, StageCounts]
    values: Mapping[str, Any]


def row(counts: Mapping[str, int]) -> StageCounts:
    """A row from the sheet's way to write it."""
    return tuple(counts.get(stage, 0) for stage in STAGES)


def stages_of(counts: StageCounts) -> str:
    """A row as letters in order: `AAB`."""
    return "".join(stage * n for stage, n in zip(STAGES, counts, strict=True))


def row_of(stages: str) -> StageCounts | None:
    """The row of letters in order; None where they are none."""
    counts = tuple(stages.count(stage) for stage in STAGES)
    return counts if stages_of(counts) == stages else None


@memo_function
def ruhr_components(sheet: Sheet) -> RuhrComponents:
    """The pieces of a sheet, read once."""
    own: Mapping[str, Any] = sheet.own
    printed: Mapping[str, Any]
    cards = {}
    for kind, train in sheet.trains.items():
        printed = dict(train.own)
        blue, grey = printed["development"], printed["engine"]
        cards[kind] = DevelopmentCard(
            kind, blue["price"], blue["squares"], "".join(blue["stages"]), grey["type"], grey["price"]
        )
    charters = {
        number: MontanCharter(
            number,
            pmc["industry"],
            row(pmc["boxes"]),
            row(pmc["track_sign"]),
            start_money=pmc["start_money"],
            start=row(pmc["start_markers"]),
        )
        for number, pmc in own["pmcs"].items()
    }
    for company in sheet.companies.values():
        printed = dict(company.own)
        if "boxes" in printed:
            charters[company.id] = MontanCharter(
                company.id,
                printed["industry"],
                row(printed["boxes"]),
                circles=printed["locations"],
                engine_boxes=printed["engines"],
            )
    hexes = {int(number): pmc["hex"] for number, pmc in own["pmcs"].items()}
    stages = own["stages"]
    return RuhrComponents(
        cards=cards,
        charters=charters,
        hexes=hexes,
        mine_at={at: number for number, at in hexes.items()},
        stages=tuple(stages[stage]["income"] for stage in STAGES),
        markers=tuple(stages[stage]["markers"] for stage in STAGES),
        most_of_first=own["development"]["most_of_first"],
        engines=own["engines"]["count"],
        second_hand=(own["engines"]["lowest"], own["engines"]["highest_percent"]),
        scenarios={name: tuple(found["active"]) for name, found in own["scenarios"].items()},
        package={int(players): tuple(found) for players, found in own["package"]["privates"].items()},
        surcharge=own["package"]["surcharge"],
        link=own["costs"]["link"],
        start={colour: row(found) for colour, found in own["start_markers"].items()},
        values=own["values"],
    )


def names_of(sheet: Sheet, kinds: Iterable[TrainKind]) -> str:
    """The names of types of cards for a sentence, a dash where there is none."""
    return ", ".join(sheet.trains[kind].name for kind in kinds) or "–"


def is_montan(sheet: Sheet, company: str) -> bool:
    """Tell whether a name is that of a MONTAN corporation: not of a railway, nor the number of a pMC, whose charter has one."""
    return company in sheet.companies and company in ruhr_components(sheet).charters


def railways(sheet: Sheet) -> tuple[str, ...]:
    """The railways in the order of the sheet."""
    return tuple(company for company in sheet.companies if not is_montan(sheet, company))


def added(one: StageCounts, other: StageCounts, sign: int = 1) -> StageCounts:
    """The sum of two rows, or their difference."""
    return tuple(a + sign * b for a, b in zip(one, other, strict=True))
