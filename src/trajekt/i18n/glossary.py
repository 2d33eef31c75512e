"""The words that a newcomer does not know: what each means, and where it stands in a text.

The catalogues keep them under `glossary.*`: the forms in which a word stands in texts, the first as its heading, and what it
means. `#` in a form is a number. A form that begins with a small letter is found with a capital too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trajekt.engine.memo import memo_function
from trajekt.i18n.sentences import Catalogue

PREFIX, TOLD = "glossary.", ".told"
NUMBER = re.compile(r"\d+(?:\+\d+)?")


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its meaning; `forms` are those in which it stands in texts."""

    forms: tuple[str, ...]
    told: str

    @property
    def name(self) -> str:
        return self.forms[0]


@dataclass(frozen=True, slots=True)
class Glossary:
    """The words of one language by key, their forms, and the pattern that finds these."""

    words: Mapping[str, Word]
    forms: Mapping[str, str]
    pattern: re.Pattern[str]

    def parts(self, text: str) -> Iterator[tuple[str, str]]:
        """A text in pieces, each with the key of its word, empty for what lies between; each word is marked once."""
        done: set[str] = set()
        at = 0
        for match in self.pattern.finditer(text):
            key = self._key(match[0])
            if not key or key in done:
                continue
            done.add(key)
            if match.start() > at:
                yield text[at : match.start()], ""
            yield match[0], key
            at = match.end()
        if at < len(text):
            yield text[at:], ""

    def _key(self, found: str) -> str:
        """The word that a text found is a form of."""
        form = NUMBER.sub("#", found)
        return self.forms.get(form) or self.forms.get(form[:1].lower() + form[1:], "")


@memo_function
def glossary_of(say: Catalogue) -> Glossary:
    """The glossary of a catalogue, made once for each."""
    texts = {key: text for key, text in say.entries.items() if key.startswith(PREFIX)}
    words = {
        key.removeprefix(PREFIX): Word(tuple(text.split("|")), texts[key + TOLD])
        for key, text in texts.items()
        if not key.endswith(TOLD)
    }
    forms = {form: key for key, word in words.items() for form in word.forms}
    found = "|".join(map(_pattern, sorted(forms, key=len, reverse=True)))
    return Glossary(words, forms, re.compile(rf"(?<![\w-])(?:{found})(?!\w)"))


def _pattern(form: str) -> str:
    """The pattern of one form."""
    first = f"[{form[0]}{form[0].upper()}]" if form[0].islower() else re.escape(form[0])
    return (first + re.escape(form[1:])).replace(r"\#", NUMBER.pattern)
