"""Advice of a review followed in play: what it says is worth something where a game ends better for who heeds it.

Three kinds of it, as a review has them: the best runs, the lay in place of one with which the trains earn the most in that
turn, and the decision on shares, pay-outs, trains or stations that surely promises more.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from trajekt.bots.bot import Bot, BotMove, make_bot, next_move
from trajekt.bots.candidate_moves import after
from trajekt.engine.actions import Action, LayTile, RunTrains
from trajekt.engine.decisions import legal
from trajekt.engine.routing.runs import RunResult
from trajekt.engine.ruleset import View
from trajekt.engine.state import Seat
from trajekt.game import Game, new_game
from trajekt.review.deed_review import compared, is_decision
from trajekt.review.playing_on import by_whole_games, even_bots, near_the_end, played_out, worth_of
from trajekt.review.run_review import best_in
from trajekt.rules.operating_round import current_turn, turn_of
from trajekt.rules.running_and_dividends import RunningPolicy

NAMES = ("Ada", "Bert", "Cleo", "Dora")
PATIENCE = 5_000


RUNS, LAYS, DECISIONS = KINDS = ("runs", "lays", "decisions")


class AdvisedBot:
    """Does as another bot does, save where the review of its deed knows a better one; `kinds` of advice are heeded."""

    def __init__(self, bot: Bot, kinds: Collection[str] = KINDS) -> None:
        self.bot, self.kinds = bot, kinds
        self.heeded: Counter[str] = Counter()

    def choose(self, view: View) -> BotMove | None:
        move = self.bot.choose(view)
        if move is None:
            return None
        kind = kind_of(move.action)
        better = advice(view, move.action) if kind in self.kinds else None
        if better is None:
            return move
        self.heeded[kind] += 1
        return BotMove(better)


def kind_of(deed: Action) -> str:
    """The kind of advice that a review gives on a deed."""
    return {RunTrains: RUNS, LayTile: LAYS}.get(type(deed), DECISIONS)


def advice(view: View, deed: Action) -> Action | None:
    """The better deed that a review knows in place of a deed; None where it knows none."""
    if isinstance(deed, RunTrains):
        return better_runs(view, deed)
    if isinstance(deed, LayTile):
        return better_lay(view, deed)
    found = compared(view, deed) if is_decision(deed) else None
    return found[0] if found is not None and found[1].surely_more else None


def better_runs(view: View, deed: RunTrains) -> RunTrains | None:
    """The runs that earn the most, where those of a deed earn less."""
    company = turn_of(view.state).company
    made = view.ruleset.policy(RunningPolicy).judge(view.state, company, deed.runs)
    best = best_in(view.ruleset, view.state, company)
    return RunTrains(best.runs) if isinstance(made, RunResult) and best.revenue > made.revenue else None


def better_lay(view: View, deed: LayTile) -> LayTile | None:
    """The lay after which the trains in turn earn the most, where after a deed they earn less; None where it is not proved.

    In the last rounds it is none, either, where whole games do not say that it brings more by the end.
    """
    other = earning_lay(view, deed)
    if other is None or not near_the_end(view.state):
        return other
    made, better = after(view, deed), after(view, other)
    assert made is not None
    assert better is not None
    found = by_whole_games(view.ruleset, view.seat, made, [better])
    return other if found is not None and found[1].surely_more else None


def earning_lay(view: View, deed: LayTile) -> LayTile | None:
    """The lay after which the trains in turn earn the most, where after a deed they earn less; None where it is not proved."""
    turn = current_turn(view.state)
    if turn is None or not view.state.companies[turn.company].trains:
        return None
    most, found = 0, None
    choices = legal(view.ruleset, view.state, (view.seat,), beside=False)
    for lay in (deed, *(each.action for each in choices if isinstance(each.action, LayTile))):
        state = after(view, lay)
        if state is None or turn.company not in state.companies:
            continue
        best = best_in(view.ruleset, state, turn.company)
        if not best.proved:
            return None
        if found is None or best.revenue > most:
            most, found = best.revenue, lay
    return found if found != deed else None


class Trial(msgspec.Struct, frozen=True):
    """A game of bots, and the moment from which on one seat plays it again by advice; `kind` sits in all seats.

    The moment is drawn from the part of the game between `since` and `until`, both parts of 1; `advice` names kinds.
    """

    game: str
    seed: int
    players: int
    options: Mapping[str, Any] = {}
    kind: str = "steady"
    since: float = 0.0
    until: float = 0.5
    advice: tuple[str, ...] = KINDS


class TrialResult(msgspec.Struct, frozen=True):
    """The worth of the seat at the end without advice and with it, in Mark, and how often it was heeded, by kind."""

    trial: Trial
    seat: Seat
    entry: int
    without: int
    advised: int
    heeded: Mapping[str, int]

    @property
    def better(self) -> bool:
        """Tell whether advice has helped."""
        return self.advised > self.without


def tried(trial: Trial) -> TrialResult:
    """Play a game, then again from a moment of it on with and without advice, by equal chances that no review has seen."""
    game, rng = played_game(trial)
    entry, seat = int(game.number * rng.uniform(trial.since, trial.until)), rng.randrange(trial.players)
    worth: list[int] = []
    heeded: Mapping[str, int] = {}
    for kinds in ((), trial.advice):
        seated = even_bots(trial.kind, game.state, f"trial {trial.seed}")
        if kinds:
            seated[seat] = advised = AdvisedBot(seated[seat], kinds)
            heeded = advised.heeded
        end = played_out(game.ruleset, game.state_at(entry), seated, random.Random(f"trial {trial.seed}"))
        assert end.outcome
        worth.append(round(worth_of(end, seat)))
    return TrialResult(trial, seat, entry, worth[0], worth[1], dict(heeded))


def played_game(trial: Trial) -> tuple[Game, random.Random]:
    """The game of a trial, with the generator that its bots have drawn from."""
    rng = random.Random(trial.seed)
    game = new_game(trial.game, NAMES[: trial.players], {"fixed_seats": True, **trial.options}, trial.seed)
    bots = [make_bot(trial.kind, rng) for _ in range(trial.players)]
    while not game.finished and game.number < PATIENCE:
        found = next_move(game.ruleset, game.state, bots, rng)
        assert found is not None
        game.play(found[1].action, found[0])
    return game, rng
