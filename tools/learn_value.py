"""What a seat's facts are worth, learned from whole games of bots: weights for `trajekt.bots.seat_facts`, and how far they see.

    python tools/learn_value.py 18rhl steady steady steady --games 100 --seed 100600 --facts facts.jsonl -o seat_value.json

The facts of each game are written to `--facts` as soon as it has ended; games that are there are not played again. Weights
are found by ridge regression (numpy, extra `rl`): the lead over the mean of the table at the end, by the facts above the mean
of the table, each with one weight now and one for the rounds to come. Printed is, for games held out of the fit, how well
prospects alone and the learned value foretell that lead, by operating rounds to come.
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
from trajekt.bots.seat_facts import facts
from trajekt.bots.simulation import GamePlan, play_out, ruleset_of
from trajekt.engine.state import State
from trajekt.round_label import Round, round_of

FOLDS = 5
STIFF = 300.0
"""How strongly weights are held near those of prospects alone, for facts in units of their deviation."""

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
    """The rows of many games as arrays: facts and leads above the mean of the table."""

    def __init__(self, games: list[GameFacts]) -> None:
        self.names = list(games[0].rows[0].seats[0])
        facts_, leads, numbers = [], [], []
        for number, each in enumerate(games):
            totals = np.array(each.totals, float)
            for row in each.rows:
                here = np.array([[seat[name] for name in self.names] for seat in row.seats], float)
                facts_.append(here - here.mean(0))
                leads.append(totals - totals.mean())
                numbers.append(np.tile((row.guessed, row.came, number), (len(totals), 1)))
        self.facts, self.leads = np.vstack(facts_), np.concatenate(leads)
        self.guessed, self.came, self.game = np.vstack(numbers).T
        self.unit = self.facts.std(0) + 1e-9
        self.prospects = self.facts[:, self.names.index("prospects")]

    def columns(self, values: Numbers) -> Numbers:
        """Each column, and each times the rounds to come as guessed."""
        return np.hstack([values, values * self.guessed[:, None] / 10])


def ridge(columns: Numbers, target: Numbers, stiff: float) -> Numbers:
    """Weights of least squares, held near 0."""
    found: Numbers = np.linalg.solve(columns.T @ columns + stiff * np.eye(columns.shape[1]), columns.T @ target)
    return found


def fitted(table: Table, rows: Numbers, stiff: float) -> tuple[Numbers, Numbers]:
    """The weights of prospects alone, and those of all facts for what that leaves; facts in units of their deviation."""
    alone, every = table.columns(table.prospects[:, None] / 1000), table.columns(table.facts / table.unit)
    first = ridge(alone[rows], table.leads[rows], 1e-3)
    return first, ridge(every[rows], (table.leads - alone @ first)[rows], stiff)


def report(table: Table, stiff: float) -> Iterator[str]:
    """By rounds to come: how prospects alone, and the learned value of games not seen, foretell the lead."""
    alone, every = table.columns(table.prospects[:, None] / 1000), table.columns(table.facts / table.unit)
    learned = np.zeros(len(table.leads))
    for fold in range(FOLDS):
        out = table.game % FOLDS == fold
        first, rest = fitted(table, ~out, stiff)
        learned[out] = (alone @ first + every @ rest)[out]
    yield "rounds  rows  correlation: prospects  learned   error: prospects  learned"
    for low, high in SPANS:
        here = (table.came >= low) & (table.came <= high)
        if here.sum() < 2:
            continue
        told = [np.corrcoef(guess[here], table.leads[here])[0, 1] for guess in (table.prospects, learned)]
        off = [np.sqrt(np.mean((guess - table.leads)[here] ** 2)) for guess in (table.prospects, learned)]
        yield f"{low:>2}-{high:<3} {here.sum():>5} {told[0]:>23.2f} {told[1]:>8.2f} {off[0]:>18.0f} {off[1]:>8.0f}"


def weights(table: Table, stiff: float) -> dict[str, tuple[float, float]]:
    """Weights by fact in Mark for a unit, from all rows."""
    first, rest = fitted(table, np.ones(len(table.leads), bool), stiff)
    count = len(table.names)
    found = {name: [rest[n] / table.unit[n], rest[count + n] / table.unit[n]] for n, name in enumerate(table.names)}
    found["prospects"] = [found["prospects"][n] + first[n] / 1000 for n in range(2)]
    return {name: (round(float(now), 4), round(float(later), 4)) for name, (now, later) in found.items()}


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
    parser.add_argument("--stiff", type=float, default=STIFF)
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
    print(f"{table.game.max() + 1} games, {len(table.names)} facts")
    print("\n".join(report(table, asked.stiff)))
    if asked.out:
        asked.out.write_bytes(msgspec.json.format(msgspec.json.encode(weights(table, asked.stiff)), indent=1) + b"\n")


if __name__ == "__main__":
    main()
