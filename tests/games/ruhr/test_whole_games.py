"""Whole games at random: every book after every action, no stuck position, replay, listed if and only if accepted."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import fields, replace

from tests.builders.ruhr_positions import NAMES, rules
from tests.builders.ruhr_random_games import chosen
from trajekt.engine.agenda import awaited
from trajekt.engine.codec import Codec, encode
from trajekt.engine.decisions import Decision, blank_of, decide, fold, legal, refusal, start
from trajekt.engine.digest import digest
from trajekt.engine.ruleset import Choice, Ruleset
from trajekt.games.ruhr.state import ruhr_state
from trajekt.games.ruhr.title import TITLE


def played(ruleset: Ruleset, seed: int, players: int, *, deep: bool = False):
    """A game to its end with everything checked; with `deep`, changed actions are tried as well."""
    rng = random.Random(seed)
    opening = start(ruleset, NAMES[:players], seed)
    state, events = opening.state, list(opening.events)
    for number in range(5000):
        if state.outcome:
            return state, events
        for invariant in ruleset.invariants:
            assert list(invariant(state)) == []
        choices = legal(ruleset, state, awaited(ruleset, state))
        assert choices, state.agenda
        if deep and number % 7 == 0:
            try_changed(ruleset, state, choices, rng)
        seat, action = chosen(choices, rng)
        answer = decide(ruleset, state, seat, action)
        assert isinstance(answer, Decision), (action, answer)
        before, state = state, answer.state
        events += answer.events
        if before.board is not state.board:
            before.board.forget()
    raise AssertionError(state.agenda)


def try_changed(ruleset: Ruleset, state, choices: list[Choice], rng: random.Random) -> None:
    """An action with one field of another's in place of its own is accepted exactly if it is offered."""
    open_ = {choice.action for choice in choices if not choice.spans}
    spanned = [choice for choice in choices if choice.spans]
    for choice in rng.sample(choices, min(4, len(choices))):
        if choice.spans or choice.free:
            continue
        others = [c.action for c in choices if type(c.action) is type(choice.action)]
        names = [field.name for field in fields(choice.action)]
        if not names:
            continue
        name = rng.choice(names)
        changed = replace(choice.action, **{name: getattr(rng.choice(others), name)})
        accepted = refusal(ruleset, state, choice.seat, changed) is None
        assert accepted is (changed in open_ or any(covers(each, changed) for each in spanned)), changed


def covers(choice: Choice, action: Any) -> bool:
    """Whether an action is a choice with other numbers within its spans."""
    if type(action) is not type(choice.action):
        return False
    values = {name: getattr(action, name) for name in choice.spans}
    return replace(choice.action, **values) == action and all(
        values[name] in span for name, span in choice.spans.items()
    )


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("scenario", ["hellweg", "metropolis", "ruhr_valley", "emscher_valley", "north_and_south"])
def test_whole_scenario_games_keep_books(players, scenario):
    ruleset = rules(scenario=scenario)
    state, events = played(ruleset, players * 17 + len(scenario), players)
    assert state.outcome
    assert digest(fold(ruleset, blank_of(ruleset, NAMES[:players]), events)) == digest(state)


@pytest.mark.slow
def test_game_with_all_rulings_other_way():
    others = {v.option: (v.values or (True,))[-1] for v in TITLE.variants if v.option != "scenario"}
    assert len(others) == 14
    ruleset = rules(**others)
    state, _ = played(ruleset, 5, 4)
    assert state.outcome


@pytest.mark.slow
def test_changed_actions_are_judged_as_listed():
    state, events = played(rules(scenario="hellweg"), 3, 3, deep=True)
    assert state.outcome
    codec = Codec(rules(scenario="hellweg"))
    assert codec.event_list(encode(events)) == tuple(events)


@pytest.mark.slow
def test_equal_seeds_play_equal_games():
    one, _ = played(rules(scenario="metropolis"), 11, 3)
    two, _ = played(rules(scenario="metropolis"), 11, 3)
    assert digest(one) == digest(two)
    assert ruhr_state(one).scenario == "metropolis"
    assert [row.total for row in TITLE.standings(one)] == [row.total for row in TITLE.standings(two)]
