"""Executors: where games are played, on the cores of this machine or on a cluster. Equal tasks give equal results everywhere.

A task is lost with the worker that had it and is given to another; what had ended stays. Results come in the order of the
tasks, and no more tasks are under way than the workers need, so that a run of any length takes little memory.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import connection, parent_process
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 4
"""The tasks under way for each worker: one at work, the others so that none waits while results are taken in order."""

TRIES = 5
"""The workers that may be lost over one task before it is held for the cause."""


class Executor(Protocol):
    """A place where tasks are done."""

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Do every task and answer the results in the order of the tasks. What `work` raises is raised here."""
        ...


class WorkersLostError(RuntimeError):
    """One task after which workers were lost again and again."""


class ClusterError(RuntimeError):
    """A cluster that cannot be reached, or the extra that is not installed."""


class LocalExecutor:
    """The cores of this machine: `jobs` processes, 0 for one on each core; with 1 all is done in this process."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs or os.cpu_count() or 1

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Do every task; where a process dies, its tasks are done again by new ones."""
        if self.jobs <= 1:
            yield from map(work, tasks)
            return
        waiting = iter(tasks)
        under_way: deque[_Open[Task, Result]] = deque()
        lost = 0
        while True:
            try:
                for result in self._results(work, under_way, waiting):
                    lost = 0
                    yield result
            except BrokenProcessPool as fault:
                lost += 1
                if lost >= TRIES:
                    message = f"{TRIES} processes were lost over {under_way[0].task!r}"
                    raise WorkersLostError(message) from fault
            else:
                return

    def _results(
        self, work: Callable[[Task], Result], under_way: deque[_Open[Task, Result]], waiting: Iterator[Task]
    ) -> Iterator[Result]:
        """Results by one set of processes; what those before it were asked and did not answer is asked again."""
        with ProcessPoolExecutor(self.jobs, initializer=end_with_parent) as pool:
            try:
                for each in under_way:
                    if each.lost():
                        each.future = pool.submit(work, each.task)
                while True:
                    for task in islice(waiting, AHEAD * self.jobs - len(under_way)):
                        under_way.append(_Open(task))
                        under_way[-1].future = pool.submit(work, task)
                    if not under_way:
                        return
                    result = under_way[0].result()
                    under_way.popleft()
                    yield result
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


class _Open(Generic[Task, Result]):
    """A task under way, and the promise of its result."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.future: Future[Result] | None = None

    def lost(self) -> bool:
        """Tell whether the process is gone that was to do it."""
        return self.future is None or self.future.cancelled() or isinstance(self.future.exception(), BrokenProcessPool)

    def result(self) -> Result:
        """Wait for the result; BrokenProcessPool where the process is lost."""
        assert self.future is not None
        return self.future.result()


def end_with_parent() -> None:
    """Let this process end as soon as the one that made it is gone, killed ones too: a pool's would wait for ever."""
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


class ClusterExecutor:
    """A cluster of Dask (extra `cluster`), by the address of its scheduler, such as `tcp://10.0.0.5:8786`.

    Workers need trajekt in the same version. A lost worker's tasks go to another; without any worker the run waits for one.
    """

    def __init__(self, address: str, wait: float = 30.0) -> None:
        self.address, self.wait = address, wait

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Do every task on the cluster. ClusterError where it cannot be reached."""
        client = self._client()
        try:
            workers = sum(client.nthreads().values())
            waiting = iter(tasks)

            def send(count: int) -> list[Any]:
                return [client.submit(work, task, pure=False, retries=0) for task in islice(waiting, count)]

            under_way = deque(send(AHEAD * max(1, workers)))
            while under_way:
                yield under_way[0].result()
                under_way.popleft()
                under_way.extend(send(1))
        finally:
            client.close()

    def _client(self) -> Any:
        try:
            import distributed
        except ImportError as fault:
            message = "a cluster needs its extra: in the folder of trajekt, pip install '.[cluster]'"
            raise ClusterError(message) from fault
        try:
            make: Any = distributed.Client
            return make(self.address, timeout=self.wait, set_as_default=False)
        except (OSError, ValueError) as fault:
            message = f"no cluster answers at {self.address}: {fault}"
            raise ClusterError(message) from fault


def executor(jobs: int = 1, cluster: str = "") -> Executor:
    """Return the executor for an address of a cluster, or for a number of processes here."""
    return ClusterExecutor(cluster) if cluster else LocalExecutor(jobs)


HERE = LocalExecutor(1)
"""This process alone."""
