"""Moves that no player would make are counted over whole games between `steady` players: none, or as few as said here."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.builders.bot_rulesets import ruleset_of
from trajekt.bots.absurd_moves import (
    ABSURD,
    BACK,
    GIVEN,
    IDLE,
    OVERBID,
    RUED,
    SHORT,
    TRAINLESS,
    UNFLOATED,
    AbsurdMoves,
    table,
)
from trajekt.bots.arena import schedule
from trajekt.bots.bot import make_bot, next_move
from trajekt.bots.candidate_moves import after, ideas
from trajekt.bots.evaluation import LASTING, cheapest, lacking, life
from trajekt.engine.actions import BuyShare, BuyTrain, FoundCompany, Pass, PayOut, PlaceBid, SellShares
from trajekt.engine.decisions import decide, start
from trajekt.engine.ruleset import View
from trajekt.round_label import round_of
from trajekt.rules.operating_round import current_turn
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound


def counts_of(game, games):
    found = table(schedule(game, ["steady"] * 3, games, 100_000))
    assert [each.name for each in found] == list(ABSURD)
    return {each.name: each for each in found}


def judge(found):
    """No absurd move of a kind that is mended, and enough of those that might have been."""
    assert found[UNFLOATED].chances > 3
    assert found[BACK].chances > 5
    assert [each for each in found.values() if each.made and each.name not in {BACK, GIVEN, IDLE, RUED}] == []
    # another may buy the last train before a company whose own was passed on has its turn, or want more than was foreseen
    assert found[BACK].made + found[GIVEN].made <= 1 + found[BACK].chances / 25
    # others may buy sooner than anybody expects
    assert found[RUED].made <= found[RUED].chances / 50
    # the EH of 18Ruhr may be founded a set before it may operate
    assert found[IDLE].made <= found[IDLE].chances / 30


def test_no_absurd_move_in_two_games():
    judge(counts_of("18rhl", 2))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["18lra", "18do", "18ruhr"])
def test_no_absurd_move_elsewhere(game):
    judge(counts_of(game, 2))


# The counts see what they count -----------------------------------------------------------------------------------------


def reached(wanted, edition=2, seed=9):
    """The first view of a game between `steady` players that is wanted, and the move chosen there."""
    ruleset, rng = ruleset_of(edition), random.Random(seed)
    players = [make_bot("steady", rng) for _ in range(3)]
    state = start(ruleset, ("Ada", "Bert", "Cleo"), seed).state
    while not state.outcome:
        seat, move = next_move(ruleset, state, players, rng)
        view = View(ruleset, state, seat, state.agenda[-1])
        if wanted(view, move.action):
            return view, move.action
        state = decide(ruleset, state, seat, move.action).state
    raise AssertionError("no such position")


def made(name, view, *actions):
    seen = AbsurdMoves()
    for action in actions:
        seen(view, action)
    return seen.made[name], seen.chances[name]


def test_bid_beyond_all_income_is_seen():
    view, action = reached(lambda view, action: isinstance(action, PlaceBid) and not printed(view, action).brings)
    assert made(OVERBID, view, action) == (0, 1)
    assert made(OVERBID, view, PlaceBid(action.private, 10 * printed(view, action).price)) == (1, 1)


def printed(view, action):
    return view.sheet.privates[action.private]


def test_founding_without_money_is_seen():
    view, action = reached(lambda _, action: isinstance(action, FoundCompany))
    assert made(UNFLOATED, view, action) == (0, 1)
    poor = replace(
        view.state,
        players=tuple(
            replace(player, cash=action.par * 2 if seat == view.seat else 2_000)
            for seat, player in enumerate(view.state.players)
        ),
    )
    assert made(UNFLOATED, View(view.ruleset, poor, view.seat, view.frame), action) == (1, 1)
    nobody = replace(view.state, players=tuple(replace(player, cash=action.par) for player in view.state.players))
    assert made(UNFLOATED, View(view.ruleset, nobody, view.seat, view.frame), action) == (1, 1)


def floats(view, action):
    """Tell whether the director buys the share that floats his company."""
    if not isinstance(action, BuyShare) or not isinstance(view.frame, StockRound):
        return False
    company = view.state.companies[action.company]
    return company.director == view.seat and not company.floated and after(view, action).companies[company.id].floated


def test_company_left_short_is_seen():
    """It counts once the round is over, and only where the director had the money as he passed last."""
    view, action = reached(floats)
    next_round = tuple(replace(f, number=f.number + 1) if isinstance(f, Rounds) else f for f in view.state.agenda)
    for cash, left in ((lacking(view.state, view.company(action.company)), 1), (1, 0)):
        players = tuple(replace(p, cash=cash) if seat == view.seat else p for seat, p in enumerate(view.state.players))
        state = replace(view.state, players=players)
        seen = AbsurdMoves()
        seen(View(view.ruleset, state, view.seat, view.frame), Pass())
        assert seen.chances[SHORT] == 0
        over = replace(state, agenda=next_round)
        seen(View(view.ruleset, over, view.seat, over.top), Pass())
        assert (seen.made[SHORT], seen.chances[SHORT]) == (left, 1)


def test_pass_without_a_train_is_seen():
    view, action = reached(lambda view, action: isinstance(action, BuyTrain) and not buyer(view).trains)
    assert buyer(view).treasury >= cheapest(view.state)
    assert made(TRAINLESS, view, Pass()) == (1, 1)
    assert made(TRAINLESS, view, action) == (0, 0)


def buyer(view):
    return view.state.companies[view.frame.company]


def test_train_that_wanders_is_seen():
    view, action = reached(lambda _, action: isinstance(action, BuyTrain))
    other = next(name for name in view.state.companies if name != view.frame.company)
    there = replace(action, source=other)
    back = replace(view.frame, company=other)
    state = replace(view.state, agenda=(*view.state.agenda[:-1], back))
    seen = AbsurdMoves()
    seen(view, there)
    assert seen.made[BACK] == 0
    seen(View(view.ruleset, state, view.seat, back), replace(action, source=view.frame.company))
    assert seen.made[BACK] == 1


def test_idle_company_is_seen():
    ruleset, rng = ruleset_of(2), random.Random(9)
    players = [make_bot("steady", rng) for _ in range(3)]
    state = start(ruleset, ("Ada", "Bert", "Cleo"), 9).state
    whole, parts, known = AbsurdMoves(), AbsurdMoves(), set()
    while round_of(state).key != "SR 3":
        seat, move = next_move(ruleset, state, players, rng)
        view = View(ruleset, state, seat, state.agenda[-1])
        whole(view, move.action)
        if round_of(state) not in known:  # sees the first move of each round alone, and so one company at work
            parts(view, move.action)
        known.add(round_of(state))
        state = decide(ruleset, state, seat, move.action).state
    assert whole.made[IDLE] == 0
    assert 0 < parts.made[IDLE] < parts.chances[IDLE] == whole.chances[IDLE]


def test_rued_pay_out_is_seen():
    view, action = reached(lambda view, action: isinstance(action, PayOut) and current_turn(view.state).revenue > 20)
    assert made(RUED, view, action) == (0, 1)
    turn, dear = current_turn(view.state), cheapest(view.state)
    for treasury, rued in ((dear - 10, 1), (dear, 0), (dear - turn.revenue - 1, 0)):
        poor = replace(view.state.companies[turn.company], trains=(), treasury=treasury)
        later = replace(
            view.state,
            companies={**view.state.companies, turn.company: poor},
            agenda=tuple(replace(f, done=f.done + 1) if isinstance(f, Rounds) else f for f in view.state.agenda),
        )
        seen = AbsurdMoves()
        seen(view, action)
        for _ in range(2):
            seen(View(view.ruleset, later, view.seat, view.frame), Pass())
        assert seen.made[RUED] == rued


def gives(view, action):
    """The position after a sale that ends the direction of a company that pays and whose train lasts; None for any other."""
    if not isinstance(action, SellShares) or not isinstance(view.frame, StockRound):
        return None
    company = view.state.companies[action.company]
    lasts = any(life(view.state, kind) >= LASTING for kind in company.trains)
    state = after(view, action)
    gone = state.companies[company.id].director != view.seat
    return state if company.director == view.seat and company.revenue and lasts and gone else None


def test_company_given_to_rival_is_seen():
    """What the seller no longer directs as the next move is made has gone to a rival."""

    def sales(view):
        return [idea.action for idea in ideas(view) if gives(view, idea.action)]

    view, _ = reached(lambda view, _action: isinstance(view.frame, StockRound) and sales(view))
    seen, sale = AbsurdMoves(), sales(view)[0]
    seen(view, sale)
    assert (seen.made[GIVEN], seen.chances[GIVEN]) == (0, 1)
    state = gives(view, sale)
    seen(View(view.ruleset, state, view.seat, state.agenda[-1]), Pass())
    assert (seen.made[GIVEN], seen.chances[GIVEN]) == (1, 1)
