"""The words of a frame, for the texts that ask about it."""

from __future__ import annotations

from trajekt.game import new_game
from trajekt.i18n.sentences import Speaker, catalogue
from trajekt.rules.trains import TooManyTrains
from trajekt.server.presenters.decision import frame_words


def test_lists_are_told_one_by_one():
    game = new_game("18rhl", ["Ada", "Bert", "Cleo"], seed=1)
    speaker = Speaker(catalogue("de", game.title.package), game.state.sheet, game.names)
    assert frame_words(TooManyTrains(("ADR", "CME")), speaker)["companies"] == "ADR, CME"
