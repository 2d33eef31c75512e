"""Instructions in advance: when they act, when they end, and that they never take a duty or a stale position for their turn."""

from __future__ import annotations

import random

import pytest

from tests.builders.random_positions import on_top, with_company
from tests.server.steady import after, an_offer, fresh, in_stock_round, operating, pass_until_awaited, seating, steady
from trajekt.bots.bot import next_action
from trajekt.engine.actions import BuyShare, DiscardTrain, FoundCompany, Pass, SellShares
from trajekt.engine.decisions import refusal
from trajekt.round_label import round_of
from trajekt.rules.auction import Contest
from trajekt.rules.stock_round import StockRound
from trajekt.rules.trains import TooManyTrains
from trajekt.server.refusals import DeniedError
from trajekt.server.services import standing_orders
from trajekt.server.services.standing_orders import (
    Buy,
    DiscardFirst,
    Ended,
    Fire,
    PassSteps,
    PassUntil,
    Sight,
    Wait,
    give,
    judge,
)

GAMES = ("18rhl", "18lra", "18ruhr", "18do")


def bought(game, company, seat):
    """Somebody awaited buys the certificate that an instruction could mean."""
    choice = next(c for c in game.choices(seat) if isinstance(c.action, BuyShare) and c.action.company == company)
    return game.play(choice.action, seat)


# Pass until -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_passing_ends_with_the_round(name):
    game = in_stock_round(name)
    seat = next(s for s in range(3) if s not in game.to_act)
    given, made, automatic = give(game, seat, PassUntil("end")), 0, set()
    players, rng = seating(game), random.Random(5)
    while round_of(game.state).key == "SR 2":
        verdict = judge(Sight(game, frozenset(automatic)), given)
        if isinstance(verdict, Fire):
            assert verdict.action == Pass()
            assert seat in game.to_act
            automatic.add(game.play(verdict.action, seat).number)
            made += 1
            continue
        if isinstance(verdict, Ended):
            assert verdict.reason == "duty"
            assert seat in game.to_act
            assert refusal(game.ruleset, game.state, seat, Pass()) is not None
            return
        who, action = next_action(game.ruleset, game.state, players, rng)
        if who == seat and round_of(game.state).key == "SR 2" and isinstance(action, Pass):
            raise AssertionError("it waited where it should have passed")
        game.play(action, who)
    assert made
    assert judge(Sight(game, frozenset(automatic)), given) == Ended("round")


def test_only_own_concern_ends_it():
    game = steady(in_stock_round(number=1), lambda g: any(isinstance(c.action, BuyShare) for c in g.choices()))
    actor = game.to_act[0]
    buys = [c.action for c in game.choices(actor) if isinstance(c.action, BuyShare)]
    mine = {c.id: {*c.shareholders, c.director} for c in game.state.companies.values()}
    touched, left = set(), set()
    for action in buys:
        other = game.at(game.number)
        seats = [s for s in range(3) if s != actor]
        given = {seat: give(other, seat, PassUntil("mine")) for seat in seats}
        entry = other.play(action, actor)
        for seat in seats:
            verdict = judge(Sight(other), given[seat])
            if seat in mine[action.company]:
                touched.add(action.company)
                assert verdict == Ended("concern", entry.number)
            else:
                left.add(action.company)
                assert not isinstance(verdict, Ended)
    assert touched
    assert left


def test_any_action_but_pass_ends_it():
    game = in_stock_round()
    actor = game.to_act[0]
    seat = after(game, actor)
    given = give(game, seat, PassUntil("any"))
    passed = game.at(game.number)
    passed.play(Pass(), actor)
    assert not isinstance(judge(Sight(passed), given), Ended)
    choice = next(c for c in game.choices(actor) if isinstance(c.action, BuyShare | FoundCompany | SellShares))
    entry = game.play(choice.action, actor)
    assert judge(Sight(game), given) == Ended("concern", entry.number)


def test_own_action_ends_it():
    game = in_stock_round()
    seat = game.to_act[0]
    given = give(game, seat, PassUntil("end"))
    assert judge(Sight(game), given) == Fire(Pass())
    entry = game.play(Pass(), seat)
    assert judge(Sight(game), given) == Ended("acted", entry.number)
    assert not isinstance(judge(Sight(game, frozenset({entry.number})), given), Ended)


@pytest.mark.case("B96")
def test_instruction_outlasts_undo_after_it():
    game = steady(in_stock_round(number=1), lambda g: any(isinstance(c.action, BuyShare) for c in g.choices()))
    actor = game.to_act[0]
    bought = next(c.action for c in game.choices(actor) if isinstance(c.action, BuyShare))
    trial = game.at(game.number)
    trial.play(Pass(), actor)
    seat = trial.to_act[0]
    given = give(game, seat, PassUntil("end"))
    game.play(Pass(), actor)
    assert judge(Sight(game), given) == Fire(Pass())
    passed = game.play(Pass(), seat).number
    game.undo(actor, to=given.number)  # the actor takes back his action, and the pass by instruction goes along
    sight = Sight(game, frozenset({passed}))
    assert judge(sight, given) == Wait()
    game.play(bought, actor)
    assert judge(sight, given) == (Fire(Pass()) if seat in game.to_act else Wait())


@pytest.mark.case("B96")
def test_undo_ends_resting_instruction():
    game = in_stock_round()
    actor = game.to_act[0]
    game.play(Pass(), actor)
    given = give(game, after(game, actor), PassUntil("end"))
    entry = game.undo()
    assert judge(Sight(game), given) == Ended("undo", entry.number)


@pytest.mark.case("B96")
@pytest.mark.parametrize("own", [True, False])
def test_undo_returning_turn_ends_instruction(own):
    game = in_stock_round()
    actor = game.to_act[0]
    seat = after(game, actor)
    game.play(Pass(), actor)
    given = give(game, seat, PassUntil("end"))
    passed = game.play(Pass(), seat).number
    entry = game.undo(seat if own else actor, to=given.number)
    assert judge(Sight(game, frozenset({passed})), given) == Ended("undo", entry.number)


def test_forbidden_pass_is_not_made(monkeypatch):
    game = in_stock_round()
    seat = game.to_act[0]
    given = give(game, seat, PassUntil("end"))
    forbidden = refusal(game.ruleset, game.state, (seat + 1) % 3, Pass())
    assert forbidden is not None
    monkeypatch.setattr(standing_orders, "refusal", lambda *_args: forbidden)
    assert judge(Sight(game), given) == Ended("duty")


def test_instruction_waits_for_stock_round():
    game = steady(fresh(), lambda g: round_of(g.state).kind == "operating")
    number = round_of(game.state).set + 1
    given = give(game, 1, PassUntil("end"))
    assert given.round == f"SR {number}"
    assert judge(Sight(game), given) == Wait()
    steady(game, lambda g: round_of(g.state).key == given.round)
    pass_until_awaited(game, 1)
    assert judge(Sight(game), given) == Fire(Pass())
    steady(game, lambda g: round_of(g.state).kind == "operating")
    assert isinstance(judge(Sight(game), given), Ended)


def test_auction_passes_but_not_contests():
    game = fresh()
    seat = next(s for s in range(3) if s not in game.to_act)
    given = give(game, seat, PassUntil("end"))
    assert (given.round, given.frame) == ("SR 1", "auction")
    pass_until_awaited(game, seat)
    assert judge(Sight(game), given) == Fire(Pass())
    contested = steady(fresh(), lambda g: isinstance(g.state.top, Contest) or round_of(g.state).kind == "operating")
    if isinstance(contested.state.top, Contest):
        bidder = contested.to_act[0]
        assert judge(Sight(contested), give(contested, bidder, PassUntil("end"))) == Wait()


def test_auction_ends_before_its_round():
    game = fresh()
    given = give(game, 1, PassUntil("end"))
    steady(game, lambda g: isinstance(g.state.top, StockRound))
    assert round_of(game.state).key == given.round
    by_bots = frozenset(e.number for e in game.entries)
    assert judge(Sight(game, by_bots), given) == Ended("round")


# Buy --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_purchase_follows_the_price(name):
    found = in_stock_round(name, 3)

    def can_buy(game):
        return any(
            str(c.action.__struct_config__.tag).startswith("buy_") and "percent" in c.action.__struct_fields__
            for c in game.choices(game.to_act[0])
        )

    game = steady(found, can_buy)
    seat = game.to_act[0]
    action, cost = an_offer(game, seat)
    order = Buy(action.company, action.source, action.percent, cost)
    given = give(game, seat, order)
    assert judge(Sight(game), given) == Fire(action)
    dear = give(game, seat, Buy(action.company, action.source, action.percent, cost - 1))
    assert judge(Sight(game), dear) == Ended("dear")
    entry = game.play(action, seat)
    made = frozenset({entry.number})
    assert judge(Sight(game, made), given) == Ended("done", entry.number)


def test_sold_out_share_ends_it():
    game = steady(in_stock_round(number=1), lambda g: any(isinstance(c.action, BuyShare) for c in g.choices()))
    actor = game.to_act[0]
    seat = after(game, actor)
    action, cost = an_offer(game, actor)
    given = give(game, seat, Buy(action.company, action.source, action.percent, cost))
    while (action.source, action.percent) in standing_orders.offered(game.state, action.company):
        who = game.to_act[0]
        same = [c.action for c in game.choices(who) if c.action == action]
        if who == seat or not same:
            game.play(Pass(), who)
            if who == seat:
                return  # he would have bought himself: nothing to see here
        else:
            game.play(action, who)
    assert judge(Sight(game), given) == Ended("gone")


@pytest.mark.case("B96")
def test_floated_company_is_refused():
    game = in_stock_round()
    company = next(c for c in game.state.companies.values() if c.floated and standing_orders.offered(game.state, c.id))
    source, percent = standing_orders.offered(game.state, company.id)[0]
    with pytest.raises(DeniedError) as refused:
        give(game, 0, Buy(company.id, source, percent, 999, "floated"))
    assert refused.value.code == "order_floated"


@pytest.mark.case("B96")
def test_it_stops_when_the_company_floats():
    game = in_stock_round(number=1)

    def open_company(g):
        seat = g.to_act[0]
        return [
            c.action
            for c in g.choices(seat)
            if isinstance(c.action, BuyShare) and not g.state.companies[c.action.company].floated
        ]

    game = steady(game, lambda g: round_of(g.state).kind == "stock" and bool(open_company(g)))
    action = open_company(game)[0]
    seat = game.to_act[0]
    given = give(game, seat, Buy(action.company, action.source, action.percent, 10_000, "floated"))
    automatic = set()
    for _ in range(60):
        verdict = judge(Sight(game, frozenset(automatic)), given)
        if isinstance(verdict, Ended):
            break
        if isinstance(verdict, Fire):
            assert not game.state.companies[action.company].floated
            automatic.add(game.play(verdict.action, seat).number)
        else:
            game.play(Pass(), game.to_act[0])
    assert automatic
    assert verdict.reason in ("floated", "gone", "impossible", "round")


@pytest.mark.parametrize(
    "order", [Buy("RhE", "charter", 10, 0), Buy("???", "io", 10, 100), Buy("RhE", "moon", 10, 100)]
)
def test_impossible_purchase_is_refused_when_given(order):
    game = in_stock_round()
    with pytest.raises(DeniedError):
        give(game, 0, order)


# Steps and discards -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_passed_steps_last_one_turn(name):
    game = operating(name)
    company, seat = game.state.top.company, game.to_act[0]
    given = give(game, seat, PassSteps(company, ("track",)))
    assert judge(Sight(game), given) == Fire(Pass())
    entry = game.play(Pass(), seat)
    made = Sight(game, frozenset({entry.number}))
    assert judge(made, given) == Wait()
    turn = round_of(game.state).key
    steady(game, lambda g: getattr(g.state.top, "company", None) != company or round_of(g.state).key != turn)
    assert judge(Sight(game, frozenset({entry.number})), given) == Ended("turn_over")


def test_own_action_in_step_ends_it():
    game = operating()
    company, seat = game.state.top.company, game.to_act[0]
    given = give(game, seat, PassSteps(company, ("track", "station")))
    laid = next(c for c in game.choices(seat) if c.action.__struct_config__.tag == "lay_tile")
    entry = game.play(laid.action, seat)
    assert judge(Sight(game), given) == Ended("acted", entry.number)


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (PassSteps("RhE", ("run",)), "order_no_step"),
        (PassSteps("RhE", ()), "order_no_step"),
        (PassSteps("???", ("track",)), "order_not_director"),
        (DiscardFirst("RhE", ("9",)), "order_no_train"),
    ],
)
def test_only_directors_pass_existing_steps(order, code):
    game = steady(fresh(), lambda g: g.state.companies["RhE"].director is not None)
    seat = game.state.companies["RhE"].director
    with pytest.raises(DeniedError) as refused:
        give(game, seat, order)
    assert refused.value.code == code
    with pytest.raises(DeniedError) as refused:
        give(game, (seat + 1) % 3, order)
    assert refused.value.code == "order_not_director"


def test_the_named_train_is_discarded_first():
    game = steady(fresh(), lambda g: any(c.floated for c in g.state.companies.values()))
    company = next(c for c in game.state.companies.values() if c.floated)
    seat = company.director
    over = on_top(with_company(game.state, company.id, trains=("2", "3", "3", "2", "3")), TooManyTrains((company.id,)))
    game._states[game.head] = over
    assert {c.action for c in game.choices(seat)} >= {DiscardTrain(company.id, "2"), DiscardTrain(company.id, "3")}
    given = give(game, seat, DiscardFirst(company.id, ("3",)))
    assert judge(Sight(game), given) == Fire(DiscardTrain(company.id, "3"))
    first = give(game, seat, DiscardFirst(company.id, ("2", "3")))
    assert judge(Sight(game), first) == Fire(DiscardTrain(company.id, "2"))
    game._states[game.head] = with_company(over, company.id, trains=("2", "2", "2", "2", "2"))
    assert judge(Sight(game), given) == Ended("no_train")
    game._states[game.head] = with_company(over, company.id, director=(seat + 1) % 3)
    assert judge(Sight(game), given) == Ended("director")
