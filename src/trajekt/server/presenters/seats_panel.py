"""The seats of a table with links: who holds them, who is here, and what is asked of whom. Template: `seats.html`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from trajekt.bots.bot import names as bots
from trajekt.engine.state import Seat
from trajekt.i18n.sentences import Catalogue
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.services.presence import lookings, present
from trajekt.server.services.seats import AWAY, HOST_AWAY, USUAL, open_requests
from trajekt.server.services.table_service import TableService, bots_of
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.consent_requests import AGREED, OPEN, UNDO
from trajekt.server.storage.seats import assignments_of


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat: `stand_in` is the kind of bot that plays for an absent player, `seen` when he last looked."""

    seat: Seat
    name: str
    mine: bool
    bot: bool
    stand_in: str
    held: bool
    here: bool
    seen: float
    away: bool
    awaited: bool
    passcode: bool


@dataclass(frozen=True, slots=True)
class RequestLine:
    """Something that is asked of the others, as it concerns the viewer."""

    number: int
    kind: str
    who: str
    about: str
    bot: str
    to: int
    missing: Sequence[str]
    lapses: float
    asker: bool
    asked: bool
    agreed: bool
    target: int


@dataclass(frozen=True, slots=True)
class SeatsPanel:
    """The seats of a table; `host` tells whether the viewer is the host, `host_away` whether the host may be followed."""

    seats: Sequence[SeatLine]
    host: bool
    host_away: bool
    consent_requests: Sequence[RequestLine]


@dataclass(frozen=True, slots=True)
class SeatsPart(PageModel):
    """The seats as a part of the page; `circle` is None where everybody plays at one screen."""

    template: ClassVar[str] = "seats.html"
    circle: SeatsPanel | None
    say: Catalogue
    id: str


@dataclass(frozen=True, slots=True)
class SeatMenu(SeatsPart):
    """The menu of the seats: `kinds` are the bots that may stand in, `usual` the one that does where nobody names another."""

    template: ClassVar[str] = "seat_menu.html"
    kinds: Sequence[str] = field(default_factory=bots)
    usual: str = USUAL


@dataclass(frozen=True, slots=True)
class SeatEntryPage(PageModel):
    """The page where one sits down at a table."""

    template: ClassVar[str] = "seat_entry.html"
    id: str
    game: str


def seats_panel(table: TableService, cached: CachedGame, viewer: Viewer) -> SeatsPanel | None:
    """The seats as the page shows them; None where everybody plays at one screen."""
    assignments = assignments_of(table.store, cached)
    if not assignments.friends:
        return None
    now, known = time.time(), lookings(table, cached)
    here, seating, names = present(known, now), bots_of(table.store, cached), cached.game.state.names
    awaited = cached.game.to_act
    lines = [
        SeatLine(
            seat=seat,
            name=name,
            mine=seat in viewer.seats,
            bot=seat in seating.seats,
            stand_in=seating.stand_ins.get(seat, ""),
            held=assignments.held(seat),
            here=seat in here,
            seen=known.get(seat, 0.0),
            away=now - known.get(seat, 0.0) > AWAY,
            awaited=seat in awaited,
            passcode=seat in assignments.seats and assignments.seats[seat].passcode_hash is not None,
        )
        for seat, name in enumerate(names)
    ]
    requests = [
        RequestLine(
            number=each.number,
            kind=each.kind,
            who=names[each.seat],
            about=names[each.target] if each.kind != UNDO else "",
            bot=each.what,
            to=each.target,
            missing=[names[seat] for seat in each.missing],
            lapses=each.lapses,
            asker=each.seat in viewer.seats,
            asked=any(seat in each.missing for seat in viewer.seats),
            agreed=each.outcome == AGREED and each.seat in viewer.seats,
            target=each.target,
        )
        for each in open_requests(table, cached)
        if each.outcome == OPEN or (each.outcome == AGREED and each.seat in viewer.seats)
    ]
    host = assignments.host_seat
    host_away = host is None or 0.0 < known.get(host, 0.0) < now - HOST_AWAY
    return SeatsPanel(lines, assignments.is_host(viewer.person, viewer.seats), host_away, requests)
