"""What the tools that sum up games have in common: whole games of bots with every book checked, and figures in Markdown.

A tool brings a `Summary`: what it watches while a game runs, and what it keeps of one that has ended. Equal arguments give
equal games, the same as `trajekt simulate` plays with the same seed.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from trajekt.bots.bot import make_bot, next_move
from trajekt.bots.simulation import PATIENCE, GamePlan
from trajekt.engine.decisions import blank_of, decide, fold, start
from trajekt.engine.digest import digest
from trajekt.engine.events import Event
from trajekt.engine.ruleset import Refusal
from trajekt.engine.state import State
from trajekt.engine.title import Title
from trajekt.rules.history_invariants import faults

Game = dict[str, Any]


class Summary(Protocol):
    """What is watched and kept of one game."""

    def watch(self, state: State, events: Sequence[Event]) -> None:
        """Take note of what an action caused; `state` is the position after it."""

    def kept(self, state: State) -> Game:
        """What a game that is over leaves, beside what every game does."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool by its parts: the game, the games that are played, a summary for each, the tables of all."""

    about: str
    title: Title
    plans: Callable[[argparse.Namespace], Sequence[GamePlan]]
    summary: Callable[[GamePlan], Summary]
    table: Callable[[Sequence[Game]], None]
    variants: Sequence[str] = ()
    """What `--variant` chooses from, the first by default."""


def play(tool: Tool, plan: GamePlan) -> Game:
    """One game to its end, every book checked after every action."""
    title = tool.title
    options = title.seated(title.options(dict(plan.options)), plan.players)
    ruleset = title.build(title.sheet(options, None), options)
    names = tuple(f"P{n + 1}" for n in range(plan.players))
    opening = start(ruleset, names, plan.seed, shuffle=not title.fixed_seats(options))
    state, events = opening.state, list(opening.events)
    rng = random.Random(plan.seed)
    seats = [make_bot(plan.kinds[n % len(plan.kinds)], rng) for n in range(plan.players)]
    summary, wrong, actions = tool.summary(plan), list[str](), 0
    while not state.outcome and not wrong and actions < PATIENCE:
        found = next_move(ruleset, state, seats, rng)
        if found is None:
            wrong.append(f"nobody can act on {state.top!r}")
            break
        answer = decide(ruleset, state, found[0], found[1].action)
        if isinstance(answer, Refusal):
            wrong.append(f"{found[1].action!r} was listed and is refused: {answer.code} ({answer.rule})")
            break
        actions += 1
        if state.board is not answer.state.board:
            state.board.forget()
        state = answer.state
        events += answer.events
        summary.watch(state, answer.events)
        wrong += [message for invariant in ruleset.invariants for message in invariant(state)]
    if state.outcome and not wrong:
        wrong += faults(ruleset, blank_of(ruleset, names), events)
        if digest(fold(ruleset, blank_of(ruleset, names), events)) != digest(state):
            wrong.append("the events do not fold to the last position")
    return {
        "game": plan.number,
        "seed": plan.seed,
        "players": plan.players,
        "options": dict(plan.options),
        "actions": actions,
        "reason": state.outcome,
        "phase": state.phase,
        "totals": [s.total for s in sorted(title.standings(state), key=lambda s: s.seat)],
        "violations": wrong,
        **summary.kept(state),
    }


# Figures -----------------------------------------------------------------------------------------------------------------


def quartiles(values: Sequence[float]) -> str:
    """The median and the middle half."""
    if len(values) < 2:
        return str(round(values[0])) if values else "-"
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:,.0f} ({low:,.0f} to {high:,.0f})"


def shares(games: Iterable[Game], field: Callable[[Game, str], float], kinds: Sequence[str]) -> str:
    """Each kind's part of the whole, in per cent."""
    sums = {kind: sum(field(game, kind) for game in games) for kind in kinds}
    whole = sum(sums.values()) or 1
    return " | ".join(f"{100 * sums[kind] / whole:.0f} %" for kind in kinds)


def head(games: Sequence[Game]) -> None:
    """How many games, and what was wrong in which."""
    wrong = [game for game in games if game["violations"]]
    ended, actions = sum(bool(game["reason"]) for game in games), sum(game["actions"] for game in games)
    print(f"{len(games)} games, {ended} ended, {len(wrong)} with a violation, {actions:,} actions.")
    for game in wrong:
        where = f"game {game['game']}, seed {game['seed']}, {game['players']} players, {game['options']}"
        print(f"- {where}: {game['violations'][0]}")


# The command -------------------------------------------------------------------------------------------------------------


def main(tool: Tool) -> int:
    """`play` prints a line a game and ends with status 1 where a book is wrong; `table` sums such lines up."""
    parser = argparse.ArgumentParser(description=tool.about)
    parser.add_argument("what", choices=("play", "table"))
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=20261128)
    parser.add_argument("--bot", default="random")
    if tool.variants:
        parser.add_argument("--variant", choices=tool.variants, default=tool.variants[0])
    chosen = parser.parse_args()
    if chosen.what == "table":
        tool.table([json.loads(line) for line in chosen.file.read_text(encoding="utf-8").splitlines()])
        return 0
    status = 0
    for plan in tool.plans(chosen):
        game = play(tool, plan)
        status |= bool(game["violations"])
        print(json.dumps(game), flush=True)
    return status


def run(tool: Tool) -> None:
    """The command, and the process with it."""
    sys.exit(main(tool))
