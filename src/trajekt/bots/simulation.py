"""Whole games of bots against each other, with every book checked after every action. Equal seeds play equal games."""

from __future__ import annotations

import gc
import itertools
import random
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from time import perf_counter
from typing import Any

import msgspec

from trajekt.bots.bot import RandomBot, make_bot, next_move
from trajekt.bots.executors import HERE, Executor
from trajekt.bots.time_limit import MOVE_SECONDS, ended_in_time
from trajekt.engine.actions import Action
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import Decision, blank_of, carry_out, decide, fold, legal, start
from trajekt.engine.digest import digest
from trajekt.engine.ruleset import Refusal, Ruleset, View
from trajekt.engine.state import State
from trajekt.engine.title import Title, choices
from trajekt.registry import FAILURES, title
from trajekt.rules.history_invariants import faults
from trajekt.rules.invariants import Watch

SELDOM = 50_000  # new objects between two looks for garbage: a position that is forgotten leaves hardly any
PATIENCE = 5_000  # actions after which a game counts as one that does not end


class GamePlan(msgspec.Struct, frozen=True):
    """A game to be played: everything that it depends on. The first `drawn` actions are drawn at random, whatever the kinds."""

    game: str
    number: int
    seed: int
    players: int
    options: Mapping[str, Any]
    kinds: tuple[str, ...] = ("random",)
    checked: bool = True
    components: str = ""
    drawn: int = 0


class Violation(msgspec.Struct, frozen=True):
    """A broken rule: in which game, after how many actions."""

    game: int
    seed: int
    players: int
    options: Mapping[str, Any]
    action: int
    message: str


class GameResult(msgspec.Struct, frozen=True):
    """A game played; `totals` by seat where it ended, in Mark."""

    plan: GamePlan
    actions: int
    finished: bool
    reason: str
    totals: tuple[int, ...]
    seconds: float
    violations: tuple[Violation, ...] = ()


def tables(found: Title, players: int | None = None) -> list[tuple[dict[str, Any], int]]:
    """Every table that a game knows: editions, numbers of players, no variant, each alone, all together."""
    out = []
    for edition in sorted(found.editions):
        for options, (low, high) in choices(found, edition):
            out += [(options, count) for count in range(low, high + 1) if players in (None, count)]
    return out


def plans(
    found: Title,
    games: int,
    seed: int,
    players: int | None = None,
    kinds: Sequence[str] = ("random",),
    components: str = "",
) -> list[GamePlan]:
    """`games` games that go through all tables in turn. ValueError where no edition is for so many players."""
    known = tables(found, players)
    if not known:
        message = f"no edition of {found.name} is for {players} players"
        raise ValueError(message)
    # every edition and number of players comes first, the variants after them
    known.sort(key=lambda table: len(table[0]))
    chosen = itertools.islice(itertools.cycle(known), games)
    return [
        GamePlan(found.id, n, seed + n, count, options, tuple(kinds), components=components)
        for n, (options, count) in enumerate(chosen)
    ]


@lru_cache(maxsize=64)
def _ruleset(game: str, options: tuple[tuple[str, Any], ...], players: int, components: str) -> tuple[Ruleset, bool]:
    found = title(game)
    chosen = found.seated(found.options(dict(options)), players)
    ruleset = found.ruleset(found.sheet(chosen, components or None), chosen)
    gc.freeze()  # components live as long as the process: nobody need look through them for garbage
    gc.set_threshold(SELDOM)
    return ruleset, found.fixed_seats(chosen)


def ruleset_of(plan: GamePlan) -> tuple[Ruleset, bool]:
    """The ruleset of a plan, and whether its seats are fixed; kept for the plans to come."""
    return _ruleset(plan.game, tuple(sorted(plan.options.items())), plan.players, plan.components)


class _Table:
    """A game under way: its position, its events, and what was found wrong."""

    def __init__(self, plan: GamePlan, ruleset: Ruleset, opening: Decision) -> None:
        self.plan = plan
        self.ruleset = ruleset
        self.state: State = opening.state
        self.events = list(opening.events)
        self.actions = 0
        self.violations: list[Violation] = []
        self.watch = Watch(ruleset.invariants)
        self.check()

    def fault(self, message: str) -> None:
        plan = self.plan
        self.violations.append(Violation(plan.number, plan.seed, plan.players, plan.options, self.actions, message))

    def thinking(self) -> str:
        """Name the bots whose move is awaited."""
        kinds, seats = self.plan.kinds, awaited(self.ruleset, self.state)
        return "the bot " + ", ".join(dict.fromkeys(kinds[seat % len(kinds)] for seat in seats))

    def check(self) -> None:
        if self.plan.checked:
            for message in self.watch.faults(self.state):
                self.fault(message)


def play_out(
    plan: GamePlan,
    seen: Callable[[State], None] | None = None,
    told: Callable[[View, Action], None] | None = None,
) -> GameResult:
    """Play one game to its end; the first broken rule of the books, refusal of a listed choice, or fault of a rule stops it.

    So does a bot that raises, answers no move or thinks for more than `MOVE_SECONDS`. `seen` is told the position at the set-up
    and after every action, `told` each action before it is done.
    """
    began = perf_counter()
    ruleset, fixed = ruleset_of(plan)
    names = tuple(f"P{n + 1}" for n in range(plan.players))
    rng = random.Random(plan.seed)
    players = [make_bot(plan.kinds[seat % len(plan.kinds)], rng) for seat in range(plan.players)]
    # by lots of its own, so that an opening is alike in each seating of the kinds
    lots = random.Random(plan.seed)
    opening = [RandomBot(lots)] * plan.players
    table = _Table(plan, ruleset, start(ruleset, names, plan.seed, shuffle=not fixed))

    def moves() -> None:
        while not table.state.outcome and not table.violations:
            if seen is not None:
                seen(table.state)
            try:
                if table.actions < plan.drawn:
                    _step(table, opening, lots, None)
                else:
                    _step(table, players, rng, told)
            except FAILURES as fault:  # a fault of a rule or a bot is a finding; it must name the game it came up in
                last = traceback.extract_tb(fault.__traceback__)[-1]
                place = f"{last.filename.rpartition('trajekt/')[2]}:{last.lineno}"
                table.fault(f"{type(fault).__name__}: {fault} ({place})")

    if not ended_in_time(moves, lambda: table.actions, MOVE_SECONDS, f"moves of game {plan.number}"):
        table.fault(f"{table.thinking()} gives no move in {MOVE_SECONDS:g} seconds")
    elif seen is not None:
        seen(table.state)
    if plan.checked and table.state.outcome:
        for message in faults(ruleset, blank_of(ruleset, names), table.events):
            table.fault(message)
        again = fold(ruleset, blank_of(ruleset, names), table.events)
        if digest(again) != digest(table.state):
            table.fault("INV-21: the events do not fold to the last position")
    finished = bool(table.state.outcome)
    totals = [0] * plan.players
    if finished:
        for standing in title(plan.game).standings(table.state):
            totals[standing.seat] = standing.total
    return GameResult(
        plan,
        table.actions,
        finished,
        table.state.outcome,
        tuple(totals),
        perf_counter() - began,
        tuple(table.violations),
    )


def _step(
    table: _Table, players: Sequence[Any], rng: random.Random, told: Callable[[View, Action], None] | None
) -> None:
    found = next_move(table.ruleset, table.state, players, rng)
    if found is None:
        able = legal(table.ruleset, table.state, awaited(table.ruleset, table.state), beside=False)
        who = f"{table.thinking()} gives no move" if able else "INV-23: nobody can act"
        table.fault(f"{who} on {table.state.top!r}")
        return
    seat, move = found
    if told is not None:
        told(View(table.ruleset, table.state, seat, table.state.agenda[-1]), move.action)
    if move.accepted is None or table.plan.checked:
        answer = decide(table.ruleset, table.state, seat, move.action)
    else:
        answer = carry_out(table.ruleset, table.state, seat, move.accepted, move.action)
    if isinstance(answer, Refusal):
        table.fault(f"{move.action!r} was listed and is refused: {answer.code} ({answer.rule})")
        return
    table.actions += 1
    if table.state.board is not answer.state.board:
        table.state.board.forget()
    table.state = answer.state
    if table.plan.checked:
        table.events += answer.events
    table.check()
    if table.actions >= PATIENCE:
        table.fault(f"no end after {PATIENCE} actions")


def simulate(todo: Sequence[GamePlan], where: Executor = HERE) -> Iterator[GameResult]:
    """The games of the plans, in their order."""
    yield from where.run(play_out, todo)
