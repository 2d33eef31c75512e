"""Comments on the moments of a game and its variations, as the page and the sidebar show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trajekt.engine.state import Seat
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker
from trajekt.round_label import round_name
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.game_log import entry_text, rounds_of
from trajekt.server.services.comments import commenting_seat, may_be_studied, variations_of
from trajekt.server.services.plans import is_plan
from trajekt.server.services.table_service import TableService
from trajekt.server.storage import comments
from trajekt.server.storage.cached_game import CachedGame, PerGame, PerRevision
from trajekt.server.storage.comments import Comment

COMMENTS = PerRevision[list[Comment]]()
FORKS = PerGame[dict[int, tuple[int, ...]]]()
"""Entries after which variations leave the line, by the number of entries of the log: that of the newest log alone."""


@dataclass(frozen=True, slots=True)
class MomentComment:
    """A comment on the position after entry `number`, whose round and number `moment` names; `name` is empty for nobody's."""

    number: int
    moment: str
    name: str
    text: str
    mine: bool


@dataclass(frozen=True, slots=True)
class VariationLine:
    """A branch of the log: the moment at which it leaves, its first action in words, its length and last entry."""

    moment: str
    first: str
    length: int
    end: int


@dataclass(frozen=True, slots=True)
class StudyPart:
    """Comments and variations of a table; `writes`: the viewer may comment, `shows`: a copy to look at can be made."""

    comments: Sequence[MomentComment]
    variations: Sequence[VariationLine]
    writes: bool
    shows: bool


def comments_of(
    table: TableService, cached: CachedGame, game: Game, speaker: Speaker, seat: Seat | None
) -> list[MomentComment]:
    """The comments of a table; none of a game that friends have under way, at which nobody can write any."""
    if not may_be_studied(table, cached):
        return []
    found = COMMENTS.get(cached, lambda: comments.of_game(table.store, cached.id))
    return [
        MomentComment(
            number=each.number,
            moment=moment(cached, each.number, speaker),
            name=speaker.seat(each.seat) if each.seat >= 0 else "",
            text=each.text,
            mine=each.seat == seat,
        )
        for each in found
        if each.number <= game.number
    ]


def forks_of(table: TableService, cached: CachedGame) -> tuple[int, ...]:
    """The entries after which variations leave the line that stands; none of a game that friends have under way."""
    if not may_be_studied(table, cached):
        return ()
    game, known = cached.snapshot(), FORKS.get(cached, dict)
    if game.number not in known:
        known.clear()
        known[game.number] = tuple(sorted({each.fork for each in variations_of(game)}))
    return known[game.number]


def moment(cached: CachedGame, number: int, speaker: Speaker) -> str:
    """The round and the number of a moment in words."""
    say, rounds = speaker.catalogue, rounds_of(cached)
    return say.text("page.talk.moment", round=round_name(rounds[min(number, len(rounds) - 1)], say), number=number)


def study_part(
    table: TableService, cached: CachedGame, game: Game, viewer: Viewer, speaker: Speaker
) -> StudyPart | None:
    """Comments and variations as a viewer sees them; None at a table of friends whose game is under way."""
    if not may_be_studied(table, cached):
        return None
    seat = commenting_seat(table, cached, viewer)
    return StudyPart(
        comments=comments_of(table, cached, game, speaker, seat),
        variations=[
            VariationLine(
                moment=moment(cached, each.fork, speaker),
                first=entry_text(game, each.entries[0], speaker)[0],
                length=len(each.entries),
                end=each.entries[-1].number,
            )
            for each in reversed(variations_of(game))
        ],
        writes=seat is not None,
        shows=is_plan(table, cached),
    )
