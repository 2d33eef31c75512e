"""Presence of players: whose page is open before their eyes, and when each last looked."""

from __future__ import annotations

import time

from trajekt.engine.state import Seat
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.services.table_service import TableService
from trajekt.server.storage import seats
from trajekt.server.storage.cached_game import CachedGame, PerRevision
from trajekt.server.storage.seats import HERE

LAST_SEEN = PerRevision[dict[Seat, float]]()


def look(table: TableService, cached: CachedGame, viewer: Viewer, here: bool) -> tuple[bool, list[Seat]]:
    """Note that a player's page is open before his eyes, or no more. Answers whether that is news, and who is here."""
    now, known = time.time(), lookings(table, cached)
    before = present(known, now)
    if viewer.seats:
        at = now if here else now - HERE
        stale = [seat for seat in viewer.seats if not here or now - known.get(seat, 0.0) > HERE / 3]
        if stale:
            seats.looked(table.store, cached.id, tuple(stale), at)
            known |= dict.fromkeys(stale, at)  # in place: what is read once stays right
    after = present(known, now)
    return after != before, after


def lookings(table: TableService, cached: CachedGame) -> dict[Seat, float]:
    """Return when each player last looked; read once a revision where no other process could have written it."""
    if table.store.shared:
        return seats.looking(table.store, cached.id)
    return LAST_SEEN.get(cached, lambda: seats.looking(table.store, cached.id))


def present(known: dict[Seat, float], now: float) -> list[Seat]:
    """The players whose page was open before their eyes a moment ago."""
    return sorted(seat for seat, at in known.items() if now - at < HERE)
