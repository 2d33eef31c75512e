"""The environment passes PettingZoo's own kit, and its list is what the engine calls legal."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

from pettingzoo.test import api_test, seed_test

from trajekt.bots import pettingzoo_env as zoo
from trajekt.engine.decisions import refusal
from trajekt.engine.ruleset import Span
from trajekt.registry import names, title

EDITIONS = [(game, edition) for game in names() for edition in title(game).editions]


# a dictionary with a mask, as in PettingZoo's own chess, which its kit exempts by name from these two pieces of advice
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_it_passes_the_api_test(game, edition):
    low, _ = title(game).editions[edition]
    api_test(zoo.env(game, max(low, 3), {"edition": edition}), num_cycles=60)


@pytest.mark.parametrize("game", names())
def test_it_passes_the_seed_test(game):
    seed_test(lambda: zoo.env(game, 3), num_cycles=40)


@pytest.mark.slow
def test_masked_actions_are_legal_to_end():
    table = zoo.TrajektEnv("18rhl", 3, {"edition": 2})
    table.reset(seed=3)
    rng = random.Random(3)
    while table.agents and not any(table.terminations.values()):
        choices = table.listed()
        mask = table.observe(table.agent_selection)["action_mask"]
        assert mask.sum() == len(choices) > 0
        for action in rng.sample(choices, min(3, len(choices))):
            assert refusal(table.ruleset, table.state_now, table.seat, action) is None
        table.step(rng.randrange(len(choices)))
    assert table.state_now.outcome
    assert sum(table.rewards.values()) == pytest.approx(0)
    assert max(table.rewards.values()) > 0


def test_open_number_listed_at_both_ends():
    assert zoo.values_of(Span(5, 100, 5))[0] == 5
    assert zoo.values_of(Span(5, 100, 5))[-1] == 100
    assert zoo.values_of(Span(1, 3)) == [1, 2, 3]
    assert len(zoo.values_of(Span(1, 1000))) == zoo.VALUES


def test_an_illegal_action_loses():
    table = zoo.env("18rhl", 3)
    table.reset(seed=1)
    table.step(zoo.MOST - 1)
    assert all(table.terminations.values())
    assert min(table.rewards.values()) == -1
