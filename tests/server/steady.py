"""Games that bots have played to a wanted moment."""

from __future__ import annotations

import random

from trajekt.bots.bot import make_bot, next_action
from trajekt.engine.actions import Pass
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


def after(game, seat):
    """The seat whose turn comes next but one: neither awaited nor `seat`."""
    return next(s for s in range(len(game.state.players)) if s not in game.to_act and s != seat)


def pass_until_awaited(game, seat):
    """Everybody else passes until `seat` is awaited; duties are done by a bot."""
    while seat not in game.to_act:
        who = game.to_act[0]
        if game.why_not(Pass(), who) is None:
            game.play(Pass(), who)
        else:
            steady_step(game)
    return game


def steady_step(game):
    seat, action = next_action(game.ruleset, game.state, seating(game), random.Random(1))
    game.play(action, seat)
