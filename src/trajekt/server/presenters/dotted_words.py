"""Texts in which each word of the glossary opens its card."""

from __future__ import annotations

from markupsafe import Markup, escape

from trajekt.i18n.glossary import glossary_of
from trajekt.i18n.sentences import Catalogue

LINK = Markup('<a href="#" class="word" data-action="show-card" data-card="word/{}"{}>{}</a>')
NO_STOP = Markup(' tabindex="-1"')


def dotted(text: str, say: Catalogue, *, stop: bool = False) -> Markup:
    """A text with its words dotted.

    With `stop` each is a stop of the keyboard; elsewhere the way between the choices stays short, and the list of all words in
    the menu leads to the same cards.
    """
    skip = "" if stop else NO_STOP
    parts = glossary_of(say).parts(text)
    return Markup("").join(LINK.format(key, skip, part) if key else escape(part) for part, key in parts)
