"""Rotations told in words, judged by the drawing's geometry and by the track that lies there."""

from __future__ import annotations

import math

import pytest

from tests.builders.played_moments import GAMES, laying_step
from trajekt.engine.actions import LayTile
from trajekt.engine.board.hexgrid import centre
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
