"""Games in the form of 18xx.games: what `import_18xx` reads, written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from trajekt.engine.import_protocol import PlayedAction, PlayedGame, Untranslatable
from trajekt.game import Game
from trajekt.i18n.sentences import catalogue


class ExportError(ValueError):
    """A game that 18xx.games does not have; `code` names the sentence `file.<code>` of the catalogues, `values` its gaps."""

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code)
        self.code = code
        self.values: Mapping[str, Any] = values

    def __str__(self) -> str:
        return self.sentence("en")

    def sentence(self, language: str) -> str:
        """Return why in a language."""
        return catalogue(language).text(f"file.{self.code}", **self.values)


def has_form(game: Game) -> bool:
    """Tell whether 18xx.games plays such games: 18Rhl under `compat`."""
    exports = game.title.exports
    return exports is not None and exports.known(game.options)


def write_export(game: Game) -> bytes:
    """Return a game in the site's form, as JSON. Raises `ExportError` where the site has no such game.

    What was undone is left out. Read back by `import_18xx.read_export` the game comes to the same position.
    """
    exports = game.title.exports
    if exports is None or not has_form(game):
        raise ExportError("no_form", ruleset=game.ruleset.name)
    actions = []
    before = game.opening.state
    for entry in game.line():
        if entry.action is None:
            message = "what was put on the table by hand cannot be written in the form of 18xx.games"
            raise ExportError(message)
        after = game.state_at(entry.number)
        actions.append(PlayedAction(before, after, entry.seat, entry.action, entry.events))
        before = after
    totals = [row.total for row in sorted(game.standings(), key=lambda row: row.seat)]
    played = PlayedGame(game.ruleset, game.options, game.seed, game.opening.state, actions, tuple(game.to_act), totals)
    try:
        return msgspec.json.encode(exports.write(played))
    except Untranslatable as fault:
        raise ExportError(fault.code, **fault.values) from fault
