"""Seats that are held by links: the rows of a table's seats, and who holds them.

A table at one screen has none of this. Of tokens only digests are stored; whoever has the database cannot sit down with it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import msgspec
import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.server.storage.audit import audit
from trajekt.server.storage.cached_game import CachedGame, PerRevision
from trajekt.server.storage.schema import GAMES, HOLDERS, NOTES, ORDERS, SEATS
from trajekt.server.storage.secret_tokens import digest, new_token
from trajekt.server.storage.store import Store

WATCHING = -1
"""In place of a seat: who has the watching link."""
HERE = 75.0  # seconds since a page was last seen open, within which its player counts as present


class SeatRow(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as it is stored; times in seconds since 1970. `looking` and `told` change often: ask for them anew."""

    game: str
    seat: Seat
    token_hash: str
    passcode_hash: str | None = None
    stand_in: str | None = None
    language: str | None = None
    mail: str | None = None
    confirmed: bool = False
    hook: str | None = None
    hook_form: str | None = None
    muted: bool = False
    looking: float = 0.0
    told: int = 0


@dataclass(frozen=True, slots=True)
class SeatAssignments:
    """Assignment of seats at a table. Without a watching link everybody sits at one screen."""

    watch_hash: str | None = None
    host: str | None = None
    seats: Mapping[Seat, SeatRow] = field(default_factory=lambda: MappingProxyType({}))
    holders: Mapping[str, tuple[Seat, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Seats of each person; `WATCHING` among them."""
    host_seat: Seat | None = None
    ended: bool = False
    """True where the host of the server has ended the table."""

    @property
    def friends(self) -> bool:
        """Tell whether each plays at a screen of their own."""
        return self.watch_hash is not None

    @property
    def stand_ins(self) -> dict[Seat, str]:
        """The bots that play for absent players."""
        return {seat: row.stand_in for seat, row in self.seats.items() if row.stand_in}

    def is_host(self, person: str, seats: Iterable[Seat]) -> bool:
        """Tell whether who is `person` and holds `seats` is the host: by the host's seat, else as who made the table."""
        if self.host_seat is not None:
            return self.host_seat in seats
        return person != "" and person == self.host

    def held(self, seat: Seat) -> bool:
        """Tell whether anybody has taken a seat."""
        return any(seat in seats for seats in self.holders.values())

    def opens(self, token: str) -> Seat | None:
        """Return what a token opens: a seat, `WATCHING`, or None."""
        hashed = digest(token)
        if hashed == self.watch_hash:
            return WATCHING
        return next((seat for seat, row in self.seats.items() if row.token_hash == hashed), None)


ASSIGNMENTS = PerRevision[SeatAssignments]()


def assignments_of(store: Store, cached: CachedGame) -> SeatAssignments:
    """Return who may sit where, read once a revision."""
    return ASSIGNMENTS.get(cached, lambda: read_assignments(store, cached.id))


def read_assignments(store: Store, game: str) -> SeatAssignments:
    """Return who may sit where, from the database."""
    with store.engine.connect() as connection:
        row = connection.execute(
            sa.select(GAMES.c.watch_hash, GAMES.c.host, GAMES.c.host_seat, GAMES.c.ended).where(GAMES.c.id == game)
        ).first()
        if row is None or row[0] is None:
            return SeatAssignments(ended=row is not None and row[3])
        seats = connection.execute(sa.select(SEATS).where(SEATS.c.game == game)).mappings().all()
        found = sa.select(HOLDERS.c.person, HOLDERS.c.seat).where(HOLDERS.c.game == game).order_by(HOLDERS.c.seat)
        holders: dict[str, tuple[Seat, ...]] = {}
        for person, seat in connection.execute(found):
            holders[person] = (*holders.get(person, ()), seat)
    return SeatAssignments(row[0], row[1], {row["seat"]: SeatRow(**row) for row in seats}, holders, row[2], row[3])


def open_seats(store: Store, game: str, seats: tuple[Seat, ...]) -> dict[Seat, str]:
    """Make seats that can be held; answers the token of each, which is known only now."""
    tokens = {seat: new_token() for seat in seats}
    rows = [SeatRow(game=game, seat=seat, token_hash=digest(token)) for seat, token in tokens.items()]
    with store.begin() as connection:
        connection.execute(SEATS.insert(), [msgspec.structs.asdict(row) for row in rows])
        store.bump_revision(connection, game)
    return tokens


def hold(store: Store, game: str, seat: Seat, person: str, language: str = "") -> None:
    """Give a seat to a person, or let them watch; once is enough. The language is that of notices."""
    held = sa.select(HOLDERS.c.since).where(HOLDERS.c.person == person, HOLDERS.c.game == game, HOLDERS.c.seat == seat)
    with store.begin() as connection:
        store.bump_revision(connection, game)  # first, so that of two who sit down at once the second sees the first
        if connection.execute(held).first() is None:
            connection.execute(HOLDERS.insert().values(person=person, game=game, seat=seat, since=time.time()))
            audit(connection, "seat_taken", game, seat, person)
        if language and seat != WATCHING:
            named = SEATS.update().where(SEATS.c.game == game, SEATS.c.seat == seat, SEATS.c.language.is_(None))
            connection.execute(named.values(language=language))


def release(store: Store, game: str, seat: Seat, person: str) -> None:
    """Take a seat from a person; with the last one go its passcode and where notices were sent."""
    here = HOLDERS.c.game == game, HOLDERS.c.seat == seat
    left = {"passcode_hash": None, "mail": None, "confirmed": False, "hook": None, "hook_form": None}
    with store.begin() as connection:
        store.bump_revision(connection, game)
        connection.execute(HOLDERS.delete().where(*here, HOLDERS.c.person == person))
        audit(connection, "seat_given_back", game, seat, person)
        if connection.execute(sa.select(HOLDERS.c.person).where(*here)).first() is None:
            connection.execute(SEATS.update().where(SEATS.c.game == game, SEATS.c.seat == seat).values(left))


def new_link(store: Store, game: str, seat: Seat) -> str:
    """A new link to a seat: the old one, its passcode and notices die, and nobody holds the seat until somebody sits."""
    token = new_token()
    fresh = SeatRow(game=game, seat=seat, token_hash=digest(token))
    changed = {name: value for name, value in msgspec.structs.asdict(fresh).items() if name not in ("game", "seat")}
    with store.begin() as connection:
        store.bump_revision(connection, game)
        connection.execute(SEATS.update().where(SEATS.c.game == game, SEATS.c.seat == seat).values(changed))
        for table in (HOLDERS, NOTES, ORDERS):  # notes and instructions are the old player's, not the seat's
            connection.execute(table.delete().where(table.c.game == game, table.c.seat == seat))
        audit(connection, "new_link", game, seat)
    return token


def make_host(store: Store, game: str, seat: Seat) -> None:
    """Give the right of the host to whoever holds a seat."""
    with store.begin() as connection:
        store.bump_revision(connection, game)
        connection.execute(GAMES.update().where(GAMES.c.id == game).values(host_seat=seat))
        audit(connection, "new_host", game, seat)


def new_watching_link(store: Store, game: str) -> str:
    """A new link to watch; the old one opens nothing more, who watches already goes on."""
    token = new_token()
    with store.begin() as connection:
        store.bump_revision(connection, game)
        connection.execute(GAMES.update().where(GAMES.c.id == game).values(watch_hash=digest(token)))
    return token


def stand_in(store: Store, game: str, seat: Seat, kind: str | None) -> None:
    """Let a bot play for the player of a seat; None gives the seat back."""
    change(store, game, seat, stand_in=kind)


def change(store: Store, game: str, seat: Seat, **values: str | bool | float | None) -> None:
    """Change columns of a seat; everybody at the table looks again."""
    with store.begin() as connection:
        store.bump_revision(connection, game)
        connection.execute(SEATS.update().where(SEATS.c.game == game, SEATS.c.seat == seat).values(values))


def looked(store: Store, game: str, seats: tuple[Seat, ...], at: float) -> None:
    """Keep when the page of these seats was open before somebody's eyes. Nothing else at the table changes by it."""
    with store.begin() as connection:
        connection.execute(SEATS.update().where(SEATS.c.game == game, SEATS.c.seat.in_(seats)).values(looking=at))


def looking(store: Store, game: str) -> dict[Seat, float]:
    """Return when each player was last seen at the page of a table, in seconds since 1970; 0 never."""
    with store.engine.connect() as connection:
        found = connection.execute(sa.select(SEATS.c.seat, SEATS.c.looking).where(SEATS.c.game == game))
        return {row[0]: row[1] for row in found}
