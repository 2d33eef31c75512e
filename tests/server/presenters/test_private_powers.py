"""Each private company on sale says what it does, in both languages."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from trajekt.engine.events import StationPlaced
from trajekt.game import new_game
from trajekt.records import from_json
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.decision import now
from trajekt.server.presenters.game_log import entry_text

NAMES = ("Ada", "Bert", "Cleo", "Dora")


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(("title", "options"), [("18rhl", {"edition": 1}), ("18rhl", {"edition": 2}), ("18lra", {})])
def test_private_says_what_it_does(title, options, language):
    game = new_game(title, NAMES, options, seed=1)
    speaker = Viewer(language).speaker(game.title, game.state)
    decision = now(game, game.choices(), speaker, range(len(NAMES)))
    notes = {row.title: row.note for group in decision.menu.groups for row in (*group.rows, *group.refused)}
    assert len(notes) >= 5
    assert all(len(note) > 50 for note in notes.values()), notes
    assert "‹" not in "".join(notes.values())


def test_private_on_sale_tells_its_worth():
    game = new_game("18rhl", NAMES, {"edition": 2}, seed=1)
    speaker = Viewer("en").speaker(game.title, game.state)
    decision = now(game, game.choices(), speaker, range(len(NAMES)))
    rows = [row for group in decision.menu.groups for row in (*group.rows, *group.refused)]
    assert sum("worth about" in row.note for row in rows) >= 4


def test_log_names_private_of_station():
    path = Path(__file__).parents[2] / "replays" / "records_of_this_version" / "18rhl-1.json.gz"
    game = from_json(gzip.decompress(path.read_bytes()))
    speaker = Viewer("en").speaker(game.title, game.state)
    told = [
        entry_text(game, entry, speaker)[1]
        for entry in game.entries
        if any(isinstance(event, StationPlaced) and event.cause == "power" for event in entry.events)
    ]
    assert len(told) == 1
    assert "by a power (Concession Essen-Osterath)" in told[0]
