"""Preview of a file before it becomes a table: game, players, how far it has come, differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trajekt.i18n.sentences import Catalogue
from trajekt.import_18xx import note_line
from trajekt.round_label import round_name, round_of
from trajekt.server.accounts.viewer import names_read
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.services.game_import import BroughtGame

NOTES = 8
"""The number of differences that are told; of more the number."""


@dataclass(frozen=True, slots=True)
class ImportPreview(PageModel):
    """A file as it is shown: `standings` are names and totals in Mark by rank; `fault` is where file and rules part."""

    template: ClassVar[str] = "import_preview.html"
    say: Catalogue
    game: str
    ruleset: str
    players: tuple[str, ...]
    round: str
    actions: int
    finished: bool
    standings: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    more: int
    fault: str


def preview_of(brought: BroughtGame, say: Catalogue) -> ImportPreview:
    """Return what is shown of a game that was brought."""
    game = brought.game
    notes = brought.notes
    told = [note_line(note, game, say.language) for note in notes[:NOTES]]
    names = names_read(game.state.names, say)
    return ImportPreview(
        say=say,
        game=game.title.name,
        ruleset=game.ruleset.name,
        players=names,
        round=round_name(round_of(game.state), say),
        actions=len(game.line()),
        finished=game.finished,
        standings=tuple((names[row.seat], row.total) for row in game.standings()),
        notes=tuple(told),
        more=max(0, len(notes) - NOTES),
        fault="" if brought.fault is None else brought.fault.sentence(say.language),
    )
