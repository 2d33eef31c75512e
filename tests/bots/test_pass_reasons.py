"""A pass is given its real cause: what was refused, what the best of the rest would bring, or what cash is kept for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.bot_rulesets import ruleset_of
from tests.builders.random_positions import on_top, position, with_cash, with_company, with_holdings, with_market
from trajekt.bots.bot import MoveReason
from trajekt.bots.candidate_moves import Idea, ideas
from trajekt.bots.pass_reasons import why_pass
from trajekt.bots.reasons import sentence, speaker
from trajekt.bots.search import AHEAD, looked_ahead
from trajekt.engine.actions import BuyTrain, DeclineOffer, EndTurn, Pass
from trajekt.engine.ruleset import View
from trajekt.game import new_game
from trajekt.registry import title
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound


def railway(state, company="CME", *, treasury=0, trains=(), price=60, **held):
    state = with_company(
        state, company, founded=True, floated=True, operated=True, par=60, treasury=treasury, trains=trains, director=0
    )
    spaces = {
        state.sheet.market.price((r, c)): (r, c)
        for r in range(1, 9)
        for c in range(1, 20)
        if state.sheet.market.cell((r, c)) is not None
    }
    state = with_market(state, **{company: spaces[price]})
    return with_holdings(state, company, director=0, **held)


def stock_view(state, seat=0):
    state = on_top(replace(state, agenda=(Rounds(3),)), StockRound(3, seat))
    return View(ruleset_of(), state, seat, state.agenda[-1])


def turn_view(state, company, step):
    frames = (Rounds(3, 2, 1), OperatingRound(3, 1, 2, (company,), opened=True), CompanyTurn(company, step))
    state = replace(state, agenda=frames)
    return View(ruleset_of(), state, 0, state.agenda[-1])


def told(view):
    """Why the seat would pass, and that it can be said."""
    reason = next(idea.reason for idea in ideas(view) if isinstance(idea.action, Pass))
    for language in ("en", "de"):
        line = sentence(speaker(title("18rhl"), view.sheet, view.state.names, language), reason)
        assert line.endswith(".")
        assert "{" not in line
        assert "‹" not in line
    return reason


def test_pass_names_cheapest_price():
    view = stock_view(with_cash(railway(position(cash=0)), Ada=30))
    reason = told(view)
    assert reason.key == "bot.pass_poor"
    assert reason.values["cash"] == 30
    assert reason.values["cost"] == 60


def test_no_cheapest_price_beside_cheaper_shares():
    """Where a share can be paid, what costs more than the cash is not the cheapest thing there."""
    state = railway(position(cash=0))
    sale = MoveReason("bot.sell", {"company": "CME", "price": 60, "worth": 90, "amount": -40})
    assert why_pass(stock_view(with_cash(state, Ada=30)), sale).key == "bot.pass_poor"
    assert why_pass(stock_view(with_cash(state, Ada=100)), sale) == MoveReason("bot.pass_keeps", sale.values)


def test_private_left_for_little_gain():
    """What a private is worth above its price is not given as the reason for leaving it."""
    values = {"private": 5, "worth": 150, "price": 145}
    view = stock_view(position())
    assert why_pass(view, MoveReason("bot.bid", values)) == MoveReason("bot.pass_private_near", values)
    assert why_pass(view, MoveReason("bot.private", {**values, "worth": 90})).key == "bot.pass_private"


def test_declined_offer_names_worth_and_price():
    game = new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2}, seed=1)
    for _ in range(3):
        game.play(Pass())
    view = View(game.ruleset, game.state, game.to_act[0], game.state.top)
    reason = next(idea.reason for idea in ideas(view) if isinstance(idea.action, DeclineOffer))
    assert reason.key in ("bot.pass_private", "bot.pass_private_near")
    assert (reason.values["private"], reason.values["price"]) == (1, 15)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("key", [*AHEAD, "bot.pass", "bot.station_now"])
def test_looking_ahead_names_its_move(key, language):
    """Who looked ahead says what for: the share, the price, the train, or that nothing is done."""
    state = position()
    values = {"company": "CME", "price": 85, "par": 75, "train": "4", "amount": 12, "worth": 130}
    action = Pass() if key == "bot.pass" else EndTurn()
    reason = looked_ahead(Idea(1.0, action, MoveReason(key, values)), 7000.4).reason
    assert reason.values["amount"] == 7000
    line = sentence(speaker(title("18rhl"), state.sheet, state.names, language), reason)
    assert "7" in line
    assert "‹" not in line
    assert (reason.key == "bot.ahead") == (key == "bot.station_now")


def test_pass_names_next_train():
    view = turn_view(railway(position(cash=0), treasury=40, trains=("2",)), "CME", "trains")
    reason = told(view)
    assert reason.key == "bot.pass_dear"
    assert reason.values == {"company": "CME", "cost": 100, "treasury": 40}


def test_pass_names_share_and_gain():
    view = stock_view(position(cash=500))
    reason = why_pass(view, MoveReason("bot.buy_share", {"company": "CME", "price": 80, "worth": 61, "amount": -19}))
    assert reason == MoveReason("bot.pass_share", {"company": "CME", "price": 80, "worth": 61, "amount": -19})


def test_pass_names_train_for_cash():
    state = railway(position(cash=500), treasury=10)  # no train, and money for none
    good = MoveReason("bot.buy_share", {"company": "CME", "price": 60, "worth": 90, "amount": -5})
    reason = why_pass(stock_view(state), good)
    assert reason == MoveReason("bot.pass_saving", {"company": "CME", "price": 100, "treasury": 10})
    rich = railway(position(cash=500), treasury=900)
    assert why_pass(stock_view(rich), good).key == "bot.pass_else"


def test_train_is_passed_for_three_reasons():
    view = turn_view(railway(position(cash=500), treasury=900, trains=("2",)), "CME", "trains")
    train = {"company": "CME", "train": "2", "amount": 40, "price": 100, "source": "bank"}
    assert why_pass(view, MoveReason("bot.train", train)).key == "bot.pass_train"
    assert why_pass(view, MoveReason("bot.train_to_come", {**train, "amount": 0})).key == "bot.pass_train_idle"
    assert why_pass(view, MoveReason("bot.train", {**train, "source": "RhE"})).key == "bot.pass_train_there"


def test_dear_trains_go_before_wandering_ones():
    """Who has 40 M where the bank asks 100 speaks of that, not of another company's train that may be moved for 1 M."""
    view = turn_view(railway(position(cash=500), treasury=40, trains=("2",)), "CME", "trains")
    train = {"company": "CME", "train": "2", "amount": 0, "price": 1, "source": "RhE"}
    reason = why_pass(view, MoveReason("bot.train_to_come", train))
    assert reason == MoveReason("bot.pass_dear", {"company": "CME", "cost": 100, "treasury": 40})


def test_train_without_track_is_for_later():
    """A train that adds nothing on today's track is not said to bring 0 Mark more."""
    keys = {}
    for trains in ((), ("2",)):
        view = turn_view(railway(position(cash=500), treasury=900, trains=trains), "CME", "trains")
        reasons = [idea.reason for idea in ideas(view) if isinstance(idea.action, BuyTrain)]
        assert {reason.values["amount"] for reason in reasons} == {0}
        keys[trains] = {reason.key for reason in reasons}
        for language in ("en", "de"):
            line = sentence(speaker(title("18rhl"), view.sheet, view.state.names, language), reasons[0])
            assert "0" not in line
    assert keys == {(): {"bot.first_train_to_come"}, ("2",): {"bot.train_to_come"}}


def test_pass_tells_how_much_worse():
    view = stock_view(position(cash=500))
    assert why_pass(view, MoveReason("bot.position_less", {"amount": 25})) == MoveReason(
        "bot.pass_worse", {"amount": 25}
    )
    assert why_pass(view, MoveReason("bot.position_even")) == MoveReason("bot.pass_even")
    assert why_pass(view, MoveReason("why.keeps", {"amount": -7})) == MoveReason("bot.pass_worse", {"amount": 7})
