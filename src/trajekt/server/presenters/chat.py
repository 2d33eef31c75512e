"""The chat of a table as a viewer reads it."""

from __future__ import annotations

from dataclasses import dataclass

from trajekt.engine.state import Seat
from trajekt.i18n.sentences import Speaker
from trajekt.round_label import round_name
from trajekt.server.presenters.game_log import rounds_of
from trajekt.server.services.table_service import TableService
from trajekt.server.storage import chat
from trajekt.server.storage.cached_game import CachedGame


@dataclass(frozen=True, slots=True)
class TalkLine:
    """Something said at the table; `time` in seconds since 1970.

    `number` is the entry at which it was said, and `moment` names its round and number; None and empty where that was not kept.
    """

    id: int
    name: str
    mine: bool
    text: str
    time: float
    number: int | None
    moment: str
    players_only: bool


def talk_lines(table: TableService, cached: CachedGame, seat: Seat | None, speaker: Speaker) -> list[TalkLine]:
    """Return what a viewer reads of the talk: somebody without a seat what is said to all."""
    rounds, say = rounds_of(cached), speaker.catalogue

    def moment(number: int | None) -> str:
        if number is None or number >= len(rounds):
            return ""
        return say.text("page.talk.moment", round=round_name(rounds[number], say), number=number)

    return [
        TalkLine(
            id=line.id,
            name=speaker.seat(line.seat),
            mine=line.seat == seat,
            text=line.text,
            time=line.time,
            number=line.number,
            moment=moment(line.number),
            players_only=line.players_only,
        )
        for line in chat.lines(table.store, cached.id, players=seat is not None)
    ]
