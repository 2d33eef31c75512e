"""Reasons of bots that name a price name one that is paid."""

from __future__ import annotations

import random

import pytest

from trajekt.bots.bot import make_bot, view_of
from trajekt.game import new_game
from trajekt.registry import names, title


@pytest.mark.parametrize("name", names())
def test_no_reason_names_price_zero(name):
    game = new_game(title(name).id, ("Ada", "Bert", "Cleo"), seed=3)
    for _ in range(30):  # the package, and a little more
        seat = game.to_act[0]
        move = make_bot("steady", random.Random(1)).choose(view_of(game.ruleset, game.state, seat))
        if move.reason.key != "bot.bid":  # a bid may add nothing to the printed price
            assert move.reason.values.get("price") != 0, move.reason
        game.play(move.action, seat)
