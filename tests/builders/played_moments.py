"""Moments of whole games between steady bots: one of each kind of step that a game came to."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache

from trajekt.bots.bot import make_bot, next_move
from trajekt.engine.actions import LayTile
from trajekt.engine.state import State
from trajekt.game import Game, new_game

GAMES = ("18rhl", "18lra", "18ruhr", "18do")
NAMES = ("Ada", "Bert", "Cleo", "Dora")


@cache
def played(title: str, seed: int = 1, kind: str = "steady", most: int = 700) -> Game:
    """A game between bots of a kind, to its end or to so many entries."""
    game = new_game(title, NAMES, {"fixed_seats": True}, seed)
    rng = random.Random(seed)
    players = [make_bot(kind, rng) for _ in NAMES]
    while not game.finished and game.number < most:
        found = next_move(game.ruleset, game.state, players, rng)
        assert found is not None
        seat, move = found
        game.play(move.action, seat)
    return game


def step_of(state: State) -> str:
    """The kind of step that a position stands at: the frame on top with its step."""
    step = getattr(state.top, "step", "")
    return f"{type(state.top).__name__}.{step}" if state.agenda else "end"


def one_of_each_step(title: str, seed: int = 1, kind: str = "steady") -> dict[str, Game]:
    """From the middle of a played game outwards, a game at each kind of step."""
    game = played(title, seed, kind)
    found: dict[str, list[int]] = {}
    for number in range(game.number + 1):
        found.setdefault(step_of(game.state_at(number)), []).append(number)
    return {step: game.at(numbers[len(numbers) // 2]) for step, numbers in found.items()}


def laying_step(title: str, seed: int = 1) -> Game:
    """From the middle of a played game on, the first moment at which a tile may be laid."""
    game = played(title, seed)
    return _laying(game, range(game.number // 2, game.number))


def laying_steps(title: str) -> tuple[Game, Game, Game]:
    """The first, a middle and the last moment of a played game at which a tile may be laid."""
    game = played(title)
    first, last = (_laying(game, numbers) for numbers in (range(game.number), range(game.number - 1, 0, -1)))
    return first, laying_step(title), last


def _laying(game: Game, numbers: Iterable[int]) -> Game:
    for number in numbers:
        moment = game.at(number)
        if any(isinstance(choice.action, LayTile) for choice in moment.choices()):
            return moment
    raise LookupError(game.title.id)
