"""The pieces that only 18DO has, read from the sheet: Capex cards, minors, the beer market's print, events, markers.

Everything here is printed; nothing changes in play. Amounts are Mark. Segments are numbered 1 to 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from trajekt.engine.components.schema import CompanyId, HexId, Phase, Sheet, TrainKind
from trajekt.engine.memo import memo_function

REGULAR, NEW = 0, 1
"""The kinds of customers, as an index into pairs of numbers."""

SEGMENTS = range(1, 7)
RAILWAY, BREWERY = "railway", "brewery"


class CapexCard(msgspec.Struct, frozen=True):
    """A Capex card. Front: `wagons` blue squares, beside what `Sheet.trains` says. Back: equipment of `price`.

    `capacity` squares, `arrows` of them with a red arrow. A link adds `demand[0]` (odd cards) or `demand[1]` (even cards), a
    pair of regular and new, to `segment`. Types 1 and 2 with a green border have a back only.
    """

    kind: TrainKind
    price: int
    capacity: int
    arrows: int = 0
    wagons: int = 0
    not_for_minors: bool = False
    segment: int = 0
    demand: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    final_run_on: TrainKind = ""


class Minor(msgspec.Struct, frozen=True):
    """A minor brewery by its id (`B4`): its number as certificate, printed price and treasury, types of its equipment."""

    id: str
    number: int
    name: str
    price: int
    treasury: int
    equipment: tuple[TrainKind, ...]
    always: bool = False


class PhaseLimits(msgspec.Struct, frozen=True):
    """The limits of a phase beside tiles, trains and rounds; `corporation` equipment limit is 0 before phase 3."""

    minor: int
    corporation: int
    purchases: int
    links: tuple[int, ...]
    opens: int = 0
    closes: int = 0
    export: bool = False
    frees_price_box: bool = False
    last_runs: TrainKind = ""


class MarkerKind(msgspec.Struct, frozen=True):
    """A minor capital expenditure marker: `does` is `pub`, `bottling_line` or `beer_wagon`; `phase` a colour."""

    code: str
    does: str
    phase: str
    price: int
    revenue: int
    count: Mapping[int, int]


class DoComponents(msgspec.Struct, frozen=True):
    """All of it. `income` and `printed` by segment; `start_values` by kind of corporation, then by colour."""

    cards: Mapping[TrainKind, CapexCard]
    green: Mapping[TrainKind, CapexCard]
    green_count: Mapping[TrainKind, int]
    minors: Mapping[str, Minor]
    phases: Mapping[str, PhaseLimits]
    income: Mapping[int, tuple[int, int]]
    printed: Mapping[int, int]
    cubes: Mapping[int, Mapping[str, Any]]
    start_values: Mapping[str, Mapping[str, tuple[int, ...]]]
    share_limit: Mapping[int, int]
    boxes: tuple[int, ...]
    sets: int
    export: int
    per_cube: int
    to_own_home: int
    mines: frozenset[HexId]
    mills: frozenset[HexId]
    yards: frozenset[HexId]
    yard_bonus: int
    city: HexId
    harbour: HexId
    marker_places: Mapping[str, int]
    markers: Mapping[str, MarkerKind]
    events: Mapping[str, str]


class Introduction(msgspec.Struct, frozen=True):
    """The start of the Introduction Game: `companies` to draw from, money of each, number of rounds (DO-INTRO-01)."""

    companies: tuple[CompanyId, ...]
    treasury: int
    rounds: int


def introduction(sheet: Sheet) -> Introduction:
    """The pieces of the Introduction Game; KeyError where the sheet is that of another game."""
    found: Mapping[str, Any] = sheet.own["introduction"]
    return Introduction(tuple(found["companies"]), found["treasury"], found["rounds"])


@memo_function
def do_components(sheet: Sheet) -> DoComponents:
    """The pieces of a sheet, read once."""
    own: Mapping[str, Any] = sheet.own
    green: Mapping[str, Any] = own.get("starting_equipment", {})
    segments: Mapping[str, Any] = own.get("segments", {})
    places = own["places"]
    return DoComponents(
        cards={kind: _card(kind, train.own) for kind, train in sheet.trains.items()},
        green={kind: CapexCard(kind, 0, found["capacity"]) for kind, found in green.items()},
        green_count={kind: found["count"] for kind, found in green.items()},
        minors=_minors(sheet, own.get("minors", {})),
        phases={phase.name: _limits(phase) for phase in sheet.phases},
        income={int(n): (found["regular"], found["new"]) for n, found in segments.items()},
        printed={int(n): found["printed"] for n, found in segments.items()},
        cubes={int(n): found for n, found in own.get("cubes", {}).items()},
        start_values={
            RAILWAY: _values(own["start_values"]["railways"]),
            BREWERY: _values(own["start_values"]["breweries"]),
        },
        share_limit={int(n): percent for n, percent in own["share_limit"]["percent"].items()},
        boxes=tuple(own["bid_boxes"]["values"]),
        sets=own["round_track"]["sets"],
        export=own["export"]["income"],
        per_cube=own["export"]["per_cube"],
        to_own_home=own["export"]["to_own_home"],
        mines=frozenset(places["coal_mines"]["hexes"]),
        mills=frozenset(places["steel_mills"]["hexes"]),
        yards=frozenset(places["freight_yards"]["hexes"]),
        yard_bonus=places["freight_yards"]["per_token"],
        city=places["city"]["hexes"][0],
        harbour=places["harbour"]["hexes"][0],
        marker_places=own.get("marker_places", {}),
        markers={code: _marker(code, found) for code, found in own.get("markers", {}).items()},
        events={letter: found["phase"] for letter, found in own.get("events", {}).items()},
    )


def _pair(found: Mapping[str, int]) -> tuple[int, int]:
    return found.get("regular", 0), found.get("new", 0)


def _card(kind: TrainKind, printed: Mapping[str, Any]) -> CapexCard:
    return CapexCard(
        kind,
        printed["equipment_price"],
        printed["capacity"],
        printed["arrows"],
        printed["wagons"],
        printed.get("not_for_minors", False),
        printed["segment"],
        (_pair(printed["odd"]), _pair(printed["even"])),
        printed.get("final_run_on", ""),
    )


def _minors(sheet: Sheet, own: Mapping[str, Any]) -> dict[str, Minor]:
    found = {}
    for private in sheet.privates.values():
        if private.code in own:
            printed = own[private.code]
            equipment = ("1",) * printed["1"] + ("2",) * printed["2"]
            found[private.code] = Minor(
                private.code,
                private.number,
                private.name,
                private.price,
                printed["treasury"],
                equipment,
                printed.get("always_in_play", False),
            )
    return found


def _limits(phase: Phase) -> PhaseLimits:
    printed: Mapping[str, Any] = phase.own
    return PhaseLimits(
        printed["bec_limit_minor"],
        printed.get("bec_limit_corporation", 0),
        printed["capex_purchases"],
        tuple(printed["links"]),
        printed.get("opens_segment", 0),
        printed.get("closes_segment", 0),
        # what begins in a phase holds in those after it
        phase.tiles[-1] in ("brown", "grey"),
        printed.get("export_cubes_to_stock", False),
        printed.get("final_run_for", ""),
    )


def _marker(code: str, found: Mapping[str, Any]) -> MarkerKind:
    count = {int(n): number for n, number in found["count"].items()}
    return MarkerKind(code, found["does"], found["phase"], found["price"], found.get("revenue", 0), count)


def _values(found: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    return {colour: tuple(values) for colour, values in found.items()}


def is_railway(sheet: Sheet, company: CompanyId) -> bool:
    """Tell whether a corporation is a railway; else it is a brewery corporation. False for a minor."""
    return company in sheet.companies and sheet.companies[company].own["kind"] == RAILWAY


def railways(sheet: Sheet) -> tuple[CompanyId, ...]:
    """The railway corporations in the order of the sheet."""
    return tuple(company for company in sheet.companies if is_railway(sheet, company))


def card_of(sheet: Sheet, kind: TrainKind) -> CapexCard:
    """The card of a type, the green-bordered type 1 too; starting equipment of type 2 is like the other cards of type 2."""
    known = do_components(sheet)
    return known.cards.get(kind) or known.green[kind]


def limits_of(sheet: Sheet, phase: str) -> PhaseLimits:
    """The limits of a phase."""
    return do_components(sheet).phases[phase]
