"""Games that bots have played to a wanted moment."""

from __future__ import annotations

import random

from trajekt.bots.bot import make_bot, next_action
from trajekt.game import new_game
from trajekt.round_label import round_of


def seating(game):
    rng = random.Random(3)
    return [make_bot("steady", rng) for _ in game.state.players]


def steady(game, wanted, most=1500):
    """Let bots play until `wanted(game)`."""
    players, rng = seating(game), random.Random(3)
    for _ in range(most):
        if wanted(game):
            return game
        seat, action = next_action(game.ruleset, game.state, players, rng)
        game.play(action, seat)
    raise AssertionError("never result to it")


def fresh(name="18rhl"):
    options = {"edition": 2} if name == "18rhl" else {}
    return new_game(name, ("Ada", "Bert", "Cleo"), options, 7)


def in_stock_round(name="18rhl", number=2):
    return steady(fresh(name), lambda g: round_of(g.state).key == f"SR {number}")


def operating(name="18rhl"):
    def wanted(game):
        top = game.state.top
        return "company" in top.__struct_fields__ and getattr(top, "step", "") == "track"

    return steady(fresh(name), wanted)


def an_offer(game, seat):
    """A purchase that is open to a seat, with what it costs him."""
    choice = next(
        c
        for c in game.choices(seat)
        if "percent" in c.action.__struct_fields__ and str(c.action.__struct_config__.tag).startswith("buy_")
    )
    before = game.state.players[seat].cash
    tried = game.at(game.number)
    tried.play(choice.action, seat)
    return choice.action, before - tried.state.players[seat].cash
