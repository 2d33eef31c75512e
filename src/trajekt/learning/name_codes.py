"""Numbers for names: dense ones for what the sheet lists, stable ones for any other text."""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import msgspec

from trajekt.engine.frame_notes import encoded

NONE = -1
"""Stands where there is nothing: an empty text, an answer not given, a field that an action does not have."""

FIRST_CODE = 1_000
CODES = 1_000_000


def text_code(text: str) -> int:
    """Return the number of a text: `NONE` for an empty one, else one from 1,000 up, equal on every machine.

    >>> text_code(""), text_code("normal")
    (-1, 392268)
    """
    return FIRST_CODE + crc32(text.encode()) % CODES if text else NONE


def value_code(value: object) -> int:
    """Return any value of a frame or an action as a whole number: numbers as they are, all else as the code of its text.

    >>> value_code(None), value_code(True), value_code(45), value_code(()) == NONE
    (-1, 1, 45, True)
    """
    if value is None:
        return NONE
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return text_code(value)
    if not value:
        return NONE
    return text_code(msgspec.json.encode(value, enc_hook=encoded).decode())


class Vocabulary:
    """The numbers of known names from 0, in the order given; another text has its `text_code`."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self._numbers = {name: number for number, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def number(self, name: str) -> int:
        """Return the number of a name."""
        found = self._numbers.get(name)
        return text_code(name) if found is None else found
