"""Tell a newcomer whether their newest move was good: its gain by a bot's judgement beside the best there was."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any

import msgspec

from trajekt.bots.bot import view_of
from trajekt.bots.candidate_moves import Idea, ideas
from trajekt.bots.reasons import sentence
from trajekt.engine.actions import Action, RunTrains
from trajekt.engine.ruleset import Choice
from trajekt.engine.state import Seat
from trajekt.game import ACTION, Entry, Game
from trajekt.i18n.sentences import Speaker
from trajekt.server.presenters.choice_groups import label_of
from trajekt.server.storage.cached_game import CachedGame, PerGame

ALIKE, PART = 2.0, 0.15
"""Gains are alike within so many Mark, or this part of the best."""
OPEN = ("price", "amount")
"""Fields of an action whose number a bot may choose otherwise and mean the same move."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`mark` is `good`, `fair` or `poor`; the text says why, and what was better."""

    mark: str
    text: str


class Judged(msgspec.Struct):
    """Ideas of a bot at the moves of newcomers, by entry."""

    found: dict[int, list[Idea]] = {}
    lock: Any = msgspec.field(default_factory=Lock)


JUDGED = PerGame[Judged]()


def newest_own(game: Game, seat: Seat, begin: int) -> Entry | None:
    """The newest action of a seat after entry `begin` that stands."""
    own = (e for e in game.line_back() if e.kind == ACTION and e.number > begin and e.seat == seat)
    return next(own, None)


def thought_of(cached: CachedGame, game: Game, entry: Entry) -> list[Idea]:
    """Ideas of a bot instead of an entry, the best first. May take a second: found once."""
    known = JUDGED.get(cached, Judged)
    with known.lock:
        if entry.number not in known.found:
            view = view_of(game.ruleset, game.state_at(entry.parent), entry.seat)
            known.found[entry.number] = [] if view is None else ideas(view)
        return known.found[entry.number]


def same_move(one: Action, other: Action) -> bool:
    """Tell whether two actions are the same, but for the number that was left open."""
    first, second = (msgspec.to_builtins(each) for each in (one, other))
    for name in OPEN:
        first.pop(name, None)
        second.pop(name, None)
    return bool(first == second)


def verdict_of(cached: CachedGame, game: Game, seat: Seat, begin: int, speaker: Speaker) -> Verdict | None:
    """The verdict on the newest move of a seat; None where it has made none, or no bot has an opinion."""
    entry = newest_own(game, seat, begin)
    if entry is None or entry.action is None or isinstance(entry.action, RunTrains):
        return None
    found = thought_of(cached, game, entry)
    own = next((idea for idea in found if same_move(idea.action, entry.action)), None)
    if not found:
        return None
    best, say = found[0], speaker.catalogue
    if own is not None and best.gain - own.gain <= max(ALIKE, PART * abs(best.gain)):
        return Verdict("good", say.text("page.verdict.good", why=sentence(speaker, own.reason)))
    mark = "fair" if own is not None and own.gain > 0 else "poor"
    choice, why = label_of(speaker, Choice(seat, best.action)), sentence(speaker, best.reason)
    return Verdict(mark, say.text(f"page.verdict.{mark}", choice=choice, why=why))
