"""Minor capital expenditure markers of the Expert Game: pubs, bottling lines, beer wagons (DO-X-01 to -13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from trajekt.engine.actions import Accept, Decline, Pass
from trajekt.engine.frame_notes import Note
from trajekt.engine.ruleset import Code, Draft, Duty, Option, Refusal, Rule, View, check, refuse, spans_between
from trajekt.engine.state import BANK, Account, Frame, Seat, State, set_aside_name
from trajekt.games.do.actions import AlignBottlingLine, BuyMarker, DiscardMarker
from trajekt.games.do.brewery_equipment import BUY, START, bec_of, must_buy, no_such_piece, purchases_done, turn_on_top
from trajekt.games.do.components import MarkerKind, do_components, is_railway, limits_of
from trajekt.games.do.events import EventMoved, MarkerAligned, MarkerMoved
from trajekt.games.do.frames import BreweryTurn, FirstMarkers, MarkerOffer, TooManyMarkers
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import REMOVED, SHOWN, Marker, account, breweries, charter, do_state, is_minor, owner
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.tile_laying import phase_of
from trajekt.rules.turn_notes import Declined, Once, declined_prices

PUB, LINE, WAGON = "pub", "bottling_line", "beer_wagon"


def places(state: State, company: str) -> int:
    """The number of markers that a charter has room for: minor 1, brewery corporation 2, railway 1 (DO-X-04)."""
    printed = do_components(state.sheet).marker_places
    if is_minor(state, company):
        return printed["minor_brewery"]
    return printed["railway" if is_railway(state.sheet, company) else "brewery_corporation"]


def kind_of(state: State, code: str) -> MarkerKind | None:
    """The printed marker of a code."""
    return do_components(state.sheet).markers.get(code)


def pay_pubs(draft: Draft) -> None:
    """At the start of a brewery round every pub pays into its treasury: no income, no dividend (DO-X-08).

    A corporation that has not floated gets nothing for the pub of a minor traded in.
    """
    for brewery in breweries(draft.state):
        amount = sum(
            kind.revenue
            for marker in charter(draft.state, brewery).markers
            if (kind := kind_of(draft.state, marker.code)) is not None and kind.does == PUB
        )
        draft.pay(BANK, account(draft.state, brewery), amount, "pub")


# Buying --------------------------------------------------------------------------------------------------------------


def buyer_of(frame: Frame) -> str:
    """The company that would buy: whose turn it is, or the next minor before the first stock round."""
    if isinstance(frame, BreweryTurn):
        return frame.brewery
    if isinstance(frame, CompanyTurn):
        return frame.company
    assert isinstance(frame, FirstMarkers)
    return frame.minors[0]


@check("DO-X-03", "DO-X-11", "DO-X-13")
def marker_step(view: View, _action: BuyMarker) -> Refusal | None:
    """Refuse all but step 4 of a brewery, in place of equipment (in yellow beside one), and step 7 of a railway."""
    frame, state = view.frame, view.state
    if not do_state(state).markers and not do_state(state).events:
        return refuse(Code.NOT_IN_RULESET)
    if isinstance(frame, BreweryTurn):
        if frame.step != BUY:
            return refuse(Code.WRONG_STEP, step=BUY)
        two = limits_of(state.sheet, state.phase).purchases > 1
        if frame.markers or frame.bought > (1 if two else 0):
            return purchases_done(state, frame, "DO-X-03")
        return because(WhyNot.MUST_GET_EQUIPMENT, "DO-BEC-12") if must_buy(state, frame) else None
    if isinstance(frame, CompanyTurn):
        if frame.step != "trains":
            return refuse(Code.WRONG_STEP, "DO-X-11", step="trains")
        if Once.RAILWAY_WAGON in frame.used:
            return because(WhyNot.WAGON_BOUGHT, "DO-X-11", company=frame.company)
        if frame.bought:
            return because(WhyNot.TRAIN_BOUGHT, "DO-X-11", company=frame.company)
        owned = view.state.companies[frame.company].trains
        return None if owned else refuse(Code.MUST_BUY_TRAIN, "DO-X-11", company=frame.company)
    return None


@check("DO-X-02", "DO-X-06", "DO-X-11")
def marker_there(view: View, action: BuyMarker) -> Refusal | None:
    """Refuse a marker not on display in its colour and not on another charter; a railway buys only a beer wagon."""
    state, buyer = view.state, buyer_of(view.frame)
    kind = kind_of(state, action.code)
    if kind is None:
        return because(
            WhyNot.NO_SUCH_MARKER, name=action.code, listed=", ".join(sorted(do_components(view.sheet).markers))
        )
    if is_railway(state.sheet, buyer) and kind.does != WAGON:
        return because(WhyNot.ONLY_BEER_WAGON, "DO-X-11", company=buyer)
    return _on_display(view, action, kind) if action.source == SHOWN else _on_charter(view, action, buyer, kind)


def _on_display(view: View, action: BuyMarker, kind: MarkerKind) -> Refusal | None:
    shown = sorted(code for code, count in do_state(view.state).markers.items() if count)
    if action.code not in shown:
        return because(WhyNot.NOT_SHOWN, "DO-X-01", code=action.code, listed=", ".join(shown))
    open_now = kind.phase in view.state.current_phase.tiles
    return None if open_now else refuse(Code.NOT_IN_PHASE, **phase_of(view.sheet, kind.phase))


def _on_charter(view: View, action: BuyMarker, buyer: str, kind: MarkerKind) -> Refusal | None:
    state = view.state
    if isinstance(view.frame, FirstMarkers):
        return because(WhyNot.FROM_DISPLAY_ONLY, "DO-X-13")
    if action.source == buyer:
        return because(WhyNot.BUYS_OF_ANOTHER, "DO-X-06", company=buyer, code=action.code)
    if is_railway(state.sheet, buyer) and is_railway(state.sheet, action.source):
        return because(WhyNot.WAGON_OF_RAILWAY, "DO-X-11", company=action.source)
    if not known(state, action.source) or owner(state, action.source) is None:
        return because(WhyNot.MARKER_NOT_HELD, "DO-X-06", company=action.source, code=action.code, listed="")
    if all(marker.code != action.code for marker in charter(state, action.source).markers):
        return not_held(state, action.source, action.code, "DO-X-06")
    if kind.does == WAGON and wagon_bears(state, action.source):
        return because(WhyNot.WAGON_LOADED, "DO-X-12", company=action.source)
    return None


def not_held(state: State, company: str, code: str, rule: str = "") -> Refusal:
    """Refusal of a marker that does not lie on a charter; it names those that do."""
    held = ", ".join(sorted(marker.code for marker in charter(state, company).markers))
    return because(WhyNot.MARKER_NOT_HELD, rule, company=company, code=code, listed=held)


def wagon_bears(state: State, company: str) -> bool:
    """Tell whether a cube lies on the beer wagon of a railway: one of its trains bears more than its own squares (DO-X-12)."""
    cards = do_components(state.sheet).cards
    return any(load.cubes > cards[load.train].wagons for load in do_state(state).loads.get(company, ()))


def known(state: State, company: str) -> bool:
    """Tell whether an id names a minor or a corporation."""
    return company in state.companies or is_minor(state, company)


def price_range(kind: MarkerKind) -> tuple[int, int]:
    """From 50 to 150 per cent of the face value (DO-X-06)."""
    return -(-kind.price // 2), kind.price * 3 // 2


@check("DO-X-02", "DO-X-06")
def marker_price(view: View, action: BuyMarker) -> Refusal | None:
    """Refuse a price other than the face value to the bank, or beyond 50 to 150 per cent of it to another company."""
    kind = kind_of(view.state, action.code)
    assert kind is not None
    if action.source == SHOWN:
        right = action.price == kind.price
        return None if right else because(WhyNot.MARKER_COSTS, "DO-X-02", code=action.code, price=kind.price)
    low, high = price_range(kind)
    return None if low <= action.price <= high else because(WhyNot.PRICE_BETWEEN, "DO-X-06", low=low, high=high)


@check("DO-X-04")
def place_for_marker(view: View, action: BuyMarker) -> Refusal | None:
    """Refuse a marker without a free place; who is full gives one back, and only who is full."""
    state, buyer = view.state, buyer_of(view.frame)
    held = [marker.code for marker in charter(state, buyer).markers]
    full = len(held) >= places(state, buyer)
    if full != bool(action.back):
        return because(WhyNot.MARKER_PLACES, places=places(state, buyer))
    return not_held(state, buyer, action.back) if full and action.back not in held else None


@check("DO-X-05", "DO-X-13")
def marker_paid(view: View, action: BuyMarker) -> Refusal | None:
    """Refuse what the treasury cannot pay, without help (`mcm_subsidy`); before the first stock round the owner's cash."""
    money = purse_of(view.state, payer(view.state, view.frame))
    return refuse(Code.UNAFFORDABLE, cost=action.price, cash=money) if action.price > money else None


def payer(state: State, frame: Frame) -> Account:
    """The account that pays for a marker."""
    if isinstance(frame, FirstMarkers):
        seat = owner(state, frame.minors[0])
        assert seat is not None
        return seat
    return account(state, buyer_of(frame))


def purse_of(state: State, who: Account) -> int:
    """The money of an account, in Mark."""
    if isinstance(who, int):
        return state.players[who].cash
    found = state.companies.get(who)
    return found.treasury if found is not None else state.aside.get(set_aside_name(who), 0)


@check("DO-X-06")
def not_declined(view: View, action: BuyMarker) -> Refusal | None:
    """Refuse an offer that was declined in this turn."""
    if action.price not in declined_prices(notes_of(view.frame), action.source, action.code):
        return None
    return because(WhyNot.OFFER_DECLINED, company=action.source, code=action.code, price=action.price)


def notes_of(frame: Frame) -> Sequence[Note]:
    """The notes of a brewery's or a railway's turn; none of any other frame."""
    return frame.done if isinstance(frame, BreweryTurn) else frame.used if isinstance(frame, CompanyTurn) else ()


def marker_options(view: View) -> Iterable[BuyMarker | Option[BuyMarker]]:
    """Every marker of the display and of other charters, with every one that could be given back."""
    state, frame = view.state, view.frame
    extra = do_state(state)
    step = BUY if isinstance(frame, BreweryTurn) else "trains"
    if not (extra.markers or extra.events) or (isinstance(frame, BreweryTurn | CompanyTurn) and frame.step != step):
        return
    buyer = buyer_of(frame)
    held = [marker.code for marker in charter(state, buyer).markers]
    for back in dict.fromkeys(held) if len(held) >= places(state, buyer) else [""]:
        for code, kind in do_components(state.sheet).markers.items():
            if extra.markers.get(code):
                yield BuyMarker(code, SHOWN, kind.price, back)
            yield from _offers(view, code, kind, back)


def _offers(view: View, code: str, kind: MarkerKind, back: str) -> Iterable[Option[BuyMarker]]:
    """A kind of marker on the charters of others, at every price that may be offered."""
    state, frame = view.state, view.frame
    buyer, (low, high) = buyer_of(frame), price_range(kind)
    most = min(high, purse_of(state, payer(state, frame)))
    if most < low:
        return
    for seller, there in do_state(state).charters.items():
        if seller != buyer and any(marker.code == code for marker in there.markers):
            for span in spans_between(low, most, declined_prices(notes_of(frame), seller, code)):
                yield Option(BuyMarker(code, seller, span.low, back), {"price": span})


def buy_marker(draft: Draft, action: BuyMarker) -> None:
    """Buy at once from the display or where one player sits on both sides, else ask."""
    frame = draft.state.agenda[-1]
    buyer = buyer_of(frame)
    if action.source != SHOWN and owner(draft.state, action.source) != draft.seat:
        draft.push(MarkerOffer(buyer, action.source, action.code, action.price, action.back))
        return
    take_marker(draft, buyer, action.source, action.code, action.price, action.back)


def take_marker(draft: Draft, buyer: str, source: str, code: str, price: int, back: str) -> None:
    """Pay, give back what makes room, take the marker; it is the purchase of the step."""
    frame = draft.state.agenda[-1]
    seller: Account = BANK if source == SHOWN else account(draft.state, source)
    draft.pay(payer(draft.state, frame), seller, price, "marker")
    if isinstance(frame, BreweryTurn):
        draft.replace_top(replace(frame, markers=frame.markers + 1))
    elif isinstance(frame, CompanyTurn):
        draft.replace_top(replace(frame, used=(*frame.used, Once.RAILWAY_WAGON)))
    elif isinstance(frame, FirstMarkers):
        draft.replace_top(FirstMarkers(frame.minors[1:]))
    if back:
        give_back(draft, buyer, back)
    line = 0 if source == SHOWN else a_line(draft.state, source, code).bec
    draft.emit(MarkerMoved(code, source, buyer, "bought", line))


def a_line(state: State, company: str, code: str) -> Marker:
    """A marker of a code on a charter: one that waits rather than one that is aligned."""
    return min((m for m in charter(state, company).markers if m.code == code), key=lambda m: m.bec)


def give_back(draft: Draft, company: str, code: str) -> None:
    """A marker returns to the display."""
    draft.emit(MarkerMoved(code, company, SHOWN, "back", a_line(draft.state, company, code).bec))


BUY_MARKER = Rule(
    BuyMarker,
    marker_options,
    buy_marker,
    needs=(marker_step, marker_there, marker_price),
    checks=(place_for_marker, marker_paid, not_declined),
)


# Offers --------------------------------------------------------------------------------------------------------------


def asked(state: State, offer: MarkerOffer) -> Sequence[Seat]:
    """The owner or director of the seller."""
    seat = owner(state, offer.seller)
    return () if seat is None else (seat,)


def accept(draft: Draft, _action: Accept) -> None:
    """The marker changes charters; here alone money passes between railways and breweries (DO-X-11)."""
    offer = draft.state.agenda[-1]
    assert isinstance(offer, MarkerOffer)
    draft.pop()
    take_marker(draft, offer.buyer, offer.seller, offer.code, offer.price, offer.back)


def decline(draft: Draft, _action: Decline) -> None:
    """Nothing changes; the same is not offered again in the turn."""
    offer = draft.state.agenda[-1]
    assert isinstance(offer, MarkerOffer)
    draft.pop()
    frame, note = draft.state.agenda[-1], Declined(offer.seller, offer.code, offer.price)
    if isinstance(frame, BreweryTurn):
        draft.replace_top(replace(frame, done=(*frame.done, note)))
    elif isinstance(frame, CompanyTurn):
        draft.replace_top(replace(frame, used=(*frame.used, note)))


MARKER_OFFER = Duty(
    MarkerOffer,
    rule="DO-X-06",
    who=asked,
    menu=(Rule(Accept, lambda _view: (Accept(),), accept), Rule(Decline, lambda _view: (Decline(),), decline)),
    not_your_turn=(Code.NOT_DIRECTOR, "DO-X-06"),
)


# Before the first stock round ------------------------------------------------------------------------------------------


def first_buyer(state: State, frame: FirstMarkers) -> Sequence[Seat]:
    """The owner of the minor with the lowest number that is left."""
    seat = owner(state, frame.minors[0]) if frame.minors else None
    return () if seat is None else (seat,)


def run_first(draft: Draft, frame: FirstMarkers) -> None:
    """Done with the last minor; who can buy nothing is passed over."""
    if not frame.minors:
        draft.pop()
    elif not any(True for choice in marker_options(draft.view) if affordable_first(draft, choice)):
        draft.replace_top(FirstMarkers(frame.minors[1:]))


def affordable_first(draft: Draft, choice: BuyMarker | Option[BuyMarker]) -> bool:
    """Tell whether the owner could buy this marker now."""
    action = choice.action if isinstance(choice, Option) else choice
    frame = draft.state.agenda[-1]
    seat = owner(draft.state, buyer_of(frame))
    view = View(draft.ruleset, draft.state, -1 if seat is None else seat, frame)
    return BUY_MARKER.first_refusal(view, action) is None


FIRST_MARKERS = Duty(
    FirstMarkers,
    rule="DO-X-13",
    who=first_buyer,
    menu=(
        BUY_MARKER,
        Rule(
            Pass,
            lambda _view: (Pass(),),
            lambda draft, _action: draft.replace_top(FirstMarkers(first_minors(draft)[1:])),
        ),
    ),
    run=run_first,
    not_your_turn=(Code.NOT_OWNER, "DO-X-13"),
)


def first_minors(draft: Draft) -> tuple[str, ...]:
    """The minors whose owners may still buy."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, FirstMarkers)
    return frame.minors


# Bottling lines --------------------------------------------------------------------------------------------------------


@check("DO-X-09")
def may_align(view: View, action: AlignBottlingLine) -> Refusal | None:
    """Refuse a marker after step 1 has begun, and all but an own line to an own piece."""
    turn = turn_on_top(view)
    if turn.step != START or turn.used or Once.DISPOSAL in turn.done:
        return refuse(Code.WRONG_STEP, step="first")
    kind = kind_of(view.state, action.code)
    held = charter(view.state, turn.brewery).markers
    if kind is None or kind.does != LINE or Marker(action.code, action.source) not in held:
        lines = sorted(m.code for m in held if (printed := kind_of(view.state, m.code)) and printed.does == LINE)
        return because(WhyNot.NO_BOTTLING_LINE, company=turn.brewery, listed=", ".join(lines))
    if action.source == action.target or bec_of(view.state, turn.brewery, action.target) is None:
        return no_such_piece(view.state, turn.brewery)
    return None


def align_options(view: View) -> Iterable[AlignBottlingLine]:
    """Every line to every other piece."""
    turn = turn_on_top(view)
    if turn.step == START:
        held = charter(view.state, turn.brewery)
        for marker in dict.fromkeys(held.markers):
            kind = kind_of(view.state, marker.code)
            if kind is not None and kind.does == LINE:
                for bec in held.becs:
                    if bec.number != marker.bec:
                        yield AlignBottlingLine(marker.code, marker.bec, bec.number)


def align(draft: Draft, action: AlignBottlingLine) -> None:
    """Give it to that piece from now on."""
    turn = draft.state.agenda[-1]
    assert isinstance(turn, BreweryTurn)
    draft.emit(MarkerAligned(turn.brewery, action.code, action.source, action.target))


ALIGN = Rule(AlignBottlingLine, align_options, align, needs=(may_align,))


# After a charter has left the game -------------------------------------------------------------------------------------


def hand_over(draft: Draft, minor: str, company: str) -> None:
    """In a trade-in markers and event go to the corporation; its director chooses what is too much (DO-X-07, DO-X-21)."""
    held = charter(draft.state, minor)
    for marker in held.markers:
        draft.emit(MarkerMoved(marker.code, minor, company, "trade_in", marker.bec))
    events: tuple[str, ...] = ()
    if held.event:
        own = charter(draft.state, company).event
        if own:
            draft.emit(EventMoved(held.event, minor, REMOVED, "trade_in"))
            events = (own, held.event)
        else:
            draft.emit(EventMoved(held.event, minor, company, "trade_in"))
    if events or surplus(draft.state, company) > 0:
        draft.push(TooManyMarkers(company, events))


def all_back(draft: Draft, company: str) -> None:
    """Markers and event go to the display: a trade-in against the pool, a bankruptcy (DO-X-07, DO-X-21)."""
    held = charter(draft.state, company)
    for marker in held.markers:
        draft.emit(MarkerMoved(marker.code, company, SHOWN, "back", marker.bec))
    if held.event:
        draft.emit(EventMoved(held.event, company, SHOWN, "back"))


def surplus(state: State, company: str) -> int:
    """The number of markers above the places."""
    return len(charter(state, company).markers) - places(state, company)


def director(state: State, frame: TooManyMarkers) -> Sequence[Seat]:
    """The player who chooses."""
    seat = owner(state, frame.brewery)
    return () if seat is None else (seat,)


def run_surplus(draft: Draft, frame: TooManyMarkers) -> None:
    """Nothing more to give back; where all markers are alike nobody need choose."""
    if frame.events:
        return
    held = charter(draft.state, frame.brewery).markers
    if surplus(draft.state, frame.brewery) <= 0:
        draft.pop()
    elif len(set(held)) == 1:
        give_back(draft, frame.brewery, held[0].code)


@check("DO-X-07", "DO-X-21")
def may_discard(view: View, action: DiscardMarker) -> Refusal | None:
    """Refuse all but one of the two events, or a marker while there are too many."""
    frame = view.frame
    assert isinstance(frame, TooManyMarkers)
    held = [marker.code for marker in charter(view.state, frame.brewery).markers]
    over = surplus(view.state, frame.brewery) > 0
    if action.brewery == frame.brewery and (action.code in frame.events or (over and action.code in held)):
        return None
    return because(WhyNot.THESE_GO_BACK, listed=", ".join(sorted((*frame.events, *(held if over else ())))))


def discard_options(view: View) -> Iterable[DiscardMarker]:
    """Events first, then markers."""
    frame = view.frame
    assert isinstance(frame, TooManyMarkers)
    codes = (*frame.events, *dict.fromkeys(marker.code for marker in charter(view.state, frame.brewery).markers))
    return (DiscardMarker(frame.brewery, code) for code in codes)


def discard(draft: Draft, action: DiscardMarker) -> None:
    """Put it back into the display; the other event stays."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, TooManyMarkers)
    if action.code not in frame.events:
        give_back(draft, frame.brewery, action.code)
        return
    own, other = frame.events
    draft.replace_top(TooManyMarkers(frame.brewery))
    if action.code == own:
        draft.emit(EventMoved(own, frame.brewery, SHOWN, "back"))
        draft.emit(EventMoved(other, REMOVED, frame.brewery, "trade_in"))
    else:
        draft.emit(EventMoved(other, REMOVED, SHOWN, "back"))


TOO_MANY_MARKERS = Duty(
    TooManyMarkers,
    rule="DO-X-07",
    who=director,
    menu=(Rule(DiscardMarker, discard_options, discard, needs=(may_discard,)),),
    run=run_surplus,
    not_your_turn=(Code.NOT_DIRECTOR, "DO-X-07"),
)
