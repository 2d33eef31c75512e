"""Advice that is followed in play: it is what a review says, and only the kinds that are asked for are heeded."""

from __future__ import annotations

import pytest

from tests.builders.played_moments import played
from trajekt.bots.bot import BotMove, view_of
from trajekt.engine.actions import LayTile, RunTrains
from trajekt.review import advice
from trajekt.review.advice import KINDS, LAYS, RUNS, AdvisedBot, better_lay, better_runs
from trajekt.review.operating_turns import operating_turns
from trajekt.review.playing_on import PromiseDifference


@pytest.fixture(scope="module")
def game():
    return played("18rhl", most=250)


def view_before(game, entry):
    return view_of(game.ruleset, game.state_at(entry.parent), entry.seat)


@pytest.fixture(scope="module")
def run(game):
    """The last run of more than one train."""
    ran = [turn.entries[turn.run] for turn in operating_turns(game) if turn.run is not None and turn.revenue]
    return next(entry for entry in reversed(ran) if len(entry.action.runs) > 1)


@pytest.fixture(scope="module")
def lay(game):
    """The first lay of a company with trains after which some tiles would let it earn more than others."""
    for turn in operating_turns(game):
        laid = [entry for entry in turn.before_run if isinstance(entry.action, LayTile)]
        if laid and len(set(revenues(game, laid[0], turn.company).values())) > 1:
            return laid[0], turn.company
    raise AssertionError


def revenues(game, entry, company):
    """By lay what the trains of a company can earn behind it, played through the game itself."""
    moment, found = game.at(entry.parent), {}
    if moment.state.companies[company].trains:
        for choice in moment.choices():
            if isinstance(choice.action, LayTile):
                later = game.at(entry.parent)
                later.play(choice.action, entry.seat)
                found[choice.action] = later.best_runs(company).revenue
    return found


def test_idle_trains_are_told(game, run):
    view, idle = view_before(game, run), RunTrains(run.action.runs[:1])
    better = game.at(run.parent)
    assert better.play(better_runs(view, idle), run.seat).events == run.events
    assert better_runs(view, run.action) is None


def test_better_lay_by_playing_each(game, lay):
    entry, company = lay
    found = revenues(game, entry, company)
    most, view = max(found.values()), view_before(game, entry)
    for made, revenue in found.items():
        other = better_lay(view, made)
        assert (other is None) == (revenue == most)
        assert other is None or found[other] == most


@pytest.mark.parametrize("more", [None, -200.0, 30.0, 200.0])
def test_late_lay_must_last(game, lay, monkeypatch, more):
    """In the last rounds a lay that earns more at once is advised where whole games surely say more, too."""
    entry, company = lay
    view, found = view_before(game, entry), revenues(game, entry, company)
    poor = min(found, key=found.get)
    told = None if more is None else (0, PromiseDifference(more, 20.0, 6))
    monkeypatch.setattr(advice, "near_the_end", lambda state: True)
    monkeypatch.setattr(advice, "by_whole_games", lambda *told_of: told)
    assert (better_lay(view, poor) is None) == (more != 200.0)
    monkeypatch.setattr(advice, "near_the_end", lambda state: False)
    assert found[better_lay(view, poor)] == max(found.values())


class Chooser:
    """A bot that knows one action."""

    def __init__(self, action):
        self.action = action

    def choose(self, view):
        return BotMove(self.action)


def test_only_asked_advice_is_heeded(game, run):
    view, idle = view_before(game, run), RunTrains(run.action.runs[:1])
    for kinds, heeded in ((KINDS, {RUNS: 1}), ((LAYS,), {})):
        bot = AdvisedBot(Chooser(idle), kinds)
        assert (bot.choose(view).action == idle) == (not heeded)
        assert bot.heeded == heeded
