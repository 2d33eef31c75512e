"""The processes that the tests start: each is noted, and at the end of the run none may be left.

The list is a file, so that it survives a worker that dies. A process is known by its number and the moment at which it began:
a number alone may belong to another one later.
"""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
from pathlib import Path

VARIABLE = "TRAJEKT_STARTED_PROCESSES"


def begin() -> None:
    """Make the list; workers find it by their environment."""
    if VARIABLE not in os.environ:
        handle, name = tempfile.mkstemp(prefix="started-")
        os.close(handle)
        os.environ[VARIABLE] = name


def began(number: int) -> str:
    """When a process began, in the system's own count; empty where it is gone or the system does not say."""
    try:
        stat = Path(f"/proc/{number}/stat").read_text(encoding="utf-8")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]


def note(number: int) -> None:
    """Put a process on the list."""
    if name := os.environ.get(VARIABLE):
        with Path(name).open("a", encoding="utf-8") as file:
            file.write(f"{number} {began(number)}\n")


def end() -> list[int]:
    """The processes of the list that are still there; they are killed, and the list is gone."""
    name = os.environ.pop(VARIABLE, "")
    if not name:
        return []
    lines = [line.split() for line in Path(name).read_text(encoding="utf-8").splitlines()]
    Path(name).unlink()
    left = [int(number) for number, *moment in lines if moment and began(int(number)) == moment[0]]
    for number in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    return left
