"""Checks of a sheet as a whole: whatever is named exists, whatever is counted adds up.

`check` reports all faults; it knows no game. Map and tiles are judged in `map_validation`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from trajekt.engine.board.hexgrid import NAME, beyond, opposite
from trajekt.engine.components.map_validation import check_map, fault
from trajekt.engine.components.number_validation import check_numbers
from trajekt.engine.components.provenance import SheetFault, letters, sections
from trajekt.engine.components.schema import FIRST_STOP, CompanyDefinition, Hex, Home, Phase, Sheet, Stop, Tile, Train

UNIT = 10  # all revenue is a multiple of it, so that nothing is rounded (COMMON-DIV-05)
HOLDING_STATIONS = frozenset({"city", "offboard"})


def check(sheet: Sheet) -> list[SheetFault]:
    """All faults of a sheet, in the order of its sections; `SheetFault.file` is left empty."""
    return [
        *_sources(sheet),
        *check_map(sheet),
        *_tens(sheet),
        *_groups(sheet),
        *_areas(sheet),
        *_draws(sheet),
        *_market(sheet),
        *_trains(sheet),
        *_phases(sheet),
        *_companies(sheet),
        *_privates(sheet),
        *_limits(sheet),
        *_named(sheet, sheet.bonuses, "bonuses"),
        *_named(sheet, sheet.own, "own"),
        *_own(sheet),
        *_totals(sheet),
        *check_numbers(sheet),
    ]


def _sources(sheet: Sheet) -> Iterator[SheetFault]:
    for section, entries in sections(sheet):
        if section not in sheet.sources and (entries or section in {"market", "limits", "draws"}):
            yield fault(f"{section}.src", "is missing")
    for place, source in sheet.sources.items():
        if not letters(source):
            yield fault(f"{place}.src", f"{source!r} does not begin with R, O, P, C, D or X")


def _tens(sheet: Sheet) -> Iterator[SheetFault]:
    """COMMON-DIV-05: every value of a stop and every bonus is a multiple of 10."""
    for place, amount in _payments(sheet):
        if isinstance(amount, bool) or not isinstance(amount, int) or amount % UNIT:
            yield fault(place, f"{amount} is no multiple of {UNIT}")


def _payments(sheet: Sheet) -> Iterator[tuple[str, object]]:
    """Amounts paid for stops, links, industries and bonuses, each with its place in the sheet."""
    faces = {f"hexes.{name}": hex_.face for name, hex_ in sheet.hexes.items()}
    faces |= {f"tiles.{number}": tile.face for number, tile in sheet.tiles.items()}
    for where, face in faces.items():
        for index, stop in enumerate(face.stops):
            yield from _stated(f"{where}.stops[{index}].revenue", stop.revenue)
        if face.ferry_revenue is not None:
            yield f"{where}.ferry_revenue", face.ferry_revenue
    for phase in sheet.phases:
        yield f"phases.{phase.name}.industry_bonus", phase.industry_bonus
    for name, area in sheet.areas.items():
        yield from _stated(f"areas.{name}.value_by_links", area.value_by_links)
    for name, bonus in sheet.bonuses.items():
        yield from _stated(f"bonuses.{name}.amount", bonus.get("amount", 0))


def _stated(place: str, amounts: object) -> Iterator[tuple[str, object]]:
    """An amount, or several by key, each with its place."""
    for key, amount in amounts.items() if isinstance(amounts, Mapping) else [("", amounts)]:
        yield f"{place}{f'.{key}' * (key != '')}", amount


def _groups(sheet: Sheet) -> Iterator[SheetFault]:
    """Stops of a group are one destination, so they are of one kind; an area has one group."""
    kinds: dict[str, tuple[str, str]] = {}
    for name, hex_ in sheet.hexes.items():
        for index, stop in enumerate(hex_.face.stops):
            if not stop.group:
                continue
            where, kind = kinds.setdefault(stop.group, (name, stop.kind))
            if kind != stop.kind:
                yield fault(f"hexes.{name}.stops[{index}].group", f"is a {stop.kind}, the stop in {where} a {kind}")


def _stop(sheet: Sheet, home: Home) -> Stop | None:
    hex_ = sheet.hexes.get(home.hex)
    return hex_.face.stops[home.stop] if hex_ is not None and home.stop < len(hex_.face.stops) else None


def _areas(sheet: Sheet) -> Iterator[SheetFault]:
    for name, area in sheet.areas.items():
        where = f"areas.{name}"
        yield from _on_map(sheet, area.hexes, f"{where}.hexes")
        groups = set()
        for index, entrance in enumerate(area.entrances):
            place = f"{where}.entrances[{index}]"
            if entrance.hex not in area.hexes:
                yield fault(f"{place}.hex", f"{entrance.hex} is no hex of this area")
            stop = _stop(sheet, Home(entrance.hex, entrance.stop))
            if stop is None:
                yield fault(place, f"{entrance.hex} has no such stop")
                continue
            groups.add(stop.group)
            face = sheet.hexes[entrance.hex].face
            if not any((p.a, p.b) == (entrance.edge, FIRST_STOP + entrance.stop) for p in face.track):
                yield fault(f"{place}.edge", f"no track of {entrance.hex} runs from edge {entrance.edge} to that stop")
            before = beyond(entrance.hex, entrance.edge, sheet.layout) if NAME.fullmatch(entrance.hex) else ""
            if entrance.from_hex != before or entrance.from_edge != opposite(entrance.edge):
                there = f"{before} edge {opposite(entrance.edge)}"
                yield fault(f"{place}.from", f"is {there}, not {entrance.from_hex} edge {entrance.from_edge}")
            elif before not in sheet.hexes:
                yield fault(f"{place}.from", f"{before} is not on the map")
        if len(groups) > 1:
            yield fault(where, "its stops are of several groups")
        if sorted(area.value_by_links) != list(range(1, len(area.entrances) + 1)):
            yield fault(f"{where}.value_by_links", f"should have the keys 1 to {len(area.entrances)}")


def _draws(sheet: Sheet) -> Iterator[SheetFault]:
    for index, draw in enumerate(sheet.draws):
        place = f"draws.rows[{index}]"
        if draw.number != index + 1:
            yield fault(f"{place}.number", f"should be {index + 1}")
        if draw.icons.keys() != sheet.draws[0].icons.keys():
            yield fault(f"{place}.icons", "other icons than in the first row")
        for icon, name in draw.icons.items():
            hex_ = sheet.hexes.get(name)
            if hex_ is None:
                yield fault(f"{place}.icons.{icon}", f"{name} is not on the map")
            elif not hex_.face.stops:
                yield fault(f"{place}.icons.{icon}", f"{name} has no stop")
            elif icon not in hex_.possible_icons:
                yield fault(f"{place}.icons.{icon}", f"{name} is no printed place for it (possible_icons)")


def _market(sheet: Sheet) -> Iterator[SheetFault]:
    for index, row in enumerate(sheet.market.rows):
        prices = [cell.price for cell in row if cell is not None]
        if not prices:
            yield fault(f"market.rows[{index}]", "is empty")
        if any(right <= left for left, right in itertools.pairwise(prices)):
            yield fault(f"market.rows[{index}]", "does not rise from left to right")
    if not sheet.market.rows:
        yield fault("market.rows", "there are none")
    elif not sheet.market.par_spaces:
        yield fault("market.rows", "no space is marked as a par space")
    pars = sorted(_pars(sheet))
    if sheet.market.par and sorted(sheet.market.par) != pars:
        yield fault("market.par", f"lists {sorted(sheet.market.par)}, the spaces say {pars}")


def _pars(sheet: Sheet) -> set[int]:
    return {sheet.market.price(space) for space in sheet.market.par_spaces}


def _trains(sheet: Sheet) -> Iterator[SheetFault]:
    order = {kind: place for place, kind in enumerate(sheet.trains)}
    if not order:
        yield fault("trains", "there are none")
    for kind, train in sheet.trains.items():
        known = {*sheet.trains, *sheet.phase_by_name, "start"}
        for key, name in (("available_on", train.available_on), ("obsolete_on", train.obsolete_on)):
            if name and name not in known:
                yield fault(f"trains.{kind}.{key}", f"{name!r} is neither a train nor a phase")
        if train.obsolete_on in order and order[train.obsolete_on] <= order[kind]:
            yield fault(f"trains.{kind}.obsolete_on", f"the {train.obsolete_on}-train comes no later")
        if train.obsolete_on in order:
            ends = [phase for phase in sheet.phases if kind in phase.obsolete]
            if [phase.started_by for phase in ends] != [train.obsolete_on]:
                yield fault(f"trains.{kind}.obsolete_on", "the phases make it obsolete at another time, or not at all")


def _phases(sheet: Sheet) -> Iterator[SheetFault]:
    order = [*sheet.trains]
    started: list[int] = []
    before: frozenset[str] = frozenset()
    for index, phase in enumerate(sheet.phases):
        where = f"phases.{phase.name}"
        for colour in phase.tiles:
            if colour not in sheet.colours:
                yield fault(f"{where}.tiles", f"there is no colour {colour!r}")
        if phase.values not in sheet.colours:
            yield fault(f"{where}.values", f"there is no colour {phase.values!r}")
        if index == 0 and phase.started_by != "start":
            yield fault(f"{where}.started_by", "the first phase begins at the start")
        if index and phase.started_by not in order:
            yield fault(f"{where}.started_by", f"there is no train {phase.started_by!r}")
        elif index:
            started.append(order.index(phase.started_by))
        if not before <= set(phase.tiles):
            yield fault(f"{where}.tiles", "a colour of the phase before is missing")
        before = frozenset(phase.tiles)
        yield from _obsolete(sheet, phase)
    if started != sorted(set(started)):
        yield fault("phases", "do not follow the order of the trains")
    if not sheet.phases:
        yield fault("phases", "there are none")
    yield from _allowed(sheet)


def _obsolete(sheet: Sheet, phase: Phase) -> Iterator[SheetFault]:
    for kind in phase.obsolete:
        if kind not in sheet.trains:
            yield fault(f"phases.{phase.name}.obsolete", f"there is no train {kind!r}")
        elif sheet.trains[kind].obsolete_on not in {phase.started_by, phase.name}:
            yield fault(f"phases.{phase.name}.obsolete", f"the {kind}-train is not obsolete on {phase.started_by!r}")


def _allowed(sheet: Sheet) -> Iterator[SheetFault]:
    allowed = {colour for phase in sheet.phases for colour in phase.tiles}
    for colour in sheet.colours:
        if colour not in allowed and any(tile.face.colour == colour for tile in sheet.tiles.values()):
            yield fault("phases", f"no phase allows {colour} tiles")


def _companies(sheet: Sheet) -> Iterator[SheetFault]:
    room: Counter[Home] = Counter()
    for id_, company in sheet.companies.items():
        where = f"companies.{id_}"
        if sum(company.certificates) != 100:
            yield fault(f"{where}.certificates", f"add up to {sum(company.certificates)} per cent, not 100")
        if company.float_percent < 1:
            yield fault(f"{where}.float", "should be at least 1 per cent")
        yield from _homes(sheet, company, where)
        if not 0 < company.share <= min(company.certificates, default=0):
            yield fault(f"{where}.share", "is more than the smallest certificate")
        room.update(company.homes)
        if company.start_value and company.start_value not in _pars(sheet):
            yield fault(f"{where}.start_value", f"{company.start_value} is no par value")
        if company.pool_percent + max(company.certificates, default=0) > 100:
            yield fault(f"{where}.pool_percent", "leaves nothing for the director")
        yield from _on_map(sheet, company.waits_for, f"{where}.waits_for")
    for home, number in room.items():
        stop = _stop(sheet, home)
        if stop is not None and number > max(stop.slots, 1):
            yield fault(f"hexes.{home.hex}.stops[{home.stop}].slots", f"{number} homes, room for {stop.slots}")
    for letters_, number in Counter(company.letters for company in sheet.companies.values()).items():
        if number > 1:
            yield fault("companies", f"{number} of them have the letters {letters_}")


def _homes(sheet: Sheet, company: CompanyDefinition, where: str) -> Iterator[SheetFault]:
    for home in company.homes:
        stop = _stop(sheet, home)
        if home.hex not in sheet.hexes:
            yield fault(f"{where}.home", f"{home.hex} is not on the map")
        elif stop is None:
            yield fault(f"{where}.home", f"{home.hex} has no such stop")
        elif stop.kind not in HOLDING_STATIONS:
            yield fault(f"{where}.home", f"{home.hex} is a {stop.kind}, which holds no stations")
        elif stop.slots < 1:
            yield fault(f"{where}.home", f"{home.hex} has no place for a station")
    if not company.homes and company.station_costs:
        yield fault(f"{where}.home", "there is none")
    if len(company.station_costs) < len(company.homes):
        yield fault(f"{where}.station_costs", "fewer stations than homes")
    if any(company.station_costs[: len(company.homes)]):
        yield fault(f"{where}.station_costs", "the station of a home should cost 0")


def _privates(sheet: Sheet) -> Iterator[SheetFault]:
    for number, private in sheet.privates.items():
        where = f"privates.{number}"
        yield from _on_map(sheet, private.hexes, f"{where}.hexes")
        yield from _on_map(sheet, private.blocks, f"{where}.blocks")
        if private.tile and private.tile not in sheet.tiles:
            yield fault(f"{where}.tile", f"there is no tile {private.tile}")
        if private.brings:
            company = sheet.companies.get(private.brings)
            if company is None:
                yield fault(f"{where}.brings", f"there is no company {private.brings}")
            elif private.brings_percent not in company.certificates:
                yield fault(f"{where}.brings_percent", f"{private.brings} has no such certificate")
        elif private.brings_percent:
            yield fault(f"{where}.brings_percent", "of no company")
        if private.available_from and private.available_from not in {*sheet.colours, *sheet.phase_by_name}:
            yield fault(f"{where}.available_from", f"{private.available_from!r} is neither a colour nor a phase")


def _on_map(sheet: Sheet, names: Collection[str], key: str) -> Iterator[SheetFault]:
    for name in names:
        if name not in sheet.hexes:
            yield fault(key, f"{name} is not on the map")


def _limits(sheet: Sheet) -> Iterator[SheetFault]:
    least, most = sheet.players
    if least > most:
        yield fault("players", "the least number is above the most")
    numbers = set(range(least, most + 1))
    limits = sheet.limits
    for key, table in (("bank", limits.bank), ("capital", limits.capital), ("certificates", limits.certificates)):
        if table.keys() != numbers:
            yield fault(f"limits.{key}", f"should have an entry for each of {least} to {most} players")
    for number in sorted(numbers & limits.bank.keys() & limits.capital.keys()):
        if number * limits.capital[number] > limits.bank[number]:
            yield fault(f"limits.capital.{number}", "the bank does not hold so much")


def _named(sheet: Sheet, value: object, path: str) -> Iterator[SheetFault]:
    """Whatever a game's own piece names under a key that says what it is must exist."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _named(sheet, item, f"{path}[{index}]")
    if not isinstance(value, Mapping):
        return
    known: dict[str, tuple[str, Collection[str]]] = {
        "hex": ("hex", sheet.hexes), "hexes": ("hex", sheet.hexes), "not_through": ("hex", sheet.hexes),
        "tile": ("tile", sheet.tiles), "train": ("train", sheet.trains), "not_trains": ("train", sheet.trains),
        "company": ("company", sheet.companies), "companies": ("company", sheet.companies),
    }  # fmt: skip
    for key, item in value.items():
        place = f"{path}.{key}"
        if key in known and not isinstance(item, Mapping):
            what, names = known[key]
            for name in item if isinstance(item, list) else [item]:
                if not isinstance(name, Mapping) and (not isinstance(name, str) or name not in names):
                    yield fault(place, f"there is no {what} {name}")
        yield from _named(sheet, item, place)


def _own(sheet: Sheet) -> Iterator[SheetFault]:
    parts: dict[str, Mapping[str, Hex | Tile | Train | Phase | CompanyDefinition]] = {
        "hexes": sheet.hexes,
        "tiles": sheet.tiles,
        "trains": sheet.trains,
        "phases": sheet.phase_by_name,
        "companies": sheet.companies,
    }
    for section, entries in parts.items():
        for name, entry in entries.items():
            if entry.own:
                yield from _named(sheet, entry.own, f"{section}.{name}.own")


def _totals(sheet: Sheet) -> Iterator[SheetFault]:
    totals = sheet.totals
    tiles: Counter[str] = Counter()
    for tile in sheet.tiles.values():
        tiles[tile.face.colour] += 0 if tile.outside_totals else tile.count
    trains = [train for train in sheet.trains.values() if not train.outside_totals]
    have = {
        "trains": (totals.trains, sum(train.count + train.optional_count for train in trains)),
        "station_markers": (totals.station_markers, sum(len(c.station_costs) for c in sheet.companies.values())),
        "certificates": (totals.certificates, sum(len(c.certificates) for c in sheet.companies.values())),
        "hexes": (totals.hexes, len(sheet.hexes)),
        "buildable_hexes": (totals.buildable_hexes, sum(not hex_.fixed for hex_ in sheet.hexes.values())),
    }
    have |= {f"tiles.{colour}": (number, tiles[colour]) for colour, number in totals.tiles.items()}
    for key, (stated, number) in have.items():
        if stated is not None and stated != number:
            yield fault(f"totals.{key}", f"{stated} are printed, the sheet has {number}")
