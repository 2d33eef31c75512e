"""A newcomer's first game against two bots, as the start page opens it."""

from __future__ import annotations

import random

from trajekt.bots.bot import make_bot, view_of
from trajekt.engine.actions import Action
from trajekt.engine.state import Seat
from trajekt.game import Game, new_game
from trajekt.i18n.sentences import tag_of

OWN = 0
"""The newcomer's seat."""


def first_game() -> Game:
    """The game at its beginning."""
    return new_game("18rhl", ("Guest", "Borsig", "Harkort"), {"edition": 2, "fixed_seats": True}, 7)


def next_move(game: Game, seat: Seat) -> Action:
    """The move of a seat: a newcomer buys the cheapest private company while one is for sale, else moves as a bot would."""
    first = next((c.action for c in game.choices() if tag_of(c.action) == "buy_private"), None)
    if seat == OWN and first is not None:
        return first
    view = view_of(game.ruleset, game.state, seat)
    assert view is not None
    move = make_bot("steady", random.Random(game.number)).choose(view)
    assert move is not None
    return move.action
