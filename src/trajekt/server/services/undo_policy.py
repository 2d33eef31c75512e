"""Policy of undo: one's own are free until another has acted on them, beyond that the others are asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trajekt.engine.state import Seat
from trajekt.game import Entry
from trajekt.server.storage.cached_game import CachedGame, PerPosition

STANDING = PerPosition[Sequence[Entry]]()


@dataclass(frozen=True, slots=True)
class Undo:
    """Going back to the position after entry `to`: who must consent, nobody where it is free."""

    to: int
    asks: tuple[Seat, ...] = ()


def undo_to(
    cached: CachedGame,
    mine: tuple[Seat, ...],
    bots: tuple[Seat, ...],
    to: int | None = None,
    *,
    apart: bool = False,
) -> Undo | None:
    """The undo that brings back position `to`, or else the one before the newest action of `mine`; None where there is none.

    Where players sit `apart`, what was done without the person goes along with one's own actions, never alone.
    """
    line = standing(cached)
    to = before_own(line, mine) if to is None else passed(line, to)
    if to is None or to == line[-1].number:
        return None
    gone = [entry for entry in line if entry.number > to]
    along = not apart or any(entry.seat in mine for entry in gone)
    theirs = [entry for entry in gone if entry.seat not in (*mine, *bots)]
    asks = {entry.seat for entry in theirs if not (along and by_itself(cached, entry))}
    return Undo(to, tuple(sorted(asks))) if along or asks else None


def before_own(line: Sequence[Entry], mine: tuple[Seat, ...]) -> int | None:
    """The position before the newest action of some seats; None where they have not acted."""
    return next((entry.parent for entry in reversed(line) if entry.seat in mine), None)


def passed(line: Sequence[Entry], to: int) -> int | None:
    """A position through which the game has come; None for any other."""
    return to if any(to in (entry.number, entry.parent) for entry in line) else None


def standing(cached: CachedGame) -> Sequence[Entry]:
    """The actions that stand at the head, found once for a position."""
    with cached.lock:
        return STANDING.get(cached, cached.game.line)


def by_itself(cached: CachedGame, entry: Entry) -> bool:
    """Tell whether an action was carried out without the person: by a bot or an instruction, which act anew."""
    by = cached.made_by.get(entry.number)
    return by is not None and by.kind.by_itself
