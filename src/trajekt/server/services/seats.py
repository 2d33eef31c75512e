"""Membership of a table with links: sit down, hand a seat over, stand-ins, consent requests."""

from __future__ import annotations

import time

import msgspec

from trajekt.engine.player_names import likeness
from trajekt.engine.state import Seat
from trajekt.game import Entry
from trajekt.server.accounts import passcodes
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.refusals import DeniedError
from trajekt.server.services.table_service import TableService, check_bot
from trajekt.server.storage import chat, consent_requests, seats
from trajekt.server.storage.cached_game import CachedGame, PerRevision
from trajekt.server.storage.consent_requests import ConsentRequest
from trajekt.server.storage.deletion import delete_table
from trajekt.server.storage.entry_makers import CONSENT
from trajekt.server.storage.game_cache import StaleSubmissionError
from trajekt.server.storage.seats import WATCHING, SeatAssignments, assignments_of
from trajekt.server.user_text import cleaned

OPEN_REQUESTS = PerRevision[list[ConsentRequest]]()
AWAY = 600.0  # seconds after which the others may ask for a stand-in
AWAY_FROM_ALL = 24 * 3600.0  # and where nobody is left to be asked
HOST_AWAY = 3 * 24 * 3600.0  # seconds after which the players may agree on another host
FOR_ALL = frozenset({consent_requests.HOST, consent_requests.DELETE, consent_requests.TALK})
USUAL = "caretaker"
"""The bot that stands in where nobody names another."""


class ConsentRequestBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request as a page sends it: made at position `number`; `target` is the entry gone back to, or the seat concerned.

    `what` is the kind of bot that is to stand in, empty for the usual one.
    """

    kind: str
    number: int
    target: int | None = None
    what: str = ""


class ConsentAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a request: who asked may only say no, which withdraws it."""

    yes: bool


def seated_at(table: TableService, cached: CachedGame) -> SeatAssignments:
    """Return who may sit where. Raises `DeniedError` 409 `one_screen` where nobody has a seat of their own."""
    assignments = assignments_of(table.store, cached)
    if not assignments.friends:
        raise DeniedError(409, "one_screen")
    return assignments


def sit_by_token(table: TableService, cached: CachedGame, token: str, person: str, language: str) -> Seat:
    """Take the seat that a link opens, or watch. Raises `DeniedError` 403 `wrong_link`."""
    seat = seated_at(table, cached).opens(token)
    if seat is None:
        raise DeniedError(403, "wrong_link")
    seats.hold(table.store, cached.id, seat, person, language)
    table.cache.invalidate(cached.id)
    return seat


def seat_by_name(table: TableService, cached: CachedGame, name: str, passcode: str, address: str) -> Seat:
    """The seat of a player who is on another device. Raises `DeniedError` 403 `wrong_passcode`, 429 after many guesses."""
    assignments = seated_at(table, cached)
    wanted = likeness(cleaned(name))
    names = cached.game.state.names
    seat = next((each for each in assignments.seats if likeness(names[each]) == wanted), None)
    kept = None if seat is None else assignments.seats[seat].passcode_hash
    passcodes.check(table.store, f"seat {cached.id} {seat}", address, kept, passcode)
    assert seat is not None
    return seat


def sit_by_name(table: TableService, cached: CachedGame, seat: Seat, person: str, language: str) -> None:
    """Take the seat whose passcode was right."""
    seats.hold(table.store, cached.id, seat, person, language)
    table.cache.invalidate(cached.id)


def own(table: TableService, cached: CachedGame, viewer: Viewer, seat: Seat) -> SeatAssignments:
    """Return who may sit where, for somebody who changes a seat of his. Raises `DeniedError` 403 `not_your_seat`."""
    assignments = seated_at(table, cached)
    if seat not in assignments.seats:
        raise DeniedError(404, "no_seat")
    if seat not in viewer.seats:
        raise DeniedError(403, "not_your_seat", {"player": cached.game.state.names[seat]}, seat=seat)
    return assignments


def keep_passcode(table: TableService, cached: CachedGame, viewer: Viewer, seat: Seat, passcode: str) -> None:
    """A passcode with which the seat is taken on another device; empty removes it."""
    own(table, cached, viewer, seat)
    seats.change(table.store, cached.id, seat, passcode_hash=passcodes.hashed(passcode) if passcode else None)
    table.cache.invalidate(cached.id)


def hand_over(table: TableService, cached: CachedGame, viewer: Viewer, seat: Seat) -> str:
    """A new link to a seat; the old one and all who held it are out. Answers the token.

    The player himself may, the host while nobody has come, and who was given the others' consent. Who gives his seat away
    goes on watching.
    """
    assignments = seated_at(table, cached)
    if seat not in assignments.seats:
        raise DeniedError(404, "no_seat")
    if seat not in viewer.seats:
        waiting = not assignments.held(seat) and assignments.is_host(viewer.person, viewer.seats)
        if not waiting and not granted(table, cached, viewer, seat):
            raise DeniedError(403, "not_your_seat", {"player": cached.game.state.names[seat]}, seat=seat)
    token = seats.new_link(table.store, cached.id, seat)
    if seat in viewer.seats and viewer.person:
        seats.hold(table.store, cached.id, WATCHING, viewer.person)
    table.cache.invalidate(cached.id)
    return token


def give_back(table: TableService, cached: CachedGame, viewer: Viewer, seat: Seat) -> None:
    """Give a seat back whose link was opened by mistake; the link goes on to hold, the viewer goes on watching."""
    own(table, cached, viewer, seat)
    if not viewer.person:
        raise DeniedError(403, "not_your_seat", {"player": cached.game.state.names[seat]}, seat=seat)
    seats.hold(table.store, cached.id, WATCHING, viewer.person)
    seats.release(table.store, cached.id, seat, viewer.person)
    table.cache.invalidate(cached.id)


def watching_link(table: TableService, cached: CachedGame, viewer: Viewer) -> str:
    """A new link to watch, for the host. Answers the token."""
    assignments = seated_at(table, cached)
    if not assignments.is_host(viewer.person, viewer.seats):
        raise DeniedError(403, "not_host")
    token = seats.new_watching_link(table.store, cached.id)
    table.cache.invalidate(cached.id)
    return token


def granted(table: TableService, cached: CachedGame, viewer: Viewer, seat: Seat) -> bool:
    """Tell whether the others have agreed that this viewer gets a new link to a seat; it holds once."""
    for each in consent_requests.current(table.store, cached.id, cached.game.number):
        agreed = each.outcome == consent_requests.AGREED and each.kind == consent_requests.SEAT
        if agreed and each.target == seat and each.seat in viewer.seats:
            return consent_requests.settle(table.store, each, consent_requests.DONE, before=consent_requests.AGREED)
    return False


def lend(table: TableService, cached: CachedGame, viewer: Viewer, seat: Seat, kind: str | None) -> None:
    """Let a bot play for oneself, or be back."""
    own(table, cached, viewer, seat)
    table.stand_in(cached, seat, kind)


def ask(table: TableService, cached: CachedGame, viewer: Viewer, asked: ConsentRequestBody) -> ConsentRequest:
    """Ask the others. What needs nobody's consent is done at once."""
    seated_at(table, cached)
    if not viewer.seats:
        raise DeniedError(403, "only_players")
    if asked.kind == consent_requests.UNDO:
        return ask_undo(table, cached, viewer, asked)
    if asked.kind in FOR_ALL:
        return ask_all(table, cached, viewer, asked.kind)
    if asked.kind not in consent_requests.ABOUT_A_SEAT:
        raise DeniedError(400, "unreadable", {"detail": "kind"}, path="$.kind", detail="kind")
    return ask_seat(table, cached, viewer, asked)


def ask_undo(table: TableService, cached: CachedGame, viewer: Viewer, asked: ConsentRequestBody) -> ConsentRequest:
    """Ask those whose actions would vanish. Raises `DeniedError` 409 `no_need` where the undo is free."""
    table.cache.current(cached.id, asked.number)
    wanted = table.undo_to(cached, viewer, asked.target)
    if wanted is None:
        raise DeniedError(422, "nothing_to_undo")
    if not wanted.asks:
        raise DeniedError(409, "no_need")
    made = consent_requests.ask(
        table.store,
        cached.id,
        consent_requests.UNDO,
        viewer.seats[0],
        stands=asked.number,
        target=wanted.to,
        needs=wanted.asks,
    )
    table.cache.invalidate(cached.id)
    return made


def ask_seat(table: TableService, cached: CachedGame, viewer: Viewer, asked: ConsentRequestBody) -> ConsentRequest:
    """Ask for a stand-in or a new link. Raises `DeniedError` 409 `is_here` while the player was there a short time ago."""
    assignments, seat = seated_at(table, cached), asked.target
    if seat is None or seat not in assignments.seats:
        raise DeniedError(404, "no_seat")
    if seat in viewer.seats:
        raise DeniedError(409, "no_need")
    needs = tuple(
        each
        for each in assignments.seats
        if each != seat and each not in viewer.seats and each not in assignments.stand_ins and assignments.held(each)
    )
    stored = table.store.game(cached.id)
    seen = seats.looking(table.store, cached.id)[seat] or (stored.created if stored is not None else 0.0)
    if time.time() - seen < (AWAY if needs else AWAY_FROM_ALL):
        raise DeniedError(409, "is_here", {"player": cached.game.state.names[seat]})
    bot = (asked.what or USUAL) if asked.kind == consent_requests.STAND_IN else ""
    if bot:
        check_bot(bot, "$.what")
    made = consent_requests.ask(
        table.store,
        cached.id,
        asked.kind,
        viewer.seats[0],
        stands=cached.game.number,
        target=seat,
        needs=needs,
        what=bot,
    )
    table.cache.invalidate(cached.id)
    return made if needs else carried_out(table, cached, made)[0]


def ask_all(table: TableService, cached: CachedGame, viewer: Viewer, kind: str) -> ConsentRequest:
    """Ask all other players for the right of the host, to delete the table, or to put the talk into its record.

    A host is followed once his seat was not looked at for `HOST_AWAY`; 409 `is_here` before, `no_need` for the host himself.
    To the others whoever holds a seat must agree, also where a bot stands in: no deletion is undone, and no word is unsaid.
    """
    assignments, seat = seated_at(table, cached), viewer.seats[0]
    others = [each for each in assignments.seats if each not in viewer.seats and assignments.held(each)]
    if kind == consent_requests.HOST:
        if assignments.is_host(viewer.person, viewer.seats):
            raise DeniedError(409, "no_need")
        host, stored = assignments.host_seat, table.store.game(cached.id)
        seen = 0.0 if host is None else seats.looking(table.store, cached.id).get(host, 0.0)
        if time.time() - (seen or (stored.created if stored is not None else 0.0)) < HOST_AWAY:
            player = cached.game.state.names[host] if host is not None else ""
            raise DeniedError(409, "host_is_here", {"player": player})
        others = [each for each in others if each != host and each not in assignments.stand_ins]
    if kind == consent_requests.TALK:
        spoke = chat.speakers(table.store, cached.id) - {*others, *viewer.seats}
        others = sorted({*others, *(each for each in assignments.seats if each in spoke)})
    made = consent_requests.ask(
        table.store, cached.id, kind, seat, stands=cached.game.number, target=seat, needs=tuple(others)
    )
    table.cache.invalidate(cached.id)
    return made if others else carried_out(table, cached, made)[0]


def reply(
    table: TableService, cached: CachedGame, viewer: Viewer, number: int, said: ConsentAnswer
) -> tuple[ConsentRequest, Entry | None]:
    """Consent to a request, refuse or withdraw it; with the last consent it is carried out. Answers the undo, if one was."""
    consent_request = consent_requests.found(table.store, cached.id, number, cached.game.number)
    asker = consent_request.seat in viewer.seats
    if not asker and not any(seat in consent_request.needs for seat in viewer.seats):
        raise DeniedError(403, "not_asked")
    if not said.yes:
        outcome = consent_requests.WITHDRAWN if asker else consent_requests.REFUSED
        consent_requests.settle(table.store, consent_request, outcome)
        table.cache.invalidate(cached.id)
        return msgspec.structs.replace(consent_request, outcome=outcome), None
    consent_request = consent_requests.consent(table.store, consent_request, viewer.seats)
    table.cache.invalidate(cached.id)
    return (consent_request, None) if consent_request.missing else carried_out(table, cached, consent_request)


def carried_out(
    table: TableService, cached: CachedGame, consent_request: ConsentRequest
) -> tuple[ConsentRequest, Entry | None]:
    """Return what everybody has agreed to."""
    entry, outcome = None, consent_requests.DONE
    if consent_request.kind == consent_requests.UNDO:
        try:
            entry = table.cache.undo(
                cached.id, consent_request.stands, consent_request.target, consent_request.seat, CONSENT
            )
        except StaleSubmissionError as fault:
            raise DeniedError(409, "consent_request_over", outcome=consent_requests.LAPSED) from fault
    elif consent_request.kind == consent_requests.STAND_IN:
        table.stand_in(cached, consent_request.target, consent_request.what)
    elif consent_request.kind == consent_requests.HOST:
        seats.make_host(table.store, cached.id, consent_request.target)
    elif consent_request.kind == consent_requests.TALK:
        chat.keep_in_record(table.store, cached.id, kept=True)
    elif consent_request.kind == consent_requests.DELETE:
        delete_table(table.store, cached.id)
        table.cache.forget(cached.id)
        return msgspec.structs.replace(consent_request, outcome=outcome), None
    else:
        outcome = consent_requests.AGREED
    consent_requests.settle(table.store, consent_request, outcome)
    table.cache.invalidate(cached.id)
    return msgspec.structs.replace(consent_request, outcome=outcome), entry


def own_seat(table: TableService, cached: CachedGame, who: Viewer) -> Seat | None:
    """The seat whose sidebar a viewer opens: his own; None where he watches, or several play at one screen."""
    mine = table.seats(cached, who)
    if len(mine) > 1 and assignments_of(table.store, cached).friends:
        return next((seat for seat in cached.game.to_act if seat in mine), mine[0])
    return mine[0] if len(mine) == 1 else None


def needed_seat(table: TableService, cached: CachedGame, who: Viewer) -> Seat:
    """Find the seat of somebody who changes something beside the board. Raises `DeniedError` 403 without a seat."""
    seat = own_seat(table, cached, who)
    if seat is None:
        raise DeniedError(403, "only_players")
    return seat


def may_set_clock(table: TableService, cached: CachedGame, who: Viewer) -> bool:
    """The host sets the clock of a table of friends, anybody that of one screen."""
    assignments = assignments_of(table.store, cached)
    return not assignments.friends or assignments.is_host(who.person, who.seats)


def open_requests(table: TableService, cached: CachedGame) -> list[ConsentRequest]:
    """The requests of a table that are open or agreed as they stand now, read once a revision."""
    stored = OPEN_REQUESTS.get(cached, lambda: consent_requests.stored(table.store, cached.id))
    return [consent_requests.now(each, cached.game.number) for each in stored]
