"""The sidebar of a player: talk, instructions in advance, notes, notices, the clock. One sidebar, one set of routes.

All of it belongs to a seat. Nobody is shown another's instructions, notes or addresses; somebody who watches reads the talk
and the clock and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.engine.state import Seat
from trajekt.game import Game
from trajekt.i18n.sentences import LANGUAGES, Speaker
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.denials import DeniedError
from trajekt.server.http.requests import answer, body, html, no_body, server_of, threaded, viewer
from trajekt.server.notifications import notification_settings, webhook
from trajekt.server.presenters.clock import clock_panel
from trajekt.server.presenters.game_log import entry_text, round_name
from trajekt.server.presenters.table_page import speaker_of
from trajekt.server.services import standing_orders
from trajekt.server.services.table_service import TableService, read
from trajekt.server.storage import chat, clock_settings, contacts, notes
from trajekt.server.storage import standing_orders as standing_order_store
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.clock_settings import ClockSettings
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED
from trajekt.server.storage.seats import assignments_of
from trajekt.server.storage.standing_orders import AnyOrder, Buy, DiscardFirst, Given, PassSteps, PassUntil, StoredOrder

# Whose sidebar it is ------------------------------------------------------------------------------------------------------


def own_seat(table: TableService, cached: CachedGame, who: Viewer) -> Seat | None:
    """The seat whose sidebar a viewer opens: his own; None where he watches, or several play at one screen."""
    mine = table.seats(cached, who)
    if len(mine) > 1 and assignments_of(table.store, cached).friends:
        return next((seat for seat in cached.game.to_act if seat in mine), mine[0])
    return mine[0] if len(mine) == 1 else None


def needed(table: TableService, cached: CachedGame, who: Viewer) -> Seat:
    """Find the seat of somebody who changes something. Raises `DeniedError` 403 without a seat."""
    seat = own_seat(table, cached, who)
    if seat is None:
        raise DeniedError(403, "only_players")
    return seat


def may_set_clock(table: TableService, cached: CachedGame, who: Viewer) -> bool:
    """The host sets the clock of a table of friends, anybody that of one screen."""
    assignments = assignments_of(table.store, cached)
    return not assignments.friends or assignments.is_host(who.person, who.seats)


# Words -------------------------------------------------------------------------------------------------------------------


def order_sentence(given: Given, speaker: Speaker) -> str:
    """Return what an instruction will do and when it ends."""
    say, order = speaker.catalogue, given.order
    where = round_name(given.round, say)
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
    return speaker.catalogue.text(f"page.order.ended.{kept.ended}", action=action)


Named: TypeAlias = tuple[str, str]

# Models ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Certificates:
    """A certificate that may be bought in advance: its words, what the form sends, what it costs now in Mark."""

    label: str
    value: str
    price: int


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


def steps_to_pass(game: Game, seat: int, speaker: Speaker) -> list[tuple[list[Named], list[Named]]]:
    """For the form: the companies of a player that have the same steps, and these steps; each as what is sent and its name."""
    groups: dict[tuple[str, ...], list[Named]] = {}
    for company in standing_orders.in_turns(game, seat):
        groups.setdefault(standing_orders.passable_steps(game, company), []).append((company, speaker.company(company)))
    return [
        (companies, [(step, step_name(step, speaker)) for step in steps])
        for steps, companies in groups.items()
        if steps
    ]


def sidebar_model(table: TableService, cached: CachedGame, who: Viewer) -> dict[str, Any]:
    """The whole sidebar of a viewer."""
    store = table.store
    with cached.lock:
        game = cached.game.at(cached.game.number)
    speaker = speaker_of(cached, who)
    seat = own_seat(table, cached, who)
    friends = assignments_of(store, cached).friends
    model: dict[str, Any] = {
        "id": cached.id,
        "say": speaker.catalogue,
        "seat": seat,
        "friends": friends,
        "talk": [
            {
                "id": line.id,
                "name": speaker.seat(line.seat),
                "mine": line.seat == seat,
                "text": line.text,
                "time": line.time,
            }
            for line in (chat.lines(store, cached.id) if friends else ())
        ],
        "clock": clock_panel(table, cached, speaker),
        "may_set_clock": may_set_clock(table, cached, who) and not game.finished,
        "finished": game.finished,
    }
    if seat is None:
        return model
    state = game.state
    directed = state.directed_companies(seat)
    reach = contacts.contact_info(store, cached.id, seat) if friends else None
    model |= {
        "orders": [
            {
                "id": kept.id,
                "text": order_sentence(kept.given, speaker),
                "ended": order_end(kept, game, speaker),
            }
            for kept in standing_order_store.of_seat(store, cached.id, seat)
        ],
        "awaited": seat in game.to_act,
        "buys": to_buy(game, speaker),
        "turns": steps_to_pass(game, seat, speaker),
        "trains": [
            (company, train, f"{speaker.company(company)}: {speaker.train(train)}")
            for company in directed
            for train in dict.fromkeys(state.companies[company].trains)
        ],
        "notes": notes.read(store, cached.id, seat),
        "contact": reach.contact if reach is not None else None,
        "unconfirmed": reach is not None and reach.contact.mail != "" and not reach.confirmed,
        "forms": webhook.FORMS,
        "languages": LANGUAGES,
    }
    return model


# Routes ------------------------------------------------------------------------------------------------------------------


class TextBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something said, or notes."""

    text: str


class NewOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An instruction that is given."""

    order: AnyOrder


class OrderRemoval(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An instruction to be put away."""

    id: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class ClockWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wish about the clock."""

    wish: Literal["pause", "on"]


class MailConsent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a reader: whether letters may come to an address."""

    yes: bool


class ClockChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clock for the table, or none."""

    clock: ClockSettings | None = None


async def sidebar(request: Request) -> Response:
    """The sidebar, to be morphed in."""
    server, who = server_of(request), viewer(request)
    cached = await threaded(server.table.cache.get, request.path_params["id"])
    model = await threaded(sidebar_model, server.table, cached, who)
    return html(request, "sidebar.html", model | {"mails": server.worker.work.sending.post is not None})


async def change_sidebar(
    request: Request, work: Callable[[TableService, CachedGame, Viewer, bytes], None], *, wakes: bool = False
) -> Response:
    """Change something beside the board, tell the pages that have the table open."""
    data, id_, who, server = await body(request), request.path_params["id"], viewer(request), server_of(request)

    def done() -> None:
        work(server.table, server.table.cache.get(id_), who, data)
        server.table.cache.invalidate(id_)

    await threaded(done)
    server.subscriptions.publish(id_, 0, SIDEBAR_CHANGED)
    if wakes:
        server.worker.wake()
    return answer({"done": True})


def _give(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    order = read(data, NewOrder).order
    with cached.lock:
        game = cached.game.at(cached.game.number)
    standing_order_store.keep(table.store, cached.id, standing_orders.give(game, needed(table, cached, who), order))


async def give_order(request: Request) -> Response:
    """Leave an instruction."""
    return await change_sidebar(request, _give, wakes=True)


def _put_away(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    standing_order_store.put_away(table.store, cached.id, needed(table, cached, who), read(data, OrderRemoval).id)


async def put_order_away(request: Request) -> Response:
    """Withdraw an instruction, or take an ended one out of sight."""
    return await change_sidebar(request, _put_away)


def _say(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    chat.say(table.store, cached.id, needed(table, cached, who), read(data, TextBody).text)


async def say(request: Request) -> Response:
    """Say something to all at the table."""
    return await change_sidebar(request, _say)


async def write_notes(request: Request) -> Response:
    """Keep a player's own notes; nobody else's page is touched."""
    data, id_, who, table = await body(request), request.path_params["id"], viewer(request), server_of(request).table

    def done() -> None:
        notes.write(table.store, id_, needed(table, table.cache.get(id_), who), read(data, TextBody).text)

    await threaded(done)
    return answer({"done": True})


async def leave_contact(request: Request) -> Response:
    """Show how a player wants to be told when he is away."""
    now = server_of(request).worker.work.clock()

    def leave(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
        seat = needed(table, cached, who)
        if not assignments_of(table.store, cached).friends:
            raise DeniedError(409, "one_screen")
        contacts.leave(
            table.store,
            cached.id,
            seat,
            notification_settings.checked(read(data, contacts.Contact)),
            now,
        )

    return await change_sidebar(request, leave, wakes=True)


def _set_clock(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    if not may_set_clock(table, cached, who):
        raise DeniedError(403, "only_host")
    clock_settings.set_clock(table.store, cached.id, read(data, ClockChoice).clock)


async def set_clock(request: Request) -> Response:
    """Give the table a clock, change it, take it away."""
    return await change_sidebar(request, _set_clock)


def _wish(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    mine = table.seats(cached, who)
    if not mine:
        raise DeniedError(403, "only_players")
    if clock_settings.clock_of(table.store, cached) is None:
        raise DeniedError(409, "no_clock")
    clock_settings.wish(table.store, cached.id, mine, read(data, ClockWish).wish)


async def wish_clock(request: Request) -> Response:
    """Vote for the clock to pause, or to go on."""
    return await change_sidebar(request, _wish)


async def quiet(request: Request) -> Response:
    """The page that ends letters: it asks first, since mail viewers open every address."""
    server, id_, token = server_of(request), request.path_params["id"], request.path_params["token"]
    seat = await threaded(notification_settings.quiet_seat, server.accounts, id_, token)
    cached = await threaded(server.table.cache.get, id_)
    return html(
        request,
        "mute.html",
        {"id": id_, "token": token, "player": cached.game.state.names[seat], "title": cached.game.title},
    )


async def silence(request: Request) -> Response:
    """No more letters about a seat."""
    await no_body(request)
    server, id_ = server_of(request), request.path_params["id"]
    seat = await threaded(notification_settings.quiet_seat, server.accounts, id_, request.path_params["token"])
    await threaded(contacts.silence, server.table.store, id_, seat)
    await threaded(server.table.cache.invalidate, id_)
    server.subscriptions.publish(id_, 0, SIDEBAR_CHANGED)
    return answer({"done": True})


async def mail_page(request: Request) -> Response:
    """The page to which the first letter leads: it asks, since mail viewers open every address."""
    server, id_, token = server_of(request), request.path_params["id"], request.path_params["token"]
    _, address = await threaded(notification_settings.mail_asked, server.accounts, id_, token)
    cached = await threaded(server.table.cache.get, id_)
    return html(request, "mail.html", {"id": id_, "token": token, "address": address, "title": cached.game.title})


async def mail_answer(request: Request) -> Response:
    """Letters may come to an address, or never."""
    sent: MailConsent = read(await body(request), MailConsent)
    server, id_ = server_of(request), request.path_params["id"]
    seat, address = await threaded(notification_settings.mail_asked, server.accounts, id_, request.path_params["token"])
    work = contacts.agree if sent.yes else contacts.refuse
    await threaded(work, server.table.store, id_, seat, address)
    await threaded(server.table.cache.invalidate, id_)
    server.subscriptions.publish(id_, 0, SIDEBAR_CHANGED)
    return answer({"done": True})


ROUTES = [
    Route("/t/{id}/beside", sidebar),
    Route("/t/{id}/orders", give_order, methods=["POST"]),
    Route("/t/{id}/orders/away", put_order_away, methods=["POST"]),
    Route("/t/{id}/talk", say, methods=["POST"]),
    Route("/t/{id}/notes", write_notes, methods=["POST"]),
    Route("/t/{id}/contact", leave_contact, methods=["POST"]),
    Route("/t/{id}/clock", set_clock, methods=["POST"]),
    Route("/t/{id}/clock/wish", wish_clock, methods=["POST"]),
]
"""For those who are admitted to the table."""

OPEN_ROUTES = [
    Route("/quiet/{id}/{token}", quiet),
    Route("/quiet/{id}/{token}", silence, methods=["POST"]),
    Route("/mail/{id}/{token}", mail_page),
    Route("/mail/{id}/{token}", mail_answer, methods=["POST"]),
]
"""For whoever has got a letter."""
