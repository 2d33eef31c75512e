"""Things put on the table by hand, without the rules: on a board to plan on, and where a position is set up.

A placement becomes events that move what the box holds, so the books balance; `against` says what the rules would refuse.
Nothing here decides an action of a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec.structs import replace

from trajekt.engine.actions import BuyShare
from trajekt.engine.agenda import run
from trajekt.engine.board.board import HexContents, Station
from trajekt.engine.board.upgrades import UpgradeFault, check_upgrade, stop_mapping
from trajekt.engine.components.schema import CompanyId, Face, HexId, Sheet
from trajekt.engine.decisions import fold, start
from trajekt.engine.events import (
    Bankrupted,
    CertificateMoved,
    DebtSet,
    DirectorChanged,
    Event,
    FlagSet,
    FrameRemoved,
    LoanTaken,
    NumberDrawn,
    Paid,
    ParSet,
    PhaseBegan,
    PriceMoved,
    PriorityMoved,
    PrivateClosed,
    PrivateMoved,
    PrivateUsed,
    StationPlaced,
    StationsSet,
    StatusSet,
    TileLaid,
    TokensSet,
    TopReplaced,
    TrainMoved,
)
from trajekt.engine.ruleset import Code, Draft, Refusal, Ruleset, refuse
from trajekt.engine.state import BANK, CHARTER, DISPLAY, IPO, POOL, Account, State
from trajekt.rules.directorship import directors_certificate
from trajekt.rules.floating import in_game, no_par, set_par, unsold_to
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stations import turn_up_homes
from trajekt.rules.stock_round import StockRound

CAUSE, PLACED = "set_up", "placed"
BY_HAND = FlagSet("by_hand", "yes")
"""The event that begins what was set up by hand, behind the set-up of the game itself."""
MOST_EVENTS, MOST_ROUNDS = 2_000, 60
"""Events of a position that was set up by hand, and rounds that lie before it, at most."""
Word: TypeAlias = Annotated[str, msgspec.Meta(max_length=40)]


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="place", tag=True):
    """The common base that gives every placement its tag."""


class TilePut(Placement, frozen=True, tag="tile"):
    """A tile on a hex, turned by `turn` sixths of a circle."""

    hex: Word
    tile: Word
    rotation: Annotated[int, msgspec.Meta(ge=0, le=5)] = msgspec.field(default=0, name="turn")


class StationPut(Placement, frozen=True, tag="station"):
    """The cheapest unused token of a company on a stop of a hex (`a`, `b`, ...)."""

    hex: Word
    company: Word
    stop: Word = "a"


class TrainGiven(Placement, frozen=True, tag="train"):
    """A train from the display, or the pool, to a company, for nothing."""

    company: Word
    train: Word


class TurnGiven(Placement, frozen=True, tag="turn"):
    """The turn of a company, whoever is on turn: a turn that is on is left."""

    company: Word


class PhaseSet(Placement, frozen=True, tag="phase"):
    """A phase of the game, with nothing of what follows when it begins in play."""

    phase: Word


class MoneySet(Placement, frozen=True, tag="money"):
    """The cash of a player, by the number of the seat, or the treasury of a company: so many Mark, from and to the bank."""

    account: Word
    amount: Annotated[int, msgspec.Meta(ge=0, le=99_999)]


class ShareGiven(Placement, frozen=True, tag="share"):
    """A certificate of a founded company, of so many per cent and not the director's, to a player, for nothing.

    It comes from where it can be bought; where none lies there, from another player.
    """

    company: Word
    seat: Annotated[int, msgspec.Meta(ge=0, le=9)]
    percent: Annotated[int, msgspec.Meta(ge=5, le=100)] = 10


class FoundedByHand(Placement, frozen=True, tag="found"):
    """A company that nobody founded yet: `seat` gets its director's certificate for nothing, it floats without money.

    Its marker comes to lie on the space of `par`, in Mark; 0 where the game has no pars.
    """

    company: Word
    seat: Annotated[int, msgspec.Meta(ge=0, le=9)]
    par: Annotated[int, msgspec.Meta(ge=0, le=999)] = 0


AnyPlacement: TypeAlias = (
    TilePut | StationPut | TrainGiven | TurnGiven | PhaseSet | MoneySet | ShareGiven | FoundedByHand
)


def arrange(ruleset: Ruleset, state: State, placement: AnyPlacement) -> Draft | Refusal:
    """Return a draft with the placement and its events; a refusal only where the box holds no such thing or no such place."""
    draft = Draft(ruleset, state)
    match placement:
        case TilePut():
            return _put_tile(draft, placement)
        case StationPut():
            return _put_station(draft, placement)
        case TrainGiven():
            return _give_train(draft, placement)
        case TurnGiven():
            return _give_turn(draft, placement)
        case PhaseSet():
            if placement.phase not in draft.sheet.phase_by_name:
                return refuse(Code.NOT_IN_RULESET)
            draft.emit(PhaseBegan(placement.phase))
            return draft
        case MoneySet():
            return _set_money(draft, placement)
        case ShareGiven():
            return _give_share(draft, placement)
        case FoundedByHand():
            return _found(draft, placement)


def _put_tile(draft: Draft, put: TilePut) -> Draft | Refusal:
    at, tile, sheet, state = put.hex, put.tile, draft.sheet, draft.state
    if at not in sheet.hexes:
        return refuse(Code.NO_SUCH_HEX, "COMMON-TRK-04", hex=at)
    if tile not in sheet.tiles or (tile, put.rotation) not in sheet.rotated:
        return refuse(Code.NOT_IN_RULESET, "COMMON-TRK-03", tile=tile)
    if state.supply[tile] <= 0 and state.board.contents(at).tile != tile:
        return refuse(Code.NO_TILE_LEFT, "COMMON-TRK-03", tile=tile)
    contents, old, new = state.board.contents(at), state.board.face(at), sheet.rotated[tile, put.rotation]
    if contents.stations and not new.stops:
        return refuse(Code.NO_PLACE, "COMMON-TRK-15", hex=at, tile=tile)
    carried = _carried(contents, old, new)
    draft.emit(TileLaid(at, tile, put.rotation, "", carried.stations, carried.reservations, CAUSE))
    return draft


def _carried(contents: HexContents, old: Face, new: Face) -> HexContents:
    """Stations and reservations as they lie on the new tile: at the stops that keep their track, else at the last one."""
    stops = stop_mapping(old, new)
    last = len(new.stops) - 1

    def place(stop: int) -> int:
        return stops[stop] if stops is not None and stop < len(stops) else min(stop, last)

    return HexContents(
        stations=tuple(replace(each, stop=place(each.stop)) for each in contents.stations),
        reservations=tuple(replace(each, stop=place(each.stop)) for each in contents.reservations if new.stops),
    )


def letter(stop: str) -> str:
    """The letter by which a placement names a stop of this number."""
    return chr(ord("a") + int(stop[:2]))


def stop_number(state: State, at: HexId, stop: str) -> int | None:
    """The number of a stop that is named by its letter; None where the hex has no such stop."""
    number = ord(stop) - ord("a") if len(stop) == 1 else -1
    return number if 0 <= number < len(state.board.face(at).stops) else None


def _put_station(draft: Draft, put: StationPut) -> Draft | Refusal:
    at, name, state = put.hex, put.company, draft.state
    if at not in draft.sheet.hexes:
        return refuse(Code.NO_SUCH_HEX, "COMMON-TRK-04", hex=at)
    if name not in state.companies:
        return refuse(Code.NOT_IN_RULESET)
    stop = stop_number(state, at, put.stop)
    if stop is None:
        return refuse(Code.NO_PLACE, "COMMON-TOK-02", hex=at)
    if not state.companies[name].stations:
        return refuse(Code.NO_TOKEN, "COMMON-TOK-01", company=name)
    draft.emit(StationPlaced(at, Station(name, stop), 0, CAUSE))
    return draft


def _give_train(draft: Draft, given: TrainGiven) -> Draft | Refusal:
    name, kind, depot = given.company, given.train, draft.state.depot
    if name not in draft.state.companies or kind not in draft.sheet.trains:
        return refuse(Code.NOT_IN_RULESET)
    source = POOL if kind in depot.pool else DISPLAY
    if source == DISPLAY and depot.display.get(kind, 0) <= 0:
        return refuse(Code.SOLD_OUT, "COMMON-TRN-01", train=kind)
    draft.emit(TrainMoved(kind, source, name, "free"))
    return draft


def _set_money(draft: Draft, put: MoneySet) -> Draft | Refusal:
    state = draft.state
    if put.account in state.companies:
        balance(draft, put.account, state.companies[put.account].treasury, put.amount, PLACED)
    elif put.account in map(str, range(len(state.players))):
        seat = int(put.account)
        balance(draft, seat, state.players[seat].cash, put.amount, PLACED)
    else:
        return refuse(Code.NOT_IN_RULESET)
    return draft


def _give_share(draft: Draft, given: ShareGiven) -> Draft | Refusal:
    company = draft.state.companies.get(given.company)
    if company is None or given.seat >= len(draft.state.players):
        return refuse(Code.NOT_IN_RULESET)
    if not company.founded:
        return refuse(Code.NOT_FOUNDED_YET, company=company.id)
    others = [seat for seat in range(len(draft.state.players)) if seat != given.seat]
    for place in (IPO, CHARTER, POOL, *others):
        for number, each in enumerate(company.certificates):
            if each.holder == place and each.percent == given.percent and not each.director:
                draft.emit(CertificateMoved(company.id, number, place, given.seat, PLACED))
                return draft
    return refuse(Code.NONE_LIES_THERE, percent=given.percent, company=company.id)


def has_turns(ruleset: Ruleset, company: CompanyId) -> bool:
    """Tell whether a company has turns of track, stations and trains: it has stations, and the game has such turns."""
    return CompanyTurn in ruleset.duties and bool(ruleset.sheet.companies[company].station_costs)


def foundable(ruleset: Ruleset, state: State) -> list[CompanyId]:
    """The companies that may be founded by hand: in the game, with turns, and not founded yet."""
    there = in_game(ruleset, state)
    return [each for each in there if has_turns(ruleset, each) and not state.companies[each].founded]


def pars_of(sheet: Sheet) -> list[int]:
    """The prices at which companies may begin, in Mark."""
    return sorted({*sheet.market.par, *sheet.market.pars} - {0})


def _found(draft: Draft, given: FoundedByHand) -> Draft | Refusal:
    name, state = given.company, draft.state
    if name not in state.companies or given.seat >= len(state.players):
        return refuse(Code.NOT_IN_RULESET)
    if state.companies[name].founded:
        return refuse(Code.ALREADY_FOUNDED, company=name)
    if name not in foundable(draft.ruleset, state):
        return refuse(Code.NOT_IN_RULESET)
    pars = pars_of(draft.sheet)
    if pars and given.par not in pars:
        return no_par(given.par, pars)
    number = directors_certificate(state.companies[name])
    holder = state.companies[name].certificates[number].holder
    draft.emit(StatusSet(name, "founded"))
    draft.emit(DirectorChanged(name, given.seat, "par"))
    if holder != given.seat:
        draft.emit(CertificateMoved(name, number, holder, given.seat, PLACED))
    if pars:
        set_par(draft, name, given.par)
    floats = StatusSet(name, "floated")
    draft.emit(floats)
    turn_up_homes(draft, floats)
    return _unsold_where_they_may_lie(draft, name, book_faults(Draft(draft.ruleset, state)))


def _unsold_where_they_may_lie(draft: Draft, name: CompanyId, broken: Sequence[str]) -> Draft:
    """Move what nobody has bought of a floated company to the first place against which the books have nothing new."""
    for place in (CHARTER, POOL):
        trial = Draft(draft.ruleset, draft.state)
        unsold_to(trial, name, place)
        if set(book_faults(trial)) <= {*broken}:
            unsold_to(draft, name, place)
            break
    return draft


def _give_turn(draft: Draft, given: TurnGiven) -> Draft | Refusal:
    name, state = given.company, draft.state
    if name not in state.companies:
        return refuse(Code.NOT_IN_RULESET)
    if not has_turns(draft.ruleset, name):
        return refuse(Code.NOT_IN_RULESET)
    if not state.companies[name].founded:
        return refuse(Code.NOT_FOUNDED_YET, company=name)
    if state.companies[name].director is None:
        return refuse(Code.NOT_DIRECTOR, "COMMON-DIR-01")
    for at in range(len(state.agenda) - 1, -1, -1):
        if isinstance(state.agenda[at], CompanyTurn):
            # what interrupts a turn goes with it
            for above in range(len(draft.state.agenda) - 1, at - 1, -1):
                draft.emit(FrameRemoved(above))
    draft.push(CompanyTurn(name))
    run(draft)
    return draft


# What the rules say --------------------------------------------------------------------------------------------------


def against(state: State, placement: AnyPlacement) -> tuple[Refusal, ...]:
    """Return what the rules have against a placement, as far as the thing and its place show it; empty where nothing."""
    match placement:
        case TilePut():
            return tuple(_against_tile(state, placement))
        case StationPut():
            return tuple(_against_station(state, placement))
        case TrainGiven():
            return tuple(_against_train(state, placement))
        case TurnGiven() | PhaseSet() | MoneySet() | ShareGiven() | FoundedByHand():
            return ()


def _against_tile(state: State, put: TilePut) -> Iterator[Refusal]:
    at, tile, sheet = put.hex, put.tile, state.sheet
    contents, phase = state.board.contents(at), state.current_phase
    colour = sheet.tiles[tile].face.colour
    if colour not in phase.tiles:
        yield refuse(Code.NOT_IN_PHASE, "COMMON-TRK-02", tile=tile)
    found = check_upgrade(sheet, at, contents.tile, contents.rotation, tile, put.rotation)
    if isinstance(found, UpgradeFault):
        code = Code.FINISHED_HEX if found.why == "finished" else found.code
        yield refuse(code, "COMMON-TRK-04", hex=at, tile=tile)


def _against_station(state: State, put: StationPut) -> Iterator[Refusal]:
    at, name = put.hex, put.company
    stations, stop = state.board.contents(at).stations, stop_number(state, at, put.stop)
    if any(each.company == name for each in stations):
        yield refuse(Code.STATION_HERE, "COMMON-TOK-03", company=name, hex=at)
    if stop is not None:
        places = state.board.face(at).stops[stop]
        if sum(each.stop == stop for each in stations) >= places.slots + places.harbour_slots:
            yield refuse(Code.NO_PLACE, "COMMON-TOK-02", hex=at)


def _against_train(state: State, given: TrainGiven) -> Iterator[Refusal]:
    company, limit = state.companies[given.company], state.current_phase.train_limit
    if len(company.trains) >= limit:
        yield refuse(Code.TRAIN_LIMIT, "COMMON-TRN-06", limit=limit)


# Positions set up by hand ---------------------------------------------------------------------------------------------


PLACING = (
    FlagSet, PhaseBegan, PriorityMoved, PrivateMoved, PrivateClosed, TileLaid, StationPlaced, StationsSet, ParSet, PriceMoved,
    StatusSet, DebtSet, CertificateMoved, DirectorChanged, TrainMoved, Paid, FrameRemoved,
    PrivateUsed, LoanTaken, Bankrupted, TokensSet,
)  # fmt: skip
"""Events of a position that was set up by hand, before its round begins."""


class OwnFault(ValueError):
    """A thing that only one game has and that cannot be laid; `place` is the way to its value, `becs.B4`."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


@dataclass(frozen=True, slots=True)
class OwnField:
    """A field of the form for what only one game has: the way to its value in the file, and how it is written.

    `kind` is `number`, `tick`, `text`, `words`, `numbers`, `pairs`, or `seats` and `seat_pairs` for players; what has `choices`
    is chosen from them. `key` names its label, `group` its heading, `about` whose it is: a company, a certificate, or a name.
    """

    path: tuple[str, ...]
    kind: str
    key: str
    group: str
    about: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnPosition:
    """A policy: the part of a position that only one game has, in the file of a position set up by hand.

    `of` writes it in plain values, `lay` puts such values on the table by events of the kinds `placing`, which change nothing
    else (ValueError for what cannot be read), `fields` are those of its form. Without it a game whose positions have such a
    part is not set up by hand.
    """

    of: Callable[[State], Mapping[str, Any]]
    lay: Callable[[Draft, Mapping[str, Any]], None]
    placing: tuple[type[Event], ...]
    fields: Callable[[State], Iterable[OwnField]]


def dealt_by_lot(sheet: Sheet, events: Iterable[Event]) -> frozenset[CompanyId]:
    """The companies that a set-up has dealt to players by lot (`order_card:CME`); empty in games that deal none."""
    drawn = (event.table.partition(":")[2] for event in events if isinstance(event, NumberDrawn))
    return frozenset(name for name in drawn if name in sheet.companies)


def has_stock_rounds(ruleset: Ruleset) -> bool:
    """Tell whether players act in rounds of their own between the operating rounds, also where these are much simplified."""
    return StockRound in ruleset.duties or any(
        rule.action is BuyShare for duty in ruleset.duties.values() for rule in duty.menu
    )


def rounds_before(draft: Draft, number: int, operating: tuple[int, int] | None) -> Rounds:
    """The frame from which a stock round begins, or an operating round, by its number and how many its set has (0: see phase).

    Without stock rounds, operating rounds follow each other.
    """
    if operating is None:
        return Rounds(number - 1, 1, 2) if number > 1 else Rounds(0)
    if not has_stock_rounds(draft.ruleset):
        return Rounds(number - 1, 1, 1)
    planned = max(operating[1] or draft.state.current_phase.operating_rounds, operating[0])
    return Rounds(number, planned, operating[0] - 1)


def beginning(draft: Draft, rounds: Rounds) -> Sequence[Event]:
    """The events with which a round would begin; none where nobody could ever act."""
    trial = Draft(draft.ruleset, draft.state)
    trial.replace_top(rounds)
    try:
        run(trial)
    except AssertionError:
        return ()
    return trial.events


def book_faults(draft: Draft) -> list[str]:
    """The faults that the invariants find; what they cannot even read is one."""
    try:
        return [fault for test in draft.ruleset.invariants for fault in test(draft.state)]
    except (AssertionError, KeyError, IndexError, ValueError, TypeError) as fault:
        return [repr(fault)]


def balance(draft: Draft, account: Account, has: int, wanted: int, cause: str = CAUSE) -> None:
    """Let the bank pay an account, or the account the bank, until it has what is wanted."""
    if wanted > has:
        draft.pay(BANK, account, wanted - has, cause)
    else:
        draft.pay(account, BANK, has - wanted, cause)


def own_position(ruleset: Ruleset) -> OwnPosition | None:
    """The part of positions that only the game of a ruleset has, None where it has none."""
    found = ruleset.by_type.get(OwnPosition)
    return found if isinstance(found, OwnPosition) else None


def numbers_drawn(events: Iterable[Event]) -> dict[str, int]:
    """The numbers that a set-up says were drawn, by table, of tables from which one is drawn.

    Who drew what (`railway:CME`) is no number of a table: the companies say it.
    """
    drawn = [event for event in events if isinstance(event, NumberDrawn) and ":" not in event.table]
    times = Counter(event.table for event in drawn)
    return {event.table: event.number for event in drawn if times[event.table] == 1}


def set_up_by_hand(ruleset: Ruleset, names: Sequence[str], seed: int, events: Sequence[Event]) -> bool:
    """Tell whether a set-up is that of the game with a position set up by hand behind it, whose books agree.

    Folding trusts events, so those of strangers may only move what the box holds; the invariants check what results, and the
    round begins as the rules have it.
    """
    try:
        opening = start(ruleset, names, seed, shuffle=False, drawn=numbers_drawn(events))
        more = tuple(events[len(opening.events) :])
        if tuple(events[: len(opening.events)]) != opening.events or not more or more[0] != BY_HAND:
            return False
        at = next(n for n, event in enumerate(more) if isinstance(event, TopReplaced))
        own = own_position(ruleset)
        placing: tuple[type[Event], ...] = PLACING if own is None else (*PLACING, *own.placing)
        if at > MOST_EVENTS or not all(isinstance(event, placing) for event in more[:at]):
            return False
        draft = Draft(ruleset, fold(ruleset, opening.state, more[:at]))
        if len(draft.state.agenda) != 1 or any(True for test in ruleset.invariants for _ in test(draft.state)):
            return False
        begins = more[at]
        assert isinstance(begins, TopReplaced)
        rounds = begins.frame
        if not isinstance(rounds, Rounds) or not 0 <= rounds.number <= MOST_ROUNDS:
            return False
        if not 0 <= rounds.done <= rounds.planned + 1 <= MOST_ROUNDS:
            return False
        draft.emit(more[at])
        run(draft)
    except (AssertionError, KeyError, IndexError, ValueError, TypeError, StopIteration):
        return False
    return tuple(draft.events) == more[at:]
