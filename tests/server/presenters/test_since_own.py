"""The strip *since your move*: what others did after a seat's newest action."""

from __future__ import annotations

from tests.builders.played_moments import played
from trajekt.server.presenters.game_log import LogLine, since_own


def lines_of(game) -> list[LogLine]:
    return [LogLine(entry.number, str(entry.number), "", stands=True, kind=entry.kind) for entry in game.entries]


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
