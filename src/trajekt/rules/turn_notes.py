"""Notes of a turn: what has been done in it that counts once, stored in its frame as readable text.

A note is a kind and its details, `declined:BME:4:120`. Frames store the text, so that records stay readable; whoever asks or
notes goes by a `NoteKind`, and no other code takes the text apart. `Once` names what is done at most once in a turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Once(StrEnum):
    """Things done at most once in a turn."""

    LINK = "link"
    DEAL = "deal"
    CARD = "card"
    ACTIVITY = "activity"
    DISPOSAL = "dispose"
    TURNED_TRAINS = "turned"
    RAILWAY_WAGON = "wagon"


@dataclass(frozen=True, slots=True)
class NoteKind:
    """A kind of note with details, none of which has a colon in it.

    >>> DECLINED.write("BME", "4", 120)
    'declined:BME:4:120'
    >>> DECLINED.read(("link", "declined:BME:4:120", "declined:DME:4:90"), "BME")
    [('4', '120')]
    >>> DECLINED.among(("declined:BME:4:120",), "DME")
    False
    """

    name: str

    def write(self, *details: str | int) -> str:
        """The text of a note."""
        return ":".join((self.name, *map(str, details)))

    def read(self, notes: Iterable[str], *known: str | int) -> list[tuple[str, ...]]:
        """The other details of every note of this kind that begins with the known ones."""
        start, among = (self.name, *map(str, known)), [tuple(note.split(":")) for note in notes]
        return [note[len(start) :] for note in among if note[: len(start)] == start]

    def among(self, notes: Iterable[str], *known: str | int) -> bool:
        """Tell whether there is a note of this kind that begins with the known details."""
        return bool(self.read(notes, *known))


DECLINED = NoteKind("declined")
"""An offer that was declined: whose, for what, at how many Mark."""
POWER_LAY = NoteKind("private")
"""A lay by the power of a private company, by its number."""
