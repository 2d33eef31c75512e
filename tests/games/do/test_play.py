"""Whole games at random: every listed choice is accepted, every invariant holds, every game ends after set 6."""

from __future__ import annotations

import random

import pytest

from tests.games.do.dortmund import NAMES, rules
from trajekt.engine.actions import Pass
from trajekt.engine.agenda import awaited
from trajekt.engine.codec import Codec, encode
from trajekt.engine.play import Decision, blank_of, decide, fold, legal, start


def played(players: int, seed: int, **options):
    """The events of a game and its last position."""
    ruleset = rules(players, **options)
    lots = random.Random(seed)
    opening = start(ruleset, NAMES[:players], seed)
    state, events = opening.state, list(opening.events)
    for _ in range(4000):
        if state.outcome:
            return ruleset, state, events
        choices = legal(ruleset, state, awaited(ruleset, state))
        assert choices, state.agenda
        busy = [choice for choice in choices if not isinstance(choice.action, Pass)]
        choice = lots.choice(busy if busy and lots.random() < 0.8 else choices)
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


def test_events_tell_the_whole_game():
    ruleset, state, events = played(4, 11)
    again = fold(ruleset, blank_of(ruleset, NAMES[:4]), events)
    assert again == state
    codec = Codec(ruleset)
    assert codec.event_list(encode(events)) == tuple(events)
