"""Equality with the reference sheets: what they write, in the terms of ours."""

from __future__ import annotations

from typing import Any

from trajekt.engine.components.schema import FIRST_STOP, Face


def entries(section: dict[str, Any]) -> dict[str, Any]:
    """The entries of a section, without what is said about the section itself; an edition's None is no entry."""
    return {str(key): value for key, value in section.items() if key not in {"src", "note"} and value is not None}


def several(value: Any) -> tuple[Any, ...]:
    """One value, a list of them or none, as they may be written."""
    return () if value is None else tuple(value) if isinstance(value, list) else (value,)


def place(end: Any) -> int:
    """An end of track: an edge by its number, a stop by its letter."""
    return end if isinstance(end, int) else FIRST_STOP + "abc".index(end)


def face_differences(face: Face, theirs: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """In what a face is not as the reference has it: its name, ours and theirs. Rivers are written with each game's hexes."""
    track = [(*sorted((place(p[0]), place(p[1]))), p[2] if len(p) == 3 else "") for p in theirs.get("track", [])]
    pairs = [
        ("colour", face.colour, theirs.get("colour", "")),
        ("track", [(p.a, p.b, p.kind) for p in face.track], track),
        ("labels", face.labels, several(theirs.get("label"))),
        ("icons", face.icons, several(theirs.get("icons"))),
        ("banks", face.banks, tuple(tuple(bank) for bank in theirs.get("banks", []))),
        ("ferry", face.ferry_revenue, theirs.get("ferry_revenue")),
        ("stops", len(face.stops), len(theirs.get("stops", []))),
    ]
    for mine, other in zip(face.stops, theirs.get("stops", []), strict=False):
        revenue = other.get("revenue", {})
        pairs += [
            ("kind", mine.kind, other["kind"]),
            ("revenue", mine.revenue, revenue if isinstance(revenue, dict) else {"": revenue}),
            ("slots", mine.slots, other.get("slots", 1 if other["kind"] == "city" else 0)),
            ("harbour", mine.harbour_slots, other.get("harbour_slots", 0)),
            ("group", mine.group, other.get("group", "")),
            ("stop icons", mine.icons, several(other.get("icons"))),
            ("name", mine.name, other.get("name", "")),
            ("bank", mine.bank, other.get("bank", "")),
            ("at", mine.at, other.get("at")),
            ("bare", mine.bare, other.get("bare", False)),
        ]
    return [pair for pair in pairs if pair[1] != pair[2]]
