"""Notes of a turn: what has been done in it that counts once, in the frame of the turn.

`Allowance` and `Once` are words, `PowerLay` and `Declined` name what they are about. A ruleset lists the kinds that its
frames hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from trajekt.engine.frame_notes import Detail, Note


class Allowance(Note, StrEnum):
    """Allowances of lays that every company has."""

    NORMAL = "normal"


class Once(Note, StrEnum):
    """Things done at most once in a turn."""

    LINK = "link"
    DEAL = "deal"
    CARD = "card"
    ACTIVITY = "activity"
    DISPOSAL = "dispose"
    TURNED_TRAINS = "turned"
    RAILWAY_WAGON = "wagon"


class PowerLay(Detail, word="private"):
    """A lay by the power of a private company, by its number."""

    private: int


class Declined(Detail, word="declined"):
    """An offer that was declined: whose train or card, which one, at how many Mark."""

    owner: str
    kind: str
    price: int


SHARED = (Allowance, Once, PowerLay, Declined)
"""The kinds of notes that the shared rules make."""


def declined_prices(notes: Iterable[Note], owner: str, kind: str) -> list[int]:
    """Return the prices in Mark at which an owner has declined to sell something in this turn.

    >>> declined_prices((Once.LINK, Declined("BME", "4", 120), Declined("DME", "4", 90)), "BME", "4")
    [120]
    """
    return [each.price for each in notes if isinstance(each, Declined) and (each.owner, each.kind) == (owner, kind)]
