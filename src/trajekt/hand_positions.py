"""Positions set up by hand, for a game begun on cardboard: read from JSON, checked entry by entry, played on as a game.

`hand_position_file` is what is read. Set-up goes on from that of the game itself by events that move what the box holds; the
invariants of the game check the books. So the record carries it as its set-up and is folded and replayed like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from trajekt.engine.agenda import run
from trajekt.engine.board.board import Station
from trajekt.engine.components.schema import Space
from trajekt.engine.decisions import Decision, fold, start
from trajekt.engine.events import (
    Bankrupted,
    CertificateMoved,
    DebtSet,
    DirectorChanged,
    FlagSet,
    FramePopped,
    FramePushed,
    FrameRemoved,
    LoanTaken,
    Paid,
    ParSet,
    PhaseBegan,
    PriceMoved,
    PriorityMoved,
    PrivateClosed,
    PrivateMoved,
    PrivateUsed,
    StationsSet,
    StatusSet,
    TokensSet,
    TrainMoved,
)
from trajekt.engine.ruleset import Draft, Refusal
from trajekt.engine.state import (
    BANK,
    CHARTER,
    DISPLAY,
    GONE,
    IPO,
    PACKAGE,
    POOL,
    Company,
    Holder,
    State,
    drawn_mark,
    set_aside_account,
)
from trajekt.game import Game, new_game
from trajekt.hand_position_file import HandCompany, HandPosition, PositionError, PositionFault, read_position
from trajekt.round_label import round_of
from trajekt.rules.directorship import certificates_for
from trajekt.rules.placement_by_hand import (
    BY_HAND,
    CAUSE,
    OwnFault,
    StationPut,
    TilePut,
    arrange,
    balance,
    beginning,
    book_faults,
    dealt_by_lot,
    has_stock_rounds,
    letter,
    numbers_drawn,
    own_position,
    rounds_before,
    stop_number,
)
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound

MOST_DEALS = 2_000
"""So many lots are drawn at most to find the one that deals the companies of a position."""


@dataclass(frozen=True, slots=True)
class LaidPosition:
    """A position as far as it could be laid: the state reached, all faults, and the game that goes on where there is none."""

    plain: Game
    state: State
    faults: tuple[PositionFault, ...]
    game: Game | None


def set_up_position(position: HandPosition | bytes, components: str | None = None, seed: int = 0) -> Game:
    """The game that goes on from a position set up by hand. Raises `PositionError` with all faults of it.

    ValueError for an unknown game, options or names that cannot be.
    """
    wanted = read_position(position) if isinstance(position, bytes) else position
    laid = lay_position(wanted, components, seed)
    if laid.game is None:
        raise PositionError(laid.faults)
    return laid.game


def lay_position(wanted: HandPosition, components: str | None = None, seed: int = 0) -> LaidPosition:
    """Lay a position as far as it goes. Raises `PositionError` where there is no such game, or not for these players."""
    plain = _plain_game(wanted, seed, components)
    once = numbers_drawn(plain.opening.events)
    wanted = replace(wanted, drawn={table: number for table, number in wanted.drawn.items() if table in once})
    seed, opening = _dealt(plain, wanted, seed)
    unknown = opening.state.extra is not None and own_position(plain.ruleset) is None
    if unknown or not isinstance(opening.state.agenda[0], Rounds):
        raise PositionError([PositionFault("$.game", "not_by_hand")])
    desk = _laid(Draft(plain.ruleset, opening.state), wanted)
    dealt = dealt_by_lot(plain.ruleset.sheet, opening.events)
    if dealt and dealt != {each.id for each in wanted.companies}:
        desk.fault("$.companies", "dealt", count=len(dealt))
    state = desk.draft.state
    if not desk.faults:
        desk.check()
    game = None
    if not desk.faults:
        decision = Decision((*opening.events, *desk.draft.events), desk.draft.state)
        game = Game(plain.title, plain.ruleset, plain.options, plain.names, seed, decision)
    return LaidPosition(plain, state, tuple(desk.faults), game)


def _plain_game(wanted: HandPosition, seed: int, components: str | None) -> Game:
    """The game just set up; the last of the names may be a holder whom the set-up itself seats behind the players."""
    names = tuple(player.name for player in wanted.players)

    def game_of(players: Sequence[str]) -> Game:
        return new_game(wanted.game, players, wanted.options, seed, components)

    plain: Game | None
    try:
        plain = game_of(names)
    except (ValueError, msgspec.ValidationError, TypeError) as fault:
        try:
            plain = game_of(names[:-1])
        except (ValueError, msgspec.ValidationError, TypeError):
            plain = None
        if plain is None or plain.state.names[-1] != names[-1]:
            raise PositionError([PositionFault("$.game", "no_game", {"detail": str(fault)})]) from fault
    if len(plain.state.names) > len(names):
        raise PositionError([PositionFault("$.players", "no_holder", {"holder": plain.state.names[-1]})])
    if plain.names != names[: len(plain.names)]:
        raise PositionError([PositionFault("$.players", "names")])
    return plain


def _dealt(plain: Game, wanted: HandPosition, seed: int) -> tuple[int, Decision]:
    """The set-up that has dealt the companies wanted, where they are dealt by lot, and the seed of that lot."""
    named = {each.id for each in wanted.companies}

    def opening(lot: int) -> Decision:
        return start(plain.ruleset, plain.names, lot, shuffle=False, drawn=wanted.drawn)

    first = opening(seed)
    count = len(dealt_by_lot(plain.ruleset.sheet, first.events))
    if not count or len(named) > count:
        return seed, first
    for lot in range(seed, seed + MOST_DEALS):
        found = opening(lot)
        if named <= dealt_by_lot(plain.ruleset.sheet, found.events):
            return lot, found
    return seed, first


def _laid(draft: Draft, wanted: HandPosition) -> _Desk:
    """Lay a position; where a train leaves the display as the round begins, the display told is the one behind it."""
    desk = _Desk(Draft(draft.ruleset, draft.state), wanted)
    desk.lay()
    turned = desk.turning()
    if turned:
        desk = _Desk(Draft(draft.ruleset, draft.state), replace(wanted, marks={**wanted.marks, **turned}))
        desk.lay()
    if not desk.leaving() or wanted.display is None:
        return desk
    for kind in draft.sheet.trains:
        before = replace(wanted, display={**wanted.display, kind: wanted.display.get(kind, 0) + 1})
        other = _Desk(Draft(draft.ruleset, draft.state), before)
        other.lay()
        if other.leaving() == [kind]:
            return other
    return desk


class _Desk:
    """A position being set up: what is put on the table, and the faults found on the way."""

    def __init__(self, draft: Draft, wanted: HandPosition) -> None:
        self.draft = draft
        self.wanted = wanted
        self.faults: list[PositionFault] = []
        companies = draft.state.companies.values()
        self.shareless = any(c.director is not None and not c.percent(c.director) for c in companies)

    def fault(self, path: str, code: str, **values: object) -> None:
        self.faults.append(PositionFault(path, code, {name: str(value) for name, value in values.items()}))

    def lay(self) -> None:
        """Put everything on the table, as far as there are such things."""
        draft, wanted = self.draft, self.wanted
        draft.emit(BY_HAND)
        for table, number in wanted.drawn.items():
            if draft.state.marks.get(drawn_mark(table)) not in (None, str(number)):
                self.fault("$.drawn", "no_number", table=table, number=number)
        if wanted.phase not in draft.sheet.phase_by_name:
            self.fault("$.phase", "no_phase", phase=wanted.phase)
        else:
            draft.emit(PhaseBegan(wanted.phase))
        seats = range(len(wanted.players))
        if wanted.priority in seats:
            draft.emit(PriorityMoved(wanted.priority))
        else:
            self.fault("$.priority", "no_seat", seat=wanted.priority)
        self._own()
        self._privates()
        for n, tile in enumerate(wanted.tiles):
            self._arranged(f"$.tiles[{n}]", TilePut(tile.hex, tile.tile, tile.rotation))
        for n, company in enumerate(wanted.companies):
            if company.id not in draft.state.companies:
                self.fault(f"$.companies[{n}].id", "no_company", company=company.id)
            else:
                self._company(f"$.companies[{n}]", company)
        for n, named in enumerate(wanted.neutral):
            self._neutral(f"$.neutral[{n}]", named)
        self._not_founded()
        self._trains()
        self._money()

    def _arranged(self, path: str, placement: TilePut | StationPut) -> None:
        found = arrange(self.draft.ruleset, self.draft.state, placement)
        if isinstance(found, Refusal):
            self.fault(path, "no_such_thing", detail=found.code)
            return
        for event in found.events:
            self.draft.emit(event)

    def _own(self) -> None:
        """Lay what only this game has."""
        own = own_position(self.draft.ruleset)
        if own is None:
            return
        try:
            own.lay(self.draft, self.wanted.own)
        except OwnFault as fault:
            self.fault(f"$.own.{fault.place}", "no_own")
        except (ValueError, msgspec.ValidationError) as fault:
            message, _, path = str(fault).rpartition(" - at `$")
            self.fault(f"$.own{path.rstrip('`') if message else ''}", "unreadable", detail=message or fault)

    def _privates(self) -> None:
        owned: set[int] = set()
        for seat, player in enumerate(self.wanted.players):
            for number in player.privates:
                private = self.draft.state.privates.get(number)
                if private is None or not private.open or number in owned:
                    self.fault(f"$.players[{seat}].privates", "no_private", private=number)
                    continue
                owned.add(number)
                self.draft.emit(PrivateMoved(number, seat))
        for name, value in self.wanted.marks.items():
            if not name.startswith(drawn_mark("")) and name != BY_HAND.name:
                self.draft.emit(FlagSet(name, value))
        for number in self.wanted.used:
            if number in self.draft.state.privates:
                self.draft.emit(PrivateUsed(number))
        for number, private in self.draft.state.privates.items():
            if private.open and number not in owned:
                self.draft.emit(PrivateClosed(number, "phase"))

    def _company(self, path: str, company: HandCompany) -> None:
        draft = self.draft
        if company.par:
            draft.emit(ParSet(company.id, company.par))
        space = self._space(path, company)
        if space is not None:
            draft.emit(PriceMoved(company.id, space, CAUSE))
        self._shares(path, company)
        statuses = {"founded": True, "floated": company.floated, "operated": company.operated}
        for status, value in (statuses | {"receivership": company.receivership}).items():
            if value:
                draft.emit(StatusSet(company.id, status))
        if company.debt:
            draft.emit(DebtSet(company.id, company.debt))
        for n, named in enumerate(company.stations):
            self._station(f"{path}.stations[{n}]", company, named)
        if company.tokens is not None and company.tokens != draft.state.companies[company.id].stations:
            draft.emit(TokensSet(company.id, company.tokens))

    def _space(self, path: str, company: HandCompany) -> Space | None:
        market = self.draft.sheet.market
        if company.space is not None:
            if market.cell(company.space) is None:
                self.fault(f"{path}.space", "no_space")
                return None
            return company.space
        if company.price is None:
            return None
        places = [(r, c) for r, row in enumerate(market.rows, 1) for c in range(1, len(row) + 1)]
        spaces = [place for place in places if market.cell(place) is not None and market.price(place) == company.price]
        if len(spaces) != 1:
            code = "several_spaces" if spaces else "no_price"
            self.fault(f"{path}.price", code, price=company.price, spaces=", ".join(f"[{r}, {c}]" for r, c in spaces))
            return None
        return spaces[0]

    def _shares(self, path: str, company: HandCompany) -> None:
        draft, held = self.draft, self.draft.state.companies[company.id]
        places = {place: place for place in (POOL, CHARTER, IPO, GONE, *map(str, held.by_holder))}
        seats = {str(seat): seat for seat in range(len(self.wanted.players))}
        wanted: dict[Holder, int] = {}
        sizes = {seats.get(n, places.get(n)): list(each) for n, each in company.certificates.items()}
        for name, percent in company.shares.items():
            place: Holder | None = seats.get(name, places.get(name))
            if place is None:
                self.fault(f"{path}.shares", "no_place", place=name)
            else:
                wanted[place] = percent
        left = list(range(len(held.certificates)))
        director = company.director
        if director is not None and self.shareless:
            if director in seats.values():
                draft.emit(DirectorChanged(company.id, director))
            else:
                self.fault(f"{path}.director", "no_seat", seat=director)
        elif director is not None:
            if director not in wanted or not isinstance(director, int):
                self.fault(f"{path}.director", "no_seat", seat=director)
                return
            number = next(n for n in left if held.certificates[n].director)
            self._certificate(held, number, director)
            left.remove(number)
            wanted[director] -= held.certificates[number].percent
            if held.certificates[number].percent in sizes.get(director, ()):
                sizes[director].remove(held.certificates[number].percent)
            draft.emit(DirectorChanged(company.id, director))
        for place in self._in_order(wanted):
            if percent := wanted[place]:
                found = certificates_for(
                    held, left, percent, sizes.get(place, ()), lies=place not in (*seats.values(), POOL)
                )
                if not found:
                    self.fault(f"{path}.shares", "no_certificates", place=place, percent=percent)
                for number in found:
                    self._certificate(held, number, place)
                    left.remove(number)
        for number in left:
            self._certificate(held, number, IPO)

    def _in_order(self, wanted: Mapping[Holder, int]) -> list[Holder]:
        """The places of shares: first where the order of a stack counts, then those with the most."""
        loose = {*range(len(self.wanted.players)), POOL, IPO}
        return sorted(wanted, key=lambda place: (place in loose, place == CHARTER, -wanted[place]))

    def _certificate(self, company: Company, number: int, target: Holder) -> None:
        source = self.draft.state.companies[company.id].certificates[number].holder
        if source != target:
            self.draft.emit(CertificateMoved(company.id, number, source, target, CAUSE))

    def _not_founded(self) -> None:
        """Certificates of companies that nobody has founded lie in the offering, but for those that a player has got."""
        named = {company.id for company in self.wanted.companies}
        for seat, player in enumerate(self.wanted.players):
            for id_ in player.shares.keys() - self.draft.state.companies.keys():
                self.fault(f"$.players[{seat}].shares", "no_company", company=id_)
        for id_ in self.draft.state.companies:
            if id_ not in named:
                held = {str(seat): player.shares.get(id_, 0) for seat, player in enumerate(self.wanted.players)}
                company = self.draft.state.companies[id_]
                if not any(held.values()) and not {*company.by_holder} <= {IPO, PACKAGE, CHARTER, POOL}:
                    continue  # a company that has been in the game before: some of its certificates are out of it
                self._shares("$.players", HandCompany(id_, shares=held))

    def _station(self, path: str, company: HandCompany, named: str) -> None:
        place, _, kind = named.partition(" ")
        at, _, stop = place.partition(":")
        if at not in self.draft.sheet.hexes or not stop.isdecimal() or len(stop) > 1:
            self.fault(path, "no_stop", place=named)
            return
        if all(each.company != company.id for each in self.draft.state.board.contents(at).stations):
            self._arranged(path, StationPut(at, company.id, letter(stop)))
        contents = self.draft.state.board.contents(at)
        stations = tuple(
            Station(each.company, int(stop), kind or each.kind, each.asleep and not company.floated)
            if each.company == company.id
            else each
            for each in contents.stations
        )
        if stations != contents.stations:
            self.draft.emit(StationsSet(at, stations, contents.reservations))

    def _neutral(self, path: str, named: str) -> None:
        """A station of somebody who is no corporation, on the place that is kept for it."""
        who, _, place = named.partition(" ")
        at, _, stop = place.partition(":")
        contents = self.draft.state.board.contents(at) if at in self.draft.sheet.hexes else None
        kept = [each for each in contents.reservations if each.company == who] if contents is not None else []
        if (
            contents is None
            or not kept
            or not stop.isdecimal()
            or stop_number(self.draft.state, at, letter(stop)) is None
        ):
            self.fault(path, "no_stop", place=named)
            return
        others = tuple(each for each in contents.reservations if each.company != who)
        self.draft.emit(StationsSet(at, (*contents.stations, Station(who, int(stop))), others))

    def _trains(self) -> None:
        wanted, sheet = self.wanted, self.draft.sheet
        phases = list(sheet.phases)
        reached = phases[: next((n for n, p in enumerate(phases) if p.name == wanted.phase), -1) + 1]
        obsolete = {kind for phase in reached for kind in phase.obsolete}
        for kind in sheet.trains:
            self._owned_trains(kind)
            left = self.draft.state.depot.display.get(kind, 0)
            stays = (0 if kind in obsolete else left) if wanted.display is None else wanted.display.get(kind, 0)
            if stays > left:
                self.fault("$.display", "no_train", train=kind)
            for _ in range(left - stays):
                self._train("$.display", kind, GONE)
        for n, company in enumerate(wanted.companies):
            for train in company.trains:
                if train not in sheet.trains:
                    self.fault(f"$.companies[{n}].trains", "no_train", train=train)

    def _owned_trains(self, kind: str) -> None:
        """Give the trains of a kind to companies and the pool, first those that the set-up has dealt."""
        companies = self.draft.state.companies
        dealt = [each.id for each in companies.values() for train in each.trains if train == kind]
        wanted = [
            (f"$.companies[{n}].trains", company.id)
            for n, company in enumerate(self.wanted.companies)
            if company.id in companies
            for train in company.trains
            if train == kind
        ]
        wanted += [("$.pool", POOL) for train in self.wanted.pool if train == kind]
        for place in tuple(wanted):
            if place[1] in dealt:  # it has got it already
                dealt.remove(place[1])
                wanted.remove(place)
        for path, target in wanted:
            self._train(path, kind, target, dealt.pop() if dealt else DISPLAY)
        for company in dealt:
            self.draft.emit(TrainMoved(kind, company, GONE, CAUSE))

    def _train(self, path: str, kind: str, target: str, source: str = DISPLAY) -> None:
        if source == DISPLAY and self.draft.state.depot.display.get(kind, 0) <= 0:
            self.fault(path, "no_train", train=kind)
            return
        self.draft.emit(TrainMoved(kind, source, target, CAUSE))

    def _money(self) -> None:
        draft, wanted = self.draft, self.wanted
        for seat, player in enumerate(wanted.players):
            balance(draft, seat, draft.state.players[seat].cash, player.cash)
            if player.loans:
                draft.emit(LoanTaken(seat, player.loans))
            if player.bankrupt:
                draft.emit(Bankrupted(seat))
        for company in wanted.companies:
            if company.id in draft.state.companies:
                balance(draft, company.id, draft.state.companies[company.id].treasury, company.treasury)
        for name in {*draft.state.aside, *wanted.aside}:
            balance(draft, set_aside_account(name), draft.state.aside.get(name, 0), wanted.aside.get(name, 0))
        if draft.state.bank < 0:
            self.fault("$.bank", "bank_broken", bank=draft.state.bank)
        elif wanted.bank is not None and wanted.bank != draft.state.bank:
            self.fault("$.bank", "bank", bank=wanted.bank, right=draft.state.bank)

    def check(self) -> None:
        """Begin the round and let the invariants of the game check the books."""
        draft, wanted = self.draft, self.wanted.round
        books = book_faults(draft)
        for at in range(len(draft.state.agenda) - 1, 0, -1):
            draft.emit(FrameRemoved(at))
        rounds = self.rounds()
        if wanted.kind == "operating" and wanted.paid and not books:
            self._incomes_back(rounds)
        draft.replace_top(rounds)
        for fault in books:
            self.fault("$", "books", detail=fault)
        if not books:
            if StockRound not in draft.ruleset.duties and self._kind_begun(rounds) != wanted.kind:
                self.fault("$.round", "no_round")
            try:
                run(draft)
            except AssertionError:  # rounds follow each other without end: nobody has anything that he might do
                self.fault("$", "nobody_acts")
            for fault in book_faults(draft):
                self.fault("$", "books", detail=fault)

    def rounds(self) -> Rounds:
        """The frame from which the round that is wanted begins."""
        wanted = self.wanted.round
        return rounds_before(self.draft, wanted.set, None if wanted.kind == "stock" else (wanted.number, wanted.of))

    def _kind_begun(self, rounds: Rounds) -> str:
        """The kind of the round that begins first; as it is wanted where rounds would follow each other without end."""
        events = beginning(self.draft, rounds)
        if not events:
            return self.wanted.round.kind
        pushed = next((n for n, event in enumerate(events, 1) if isinstance(event, FramePushed)), None)
        return round_of(fold(self.draft.ruleset, self.draft.state, events[:pushed])).kind

    def turning(self) -> dict[str, str]:
        """The facts told that the beginning of the round turns round, as it leaves them: told is what is behind it."""
        told = self.wanted.marks
        events = () if self.faults else beginning(self.draft, self.rounds())
        flags = {event.name: event.value for event in events if isinstance(event, FlagSet)}
        return {name: value for name, value in flags.items() if value != told.get(name, value)}

    def leaving(self) -> list[str]:
        """The trains that leave the display as the round begins, in a game without stock rounds."""
        if self.faults or has_stock_rounds(self.draft.ruleset):
            return []
        gone = (each for each in beginning(self.draft, self.rounds()) if isinstance(each, TrainMoved))
        return [each.train for each in gone if (each.source, each.target) == (DISPLAY, GONE)]

    def _incomes_back(self, rounds: Rounds) -> None:
        """Take back what the beginning of the round will pay again."""
        events = beginning(self.draft, rounds)
        ends = (n for n, event in enumerate(events) if isinstance(event, FramePopped))
        for event in events[: next(ends, None)]:
            if isinstance(event, Paid) and event.source == BANK and isinstance(event.target, int):
                if event.amount > self.draft.state.players[event.target].cash:
                    self.fault(f"$.players[{event.target}].cash", "no_income", amount=event.amount)
                else:
                    self.draft.pay(event.target, BANK, event.amount, CAUSE)
