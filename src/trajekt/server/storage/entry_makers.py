"""Makers of entries: what did something for a seat where it was not the person, as in the column `entries.by`."""

from __future__ import annotations

from enum import Enum

import msgspec


class MakerKind(Enum):
    """Kinds of makers, with the word under which each is stored. Those that act by themselves would act anew after an undo."""

    BOT = "program"
    STAND_IN = "stand-in"
    INSTRUCTION = "instruction"
    CONSENT = "consent"

    @property
    def by_itself(self) -> bool:
        """Tell whether it acts without the person."""
        return self is not MakerKind.CONSENT


class Maker(msgspec.Struct, frozen=True):
    """The maker of an entry; `bot` is the kind of bot that has the seat.

    >>> Maker.read("program:steady"), str(Maker(MakerKind.STAND_IN))
    (Maker(kind=<MakerKind.BOT: 'program'>, bot='steady'), 'stand-in')
    """

    kind: MakerKind
    bot: str = ""

    def __str__(self) -> str:
        """The stored form."""
        return f"{self.kind.value}:{self.bot}" if self.bot else self.kind.value

    @classmethod
    def read(cls, stored: str | None) -> Maker | None:
        """The maker of a stored form; None for the person, and for a form that this version does not know."""
        kind, _, bot = (stored or "").partition(":")
        return cls(MakerKind(kind), bot) if kind in {each.value for each in MakerKind} else None


STAND_IN, INSTRUCTION, CONSENT = map(Maker, (MakerKind.STAND_IN, MakerKind.INSTRUCTION, MakerKind.CONSENT))
