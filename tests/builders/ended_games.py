"""Games that have ended: played for a while between bots, then ended by everybody's agreement."""

from __future__ import annotations

from tests.builders.played_moments import played
from trajekt.engine.actions import OfferEnd
from trajekt.game import Game


def ended_game(title: str = "18rhl", number: int = 120) -> Game:
    """A game that all players end after so many entries."""
    game = played(title, most=number).at(number)
    for seat in range(len(game.names)):
        game.play(OfferEnd(), seat)
    assert game.finished
    return game
