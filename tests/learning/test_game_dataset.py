"""Data sets hold the games that were played: judged by playing them again with the engine, move by move."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

import numpy as np
from click.testing import CliRunner

from trajekt.bots import bot
from trajekt.bots.bot import RandomBot
from trajekt.bots.executors import LocalExecutor
from trajekt.bots.simulation import GamePlan, play_out, ruleset_of
from trajekt.cli import main
from trajekt.engine.decisions import Decision, decide
from trajekt.engine.ruleset import View
from trajekt.learning.action_features import ActionFeatures
from trajekt.learning.choice_list import listed
from trajekt.learning.game_dataset import DatasetError, read_index, read_shard, write_dataset
from trajekt.registry import names

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "environment.md"
THREE = ("random", "random", "random")


def equal(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("games")
    list(write_dataset(made, "18rhl", THREE, 2, seed=7, per_shard=1))
    return made


@pytest.mark.slow
def test_arrays_retell_the_games(folder):
    """Where the choice is listed, the list's own action leads to the next position of the file."""
    index = read_index(folder)
    assert [entry.games for entry in index.shards] == [1, 1]
    shard = read_shard(folder, index.shards[1])
    plan = GamePlan("18rhl", 1, 8, 3, {"edition": 2}, THREE, checked=False)
    seen = []
    result = play_out(plan, seen.append)
    assert shard["games/seed"].tolist() == [8]
    assert shard["games/totals"].tolist() == [list(result.totals)]
    assert shard["games/actions"].tolist() == [result.actions] == [len(seen) - 1]
    ruleset, _ = ruleset_of(plan)
    features = ActionFeatures(ruleset)
    ends = [*shard["positions/first_choice"], len(shard["choices"])]
    hexes, tiles = index.names["board"], index.names["tiles"]
    for place, (state, after) in enumerate(pairwise(seen)):
        assert shard["positions/game"][place] == 0
        seat = int(shard["positions/seat"][place])
        legal = listed(View(ruleset, state, seat, state.agenda[-1]))
        assert len(legal) == ends[place + 1] - ends[place]
        board = shard["boards/tiles"][shard["positions/board"][place]]
        lying = {at: tiles[tile - 1] for at, tile in zip(hexes, board, strict=True) if tile}
        assert lying == {at: found.tile for at, found in state.board.contents_by_hex.items() if found.tile}
        chosen = shard["positions/chosen"][place]
        if chosen >= 0:
            answer = decide(ruleset, state, seat, legal[chosen])
            assert isinstance(answer, Decision)
            assert answer.state == after
            assert shard["positions/action"][place].tolist() == features.row(state, legal[chosen])
            assert shard["choices"][ends[place] + chosen].tolist() == features.row(state, legal[chosen])


@pytest.mark.slow
def test_interrupted_run_goes_on(folder, tmp_path):
    run = write_dataset(tmp_path, "18rhl", THREE, 2, seed=7, per_shard=1)
    next(run)
    run.close()
    assert len(read_index(tmp_path).shards) == 1
    before = (tmp_path / "shard-00000.npz").stat().st_mtime_ns
    list(write_dataset(tmp_path, "18rhl", THREE, 2, seed=7, per_shard=1, where=LocalExecutor(2)))
    assert (tmp_path / "shard-00000.npz").stat().st_mtime_ns == before
    assert read_index(tmp_path) == read_index(folder)
    for entry in read_index(folder).shards:
        assert equal(read_shard(folder, entry), read_shard(tmp_path, entry))


def test_other_words_are_refused(folder):
    with pytest.raises(DatasetError, match="other games"):
        list(write_dataset(folder, "18rhl", THREE, 2, seed=8, per_shard=1))
    words = ["dataset", "18rhl", *THREE, "--games", "2", "--per-shard", "1", "-o", str(folder), "--language", "de"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert "enthält andere Partien" in done.output


def test_other_versions_are_refused(folder, tmp_path):
    index = json.loads((folder / "index.json").read_text())
    (tmp_path / "index.json").write_text(json.dumps(index | {"version": 2}))
    with pytest.raises(DatasetError, match="of version 2, not"):
        read_index(tmp_path)
    with pytest.raises(DatasetError, match="holds no data set"):
        read_index(tmp_path / "nowhere")


@pytest.mark.slow
@pytest.mark.parametrize("game", names())
def test_command_writes_every_game(game, tmp_path):
    done = CliRunner().invoke(main, ["dataset", game, *THREE, "--games", "1", "-o", str(tmp_path)])
    assert done.exit_code == 0, done.output
    index = read_index(tmp_path)
    shard = read_shard(tmp_path, index.shards[0])
    assert f"1 games, {len(shard['positions/seat']):,} positions" in done.output
    assert shard["choices"].shape == (index.shards[0].choices, len(index.columns["choices"]))
    for name, columns in index.columns.items():
        if name != "choices":
            assert shard[f"positions/{name}"].shape[-1] == len(columns)


class Stuck:
    """A bot that moves a few times like another, and then not."""

    def __init__(self, rng, moves):
        self.bot, self.left = RandomBot(rng), moves

    def choose(self, view):
        self.left -= 1
        return self.bot.choose(view) if self.left >= 0 else None


@pytest.mark.parametrize("moves", [0, 3])
def test_failing_bot_costs_its_games(tmp_path, monkeypatch, moves):
    real = bot._made_by
    monkeypatch.setattr(
        bot, "_made_by", lambda name: (lambda rng: Stuck(rng, moves)) if name == "stuck" else real(name)
    )
    words = ["dataset", "18lra", "stuck", "random", "random", "-o", str(tmp_path), "--games", "2", "--per-shard", "1"]
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 1, found.output
    assert "game 1 (seed 1, random random stuck) came to no end: the bot stuck gives no move on " in found.output
    (first, _) = read_index(tmp_path).shards
    shard = read_shard(tmp_path, first)
    assert shard["games/totals"].tolist() == [[-1, -1, -1]]
    assert shard["games/actions"].tolist() == [first.positions]
    assert ("positions/seat" in shard) is (first.positions > 0)


def test_wrong_words_are_wrong_usage(tmp_path):
    done = CliRunner().invoke(main, ["dataset", "18rhl", "random", "random", "-o", str(tmp_path / "none")])
    assert done.exit_code == 2
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_examples_of_the_page_run(tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), {})
    assert (tmp_path / "games" / "index.json").exists()
