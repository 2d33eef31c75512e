"""The position that a page shows: the game at a moment, the choices there, and who tells them to the viewer."""

from __future__ import annotations

from trajekt.engine.ruleset import Choice
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.storage.cached_game import CachedGame, PerPosition

CHOICES = PerPosition[list[Choice]]()


def position(cached: CachedGame, at: int | None = None) -> Game:
    """The game as it stands, or stood after entry `at`: a look that does not move while it is drawn."""
    if at is None:
        return cached.snapshot()
    with cached.lock:
        return cached.game.at(at)


def choices_at(cached: CachedGame, game: Game) -> list[Choice]:
    """The legal choices of a position at the head, found once."""
    return CHOICES.get(cached, lambda: [*game.choices(), *game.anytime_choices()], game.number)


def speaker_of(cached: CachedGame, viewer: Viewer) -> Speaker:
    """Return who tells this game to this viewer."""
    return viewer.speaker(cached.game.title, cached.game.state)
