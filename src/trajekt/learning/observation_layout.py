"""The layout of an observation: its arrays, their sizes, and the meaning of every column."""

from __future__ import annotations

import msgspec


class Column(msgspec.Struct, frozen=True):
    """A column of an array: its name and what it means, with its unit."""

    name: str
    meaning: str


class ArrayLayout(msgspec.Struct, frozen=True):
    """An array of an observation: its name, shape, kind of number (`float32`, `int32`) and meaning.

    `columns` name what stands along its last axis (of `planes`: its first), where that has names.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    meaning: str
    columns: tuple[Column, ...] = ()

    def column(self, name: str) -> int:
        """Return the place of a column by its name; ValueError where there is none."""
        for place, column in enumerate(self.columns):
            if column.name == name:
                return place
        message = f"{self.name} has no column {name!r}"
        raise ValueError(message)


class ObservationLayout(msgspec.Struct, frozen=True):
    """All arrays of an observation in order. `names` are what rows stand for, by array: hexes, companies, trains, ..."""

    arrays: tuple[ArrayLayout, ...]
    names: dict[str, tuple[str, ...]]

    def array(self, name: str) -> ArrayLayout:
        """Return an array by its name; ValueError where there is none."""
        for each in self.arrays:
            if each.name == name:
                return each
        message = f"an observation has no array {name!r}"
        raise ValueError(message)

    def described(self) -> str:
        """Return the layout as text: a line for each array, and one for each column below it."""
        lines = []
        for each in self.arrays:
            size = " x ".join(map(str, each.shape))
            lines.append(f"{each.name} ({size}, {each.dtype}): {each.meaning}")
            lines += [f"    {number} {column.name}: {column.meaning}" for number, column in enumerate(each.columns)]
        return "\n".join(lines)
