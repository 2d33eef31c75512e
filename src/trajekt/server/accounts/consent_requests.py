"""What a player asks the others to agree to: an undo, a stand-in for an absent player, a new link to a lost seat.

A petition is open until the last consent, a refusal, its withdrawal or its time-out; one for an undo also ends when the game
moves, for then it would take back more than was asked for. Consents are rows, so two given at once are both counted.
"""

from __future__ import annotations

import time
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from trajekt.engine.state import Seat
from trajekt.server.accounts.denials import DeniedError
from trajekt.server.storage.schema import CONSENTS, PETITIONS
from trajekt.server.storage.store import Store

UNDO, STAND_IN, SEAT = "undo", "stand_in", "seat"
OPEN, AGREED, DONE, REFUSED, WITHDRAWN, LAPSED = "open", "agreed", "done", "refused", "withdrawn", "lapsed"
TIME_OUT = 24 * 3600.0  # seconds


class Petition(msgspec.Struct, frozen=True, kw_only=True):
    """A petition as it stands. `target` is the entry gone back to, or the seat concerned; times in seconds since 1970."""

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
        """Who has not consented yet."""
        return tuple(seat for seat in self.needs if seat not in self.consents)


def petitions(store: Store, game: str, stands: int) -> list[Petition]:
    """The petitions of a table that stands at an entry, oldest first."""
    return [now(each, stands) for each in stored(store, game)]


def now(petition: Petition, stands: int) -> Petition:
    """A petition as it is now: an open one whose time is over, or that the game has left behind, is lapsed."""
    left_behind = petition.kind == UNDO and petition.stands != stands
    if petition.outcome == OPEN and (left_behind or petition.lapses <= time.time()):
        return msgspec.structs.replace(petition, outcome=LAPSED)
    return petition


def stored(store: Store, game: str) -> list[Petition]:
    """The petitions of a table as they were last settled, oldest first."""
    query = sa.select(PETITIONS).where(PETITIONS.c.game == game).order_by(PETITIONS.c.number)
    given = sa.select(CONSENTS.c.petition, CONSENTS.c.seat).where(CONSENTS.c.game == game).order_by(CONSENTS.c.given)
    with store.engine.connect() as connection:
        rows = connection.execute(query).mappings().all()
        consents: dict[int, tuple[Seat, ...]] = {}
        for number, seat in connection.execute(given) if rows else ():
            consents[number] = (*consents.get(number, ()), seat)
    return [_petition(dict(row), consents.get(row["number"], ())) for row in rows]


def _petition(row: dict[str, Any], consents: tuple[Seat, ...]) -> Petition:
    row["needs"] = msgspec.json.decode(row["needs"], type=tuple[int, ...])
    return Petition(**row, consents=consents)


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
) -> Petition:
    """Ask. Raises `DeniedError` 409 `petition_open` while the same is asked for already."""
    before = petitions(store, game, stands)
    if any(each.outcome == OPEN and each.kind == kind and (kind == UNDO or each.target == target) for each in before):
        raise DeniedError(409, "petition_open")
    asked = time.time()
    made = Petition(
        game=game,
        number=len(before) + 1,
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
            store.touched(connection, game)
            connection.execute(PETITIONS.insert().values(values))
    except IntegrityError as fault:  # two asked at once
        raise DeniedError(409, "petition_open") from fault
    return made


def found(store: Store, game: str, number: int, stands: int) -> Petition:
    """A petition that is still open. Raises `DeniedError` where there is none."""
    each = next((each for each in petitions(store, game, stands) if each.number == number), None)
    if each is None:
        raise DeniedError(404, "no_petition")
    if each.outcome != OPEN:
        raise DeniedError(409, "petition_over", outcome=each.outcome)
    return each


def consent(store: Store, petition: Petition, seats: tuple[Seat, ...]) -> Petition:
    """Some seats consent; answers the petition as it then stands. Who consents twice has consented once."""
    with store.begin() as connection:
        store.touched(connection, petition.game)  # first: of two who consent at once the second sees the first
        given = sa.select(CONSENTS.c.seat).where(
            CONSENTS.c.game == petition.game, CONSENTS.c.petition == petition.number
        )
        before = tuple(connection.execute(given).scalars())
        fresh = [seat for seat in petition.missing if seat in seats and seat not in before]
        for seat in fresh:
            row = {"game": petition.game, "petition": petition.number, "seat": seat, "given": time.time()}
            connection.execute(CONSENTS.insert().values(row))
    return msgspec.structs.replace(petition, consents=(*before, *fresh))


def settle(store: Store, petition: Petition, outcome: str, before: str = OPEN) -> bool:
    """Close a petition that stands at `before`; False where somebody else was quicker."""
    settled = PETITIONS.update().where(
        PETITIONS.c.game == petition.game,
        PETITIONS.c.number == petition.number,
        PETITIONS.c.outcome == before,
    )
    with store.begin() as connection:
        store.touched(connection, petition.game)
        return connection.execute(settled.values(outcome=outcome)).rowcount == 1
