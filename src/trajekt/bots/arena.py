"""The arena: how strong players are. Many seeded games, every opening played once in every seating, results as ratings.

    python -m trajekt.bots.arena 18rhl steady random random --games 100 --jobs 2

An opening is an edition and a seed (seats by lot, draws of set-up), and as many first actions as are to be drawn at random.
It is played as often as there are seats, each time with the players one seat further, so that no kind of player gains by where
it sits. Ratings are those of Bradley and Terry: who of two players at one table ends with more has beaten the other. Their
uncertainty comes from drawing the openings again.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import msgspec

from trajekt.bots.checkpoints import resumed
from trajekt.bots.executors import executor
from trajekt.bots.simulation import GamePlan, GameResult, play_out, simulate
from trajekt.registry import title

ROUNDS = 200  # of the iteration by which ratings are found
REDRAWN = 200  # times that the openings are drawn again
SCALE = 400 / math.log(10)


class ArenaResult(msgspec.Struct, frozen=True):
    """A game of the arena: the opening, the kind of player and the total at each seat, in Mark, and who won.

    Where several share the best total each has part of the win.
    """

    opening: int
    seed: int
    edition: int
    kinds: tuple[str, ...]
    totals: tuple[int, ...]
    actions: int
    reason: str
    seconds: float

    @property
    def wins(self) -> tuple[float, ...]:
        best = max(self.totals)
        count = self.totals.count(best)
        return tuple(1 / count if total == best else 0.0 for total in self.totals)


class Rating(msgspec.Struct, frozen=True):
    """A kind of player: games, wins, what its seats alone would have won, rating with its standard error (random: 0)."""

    kind: str
    games: int
    wins: float
    share: float
    rating: float
    error: float


def schedule(
    game: str, kinds: Sequence[str], games: int, seed: int, edition: int | None = None, drawn: int = 0
) -> list[GamePlan]:
    """The games: every opening once with each seating, in the editions that seat so many in turn, or in one.

    The first `drawn` actions of an opening are drawn at random. Raises ValueError where no edition seats so many.
    """
    found = title(game)
    editions = [e for e, (low, high) in sorted(found.editions.items()) if low <= len(kinds) <= high]
    if edition is not None:
        editions = [e for e in editions if e == edition]
    if not editions:
        message = f"no edition of {found.name} is for {len(kinds)} players"
        if edition is not None:
            message = f"{found.name} has no edition {edition} for {len(kinds)} players"
        raise ValueError(message)
    seatings = list(dict.fromkeys(tuple(kinds[n:]) + tuple(kinds[:n]) for n in range(len(kinds))))
    plans = []
    for number in range(games):
        opening, seating = divmod(number, len(seatings))
        edition = editions[opening % len(editions)]
        plans.append(
            GamePlan(
                found.id,
                number,
                seed + opening,
                len(kinds),
                {"edition": edition},
                seatings[seating],
                checked=False,
                drawn=drawn,
            )
        )
    return plans


def result_of(outcome: GameResult) -> ArenaResult:
    """The result of a game for the arena. AssertionError where it came to no end."""
    plan = outcome.plan
    assert outcome.finished, outcome.violations
    return ArenaResult(
        plan.seed,
        plan.seed,
        int(plan.options.get("edition", 0)),
        plan.kinds,
        outcome.totals,
        outcome.actions,
        outcome.reason,
        round(outcome.seconds, 3),
    )


def why_no_end(outcome: GameResult) -> str:
    """Tell which game came to no end, and why.

    >>> why_no_end(GameResult(GamePlan("18rhl", 4, 9, 3, {}), 7, False, "", (0, 0, 0), 0.1))
    'game 4 (seed 9, random) came to no end: it did not end'
    """
    plan = outcome.plan
    why = outcome.violations[0].message if outcome.violations else "it did not end"
    return f"game {plan.number} (seed {plan.seed}, {' '.join(plan.kinds)}) came to no end: {why}"


# Ratings ----------------------------------------------------------------------------------------------------------------


def duels(results: Iterable[ArenaResult]) -> dict[tuple[str, str], float]:
    """Count how often the first kind ended above the second at one table; a tie is half."""
    won: dict[tuple[str, str], float] = {}
    for result in results:
        for a, b in combinations(range(len(result.kinds)), 2):
            one, other = result.kinds[a], result.kinds[b]
            if one != other:
                lead = result.totals[a] - result.totals[b]
                score = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
                won[one, other] = won.get((one, other), 0.0) + score
                won[other, one] = won.get((other, one), 0.0) + 1 - score
    return won


def strengths(won: Mapping[tuple[str, str], float]) -> dict[str, float]:
    """Ratings on Elo's scale, their mean 0, by Hunter's iteration; half a win to either side keeps them finite."""
    kinds = sorted({kind for pair in won for kind in pair})
    padded = {pair: wins + 0.5 for pair, wins in won.items()}
    strength = dict.fromkeys(kinds, 1.0)
    for _ in range(ROUNDS):
        for kind in kinds:
            wins = sum(count for (one, _), count in padded.items() if one == kind)
            met = sum(
                (padded[kind, other] + padded[other, kind]) / (strength[kind] + strength[other])
                for other in kinds
                if (kind, other) in padded
            )
            strength[kind] = wins / met if met else 1.0
        mean = math.exp(sum(math.log(s) for s in strength.values()) / len(kinds)) if kinds else 1.0
        strength = {kind: value / mean for kind, value in strength.items()}
    return {kind: SCALE * math.log(value) for kind, value in strength.items()}


def ratings(results: Sequence[ArenaResult], seed: int = 1) -> list[Rating]:
    """All kinds, the strongest first, the weakest rated 0."""
    kinds = sorted({kind for result in results for kind in result.kinds})
    base = strengths(duels(results))
    low = min(kinds, key=lambda kind: base.get(kind, 0.0))
    openings: dict[int, list[ArenaResult]] = {}
    for result in results:
        openings.setdefault(result.opening, []).append(result)
    numbers = sorted(openings)
    rng = random.Random(seed)
    drawn: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(REDRAWN if len(kinds) > 1 else 0):
        again = [result for _ in numbers for result in openings[rng.choice(numbers)]]
        found = strengths(duels(again))
        for kind in kinds:
            drawn[kind].append(found.get(kind, 0.0) - found.get(low, 0.0))
    out = []
    for kind in kinds:
        seats = [(r.wins[n], len(r.kinds)) for r in results for n, k in enumerate(r.kinds) if k == kind]
        out.append(
            Rating(
                kind,
                sum(kind in r.kinds for r in results),
                round(sum(win for win, _ in seats), 2),
                round(sum(1 / count for _, count in seats), 2),
                round(base.get(kind, 0.0) - base.get(low, 0.0), 1),
                round(deviation(drawn[kind]), 1),
            )
        )
    return sorted(out, key=lambda rating: -rating.rating)


def different(results: Iterable[ArenaResult]) -> int:
    """Count the games that did not go like another: bots that draw nothing play equal openings alike."""
    return len({(each.edition, each.kinds, each.totals, each.actions) for each in results})


def deviation(values: Sequence[float]) -> float:
    """The standard deviation of a sample, 0 for less than two."""
    if len(values) < 2:
        return 0.0
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))


def table(found: Sequence[Rating], games: int) -> str:
    """Ratings as lines of text."""
    lines = [f"{'player':<16}{'games':>6}{'wins':>8}{'by seats':>10}{'times':>7}{'rating':>9}"]
    for each in found:
        times = each.wins / each.share if each.share else 0.0
        rating = f"{each.rating:.0f} ±{each.error:.0f}"
        lines.append(f"{each.kind:<16}{each.games:>6}{each.wins:>8.1f}{each.share:>10.1f}{times:>7.2f}{rating:>9}")
    return "\n".join([f"{games} games", *lines])


def to_standard_error(line: str) -> None:
    """Write a line for people."""
    sys.stderr.write(f"{line}\n")


def main(words: Sequence[str] | None = None, tell: Callable[[str], None] = to_standard_error) -> int:
    """The command: results as JSON lines on standard output; `tell` is handed the ratings, a line at a time.

    A game that came to no end is told too and left out of the ratings; the status is then 1.
    """
    parser = argparse.ArgumentParser(prog="python -m trajekt.bots.arena", description="How strong players are.")
    parser.add_argument("game")
    parser.add_argument("players", nargs="+", help="one kind for each seat: random, steady, search, ...")
    parser.add_argument("--games", type=int, default=99)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--drawn", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cluster", default="")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args(words)
    results = []
    failed = 0
    todo = schedule(given.game, given.players, given.games, given.seed, drawn=given.drawn)
    where = executor(given.jobs, given.cluster)
    outcomes = simulate(todo, where) if given.keep is None else resumed(todo, play_out, where, given.keep, GameResult)
    for outcome in outcomes:
        if not outcome.finished:
            failed += 1
            tell(why_no_end(outcome))
            continue
        result = result_of(outcome)
        results.append(result)
        sys.stdout.write(msgspec.json.encode(result).decode() + "\n")
        sys.stdout.flush()
    alike = len(results) - different(results)
    if alike:
        tell(f"{alike} of {len(results)} games went like another of the same kinds in the same seats")
    for line in table(ratings(results), len(results)).splitlines() if results else ["no game came to an end"]:
        tell(line)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
