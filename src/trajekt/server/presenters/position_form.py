"""The form of a position set up by hand: its fields as texts, the position that they say, and the field of each fault.

Fields are named `players.0.cash`, `privates.3` (row of the owner), `companies.KME.trains`, `shares.KME.0` (row of a player, or
`pool`, `charter`), `display.4`, `tiles` (`K2 57 1`: hex, tile, rotation; with commas between them), and `own.stock` for what
only one game has, by the way to its value in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from trajekt.engine.components.schema import Sheet
from trajekt.engine.state import CHARTER, POOL
from trajekt.hand_position_file import HandCompany, HandPosition, PositionError, PositionFault
from trajekt.positions import POSITION_FORMAT
from trajekt.rules.placement_by_hand import OwnField
from trajekt.server.presenters.entry_form import READERS, WRITERS

TILE = re.compile(r"(\S+)\s+(\S+)(?:\s+([0-5]))?")
SPACE = re.compile(r"(\d{1,2})\s*,\s*(\d{1,2})")
PLACES = (POOL, CHARTER)
"""Places of shares besides the players; the rest lies in the offering."""
COMPANY_FIELDS: Mapping[str, str] = {
    "par": "number", "treasury": "number", "debt": "number", "trains": "words", "stations": "words", "floated": "tick",
    "operated": "tick", "receivership": "tick",
}  # fmt: skip
"""Fields of a company that are read by their kind alone."""
LARGEST = 99_999


@dataclass(slots=True)
class TypedPosition:
    """The position that a form says, the row of each seat, and the texts that are no value of their field."""

    position: HandPosition
    rows: Sequence[int]
    faults: list[tuple[str, str]] = field(default_factory=list)
    """Names of fields with the kind that they should be."""

    def field_of(self, fault: PositionFault) -> str:
        """The field, or the group of fields, in which a fault lies; empty for one of the whole."""
        parts = re.findall(r"\w+", fault.path)
        if parts and parts[0] == "own":
            return ".".join(parts)
        if len(parts) > 1 and parts[0] == "companies" and int(parts[1]) < len(self.position.companies):
            company = self.position.companies[int(parts[1])].id
            key = parts[2] if len(parts) > 2 else "founded"
            return f"shares.{company}" if key == "shares" else f"companies.{company}.{PLACED.get(key, key)}"
        if len(parts) > 2 and parts[0] == "players" and parts[1].isdecimal() and int(parts[1]) < len(self.rows):
            return f"players.{self.rows[int(parts[1])]}" + (f".{parts[2]}" if parts[2] in ("cash", "loans") else "")
        return parts[0] if parts else ""


PLACED = {"price": "space", "id": "founded"}
"""Fields of the file that the form calls otherwise."""


def _seat_pairs(text: str) -> Mapping[str, int]:
    found: Mapping[str, int] = READERS["pairs"](text)
    if not all(row.isdecimal() for row in found):
        raise ValueError(text)
    return found


FORM_READERS: Mapping[str, Callable[[str], Any]] = {
    **READERS,
    "seats": READERS["numbers"],
    "seat_pairs": _seat_pairs,
    "rows": lambda text: [READERS["numbers"](row) for row in text.split("/")],
}


class _Reader:
    """Texts of a form, and what is wrong with them."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.faults: list[tuple[str, str]] = []

    def read(self, name: str, kind: str, default: Any) -> Any:
        """The value of a field, the default where nothing is typed, or what is typed is no such value."""
        text = self.texts.get(name, "").strip()
        if not text:
            return default
        try:
            value = FORM_READERS[kind](text)
            if kind == "number" and not -1 <= value <= LARGEST:
                raise ValueError(text)
        except ValueError:
            self.faults.append((name, kind))
            return default
        return value


def read_position_form(
    game: str, options: Mapping[str, Any], sheet: Sheet, texts: Mapping[str, str], own: Iterable[OwnField] = ()
) -> TypedPosition:
    """The position that the texts of a form say. Rows without a name are nobody's; only founded companies are in it."""
    reader = _Reader(texts)
    rows = [row for row in range(sheet.players[1] + 1) if texts.get(f"players.{row}.name", "").strip()]
    seat_of = {str(row): seat for seat, row in enumerate(rows)}
    founded = [each for each in sheet.companies if texts.get(f"companies.{each}.founded") == "yes"]
    order = [each for each in reader.read("order", "words", []) if each in founded]
    founded.sort(key=lambda each: order.index(each) if each in order else len(order))
    players = [_player(reader, sheet, row, [e for e in sheet.companies if e not in founded]) for row in rows]
    value = {
        "position": POSITION_FORMAT,
        "game": game,
        "options": dict(options),
        "players": players,
        "round": _round(reader),
        "phase": texts.get("phase", ""),
        "priority": seat_of.get(texts.get("priority", ""), 0),
        "companies": [_company(reader, each, seat_of) for each in founded],
        "tiles": list(_tiles(reader)),
        "display": {kind: reader.read(f"display.{kind}", "number", 0) for kind in sheet.trains},
        "pool": reader.read("pool", "words", []),
        "marks": _facts(reader),
        "neutral": reader.read("neutral", "words", []),
        "used": [number for number in sheet.privates if texts.get(f"used.{number}") == "yes"],
        "drawn": {name: reader.read(f"drawn.{name}", "number", 0) for name in _named(texts, "drawn.")},
        "aside": {name: abs(amount) for name, amount in reader.read("aside", "pairs", {}).items()},
        "own": _own(reader, own, seat_of),
        "bank": reader.read("bank", "number", None),
    }
    return TypedPosition(_as_position(value), rows, reader.faults)


def _named(texts: Mapping[str, str], prefix: str) -> list[str]:
    """The last parts of the names of all fields of a kind where something is typed."""
    return [name.removeprefix(prefix) for name, text in texts.items() if name.startswith(prefix) and text.strip()]


def _as_position(value: Mapping[str, Any]) -> HandPosition:
    """A position as it is decoded from a file. Raises `PositionError` where a text is longer than any there."""
    try:
        found: HandPosition = msgspec.convert(value, HandPosition)
    except msgspec.ValidationError as fault:
        message, _, path = str(fault).rpartition(" - at `")
        code = "unreadable" if value["players"] else "no_players"
        raise PositionError([PositionFault(path.rstrip("`"), code, {"detail": message})]) from fault
    return found


def _player(reader: _Reader, sheet: Sheet, row: int, not_founded: Sequence[str]) -> Mapping[str, Any]:
    texts = reader.texts
    shares = {each: reader.read(f"shares.{each}.{row}", "number", 0) for each in not_founded}
    return {
        "name": texts.get(f"players.{row}.name", "").strip()[:80],
        "cash": reader.read(f"players.{row}.cash", "number", 0),
        "loans": reader.read(f"players.{row}.loans", "number", 0),
        "bankrupt": texts.get(f"players.{row}.bankrupt") == "yes",
        "privates": [number for number in sheet.privates if texts.get(f"privates.{number}") == str(row)],
        "shares": {each: percent for each, percent in shares.items() if percent},
    }


def _round(reader: _Reader) -> Mapping[str, Any]:
    kind = "operating" if reader.texts.get("round.kind") == "operating" else "stock"
    found = {"kind": kind, "set": min(max(reader.read("round.set", "number", 1), 1), 50)}
    if kind == "operating":
        found["number"] = min(max(reader.read("round.number", "number", 1), 1), 9)
        found["of"] = min(reader.read("round.of", "number", 0), 9)
        found["paid"] = reader.texts.get("round.paid") == "yes"
    return found


def _company(reader: _Reader, id_: str, seat_of: Mapping[str, int]) -> Mapping[str, Any]:
    empty: Mapping[str, Any] = {"number": 0, "words": [], "tick": False}
    found = {key: reader.read(f"companies.{id_}.{key}", kind, empty[kind]) for key, kind in COMPANY_FIELDS.items()}
    space = SPACE.fullmatch(reader.texts.get(f"companies.{id_}.space", "").strip())
    papers = {str(seat): _papers(reader, f"shares.{id_}.{row}") for row, seat in seat_of.items()}
    papers |= {place: _papers(reader, f"shares.{id_}.{place}") for place in PLACES}
    return {
        **found,
        "certificates": papers if any(len(each) > 1 for each in papers.values()) else {},
        "id": id_,
        "tokens": reader.read(f"companies.{id_}.tokens", "numbers", None),
        "space": (int(space[1]), int(space[2])) if space else None,
        "director": seat_of.get(reader.texts.get(f"companies.{id_}.director", "")),
        "shares": {place: sum(each) for place, each in papers.items() if sum(each)},
    }


def _papers(reader: _Reader, name: str) -> list[int]:
    """Shares at a place in per cent, or the certificates of which they consist: `20+10+10`."""
    parts = reader.texts.get(name, "").split("+")
    if all(part.strip().isdecimal() and len(part.strip()) < 4 for part in parts):
        return [int(part) for part in parts]
    if any(map(str.strip, parts)):
        reader.faults.append((name, "certificates"))
    return []


def _facts(reader: _Reader) -> Mapping[str, str]:
    """Facts that only one game knows: name and value, with commas between them."""
    pairs = [part.partition(" ") for part in reader.read("marks", "words", [])]
    return {name: value.strip() for name, _, value in pairs}


def own_name(field: OwnField) -> str:
    """The name of a field for what only one game has."""
    return ".".join(("own", *field.path))


def _own(reader: _Reader, fields: Iterable[OwnField], seat_of: Mapping[str, int]) -> Mapping[str, Any]:
    """Things that only one game has, as the file has them; what is not said is left out."""
    found: dict[str, Any] = {}
    for each in fields:
        value = reader.read(own_name(each), each.kind, None)
        if each.kind == "seats" and value is not None:
            value = [seat_of.get(str(row - 1), row - 1) for row in value]
        elif each.kind == "seat_pairs" and value is not None:
            value = {str(seat_of.get(str(int(row) - 1), int(row) - 1)): amount for row, amount in value.items()}
        if value is None or value is False:
            continue
        table = found
        for part in each.path[:-1]:
            table = table.setdefault(part, {})
        table[each.path[-1]] = value
    return found


def _tiles(reader: _Reader) -> Iterator[Mapping[str, Any]]:
    for part in reader.read("tiles", "words", []):
        match = TILE.fullmatch(part)
        if match is None:
            reader.faults.append(("tiles", "tiles"))
        else:
            yield {"hex": match[1], "tile": match[2], "rotation": int(match[3] or 0)}


# And back -------------------------------------------------------------------------------------------------------------


def texts_of(position: HandPosition, own: Iterable[OwnField] = ()) -> Mapping[str, str]:
    """The texts of the fields of a position, as it comes from a file."""
    texts = {
        "round.kind": position.round.kind,
        "round.set": str(position.round.set),
        "round.number": str(position.round.number),
        "round.of": str(position.round.of or ""),
        "phase": position.phase,
        "priority": str(position.priority),
        "tiles": ", ".join(f"{each.hex} {each.tile} {each.rotation}" for each in position.tiles),
        "pool": ", ".join(position.pool),
        "aside": ", ".join(f"{name} {amount}" for name, amount in position.aside.items() if amount),
        "marks": ", ".join(f"{name} {fact}" for name, fact in position.marks.items()),
        "neutral": ", ".join(position.neutral),
        "bank": "" if position.bank is None else str(position.bank),
        "order": ", ".join(each.id for each in position.companies),
    }
    texts |= own_texts(own, position.own)
    texts |= {"round.paid": "yes"} if position.round.paid else {}
    texts |= {f"used.{number}": "yes" for number in position.used}
    texts |= {f"drawn.{table}": str(number) for table, number in position.drawn.items()}
    for kind, count in (position.display or {}).items():
        texts[f"display.{kind}"] = str(count)
    for seat, player in enumerate(position.players):
        texts |= {f"players.{seat}.name": player.name, f"players.{seat}.cash": str(player.cash)}
        texts |= {f"players.{seat}.loans": str(player.loans or "")}
        texts |= {f"players.{seat}.bankrupt": "yes"} if player.bankrupt else {}
        texts |= {f"privates.{number}": str(seat) for number in player.privates}
        texts |= {f"shares.{each}.{seat}": str(percent) for each, percent in player.shares.items()}
    for company in position.companies:
        texts |= _company_texts(company)
    return texts


def own_texts(fields: Iterable[OwnField], own: Mapping[str, Any]) -> Mapping[str, str]:
    """The texts of the fields for what only one game has."""
    return {
        own_name(each): _own_text(each.kind, value) for each in fields if (value := _found(own, each.path)) is not None
    }


def _found(own: Mapping[str, Any], path: Sequence[str]) -> Any:
    value: Any = own
    for part in path:
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _own_text(kind: str, value: Any) -> str:
    if kind == "rows":
        return " / ".join(", ".join(map(str, row)) for row in value)
    if kind == "seats":
        return ", ".join(str(seat + 1) for seat in value)
    if kind == "seat_pairs":
        return ", ".join(f"{int(seat) + 1} {amount}" for seat, amount in value.items())
    return WRITERS[kind](value)


def _company_texts(company: HandCompany) -> Mapping[str, str]:
    name = f"companies.{company.id}"
    return {
        f"{name}.founded": "yes",
        f"{name}.par": str(company.par or ""),
        f"{name}.space": "" if company.space is None else f"{company.space[0]},{company.space[1]}",
        f"{name}.treasury": str(company.treasury),
        f"{name}.debt": str(company.debt or ""),
        f"{name}.director": "" if company.director is None else str(company.director),
        f"{name}.trains": ", ".join(company.trains),
        f"{name}.stations": ", ".join(company.stations),
        f"{name}.tokens": "" if company.tokens is None else ", ".join(map(str, company.tokens)),
        f"{name}.floated": "yes" if company.floated else "no",
        f"{name}.operated": "yes" if company.operated else "no",
        f"{name}.receivership": "yes" if company.receivership else "no",
        **{f"shares.{company.id}.{place}": str(percent) for place, percent in company.shares.items()},
        **{f"shares.{company.id}.{place}": "+".join(map(str, each)) for place, each in company.certificates.items()},
    }
