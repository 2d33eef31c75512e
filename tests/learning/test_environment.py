"""The environment passes PettingZoo's own kit, its list is what the engine calls legal, and it can be copied and sent."""

from __future__ import annotations

import copy
import importlib
import pickle
import random
import sys
from types import SimpleNamespace

import pytest

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

import numpy as np
from click.testing import CliRunner
from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_test
from pettingzoo.utils.conversions import parallel_to_aec

from trajekt.cli import main
from trajekt.engine.decisions import refusal
from trajekt.engine.ruleset import Span
from trajekt.learning import environment as zoo
from trajekt.learning.choice_list import VALUES, values_of
from trajekt.registry import names, title

EDITIONS = [(game, edition) for game in names() for edition in title(game).editions]

# a dictionary with a mask, as in PettingZoo's own chess, which its kit exempts by name from these pieces of advice
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]


def equal(one, other) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    return np.array_equal(one, other)


def play(table, rng, actions):
    for _ in range(actions):
        if any(table.terminations.values()):
            break
        table.step(rng.randrange(int(table.last()[0]["action_mask"].sum())))


class TestKitOfPettingZoo:
    @pytest.mark.parametrize(("game", "edition"), EDITIONS)
    def test_it_passes_the_api_test(self, game, edition, capsys):
        low, _ = title(game).editions[edition]
        api_test(zoo.env(game, max(low, 3), {"edition": edition}), num_cycles=60)
        assert "Passed API test" in capsys.readouterr().out

    @pytest.mark.parametrize("game", names())
    def test_equal_seeds_play_equal_games(self, game):
        tables = [zoo.env(game, 3) for _ in range(2)]
        seed_test(tables.pop, num_cycles=40)
        assert not tables

    @pytest.mark.parametrize("game", names())
    def test_it_renders_in_every_mode(self, game, capsys):
        render_test(lambda render_mode: zoo.env(game, 3, render_mode=render_mode))
        assert "seat_0: " in capsys.readouterr().out

    @pytest.mark.parametrize("game", names())
    def test_observations_are_no_pictures(self, game, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        save_test(zoo.env(game, 3))
        assert "Observations must be Box to save" in capsys.readouterr().out
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("game", names())
    def test_max_cycles_end_the_game(self, game):
        module = SimpleNamespace(
            parallel_env=lambda max_cycles: zoo.parallel_env(game, 3, max_cycles=max_cycles),
            env=lambda max_cycles: parallel_to_aec(zoo.parallel_env(game, 3, max_cycles=max_cycles)),
        )
        max_cycles_test(module)
        table = zoo.env(game, 3, max_cycles=4)
        table.reset(seed=1)
        play(table, random.Random(1), 4)
        assert all(table.truncations.values())
        assert not any(table.terminations.values())


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


@pytest.mark.slow
@pytest.mark.parametrize("game", names())
def test_each_choice_has_its_own_features(game):
    """No two choices look alike, but where an action says more than its features do: runs."""
    table = zoo.TrajektEnv(game, 3)
    table.reset(seed=5)
    rng = random.Random(5)
    for _ in range(400):
        if any(table.terminations.values()):
            break
        rows = table.features.rows(table.state_now, table.choices)
        assert len({tuple(row) for row in rows}) == len(table.choices), table.choices
        table.step(rng.randrange(len(table.choices)))
    assert table.actions > 50


def test_open_number_listed_at_both_ends():
    assert values_of(Span(5, 100, 5))[0] == 5
    assert values_of(Span(5, 100, 5))[-1] == 100
    assert values_of(Span(1, 3)) == [1, 2, 3]
    assert len(values_of(Span(1, 1000))) == VALUES


def test_an_illegal_action_loses():
    table = zoo.env("18rhl", 3)
    table.reset(seed=1)
    table.step(zoo.MOST - 1)
    assert all(table.terminations.values())
    assert min(table.rewards.values()) == -1


def test_unlisted_legal_action_is_taken():
    table = zoo.TrajektEnv("18rhl", 3, {"edition": 2})
    table.reset(seed=1)
    bid = next(action for action in table.listed() if "amount" in action.__struct_fields__)
    table.act(type(bid)(bid.private, bid.amount + 5))
    assert table.actions == 1
    with pytest.raises(ValueError, match="is refused"):
        table.act(type(bid)(bid.private, 1))
    assert table.actions == 1


def test_info_says_who_acts_and_why():
    table = zoo.env("18rhl", 3, {"edition": 2})
    table.reset(seed=1)
    rng = random.Random(1)
    decisions = set()
    while table.infos[table.agent_selection]["decision"] != "company_turn":
        *_, info = table.last()
        assert table.agent_selection == f"seat_{info['seat']}"
        assert info["seat"] in info["awaited"]
        assert info["company"] == ""
        decisions.add(info["decision"])
        play(table, rng, 1)
    *_, info = table.last()
    assert info["company"] in table.unwrapped.state_now.companies
    assert info["round"] == "OR 1.1"
    assert info["step"]
    assert "auction" in decisions


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
@pytest.mark.parametrize("game", names())
def test_duplicate_goes_on_alone(game, duplicate):
    table = zoo.env(game, 3)
    table.reset(seed=2)
    play(table, random.Random(2), 30)
    other = duplicate(table)
    assert equal(other.last()[0], table.last()[0])
    before = table.last()[0]
    play(other, random.Random(3), 10)
    assert equal(table.last()[0], before)
    play(table, random.Random(3), 10)
    assert equal(other.last()[0], table.last()[0])
    assert other.infos == table.infos
    other.reset()
    table.reset()
    assert equal(other.last()[0], table.last()[0]), "the generator goes on alike"


@pytest.mark.parametrize(
    ("values", "said"), [({"render_mode": "rgb_array"}, "ansi, human"), ({"max_cycles": 0}, "1 or more")]
)
def test_wrong_settings_are_told(values, said):
    with pytest.raises(ValueError, match=said):
        zoo.env("18rhl", 3, **values)


def test_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install '\.\[rl\]'"):
        importlib.reload(sys.modules["trajekt.learning"])
    done = CliRunner().invoke(main, ["games"])
    assert done.exit_code == 0, "nothing else needs it"
