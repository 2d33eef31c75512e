"""A tile that is looked at says what the company's runs would earn with it."""

from __future__ import annotations

import re

import pytest

from tests.builders.played_moments import laying_step
from tests.builders.real_tables import played, real_table
from tests.builders.rhl_positions import ruleset, table
from trajekt.engine.actions import BuyTrain, LayTile
from trajekt.engine.decisions import Decision, decide
from trajekt.i18n.sentences import Speaker, catalogue
from trajekt.rules.operating_round import current_turn
from trajekt.server.presenters.run_effect import board_effect, run_effect, would_earn


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


# a board on which the longest run of one 3-train, Neuss to Düren for 120 M, leaves nothing to another
SHARED = "H9 #4 r2; G8 #8 r3; J9 #9 r0; K8 #8 r1; K6 #15 r1; K4 #4 r1; I10 #923; F9 #922; E8 #935 r1; K2 #930"


def test_preview_shares_track_among_trains():
    state = table("R2", "RhE", tiles=SHARED, stations="RhE I10:a", phase="green")
    rules = ruleset("R2")
    assert would_earn(rules, state, "RhE", ("3",)) == 120
    assert would_earn(rules, state, "RhE", ("3", "3")) == 220


def test_preview_tells_proved_best_runs():
    """What a company would run for with the trains that it has is what it runs for at best."""
    game = laying_step("18rhl")
    earning = [c for c in game.state.companies.values() if c.trains and game.best_runs(c.id).revenue]
    assert len(earning) > 1
    for company in earning:
        best = game.best_runs(company.id)
        assert would_earn(game.ruleset, game.state, company.id, company.trains) == best.revenue


def test_first_sold_train_is_told():
    """What a 2-train earns is said with a 2-train while one is on sale, not with the kind after it."""
    before = table("R2", "ADR", stations="ADR K2:a")
    after = table("R2", "ADR", tiles="K4 #4 r1", stations="ADR K2:a")
    speaker = Speaker(catalogue("en", "trajekt.server", "trajekt.games.rhl"), before.sheet, ("Ada", "Bert", "Cleo"))
    said = board_effect(ruleset("R2"), before, "ADR", after.board, speaker)
    assert "with 2-train runs of 50" in said
