"""The time limit of a move: a bot that does not answer is left behind, and holds up neither a run of games nor a server."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from threading import Lock, Thread, current_thread
from time import perf_counter
from types import TracebackType
from typing import Self

MOVE_SECONDS = 60.0
"""Seconds by the clock for one move; the bots that come with the game need two at most."""


class TimeUp(BaseException):
    """Raised in work that was told to end; no failure of its own, so that it is not told as one."""


class Interruptible:
    """Work of one thread (`with interruptible: ...`) that another may tell to end while it lasts, and not after it.

    It ends at the next step of Python that it does: what waits for something outside for ever goes on waiting.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        self._thread = current_thread()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _fault: BaseException | None, _trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._thread = None

    def end(self) -> None:
        """Raise `TimeUp` in the work, if it still goes on."""
        with self._lock:
            if self._thread is not None and self._thread.ident is not None:
                ident = ctypes.c_ulong(self._thread.ident)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(TimeUp))


def ended_in_time(work: Callable[[], None], progress: Callable[[], int], seconds: float, name: str = "work") -> bool:
    """Do the work in a thread of this name; False where its progress has stood still for so many seconds.

    What the work raises is raised here. Work that stands still is told to end.
    """
    raised: list[BaseException] = []
    interruptible = Interruptible()

    def guarded() -> None:
        try:
            with interruptible:
                work()
        except BaseException as fault:  # noqa: BLE001  handed on
            raised.append(fault)

    thread = Thread(target=guarded, name=name, daemon=True)
    thread.start()
    last, since = progress(), perf_counter()
    while True:
        thread.join(min(1.0, seconds / 4))
        if not thread.is_alive():
            break
        now = progress()
        if now != last:
            last, since = now, perf_counter()
        elif perf_counter() - since > seconds:
            interruptible.end()
            return False
    if raised:
        raise raised[0]
    return True
