"""Parts beside the guide: the verdict on the newest move, the exercises, and where one goes on from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from trajekt.game import Game
from trajekt.i18n.sentences import Speaker
from trajekt.server.accounts.viewer import GUEST
from trajekt.server.presenters.guided_turn import Advice, exercises_of
from trajekt.server.presenters.move_feedback import Verdict, verdict_of
from trajekt.server.storage.cached_game import CachedGame

TEACHERS = "steady"
PAUSE = 0.6  # seconds between two moves of bots


@dataclass(frozen=True, slots=True)
class Practice:
    """`exercises` are named once the guide is done; `whole` is a whole game with hints, as JSON for a new table."""

    verdict: Verdict | None
    exercises: Sequence[str]
    whole: str


def practice_of(cached: CachedGame, game: Game, advice: Advice, speaker: Speaker) -> Practice:
    """Return what a newcomer reads and finds beside the guide in a position."""
    verdict = verdict_of(cached, game, advice.seat, advice.begin, speaker)
    names = [each.name for each in exercises_of(game.title.package)] if advice.done else []
    return Practice(verdict, names, whole_game(game, advice) if advice.done else "")


def whole_game(game: Game, advice: Advice) -> str:
    """A new table of the same game against as many bots, as JSON for the form of a new one."""
    others = [name for seat, name in enumerate(game.state.names) if seat != advice.seat]
    return msgspec.json.encode(
        {
            "game": game.title.id,
            "players": [GUEST, *others],
            "options": game.title.plain(game.options),
            "bots": dict.fromkeys(others, TEACHERS),
            "pause": PAUSE,
        }
    ).decode()
