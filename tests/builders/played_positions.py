"""Positions in mid-game as bots reach them: nothing in them is built by hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import trajekt
from trajekt.bots.bot import make_bot, next_move
from trajekt.engine.state import State


@cache
def played(game: str, actions: int, seed: int = 5, kind: str = "steady") -> trajekt.Game:
    """A game of three bots after so many actions, or at its end."""
    made = trajekt.new_game(game, ["Ada", "Bert", "Cleo"], seed=seed)
    rng = random.Random(seed)
    bots = [make_bot(kind, random.Random(seed + seat)) for seat in range(3)]
    while made.number < actions and not made.finished:
        found = next_move(made.ruleset, made.state, bots, rng)
        assert found is not None
        made.play(found[1].action, found[0])
    return made


def violations(game: trajekt.Game, change: Callable[[State], State] = lambda state: state) -> set[str]:
    """What the invariants find in the position once it is changed, up to the colon: their numbers."""
    state = change(game.state)
    return {found.partition(":")[0] for invariant in game.ruleset.invariants for found in invariant(state)}
