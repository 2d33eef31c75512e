"""Many environments at once, over processes: one number for each, one batch of arrays for all.

    with VectorEnvironment(8, "18rhl", players=3, processes=2) as tables:
        observations, infos = tables.reset(seed=1)
        observations, rewards, terminated, truncated, infos = tables.step(numbers)

Every table shows the seat on turn. A table that has ended begins a new game at once: its rewards are those of the game that
ended, its observation is the first of the new one. Equal seeds and numbers give equal batches, over however many processes.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import numpy as np

from trajekt.learning.environment import MAX_CYCLES, TrajektEnv

Batch = tuple[Any, Any, Any, Any, list[dict[str, Any]]]
"""Observations, rewards by table and seat, which tables have ended, which were cut off, infos."""


class TablesLostError(RuntimeError):
    """A process that is gone, or that could not do what it was asked."""


class VectorEnvironment:
    """`count` tables of one game, spread over processes (0: one on each core)."""

    def __init__(
        self,
        count: int,
        game: str = "18rhl",
        players: int = 3,
        options: Mapping[str, object] | None = None,
        max_cycles: int = MAX_CYCLES,
        processes: int = 0,
    ) -> None:
        if count < 1:
            message = f"there is at least one table, not {count}"
            raise ValueError(message)
        self.count = count
        table = TrajektEnv(game, players, options, max_cycles=max_cycles)  # what is wrong is told here
        self.layout, self.features = table.layout, table.features
        self.single_observation_space = table.observation_space("seat_0")
        self.single_action_space = table.action_space("seat_0")
        parts = min(count, processes or os.cpu_count() or 1)
        self._slices = [range(count * n // parts, count * (n + 1) // parts) for n in range(parts)]
        # a new interpreter for each: what a copy of this process would hold is not known
        context = multiprocessing.get_context("spawn")
        self._pipes, self._processes = [], []
        settings = (game, players, dict(options or {}), max_cycles)
        for part in self._slices:
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, settings, len(part)), daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def reset(self, seed: int = 0) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Begin a new game at every table; table `n` with the seed `seed + n`. Observations and infos."""
        observations, *_, infos = self._asked("reset", [[seed + n for n in part] for part in self._slices])
        return observations, infos

    def step(self, actions: Sequence[int]) -> Batch:
        """Carry out one number at each table. ValueError where there are not as many as tables."""
        if len(actions) != self.count:
            message = f"{len(actions)} numbers for {self.count} tables"
            raise ValueError(message)
        return self._asked("step", [[int(actions[n]) for n in part] for part in self._slices])

    def _asked(self, what: str, parts: Sequence[Sequence[int]]) -> Batch:
        """Ask all processes at once and put their answers together. TablesLostError where one fails."""
        try:
            for pipe, part in zip(self._pipes, parts, strict=True):
                pipe.send((what, part))
            answers = [pipe.recv() for pipe in self._pipes]
        except (EOFError, OSError) as fault:
            message = "a process of the environments is gone"
            raise TablesLostError(message) from fault
        for answer in answers:
            if isinstance(answer, str):
                raise TablesLostError(answer)
        observations = _joined([answer[0] for answer in answers], np.concatenate)
        rewards, terminated, truncated = (np.concatenate([answer[n] for answer in answers]) for n in (1, 2, 3))
        return observations, rewards, terminated, truncated, [info for answer in answers for info in answer[4]]

    def close(self) -> None:
        """End the processes."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(5)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()
        self._pipes, self._processes = [], []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _fault: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()


def _joined(observations: Sequence[Any], how: Any) -> Any:
    """Put equal dictionaries of arrays together, array by array."""
    if isinstance(observations[0], dict):
        return {name: _joined([each[name] for each in observations], how) for name in observations[0]}
    return how(observations)


def _serve(pipe: Any, settings: tuple[Any, ...], count: int) -> None:
    """Play some tables as one is asked by a pipe, until it is closed."""
    game, players, options, max_cycles = settings
    tables = [TrajektEnv(game, players, options, max_cycles=max_cycles) for _ in range(count)]
    while True:
        try:
            what, numbers = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            results = [_done(table, what, number) for table, number in zip(tables, numbers, strict=True)]
            observations = [table.observe(table.agent_selection) for table in tables]
            rewards, terminated, truncated = (np.array([each[n] for each in results]) for n in range(3))
            infos = [table.infos[table.agent_selection] for table in tables]
            pipe.send((_joined(observations, np.stack), rewards, terminated, truncated, infos))
        except Exception as fault:  # noqa: BLE001  it is told on the other side
            pipe.send(f"{type(fault).__name__}: {fault}")


def _done(table: TrajektEnv, what: str, number: int) -> tuple[list[float], bool, bool]:
    """Begin a game, or carry out a number; the rewards by seat, and whether the game ended or was cut off."""
    if what == "reset":
        table.reset(seed=number)
        return [0.0] * len(table.possible_agents), False, False
    table.step(number)
    rewards = [table.rewards[agent] for agent in table.possible_agents]
    ended, cut = any(table.terminations.values()), any(table.truncations.values())
    if ended or cut:
        table.reset()
    return rewards, ended, cut
