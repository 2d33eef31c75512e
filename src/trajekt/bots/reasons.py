"""A bot's reason for its move as a sentence in a reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from trajekt.bots.bot import MoveReason
from trajekt.engine.components.schema import Sheet
from trajekt.engine.title import Title
from trajekt.i18n.sentences import FORMS, MONEY, Speaker, catalogue

PACKAGE = "trajekt.bots"


def speaker(title: Title, sheet: Sheet, names: Sequence[str], language: str) -> Speaker:
    """The speaker of reasons: the shared sentences, those of the game, and those of the bots. ValueError: no such language."""
    return Speaker(catalogue(language, title.package, PACKAGE), sheet, names)


def sentence(by: Speaker, reason: MoveReason) -> str:
    """A reason in one sentence."""
    values: dict[str, object] = {}
    for name, value in reason.values.items():
        if name in MONEY and isinstance(value, int):
            values[name] = by.catalogue.money(value)
        else:
            values[name] = FORMS[name](by, value) if name in FORMS else value
    return by.catalogue.text(reason.key, **values)
