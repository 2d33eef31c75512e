"""The sidebar of a player: talk, comments, instructions in advance, notes, notices, the clock.

All of it belongs to a seat. Nobody is shown another's instructions, notes or addresses; somebody who watches reads the talk,
the comments and the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import msgspec

from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.state import Seat
from trajekt.engine.title import Title
from trajekt.game import Game
from trajekt.i18n.sentences import LANGUAGES, Catalogue, Speaker, refusal_line
from trajekt.round_label import Round
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.call_settings import QuietTimes, quiet_times
from trajekt.server.presenters.clock import ClockPanel, clock_panel
from trajekt.server.presenters.game_log import entry_text, round_name, rounds_of
from trajekt.server.presenters.order_tasks import TaskForms, task_forms, task_list_sentence
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.position_view import speaker_of
from trajekt.server.presenters.study import StudyPart, study_part
from trajekt.server.services import standing_orders
from trajekt.server.services.membership import may_set_clock, own_seat
from trajekt.server.services.table_service import TableService
from trajekt.server.storage import chat, contacts, notes
from trajekt.server.storage import standing_orders as standing_order_store
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.contacts import Contact
from trajekt.server.storage.seats import assignments_of
from trajekt.server.storage.standing_orders import (
    Buy,
    DiscardFirst,
    Given,
    PassSteps,
    PassUntil,
    StoredOrder,
    TaskList,
)

Named: TypeAlias = tuple[str, str]
"""A thing as the form sends it, and its name."""


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


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An instruction in words; `ended` says why it holds no more, empty while it does."""

    id: int
    text: str
    ended: str


@dataclass(frozen=True, slots=True)
class Certificates:
    """A certificate that may be bought in advance: its words, what the form sends, what it costs now in Mark."""

    label: str
    value: str
    price: int


@dataclass(frozen=True, slots=True)
class PassableSteps:
    """Companies of a player whose turns have the same steps, and the steps that may be passed in advance."""

    companies: Sequence[Named]
    steps: Sequence[Named]


@dataclass(frozen=True, slots=True)
class HeldTrain:
    """A train of a company that the player directs, with both named."""

    company: CompanyId
    train: TrainKind
    label: str


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


@dataclass(frozen=True, slots=True)
class MutePage(PageModel):
    """The page that asks whether letters about a player's seat are to end; `token` is that of the letter."""

    template: ClassVar[str] = "mute.html"
    id: str
    token: str
    title: Title
    player: str


@dataclass(frozen=True, slots=True)
class MailPage(PageModel):
    """The page that asks whether letters may come to an address; `token` is that of the letter."""

    template: ClassVar[str] = "mail.html"
    id: str
    token: str
    title: Title
    address: str


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
        clock=clock_panel(table, cached, speaker),
        may_set_clock=may_set_clock(table, cached, viewer) and not game.finished,
        finished=game.finished,
        own=None if seat is None else seat_part(table, cached, game, seat, speaker, viewer.person, friends=friends),
        study=study_part(table, cached, game, viewer, speaker),
        mails=mails,
    )


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


def order_sentence(given: Given, game: Game, speaker: Speaker) -> str:
    """Return what an instruction will do and when it ends."""
    say, order = speaker.catalogue, given.order
    where = round_name(Round.read(given.round), say)
    if given.frame and given.frame != standing_orders.TRADE and f"page.order.frame.{given.frame}" in say:
        where = say.text(f"page.order.frame.{given.frame}")
    match order:
        case PassUntil():
            return say.text(f"page.order.pass_until.{order.until}", round=where)
        case Buy():
            return say.text(
                f"page.order.buy.{order.until}",
                round=where,
                company=speaker.company(order.company),
                percent=order.percent,
                source=say.text(f"page.order.from.{order.source}"),
                most=say.money(order.most),
            )
        case PassSteps():
            steps = ", ".join(step_name(step, speaker) for step in order.steps)
            return say.text("page.order.pass_steps", company=speaker.company(order.company), steps=steps)
        case DiscardFirst():
            trains = ", ".join(speaker.train(train) for train in order.trains)
            return say.text("page.order.discard_first", company=speaker.company(order.company), trains=trains)
        case TaskList():
            return task_list_sentence(order, game, speaker)


def step_name(step: str, speaker: Speaker) -> str:
    """A step of a company's turn."""
    known = f"page.step.{step}"
    return speaker.catalogue.text(known) if known in speaker.catalogue else step


def order_end(kept: StoredOrder, game: Game, speaker: Speaker) -> str:
    """Return why an instruction has ended, and by which action; empty while it holds."""
    if not kept.ended:
        return ""
    action = ""
    if 0 < kept.entry <= game.number:
        action = entry_text(game, game.entries[kept.entry - 1], speaker)[0]
    if kept.refusal is not None:
        return speaker.catalogue.text("page.order.ended.refused", refusal=refusal_line(speaker, kept.refusal))
    reason = "impossible" if kept.ended == "refused" else kept.ended
    return speaker.catalogue.text(f"page.order.ended.{reason}", action=action)


def to_buy(game: Game, speaker: Speaker) -> list[Certificates]:
    """Return what lies in the offerings now, for the form."""
    say, state = speaker.catalogue, game.state
    found = []
    for company in state.companies:
        for source, percent in standing_orders.offered(state, company):
            price = state.price(company) * percent // max(state.sheet.companies[company].share, 1)
            where = say.text(f"page.order.from.{source}")
            label = f"{speaker.company(company)} {percent}\u202f% {where} · {say.money(price)}"
            found.append(
                Certificates(
                    label,
                    msgspec.json.encode({"company": company, "source": source, "percent": percent}).decode(),
                    price,
                )
            )
    return found


def steps_to_pass(game: Game, seat: int, speaker: Speaker) -> list[PassableSteps]:
    """Group the companies of a player by the steps that may be passed, for the form."""
    groups: dict[tuple[str, ...], list[Named]] = {}
    for company in standing_orders.in_turns(game, seat):
        groups.setdefault(standing_orders.passable_steps(game, company), []).append((company, speaker.company(company)))
    return [
        PassableSteps(companies, [(step, step_name(step, speaker)) for step in steps])
        for steps, companies in groups.items()
        if steps
    ]
