"""Texts in which each word of the glossary opens its card."""

from __future__ import annotations

from markupsafe import Markup, escape

from trajekt.engine.memo import memo_function
from trajekt.i18n.glossary import glossary_of
from trajekt.i18n.sentences import Catalogue
from trajekt.rendering.drawing_cache import Kept

LINK = Markup('<a href="#" class="word" data-action="show-card" data-card="word/{}"{}>{}</a>')
NO_STOP = Markup(' tabindex="-1"')
TEXTS = 500  # texts that are kept of a catalogue at least, and twice as many at most


def dotted(text: str, say: Catalogue, *, stop: bool = False) -> Markup:
    """A text with its words dotted.

    With `stop` each is a stop of the keyboard; elsewhere the way between the choices stays short, and the list of all words in
    the menu leads to the same cards.
    """
    return dotted_before(say).of((text, stop), lambda: dotted_anew(text, say, "" if stop else NO_STOP))


@memo_function
def dotted_before(_say: Catalogue) -> Kept[Markup]:
    """The texts of a catalogue that were dotted: at every action most of them are the same."""
    return Kept(TEXTS)


def dotted_anew(text: str, say: Catalogue, skip: str) -> Markup:
    """A text with its words dotted; `skip` is an attribute of each."""
    parts = glossary_of(say).parts(text)
    return Markup("").join(LINK.format(key, skip, part) if key else escape(part) for part, key in parts)
