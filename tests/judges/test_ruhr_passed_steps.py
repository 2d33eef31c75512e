"""18Ruhr: in whole games no step that carries a right is passed over where a legal action exists (RUHR-OR-06, -07, -11)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.judges.passed_steps import named, passed_steps
from tests.judges.plain import bot_moves, moves
from tests.judges.ruhr_match import ruleset_of
from trajekt.engine.actions import Pass, RunTrains
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import legal
from trajekt.games.ruhr.actions import BuildPmcLink, ScrapEngine, ShareDeal, UsePferdebahn
from trajekt.games.ruhr.forced_purchase_funds import deal_sizes
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.stock_round import worth

ELSEWHERE = (BuildPmcLink, ShareDeal, UsePferdebahn, ScrapEngine)
"""What may be done at any time of the turn and is asked for in other steps of it."""


def rights(ruleset, state, step):
    """What could have been done in a step that nobody was asked about."""
    asked = {"deal": ShareDeal, "link": BuildPmcLink}.get(step)
    elsewhere = tuple(kind for kind in ELSEWHERE if kind is not asked)
    if not isinstance(state.top, CompanyTurn):
        elsewhere = (ScrapEngine,)
    found = [choice.action for choice in legal(ruleset, state, awaited(ruleset, state))]
    return [a for a in found if not isinstance(a, (Pass, *elsewhere)) and a != RunTrains(())]


def after_deal(ruleset, state):
    """The position with the money of the dearest own certificate in the treasury; itself where no deal can be made."""
    turn = state.top
    sizes = deal_sizes(ruleset.policy(RuhrOptions), state, turn.company) if isinstance(turn, CompanyTurn) else ()
    if not sizes or "deal" in turn.used:
        return state
    company = state.companies[turn.company]
    richer = replace(company, treasury=company.treasury + worth(state, company.id, max(sizes)))
    return replace(state, companies={**state.companies, company.id: richer})


def unasked(move, whose, step, there):
    """Whether a step was left without a question to anybody, though somebody decides in it.

    Without income nothing is paid or kept, and the deal is still open while runs are declared. A step that somebody was
    asked about before, and which an answer now ends, is none of these.
    """
    turn, after = there.top, move.decision.state.top
    if turn.step == "pay" or (isinstance(turn, CompanyTurn) and there.companies[turn.company].director is None):
        return False
    if step == "deal" and getattr(after, "step", "") == "run":
        return False
    return not any(named(replace(there, agenda=(frame,))) == (whose, step) for frame in move.before.agenda)


def passed_over(ruleset, games):
    """How many steps of a game were left without a question, and every right that was lost so."""
    seen, lost = 0, []
    for move in games:
        for whose, step, there in passed_steps(ruleset, move.before, move.decision.events):
            if unasked(move, whose, step, there):
                seen += 1
                rich = after_deal(ruleset, there) if step in ("track", "station", "link") else there
                lost += [(whose, step, action) for action in rights(ruleset, rich, step)]
    return seen, lost


@pytest.mark.rule("RUHR-OR-06", "RUHR-OR-07", "RUHR-OR-11")
@pytest.mark.parametrize("seed", [1, 6])
def test_random_games_pass_over_no_right(seed):
    seen, lost = passed_over(ruleset_of(seed), moves(ruleset_of(seed), 3, seed))
    assert lost == []
    assert seen > 50


@pytest.mark.slow
@pytest.mark.rule("RUHR-OR-06", "RUHR-OR-07", "RUHR-OR-11")
def test_steady_games_pass_over_no_right():
    seen, lost = passed_over(ruleset_of(9), bot_moves(ruleset_of(9), 3, 9, "steady", most=900))
    assert lost == []
    assert seen > 50
