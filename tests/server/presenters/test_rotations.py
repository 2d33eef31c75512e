"""Rotations told in words, judged by the drawing's geometry and by the track that lies there."""

from __future__ import annotations

import json
import math

import pytest

from tests.builders.played_moments import GAMES, laying_step
from trajekt.engine.actions import LayTile
from trajekt.engine.board.hexgrid import centre
from trajekt.engine.components.schema import FIRST_STOP
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.hex_info import tile_choices
from trajekt.server.presenters.rotations import joined


@pytest.mark.parametrize("game", GAMES)
def test_each_exit_meets_a_neighbour(game):
    moment = laying_step(game, 2)
    board, sheet = moment.state.board, moment.state.sheet
    lays = [choice.action for choice in moment.choices() if isinstance(choice.action, LayTile)]
    assert lays
    for lay in lays:
        meeting, open_ends = joined(board, lay.hex, lay.tile, lay.rotation)
        assert not set(meeting) & set(open_ends)
        x, y = centre(lay.hex, sheet.layout)
        for other in (*meeting, *open_ends):
            u, v = centre(other, sheet.layout)
            assert math.hypot(u - x, v - y) == pytest.approx(math.sqrt(3), abs=0.01)
        assert all(board.face(other).track for other in meeting)
    assert any(joined(board, lay.hex, lay.tile, lay.rotation)[0] for lay in lays)


def after(moment, action):
    """What lies on a hex after a lay, told without the numbers of its stops: track, and the edges that each station reaches."""
    game = moment.at(moment.number)
    game.play(action)
    at, face = action.hex, game.state.board.face(action.hex)
    reached = [
        frozenset(end for p in face.track if stop in (p.a, p.b) for end in (p.a, p.b) if end < FIRST_STOP)
        for stop in range(FIRST_STOP, FIRST_STOP + len(face.stops))
    ]
    through = frozenset((p.a, p.b) for p in face.track if p.b < FIRST_STOP)
    stations = frozenset((s.company, s.kind, reached[s.stop]) for s in game.state.board.contents(at).stations)
    return through, frozenset(reached), stations, face.banks


@pytest.mark.parametrize("game", GAMES)
def test_page_offers_each_result_once(game):
    moment, collapsed = laying_step(game, 2), 0
    speaker = Viewer().speaker(moment.title, moment.state)
    lays = [choice for choice in moment.choices() if isinstance(choice.action, LayTile)]
    by_hex = {}
    for lay in lays:
        by_hex.setdefault(lay.action.hex, []).append(lay)
    for at, here in by_hex.items():
        for offered in tile_choices(moment, here, speaker, at):
            turns = {turn["action"]["turn"] for turn in json.loads(offered.actions)}
            legal = [lay.action for lay in here if lay.action.tile == offered.tile]
            if len(legal) > 1:
                results = {lay.rotation: after(moment, lay) for lay in legal}
                shown = [results[turn] for turn in turns]
                assert len(shown) == len(set(shown)), (at, offered.tile)
                assert set(shown) == set(results.values()), (at, offered.tile)
                collapsed += len(legal) > len(turns)
    assert collapsed
