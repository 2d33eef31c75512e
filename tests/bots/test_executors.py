"""Executors: equal results wherever games are played, whatever is lost on the way; runs that go on where they stopped."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from tests import started_processes
from tests.conftest import PROJECT
from trajekt.bots import timeline
from trajekt.bots.checkpoints import KeptGamesError, read_games, resumed
from trajekt.bots.executors import HERE, LocalExecutor, WorkersLostError
from trajekt.bots.simulation import GamePlan, GameResult, plans, play_out, simulate
from trajekt.bots.timeline import Timeline
from trajekt.cli import main
from trajekt.registry import title

HAS_DASK = find_spec("distributed") is not None


def squared(number):
    return number * number


def dies_once(task):
    """Kill the process the first time that a task is done, which a file remembers."""
    number, folder = task
    mark = Path(folder) / str(number)
    if number % 3 == 1 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def dies_always(_task):
    os.kill(os.getpid(), signal.SIGKILL)


def same(results):
    """Results without the time that they took."""
    return [msgspec.structs.replace(result, seconds=0.0) for result in results]


def some_plans(count):
    return plans(title("18lra"), count, 100, 3)


class TestCores:
    @pytest.mark.parametrize("jobs", [1, 2])
    def test_results_keep_order_of_tasks(self, jobs):
        assert list(LocalExecutor(jobs).run(squared, range(50))) == [n * n for n in range(50)]

    def test_few_tasks_are_under_way(self):
        taken = []
        results = LocalExecutor(2).run(squared, (taken.append(n) or n for n in range(1000)))
        assert next(results) == 0
        assert len(taken) < 20
        results.close()

    @pytest.mark.slow
    def test_lost_process_loses_no_task(self, tmp_path):
        tasks = [(number, str(tmp_path)) for number in range(10)]
        assert list(LocalExecutor(2).run(dies_once, tasks)) == list(range(10))
        assert {path.name for path in tmp_path.iterdir()} == {"1", "4", "7"}

    def test_processes_end_with_killed_run(self):
        code = "from tests.bots.test_executors import *; r = LocalExecutor(2).run(squared, range(99)); print(next(r)); input()"
        command = [sys.executable, "-uc", code]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT) as run:
            assert run.stdout.readline() == b"0\n"
            run.kill()
            assert run.communicate(timeout=20) == (b"", None)  # its output ends with the last process that has it

    @pytest.mark.slow
    def test_deadly_task_ends_the_run(self):
        with pytest.raises(WorkersLostError, match="5 processes were lost over 7"):
            list(LocalExecutor(2).run(dies_always, [7]))

    def test_fault_of_a_task_is_raised(self):
        with pytest.raises(TypeError):
            list(LocalExecutor(2).run(squared, ["x"]))


class TestKeptGames:
    @pytest.mark.slow
    def test_run_goes_on_where_it_stopped(self, tmp_path):
        todo, file = some_plans(4), tmp_path / "games.jsonl"
        first = resumed(todo, play_out, HERE, file, GameResult)
        begun = [next(first), next(first)]
        first.close()
        played: list[GamePlan] = []

        def play(plan):
            played.append(plan)
            return play_out(plan)

        results = list(resumed(todo, play, HERE, file, GameResult))
        assert [plan.number for plan in played] == [2, 3]
        assert results[:2] == begun
        assert same(results) == same(simulate(todo))
        assert list(read_games(file, GameResult).values()) == results

    @pytest.mark.slow
    def test_torn_line_is_played_again(self, tmp_path):
        todo, file = some_plans(2), tmp_path / "games.jsonl"
        whole = list(resumed(todo, play_out, HERE, file, GameResult))
        file.write_bytes(file.read_bytes()[:-20])
        assert same(resumed(todo, play_out, HERE, file, GameResult)) == same(whole)
        assert len(file.read_bytes().splitlines()) == 2

    def test_other_files_are_refused(self, tmp_path):
        file = tmp_path / "games.jsonl"
        file.write_text('{"a": 1}\n')
        with pytest.raises(KeptGamesError, match="line 1"):
            read_games(file, GameResult)
        done = CliRunner().invoke(main, ["simulate", "18lra", "--games", "1", "--keep", str(file), "--language", "de"])
        assert done.exit_code == 1
        assert "Zeile 1" in done.output
        assert file.read_text() == '{"a": 1}\n'

    def test_arena_keeps_its_games(self, tmp_path):
        words = [
            "arena",
            "18lra",
            "random",
            "random",
            "random",
            "--games",
            "2",
            "--keep",
            str(tmp_path / "games.jsonl"),
        ]
        first, second = (CliRunner().invoke(main, words) for _ in range(2))
        assert first.exit_code == second.exit_code == 0
        assert first.output == second.output, "times are kept, not measured again"
        assert len(read_games(tmp_path / "games.jsonl", GameResult)) == 2

    def test_timeline_keeps_its_games(self, tmp_path, monkeypatch):
        file = tmp_path / "games.jsonl"
        words = ["timeline", "18lra", "random", "random", "random", "--games", "2", "--keep", str(file)]
        first = CliRunner().invoke(main, words)
        assert first.exit_code == 0
        assert len(read_games(file, Timeline)) == 2
        monkeypatch.setattr(timeline, "play_out", None)  # nothing is played again
        assert CliRunner().invoke(main, words).output == first.output

    def test_games_of_arena_are_no_timelines(self, tmp_path):
        file = tmp_path / "games.jsonl"
        list(resumed(some_plans(1), play_out, HERE, file, GameResult))
        with pytest.raises(KeptGamesError, match="line 1"):
            read_games(file, Timeline)


@pytest.fixture
def start(tmp_path):
    """Start a process of a cluster; all end with the test."""
    running = []

    def begin(module, *words):
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (PROJECT / "src", PROJECT)))}
        process = subprocess.Popen(
            [sys.executable, "-m", module, *words],
            env=environment,
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        started_processes.note(process.pid)
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.wait()


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.mark.slow
@pytest.mark.skipif(not HAS_DASK, reason="the extra cluster is not installed")
def test_killed_worker_loses_no_game(start, tmp_path):
    port, file = free_port(), tmp_path / "games.jsonl"
    address = f"tcp://127.0.0.1:{port}"
    start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    worker = ("--no-nanny", "--no-dashboard", "--nthreads", "1", "--local-directory", str(tmp_path))
    workers = [start("distributed.cli.dask_worker", address, *worker) for _ in range(2)]
    words = ["simulate", "18lra", "--players", "3", "--games", "12", "--seed", "100", "--cluster", address]
    run = start("trajekt", *words, "--keep", str(file))
    while run.poll() is None and not (file.exists() and file.read_bytes().count(b"\n") >= 2):
        time.sleep(0.05)
    workers[0].kill()
    assert run.wait() == 0
    assert same(read_games(file, GameResult).values()) == same(simulate(some_plans(12)))


NO_CLUSTER = """
from trajekt.bots.executors import ClusterError, ClusterExecutor
try:
    list(ClusterExecutor("tcp://127.0.0.1:{port}", 0.5).run(abs, [1]))
except ClusterError as fault:
    print(fault)
"""


@pytest.mark.slow
@pytest.mark.skipif(not HAS_DASK, reason="the extra cluster is not installed")
def test_no_cluster_is_told(tmp_path):
    """Asked in a process of its own, which takes the client's threads with it."""
    port = free_port()
    environment = os.environ | {"PYTHONPATH": str(PROJECT / "src")}
    code = NO_CLUSTER.format(port=port)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=False, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert f"no cluster answers at tcp://127.0.0.1:{port}" in done.stdout


def test_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = CliRunner().invoke(main, ["simulate", "18lra", "--games", "1", "--cluster", "tcp://127.0.0.1:1"])
    assert done.exit_code == 1
    assert "pip install '.[cluster]'" in done.output
