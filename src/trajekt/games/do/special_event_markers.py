"""The ten special event markers of the Expert Game: taken, used, given back (DO-X-20 to -31).

Events I, J and P are used with the action that they change (`equipment`, `loading`); I has a first half here: the piece that is
to be handed in is turned aside at the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, combinations_with_replacement

from msgspec.structs import replace

from trajekt.engine.actions import Pass
from trajekt.engine.events import CertificateMoved
from trajekt.engine.ruleset import Code, Draft, Duty, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, IPO, POOL, Seat, State
from trajekt.games.do.actions import TakeEvent, UseEvent
from trajekt.games.do.beer_cubes import available, draw
from trajekt.games.do.beer_deliveries import (
    TOP,
    fields_below,
    first_segment,
    free_squares,
    strongest_first,
    used_of,
    with_use,
)
from trajekt.games.do.beer_places import SUPPLY, MarketField
from trajekt.games.do.beer_prices import bottling, price
from trajekt.games.do.brewery_equipment import (
    AFTER,
    BUY,
    INCOME,
    START,
    bec_of,
    must_buy,
    no_such_piece,
    set_aside,
    turn_in,
    turn_on_top,
)
from trajekt.games.do.brewery_order import one_forward
from trajekt.games.do.components import REGULAR, do_components
from trajekt.games.do.events import Advertising, EventMoved
from trajekt.games.do.frames import Advertise, BreweryTurn, Delivered, Marketing, SetAside, delivered_fields
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.special_events_in_use import event_not_held, use_event
from trajekt.games.do.state import (
    SHOWN,
    Advertised,
    Bec,
    account,
    breweries,
    charter,
    do_state,
    is_minor,
    owner,
    segment_of,
)
from trajekt.games.do.treasury_shares import not_in_stock
from trajekt.rules.stock_round import worth
from trajekt.rules.tile_laying import phase_of
from trajekt.rules.turn_notes import Once

FAIR, ADVERTISING, DEAL_IN, PREMIUM, MARKETING, INVESTOR, TOLL, SHIFT = "G", "H", "I", "K", "L", "M", "N", "O"
FAIR_MONEY = 10
MOST = 2
"""Squares for Tool production, and certificates for the Investor."""


def holder(state: State, letter: str) -> str:
    """The brewery that holds an event, empty for none."""
    return next((name for name, held in do_state(state).charters.items() if held.event == letter), "")


# Taking --------------------------------------------------------------------------------------------------------------


@check("DO-X-20", "DO-X-32", "DO-X-21")
def may_take(view: View, action: TakeEvent) -> Refusal | None:
    """Refuse an event outside step 5, not in the display, or before its colour; what was used in this turn is not there."""
    turn = turn_on_top(view)
    if turn.step != BUY:
        return refuse(Code.WRONG_STEP, step=BUY)
    if action.letter not in do_state(view.state).events:
        return because(
            WhyNot.EVENT_NOT_SHOWN, letter=action.letter, listed=", ".join(sorted(do_state(view.state).events))
        )
    colour = do_components(view.sheet).events[action.letter]
    if colour not in view.state.current_phase.tiles:
        return refuse(Code.NOT_IN_PHASE, **phase_of(view.sheet, colour))
    return None


def take_options(view: View) -> Iterable[TakeEvent]:
    """Every event in the display."""
    if turn_on_top(view).step == BUY:
        for letter in do_state(view.state).events:
            yield TakeEvent(letter)


def take(draft: Draft, action: TakeEvent) -> None:
    """Lay the own one back first."""
    turn = turn_in(draft)
    own = charter(draft.state, turn.brewery).event
    if own:
        draft.emit(EventMoved(own, turn.brewery, SHOWN, "back"))
    draft.emit(EventMoved(action.letter, SHOWN, turn.brewery, "taken"))
    draft.replace_top(replace(turn, step=AFTER))


@check("DO-BEC-12", "DO-BEC-13")
def purchases_over(view: View, _action: TakeEvent) -> Refusal | None:
    """Refuse step 5 before the duty to own equipment is met."""
    return because(WhyNot.MUST_GET_EQUIPMENT) if must_buy(view.state, turn_on_top(view)) else None


TAKE_EVENT = Rule(TakeEvent, take_options, take, needs=(may_take,), checks=(purchases_over,))


# Using in a turn -----------------------------------------------------------------------------------------------------


@check("DO-X-21")
def holds_event(view: View, action: UseEvent) -> Refusal | None:
    """Refuse an event that is not the brewery's own, or is not one used in a turn and by itself."""
    turn = turn_on_top(view)
    if charter(view.state, turn.brewery).event != action.letter:
        return event_not_held(view.state, turn.brewery, action.letter)
    return None if action.letter in IN_TURN else because(WhyNot.EVENT_AT_OTHER_TIME, letter=action.letter)


@check("DO-X-22", "DO-X-24", "DO-X-26", "DO-X-28", "DO-X-29", "DO-X-30")
def event_right(view: View, action: UseEvent) -> Refusal | None:
    """Refuse an event that does not say what its letter asks, or says anything else."""
    fields = IN_TURN[action.letter].fields
    plain = UseEvent(action.letter)
    for name in UseEvent.__struct_fields__:
        if getattr(action, name) != getattr(plain, name) and name not in fields:
            return because(WhyNot.EVENT_FIELDS, letter=action.letter, asks=action.letter)
    return IN_TURN[action.letter].test(view.state, turn_on_top(view), action)


def kinds_of(becs: Iterable[Bec]) -> str:
    """The types of equipment as a list for a sentence, the highest first."""
    return ", ".join(bec.kind for bec in strongest_first(becs))


def fair_right(_state: State, _turn: BreweryTurn, _action: UseEvent) -> Refusal | None:
    """At any time of the turn (DO-X-22)."""
    return None


def fair(draft: Draft, action: UseEvent) -> None:
    """10 M into the treasury, no income (DO-X-22)."""
    turn = turn_in(draft)
    use_event(draft, turn.brewery, action.letter)
    draft.pay(BANK, account(draft.state, turn.brewery), FAIR_MONEY, "fair")


def aside_right(state: State, turn: BreweryTurn, action: UseEvent) -> Refusal | None:
    """At the beginning: a piece that has not been used, none is aside yet (DO-X-24)."""
    if turn.step != START:
        return refuse(Code.WRONG_STEP, "DO-X-24", step=START)
    if any(isinstance(note, SetAside) for note in turn.done):
        return because(WhyNot.ONE_ASIDE, "DO-X-24")
    kept = do_state(state).advertised
    bears = kept.bec if kept is not None else 0
    free = [b for b in charter(state, turn.brewery).becs if not used_of(turn, b.number).export and b.number != bears]
    if any(bec.number == action.bec for bec in free):
        return None
    return because(WhyNot.UNUSED_PIECE, "DO-X-24", kinds=kinds_of(free))


def put_aside(draft: Draft, action: UseEvent) -> None:
    """Bar the piece from delivering; the event is used when the new piece is bought."""
    turn = turn_in(draft)
    draft.replace_top(replace(turn, done=(*turn.done, SetAside(action.bec))))


def higher(state: State, segment: int) -> int:
    """The next higher segment without a No Demand marker, emptied or not; 0 for none (DO-X-26)."""
    return next((above for above in range(segment + 1, TOP + 1) if not segment_of(state, above).closed), 0)


def premium_right(state: State, turn: BreweryTurn, action: UseEvent) -> Refusal | None:
    """Step 3: a cube delivered in this turn, and a higher segment with demand (DO-X-26)."""
    if turn.step != INCOME:
        return refuse(Code.WRONG_STEP, "DO-X-26", step=INCOME)
    if Delivered(action.segment, action.customers) not in turn.delivered:
        segments = sorted({segment for segment, _ in delivered_fields(turn)})
        return because(WhyNot.CUBE_OF_THIS_TURN, "DO-X-26", segments=", ".join(map(str, segments)))
    if not higher(state, action.segment):
        return because(WhyNot.NO_HIGHER_SEGMENT, "DO-X-26", segment=action.segment)
    return None


def premium(draft: Draft, action: UseEvent) -> None:
    """The cube earns what it would there."""
    turn = turn_in(draft)
    use_event(draft, turn.brewery, action.letter)
    state = draft.state
    above = price(state, higher(state, action.segment), action.customers)
    draft.replace_top(replace(turn, income=turn.income + above - price(state, action.segment, action.customers)))


def stock_sizes(state: State, brewery: str) -> tuple[int, ...]:
    """The sizes of the certificates that a corporation holds itself, in stack order."""
    company = state.companies[brewery]
    return tuple(c.percent for c in company.certificates if c.holder in (IPO, CHARTER) and not c.director)


def investor_right(state: State, turn: BreweryTurn, action: UseEvent) -> Refusal | None:
    """One or two certificates of the stock, in place of the deal of the turn; the pool has room (DO-X-28)."""
    if is_minor(state, turn.brewery):
        return because(WhyNot.NO_OWN_CERTIFICATES, "DO-X-28")
    if not 1 <= len(action.sizes) <= MOST:
        return because(WhyNot.CERTIFICATES_SOLD, "DO-X-28", most=str(MOST), count=str(len(action.sizes)))
    if Once.DEAL in turn.done:
        return because(WhyNot.ONE_DEAL, "DO-X-28")
    held = list(stock_sizes(state, turn.brewery))
    for size in action.sizes:
        if size not in held:
            return not_in_stock(state.companies[turn.brewery], "DO-X-28")
        held.remove(size)
    if action.sizes != tuple(sorted(action.sizes, reverse=True)):
        return because(WhyNot.LARGEST_FIRST, "DO-X-28")
    limit = state.sheet.limits.pool_percent
    if state.companies[turn.brewery].percent(POOL) + sum(action.sizes) > limit:
        return refuse(Code.POOL_LIMIT, "DO-X-28", limit=limit)
    return None


def investor(draft: Draft, action: UseEvent) -> None:
    """Sold at the value, which stays."""
    turn = turn_in(draft)
    draft.replace_top(replace(turn, done=(*turn.done, Once.DEAL)))
    use_event(draft, turn.brewery, action.letter)
    for size in action.sizes:
        company = draft.state.companies[turn.brewery]
        number, place = next(
            (n, c.holder)
            for n, c in enumerate(company.certificates)
            if c.percent == size and c.holder in (IPO, CHARTER) and not c.director
        )
        draft.pay(BANK, turn.brewery, worth(draft.state, turn.brewery, size), "deal")
        draft.emit(CertificateMoved(turn.brewery, number, place, POOL, "deal"))


def half_income(state: State, kind: str) -> int:
    """Half of the regular income of an equipment's segment, rounded down; 0 where it is closed (DO-X-29, DO-X-30)."""
    segment = first_segment(state.sheet, kind)
    return 0 if segment_of(state, segment).closed else price(state, segment, REGULAR) // 2


def toll_right(state: State, turn: BreweryTurn, action: UseEvent) -> Refusal | None:
    """Step 3: one or two squares that are left unused, of any equipment of the brewery (DO-X-29)."""
    if turn.step != INCOME:
        return refuse(Code.WRONG_STEP, "DO-X-29", step=INCOME)
    if not 1 <= action.count <= MOST or (action.other and (action.count != MOST or action.other <= action.bec)):
        return because(WhyNot.SQUARES_NAMED, "DO-X-29", most=str(MOST), count=str(action.count))
    for number, count in units(action).items():
        bec = bec_of(state, turn.brewery, number)
        if bec is None or number not in turn.becs:
            return no_such_piece(state, turn.brewery, "DO-X-29")
        free = free_squares(state, turn, bec)
        if count > free:
            return because(WhyNot.NO_CAPACITY, "DO-X-29", free=max(0, free))
    return None


def units(action: UseEvent) -> Mapping[int, int]:
    """The unused squares, by equipment, that Tool production uses: two of one, or one of each of two."""
    return {action.bec: 1, action.other: 1} if action.other else {action.bec: action.count}


def toll(draft: Draft, action: UseEvent) -> None:
    """Part of the income; no cube moves, and the piece is not used by it."""
    turn = turn_in(draft)
    use_event(draft, turn.brewery, action.letter)
    earned = 0
    for number, count in units(action).items():
        bec = bec_of(draft.state, turn.brewery, number)
        assert bec is not None
        earned += count * half_income(draft.state, bec.kind)
    draft.replace_top(replace(turn, income=turn.income + earned))


def shift_right(state: State, turn: BreweryTurn, action: UseEvent) -> Refusal | None:
    """Step 3: a piece of the brewery, its segment open, a cube in Stock or demand (DO-X-30)."""
    if turn.step != INCOME:
        return refuse(Code.WRONG_STEP, "DO-X-30", step=INCOME)
    bec = bec_of(state, turn.brewery, action.bec)
    if bec is None or action.bec not in turn.becs or set_aside(turn, action.bec):
        held = charter(state, turn.brewery).becs
        there = [b for b in held if b.number in turn.becs and not set_aside(turn, b.number)]
        return because(WhyNot.PIECE_AT_DELIVERY, "DO-X-30", kinds=kinds_of(there))
    segment = first_segment(state.sheet, bec.kind)
    if segment_of(state, segment).closed:
        return refuse(Code.CLOSED, "DO-X-30")
    return None if available(state) else because(WhyNot.NO_CUBES, "DO-X-30", there=0)


def shift(draft: Draft, action: UseEvent) -> None:
    """One cube more for regular customers at half the income; it counts as a delivery of the piece."""
    turn = turn_in(draft)
    use_event(draft, turn.brewery, action.letter)
    bec = bec_of(draft.state, turn.brewery, action.bec)
    assert bec is not None
    earned = half_income(draft.state, bec.kind) + bottling(draft.state, turn.brewery, bec.number)
    draft.replace_top(replace(with_use(turn, bec.number, dortmund=1), income=turn.income + earned))
    draw(draft, MarketField(SUPPLY, first_segment(draft.sheet, bec.kind), REGULAR), 1, "shift")


class Use:
    """Use of an event in a turn: its judge, its effect, and the fields of the action it reads."""

    __slots__ = ("effect", "fields", "test")

    def __init__(
        self,
        test: Callable[[State, BreweryTurn, UseEvent], Refusal | None],
        effect: Callable[[Draft, UseEvent], None],
        *fields: str,
    ) -> None:
        self.test, self.effect, self.fields = test, effect, fields


IN_TURN: Mapping[str, Use] = {
    FAIR: Use(fair_right, fair),
    DEAL_IN: Use(aside_right, put_aside, "bec"),
    PREMIUM: Use(premium_right, premium, "segment", "customers"),
    INVESTOR: Use(investor_right, investor, "sizes"),
    TOLL: Use(toll_right, toll, "bec", "count", "other"),
    SHIFT: Use(shift_right, shift, "bec"),
}


def use_options(view: View) -> Iterable[UseEvent]:
    """All that the event held could be used on."""
    turn, state = turn_on_top(view), view.state
    held = charter(state, turn.brewery)
    letter = held.event
    if letter == FAIR:
        yield UseEvent(letter)
    elif letter in (DEAL_IN, SHIFT):
        for bec in held.becs:
            yield UseEvent(letter, bec=bec.number)
    elif letter == PREMIUM:
        for segment, customers in delivered_fields(turn):
            yield UseEvent(letter, segment=segment, customers=customers)
    elif letter == TOLL:
        for bec in held.becs:
            for count in range(1, MOST + 1):
                yield UseEvent(letter, bec=bec.number, count=count)
        for one, other in combinations(sorted(bec.number for bec in held.becs), MOST):
            yield UseEvent(letter, bec=one, count=MOST, other=other)
    elif letter == INVESTOR and not is_minor(state, turn.brewery):
        sizes = sorted(set(stock_sizes(state, turn.brewery)), reverse=True)
        for count in range(1, MOST + 1):
            for chosen in combinations_with_replacement(sizes, count):
                yield UseEvent(letter, sizes=chosen)


USE_EVENT = Rule(
    UseEvent,
    use_options,
    lambda draft, action: IN_TURN[action.letter].effect(draft, action),
    needs=(holds_event, event_right),
)


# Advertising and Marketing, which are used outside of a turn -----------------------------------------------------------


def ask_for_advertising(draft: Draft) -> None:
    """At the start of a brewery round its holder may use Advertising (DO-X-23)."""
    name = holder(draft.state, ADVERTISING)
    if name in breweries(draft.state):
        draft.push(Advertise(name))


def advertised_field(state: State, brewery: str, number: int) -> tuple[int, int] | None:
    """The demand field from which a piece takes its cube: regular before new, then the next lower segment."""
    bec = bec_of(state, brewery, number)
    if bec is None:
        return None
    return next((f for f in fields_below(state, bec.kind) if segment_of(state, f[0]).demand[f[1]]), None)


@check("DO-X-23")
def advertising_right(view: View, action: UseEvent) -> Refusal | None:
    """Refuse a piece that is not the holder's, or has no cube in its segment or a lower one."""
    frame = view.frame
    assert isinstance(frame, Advertise)
    if action.letter != ADVERTISING:
        return because(WhyNot.ONLY_THIS_EVENT, letter=ADVERTISING)
    if action != UseEvent(ADVERTISING, bec=action.bec):
        return because(WhyNot.EVENT_FIELDS, letter=ADVERTISING, asks=ADVERTISING)
    if bec_of(view.state, frame.brewery, action.bec) is None:
        return no_such_piece(view.state, frame.brewery)
    found = advertised_field(view.state, frame.brewery, action.bec)
    return because(WhyNot.NO_CUBE_BELOW) if found is None else None


def advertise_options(view: View) -> Iterable[UseEvent]:
    """Every piece of the holder."""
    frame = view.frame
    assert isinstance(frame, Advertise)
    return (UseEvent(ADVERTISING, bec=bec.number) for bec in charter(view.state, frame.brewery).becs)


def advertise(draft: Draft, action: UseEvent) -> None:
    """Set the cube aside on the piece until its brewery delivers."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, Advertise)
    place = advertised_field(draft.state, frame.brewery, action.bec)
    assert place is not None
    draft.pop()
    use_event(draft, frame.brewery, ADVERTISING)
    draft.emit(Advertising(Advertised(frame.brewery, action.bec, *place)))


def asked(state: State, frame: Advertise | Marketing) -> Sequence[Seat]:
    """The owner or director of the holder."""
    seat = owner(state, frame.brewery)
    return () if seat is None else (seat,)


LET_GO = Rule(Pass, lambda _view: (Pass(),), lambda draft, _action: draft.pop())


def run_advertise(draft: Draft, frame: Advertise) -> None:
    """Without a piece that could take a cube nothing is asked."""
    pieces = charter(draft.state, frame.brewery).becs
    if not any(advertised_field(draft.state, frame.brewery, bec.number) for bec in pieces):
        draft.pop()


ADVERTISE = Duty(
    Advertise,
    rule="DO-X-23",
    who=asked,
    menu=(Rule(UseEvent, advertise_options, advertise, needs=(advertising_right,)), LET_GO),
    run=run_advertise,
    not_your_turn=(Code.NOT_DIRECTOR, "DO-X-23"),
)


def ask_for_marketing(draft: Draft) -> None:
    """After the new order its holder may use Marketing, unless it is first already (DO-X-27)."""
    name = holder(draft.state, MARKETING)
    if name in breweries(draft.state)[1:]:
        draft.push(Marketing(name))


@check("DO-X-27")
def marketing_right(_view: View, action: UseEvent) -> Refusal | None:
    """Refuse all but the event by itself."""
    if action.letter != MARKETING:
        return because(WhyNot.ONLY_THIS_EVENT, letter=MARKETING)
    return None if action == UseEvent(MARKETING) else because(WhyNot.EVENT_FIELDS, letter=MARKETING, asks=MARKETING)


def market(draft: Draft, _action: UseEvent) -> None:
    """One place forward."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, Marketing)
    draft.pop()
    draft.emit(EventMoved(MARKETING, frame.brewery, SHOWN, "used"))
    one_forward(draft, frame.brewery)


MARKETING_DUTY = Duty(
    Marketing,
    rule="DO-X-27",
    who=asked,
    menu=(Rule(UseEvent, lambda _view: (UseEvent(MARKETING),), market, needs=(marketing_right,)), LET_GO),
    not_your_turn=(Code.NOT_DIRECTOR, "DO-X-27"),
)
