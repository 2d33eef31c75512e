"""The coach: at each kind of decision what it is for, and on request what a bot would do there and why.

The page keeps which kinds a reader has put away; here every decision has its card.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from threading import Lock
from typing import ClassVar

from trajekt.bots.bot import BotMove, make_bot, view_of
from trajekt.bots.reasons import sentence
from trajekt.engine.components.schema import HexId
from trajekt.engine.ruleset import Choice
from trajekt.engine.state import Seat, State
from trajekt.game import Game
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rules.operating_round import CompanyTurn, current_turn
from trajekt.server.presenters.choice_groups import hex_of, label_of, plain
from trajekt.server.presenters.decision import topic_of
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.storage.cached_game import CachedGame, PerPosition

TEACHER = "steady"
"""The bot that is asked for advice."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A sentence on what a kind of decision is for. `kind` is the key by which the page remembers that it was put away."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Hint:
    """The move that a bot would make: in words, why, and the action as JSON; `hex` and `tile` where it is done on the map."""

    label: str
    why: str
    action: str
    hex: HexId = ""
    tile: str = ""


@dataclass(frozen=True, slots=True)
class HintPart(PageModel):
    """The move that a bot would make, where there is one."""

    template: ClassVar[str] = "hint.html"
    hint: Hint | None
    say: Catalogue


@dataclass(eq=False)
class Thoughts:
    """The bot's moves at a position, by seat."""

    moves: dict[Seat, BotMove | None] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)


THOUGHTS = PerPosition[Thoughts]()


def lesson(state: State, say: Catalogue, *, on_map: bool = True) -> Lesson | None:
    """The card of the decision on top; None where the game has no words for it, or has ended.

    `on_map`: something may be done on the map. After the last tile of a turn the step may go on without.
    """
    topic, turn = topic_of(state), current_turn(state)
    step = str(getattr(state.top, "step", ""))
    again = turn is not None and isinstance(state.top, CompanyTurn) and bool(turn.lays)
    kinds = [f"{topic}.{'again' if on_map else 'done'}"] if again else []
    kinds += [f"{topic}.{step}", topic]
    kind = next((each for each in kinds if f"page.coach.{each}" in say), "")
    return Lesson(kind, say.text(f"page.coach.{kind}")) if kind else None


def thought(cached: CachedGame, game: Game, seat: Seat) -> BotMove | None:
    """The move of a bot for a seat at the head of a game; None where it has none. May take a second: found once."""
    known = THOUGHTS.get(cached, Thoughts, game.number)
    with known.lock:
        if seat not in known.moves:
            view = view_of(game.ruleset, game.state, seat)
            bot = make_bot(TEACHER, random.Random(game.number))  # noqa: S311  no secret
            known.moves[seat] = None if view is None else bot.choose(view)
        return known.moves[seat]


def hint(cached: CachedGame, game: Game, seat: Seat, speaker: Speaker) -> Hint | None:
    """Advice for a seat that is awaited; None where a bot would do nothing, or the seat is not asked."""
    move = thought(cached, game, seat) if seat in game.to_act else None
    if move is None:
        return None
    why = sentence(speaker, move.reason) if move.reason.key in speaker.catalogue else ""
    tile = str(getattr(move.action, "tile", ""))
    label = label_of(speaker, Choice(seat, move.action))
    return Hint(label, why, plain(move.action), hex_of(move.action) or "", tile)
