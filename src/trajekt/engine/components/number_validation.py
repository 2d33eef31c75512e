"""Checks of a sheet's numbers and order: what is well formed and could not be played, or not be meant."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from trajekt.engine.components.map_validation import fault
from trajekt.engine.components.provenance import SheetFault
from trajekt.engine.components.schema import Hex, Sheet

PLACES = 6
"""The most places for stations that a city may have."""


def check_numbers(sheet: Sheet) -> Iterator[SheetFault]:
    """All numbers out of their bounds and all that comes in no possible order."""
    yield from _faces(sheet)
    yield from _trains(sheet)
    yield from _phases(sheet)
    yield from _companies(sheet)
    yield from _privates(sheet)
    yield from _limits(sheet)


def _faces(sheet: Sheet) -> Iterator[SheetFault]:
    faces = {f"hexes.{name}": hex_.face for name, hex_ in sheet.hexes.items()}
    faces |= {f"tiles.{number}": tile.face for number, tile in sheet.tiles.items()}
    for where, face in faces.items():
        for index, stop in enumerate(face.stops):
            if stop.slots > PLACES:
                yield fault(f"{where}.stops[{index}].slots", f"{stop.slots} places, {PLACES} at most")
        most = max((value for stop in face.stops for value in stop.revenue.values()), default=0)
        if face.ferry_revenue is not None and face.ferry_revenue > most:
            yield fault(f"{where}.ferry_revenue", f"is more than the city pays without the ferry: {most}")
    for name, area in sheet.areas.items():
        values = [value for _, value in sorted(area.value_by_links.items())]
        if any(later < earlier for earlier, later in itertools.pairwise(values)):
            yield fault(f"areas.{name}.value_by_links", "falls with more links")


def _trains(sheet: Sheet) -> Iterator[SheetFault]:
    order = {kind: place for place, kind in enumerate(sheet.trains)}
    for kind, train in sheet.trains.items():
        where = f"trains.{kind}"
        if train.price < 1 and not train.not_for_sale:
            yield fault(f"{where}.price", "should be at least 1 Mark")
        if train.reach < 1:
            yield fault(f"{where}.reach", "should be at least 1 stop")
        if order.get(train.available_on, -1) >= order[kind]:
            yield fault(f"{where}.available_on", f"the {train.available_on}-train comes no earlier")
    sold = [(kind, train) for kind, train in sheet.trains.items() if not train.not_for_sale]
    for (earlier, before), (kind, train) in itertools.pairwise(sold):
        if train.price < before.price:
            yield fault(f"trains.{kind}.price", f"is less than that of the {earlier}-train before it")


def _phases(sheet: Sheet) -> Iterator[SheetFault]:
    first = next((kind for kind, train in sheet.trains.items() if not train.not_for_sale), "")
    allowed: set[str] = set()
    for index, phase in enumerate(sheet.phases):
        where = f"phases.{phase.name}"
        if phase.train_limit < 1:
            yield fault(f"{where}.train_limit", "should be at least 1 train")
        if index and phase.started_by == first:
            yield fault(f"{where}.started_by", f"the {first}-train is on sale from the start")
        opened = [colour for colour in phase.tiles if colour not in allowed]
        if index and len(opened) > 1:
            yield fault(f"{where}.tiles", f"opens {' and '.join(opened)} at once: a phase before it is missing")
        allowed.update(opened)


def _companies(sheet: Sheet) -> Iterator[SheetFault]:
    for id_, company in sheet.companies.items():
        where = f"companies.{id_}"
        if company.certificates and company.certificates[0] < max(company.certificates):
            yield fault(f"{where}.certificates", "the first is the director's and none is larger")
        costs = company.station_costs
        if any(later < earlier for earlier, later in itertools.pairwise(costs)):
            yield fault(f"{where}.station_costs", "fall: the cheapest token is built first")


def _privates(sheet: Sheet) -> Iterator[SheetFault]:
    codes = Counter(private.code for private in sheet.privates.values() if private.code)
    for number, private in sheet.privates.items():
        where = f"privates.{number}"
        if codes[private.code] > 1:
            yield fault(f"{where}.code", f"{codes[private.code]} of them have the code {private.code}")
        if private.price < 0 or private.revenue < 0:
            yield fault(where, "price and revenue are no debts")
        for at in private.hexes:
            if at in sheet.hexes and private.tile and _finished(sheet, sheet.hexes[at]):
                yield fault(f"{where}.hexes", f"nothing is ever laid on {at}")


def _finished(sheet: Sheet, hex_: Hex) -> bool:
    return hex_.fixed or sheet.rank(hex_.face.colour) >= len(sheet.colours) - 1


def _limits(sheet: Sheet) -> Iterator[SheetFault]:
    limits = sheet.limits
    if not 10 <= limits.pool_percent <= 100:
        yield fault("limits.pool_percent", f"{limits.pool_percent} is not between 10 and 100")
    for key, table in (("certificates", limits.certificates), ("bank", limits.bank)):
        for number, value in table.items():
            if value < 1:
                yield fault(f"limits.{key}.{number}", "should be at least 1")
