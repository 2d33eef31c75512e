"""The first question of CME, BME and RhE: the train that they may buy before their first tile (DO-FLOAT-05)."""

from __future__ import annotations

import pytest

from tests.builders.do_positions import choices, corporation, position, rules, turn
from tests.builders.random_positions import act
from trajekt import new_game
from trajekt.engine.actions import BuyTrain, FoundCompany, Pass, PlaceBid
from trajekt.engine.agenda import run
from trajekt.engine.ruleset import Draft
from trajekt.game import Game
from trajekt.games.do.actions import BuyCertificate, OwnCertificate
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.stock_round import StockRound


def to_first_turn(company: str, **options: object) -> Game:
    """A game in which one railway floats in the first stock round, at the first question of its turn."""
    game = new_game("18do", ["Ada", "Bert", "Cleo"], {"fixed_seats": True, **options}, seed=1)
    rng = [number for number, private in game.state.privates.items() if private.open]
    for number in rng[:3]:
        game.play(PlaceBid(number, 0))
    while not isinstance(game.state.top, StockRound):
        game.play(Pass())
    game.play(FoundCompany(company, 65))
    while not game.state.companies[company].floated:
        game.play(BuyCertificate(company, "charter", 10))
    while isinstance(game.state.top, StockRound):
        game.play(Pass())
    return game


@pytest.mark.rule("DO-FLOAT-05")
@pytest.mark.parametrize("variant", ["full", "expert"])
@pytest.mark.parametrize("company", ["CME", "BME", "RhE"])
def test_first_question_offers_the_train(company, variant):
    game = to_first_turn(company, game=variant)
    top = game.state.top
    assert isinstance(top, CompanyTurn)
    assert (top.company, top.step) == (company, "first")
    assert BuyTrain("display", "2", 80) in [choice.action for choice in game.choices()]
    game.play(BuyTrain("display", "2", 80))
    assert game.state.companies[company].trains == ("2",)


@pytest.mark.rule("DO-FLOAT-05")
def test_other_railways_begin_with_track():
    assert to_first_turn("KWE", kwe_token="none").state.top.step == "track"


def first_asked(state, players=4):
    """A turn as the round opens it, at its first question."""
    draft = Draft(rules(players), turn(state, "CME", ""))
    run(draft)
    return draft.state


@pytest.mark.rule("DO-FLOAT-05", "DO-ORDER-05")
def test_own_certificate_pays_the_first_train():
    poor = corporation(position(4), "CME", 60, 0, treasury=30, operated=False)
    asked = first_asked(poor)
    assert asked.top.step == "first"
    assert choices(rules(4), asked, 0, BuyTrain) == []
    dealt = act(rules(4), asked, 0, OwnCertificate("sell", 10)).state
    assert BuyTrain("display", "2", 80) in choices(rules(4), dealt, 0, BuyTrain)


@pytest.mark.rule("DO-FLOAT-05")
def test_no_question_without_the_means():
    broke = corporation(position(4), "CME", 60, 0, sizes={"Bert": (10,) * 3, "pool": (10,) * 5}, operated=False)
    assert first_asked(broke).top.step == "track"
