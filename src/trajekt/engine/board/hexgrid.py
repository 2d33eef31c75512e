"""Hex geometry: neighbours, opposite edges and centres, for both layouts.

Edges are numbered clockwise from 0 to 5. Pointy hexes: 0 south-west, 1 west, 2 north-west, 3 north-east, 4 east,
5 south-east; rows are letters from the north, numbers run eastward in steps of two. Flat hexes: 0 south, 1 south-west,
2 north-west, 3 north, 4 north-east, 5 south-east; columns are numbers from the west, letters run southward in steps of two.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import cache

from trajekt.engine.components.schema import HexId

NAME = re.compile(r"([A-Z]+)(\d+)")
STEPS = {  # (rows by letter, columns by number) from a hex to its neighbour across edge 0, 1, ... 5
    "pointy": ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)),
    "flat": ((2, 0), (1, -1), (-1, -1), (-2, 0), (-1, 1), (1, 1)),
}


def split(name: HexId) -> tuple[int, int]:
    """Letter (A is 1) and number of a coordinate; ValueError where it is none."""
    match = NAME.fullmatch(name)
    if match is None:
        message = f"{name!r} is no coordinate"
        raise ValueError(message)
    letter = 0
    for char in match[1]:
        letter = letter * 26 + ord(char) - 64
    return letter, int(match[2])


def join(letter: int, number: int) -> HexId:
    """The coordinate of a row, as a number from 1 (A), and a column; the inverse of reading one apart."""
    text = ""
    while letter > 0:
        letter, rest = divmod(letter - 1, 26)
        text = chr(65 + rest) + text
    return f"{text}{number}"


def opposite(edge: int) -> int:
    """The number of the same side as the neighbour counts it."""
    return (edge + 3) % 6


@cache
def beyond(name: HexId, edge: int, layout: str) -> HexId:
    """The coordinate across an edge, whether the map has it or not."""
    letter, number = split(name)
    down, right = STEPS[layout][edge]
    return join(letter + down, number + right)


def centre(name: HexId, layout: str, radius: float = 1.0) -> tuple[float, float]:
    """The middle of a hex, x eastward and y southward, in units where `radius` reaches from middle to corner."""
    letter, number = split(name)
    if layout == "pointy":
        return number * radius * math.sqrt(3) / 2, letter * radius * 1.5
    return number * radius * 1.5, letter * radius * math.sqrt(3) / 2


def by_place(names: Iterable[HexId]) -> list[HexId]:
    """Coordinates in reading order: by letter, then by number."""
    return sorted(names, key=split)
