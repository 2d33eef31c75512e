"""A bot's reason for its move as a sentence in a reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from trajekt.bots.bot import MoveReason
from trajekt.engine.components.schema import Sheet
from trajekt.engine.title import Title
from trajekt.i18n.sentences import Speaker, catalogue, formed_values

PACKAGE = "trajekt.bots"


def speaker(title: Title, sheet: Sheet, names: Sequence[str], language: str) -> Speaker:
    """The speaker of reasons: the shared sentences, those of the game, and those of the bots. ValueError: no such language."""
    return Speaker(catalogue(language, title.package, PACKAGE), sheet, names)


def sentence(by: Speaker, reason: MoveReason) -> str:
    """A reason in one sentence."""
    return by.catalogue.text(reason.key, **formed_values(by, reason.values))
