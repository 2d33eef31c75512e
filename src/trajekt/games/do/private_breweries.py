"""The five private breweries of the Railway Game: their auction and what they do (DO-TRG-02, DO-TRG-07)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from trajekt.engine.actions import Pass, PlaceBid, PlaceStation
from trajekt.engine.components.schema import HexId, TrainKind
from trajekt.engine.events import (
    BidPlaced,
    BidsEnded,
    FlagSet,
    PhaseBegan,
    PrivateClosed,
    PrivateMoved,
    PrivateUsed,
    StationPlaced,
)
from trajekt.engine.routing.runs import RouteRules
from trajekt.engine.routing.solver import has_route
from trajekt.engine.ruleset import Code, Draft, Duty, Option, Reaction, Refusal, Rule, Span, View, check, refuse
from trajekt.engine.state import BANK, Seat, State
from trajekt.games.do.actions import Brew
from trajekt.games.do.beer_places import BeerBox, LoadedTrain
from trajekt.games.do.components import do_components
from trajekt.games.do.events import BeerMoved
from trajekt.games.do.frames import PrivateLot
from trajekt.games.do.options import DoOptions
from trajekt.games.do.railway_game_beer import PAYS_ROUTES, mark_of
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.starting_round import by_cash
from trajekt.games.do.state import do_state
from trajekt.rules.construction_costs import CostTerm, total
from trajekt.rules.operating_round import OperatingRound, in_step, operating, turn_of
from trajekt.rules.referee_marks import books_only
from trajekt.rules.running_and_dividends import setting_of
from trajekt.rules.stock_round import StockRound, give_priority

STEP = 5  # Mark between two bids, and between two prices of what nobody wants

# The auction ---------------------------------------------------------------------------------------------------------


def open_auction(draft: Draft, first: Seat = 0) -> None:
    """Put up the lots in order, the cheapest first (DO-TRG-02)."""
    prices = sorted((private.price, number) for number, private in draft.sheet.privates.items())
    push_lot(draft, tuple((number, price) for price, number in prices), first)


def push_lot(draft: Draft, waiting: tuple[tuple[int, int], ...], first: Seat) -> None:
    """The next lot; after the last the first stock round, which the richest player begins (DO-TRG-03)."""
    if not waiting:
        seat = by_cash(draft.state, draft.ruleset.policy(DoOptions))[0]
        give_priority(draft, seat)
        draft.push(StockRound(1, seat))
        return
    (number, price), *later = waiting
    seats = (first, *(seat for seat in draft.state.clockwise(first) if seat != first))
    draft.push(PrivateLot(number, price, first, seats, later=tuple(later)))


def highest(state: State, lot: PrivateLot) -> int:
    """The highest bid on a lot in Mark, 0 where there is none."""
    return max((bid.amount for bid in state.bids if bid.private == lot.private), default=0)


def least(state: State, lot: PrivateLot) -> int:
    """The least bid that is accepted: the price of the lot, then 5 Mark more than the highest."""
    bid = highest(state, lot)
    return bid + STEP if bid else lot.price


def run_lot(draft: Draft, lot: PrivateLot) -> None:
    """Sold to the last who is in it; unwanted, it is offered again 5 Mark cheaper after the last (DO-TRG-02).

    For nothing there is no auction: who would begin takes it. Who cannot pay the least bid leaves without a question.
    """
    if lot.price <= 0:
        sell(draft, lot, lot.first, 0)
    elif not lot.seats:
        draft.pop()
        push_lot(draft, (*lot.later, (lot.private, lot.price - STEP)), lot.first)
    elif len(lot.seats) == 1 and highest(draft.state, lot):
        sell(draft, lot, lot.seats[0], highest(draft.state, lot))
    elif draft.state.players[lot.seats[0]].cash < least(draft.state, lot):
        draft.replace_top(replace(lot, seats=lot.seats[1:]), ("contest_turn",))


def sell(draft: Draft, lot: PrivateLot, seat: Seat, price: int) -> None:
    """Pay the bank for the buyer; the next lot begins left of him."""
    draft.pop()
    draft.emit(BidsEnded(lot.private))
    draft.pay(seat, BANK, price, "package")
    draft.emit(PrivateMoved(lot.private, seat))
    push_lot(draft, lot.later, draft.state.clockwise(seat)[0])


def lot_of(view: View) -> PrivateLot:
    """The lot on top."""
    assert isinstance(view.frame, PrivateLot)
    return view.frame


@check("DO-TRG-02")
def this_lot(view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a bid on any lot but the one that is up."""
    lot = lot_of(view).private
    return None if action.private == lot else refuse(Code.CONTEST_FIRST, private=lot)


@check("DO-TRG-02")
def high_enough(view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a bid below the price, or not above every other bid."""
    low = least(view.state, lot_of(view))
    return None if action.amount >= low else refuse(Code.BID_TOO_LOW, least=low)


@check("DO-TRG-02")
def in_fives(_view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a bid that is no step of 5 Mark."""
    return refuse(Code.BID_STEP, amount=STEP) if action.amount % STEP else None


@check("DO-TRG-02")
def bidder_can_pay(view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a bid above the player's cash."""
    return (
        None
        if action.amount <= view.player.cash
        else refuse(Code.UNAFFORDABLE, cost=action.amount, cash=view.player.cash)
    )


def bid_options(view: View) -> Iterable[Option[PlaceBid]]:
    """From the least bid up to all cash."""
    lot = lot_of(view)
    low, high = least(view.state, lot), view.player.cash - view.player.cash % STEP
    if low <= high:
        yield Option(PlaceBid(lot.private, low), {"amount": Span(low, high, STEP)})


def next_bidder(lot: PrivateLot) -> PrivateLot:
    """Pass the turn on: who acted comes last."""
    return replace(lot, seats=(*lot.seats[1:], lot.seats[0]))


def bid(draft: Draft, action: PlaceBid) -> None:
    """Bid; the next must bid more or leave."""
    lot = lot_of(draft.view)
    draft.emit(BidPlaced(action.private, draft.seat, action.amount))
    draft.replace_top(next_bidder(lot))


def leave(draft: Draft, _action: Pass) -> None:
    """Leave the auction of this lot for good."""
    lot = lot_of(draft.view)
    draft.replace_top(replace(lot, seats=lot.seats[1:]))


PRIVATE_LOT = Duty(
    PrivateLot,
    rule="DO-TRG-02",
    who=lambda _state, lot: lot.seats[:1],
    menu=(
        Rule(PlaceBid, bid_options, bid, needs=(this_lot, in_fives), checks=(high_enough, bidder_can_pay)),
        Rule(Pass, lambda _view: (Pass(),), leave),
    ),
    run=run_lot,
)

# In the City ---------------------------------------------------------------------------------------------------------

KEEPS_PLACE, HALVES = 2, 3


def owner_of(state: State, private: int) -> Seat | None:
    """The owner of a private brewery while it is open."""
    held = state.privates[private]
    return held.owner if held.open else None


@check("DO-TRG-07")
def place_kept_in_city(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse others the last free space of the City until the owner of a private brewery has a railway's station there."""
    state = view.state
    seat = owner_of(state, KEEPS_PLACE)
    if action.hex != do_components(view.sheet).city or seat is None or seat == operating(view).director:
        return None
    stations = state.board.contents(action.hex).stations
    free = state.board.face(action.hex).stops[0].slots - len(stations)
    if free > 1 or any(state.companies[station.company].director == seat for station in stations):
        return None
    return refuse(Code.RESERVED, hex=action.hex, private=KEEPS_PLACE)


def half_in_city(view: View, at: HexId, terms: tuple[CostTerm, ...]) -> tuple[CostTerm, ...]:
    """One station of a private brewery's owner in the City costs half."""
    seat = owner_of(view.state, HALVES)
    if at != do_components(view.sheet).city or view.state.privates[HALVES].used or seat != operating(view).director:
        return terms
    return (*terms, CostTerm("DO-TRG-07", "private", -(total(terms) // 2)))


def half_used(draft: Draft, event: StationPlaced) -> None:
    """Note that the station at half price has been built."""
    seat = owner_of(draft.state, HALVES)
    here = event.hex == do_components(draft.sheet).city and not draft.state.privates[HALVES].used
    if here and seat is not None and draft.state.companies[event.station.company].director == seat:
        draft.emit(PrivateUsed(HALVES))


HALF_USED = Reaction(StationPlaced, ("DO-TRG-07",), half_used)

# Brewing -------------------------------------------------------------------------------------------------------------

ONCE, EACH_ROUND = 1, 5
CUBES = {ONCE: 2, EACH_ROUND: 1}
LEAST = {ONCE: 2, EACH_ROUND: 3}
"""The shortest train that may carry them."""


def round_of(state: State) -> str:
    """The operating round that is played, as `3.1`."""
    current = next(frame for frame in state.agenda if isinstance(frame, OperatingRound))
    return f"{current.set}.{current.number}"


def used_up(state: State, private: int) -> bool:
    """Tell whether a private brewery has done what it may: once, for one railway for good, or in this round."""
    if private == EACH_ROUND:
        return state.marks.get(mark_of(private)) == round_of(state)
    return state.privates[private].used


@check("DO-TRG-07")
def brews(view: View, action: Brew) -> Refusal | None:
    """Refuse a private brewery that is closed, not the director's, brews nothing, or has brewed."""
    if action.private not in (ONCE, PAYS_ROUTES, EACH_ROUND):
        known = action.private in view.state.privates
        return refuse(Code.NO_POWER if known else Code.NOT_IN_RULESET, private=action.private)
    if not view.state.privates[action.private].open:
        return refuse(Code.CLOSED, private=action.private)
    if owner_of(view.state, action.private) != view.seat:
        return refuse(Code.NOT_OWNER, private=action.private)
    return refuse(Code.USED, private=action.private) if used_up(view.state, action.private) else None


@check("DO-TRG-07")
def train_can_bear(view: View, action: Brew) -> Refusal | None:
    """Refuse a train of the railway that is loaded, too short, or without a way between the City and a red destination."""
    state, company = view.state, operating(view)
    if action.private == PAYS_ROUTES:
        return refuse(Code.NO_SUCH_TRAIN, train=action.train) if action.train else None
    loaded = sum(load.train == action.train for load in do_state(state).loads.get(company.id, ()))
    if company.trains.count(action.train) <= loaded:
        return refuse(Code.NO_SUCH_TRAIN, train=action.train)
    if view.sheet.trains[action.train].reach < LEAST[action.private]:
        return because(WhyNot.TRAIN_TOO_SHORT, private=action.private, least=str(LEAST[action.private]))
    word = f"{action.train}+{CUBES[action.private]}"
    if books_only(state) or has_route(setting_of(state, company.id, view.ruleset.policy(RouteRules), (word,))):
        return None
    return because(WhyNot.NO_BEER_ROUTE, company=company.id, train=action.train)


def brew_options(view: View) -> Iterable[Brew]:
    """Every private brewery that brews, for every type of train."""
    trains: Sequence[TrainKind] = sorted(set(operating(view).trains))
    for private in (ONCE, PAYS_ROUTES, EACH_ROUND):
        for train in ("",) if private == PAYS_ROUTES else trains:
            yield Brew(private, train)


def brew(draft: Draft, action: Brew) -> None:
    """Lay the cubes on the train, or choose the railway whose routes with beer are paid for."""
    company = turn_of(draft.state).company
    if action.private == EACH_ROUND:
        draft.emit(FlagSet(mark_of(action.private), round_of(draft.state)))
    else:
        draft.emit(PrivateUsed(action.private))
    if action.private == PAYS_ROUTES:
        draft.emit(FlagSet(mark_of(action.private), company))
    else:
        draft.emit(BeerMoved(BeerBox.CELLAR, LoadedTrain(company, action.train, 0), CUBES[action.private], "brewed"))


BREW = Rule(Brew, brew_options, brew, needs=(in_step("run"), brews), checks=(train_can_bear,))

# Closing -------------------------------------------------------------------------------------------------------------

CLOSE = {KEEPS_PLACE: "8"}
"""The phase in which a private brewery closes, where it is not the fifth."""


def close_privates(draft: Draft, event: PhaseBegan) -> None:
    """With the first type 5; who keeps the space in the City in the grey phase (DO-TRG-07)."""
    for number, private in draft.state.privates.items():
        if private.open and CLOSE.get(number, "5") == event.phase:
            draft.emit(PrivateClosed(number, "phase"))


PRIVATES_CLOSE = Reaction(PhaseBegan, ("DO-TRG-07",), close_privates)
