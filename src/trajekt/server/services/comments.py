"""Studies: comments on the moments of a game, and its variations, which are the branches of its log that do not stand."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from trajekt.engine.state import Seat
from trajekt.game import DONE, Entry, Game
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.refusals import DeniedError
from trajekt.server.services.seats import own_seat
from trajekt.server.services.table_service import TableService, read
from trajekt.server.storage import comments
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.comments import NOBODY, Comment
from trajekt.server.storage.seats import assignments_of

SHOWN = 30
"""The newest variations, which are shown."""


class CommentBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A comment on the position after entry `number`; an empty text takes it away."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Variation:
    """A branch of the log: where it leaves the line that stands, its actions, oldest first."""

    fork: int
    entries: tuple[Entry, ...]


def may_be_studied(table: TableService, cached: CachedGame) -> bool:
    """Tell whether a table has comments and variations: all but those at which friends have a game under way."""
    apart = assignments_of(table.store, cached).friends and not cached.on_trial
    return not apart or cached.snapshot().finished


def commenting_seat(table: TableService, cached: CachedGame, who: Viewer) -> Seat | None:
    """Find the seat for which a viewer may comment: `NOBODY` at one screen, his own once a game of friends has ended.

    None where he may not: comments are read by all at the table, and a game under way is nobody's to explain.
    """
    if not assignments_of(table.store, cached).friends:
        return NOBODY
    return own_seat(table, cached, who) if cached.snapshot().finished else None


def comment(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    """Write a comment. Raises `DeniedError` 403 where the viewer may not, 422 where there is no such moment."""
    sent, seat = read(data, CommentBody), commenting_seat(table, cached, who)
    if seat is None:
        raise DeniedError(403, "comments_at_end")
    if not 0 <= sent.number <= cached.snapshot().number:
        raise DeniedError(422, "no_moment")
    comments.write(table.store, cached.id, Comment(sent.number, seat, sent.text))


def variations_of(game: Game) -> list[Variation]:
    """The branches of a log that do not stand at its head, in the order in which they were last played on; the newest few."""
    before = {0: 0}
    """By entry the newest action in its position: undo and redo bring none about."""
    done: dict[int, Entry] = {}
    for entry in game.entries:
        before[entry.number] = entry.number if entry.kind in DONE else before[entry.parent]
        if entry.kind in DONE:
            done[entry.number] = entry
    standing = {0, *(entry.number for entry in game.line())}
    inner = {before[entry.parent] for entry in done.values()}
    found = []
    for leaf in sorted(done.keys() - standing - inner)[-SHOWN:]:
        entries, at = [], leaf
        while at not in standing:
            entries.append(done[at])
            at = before[done[at].parent]
        found.append(Variation(at, tuple(reversed(entries))))
    return found
