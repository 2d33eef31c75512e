"""The master plays plans on and keeps the better half; a beginner overlooks what `steady` sees."""

from __future__ import annotations

import random
from functools import cache

import pytest

from tests.builders.bot_rulesets import ruleset_of
from trajekt.bots import master
from trajekt.bots.bot import make_bot, next_move
from trajekt.bots.candidate_moves import ideas
from trajekt.bots.master import MasterBot, par_of, stages
from trajekt.bots.search import SearchBot, moment, varied
from trajekt.bots.steady import BeginnerBot
from trajekt.engine.actions import BuyShare, BuyTrain, FoundCompany, SellShares
from trajekt.engine.decisions import Decision, decide, start
from trajekt.engine.ruleset import View
from trajekt.rules.stock_round import StockRound


@cache
def views(edition=2, seed=9):
    """The views of a whole game between `steady` players, in their order."""
    ruleset, rng = ruleset_of(edition), random.Random(seed)
    players = [make_bot("steady", rng) for _ in range(3)]
    state, found = start(ruleset, ("Ada", "Bert", "Cleo"), seed).state, []
    while not state.outcome:
        seat, move = next_move(ruleset, state, players, rng)
        found.append(View(ruleset, state, seat, state.agenda[-1]))
        state = decide(ruleset, state, seat, move.action).state
    return tuple(found)


def founding(least):
    """The first view of a stock round in which so many foundings are ideas."""
    return next(
        view
        for view in views()
        if isinstance(view.frame, StockRound)
        and sum(isinstance(idea.action, FoundCompany) for idea in ideas(view)) >= least
    )


def trading():
    """The middle one of the views in which a share is the best idea."""
    found = [view for view in views() if isinstance(ideas(view)[0].action, BuyShare)]
    return found[len(found) // 2]


def test_every_par_is_a_plan():
    found = ideas(founding(4))
    pars = {(i.action.company, i.action.par) for i in found if isinstance(i.action, FoundCompany)}
    planned = {(p.action.company, p.action.par) for p in varied(found, par_of) if isinstance(p.action, FoundCompany)}
    assert planned == pars
    assert len({par for _, par in pars}) > 1


def test_last_stage_ends_the_set():
    state = trading().state
    moments = stages(state)
    assert moments == sorted(moments)
    assert moment(state) < moments[0]
    assert moments[-1] == (moment(state)[0] + 1, 0)


def test_master_moves_alike_and_legally():
    view = trading()
    chosen = [MasterBot(random.Random(seed), wide=3).choose(view) for seed in (1, 2)]
    assert chosen[0] == chosen[1]
    assert isinstance(decide(view.ruleset, view.state, view.seat, chosen[0].action), Decision)


def test_master_buys_the_first_train(monkeypatch):
    """Whatever passing seems worth, a company that can pay its first train does not go without one."""
    view = next(
        view
        for view in views()
        for keys in [{idea.reason.key for idea in ideas(view)}]
        if "bot.pass" in keys and keys & master.FIRST_TRAINS
    )
    company = view.state.companies[view.frame.company]
    assert not company.trains
    monkeypatch.setattr(master, "played_on", lambda _ruleset, state, *_: state)
    monkeypatch.setattr(master, "lead", lambda _ruleset, state, _seat: -1e6 * len(state.companies[company.id].trains))
    assert isinstance(MasterBot(random.Random(1)).choose(view).action, BuyTrain)


def test_master_without_weights_plays_as_search(monkeypatch):
    monkeypatch.setattr(master, "value_of", lambda _game: None)
    for view in views()[:200:20]:
        assert MasterBot(random.Random(1)).choose(view) == SearchBot(random.Random(1)).choose(view)


def test_time_up_keeps_the_best():
    view, now = trading(), iter(range(0, 1_000, 20))
    hurried = MasterBot(random.Random(1), seconds=10.0, clock=lambda: next(now)).choose(view)
    assert hurried.action == ideas(view)[0].action


def crowded():
    """The first view with three good ideas, of which the best two are close."""
    for view in views():
        gains = [idea.gain for idea in ideas(view)[:3]]
        if len(gains) == 3 and gains[2] > 0 and gains[0] - gains[1] < 50:
            return view
    raise AssertionError("no such view")


def test_beginner_overlooks_good_ideas():
    view = crowded()
    good = [idea.action for idea in ideas(view) if idea.gain > 0]
    chosen = [BeginnerBot(random.Random(seed)).choose(view).action for seed in range(40)]
    assert all(action in good for action in chosen)
    assert 0 < chosen.count(good[0]) < 40


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_beginner_plays_to_the_end(seed):
    ruleset, rng = ruleset_of(2), random.Random(seed)
    players = [BeginnerBot(rng), BeginnerBot(rng), make_bot("steady", rng)]
    state, moves = start(ruleset, ("Ada", "Bert", "Cleo"), seed).state, 0
    while not state.outcome and moves < 1_500:
        seat, move = next_move(ruleset, state, players, rng)
        state, moves = decide(ruleset, state, seat, move.action).state, moves + 1
    assert state.outcome


def after_it(view, action):
    return decide(view.ruleset, view.state, view.seat, action).state


def planned():
    """The views of stock rounds, each with an idea that the master plays on."""
    for view in views():
        if isinstance(view.frame, StockRound):
            found = varied(ideas(view), par_of)
            yield from ((view, idea) for idea in found if idea.gain > found[0].gain - 1_000)


def sold_so_far_that_it_is_taken():
    """A view with a sale of a company that pays, which leaves its director less than a rival may soon have."""
    for view, idea in planned():
        if isinstance(idea.action, SellShares):
            company = view.state.companies[idea.action.company]
            left = after_it(view, idea.action).companies[company.id]
            rival = max(left.percent(seat) for seat in range(3) if seat != view.seat)
            if company.director == view.seat and company.revenue and left.percent(view.seat) < rival + 20:
                return view, idea.action
    raise AssertionError


def cannot_float():
    """A view with the founding of a company that its founder cannot float, which judgement is against."""
    return next(
        (view, idea.action) for view, idea in planned() if isinstance(idea.action, FoundCompany) and idea.gain < 0
    )


@pytest.mark.parametrize("moment", [sold_so_far_that_it_is_taken, cannot_float])
def test_master_has_no_rash_plans(monkeypatch, moment):
    """However much better it seems to end, a paying company is not sold to a rival, and nothing founded that cannot float."""
    view, action = moment()
    wanted = after_it(view, action).companies[action.company]
    monkeypatch.setattr(master, "played_on", lambda _ruleset, state, *_rest: state)
    monkeypatch.setattr(
        master, "lead", lambda _ruleset, state, _seat: 10_000.0 * (state.companies[wanted.id] == wanted)
    )
    assert MasterBot(random.Random(1)).choose(view).action != action
    monkeypatch.setattr(master, "rash", lambda _view, _idea: False)
    assert MasterBot(random.Random(1), wide=40).choose(view).action == action
