"""Lines of the lists of tables: those of the start page, and a person's own."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from trajekt.engine.state import Seat
from trajekt.i18n.sentences import Catalogue
from trajekt.registry import title
from trajekt.round_label import Round, round_name
from trajekt.server.accounts.viewer import names_read
from trajekt.server.storage.seats import WATCHING
from trajekt.server.storage.store import GameRow
from trajekt.server.user_text import NAME_LENGTH

SHOWN_PLAYERS = 8
LOG = logging.getLogger("trajekt.server")


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table in a list: `game` is the id and `title` the name of its game, `changed` the time in seconds since 1970.

    `held` are the names of the viewer's own seats, `turn` tells whether one of them is awaited.
    """

    id: str
    game: str
    title: str
    names: Sequence[str]
    moment: str
    finished: bool
    changed: float
    number: int
    held: Sequence[str] = ()
    turn: bool = False


def shown_names(stored: str) -> list[str]:
    """The names of players as a list of tables shows them, whatever the row holds: few and short. Raises ValueError."""
    return [name[:NAME_LENGTH] for name in msgspec.json.decode(stored, type=list[str])[:SHOWN_PLAYERS]]


def table_line(row: GameRow, say: Catalogue, seats: Sequence[Seat] = (), *, turn: bool = False) -> TableLine | None:
    """A line of a list; None for a row that cannot be read, which is logged and breaks nobody's page."""
    try:
        names = names_read(shown_names(row.names), say)
        return TableLine(
            id=row.id,
            game=row.title,
            title=game_name(row.title),
            names=names,
            moment=round_name(Round.read(row.moment), say),
            finished=row.finished,
            changed=row.changed,
            number=row.number,
            held=[names[seat] for seat in seats if seat != WATCHING and seat < len(names)],
            turn=turn,
        )
    except (msgspec.MsgspecError, ValueError, TypeError) as fault:
        LOG.warning("table %s cannot be listed: %s", row.id, fault)
        return None


def game_name(id_: str) -> str:
    """The name of a game; its id where it is not installed any more."""
    try:
        return title(id_).name
    except (ValueError, ImportError):
        return id_
