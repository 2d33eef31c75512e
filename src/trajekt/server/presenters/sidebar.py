"""The sidebar of a player: talk, comments, instructions in advance, notes, notices, the clock.

All of it belongs to a seat. Nobody is shown another's instructions, notes or addresses; somebody who watches reads the talk,
the comments and the clock.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from trajekt.engine.state import Seat
from trajekt.game import Game
from trajekt.i18n.sentences import LANGUAGES, Catalogue, Speaker
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.chat import TalkLine, talk_lines
from trajekt.server.presenters.clock import ClockPanel, clock_panel
from trajekt.server.presenters.comments import StudyPart, study_part
from trajekt.server.presenters.notification_settings import QuietTimes, quiet_times
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.position_view import speaker_of
from trajekt.server.presenters.standing_order_tasks import TaskForms, task_forms
from trajekt.server.presenters.standing_orders import (
    Certificates,
    HeldTrain,
    OrderLine,
    PassableSteps,
    order_end,
    order_sentence,
    steps_to_pass,
    to_buy,
)
from trajekt.server.services.seats import may_set_clock, own_seat
from trajekt.server.services.table_service import TableService
from trajekt.server.storage import contacts, notes
from trajekt.server.storage import standing_orders as standing_order_store
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.contacts import Contact
from trajekt.server.storage.seats import assignments_of


@dataclass(frozen=True, slots=True)
class SeatPart:
    """All that belongs to the player of a seat. `contact` is None at one screen; `awaited`: the player is to act."""

    orders: Sequence[OrderLine]
    awaited: bool
    buys: Sequence[Certificates]
    turns: Sequence[PassableSteps]
    trains: Sequence[HeldTrain]
    tasks: TaskForms
    notes: str
    contact: Contact | None
    unconfirmed: bool
    quiet: QuietTimes | None


@dataclass(frozen=True, slots=True)
class Sidebar(PageModel):
    """The sidebar as a viewer sees it: `own` is None for whoever has no seat, `mails` tells whether letters can be sent."""

    template: ClassVar[str] = "sidebar.html"
    id: str
    say: Catalogue
    seat: Seat | None
    friends: bool
    talk: Sequence[TalkLine]
    talk_kept: bool
    """The talk goes into the record, since all have agreed."""
    clock: ClockPanel | None
    may_set_clock: bool
    finished: bool
    own: SeatPart | None
    study: StudyPart | None
    mails: bool
    forms: Sequence[str] = contacts.FORMS
    languages: Sequence[str] = LANGUAGES


def sidebar(table: TableService, cached: CachedGame, viewer: Viewer, *, mails: bool) -> Sidebar:
    """The whole sidebar of a viewer."""
    with cached.lock:
        game = cached.game.at(cached.game.number)
    speaker = speaker_of(cached, viewer)
    seat = own_seat(table, cached, viewer)
    friends = assignments_of(table.store, cached).friends
    return Sidebar(
        id=cached.id,
        say=speaker.catalogue,
        seat=seat,
        friends=friends,
        talk=talk_lines(table, cached, seat, speaker) if friends else (),
        talk_kept=bool((row := table.store.game(cached.id)) and row.talk_kept) if friends else False,
        clock=clock_panel(table, cached, speaker, time.time()),
        may_set_clock=may_set_clock(table, cached, viewer) and not game.finished,
        finished=game.finished,
        own=None if seat is None else seat_part(table, cached, game, seat, speaker, viewer.person, friends=friends),
        study=study_part(table, cached, game, viewer, speaker),
        mails=mails,
    )


def seat_part(
    table: TableService, cached: CachedGame, game: Game, seat: Seat, speaker: Speaker, person: str, *, friends: bool
) -> SeatPart:
    """The part of the sidebar that only the player of a seat is shown."""
    state = game.state
    reach = contacts.contact_info(table.store, cached.id, seat) if friends else None
    return SeatPart(
        orders=[
            OrderLine(kept.id, order_sentence(kept.given, game, speaker), order_end(kept, game, speaker))
            for kept in standing_order_store.of_seat(table.store, cached.id, seat)
        ],
        awaited=seat in game.to_act,
        buys=to_buy(game, speaker),
        turns=steps_to_pass(game, seat, speaker),
        trains=[
            HeldTrain(company, train, f"{speaker.company(company)}: {speaker.train(train)}")
            for company in state.directed_companies(seat)
            for train in dict.fromkeys(state.companies[company].trains)
        ],
        tasks=task_forms(game, seat, speaker),
        notes=notes.read(table.store, cached.id, seat),
        contact=reach.contact if reach is not None else None,
        unconfirmed=reach is not None and reach.contact.mail != "" and not reach.confirmed,
        quiet=quiet_times(table.store, person),
    )
