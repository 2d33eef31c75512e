"""The reader of a page: language and theme; who they are and which seats they hold, where that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trajekt.bots.reasons import PACKAGE
from trajekt.engine.state import Seat, State
from trajekt.engine.title import Title
from trajekt.i18n.sentences import Catalogue, Speaker, catalogue

THEMES = ("light", "dark")
GUEST = "Guest"
"""Stored name of who plays against bots without giving one; every reader reads it in their own language."""
PAGE = "trajekt.server"  # where the texts of the page lie, under `page.*`


@dataclass(frozen=True, slots=True)
class Viewer:
    """Reader of a page. `theme` is empty where the system decides; `seats` are those held at the table of the request."""

    language: str = "en"
    theme: str = ""
    person: str = ""
    seats: tuple[Seat, ...] = ()

    def catalogue(self, title: Title | None = None) -> Catalogue:
        return catalogue(self.language, PAGE, PACKAGE, *([title.package] if title is not None else []))

    def speaker(self, title: Title, state: State) -> Speaker:
        say = self.catalogue(title)
        return Speaker(say, state.sheet, names_read(state.names, say))


def names_read(names: Sequence[str], say: Catalogue) -> tuple[str, ...]:
    """The names of players as a reader of `say` reads them."""
    guest = say.text("page.start.you")
    return tuple(guest if name == GUEST and guest not in names else name for name in names)
