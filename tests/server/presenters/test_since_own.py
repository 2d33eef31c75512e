"""The strip *since your move*: what others did after a seat's newest action."""

from __future__ import annotations

from threading import RLock

from tests.builders.played_moments import played
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.game_log import EntryTexts, LogLine, since_own


def lines_of(game) -> list[LogLine]:
    texts = EntryTexts(game, Viewer().speaker(game.title, game.state), RLock())
    return [LogLine(entry.number, texts, stands=True, kind=entry.kind) for entry in game.entries]


def test_strip_holds_all_moves_since():
    game = played("18rhl").at(200)
    for seat in range(4):
        own = max(entry.number for entry in game.entries if entry.seat == seat)
        found = [line.number for line in since_own(game, lines_of(game), seat)]
        assert found == list(range(own + 1, 201))


def test_strip_is_empty_before_first_move():
    game = played("18rhl").at(2)
    silent = next(seat for seat in range(4) if seat not in {entry.seat for entry in game.entries})
    assert since_own(game, lines_of(game), silent) == []
