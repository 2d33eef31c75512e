"""Open tables: offered by a host, joined by others, begun when they are full or when the host says.

Nobody needs an account unless the host wants it. Who sits down is a person of the server as at any table of friends; when the
game begins each holds a seat of it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Literal

import msgspec

from trajekt.engine.components.component_sets import set_of
from trajekt.engine.player_names import likeness
from trajekt.server.refusals import DeniedError
from trajekt.server.services.table_service import (
    NAMES,
    NewTable,
    TableService,
    UnreadableError,
    checked_players,
)
from trajekt.server.storage import open_tables, seats
from trajekt.server.storage.accounts import Person
from trajekt.server.storage.deletion import delete_table
from trajekt.server.storage.open_tables import OpenSeat, OpenTable, SeatTakenError
from trajekt.server.user_text import TextError, checked_sentence

ID_LENGTH = 16
"""Characters of the name of an open table: the address of one that is not listed is its only key."""
PACES = (0, 3, 7, 14, 35)
"""Moves a week that a host can choose; 0 is live."""
MOST_OFFERED, MOST_WAITING = 5, 20
"""Open tables that a person may offer, and at which a person may wait."""
MOST_OPEN = 5_000
"""Open tables of the whole server."""
LATER = 3600
"""Seconds after which who has too many may ask again."""
TRIES = 8  # while others sit down and leave at the same moment
PLACEHOLDERS = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Fritz", "Gerda", "Hans")
"""Names with which a game is set up to see whether it can be."""


class NewOpenTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An open table as it is asked for; `name` is the host's at the table, the account's where it is left out.

    `least` and `most` are numbers of players, the host among them; `pace` in moves a week, 0 for live; `language` empty for
    any; `accounts`: only people with an account may sit down; not `listed`: its address alone leads to it.
    `component_set`: as of a new table.
    """

    game: str
    least: int
    most: int
    options: dict[str, Any] = {}
    pace: Annotated[int, msgspec.Meta(ge=0, le=200)] = 0
    language: Literal["", "de", "en"] = ""
    sentence: str = ""
    listed: bool = True
    accounts: bool = False
    name: str = ""
    component_set: str = ""


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who wants to sit down, by the name they will have at the table; the account's where it is left out."""

    name: str = ""


class Dismissal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player whom the host does not want at the table."""

    name: str


Found = tuple[OpenTable, tuple[OpenSeat, ...]]


@dataclass(frozen=True, slots=True)
class Lobby:
    """The use cases of open tables. Synchronous; the web calls them in threads."""

    table: TableService
    begun: Callable[[str], None] = field(default=lambda _game: None)
    """Called with the table of a game that has begun."""

    def find(self, id_: str) -> Found:
        """An open table and who sits there. Raises `DeniedError` 404 `open_gone`."""
        found = open_tables.find(self.table.store, id_)
        if found is None:
            raise DeniedError(404, "open_gone")
        return found

    def offer(self, wanted: NewOpenTable, known: Person | None, host: Callable[[], Person], language: str) -> OpenTable:
        """Offer a table at which the host sits. Who the `host` is, is asked once the game can be set up."""
        row = self.checked(wanted, known.id if known is not None else "")
        name = checked_players((wanted.name or (known.name if known is not None else ""),))[0]
        self.admit(known, accounts=wanted.accounts)
        if not self.table.store.has_room():
            raise DeniedError(503, "disk_low", retry_after=600)
        offered, waits, everything = open_tables.counts(self.table.store, known.id if known is not None else "")
        if offered >= MOST_OFFERED or waits >= MOST_WAITING or everything >= MOST_OPEN:
            raise DeniedError(429, "too_many_open", {"number": str(MOST_OFFERED)}, retry_after=LATER)
        person = host()
        row = msgspec.structs.replace(row, host=person.id)
        seat = OpenSeat(open_table=row.id, person=person.id, name=name, language=language)
        open_tables.add(self.table.store, row, seat)
        return row

    def checked(self, wanted: NewOpenTable, person: str = "") -> OpenTable:
        """A person's open table that can become a game with any number of players that it names. Raises `UnreadableError`."""
        if not 2 <= wanted.least <= wanted.most <= len(PLACEHOLDERS):
            raise UnreadableError("from two players on, and no fewer at most than at least", "$.least", "open_numbers")
        for count in range(wanted.least, wanted.most + 1):
            asked = NewTable(wanted.game, PLACEHOLDERS[:count], wanted.options, component_set=wanted.component_set)
            game, _ = self.table.checked(asked, person)
        own = set_of(game.ruleset.sheet) if wanted.component_set else None
        try:
            sentence = checked_sentence(wanted.sentence)
        except TextError as fault:
            raise UnreadableError(str(fault), "$.sentence", fault.code) from fault
        return OpenTable(
            id="".join(secrets.choice(NAMES) for _ in range(ID_LENGTH)),
            title=game.title.id,
            options=msgspec.json.encode(wanted.options).decode(),
            least=wanted.least,
            most=wanted.most,
            pace=wanted.pace,
            language=wanted.language,
            sentence=sentence,
            listed=wanted.listed,
            accounts=wanted.accounts,
            host="",
            component_set="" if own is None else own.text,
            set_name="" if own is None else f"{own.name} {own.version}",
        )

    def admit(self, known: Person | None, *, accounts: bool) -> None:
        """Raises `DeniedError` 403 for somebody who is banned, or has no account where one is needed."""
        if known is not None and known.banned:
            raise DeniedError(403, "banned")
        if accounts and (known is None or not known.open):
            raise DeniedError(403, "needs_account")

    def sit(
        self, id_: str, wish: SeatWish, known: Person | None, someone: Callable[[], Person], language: str
    ) -> OpenTable:
        """Sit down; with the last seat the game begins. Who `someone` new is, is asked once they may. Answers the table."""
        for _ in range(TRIES):
            row, seated = self.find(id_)
            if known is not None and any(each.person == known.id for each in seated):
                return row
            self.admit(known, accounts=row.accounts)
            if row.game is not None:
                raise DeniedError(409, "open_started")
            if row.taken >= row.most:
                raise DeniedError(409, "open_full")
            wanted = wish.name or (known.name if known is not None else "")
            name = checked_players((*(each.name for each in seated), wanted))[-1]
            if known is not None and open_tables.counts(self.table.store, known.id)[1] >= MOST_WAITING:
                raise DeniedError(429, "too_many_open", {"number": str(MOST_WAITING)}, retry_after=LATER)
            person = known or someone()
            try:
                open_tables.sit(
                    self.table.store,
                    OpenSeat(open_table=id_, person=person.id, name=name, language=language),
                    row.revision,
                )
            except SeatTakenError as fault:
                if fault.code != "open_moved":
                    raise denial(fault) from fault
                known = person
                continue
            row, seated = self.find(id_)
            if row.taken >= row.most:
                self.begin(id_)
            return self.find(id_)[0]
        raise DeniedError(409, "open_full")

    def leave(self, id_: str, known: Person | None) -> None:
        """Leave before the start; where the host leaves, the table ends."""
        row, seated = self.find(id_)
        if known is None or not any(each.person == known.id for each in seated):
            raise DeniedError(403, "not_at_table")
        try:
            if known.id == row.host and row.game is None:
                open_tables.end(self.table.store, id_)
            else:
                open_tables.leave(self.table.store, id_, known.id)
        except SeatTakenError as fault:
            raise denial(fault) from fault

    def dismiss(self, id_: str, known: Person | None, name: str) -> None:
        """Let the host ask a player to leave. Raises `DeniedError` 403 `not_host`, 404 `no_seat`."""
        row, seated = self.hosted(id_, known)
        wanted = next((each for each in seated if likeness(each.name) == likeness(name)), None)
        if wanted is None or wanted.person == row.host:
            raise DeniedError(404, "no_seat")
        try:
            open_tables.leave(self.table.store, id_, wanted.person)
        except SeatTakenError as fault:
            raise denial(fault) from fault

    def hosted(self, id_: str, known: Person | None) -> Found:
        """An open table for what only its host may do. Raises `DeniedError` 403 `not_host`."""
        row, seated = self.find(id_)
        if known is None or known.id != row.host:
            raise DeniedError(403, "not_host")
        return row, seated

    def start(self, id_: str, known: Person | None) -> str:
        """Begin the game, as the host says; answers its name. Raises `DeniedError` 409 `open_few` below the least number."""
        row, _ = self.hosted(id_, known)
        if row.game is None and row.taken < row.least:
            raise DeniedError(409, "open_few", {"number": str(row.least)})
        return self.begin(id_)

    def begin(self, id_: str) -> str:
        """Make the game of those who sit there, once: each holds a seat. Answers its name."""
        store = self.table.store
        for _ in range(TRIES):
            row, seated = self.find(id_)
            if row.game is not None:
                return row.game
            if len(seated) < row.least:
                raise DeniedError(409, "open_few", {"number": str(row.least)})
            names = tuple(each.name for each in seated)
            host = next((each.name for each in seated if each.person == row.host), names[0])
            options = msgspec.json.decode(row.options, type=dict[str, Any])
            wanted = NewTable(row.title, names, options, friends=True, you=host, component_set=row.component_set)
            made = self.table.open(wanted, partial(str, row.host))
            by_name = {each.name: each for each in seated}
            for seat, (name, _token) in made.seats.items():
                sitting = by_name[name]
                seats.hold(store, made.id, seat, sitting.person, sitting.language)
            if open_tables.begin(store, row, made.id):
                self.table.cache.invalidate(made.id)
                self.begun(made.id)
                return made.id
            delete_table(store, made.id)
            self.table.cache.forget(made.id)
        raise DeniedError(409, "open_few", {"number": str(row.least)})


def denial(fault: SeatTakenError) -> DeniedError:
    """Return what is answered to somebody who came too late."""
    return DeniedError(404 if fault.code == "open_gone" else 409, fault.code)
