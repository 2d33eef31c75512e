"""The clock: what each player may use and has used, derived from the times of the entries and from nothing else.

A budget for the game, more for each stock round and for each turn of a company that he directs, all in seconds. Every seat
whose decision is awaited uses time, also for what was undone later; what a turn grants counts once, along the line that stands.
A penalty never changes a position, since no rule of the box knows it: it is taken from the result that is shown and stored.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trajekt.engine.agenda import awaited
from trajekt.engine.state import Seat
from trajekt.engine.title import Standing
from trajekt.game import Game, Proposal
from trajekt.round_label import round_of
from trajekt.rules.operating_round import current_turn
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.clock_settings import ClockSettings, ClockVote, clock_of
from trajekt.server.storage.store import Store

MINUTE = 60.0


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


def pauses(votes: Sequence[ClockVote], people: frozenset[Seat]) -> tuple[list[Pause], frozenset[Seat]]:
    """The pauses that all `people` agreed to, and who wishes one now. Any one of them ends a pause."""
    found: list[Pause] = []
    wishing: set[Seat] = set()
    for vote in sorted(votes, key=lambda w: w.time):
        stopped = bool(found) and found[-1].end is None
        if vote.wish == "pause" and not stopped:
            wishing.add(vote.seat)
            if people and people <= wishing:
                found.append(Pause(vote.time))
        elif vote.wish == "on":
            if stopped:
                found[-1] = Pause(found[-1].start, vote.time)
                wishing.clear()
            wishing.discard(vote.seat)
    return found, frozenset(wishing)


def used(game: Game, times: Sequence[float], since: float, stopped: Sequence[Pause], now: float) -> dict[Seat, float]:
    """The seconds for which each seat was awaited from `since`, at the earliest the first action, until `now`, pauses left out.

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


def granted(game: Game, settings: ClockSettings) -> dict[Seat, int]:
    """The seconds that each seat may use so far: for the game, the stock rounds begun, the turns of companies it directed."""
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


def fine(over: float, settings: ClockSettings) -> int:
    """The penalty for so many seconds over the budget, in Mark: for each minute begun."""
    if over <= 0 or settings.penalty == "none":
        return 0
    return settings.rate * -int(-over // MINUTE)


def readings(
    game: Game, times: Sequence[float], settings: ClockSettings, since: float, stopped: Sequence[Pause], now: float
) -> list[Reading]:
    """All clocks of a table, by seat. `times` are those of the entries, `since` is when the clock was set."""
    spent = used(game, times, since, stopped, now)
    may = granted(game, settings)
    running = bool(times) and not game.finished and not (stopped and stopped[-1].end is None)
    return [
        Reading(seat, spent[seat], may[seat], running and seat in game.to_act, fine(spent[seat] - may[seat], settings))
        for seat in spent
    ]


def with_fines(standings: Sequence[Standing], fines: Sequence[int], settings: ClockSettings) -> list[Standing]:
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


@dataclass(frozen=True, slots=True)
class ClockView:
    """A clock as it was read at a time: every seat's reading, whether it is stopped, who wishes it to stop."""

    settings: ClockSettings
    read: float
    readings: tuple[Reading, ...]
    stopped: bool
    wishing: frozenset[Seat]


def final_standings(game: Game, view: ClockView | None) -> Sequence[Standing]:
    """The result of a finished game, the penalties of its clock taken off where it has one."""
    standings = game.title.standings(game.state)
    if view is None or not any(reading.fine for reading in view.readings):
        return standings
    return with_fines(standings, [reading.fine for reading in view.readings], view.settings)


def result_at_end(store: Store, cached: CachedGame, proposal: Proposal, people: frozenset[Seat]) -> Sequence[Standing]:
    """The result of a game that an entry is about to end, the penalties of its clock taken off where it has one."""
    standings, clock = cached.game.title.standings(proposal.state), clock_of(store, cached)
    if clock is None or clock.settings.penalty == "none":
        return standings
    ended = cached.game.at(cached.game.number)
    ended.accept(proposal)
    now = time.time()
    times = [*cached.entry_times[: ended.number - 1], now]
    found = readings(ended, times, clock.settings, clock.since, pauses(clock.votes, people)[0], now)
    return with_fines(standings, [reading.fine for reading in found], clock.settings)


def clock_view(store: Store, cached: CachedGame, people: frozenset[Seat], now: float | None = None) -> ClockView | None:
    """A table's clock, `people` being the seats whose consent a pause needs: as it stands `now`, or as it stood when anything
    last happened to it, from when on it has only run.
    """
    clock = clock_of(store, cached)
    if clock is None:
        return None
    game = cached.snapshot()
    stops, wishing = pauses(clock.votes, people)
    times = cached.entry_times[: game.number]
    read = max(clock.since, *times[-1:], *(vote.time for vote in clock.votes)) if now is None else now
    found = readings(game, times, clock.settings, clock.since, stops, read)
    return ClockView(clock.settings, read, tuple(found), bool(stops) and stops[-1].end is None, wishing)
