"""A bot that does not answer costs its own game: the run goes on, and what runs Python is ended."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from click.testing import CliRunner

from trajekt.bots import arena, bot, simulation
from trajekt.bots.time_limit import ended_in_time
from trajekt.cli import main


class Hanging:
    """A bot that never answers; between its waits it runs Python."""

    def __init__(self, wait: Callable[[], object]):
        self.wait = wait

    def __call__(self, _rng):
        return self

    def choose(self, _view):
        while True:
            self.wait()


@pytest.fixture
def hanging(monkeypatch):
    """Make a bot of this kind known as `hanging`, and shorten the limit."""
    real = bot._made_by
    monkeypatch.setattr(simulation, "MOVE_SECONDS", 0.2)
    return lambda wait: monkeypatch.setattr(
        bot, "_made_by", lambda name: Hanging(wait) if name == "hanging" else real(name)
    )


def gone(name: str, seconds: float = 5.0) -> bool:
    """Wait until no thread of this name is left."""
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(seconds)
    return all(thread.name != name for thread in threading.enumerate())


def test_hanging_bot_costs_its_game(hanging):
    hanging(lambda: None)
    plans = arena.schedule("18lra", ["hanging", "random", "random"], 1, 3)
    hung, whole = simulation.simulate([*plans, *arena.schedule("18lra", ["random"] * 3, 1, 3)])
    assert not hung.finished
    assert [each.message for each in hung.violations] == ["the bot hanging gives no move in 0.2 seconds"]
    assert whole.finished
    assert gone("moves of game 0")


def test_waiting_bot_is_left_behind(hanging):
    released = threading.Event()
    hanging(released.wait)
    (hung,) = simulation.simulate(arena.schedule("18lra", ["random", "hanging", "random"], 1, 3))
    assert hung.violations[-1].message == "the bot hanging gives no move in 0.2 seconds"
    released.set()
    assert gone("moves of game 0")


def test_progress_keeps_slow_work_going():
    steps: list[int] = []
    pause = threading.Event()

    def work():
        for number in range(6):
            pause.wait(0.05)
            steps.append(number)

    assert ended_in_time(work, lambda: len(steps), 0.2)
    assert steps == [0, 1, 2, 3, 4, 5]


def test_fault_of_work_is_raised():
    def work():
        raise LookupError("no such book")

    with pytest.raises(LookupError, match="no such book"):
        ended_in_time(work, lambda: 0, 5.0)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["arena", "18lra", "--games", "2"], "Partie 0 (Startwert 1, hanging random random) kam zu keinem Ende: "),
        (["timeline", "18lra", "--games", "2"], "der Bot hanging zieht in 0.2 Sekunden nicht"),
    ],
)
def test_command_names_hanging_bot(hanging, words, told):
    hanging(lambda: None)
    found = CliRunner().invoke(main, [*words, "hanging", "random", "random", "--language", "de"])
    assert found.exit_code == 1, found.output
    assert told in found.output
