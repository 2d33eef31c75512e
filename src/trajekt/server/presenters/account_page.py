"""The page of a person: all their tables, and the account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from trajekt.server.accounts.accounts import Accounts, Person
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.lobby_page import LobbyLine, line_of
from trajekt.server.presenters.notification_settings import QuietTimes, quiet_times
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.table_list import TableLine, table_line
from trajekt.server.services.table_service import TableService
from trajekt.server.storage import accounts as account_rows
from trajekt.server.storage import open_tables
from trajekt.server.storage.accounts import Device

SHOWN_FINISHED = 50  # finished tables on the page
UNKNOWN_AT_ONCE = 20  # tables of earlier versions that are read to see whom they await


@dataclass(frozen=True, slots=True)
class AccountPage(PageModel):
    """A person's tables, account and signed-in devices; `person` is None for somebody unknown."""

    template: ClassVar[str] = "account.html"
    person: Person | None
    tables: Sequence[TableLine] = ()
    devices: Sequence[Device] = ()
    open_tables: Sequence[LobbyLine] = ()
    """Open tables at which the person waits for others."""
    quiet: QuietTimes | None = None


@dataclass(frozen=True, slots=True)
class SignInPage(PageModel):
    """The page to which a link for signing in leads."""

    template: ClassVar[str] = "sign_in.html"


def account_page(
    table: TableService, accounts: Accounts, viewer: Viewer, known: Person | None, cookie: str = ""
) -> AccountPage:
    """The tables of a person: those at which they are awaited, longest first, then other running ones, then finished ones."""
    if known is None:
        return AccountPage(None)
    running, unknown = [], 0
    for row, seats in account_rows.tables_of(table.store, known.id, finished=False):
        awaited = row.seats_awaited
        if awaited is None and unknown < UNKNOWN_AT_ONCE:
            unknown += 1
            awaited = tuple(table.cache.get(row.id).game.to_act)
        running.append((row, seats, any(seat in seats for seat in awaited or ())))
    waiting = sorted((each for each in running if each[2]), key=lambda each: each[0].changed)
    finished = account_rows.tables_of(table.store, known.id, finished=True, limit=SHOWN_FINISHED)
    found = [
        *waiting,
        *(each for each in running if not each[2]),
        *((row, seats, False) for row, seats in finished),
    ]
    say = viewer.catalogue()
    lines = [line for row, seats, turn in found if (line := table_line(row, say, seats, turn=turn)) is not None]
    waiting_for_others = (line_of(each, viewer) for each in open_tables.of_person(table.store, known.id))
    return AccountPage(
        known,
        lines,
        accounts.devices(known, cookie),
        [line for line in waiting_for_others if line is not None],
        quiet_times(table.store, known.id),
    )
