"""Equipment of breweries: limits, disposal, purchase, and what is removed for want of demand (DO-BEC)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from trajekt.engine.components.schema import TrainKind
from trajekt.engine.events import PhaseBegan
from trajekt.engine.ruleset import Code, Draft, Duty, Reaction, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, Seat, State
from trajekt.games.do.actions import BuyBec, DiscardBec, DisposeBec
from trajekt.games.do.beer_cubes import demand
from trajekt.games.do.beer_deliveries import TOP, used_of
from trajekt.games.do.components import card_of, limits_of
from trajekt.games.do.events import BecsMoved, CardTaken, MarkerAligned
from trajekt.games.do.frames import BreweryTurn, SetAside, TooManyBecs
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.special_events_in_use import event_not_held, use_event
from trajekt.games.do.state import REMOVED, Bec, account, breweries, charter, do_state, is_minor, owner, treasury_of
from trajekt.rules.trains import on_display, price_of
from trajekt.rules.turn_notes import Once

START, INCOME, BUY, AFTER = "start", "income", "buy", "after"
"""The steps of a brewery's turn: disposal and loading, use of the income, purchases, a special event taken."""

FIRST_KIND = "2"
"""The type of which two may be bought in a turn while its phase lasts (DO-BEC-10)."""


def turn_on_top(view: View) -> BreweryTurn:
    """The brewery turn on top, which must be there."""
    assert isinstance(view.frame, BreweryTurn)
    return view.frame


def turn_in(draft: Draft) -> BreweryTurn:
    """The brewery turn on top of a draft."""
    top = draft.state.agenda[-1]
    assert isinstance(top, BreweryTurn)
    return top


def limit(state: State, brewery: str) -> int:
    """The number of pieces of equipment that a brewery may own now (DO-BEC-02)."""
    limits = limits_of(state.sheet, state.phase)
    return limits.minor if is_minor(state, brewery) else limits.corporation


def holders(state: State) -> tuple[str, ...]:
    """Every brewery with equipment: in brewery order, then corporations that have not floated."""
    known = breweries(state)
    return (*known, *sorted(name for name, held in do_state(state).charters.items() if held.becs and name not in known))


def bec_of(state: State, brewery: str, number: int) -> Bec | None:
    """An equipment of a brewery by its number."""
    return next((bec for bec in charter(state, brewery).becs if bec.number == number), None)


def no_such_piece(state: State, brewery: str, rule: str = "") -> Refusal:
    """Refusal of an equipment that is none of a brewery's, with the types that it has, the highest first."""
    kinds = sorted((int(bec.kind) for bec in charter(state, brewery).becs), reverse=True)
    return because(WhyNot.NO_EQUIPMENT, rule, company=brewery, kinds=", ".join(map(str, kinds)))


def remove(draft: Draft, brewery: str, numbers: Sequence[int], cause: str) -> None:
    """Equipment leaves the game; its bottling lines wait for another (DO-X-09)."""
    for marker in charter(draft.state, brewery).markers:
        if marker.bec in numbers:
            draft.emit(MarkerAligned(brewery, marker.code, marker.bec, 0))
    if numbers:
        draft.emit(BecsMoved(brewery, REMOVED, tuple(numbers), cause))


# Above the limit -----------------------------------------------------------------------------------------------------


def ask_for_discards(draft: Draft, *first: str) -> None:
    """Breweries above their limit choose what leaves, in brewery order (DO-BEC-02, DO-PHASE-05, DO-TRADEIN-04)."""
    order = first or holders(draft.state)
    over = tuple(name for name in order if excess(draft.state, name) > 0)
    if over:
        draft.push(TooManyBecs(over))


def excess(state: State, brewery: str) -> int:
    """The number of pieces of equipment above the limit."""
    return len(charter(state, brewery).becs) - limit(state, brewery)


def chooser(state: State, frame: TooManyBecs) -> Sequence[Seat]:
    """The owner or director of the first brewery."""
    seat = owner(state, frame.breweries[0]) if frame.breweries else None
    return () if seat is None else (seat,)


def run_discards(draft: Draft, frame: TooManyBecs) -> None:
    """Drop breweries within the limit; where all pieces are alike nobody need choose."""
    if not frame.breweries:
        draft.pop()
        return
    brewery = frame.breweries[0]
    over = excess(draft.state, brewery)
    if over <= 0:
        draft.replace_top(TooManyBecs(frame.breweries[1:]))
        return
    held = charter(draft.state, brewery)
    alike = len({(bec.kind, bec.idle) for bec in held.becs}) == 1 and not any(m.bec for m in held.markers)
    advertised = do_state(draft.state).advertised
    alike = alike and (advertised is None or advertised.brewery != brewery)
    if owner(draft.state, brewery) is None or (alike and not isinstance_turn_of(draft.state, brewery)):
        remove(draft, brewery, [bec.number for bec in held.becs[:over]], "limit")


def isinstance_turn_of(state: State, brewery: str) -> bool:
    """Tell whether the brewery is in its turn: then equal pieces may differ in what they were used for."""
    return any(isinstance(frame, BreweryTurn) and frame.brewery == brewery for frame in state.agenda)


@check("DO-BEC-02", "DO-TRADEIN-04")
def own_surplus(view: View, action: DiscardBec) -> Refusal | None:
    """Refuse a piece that is none of the brewery that is to choose."""
    frame = view.frame
    assert isinstance(frame, TooManyBecs)
    if action.brewery != frame.breweries[0] or bec_of(view.state, action.brewery, action.number) is None:
        return no_such_piece(view.state, frame.breweries[0])
    return None


def discard_options(view: View) -> Iterable[DiscardBec]:
    """Every piece."""
    frame = view.frame
    assert isinstance(frame, TooManyBecs)
    brewery = frame.breweries[0]
    return (DiscardBec(brewery, bec.number) for bec in charter(view.state, brewery).becs)


TOO_MANY_BECS = Duty(
    TooManyBecs,
    rule="DO-BEC-02",
    who=chooser,
    menu=(
        Rule(
            DiscardBec,
            discard_options,
            lambda draft, action: remove(draft, action.brewery, [action.number], "limit"),
            needs=(own_surplus,),
        ),
    ),
    run=run_discards,
    not_your_turn=(Code.NOT_DIRECTOR, "DO-BEC-02"),
)

BEC_LIMIT_FALLS = Reaction(PhaseBegan, ("DO-BEC-02", "DO-PHASE-02"), lambda draft, _event: ask_for_discards(draft))


# Without demand, idle ------------------------------------------------------------------------------------------------


def without_demand(state: State, bec: Bec) -> bool:
    """Tell whether an equipment goes for want of demand: no cube in its segment; type 8 has none of its own (DO-BEC-03)."""
    number = int(bec.kind)
    return number <= TOP and not demand(state, number)


def remove_without_demand(draft: Draft) -> None:
    """At the start of a brewery round, from every holder (DO-BEC-03)."""
    for brewery in holders(draft.state):
        gone = [bec.number for bec in charter(draft.state, brewery).becs if without_demand(draft.state, bec)]
        remove(draft, brewery, gone, "no_demand")


# Disposal ------------------------------------------------------------------------------------------------------------


@check("DO-BEC-01")
def may_dispose(view: View, action: DisposeBec) -> Refusal | None:
    """Refuse a second piece, one that is not the brewery's (DO-BEC-06), and any after step 1 or what step 2 begins with."""
    turn = turn_on_top(view)
    if turn.step != START or turn.used:
        return refuse(Code.WRONG_STEP, step=START)
    if Once.DISPOSAL in turn.done:
        return because(WhyNot.ONE_DISPOSAL)
    return None if bec_of(view.state, turn.brewery, action.number) else no_such_piece(view.state, turn.brewery)


def dispose_options(view: View) -> Iterable[DisposeBec]:
    """Yield every piece; of equal ones one may bear a bottling line or an advertised cube."""
    turn = turn_on_top(view)
    if turn.step == START:
        yield from (DisposeBec(bec.number) for bec in charter(view.state, turn.brewery).becs)


def set_aside(turn: BreweryTurn, number: int) -> bool:
    """Tell whether a piece was turned aside to be handed in (DO-X-24)."""
    return SetAside(number) in turn.done


def dispose(draft: Draft, action: DisposeBec) -> None:
    """Take it out of the game."""
    turn = turn_in(draft)
    left = tuple(number for number in turn.becs if number != action.number)
    draft.replace_top(replace(turn, becs=left, done=(*turn.done, Once.DISPOSAL)))
    remove(draft, turn.brewery, [action.number], "disposed")


DISPOSE = Rule(DisposeBec, dispose_options, dispose, needs=(may_dispose,))


# Purchase ------------------------------------------------------------------------------------------------------------


def for_brewery(state: State, brewery: str, kind: TrainKind) -> bool:
    """Tell whether a brewery may own a type: types 6 and 8 are not for minors (DO-BEC-11)."""
    return not (is_minor(state, brewery) and card_of(state.sheet, kind).not_for_minors)


def may_buy_card(state: State, turn: BreweryTurn, kind: TrainKind) -> bool:
    """Tell whether the number of purchases of this turn allows another one: two of type 2 in its phase, else one (DO-BEC-10).

    A marker counts as one of them (DO-X-03).
    """
    made = turn.bought + turn.markers
    return not made or (kind == FIRST_KIND and made < limits_of(state.sheet, state.phase).purchases)


def leaving(action: BuyBec) -> int:
    """The piece that leaves for the new one, 0 for none."""
    return action.deal_in or action.upgrade


def cost(state: State, turn: BreweryTurn, action: BuyBec) -> int:
    """The price in Mark: 20 less for each number of the type handed in, not below 0 (DO-X-24)."""
    price = price_of(state, action.card)
    handed = bec_of(state, turn.brewery, action.deal_in)
    return price if handed is None else max(0, price - 20 * int(handed.kind))


@check("DO-BREW-01")
def buying_step(view: View, _action: BuyBec) -> Refusal | None:
    """Refuse a purchase outside step 4."""
    turn = turn_on_top(view)
    return None if turn.step == BUY else refuse(Code.WRONG_STEP, step=BUY)


@check("DO-BEC-10", "DO-BEC-06", "DO-SETUP-03")
def equipment_on_display(view: View, action: BuyBec) -> Refusal | None:
    """Refuse all but the lowest type on display, or type 8 beside type 6. A minor buys no 6 and 8 (DO-BEC-11)."""
    turn = turn_on_top(view)
    display = on_display(view.state)
    if action.card not in display:
        if display and view.state.depot.display.get(action.card):
            return because(WhyNot.LOWER_TYPE_FIRST, kind=display[0])
        return because(WhyNot.NO_SUCH_CARD, kind=action.card, kinds=", ".join(display))
    if not for_brewery(view.state, turn.brewery, action.card):
        return because(WhyNot.NOT_FOR_MINORS, "DO-BEC-11", train=action.card)
    return None


@check("DO-BEC-10", "DO-X-03", "DO-PHASE-04")
def purchase_left(view: View, action: BuyBec) -> Refusal | None:
    """Refuse a second piece in a brewery round, of type 2 a third."""
    turn = turn_on_top(view)
    return None if may_buy_card(view.state, turn, action.card) else purchases_done(view.state, turn)


def purchases_done(state: State, turn: BreweryTurn, rule: str = "") -> Refusal:
    """Refusal of one purchase more; in the first phase it says that type 2 is bought twice."""
    two = FIRST_KIND if limits_of(state.sheet, state.phase).purchases > 1 else ""
    return because(WhyNot.PURCHASES_DONE, rule, company=turn.brewery, two=two)


@check("DO-X-24", "DO-X-25")
def exchange_right(view: View, action: BuyBec) -> Refusal | None:
    """Refuse to hand in a piece that has delivered in this turn (event I), or one that has not (event J), and without event."""
    turn = turn_on_top(view)
    number = leaving(action)
    if not number:
        return None
    rule, letter = ("DO-X-24", "I") if action.deal_in else ("DO-X-25", "J")
    if action.deal_in and action.upgrade:
        return because(WhyNot.ONE_EXCHANGE, rule)
    if charter(view.state, turn.brewery).event != letter:
        return event_not_held(view.state, turn.brewery, letter, rule)
    bec = bec_of(view.state, turn.brewery, number)
    if bec is None:
        return no_such_piece(view.state, turn.brewery, rule)
    used = used_of(turn, number)
    if bool(used.dortmund or used.export) == bool(action.upgrade):
        return None
    return because(WhyNot.HAS_DELIVERED if action.deal_in else WhyNot.HAS_NOT_DELIVERED, rule, kind=bec.kind)


@check("DO-BEC-10", "DO-BEC-05")
def room_for_equipment(view: View, action: BuyBec) -> Refusal | None:
    """Refuse a purchase at the limit, unless a piece leaves for it."""
    turn = turn_on_top(view)
    most = limit(view.state, turn.brewery)
    owned = len(charter(view.state, turn.brewery).becs) - bool(leaving(action))
    return because(WhyNot.EQUIPMENT_LIMIT, limit=most) if owned >= most else None


@check("DO-BEC-11", "DO-BEC-14")
def can_pay(view: View, action: BuyBec) -> Refusal | None:
    """Refuse what the treasury cannot pay; the owner of a minor adds up to half of the price."""
    turn, state = turn_on_top(view), view.state
    price, treasury = cost(state, turn, action), treasury_of(view.state, turn_on_top(view).brewery)
    if not action.help:
        return refuse(Code.UNAFFORDABLE, cost=price, cash=treasury) if treasury < price else None
    lacking = price - treasury
    if not is_minor(state, turn.brewery):
        return because(WhyNot.HELP_FOR_MINORS, "DO-BEC-14", company=turn.brewery)
    if lacking <= 0:
        return because(WhyNot.TREASURY_FIRST, treasury=treasury, cost=price)
    if 2 * lacking > price:
        return because(WhyNot.HELP_TOO_MUCH, missing=lacking, most=price // 2)
    cash = view.player.cash
    return refuse(Code.UNAFFORDABLE, cost=lacking, cash=cash) if lacking > cash else None


def buy_options(view: View) -> Iterable[BuyBec]:
    """Every type on display, with and without help, with and without a piece that leaves."""
    turn, state = turn_on_top(view), view.state
    if turn.step != BUY:
        return
    held = charter(state, turn.brewery)
    helps = (False, True) if is_minor(state, turn.brewery) else (False,)
    for kind in on_display(state):
        for help_ in helps:
            yield BuyBec(kind, help_)
            if held.event in ("I", "J"):
                for bec in held.becs:
                    yield BuyBec(kind, help_, **{"deal_in" if held.event == "I" else "upgrade": bec.number})


def take_equipment(draft: Draft, brewery: str, kind: TrainKind) -> None:
    """The card of the display shows its back from now on (DO-BEC-15); the first of its type begins a phase (DO-PHASE-01)."""
    turn = turn_in(draft)
    draft.replace_top(replace(turn, bought=turn.bought + 1))
    draft.emit(CardTaken(brewery, kind))


def buy(draft: Draft, action: BuyBec) -> None:
    """Treasury first, then the owner's help (DO-BEC-11)."""
    turn, state = turn_in(draft), draft.state
    price = cost(state, turn, action)
    paid = min(price, treasury_of(state, turn.brewery))
    draft.pay(account(state, turn.brewery), BANK, paid, "equipment")
    draft.pay(draft.seat, BANK, price - paid, "equipment_help")
    number = leaving(action)
    if number:
        use_event(draft, turn.brewery, "I" if action.deal_in else "J")
        remove(draft, turn.brewery, [number], "handed_in")
    take_equipment(draft, turn.brewery, action.card)


BUY_BEC = Rule(
    BuyBec,
    buy_options,
    buy,
    needs=(buying_step, equipment_on_display, exchange_right),
    checks=(purchase_left, room_for_equipment, can_pay),
)


# The duty to own some ------------------------------------------------------------------------------------------------


def must_buy(state: State, turn: BreweryTurn) -> bool:
    """Tell whether a brewery may not end its turn without equipment (DO-BEC-12, DO-BEC-13).

    A corporation as long as there is any on display; a minor only where its treasury alone pays.
    """
    if charter(state, turn.brewery).becs or turn.step == AFTER:  # an event after the purchases makes no new duty
        return False
    kinds = [k for k in on_display(state) if for_brewery(state, turn.brewery, k) and may_buy_card(state, turn, k)]
    if not is_minor(state, turn.brewery):
        return bool(kinds)
    return any(price_of(state, kind) <= treasury_of(state, turn.brewery) for kind in kinds)
