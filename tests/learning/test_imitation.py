"""The example learns by imitation: a short school is enough to beat players that choose at random."""

from __future__ import annotations

import importlib.util

import pytest

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

from tests.conftest import PROJECT


@pytest.fixture(scope="module")
def imitation():
    spec = importlib.util.spec_from_file_location("imitation", PROJECT / "examples" / "imitation.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_short_school_beats_random(imitation, capsys):
    won, own, others = imitation.main(["--teach", "3", "--play", "3", "--rounds", "4"])
    assert won == 3
    assert own > 2 * others
    assert "won 3 of 3 against two random" in capsys.readouterr().out


def test_learning_raises_the_chance(imitation):
    ruleset, _ = imitation.ruleset_of(imitation.plan_of(0))
    policy = imitation.Policy(ruleset)
    places = imitation.np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    assert policy.chances(places).tolist() == pytest.approx([1 / 3] * 3)
    for _ in range(20):
        policy.learn(places, 2)
    assert policy.chances(places)[2] > 0.9
