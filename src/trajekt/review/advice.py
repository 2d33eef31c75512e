"""Advice of a review followed in play: what it says is worth something where a game ends better for who heeds it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import msgspec

from trajekt.bots.bot import Bot, BotMove, make_bot, next_move
from trajekt.engine.decisions import decide
from trajekt.engine.ruleset import Refusal, Ruleset, View
from trajekt.engine.state import Seat, State
from trajekt.game import Game, new_game
from trajekt.registry import title
from trajekt.review.deed_review import compared

NAMES = ("Ada", "Bert", "Cleo", "Dora")
PATIENCE = 5_000


class AdvisedBot:
    """Does as another bot does, save where the review of its deed knows a better one."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.heeded = 0

    def choose(self, view: View) -> BotMove | None:
        move = self.bot.choose(view)
        if move is None:
            return None
        found = compared(view, move.action)
        if found is None or not found[1].surely_more:
            return move
        self.heeded += 1
        return BotMove(found[0])


class Trial(msgspec.Struct, frozen=True):
    """A game of bots, and the moment from which on one seat plays it again by advice; `kind` sits in all seats.

    The moment is drawn from the part of the game between `since` and `until`, both parts of 1.
    """

    game: str
    seed: int
    players: int
    options: Mapping[str, Any] = {}
    kind: str = "steady"
    since: float = 0.0
    until: float = 0.5


class TrialResult(msgspec.Struct, frozen=True):
    """The worth of the seat at the end without advice and with it, in Mark, and how often it was heeded."""

    trial: Trial
    seat: Seat
    entry: int
    without: int
    advised: int
    heeded: int

    @property
    def better(self) -> bool:
        """Tell whether advice has helped."""
        return self.advised > self.without


def tried(trial: Trial) -> TrialResult:
    """Play a game, then again from a moment of it on with and without advice, by equal chances."""
    game, rng = played_game(trial)
    entry, seat = int(game.number * rng.uniform(trial.since, trial.until)), rng.randrange(trial.players)
    worth, heeded = [], 0
    for advised in (False, True):
        chances = random.Random(trial.seed + 1)
        seated: list[Bot] = [make_bot(trial.kind, chances) for _ in range(trial.players)]
        if advised:
            seated[seat] = AdvisedBot(seated[seat])
        end = _ended(game.ruleset, game.state_at(entry), seated, chances)
        worth.append(next(each.total for each in title(trial.game).standings(end) if each.seat == seat))
        heeded = getattr(seated[seat], "heeded", 0)
    return TrialResult(trial, seat, entry, worth[0], worth[1], heeded)


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


def _ended(ruleset: Ruleset, state: State, bots: list[Bot], rng: random.Random) -> State:
    for _ in range(PATIENCE):
        found = next_move(ruleset, state, bots, rng) if not state.outcome else None
        if found is None:
            break
        answer = decide(ruleset, state, found[0], found[1].action)
        assert not isinstance(answer, Refusal), answer
        state = answer.state
    return state
