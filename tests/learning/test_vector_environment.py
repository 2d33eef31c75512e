"""Many tables over processes play as single ones do, begin anew by themselves, and say when one of them is lost."""

from __future__ import annotations

import os
import signal

import pytest

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

import numpy as np

from trajekt.learning.environment import TrajektEnv
from trajekt.learning.vector_environment import TablesLostError, VectorEnvironment

pytestmark = pytest.mark.slow


def equal(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
    return np.array_equal(one, other)


def row(batch, number):
    return {name: row(each, number) for name, each in batch.items()} if isinstance(batch, dict) else batch[number]


def test_tables_play_as_single_ones():
    singles = [TrajektEnv("18lra", 3, max_cycles=6) for _ in range(3)]
    with VectorEnvironment(3, "18lra", 3, max_cycles=6, processes=2) as tables:
        observations, infos = tables.reset(seed=5)
        for number, single in enumerate(singles):
            single.reset(seed=5 + number)
        for step in range(14):
            for number, single in enumerate(singles):
                assert equal(row(observations, number), single.observe(single.agent_selection))
                assert infos[number] == single.infos[single.agent_selection]
            numbers = [int(mask.sum()) - 1 for mask in observations["action_mask"]]
            observations, rewards, ended, cut, infos = tables.step(numbers)
            assert rewards.shape == (3, 3)
            assert not ended.any()
            assert cut.all() == (step % 6 == 5)
            for number, single in enumerate(singles):
                single.step(numbers[number])
                if all(single.truncations.values()):
                    single.reset()


def test_wrong_numbers_are_told():
    with pytest.raises(ValueError, match="at least one table"):
        VectorEnvironment(0)
    with VectorEnvironment(1, "18lra", 3, processes=1) as tables:
        tables.reset(seed=1)
        with pytest.raises(ValueError, match="2 numbers for 1 tables"):
            tables.step([0, 0])
        with pytest.raises(TablesLostError, match="IndexError"):
            tables.step([1000])
        observations, _ = tables.reset(seed=1)
        assert observations["action_mask"].sum() > 0


def test_lost_process_is_told():
    with VectorEnvironment(1, "18lra", 3, processes=1) as tables:
        tables.reset(seed=1)
        os.kill(tables._processes[0].pid, signal.SIGKILL)
        with pytest.raises(TablesLostError, match="is gone"):
            tables.step([0])
