"""Names of players: text that shows something, told apart as people tell it apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or symbols and show nothing."""


def shown(text: str) -> str:
    """The characters of a text that somebody sees: joiners, marks of direction, controls and blanks are left out."""
    return "".join(c for c in text if c not in BLANK and unicodedata.category(c)[0] not in "CZ")


def likeness(name: str) -> str:
    """A key that is equal for names which look the same: composed, one space between words, nothing unseen, any case."""
    composed = unicodedata.normalize("NFC", name)
    words = (shown(word) for word in composed.split())
    return unicodedata.normalize("NFC", " ".join(word for word in words if word).casefold())


def checked_names(players: object) -> tuple[str, ...]:
    """The names of the players of a new game, composed and without spaces around them.

    Raises ValueError for what is no list of texts (a set has no order), for a name that shows nothing or cannot be written,
    and for two that look the same.
    """
    no_list = (str, bytes, Mapping, AbstractSet)
    listed = list(players) if isinstance(players, Iterable) and not isinstance(players, no_list) else []
    if not listed or not all(isinstance(name, str) for name in listed):
        message = f"players must be a list of names, each a text, not {players!r}"
        raise ValueError(message)
    names = tuple(unicodedata.normalize("NFC", name).strip() for name in listed)
    seen: dict[str, str] = {}
    for name in names:
        if any("\ud800" <= c <= "\udfff" for c in name):
            message = f"the name {name!r} holds half a character"
            raise ValueError(message)
        key = likeness(name)
        if not key:
            message = f"every player needs a name that shows something, not {name!r}"
            raise ValueError(message)
        if key in seen:
            message = f"every player needs a name of their own: {seen[key]!r} and {name!r} look the same"
            raise ValueError(message)
        seen[key] = name
    return names
