"""English sentences that come filled, told in German: their catalogue has the English ones with numbered gaps as keys."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trajekt.engine.components.provenance import SheetFault


GAP = re.compile(r"\\\{\d\\\}")
"""A numbered gap in a pattern."""


class FilledSentences:
    """The German sentences by the English ones; the patterns are made when first asked for.

    >>> FilledSentences({"{0} is no {1}": "{0} ist kein {1}", "train": "Zug"}).german("7 is no train")
    '7 ist kein Zug'
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self._patterns: list[tuple[re.Pattern[str], str]] | None = None

    def german(self, text: str) -> str:
        """Return a filled sentence in German, with what stands in its gaps; what is not known stays as it is."""
        if text in self.texts:
            return self.texts[text]
        if self._patterns is None:
            known = [(english, of) for english, of in self.texts.items() if "{0}" in english]
            known.sort(key=lambda pair: -len(GAP.sub("", re.escape(pair[0]))))  # those of most words first
            self._patterns = [(re.compile(GAP.sub("(.*?)", re.escape(text)), re.DOTALL), of) for text, of in known]
        for pattern, template in self._patterns:
            found = pattern.fullmatch(text)
            if found:
                return template.format(*map(self.german, found.groups()))
        return text


@cache
def sheet_faults() -> FilledSentences:
    """The sentences about faults of component sheets."""
    text = resources.files("trajekt.i18n").joinpath("sheet_faults.toml").read_text(encoding="utf-8")
    return FilledSentences(tomllib.loads(text))


def fault_line(fault: SheetFault, language: str) -> str:
    """Tell a fault of a sheet in a language: the file, the entry, what is wrong with it.

    >>> from trajekt.engine.components.provenance import SheetFault
    >>> fault_line(SheetFault("18rhl.toml", "hexes.G6", "Z9 is not on the map"), "de")
    '18rhl.toml: hexes.G6: Z9 ist nicht auf der Karte'
    """
    if language != "de":
        return str(fault)
    german = sheet_faults().german
    return ": ".join(part for part in (fault.file, german(fault.key), german(fault.what)) if part)
