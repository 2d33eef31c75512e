"""Whole games at random: every listed choice is accepted, every invariant holds, every game ends after set 6."""

from __future__ import annotations

import random

import pytest

from tests.builders.do_positions import NAMES, SHEET, rules, tiles
from trajekt.engine.actions import Accept, BuyTrain, Decline, Pass
from trajekt.engine.agenda import awaited
from trajekt.engine.codec import Codec, encode
from trajekt.engine.components.loader import load
from trajekt.engine.decisions import Decision, blank_of, decide, fold, legal, start
from trajekt.games.do.actions import BuyBec, DisposeBec, LoadTrain
from trajekt.games.do.events import BeerMoved
from trajekt.games.do.options import DoOptions
from trajekt.games.do.ruleset import build


def played(players: int, seed: int, **options):
    """The events of a game and its last position."""
    ruleset = rules(players, **options)
    rng = random.Random(seed)
    opening = start(ruleset, NAMES[:players], seed)
    state, events = opening.state, list(opening.events)
    for _ in range(4000):
        if state.outcome:
            return ruleset, state, events
        choices = legal(ruleset, state, awaited(ruleset, state))
        assert choices, state.agenda
        busy = [choice for choice in choices if not isinstance(choice.action, Pass)]
        choice = rng.choice(busy if busy and rng.random() < 0.8 else choices)
        answer = decide(ruleset, state, choice.seat, choice.action)
        assert isinstance(answer, Decision), (answer, choice)
        state = answer.state
        events += answer.events
        for invariant in ruleset.invariants:
            assert not list(invariant(state)), choice
    raise AssertionError(state.agenda)


@pytest.mark.rule("DO-END-01", "DO-MARKET-14", "DO-MARKET-12")
@pytest.mark.parametrize("game", ["full", "expert"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_games_end_after_the_sixth_set(players, game):
    for seed in range(2):
        _, state, _ = played(players, seed, game=game)
        assert state.outcome == "rounds"


SHORT = """
[trains]
2 = {count = 4}
3 = {count = 3}
4 = {count = 2}
5 = {count = 3}
6 = {count = 6}
[totals]
trains = 30
[limits]
capital = {3 = 1500, 4 = 1500, 5 = 1500}
"""
"""Few cards and much money: random players reach the last phase, too."""


@pytest.mark.rule("DO-BEERTRANSPORT-05", "DO-MARKET-13", "DO-PHASE-08", "DO-X-21")
@pytest.mark.parametrize("game", ["full", "expert"])
def test_late_phases_with_beer_on_rails(game, tmp_path):
    """On a board with lines from the City to two red destinations; the books hold after every action."""
    short = tmp_path / "short.toml"
    short.write_text(SHORT, encoding="utf-8")
    options = DoOptions(players=5, fixed_seats=True, game=game)
    ruleset = build(load(SHEET, "1", options.variants, short), options)
    seen: set[str] = set()
    for seed in range(3):
        rng = random.Random(seed)
        state = start(ruleset, NAMES, seed).state
        state = tiles(state, E19="4K 1", E17="8 2", D14="8 4", F14="9 2", G15="8 0", H14="8 1", H12="58K 4")
        for _ in range(4000):
            if state.outcome:
                break
            open_now = legal(ruleset, state, awaited(ruleset, state))
            eager = [choice for choice in open_now if isinstance(choice.action, LoadTrain | Accept | BuyTrain | BuyBec)]
            calm = [choice for choice in open_now if not isinstance(choice.action, DisposeBec | Decline)]
            choice = rng.choice(eager or calm or open_now)
            answer = decide(ruleset, state, choice.seat, choice.action)
            assert isinstance(answer, Decision), (answer, choice)
            state = answer.state
            seen |= {event.cause for event in answer.events if isinstance(event, BeerMoved)} | {state.phase}
            for invariant in ruleset.invariants:
                assert not list(invariant(state)), choice
        assert state.outcome == "rounds"
    assert {"loaded", "unloaded", "clearing", "phase", "6", "8"} <= seen


def test_events_tell_the_whole_game():
    ruleset, state, events = played(4, 11)
    again = fold(ruleset, blank_of(ruleset, NAMES[:4]), events)
    assert again == state
    codec = Codec(ruleset)
    assert codec.event_list(encode(events)) == tuple(events)
