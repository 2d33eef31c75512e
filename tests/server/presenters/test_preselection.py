"""Nothing that costs is one press away: what the page chooses beforehand."""

from __future__ import annotations

import json

import pytest

from tests.builders.played_moments import GAMES, played
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.decision import now

WAYS_OUT = {"pass", "end_turn", "decline", "decline_offer", "decline_end"}
FREE = {"pay_out", "withhold"}


def decisions(title: str, every: int):
    game = played(title)
    for number in range(0, game.number, every):
        moment = game.at(number)
        speaker = Viewer("en").speaker(moment.title, moment.state)
        yield moment, now(moment, moment.choices(), speaker, range(len(moment.state.players)))


@pytest.mark.parametrize("title", GAMES)
def test_nothing_costly_is_preselected(title):
    seen = 0
    for moment, decision in decisions(title, every=7):
        chosen = decision.preselected
        if not chosen:
            continue
        kinds = {choice.action.__struct_config__.tag for choice in moment.choices()}
        assert not kinds & WAYS_OUT
        assert json.loads(chosen)["kind"] == "pay_out"
        assert kinds <= FREE
        seen += 1
    assert seen  # a dividend is proposed


@pytest.mark.parametrize("title", GAMES)
def test_question_follows_what_is_left(title):
    for moment, decision in decisions(title, every=9):
        lit = {choice.action.hex for choice in moment.choices() if hasattr(choice.action, "hex")}
        assert ("lay a tile?" in decision.question) <= bool(lit)
        assert ("build a station?" in decision.question) <= bool(lit)
