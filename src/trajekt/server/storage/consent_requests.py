"""Requests that the others must agree to: an undo, a stand-in for an absent player, a new link to a lost seat, a new host, the
end of the table, the talk in its record.

A request is open until the last consent, a refusal, its withdrawal or its time-out; one for an undo also ends when the game
moves, for then it would take back more than was asked for. Consents are rows, so two given at once are both counted.
"""

from __future__ import annotations

import time
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from trajekt.engine.state import Seat
from trajekt.server.refusals import DeniedError
from trajekt.server.storage.schema import CONSENT_REQUESTS, CONSENTS
from trajekt.server.storage.store import Store

UNDO, STAND_IN, SEAT, HOST, DELETE, TALK = "undo", "stand_in", "seat", "host", "delete", "talk"
ABOUT_A_SEAT = frozenset({STAND_IN, SEAT})
"""Kinds of which several may be open, for seats of their own."""
OPEN, AGREED, DONE, REFUSED, WITHDRAWN, LAPSED = "open", "agreed", "done", "refused", "withdrawn", "lapsed"
TIME_OUT = 24 * 3600.0  # seconds
MINUTE, A_MINUTE = 60.0, 10  # so many requests of a seat in so many seconds


class ConsentRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request as it stands. `target` is the entry gone back to, or the seat concerned; times in seconds since 1970."""

    game: str
    number: int
    kind: str
    seat: Seat
    stands: int
    target: int
    what: str = ""
    needs: tuple[Seat, ...]
    asked: float
    lapses: float
    outcome: str = OPEN
    consents: tuple[Seat, ...] = ()

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Return who has not consented yet."""
        return tuple(seat for seat in self.needs if seat not in self.consents)


def current(store: Store, game: str, stands: int) -> list[ConsentRequest]:
    """The consent requests of a table that stands at an entry, oldest first."""
    return [now(each, stands) for each in stored(store, game)]


def now(consent_request: ConsentRequest, stands: int) -> ConsentRequest:
    """A request as it is now: an open one whose time is over, or that the game has left behind, is lapsed."""
    left_behind = consent_request.kind == UNDO and consent_request.stands != stands
    if consent_request.outcome == OPEN and (left_behind or consent_request.lapses <= time.time()):
        return msgspec.structs.replace(consent_request, outcome=LAPSED)
    return consent_request


def stored(store: Store, game: str, number: int | None = None) -> list[ConsentRequest]:
    """The requests of a table that are open or agreed as they were last settled, oldest first; or one, however it ended."""
    unsettled = CONSENT_REQUESTS.c.outcome.in_((OPEN, AGREED))
    wanted = unsettled if number is None else CONSENT_REQUESTS.c.number == number
    query = sa.select(CONSENT_REQUESTS).where(CONSENT_REQUESTS.c.game == game, wanted)
    given = sa.select(CONSENTS.c.petition, CONSENTS.c.seat).where(CONSENTS.c.game == game).order_by(CONSENTS.c.given)
    with store.engine.connect() as connection:
        rows = connection.execute(query.order_by(CONSENT_REQUESTS.c.number)).mappings().all()
        consents: dict[int, tuple[Seat, ...]] = {}
        if rows:
            numbers = [row["number"] for row in rows]
            for each, seat in connection.execute(given.where(CONSENTS.c.petition.in_(numbers))):
                consents[each] = (*consents.get(each, ()), seat)
    return [_of_row(dict(row), consents.get(row["number"], ())) for row in rows]


def _of_row(row: dict[str, Any], consents: tuple[Seat, ...]) -> ConsentRequest:
    row["needs"] = msgspec.json.decode(row["needs"], type=tuple[int, ...])
    return ConsentRequest(**row, consents=consents)


def ask(
    store: Store,
    game: str,
    kind: str,
    seat: Seat,
    *,
    stands: int,
    target: int,
    needs: tuple[Seat, ...],
    what: str = "",
) -> ConsentRequest:
    """Ask. Raises `DeniedError` 409 `consent_request_open` while the same is asked for already, 429 for who asks too often."""
    before = current(store, game, stands)
    if any(
        each.outcome == OPEN and each.kind == kind and (kind not in ABOUT_A_SEAT or each.target == target)
        for each in before
    ):
        raise DeniedError(409, "consent_request_open")
    asked = time.time()
    made = ConsentRequest(
        game=game,
        number=0,
        kind=kind,
        seat=seat,
        stands=stands,
        target=target,
        what=what,
        needs=needs,
        asked=asked,
        lapses=asked + TIME_OUT,
    )
    values = msgspec.structs.asdict(made) | {"needs": msgspec.json.encode(needs).decode()}
    del values["consents"]
    try:
        with store.begin() as connection:
            store.bump_revision(connection, game)
            values["number"] = _next_number(connection, game, seat, stands, asked)
            connection.execute(CONSENT_REQUESTS.insert().values(values))
    except IntegrityError as fault:  # two asked at once
        raise DeniedError(409, "consent_request_open") from fault
    return msgspec.structs.replace(made, number=values["number"])


def _next_number(connection: sa.Connection, game: str, seat: Seat, stands: int, now: float) -> int:
    """The number of a new request; those that have lapsed are closed. Raises `DeniedError` 429 for who asks too often."""
    here = CONSENT_REQUESTS.c.game == game
    recent = sa.select(sa.func.count()).where(
        here, CONSENT_REQUESTS.c.seat == seat, CONSENT_REQUESTS.c.asked > now - MINUTE
    )
    if connection.execute(recent).scalar_one() >= A_MINUTE:
        raise DeniedError(429, "text_often")
    left_behind = sa.and_(CONSENT_REQUESTS.c.kind == UNDO, CONSENT_REQUESTS.c.stands != stands)
    lapsed = sa.or_(left_behind, CONSENT_REQUESTS.c.lapses <= now)
    close = CONSENT_REQUESTS.update().where(here, CONSENT_REQUESTS.c.outcome == OPEN, lapsed)
    connection.execute(close.values(outcome=LAPSED))
    newest = connection.execute(sa.select(sa.func.max(CONSENT_REQUESTS.c.number)).where(here)).scalar()
    return int(newest or 0) + 1


def found(store: Store, game: str, number: int, stands: int) -> ConsentRequest:
    """A request that is still open. Raises `DeniedError` where there is none."""
    each = next((now(each, stands) for each in stored(store, game, number)), None)
    if each is None:
        raise DeniedError(404, "no_consent_request")
    if each.outcome != OPEN:
        raise DeniedError(409, "consent_request_over", outcome=each.outcome)
    return each


def consent(store: Store, consent_request: ConsentRequest, seats: tuple[Seat, ...]) -> ConsentRequest:
    """Some seats consent; answers the consent_request as it then stands. Who consents twice has consented once."""
    with store.begin() as connection:
        store.bump_revision(
            connection, consent_request.game
        )  # first: of two who consent at once the second sees the first
        given = sa.select(CONSENTS.c.seat).where(
            CONSENTS.c.game == consent_request.game, CONSENTS.c.petition == consent_request.number
        )
        before = tuple(connection.execute(given).scalars())
        fresh = [seat for seat in consent_request.missing if seat in seats and seat not in before]
        for seat in fresh:
            row = {"game": consent_request.game, "petition": consent_request.number, "seat": seat, "given": time.time()}
            connection.execute(CONSENTS.insert().values(row))
    return msgspec.structs.replace(consent_request, consents=(*before, *fresh))


def settle(store: Store, consent_request: ConsentRequest, outcome: str, before: str = OPEN) -> bool:
    """Close a request that stands at `before`; False where somebody else was quicker."""
    settled = CONSENT_REQUESTS.update().where(
        CONSENT_REQUESTS.c.game == consent_request.game,
        CONSENT_REQUESTS.c.number == consent_request.number,
        CONSENT_REQUESTS.c.outcome == before,
    )
    with store.begin() as connection:
        store.bump_revision(connection, consent_request.game)
        return connection.execute(settled.values(outcome=outcome)).rowcount == 1
