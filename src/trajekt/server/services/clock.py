"""The clock: what each player may use and has used, derived from the times of the entries and from nothing else.

A budget for the game, more for each stock round and for each turn of a company that he directs, all in seconds. Every seat
whose decision is awaited uses time, also for what was undone later; what a turn grants counts once, along the line that stands.
A penalty never changes a position, since no rule of the box knows it: it is taken from the result that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import msgspec

from trajekt.engine.agenda import awaited
from trajekt.engine.state import Seat
from trajekt.engine.title import Standing
from trajekt.game import Game
from trajekt.rules.operating_round import current_turn
from trajekt.server.storage.round_label import round_of

MINUTE = 60.0
Seconds = Annotated[int, msgspec.Meta(ge=0, le=366 * 24 * 3600)]
Mark = Annotated[int, msgspec.Meta(ge=0, le=10_000)]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clock. `game`, `stock` and `operating` in seconds; `rate` in Mark for each minute begun over the budget.

    `cash` takes the penalty from the cash that a player has at the end, and no more than that; `score` from his total.
    """

    game: Seconds
    stock: Seconds = 0
    operating: Seconds = 0
    penalty: Literal["none", "cash", "score"] = "none"
    rate: Mark = 0


@dataclass(frozen=True, slots=True)
class Word:
    """A word about the clock, with its time: a seat wants to `pause`, or to go `on`."""

    seat: Seat
    wish: str
    time: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A seat's clock, in seconds. `running` while its decision is awaited and nothing has stopped the clock; `fine` in Mark."""

    seat: Seat
    used: float
    granted: int
    running: bool
    fine: int

    @property
    def left(self) -> float:
        return self.granted - self.used


@dataclass(frozen=True, slots=True)
class Pause:
    """A time in which no clock runs; `end` is None while it lasts."""

    start: float
    end: float | None = None


def pauses(words: Sequence[Word], people: frozenset[Seat]) -> tuple[list[Pause], frozenset[Seat]]:
    """The pauses that all `people` agreed to, and who wishes one now. Any one of them ends a pause."""
    found: list[Pause] = []
    wishing: set[Seat] = set()
    for word in sorted(words, key=lambda w: w.time):
        stopped = bool(found) and found[-1].end is None
        if word.wish == "pause" and not stopped:
            wishing.add(word.seat)
            if people and people <= wishing:
                found.append(Pause(word.time))
        elif word.wish == "on":
            if stopped:
                found[-1] = Pause(found[-1].start, word.time)
                wishing.clear()
            wishing.discard(word.seat)
    return found, frozenset(wishing)


def used(game: Game, times: Sequence[float], since: float, stopped: Sequence[Pause], now: float) -> dict[Seat, float]:
    """The seconds each seat was awaited for from `since`, at the earliest the first deed, until `now`, pauses left out.

    `times` are those of the entries, in order.
    """
    total = dict.fromkeys(range(len(game.state.players)), 0.0)
    for number, start in enumerate(times, 1):
        end = times[number] if number < len(times) else now
        spent = max(0.0, overlap(max(start, since), end, stopped))
        for seat in awaited(game.ruleset, game.state_at(number)):
            total[seat] += spent
    return total


def overlap(start: float, end: float, stopped: Sequence[Pause]) -> float:
    """The seconds between two times that lie in no pause."""
    if end <= start:
        return 0.0
    lost = sum(max(0.0, min(end, end if p.end is None else p.end) - max(start, p.start)) for p in stopped)
    return end - start - lost


def granted(game: Game, settings: Settings) -> dict[Seat, int]:
    """The seconds each seat may use so far: for the game, the stock rounds begun, the turns of companies it directed."""
    total = dict.fromkeys(range(len(game.state.players)), settings.game)
    rounds: set[str] = set()
    turns: set[tuple[str, str]] = set()
    numbers = [0, *(entry.number for entry in game.line())]
    for number in numbers:
        state = game.state_at(number)
        here = round_of(state)
        if here.kind == "stock" and here.key not in rounds:
            rounds.add(here.key)
            for seat in total:
                total[seat] += settings.stock
        turn = current_turn(state)
        if turn is not None and (here.key, turn.company) not in turns:
            director = state.companies[turn.company].director
            turns.add((here.key, turn.company))
            if director is not None:
                total[director] += settings.operating
    return total


def fine(over: float, settings: Settings) -> int:
    """The penalty for so many seconds over the budget, in Mark: for each minute begun."""
    if over <= 0 or settings.penalty == "none":
        return 0
    return settings.rate * -int(-over // MINUTE)


def readings(
    game: Game, times: Sequence[float], settings: Settings, since: float, stopped: Sequence[Pause], now: float
) -> list[Reading]:
    """All clocks of a table, by seat. `times` are those of the entries, `since` is when the clock was set."""
    spent = used(game, times, since, stopped, now)
    may = granted(game, settings)
    running = bool(times) and not game.finished and not (stopped and stopped[-1].end is None)
    return [
        Reading(seat, spent[seat], may[seat], running and seat in game.to_act, fine(spent[seat] - may[seat], settings))
        for seat in spent
    ]


def with_fines(standings: Sequence[Standing], fines: Sequence[int], settings: Settings) -> list[Standing]:
    """The result with the penalties of the clock taken off, the best first; `fines` in Mark by seat."""
    taken = []
    for standing in standings:
        owed = fines[standing.seat]
        taken.append((standing, min(owed, max(standing.cash, 0)) if settings.penalty == "cash" else owed))
    totals = [standing.total - off for standing, off in taken]
    return sorted(
        (
            replace(
                standing,
                total=standing.total - off,
                deducted=standing.deducted + off,
                rank=1 + sum(other > standing.total - off for other in totals),
            )
            for standing, off in taken
        ),
        key=lambda s: (s.rank, s.seat),
    )
