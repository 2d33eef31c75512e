"""Games kept in a file as soon as they have ended, so that a run that was stopped goes on where it stopped.

The file has a JSON line for each game: a `GameResult`, or what else is kept of it, with its plan. A torn last line, of a run
that was killed while it wrote, is left out. A game is known by its whole plan, so that other seeds, options or bots are played
anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from trajekt.bots.executors import Executor
from trajekt.bots.simulation import GamePlan


class KeptGamesError(ValueError):
    """A file that holds something else than games."""


class Planned(Protocol):
    """A kept result of a game, with the plan that it was played by."""

    @property
    def plan(self) -> GamePlan | None:
        """The plan of the game."""


Kept = TypeVar("Kept", bound=Planned)


def key_of(plan: GamePlan | None) -> bytes:
    """Return what a plan depends on, in one form."""
    return msgspec.json.encode(plan, order="sorted")


def read_games(file: Path, kept: type[Kept]) -> dict[bytes, Kept]:
    """Return the games of a file by the key of their plan, none where there is no file. KeptGamesError names a wrong line.

    `kept` is the type of its lines.
    """
    found: dict[bytes, Kept] = {}
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            result = msgspec.json.decode(line, type=kept)
        except msgspec.DecodeError as fault:
            if number == len(lines) and not line.endswith(b"\n"):
                break  # torn
            message = f"{file}, line {number}: {fault}"
            raise KeptGamesError(message) from fault
        found[key_of(result.plan)] = result
    return found


def _drop_torn_line(file: Path) -> None:
    if file.exists():
        with file.open("rb+") as out:
            out.truncate(out.read().rfind(b"\n") + 1)


def resumed(
    todo: Sequence[GamePlan], play: Callable[[GamePlan], Kept], where: Executor, file: Path, kept: type[Kept]
) -> Iterator[Kept]:
    """The results of plans in their order: those that the file has, and the others played and written to it.

    `kept` is the type of a result.
    """
    known = read_games(file, kept)
    missing = [plan for plan in todo if key_of(plan) not in known]
    played = where.run(play, missing)
    _drop_torn_line(file)
    with file.open("ab") as out:
        for plan in todo:
            result = known.get(key_of(plan))
            if result is None:
                result = next(played)
                out.write(msgspec.json.encode(result) + b"\n")
                out.flush()
            yield result
