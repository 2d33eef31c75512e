"""The timeline of games: by operating round what companies earn, which trains run, how much cash lies idle.

The timeline of many games between bots stands beside that of a game that people played, and shows where the bots stand still.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from trajekt.bots.arena import why_no_end
from trajekt.bots.checkpoints import resumed
from trajekt.bots.executors import HERE, Executor
from trajekt.bots.simulation import GamePlan, play_out
from trajekt.engine.components.schema import TrainKind
from trajekt.engine.state import State
from trajekt.game import Game
from trajekt.round_label import Round, round_of

OPERATING, STOCK = "operating", "stock"


class RoundEnd(msgspec.Struct, frozen=True):
    """The position at the end of a round, over all seats and companies. Money in Mark.

    `number` counts the rounds of its `kind` from 1. `cash` lies in the players' hands, `treasuries` in the companies', `shares`
    are the players' certificates at their prices. `revenue` is what the companies' last runs earned; `trains` counts those in
    use by kind, `trainless` the floated companies without one.
    """

    kind: str
    number: int
    cash: int
    treasuries: int
    shares: int
    revenue: int
    floated: int
    trainless: int
    trains: dict[TrainKind, int]

    @property
    def idle(self) -> float:
        """The part of the players' money that lies in their hands, 0 to 1."""
        return self.cash / max(1, self.cash + self.shares)


class Timeline(msgspec.Struct, frozen=True):
    """The ends of the rounds of one game in order, and each seat's total in Mark; no totals where the game has not ended.

    `fault` says why a game of bots came to no end, `plan` what such a game was played by.
    """

    rounds: tuple[RoundEnd, ...]
    totals: tuple[int, ...] = ()
    fault: str = ""
    plan: GamePlan | None = None

    def first_trains(self) -> dict[TrainKind, int]:
        """By kind of train, the operating round, counted from 1, at whose end one was first in use."""
        found: dict[TrainKind, int] = {}
        for each in self.rounds:
            if each.kind == OPERATING:
                for kind in each.trains:
                    found.setdefault(kind, each.number)
        return found


def round_end(state: State, kind: str, number: int) -> RoundEnd:
    """Take the figures of the last position of a round."""
    companies = [company for company in state.companies.values() if company.founded]
    floated = [company for company in companies if company.floated]
    shares = sum(
        company.percent(seat) // state.sheet.companies[company.id].share * state.price(company.id)
        for company in companies
        if company.id in state.markers.spaces
        for seat in range(len(state.players))
    )
    return RoundEnd(
        kind,
        number,
        sum(player.cash for player in state.players),
        sum(company.treasury for company in floated),
        shares,
        sum(company.revenue or 0 for company in floated),
        len(floated),
        sum(not company.trains for company in floated),
        dict(Counter(train for company in companies for train in company.trains)),
    )


class Recorder:
    """Takes the end of each round of a game that is shown to it position by position."""

    def __init__(self) -> None:
        self.rounds: list[RoundEnd] = []
        self._numbers: Counter[str] = Counter()
        self._last: tuple[State, Round] | None = None

    def __call__(self, state: State) -> None:
        """Look at the next position; where a new round has begun, the position before it ended a round."""
        now = round_of(state)
        if self._last is not None and self._last[1] != now:
            before, ended = self._last
            self._numbers[ended.kind] += 1
            self.rounds.append(round_end(before, ended.kind, self._numbers[ended.kind]))
        self._last = state, now


def played_by_bots(plan: GamePlan) -> Timeline:
    """The timeline of a game that bots play; nothing but the fault where it comes to no end."""
    recorder = Recorder()
    result = play_out(plan, recorder)
    if not result.finished:
        return Timeline((), fault=why_no_end(result), plan=plan)
    return Timeline(tuple(recorder.rounds), result.totals, plan=plan)


def of_game(game: Game) -> Timeline:
    """The timeline of a game along the line that stands."""
    recorder = Recorder()
    recorder(game.opening.state)
    for entry in game.line():
        recorder(game.state_at(entry.number))
    ended = game.title.standings(game.state) if game.state.outcome else ()
    return Timeline(tuple(recorder.rounds), tuple(s.total for s in sorted(ended, key=lambda s: s.seat)))


def timelines(plans: Sequence[GamePlan], where: Executor = HERE, keep: Path | None = None) -> Iterator[Timeline]:
    """The timelines of the plans, in their order; of the games that the file `keep` has those that stand there."""
    if keep is None:
        yield from where.run(played_by_bots, plans)
    else:
        yield from resumed(plans, played_by_bots, where, keep, Timeline)


class MeanRound(msgspec.Struct, frozen=True):
    """An operating round in the mean of the games that came so far; Mark, counts, and `idle` from 0 to 1.

    `idle` is that of the last stock round before it.
    """

    number: int
    games: int
    revenue: float
    floated: float
    trainless: float
    idle: float
    treasuries: float
    shares: float
    trains: Mapping[TrainKind, float]


def mean_rounds(found: Sequence[Timeline]) -> list[MeanRound]:
    """The operating rounds in order, each in the mean of the games that reached it."""
    numbered: dict[int, list[tuple[RoundEnd, float]]] = {}
    for timeline in found:
        idle = 0.0
        for each in timeline.rounds:
            if each.kind == STOCK:
                idle = each.idle
            if each.kind == OPERATING:
                numbered.setdefault(each.number, []).append((each, idle))
    means = []
    for number, pairs in sorted(numbered.items()):
        ends = [end for end, _ in pairs]
        kinds = sorted({kind for end in ends for kind in end.trains}, key=lambda kind: (len(kind), kind))
        means.append(
            MeanRound(
                number,
                len(ends),
                fmean(end.revenue for end in ends),
                fmean(end.floated for end in ends),
                fmean(end.trainless for end in ends),
                fmean(idle for _, idle in pairs),
                fmean(end.treasuries for end in ends),
                fmean(end.shares for end in ends),
                {kind: fmean(end.trains.get(kind, 0) for end in ends) for kind in kinds},
            )
        )
    return means


def report(found: Sequence[Timeline]) -> str:
    """The timeline as lines of text: a row an operating round, then the first train of each kind, then the totals."""
    lines = [
        f"{'OR':>3}{'games':>6}{'revenue':>9}{'floated':>9}{'trainless':>10}{'idle':>6}{'treasuries':>12}{'shares':>8}  trains"
    ]
    for each in mean_rounds(found):
        trains = " ".join(f"{kind}:{count:.1f}" for kind, count in each.trains.items())
        lines.append(
            f"{each.number:>3}{each.games:>6}{each.revenue:>9,.0f}{each.floated:>9.1f}{each.trainless:>10.1f}"
            f"{each.idle:>6.0%}{each.treasuries:>12,.0f}{each.shares:>8,.0f}  {trains}"
        )
    firsts = [timeline.first_trains() for timeline in found]
    for kind in sorted({kind for first in firsts for kind in first}, key=lambda kind: (len(kind), kind)):
        rounds = [first[kind] for first in firsts if kind in first]
        lines.append(
            f"first {kind}-train: in {len(rounds)} of {len(found)} games, on average in OR {fmean(rounds):.1f}"
        )
    totals = [sum(timeline.totals) for timeline in found if timeline.totals]
    if totals:
        lines.append(f"all seats together: {fmean(totals):,.0f} M in the mean of {len(totals)} games")
    return "\n".join(lines)
