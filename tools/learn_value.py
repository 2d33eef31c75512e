"""What a seat's facts are worth, learned from whole games of bots: weights for `trajekt.bots.seat_facts`, and how far they see.

    python tools/learn_value.py 18rhl steady steady steady --games 100 --seed 100600 --facts facts.jsonl -o seat_value.json

The facts of each game are written to `--facts` as soon as it has ended; games that are there are not played again. Weights
are found by ridge regression (numpy, extra `rl`), each with one now and one for the rounds to come: for the mean of the table
at the end by the means of the facts, and for the lead over that mean by the facts above it. What is owed or missing may weigh
nothing above 0, early or late: few seats lack much, and chance makes it look like a gain. Printed is, for games held out of
the fit, how well prospects alone and the learned value foretell both, by operating rounds to come.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from trajekt.bots.arena import schedule
from trajekt.bots.evaluation import rounds_left
from trajekt.bots.executors import executor
from trajekt.bots.seat_facts import SeatValue, facts
from trajekt.bots.simulation import GamePlan, play_out, ruleset_of
from trajekt.engine.state import State
from trajekt.round_label import Round, round_of

FOLDS = 5
OWING = ("loans", "lacking", "threat", "next_price", "unsafe", "trainless", "short", "uncovered")
"""Facts of what is owed or missing: more of it is never a gain."""

EARLIEST = 16  # operating rounds to come as guessed at most
STIFF, LOOSE = 150.0, 100.0
"""How strongly weights are held near those of prospects alone, and those of the level near 0, in units of their deviation."""

SPANS = ((1, 2), (3, 5), (6, 8), (9, 11), (12, 99))
Numbers = NDArray[np.float64]


class FactsRow(msgspec.Struct):
    """The facts of all seats as a round begins: operating rounds to come as guessed and as they came."""

    guessed: int
    came: int
    seats: list[dict[str, float]]


class GameFacts(msgspec.Struct):
    """The rows of one game, known by its plan, and how it ended."""

    plan: GamePlan
    totals: tuple[int, ...]
    rows: list[FactsRow]


def gathered(plan: GamePlan) -> GameFacts:
    """Play a game and take the facts as each round begins. AssertionError where it comes to no end."""
    ruleset, _ = ruleset_of(plan)
    known: list[Round] = []
    rows: list[FactsRow] = []

    def look(state: State) -> None:
        now = round_of(state)
        if not state.outcome and now not in known:
            known.append(now)
            rows.append(FactsRow(rounds_left(state), 0, [facts(ruleset, state, n) for n in range(plan.players)]))

    result = play_out(plan, look)
    assert result.finished, result.violations
    for at, row in enumerate(rows):
        row.came = sum(each.kind == "operating" for each in known[at:])
    return GameFacts(plan, result.totals, rows)


def games_of(file: Path) -> list[GameFacts]:
    """Return the games of a file."""
    return (
        [msgspec.json.decode(line, type=GameFacts) for line in file.read_bytes().splitlines()] if file.exists() else []
    )


class Table:
    """The rows of many games as arrays, one for each seat: facts above the mean of the table, that mean, how both ended."""

    def __init__(self, games: list[GameFacts]) -> None:
        self.names = list(games[0].rows[0].seats[0])
        facts_, means, leads, levels, numbers = [], [], [], [], []
        for number, each in enumerate(games):
            totals = np.array(each.totals, float)
            for row in each.rows:
                here = np.array([[seat[name] for name in self.names] for seat in row.seats], float)
                facts_.append(here - here.mean(0))
                means.append(np.tile(here.mean(0), (len(totals), 1)))
                leads.append(totals - totals.mean())
                levels.append(np.full(len(totals), totals.mean()))
                numbers.append(np.tile((row.guessed, row.came, number), (len(totals), 1)))
        self.facts, self.means, self.leads = np.vstack(facts_), np.vstack(means), np.concatenate(leads)
        self.levels = np.concatenate(levels)
        self.guessed, self.came, self.game = np.vstack(numbers).T
        self.count = int(self.game.max()) + 1
        at = self.names.index("prospects")
        self.prospects, self.judged = self.facts[:, at], self.means[:, at]

    def columns(self, values: Numbers) -> tuple[Numbers, Numbers]:
        """Each column in units of its deviation, and each times the rounds to come as guessed; the units besides."""
        unit = values.std(0)
        unit = np.where(
            unit > 1e-6, unit, 1e9
        )  # what never differs weighs nothing, but for the constant, which nothing holds
        if len(unit) == len(self.names):
            unit[self.names.index("one")] = 0.01
        scaled = values / unit
        return np.hstack([scaled, scaled * self.guessed[:, None] / 10]), np.tile(unit, 2)

    def ends(self, values: Numbers) -> tuple[Numbers, Numbers]:
        """Each column as it counts at the end of a game, and as it counts early on; the units besides."""
        both, unit = self.columns(values)
        now, later = np.split(both, 2, axis=1)
        early = later * 10 / EARLIEST
        return np.hstack([now - early, early]), unit


def ridge(columns: Numbers, target: Numbers, stiff: float) -> Numbers:
    """Weights of least squares, held near 0."""
    found: Numbers = np.linalg.solve(columns.T @ columns + stiff * np.eye(columns.shape[1]), columns.T @ target)
    return found


def bounded(columns: Numbers, target: Numbers, stiff: float, owing: NDArray[np.bool_]) -> Numbers:
    """Weights as by `ridge`, none of those of `owing` above 0: what comes out so is left out, until none does."""
    kept = np.ones(columns.shape[1], bool)
    while True:
        found = np.zeros(columns.shape[1])
        found[kept] = ridge(columns[:, kept], target, stiff)
        above = owing & (found > 0)
        if not above.any():
            return found
        kept &= ~above


def fitted(table: Table, rows: Numbers) -> tuple[Numbers, Numbers]:
    """Weights for the level and for the lead, found on some of the rows: each fact now, then each for ten rounds to come.

    The lead is that by prospects alone, and what all facts tell besides.
    """
    means, by_mean = table.columns(table.means)
    level = ridge(means[rows], table.levels[rows], LOOSE) / by_mean
    every, by_fact = table.ends(table.facts)
    alone, by_prospects = table.columns(table.prospects[:, None])
    first = ridge(alone[rows], table.leads[rows], 1e-3)
    owing = np.tile(np.isin(table.names, OWING), 2)
    last, earliest = np.split(bounded(every[rows], (table.leads - alone @ first)[rows], STIFF, owing) / by_fact, 2)
    lead = np.hstack([last, (earliest - last) * 10 / EARLIEST])
    at = table.names.index("prospects")
    lead[[at, len(table.names) + at]] += first / by_prospects
    return level, lead


def foretold(table: Table, values: Numbers, found: Numbers) -> Numbers:
    """The value of each row by weights."""
    now, later = np.split(found, 2)
    told: Numbers = values @ now + (values @ later) * table.guessed / 10
    return told


def report(table: Table) -> Iterator[str]:
    """By rounds to come: how prospects alone, and the learned value of games not seen, foretell the lead and the level."""
    level, lead = np.zeros(len(table.leads)), np.zeros(len(table.leads))
    for fold in range(FOLDS):
        out = table.game % FOLDS == fold
        by_mean, by_fact = fitted(table, ~out)
        level[out], lead[out] = foretold(table, table.means, by_mean)[out], foretold(table, table.facts, by_fact)[out]
    yield "rounds  rows  correlation of the lead: prospects, learned  its error in M: the same  error of the level: the same"
    for low, high in SPANS:
        here = (table.came >= low) & (table.came <= high)
        if here.sum() < 2:
            continue
        told = [np.corrcoef(guess[here], table.leads[here])[0, 1] for guess in (table.prospects, lead)]
        off = [np.sqrt(np.mean((guess - table.leads)[here] ** 2)) for guess in (table.prospects, lead)]
        part = [np.mean(np.abs(guess / table.levels - 1)[here]) for guess in (table.judged, level)]
        yield (
            f"{low:>2}-{high:<3} {here.sum():>5} {told[0]:>33.2f} {told[1]:>8.2f} {off[0]:>17.0f} {off[1]:>8.0f}"
            f" {part[0]:>19.0%} {part[1]:>8.0%}"
        )


def learned(table: Table) -> SeatValue:
    """What all rows teach."""

    def named(found: Numbers) -> dict[str, tuple[float, float]]:
        now, later = np.split(found, 2)
        return {name: (round(float(now[n]), 4), round(float(later[n]), 4)) for n, name in enumerate(table.names)}

    level, lead = fitted(table, np.ones(len(table.leads), bool))
    return SeatValue(named(level), named(lead))


def main() -> None:
    """Play what is missing, print how far the weights see, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("kinds", nargs="+", metavar="KIND", help="one for each seat")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=100_600)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cluster", default="")
    parser.add_argument("--facts", type=Path, default=Path("facts.jsonl"))
    parser.add_argument("-o", "--out", type=Path)
    asked = parser.parse_args()
    known = {msgspec.json.encode(each.plan) for each in games_of(asked.facts)}
    plans = schedule(asked.game, asked.kinds, asked.games, asked.seed)
    missing = [plan for plan in plans if msgspec.json.encode(plan) not in known]
    with asked.facts.open("ab") as file:
        for each in executor(asked.jobs, asked.cluster).run(gathered, missing):
            file.write(msgspec.json.encode(each) + b"\n")
            file.flush()
    table = Table(games_of(asked.facts))
    print(f"{table.count} games, {len(table.names)} facts")
    print("\n".join(report(table)))
    if asked.out:
        asked.out.write_bytes(msgspec.json.format(msgspec.json.encode(learned(table)), indent=1) + b"\n")


if __name__ == "__main__":
    main()
