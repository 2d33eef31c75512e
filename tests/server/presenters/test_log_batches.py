"""The log in batches: all lines once, the newest with their text, and a tag that differs where a line does."""

from __future__ import annotations

from dataclasses import replace
from threading import RLock

import pytest

from tests.builders.played_moments import played
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.game_log import BATCH, LULL, NEAR, EntryTexts, LogLine, batches, log
from trajekt.server.storage.cached_game import CachedGame

GAME = played("18rhl")
TEXTS = EntryTexts(GAME, Viewer().speaker(GAME.title, GAME.state), RLock())


def lines(count):
    return [LogLine(n + 1, TEXTS, stands=True, kind="action") for n in range(count)]


@pytest.mark.parametrize("count", [0, 1, BATCH, BATCH + 1, 7 * BATCH + 3])
def test_each_line_stands_once(count):
    found = batches(lines(count))
    assert [line.number for batch in found for line in batch.lines] == list(range(1, count + 1))
    assert [batch.n for batch in found] == list(range(len(found)))


def test_only_the_newest_are_near():
    found = batches(lines(7 * BATCH + 3))
    assert [batch.near for batch in found] == [False] * (len(found) - NEAR) + [True] * NEAR


def test_tag_differs_where_a_line_differs():
    before = lines(3 * BATCH)
    after = [*before[:5], replace(before[5], stands=False), *before[6:]]
    pairs = list(zip(batches(before), batches(after), strict=True))
    assert [old.tag == new.tag for old, new in pairs] == [False, True, True]


def test_only_near_lines_get_words():
    game = played("18rhl").at(7 * BATCH)
    lines = log(CachedGame("x", game), game.number, Viewer().speaker(game.title, game.state))
    for batch in batches(lines):
        if batch.near:
            assert all(line.text for line in batch.lines)
    assert set(lines[0].texts.known) == {line.number for line in lines[-NEAR * BATCH :]}


def test_time_is_told_after_a_while():
    game = played("18rhl").at(5)
    times = [1000.5, 1003.0, 1003.0 + LULL, 1004.0 + LULL, 90_000.0]
    lines = log(CachedGame("x", game, timestamps=times), game.number, Viewer().speaker(game.title, game.state))
    assert [line.time for line in lines] == [1000, 0, 1003 + LULL, 0, 90_000]


def test_imported_game_has_no_times():
    game = played("18rhl").at(3)
    lines = log(CachedGame("x", game, timestamps=[7.5] * 3), game.number, Viewer().speaker(game.title, game.state))
    assert [line.time for line in lines] == [0, 0, 0]
