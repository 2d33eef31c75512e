"""A tile that is looked at says what the company's runs would earn with it."""

from __future__ import annotations

import re

import pytest

from tests.builders.played_moments import laying_step
from tests.builders.real_tables import played, real_table
from trajekt.engine.actions import BuyTrain, LayTile
from trajekt.engine.decisions import Decision, decide
from trajekt.i18n.sentences import Speaker, catalogue
from trajekt.rules.operating_round import current_turn
from trajekt.server.presenters.run_effect import run_effect


@pytest.fixture(scope="module")
def game():
    return laying_step("18rhl")


def effects(game, language):
    speaker = Speaker(catalogue(language, "trajekt.server", game.title.package), game.state.sheet, game.state.names)
    lays = [choice for choice in game.choices() if isinstance(choice.action, LayTile)][:40]
    for choice in lays:
        answer = decide(game.ruleset, game.state, choice.seat, choice.action)
        assert isinstance(answer, Decision)
        yield run_effect(game, choice.action, answer.state, speaker)


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_tile_says_its_effect(game, language):
    said = list(effects(game, language))
    assert len(said) > 3
    assert all(line and "‹" not in line and "{" not in line for line in said)


def test_other_actions_have_no_run_effect(game):
    speaker = Speaker(catalogue("en", "trajekt.server", game.title.package), game.state.sheet, game.state.names)
    passes = [choice for choice in game.choices() if not getattr(choice.action, "tile", "")]
    assert passes
    assert current_turn(game.state) is not None
    assert all(run_effect(game, choice.action, game.state, speaker) == "" for choice in passes)


def test_gain_is_sum_less_present_runs(game):
    gains = [re.findall(r"(\d+)\s?M", line) for line in effects(game, "en")]
    assert all(int(found[0]) >= int(found[-1]) > 0 for found in gains if found)


def test_books_only_tell_no_runs():
    """Where the track lies on a real board, a train that is bought says nothing of the empty map here."""
    game = played(real_table("18lra"), lambda here: any(isinstance(c.action, BuyTrain) for c in here.choices()))
    speaker = Speaker(catalogue("en", "trajekt.server", game.title.package), game.state.sheet, game.state.names)
    choice = next(choice for choice in game.choices() if isinstance(choice.action, BuyTrain))
    answer = decide(game.ruleset, game.state, choice.seat, choice.action)
    assert isinstance(answer, Decision)
    assert run_effect(game, choice.action, answer.state, speaker) == ""
