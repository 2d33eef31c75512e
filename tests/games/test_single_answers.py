"""Who has one answer alone is not asked: random games of each game and edition, each question counted."""

from __future__ import annotations

import random

import pytest

from trajekt import new_game
from trajekt.engine.actions import (
    BuyTrain,
    ChooseForcedTrain,
    DeclareBankruptcy,
    DeclineOffer,
    EndTurn,
    Pass,
    RunTrains,
    SellCharterShares,
    SellShares,
    TakeLoan,
)
from trajekt.games.do.actions import BuyBec, ForcePurchase
from trajekt.games.ruhr.actions import ForceTrain

TABLES = (
    ("18rhl", {"edition": 1}, 4),
    ("18rhl", {"edition": 2}, 3),
    ("18lra", {}, 3),
    ("18lra", {"investor": True}, 2),
    ("18lra", {"short_game": True}, 3),
    ("18ruhr", {}, 4),
    ("18do", {}, 3),
    ("18do", {"game": "expert"}, 4),
    ("18do", {"game": "railway"}, 4),
    ("18do", {"game": "introduction"}, 3),
)
STAYS = (RunTrains, BuyTrain, ChooseForcedTrain, ForceTrain, ForcePurchase, BuyBec)
"""Routes may be others than the best that are offered; a train or equipment that must be bought is bought by its owner."""
MISSING = (SellShares, SellCharterShares, TakeLoan, DeclareBankruptcy)
"""What a forced purchase asks for at its end is done by the hand of its player."""


@pytest.mark.rule("COMMON-OR-04")
@pytest.mark.parametrize(
    ("name", "options", "players"), TABLES, ids=lambda v: str(v) if not isinstance(v, int) else None
)
def test_single_answers_are_not_asked(name, options, players):
    found = set()
    for seed in (1, 2):
        game, rng = new_game(name, [f"P{n}" for n in range(players)], options, seed=seed), random.Random(seed)
        for _ in range(900):
            choices = [choice for seat in game.to_act for choice in game.choices(seat)]
            if not choices:
                break
            if len(choices) == 1 and not choices[0].spans and not isinstance(choices[0].action, (*STAYS, *MISSING)):
                found.add((type(game.state.top).__name__, getattr(game.state.top, "step", ""), choices[0].action))
            weights = [1 if isinstance(c.action, Pass | EndTurn | DeclineOffer) else 4 for c in choices]
            choice = rng.choices(choices, weights)[0]
            game.play(choice.action, choice.seat)
    assert found == set()
