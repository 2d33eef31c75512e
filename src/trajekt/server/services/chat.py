"""Talk at a table: what is said bears the moment, and whoever is named and away is told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trajekt.engine.player_names import likeness
from trajekt.engine.state import Seat
from trajekt.server.services.table_service import TableService
from trajekt.server.storage import chat, contacts
from trajekt.server.storage.cached_game import CachedGame

PAUSE = 600.0
"""Seconds in which somebody who is named again is not told again."""


def named(text: str, names: Sequence[str]) -> tuple[Seat, ...]:
    """The seats that a text calls by `@` and the name of their player, without regard to case."""
    found = set()
    rest = likeness(text)
    for name, seat in sorted(
        ((likeness(name), seat) for seat, name in enumerate(names)), key=lambda each: -len(each[0])
    ):
        pattern = re.compile(rf"(?<!\w)@{re.escape(name)}(?!\w)")
        rest, count = pattern.subn(" ", rest)  # the longest name first: @Ann Lee is not Ann
        if count:
            found.add(seat)
    return tuple(sorted(found))


def say(table: TableService, cached: CachedGame, seat: Seat, text: str, *, players_only: bool, at: float) -> None:
    """Say something; whoever is named is told at a time if he is away then. Raises `DeniedError` as `chat.say`."""
    game = cached.snapshot()
    line = chat.say(table.store, cached.id, seat, text, game.number, players_only=players_only)
    names = game.state.names
    wanted = set(named(line.text, names)) - {seat}
    if not wanted:
        return
    before = chat.lines(table.store, cached.id, players=True, since=line.time - PAUSE)
    told = {each for earlier in before if earlier.id < line.id for each in named(earlier.text, names)}
    contacts.queue_notices(table.store, cached.id, tuple(sorted(wanted - told)), line.id, contacts.NAMED, at)
