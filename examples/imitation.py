"""A small policy that learns to play 18Rhl by imitation of `steady`, with numpy alone, on one core in a few minutes.

    python examples/imitation.py                # 40 games to learn from, 30 against two `random`
    python examples/imitation.py --teach 4 --play 6

`steady` plays games against itself. For every decision the features of all legal choices are kept
(`trajekt.learning.action_features`) and which of them was taken. A choice is described by pairs of its features with what is
decided, hashed into a table of weights; the policy is a softmax over the choices of a decision, trained by gradient steps. Then
it takes the most likely choice against two players that choose at random.
"""

from __future__ import annotations

import argparse
import random
from time import process_time
from typing import Any

import numpy as np

from trajekt.bots.bot import BotMove, make_bot, next_move
from trajekt.bots.simulation import GamePlan, ruleset_of
from trajekt.engine.actions import Action
from trajekt.engine.decisions import decide, start
from trajekt.engine.ruleset import Ruleset, View
from trajekt.learning.action_features import ActionFeatures
from trajekt.learning.choice_list import listed
from trajekt.registry import title
from trajekt.round_label import frame_name

GAME, PLAYERS, EDITION = "18rhl", 3, 2
WEIGHTS = 1 << 16
PAIRS = (
    ("company",), ("train",), ("source",), ("amount",), ("percent",), ("private",), ("hex",), ("tile",), ("stop",),
    ("company", "source"), ("train", "source"), ("private", "amount"), ("hex", "tile"), ("hex", "tile", "rotation"),
)  # fmt: skip
"""The features that describe a choice together with its kind, each by itself or several at a time."""


class Policy:
    """A softmax over the choices of a decision, by the sum of the weights of what describes each."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.features = ActionFeatures(ruleset)
        names = [column.name for column in self.features.columns]
        self.groups = [[names.index(name) for name in ("kind", *group)] for group in PAIRS]
        self.weights = np.zeros(WEIGHTS, np.float64)
        self.squares = np.full(WEIGHTS, 1e-6)

    def described(self, view: View, choices: list[Action]) -> np.ndarray:
        """For each choice the places of its weights: the moment with each group of its features."""
        rows = self.features.rows(view.state, choices).astype(np.int64)
        state, top = view.state, view.frame
        moment = hash_of(frame_name(top), str(getattr(top, "step", "")))
        cash = hash_of(str(min(state.players[view.seat].cash // 50, 20)))
        phase = hash_of(state.phase)
        tables = []
        for number, group in enumerate(self.groups):
            mixed = np.full(len(rows), number * 7_919 + moment, np.int64)
            for column in group:
                mixed = (mixed * 1_000_003 + rows[:, column]) & 0x7FFFFFFF
            tables += [mixed % WEIGHTS, (mixed * 31 + phase) % WEIGHTS]
        kinds = rows[:, 0] + moment
        tables += [(kinds * 131 + cash) % WEIGHTS, (kinds * 137 + phase) % WEIGHTS]
        return np.stack(tables, axis=1)

    def chances(self, places: np.ndarray) -> np.ndarray:
        """The chance of each choice."""
        scores = self.weights[places].sum(axis=1)
        grown = np.exp(scores - scores.max())
        return grown / grown.sum()

    def learn(self, places: np.ndarray, taken: int, rate: float = 0.1) -> bool:
        """One step towards the choice that was taken (Adagrad); answers whether it was the likeliest before."""
        chances = self.chances(places)
        right = int(chances.argmax()) == taken
        slope = chances.copy()
        slope[taken] -= 1
        step = np.repeat(slope, places.shape[1])
        flat = places.ravel()
        np.add.at(self.squares, flat, step**2)
        np.subtract.at(self.weights, flat, rate * step / np.sqrt(self.squares[flat]))
        return right

    def choose(self, view: View) -> BotMove | None:
        """The likeliest legal choice, as a bot answers it."""
        choices = listed(view)
        if not choices:
            return None
        return BotMove(choices[int(self.chances(self.described(view, choices)).argmax())])


def hash_of(*texts: str) -> int:
    """A number of texts that is the same in every run."""
    found = 17
    for letter in "\0".join(texts).encode():
        found = (found * 1_000_003 + letter) & 0x7FFFFFFF
    return found


def plan_of(seed: int) -> GamePlan:
    """A game of three."""
    return GamePlan(GAME, seed, seed, PLAYERS, {"edition": EDITION})


def played(seed: int, players: list[Any], rng: random.Random, seen: Any = None) -> list[int]:
    """Play a game to its end and answer what each seat has; `seen` is shown each view and the action taken there."""
    ruleset, fixed = ruleset_of(plan_of(seed))
    state = start(ruleset, tuple(f"P{n}" for n in range(PLAYERS)), seed, shuffle=not fixed).state
    while not state.outcome:
        seat, move = next_move(ruleset, state, players, rng)
        if seen is not None:
            seen(View(ruleset, state, seat, state.agenda[-1]), move.action)
        state = decide(ruleset, state, seat, move.action).state
    totals = {standing.seat: standing.total for standing in title(GAME).standings(state)}
    return [totals[seat] for seat in range(PLAYERS)]


def lessons(policy: Policy, games: int, seed: int) -> list[tuple[np.ndarray, int]]:
    """Decisions of `steady`: the places of the choices' weights, and which was taken; those without a choice are left out."""
    found = []

    def seen(view: View, action: Action) -> None:
        choices = listed(view)
        if len(choices) > 1 and action in choices:
            found.append((policy.described(view, choices), choices.index(action)))

    for number in range(games):
        rng = random.Random(seed + number)
        played(seed + number, [make_bot("steady", rng) for _ in range(PLAYERS)], rng, seen)
    return found


def main(words: list[str] | None = None) -> tuple[int, float, float]:
    """Learn, then play; answers how many games were won and the mean totals of the policy and of the others."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teach", type=int, default=40, help="games of steady to learn from")
    parser.add_argument("--play", type=int, default=30, help="games against two random")
    parser.add_argument("--rounds", type=int, default=6, help="times that all decisions are gone through")
    parser.add_argument("--seed", type=int, default=1000)
    given = parser.parse_args(words)
    began = process_time()
    policy = Policy(ruleset_of(plan_of(0))[0])
    school = lessons(policy, given.teach, given.seed)
    print(f"{len(school):,} decisions of {given.teach} games, {process_time() - began:.0f} s")
    rng = random.Random(given.seed)
    for number in range(given.rounds):
        rng.shuffle(school)
        right = sum(policy.learn(places, taken) for places, taken in school)
        print(f"round {number + 1}: {right / len(school):.0%} as steady, {process_time() - began:.0f} s")
    won, own, others = 0, [], []
    for number in range(given.play):
        dice = random.Random(number)
        seat = number % PLAYERS
        table = [policy if n == seat else make_bot("random", dice) for n in range(PLAYERS)]
        totals = played(number, table, dice)
        won += totals[seat] == max(totals)
        own.append(totals[seat])
        others += totals[:seat] + totals[seat + 1 :]
    mean, theirs = sum(own) / len(own), sum(others) / len(others)
    print(f"won {won} of {given.play} against two random; {mean:,.0f} M on average, the others {theirs:,.0f} M")
    print(f"{process_time() - began:.0f} s of one core in all")
    return won, mean, theirs


if __name__ == "__main__":
    main()
