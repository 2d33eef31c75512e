"""Reading the entries of a sheet from tables: every key known, every value of its kind, every fault with its place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from trajekt.engine.components.editions import TomlTable, joined
from trajekt.engine.components.provenance import SheetError, SheetFault
from trajekt.engine.components.schema import (
    FIRST_STOP,
    Area,
    CompanyDefinition,
    DrawTable,
    Entrance,
    Face,
    GameLimits,
    Hex,
    Home,
    MarketCell,
    Phase,
    Piece,
    PrivateDefinition,
    Sheet,
    StockMarket,
    Stop,
    Tile,
    Totals,
    Train,
)

Number: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Percent: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]
Edge: TypeAlias = Annotated[int, Meta(ge=0, le=5)]
Lean: TypeAlias = Annotated[float, Meta(ge=0, lt=6)]
Players: TypeAlias = Annotated[int, Meta(ge=1, le=12)]
Words: TypeAlias = tuple[str, ...]
Edges: TypeAlias = tuple[Edge, ...]
OneOrMore: TypeAlias = str | Words
ByPlayers: TypeAlias = dict[Players, Number]
Fields: TypeAlias = dict[str, Any]

FIXED = frozenset({"red", "grey"})  # printed colours that no tile replaces
SOURCE: Fields = {"src": OneOrMore, "note": str}
STOP: Fields = {
    "kind": str, "revenue": Number | dict[str, Number], "slots": Annotated[int, Meta(ge=0, le=12)],
    "harbour_slots": Annotated[int, Meta(ge=0, le=12)], "group": str, "icons": Words, "name": str, "bank": str,
    "at": Lean | str, "bare": bool,
}  # fmt: skip
FACE: Fields = {
    "colour": str, "label": OneOrMore, "icons": Words, "banks": tuple[Edges, ...], "river_edges": Edges,
    "ferry_revenue": Number, "stops": list, "track": list,
}  # fmt: skip
HEX: Fields = FACE | SOURCE | {
    "name": OneOrMore, "terrain": str, "cost": Number, "closed_edges": Edges, "stubs": Edges, "blind_edges": Edges,
    "possible_icons": Words, "joined": Words, "fixed": bool, "blocked_until": str, "counts_for": str,
    "reserved_for": OneOrMore, "own": dict,
}  # fmt: skip
TILE: Fields = FACE | SOURCE | {
    "count": Count, "name": str, "upgrade_cost": Number, "upgrades_to": Words, "upgrades_from": Words, "final": bool,
    "hexes": Words, "turn": Edge, "outside_totals": bool, "rulebook_number": str, "own": dict,
}  # fmt: skip
MARKET: Fields = SOURCE | {"rows": list[list[Number | str]], "par": tuple[Number, ...]}
TRAIN: Fields = SOURCE | {
    "price": Number, "count": Count, "reach": Number, "name": str, "available_on": str, "available_after": Count,
    "obsolete_on": str,
    "optional_count": Number, "towns": Number, "not_for_sale": bool, "outside_totals": bool,
    "before": str, "own": dict,
}  # fmt: skip
PHASE: Fields = SOURCE | {
    "started_by": str, "tiles": Annotated[Words, Meta(min_length=1)], "train_limit": Number,
    "operating_rounds": Count, "values": str, "industry_bonus": Number, "obsolete": Words, "privates_close": bool,
    "before": str, "own": dict,
}  # fmt: skip
COMPANY: Fields = SOURCE | {
    "name": str, "home": dict[str, str] | list[dict[str, str]], "certificates": tuple[tuple[Percent, Count], ...],
    "float": Percent, "station_costs": tuple[Number, ...], "colour": str, "letters": str, "start_value": Number,
    "share": Percent, "pool_percent": Percent, "waits_for": Words, "own": dict,
}  # fmt: skip
PRIVATE: Fields = SOURCE | {
    "code": str, "name": str, "names": dict[str, str], "price": Number, "revenue": Number, "discount": Number,
    "tile": str, "hexes": Words, "blocks": Words, "available_from": str, "brings": str, "brings_percent": Percent,
    "does": str, "closes": str,
}  # fmt: skip
AREA: Fields = SOURCE | {
    "name": str, "hexes": Words, "entrances": list, "value_by_links": dict[Number, Number],
}  # fmt: skip
ENTRANCE: Fields = {"hex": str, "stop": str, "edge": Edge, "from": str, "from_edge": Edge}
LIMITS: Fields = SOURCE | {
    "bank": Number | ByPlayers, "capital": ByPlayers, "certificates": ByPlayers, "pool_percent": Percent,
}  # fmt: skip
TOTALS: Fields = SOURCE | {
    "tiles": dict[str, Number], "trains": Number, "station_markers": Number, "certificates": Number, "hexes": Number,
    "buildable_hexes": Number,
}  # fmt: skip
HEAD: Fields = {
    "game": str, "title": str, "designers": Words, "players": tuple[Players, Players], "currency": str,
    "layout": str, "colours": Annotated[Words, Meta(min_length=1)],
}  # fmt: skip

KINDS = {
    "int": "a whole number", "float": "a number", "str": "text", "array": "a list", "object": "a table",
    "bool": "true or false", "null": "nothing", "datetime": "a date", "date": "a date", "time": "a time",
}  # fmt: skip
LETTER = re.compile(r"[a-z]")
CELL = re.compile(r"(\d{1,6})(p?)")
LARGEST = 10**9  # what a game's own numbers may reach


def toml_tables(file: str, text: str) -> TomlTable:
    r"""The tables of a TOML text. `SheetError` names the file and the line where it is none.

    >>> toml_tables("own.toml", "[trains.2]\nprice = 80")
    {'trains': {'2': {'price': 80}}}
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        what, _, place = message.rpartition(" (at ")
        raise SheetError([SheetFault(file, place.rstrip(")"), f"is no TOML: {what or message}")]) from error
    except RecursionError as error:
        raise SheetError([SheetFault(file, "", "is nested too deeply")]) from error


class SheetReader:
    """Collects faults while one file is read. `places` names the entries that another file states."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[SheetFault] = []
        self.places: Mapping[str, str] = {}

    def fault(self, key: str, what: str) -> None:
        """Note that something is wrong with an entry, in the file that states it."""
        parts = key.split(".")
        file = self.places.get(".".join(parts[:2])) or self.places.get(parts[0]) or self.file
        self.faults.append(SheetFault(file, key, what))

    def fields(self, table: Any, where: str, fields: Fields, needed: Sequence[str] = ()) -> dict[str, Any] | None:
        """The values of a table by key, or None and the faults noted."""
        before = len(self.faults)
        if not isinstance(table, dict):
            # `false` takes an entry away; what is left of it takes away none
            self.fault(where, "there is none" if table is False else "should be a table")
            return None
        values: dict[str, Any] = {}
        for key, value in table.items():
            place = f"{where}.{key}" if where else key
            if key not in fields:
                self.fault(place, "is no key that belongs here")
                continue
            try:
                values[key] = msgspec.convert(value, fields[key], str_keys=True)
            except msgspec.ValidationError as error:
                self.fault(*plainly(place, str(error)))
            if key == "own":
                _only_plain(value, place, self)
        for key in needed:
            if key not in table:
                self.fault(f"{where}.{key}" if where else key, "is missing")
        return values if len(self.faults) == before else None

    def entries(self, table: TomlTable, section: str) -> Iterator[tuple[str, str, Any]]:
        """Name, place and content of each entry of a section; what is no entry is noted."""
        content = table.get(section, {})
        if not isinstance(content, dict):
            self.fault(section, "should be a table")
            return
        self.fields({key: content[key] for key in SOURCE if key in content}, section, SOURCE)
        for name, entry in content.items():
            if name not in SOURCE:
                yield name, f"{section}.{name}", entry


def plainly(place: str, message: str) -> tuple[str, str]:
    """Place and complaint from a decoder's message."""
    what, _, path = message.partition(" - at `")
    place += re.sub(r"^(key in )?\$", "", path.rstrip("`"))
    words = re.sub(r"`([a-z]+)( \| [a-z |]+)?`", lambda match: _kinds(match[0].strip("`")), what)
    return place, words.replace("Expected", "should be", 1).replace(", got", ", not")


def _kinds(names: str) -> str:
    return " or ".join(KINDS.get(name, name) for name in names.split(" | "))


def many(value: OneOrMore | None) -> Words:
    """A word, or several, as several."""
    return () if value is None else (value,) if isinstance(value, str) else value


def _source(values: dict[str, Any], default: str = "") -> str:
    source = values.pop("src", None)
    return default if source is None else joined(list(many(source)))


def read_sheet(table: TomlTable, edition: str, variants: Words, reader: SheetReader) -> Sheet | None:
    """The sheet as it stands in tables already resolved, unchecked; None where anything is at fault."""
    top = {key: table[key] for key in HEAD if key in table}
    head = reader.fields(top, "", HEAD, sorted(HEAD.keys() - {"currency"}))
    if head is not None and head["layout"] not in {"pointy", "flat"}:
        reader.fault("layout", "should be pointy or flat")
    players = head["players"] if head else (1, 1)
    sources = {
        section: joined(content["src"])
        for section, content in table.items()
        if isinstance(content, dict) and "src" in content
    }
    parts: dict[str, Any] = {
        "hexes": _hexes(table, reader, sources.get("hexes", "")),
        "tiles": _tiles(table, reader, sources.get("tiles", "")),
        "market": _market(table, reader),
        "trains": _trains(table, reader, sources.get("trains", "")),
        "phases": _phases(table, reader),
        "companies": _companies(table, reader, sources.get("companies", "")),
        "privates": _privates(table, reader, sources.get("privates", "")),
        "limits": _limits(table, reader, players),
        "areas": _areas(table, reader, sources.get("areas", "")),
        "draws": _draws(table, reader),
        "bonuses": {name: _plain(entry, place, reader) for name, place, entry in reader.entries(table, "bonuses")},
        "totals": _totals(table, reader),
        "own": {name: _plain(entry, place, reader) for name, place, entry in reader.entries(table, "own")},
    }
    if reader.faults or head is None:
        return None
    return Sheet(edition=edition, variants=variants, **head, **parts)


def read_face(values: dict[str, Any], where: str, reader: SheetReader) -> Face:
    """The face that the keys of a hex or tile describe; these keys are taken out of `values`."""
    stops = tuple(_stops(values.pop("stops", []), where, reader))
    track = tuple(_track(values.pop("track", []), where, reader))
    labels = many(values.pop("label", None))
    rest = {key: values.pop(key) for key in FACE if key in values}
    return Face(stops=stops, track=track, labels=labels, **rest)


def _stops(written: list[Any], where: str, reader: SheetReader) -> Iterator[Stop]:
    for index, item in enumerate(written):
        values = reader.fields(item, f"{where}.stops[{index}]", STOP, ("kind",))
        if values is None:
            continue
        revenue = values.pop("revenue", {})
        if values["kind"] == "city":
            values.setdefault("slots", 1)
        yield Stop(revenue=revenue if isinstance(revenue, dict) else {"": revenue}, **values)


def _track(written: list[Any], where: str, reader: SheetReader) -> Iterator[Piece]:
    for index, item in enumerate(written):
        place = f"{where}.track[{index}]"
        if not isinstance(item, list) or len(item) not in {2, 3}:
            reader.fault(place, "should be two ends, and perhaps a kind")
            continue
        ends = [_end(end) for end in item[:2]]
        kind = item[2] if len(item) == 3 else ""
        if None in ends:
            wrong = item[ends.index(None)]
            reader.fault(place, f"{wrong!r} is no end of track: an edge from 0 to 5 or the letter of a stop")
        elif not isinstance(kind, str):
            reader.fault(place, f"{kind!r} is no kind of track")
        else:
            a, b = sorted(end for end in ends if end is not None)
            yield Piece(a, b, kind)


def _end(written: Any) -> int | None:
    if isinstance(written, str) and LETTER.fullmatch(written):
        return FIRST_STOP + ord(written) - ord("a")
    if isinstance(written, int) and not isinstance(written, bool) and 0 <= written < FIRST_STOP:
        return written
    return None


def _stop_index(letter: str, place: str, reader: SheetReader) -> int:
    """The index of a stop named by its letter; the first where none is named."""
    if letter and not LETTER.fullmatch(letter):
        reader.fault(place, f"{letter!r} is no stop's letter")
        return 0
    return ord(letter) - ord("a") if letter else 0


def _hexes(table: TomlTable, reader: SheetReader, source: str) -> dict[str, Hex]:
    hexes = {}
    for name, place, entry in reader.entries(table, "hexes"):
        values = reader.fields(entry, place, HEX)
        if values is None:
            continue
        face = read_face(values, place, reader)
        values["names"] = many(values.pop("name", None))
        values["reserved_for"] = many(values.pop("reserved_for", None))
        values.setdefault("fixed", face.colour in FIXED)
        hexes[name] = Hex(face=face, src=_source(values, source), **values)
    return hexes


def _tiles(table: TomlTable, reader: SheetReader, source: str) -> dict[str, Tile]:
    tiles = {}
    for name, place, entry in reader.entries(table, "tiles"):
        values = reader.fields(entry, place, TILE, ("colour", "count"))
        if values is not None:
            face = read_face(values, place, reader)
            tiles[name] = Tile(face=face, rotation=values.pop("turn", None), src=_source(values, source), **values)
    return tiles


def _market(table: TomlTable, reader: SheetReader) -> StockMarket | None:
    values = reader.fields(table.get("market"), "market", MARKET, ("rows",))
    if values is None:
        return None
    rows = []
    for r, row in enumerate(values["rows"]):
        cells: list[MarketCell | None] = []
        for c, written in enumerate(row):
            match = CELL.fullmatch(str(written))
            if match is None and written != "":
                reader.fault(f"market.rows[{r}][{c}]", f"{written!r} is no price, perhaps with a p for par")
            cells.append(MarketCell(int(match[1]), bool(match[2])) if match else None)
        rows.append(tuple(cells))
    return StockMarket(rows=tuple(rows), par=values.get("par", ()), src=_source(values))


def _trains(table: TomlTable, reader: SheetReader, source: str) -> dict[str, Train]:
    trains: dict[str, Train] = {}
    before: dict[str, str] = {}
    for name, place, entry in reader.entries(table, "trains"):
        values = reader.fields(entry, place, TRAIN, ("price", "count", "reach"))
        if values is not None:
            values.pop("note", None)
            before[name] = values.pop("before", "")
            trains[name] = Train(kind=name, src=_source(values, source), **values)
    return {name: trains[name] for name in in_order("trains", [*trains], before, reader)}


def _phases(table: TomlTable, reader: SheetReader) -> tuple[Phase, ...]:
    phases: list[Phase] = []
    before: dict[str, str] = {}
    for name, place, entry in reader.entries(table, "phases"):
        values = reader.fields(entry, place, PHASE, ("started_by", "tiles", "train_limit", "operating_rounds"))
        if values is not None:
            before[name] = values.pop("before", "")
            phases.append(Phase(name=name, **{key: values[key] for key in values if key not in SOURCE}))
    names = in_order("phases", [phase.name for phase in phases], before, reader)
    return tuple(sorted(phases, key=lambda phase: names.index(phase.name)))


def in_order(section: str, names: Sequence[str], before: Mapping[str, str], reader: SheetReader) -> list[str]:
    """The names in their order: one that says so stands before another, the others as in the file."""
    ordered = [*names]
    for name, other in before.items():
        if other and (other == name or other not in names):
            reader.fault(f"{section}.{name}.before", f"names {other!r}, which is not there")
        elif other:
            ordered.remove(name)
            ordered.insert(ordered.index(other), name)
    return ordered


def _companies(table: TomlTable, reader: SheetReader, source: str) -> dict[str, CompanyDefinition]:
    companies = {}
    needed = ("name", "home", "certificates", "float", "station_costs")
    for name, place, entry in reader.entries(table, "companies"):
        values = reader.fields(entry, place, COMPANY, needed)
        if values is None:
            continue
        values.pop("note", None)
        written = values.pop("home")
        homes = []
        for index, home in enumerate(written if isinstance(written, list) else [written]):
            at = f"{place}.home[{index}]" if isinstance(written, list) else f"{place}.home"
            if reader.fields(home, at, {"hex": str, "stop": str}, ("hex",)) is not None:
                homes.append(Home(home["hex"], _stop_index(home.get("stop", ""), at, reader)))
        certificates = tuple(percent for percent, number in values.pop("certificates") for _ in range(number))
        companies[name] = CompanyDefinition(
            id=name,
            homes=tuple(homes),
            certificates=certificates,
            float_percent=values.pop("float"),
            letters=values.pop("letters", name),
            src=_source(values, source),
            **values,
        )
    return companies


def _privates(table: TomlTable, reader: SheetReader, source: str) -> dict[int, PrivateDefinition]:
    privates = {}
    for name, place, entry in reader.entries(table, "privates"):
        values = reader.fields(entry, place, PRIVATE, ("code", "name", "price", "revenue"))
        if not re.fullmatch(r"[1-9]\d{0,2}", name):
            reader.fault(place, "should be a number from 1")
        elif values is not None:
            values.pop("note", None)
            privates[int(name)] = PrivateDefinition(number=int(name), src=_source(values, source), **values)
    return dict(sorted(privates.items()))


def _limits(table: TomlTable, reader: SheetReader, players: tuple[int, int]) -> GameLimits | None:
    values = reader.fields(table.get("limits"), "limits", LIMITS, ("bank", "capital", "certificates"))
    if values is None:
        return None
    bank = values["bank"]
    if isinstance(bank, int):
        bank = dict.fromkeys(range(players[0], players[1] + 1), bank)
    return GameLimits(bank, values["capital"], values["certificates"], values.get("pool_percent", 50))


def _areas(table: TomlTable, reader: SheetReader, source: str) -> dict[str, Area]:
    areas = {}
    for name, place, entry in reader.entries(table, "areas"):
        values = reader.fields(entry, place, AREA, ("name", "hexes", "entrances", "value_by_links"))
        if values is None:
            continue
        values.pop("note", None)
        entrances = []
        for index, item in enumerate(values.pop("entrances")):
            at = f"{place}.entrances[{index}]"
            found = reader.fields(item, at, ENTRANCE, tuple(ENTRANCE))
            if found is not None:
                stop = _stop_index(found["stop"], at, reader)
                entrances.append(Entrance(found["hex"], stop, found["edge"], found["from"], found["from_edge"]))
        areas[name] = Area(entrances=tuple(entrances), src=_source(values, source), **values)
    return areas


def _draws(table: TomlTable, reader: SheetReader) -> tuple[DrawTable, ...]:
    if "draws" not in table:
        return ()
    values = reader.fields(table["draws"], "draws", SOURCE | {"rows": list}, ("rows",))
    draws = []
    for index, row in enumerate(values["rows"] if values else []):
        fields: Fields = {"number": Number, "icons": dict[str, str]}
        found = reader.fields(row, f"draws.rows[{index}]", fields, tuple(fields))
        if found is not None:
            draws.append(DrawTable(found["number"], found["icons"]))
    return tuple(draws)


def _totals(table: TomlTable, reader: SheetReader) -> Totals:
    values = reader.fields(table.get("totals", {}), "totals", TOTALS) or {}
    return Totals(**{key: value for key, value in values.items() if key not in SOURCE})


def _plain(entry: Any, place: str, reader: SheetReader) -> dict[str, Any]:
    """An entry of a game's own, as it stands; only text, numbers, lists and tables."""
    if not isinstance(entry, dict):
        reader.fault(place, "should be a table")
        return {}
    _only_plain(entry, place, reader)
    return {key: value for key, value in entry.items() if key not in SOURCE}


def _only_plain(value: Any, place: str, reader: SheetReader) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            _only_plain(item, f"{place}.{key}", reader)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _only_plain(item, f"{place}[{index}]", reader)
    elif not isinstance(value, str | int | float):
        reader.fault(place, "should be text, a number, a list or a table")
    elif not isinstance(value, str) and not -LARGEST <= value <= LARGEST:
        reader.fault(place, "is no number that a game could use")
