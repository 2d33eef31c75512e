"""Text of people: what may be stored and shown. One pair of functions judges names, talk and notes alike.

Stricter than the rules of the library, which only tell names apart (`trajekt.engine.player_names`).

Joiners (U+200C, U+200D) belong to Persian, Malayalam and emoji and are kept between characters that are seen. Controls, marks
that turn the direction of writing, halves of characters and noncharacters are never stored.
"""

from __future__ import annotations

import unicodedata

from trajekt.engine.player_names import shown

NAME_LENGTH = 40
"""Characters of a name."""
NAME_BYTES = 200
"""Bytes of a name in UTF-8: emoji of several parts are longer than they look."""
SENTENCE_LENGTH, SENTENCE_BYTES = 140, 560
"""Characters of a sentence about an open table, and bytes."""
JOINERS = frozenset("\u200c\u200d")
SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
"""Variation selectors: they choose between forms of the character before them."""


class TextError(ValueError):
    """A text that cannot be taken; `code` names the sentence of the catalogue, the message the place."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


def storable(character: str) -> bool:
    """Tell whether a character may stand in a text; joiners are judged by their neighbours as well."""
    return character in SELECTORS or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _joins(text: str, at: int) -> bool:
    """Tell whether the joiner at a place stands between two characters that are seen."""
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    return bool(before and after and (shown(before) or before in SELECTORS) and shown(after))


def visible(text: str) -> str:
    """A text of several lines without what must not be stored."""
    composed = unicodedata.normalize("NFC", text.replace("\r\n", "\n"))
    kept = (c for n, c in enumerate(composed) if c == "\n" or storable(c) or (c in JOINERS and _joins(composed, n)))
    return "".join(kept).strip()


def cleaned(name: str) -> str:
    """A name composed and with single spaces, not judged yet."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def _check_characters(text: str, code: str) -> None:
    for n, character in enumerate(text):
        if not (storable(character) or (character in JOINERS and _joins(text, n))):
            message = f"U+{ord(character):04X}"
            raise TextError(message, code)


def checked_sentence(sentence: str) -> str:
    """A line of free text as it is stored, empty for none. Raises `TextError`, which names the character that is refused."""
    fit = cleaned(sentence)
    if len(fit) > SENTENCE_LENGTH or len(fit.encode("utf-8", "replace")) > SENTENCE_BYTES:
        message = f"a sentence has at most {SENTENCE_LENGTH} characters"
        raise TextError(message, "sentence")
    _check_characters(fit, "sentence_character")
    return fit if shown(fit) else ""


def checked_name(name: str) -> str:
    """A name as it is stored. Raises `TextError`, which names the character that is refused."""
    fit = cleaned(name)
    if not fit or len(fit) > NAME_LENGTH or len(fit.encode("utf-8", "replace")) > NAME_BYTES:
        message = f"a name has 1 to {NAME_LENGTH} characters"
        raise TextError(message, "name")
    _check_characters(fit, "name_character")
    if not shown(fit):
        message = "the name shows nothing"
        raise TextError(message, "name_empty")
    return fit
