"""What players of a table with links do besides playing: sit down, hand a seat over, stand-ins, petitions, being present."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from trajekt.engine.state import Seat
from trajekt.game import Entry
from trajekt.server.accounts import consent_requests, passcodes, seats
from trajekt.server.accounts.consent_requests import Petition
from trajekt.server.accounts.denials import DeniedError
from trajekt.server.accounts.seats import HERE, WATCHING, Sitting, sitting_of
from trajekt.server.accounts.viewer import Reader
from trajekt.server.services.table_service import Table, programs_of
from trajekt.server.services.undo_policy import CONSENT
from trajekt.server.storage.game_cache import Hot, StaleSubmissionError

AWAY = 600.0  # seconds after which the others may ask for a stand-in
AWAY_FROM_ALL = 24 * 3600.0  # and where nobody is left to be asked
USUAL = "steady"
"""The program that stands in where nobody names another."""


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A petition as a page sends it: made at position `number`; `target` is the entry gone back to, or the seat concerned.

    `what` is the kind of program that is to stand in, empty for the usual one.
    """

    kind: str
    number: int
    target: int | None = None
    what: str = ""


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a petition: who asked may only say no, which withdraws it."""

    yes: bool


def seated_at(table: Table, hot: Hot) -> Sitting:
    """Who may sit where. Raises `DeniedError` 409 `one_screen` where nobody has a seat of their own."""
    sitting = sitting_of(table.store, hot)
    if not sitting.friends:
        raise DeniedError(409, "one_screen")
    return sitting


def sit_by_token(table: Table, hot: Hot, token: str, person: str, language: str) -> Seat:
    """Take the seat that a link opens, or watch. Raises `DeniedError` 403 `wrong_link`."""
    seat = seated_at(table, hot).opens(token)
    if seat is None:
        raise DeniedError(403, "wrong_link")
    seats.hold(table.store, hot.id, seat, person, language)
    table.live.changed(hot.id)
    return seat


def seat_by_name(table: Table, hot: Hot, name: str, passcode: str, address: str) -> Seat:
    """The seat of a player who is on another device. Raises `DeniedError` 403 `wrong_passcode`, 429 after many guesses."""
    sitting = seated_at(table, hot)
    wanted = " ".join(name.split()).casefold()
    names = hot.game.state.names
    seat = next((each for each in sitting.seats if names[each].casefold() == wanted), None)
    kept = None if seat is None else sitting.seats[seat].passcode_hash
    passcodes.check(table.store, f"seat {hot.id} {seat}", address, kept, passcode)
    assert seat is not None
    return seat


def sit_by_name(table: Table, hot: Hot, seat: Seat, person: str, language: str) -> None:
    """Take the seat whose passcode was right."""
    seats.hold(table.store, hot.id, seat, person, language)
    table.live.changed(hot.id)


def own(table: Table, hot: Hot, reader: Reader, seat: Seat) -> Sitting:
    """Who may sit where, for somebody who changes a seat of his. Raises `DeniedError` 403 `not_your_seat`."""
    sitting = seated_at(table, hot)
    if seat not in sitting.seats:
        raise DeniedError(404, "no_seat")
    if seat not in reader.seats:
        raise DeniedError(403, "not_your_seat", {"player": hot.game.state.names[seat]}, seat=seat)
    return sitting


def keep_passcode(table: Table, hot: Hot, reader: Reader, seat: Seat, passcode: str) -> None:
    """A passcode with which the seat is taken on another device; empty removes it."""
    own(table, hot, reader, seat)
    seats.change(table.store, hot.id, seat, passcode_hash=passcodes.hashed(passcode) if passcode else None)
    table.live.changed(hot.id)


def hand_over(table: Table, hot: Hot, reader: Reader, seat: Seat) -> str:
    """A new link to a seat; the old one and all who held it are out. Answers the token.

    The player himself may, the host while nobody has come, and who was given the others' consent. Who gives his seat away
    goes on watching.
    """
    sitting = seated_at(table, hot)
    if seat not in sitting.seats:
        raise DeniedError(404, "no_seat")
    if seat not in reader.seats:
        waiting = not sitting.held(seat) and reader.person != "" and reader.person == sitting.host
        if not waiting and not granted(table, hot, reader, seat):
            raise DeniedError(403, "not_your_seat", {"player": hot.game.state.names[seat]}, seat=seat)
    token = seats.new_link(table.store, hot.id, seat)
    if seat in reader.seats and reader.person:
        seats.hold(table.store, hot.id, WATCHING, reader.person)
    table.live.changed(hot.id)
    return token


def give_back(table: Table, hot: Hot, reader: Reader, seat: Seat) -> None:
    """Who has opened another's link by mistake holds that seat no longer; the link goes on to hold, he goes on watching."""
    own(table, hot, reader, seat)
    if not reader.person:
        raise DeniedError(403, "not_your_seat", {"player": hot.game.state.names[seat]}, seat=seat)
    seats.hold(table.store, hot.id, WATCHING, reader.person)
    seats.release(table.store, hot.id, seat, reader.person)
    table.live.changed(hot.id)


def watching_link(table: Table, hot: Hot, reader: Reader) -> str:
    """A new link to watch, for the host. Answers the token."""
    sitting = seated_at(table, hot)
    if not reader.person or reader.person != sitting.host:
        raise DeniedError(403, "not_host")
    token = seats.new_watching_link(table.store, hot.id)
    table.live.changed(hot.id)
    return token


def granted(table: Table, hot: Hot, reader: Reader, seat: Seat) -> bool:
    """Whether the others have agreed that this reader gets a new link to a seat; it holds once."""
    for each in consent_requests.petitions(table.store, hot.id, hot.game.number):
        agreed = each.outcome == consent_requests.AGREED and each.kind == consent_requests.SEAT
        if agreed and each.target == seat and each.seat in reader.seats:
            return consent_requests.settle(table.store, each, consent_requests.DONE, before=consent_requests.AGREED)
    return False


def lend(table: Table, hot: Hot, reader: Reader, seat: Seat, kind: str | None) -> None:
    """Let a program play for oneself, or be back."""
    own(table, hot, reader, seat)
    table.stand_in(hot, seat, kind)


def ask(table: Table, hot: Hot, reader: Reader, asked: Asked) -> Petition:
    """Ask the others. What needs nobody's consent is done at once."""
    seated_at(table, hot)
    if not reader.seats:
        raise DeniedError(403, "only_players")
    if asked.kind == consent_requests.UNDO:
        return ask_undo(table, hot, reader, asked)
    if asked.kind not in (consent_requests.STAND_IN, consent_requests.SEAT):
        raise DeniedError(400, "unreadable", {"detail": "kind"}, path="$.kind", detail="kind")
    return ask_seat(table, hot, reader, asked)


def ask_undo(table: Table, hot: Hot, reader: Reader, asked: Asked) -> Petition:
    """Ask those whose deeds would vanish. Raises `DeniedError` 409 `no_need` where the undo is free."""
    table.live.current(hot.id, asked.number)
    wanted = table.undo_to(hot, reader, asked.target)
    if wanted is None:
        raise DeniedError(422, "nothing_to_undo")
    if not wanted.asks:
        raise DeniedError(409, "no_need")
    made = consent_requests.ask(
        table.store,
        hot.id,
        consent_requests.UNDO,
        reader.seats[0],
        stands=asked.number,
        target=wanted.to,
        needs=wanted.asks,
    )
    table.live.changed(hot.id)
    return made


def ask_seat(table: Table, hot: Hot, reader: Reader, asked: Asked) -> Petition:
    """Ask for a stand-in or a new link. Raises `DeniedError` 409 `is_here` while the player was there a short time ago."""
    sitting, seat = seated_at(table, hot), asked.target
    if seat is None or seat not in sitting.seats:
        raise DeniedError(404, "no_seat")
    if seat in reader.seats:
        raise DeniedError(409, "no_need")
    needs = tuple(
        each
        for each in sitting.seats
        if each != seat and each not in reader.seats and each not in sitting.stand_ins and sitting.held(each)
    )
    stored = table.store.game(hot.id)
    seen = seats.looking(table.store, hot.id)[seat] or (stored.created if stored is not None else 0.0)
    if time.time() - seen < (AWAY if needs else AWAY_FROM_ALL):
        raise DeniedError(409, "is_here", {"player": hot.game.state.names[seat]})
    program = (asked.what or USUAL) if asked.kind == consent_requests.STAND_IN else ""
    if program:
        table.check_kind(program, "$.what")
    made = consent_requests.ask(
        table.store,
        hot.id,
        asked.kind,
        reader.seats[0],
        stands=hot.game.number,
        target=seat,
        needs=needs,
        what=program,
    )
    table.live.changed(hot.id)
    return made if needs else carried_out(table, hot, made)[0]


def reply(table: Table, hot: Hot, reader: Reader, number: int, said: Said) -> tuple[Petition, Entry | None]:
    """Consent to a petition, refuse or withdraw it; with the last consent it is carried out. Answers the undo, if one was."""
    petition = consent_requests.found(table.store, hot.id, number, hot.game.number)
    asker = petition.seat in reader.seats
    if not asker and not any(seat in petition.needs for seat in reader.seats):
        raise DeniedError(403, "not_asked")
    if not said.yes:
        outcome = consent_requests.WITHDRAWN if asker else consent_requests.REFUSED
        consent_requests.settle(table.store, petition, outcome)
        table.live.changed(hot.id)
        return msgspec.structs.replace(petition, outcome=outcome), None
    petition = consent_requests.consent(table.store, petition, reader.seats)
    table.live.changed(hot.id)
    return (petition, None) if petition.missing else carried_out(table, hot, petition)


def carried_out(table: Table, hot: Hot, petition: Petition) -> tuple[Petition, Entry | None]:
    """What everybody has agreed to."""
    entry, outcome = None, consent_requests.DONE
    if petition.kind == consent_requests.UNDO:
        try:
            entry = table.live.undo(hot.id, petition.stands, petition.target, petition.seat, CONSENT)
        except StaleSubmissionError as fault:
            raise DeniedError(409, "petition_over", outcome=consent_requests.LAPSED) from fault
    elif petition.kind == consent_requests.STAND_IN:
        table.stand_in(hot, petition.target, petition.what)
    else:
        outcome = consent_requests.AGREED
    consent_requests.settle(table.store, petition, outcome)
    table.live.changed(hot.id)
    return msgspec.structs.replace(petition, outcome=outcome), entry


def look(table: Table, hot: Hot, reader: Reader, here: bool) -> tuple[bool, list[Seat]]:
    """A player's page is open before his eyes, or is not any more. Answers whether that is news, and who is here."""
    now, known = time.time(), lookings(table, hot)
    before = present(known, now)
    if reader.seats:
        at = now if here else now - HERE
        stale = [seat for seat in reader.seats if not here or now - known.get(seat, 0.0) > HERE / 3]
        if stale:
            seats.looked(table.store, hot.id, tuple(stale), at)
            known |= dict.fromkeys(stale, at)  # in place: what is read once stays right
    after = present(known, now)
    return after != before, after


def lookings(table: Table, hot: Hot) -> dict[Seat, float]:
    """When each player last looked; read once a revision where no other process could have written it."""
    if table.store.shared:
        return seats.looking(table.store, hot.id)
    return hot.read("looking", lambda: seats.looking(table.store, hot.id))


def present(known: dict[Seat, float], now: float) -> list[Seat]:
    """The players whose page was open before their eyes a moment ago."""
    return sorted(seat for seat, at in known.items() if now - at < HERE)


def model(table: Table, hot: Hot, reader: Reader) -> dict[str, Any]:
    """The seats of a table as the page shows them; empty where everybody plays at one screen."""
    sitting = sitting_of(table.store, hot)
    if not sitting.friends:
        return {}
    now, known = time.time(), lookings(table, hot)
    here, programs, names = present(known, now), programs_of(table.store, hot), hot.game.state.names
    awaited = hot.game.to_act
    stored = hot.read("petitions", lambda: consent_requests.stored(table.store, hot.id))
    asked = [consent_requests.now(each, hot.game.number) for each in stored]
    return {
        "seats": [
            {
                "seat": seat,
                "name": name,
                "mine": seat in reader.seats,
                "program": seat in programs.seats,
                "stand_in": programs.stand_ins.get(seat, ""),
                "held": sitting.held(seat),
                "here": seat in here,
                "seen": known.get(seat, 0.0),
                "away": now - known.get(seat, 0.0) > AWAY,
                "awaited": seat in awaited,
                "passcode": seat in sitting.seats and sitting.seats[seat].passcode_hash is not None,
            }
            for seat, name in enumerate(names)
        ],
        "host": bool(reader.person) and reader.person == sitting.host,
        "petitions": [
            {
                "number": each.number,
                "kind": each.kind,
                "who": names[each.seat],
                "about": names[each.target] if each.kind != consent_requests.UNDO else "",
                "program": each.what,
                "to": each.target,
                "missing": [names[seat] for seat in each.missing],
                "lapses": each.lapses,
                "asker": each.seat in reader.seats,
                "asked": any(seat in each.missing for seat in reader.seats),
                "agreed": each.outcome == consent_requests.AGREED and each.seat in reader.seats,
                "target": each.target,
            }
            for each in asked
            if each.outcome == consent_requests.OPEN
            or (each.outcome == consent_requests.AGREED and each.seat in reader.seats)
        ],
    }
