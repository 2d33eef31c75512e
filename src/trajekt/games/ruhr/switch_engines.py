"""Switch engines of Montan companies: with a card, with a railway's train, and scrapping.

Section 8 of the rule sheet; railways never get any (RUHR-SWITCH-07).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trajekt.engine.actions import Accept, Decline
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.events import PhaseBegan, TrainMoved
from trajekt.engine.ruleset import (
    Code,
    Draft,
    Duty,
    Option,
    Reaction,
    Refusal,
    Rule,
    View,
    check,
    refuse,
    spans_between,
)
from trajekt.engine.state import BANK, DISPLAY, GONE, POOL, Frame, Seat, State
from trajekt.games.ruhr.actions import BuyEngine, BuyEngineFrom, ScrapEngine
from trajekt.games.ruhr.components import DevelopmentCard, names_of, ruhr_components
from trajekt.games.ruhr.events import EngineMoved
from trajekt.games.ruhr.montan_charters import engine_room, engines_left, linked
from trajekt.games.ruhr.montan_turn import (
    MontanTurn,
    last_marker_kept,
    montan_turn,
    nothing_owed,
    one_activity,
    one_card,
    use,
)
from trajekt.games.ruhr.refusals import Why, because
from trajekt.games.ruhr.state import SUPPLY, account, assets_of, ruhr_state, treasury_of
from trajekt.rules.trains import in_pool, on_display
from trajekt.rules.turn_notes import Declined, Once, declined_prices


class EngineOffer(Frame, frozen=True, tag="engine_offer"):
    """A Montan company offers `price` Mark for a railway's train as an engine (RUHR-SWITCH-08)."""

    works: str
    company: CompanyId
    card: TrainKind
    price: int
    scrap: str = ""


def card_of(view: View, kind: TrainKind) -> DevelopmentCard | None:
    """The printed card, None where there is none such."""
    return ruhr_components(view.sheet).cards.get(kind)


@check("RUHR-SWITCH-01")
def has_link(view: View, _action: BuyEngine | BuyEngineFrom) -> Refusal | None:
    """Refuse a company without a link."""
    works = montan_turn(view.frame).works
    return None if linked(view.state, works) else because(Why.NOT_LINKED, mine=int(works))


@check("RUHR-SWITCH-02")
def engine_in_supply(view: View, action: BuyEngine | BuyEngineFrom) -> Refusal | None:
    """Refuse a type of which no engine lies in the supply, the one given up for it included."""
    card = card_of(view, action.card)
    assert card is not None
    left = engines_left(view.state, card.engine) + (action.scrap == card.engine)
    return None if left > 0 else because(Why.NO_ENGINE, engine=card.engine)


@check("RUHR-SWITCH-03", "RUHR-SWITCH-05")
def engine_fits(view: View, action: BuyEngine | BuyEngineFrom) -> Refusal | None:
    """Refuse an engine without room, unless an own one is scrapped for it; none is scrapped without need."""
    works = montan_turn(view.frame).works
    held, most = assets_of(view.state, works).engines, engine_room(view.state, works)
    if not action.scrap:
        return None if len(held) < most else because(Why.NO_ENGINE_ROOM, boxes=most)
    if action.scrap not in held:
        return because(Why.NO_ENGINE, "RUHR-SWITCH-05", engine=action.scrap)
    return because(Why.NEED_NOT_SCRAP, "RUHR-SWITCH-05") if len(held) < most else None


@check("RUHR-SWITCH-01", "RUHR-DEV-15")
def engine_card_there(view: View, action: BuyEngine) -> Refusal | None:
    """Refuse a card that is neither new and of an available type nor in the pool."""
    there = {DISPLAY: on_display(view.state), POOL: in_pool(view.state)}.get(action.source, ())
    if action.card in there:
        return None
    return because(Why.CARD_GONE, train=action.card, offered=names_of(view.sheet, there))


@check("RUHR-SWITCH-01")
def engine_affordable(view: View, action: BuyEngine) -> Refusal | None:
    """Refuse an engine whose price, that of the grey box, the company's treasury cannot pay."""
    card, treasury = card_of(view, action.card), treasury_of(view.state, montan_turn(view.frame).works)
    assert card is not None
    return None if card.engine_price <= treasury else refuse(Code.UNAFFORDABLE, cost=card.engine_price, cash=treasury)


def scraps(view: View) -> tuple[str, ...]:
    """The engines that could be scrapped for a new one: none where there is room."""
    works = montan_turn(view.frame).works
    held = assets_of(view.state, works).engines
    return ("",) if len(held) < engine_room(view.state, works) else tuple(dict.fromkeys(held))


def engine_options(view: View) -> Iterable[BuyEngine]:
    """Every card of display and pool."""
    for source, kinds in ((DISPLAY, on_display(view.state)), (POOL, in_pool(view.state))):
        for kind in kinds:
            for scrap in scraps(view):
                yield BuyEngine(source, kind, scrap)


def buy_engine(draft: Draft, action: BuyEngine) -> None:
    """The one activity of the turn; the card leaves the game (RUHR-OR-10)."""
    works, card = montan_turn(draft.state.agenda[-1]).works, ruhr_components(draft.sheet).cards[action.card]
    draft.pay(account(works), BANK, card.engine_price, "engine")
    take_engine(draft, works, action.source, action.card, action.scrap)


def take_engine(draft: Draft, works: str, source: str, kind: TrainKind, scrap: str) -> None:
    """Scrap what makes room, put the engine on the charter, let the card leave the game."""
    use(draft, Once.CARD, Once.ACTIVITY)
    if scrap:
        draft.emit(EngineMoved(scrap, works, SUPPLY, "scrapped"))
    draft.emit(EngineMoved(ruhr_components(draft.sheet).cards[kind].engine, SUPPLY, works, "engine"))
    draft.emit(TrainMoved(kind, source, GONE, "engine"))


BUY_ENGINE = Rule(
    BuyEngine,
    engine_options,
    buy_engine,
    needs=(one_activity, one_card, engine_card_there),
    checks=(nothing_owed, has_link, engine_in_supply, engine_fits, last_marker_kept, engine_affordable),
)


# Second hand ---------------------------------------------------------------------------------------------------------


def price_range(view: View, card: DevelopmentCard) -> tuple[int, int]:
    """From 10 Mark to 150 per cent of the grey box, rounded down (RUHR-SWITCH-01, Q23)."""
    low, percent = ruhr_components(view.sheet).second_hand
    return low, card.engine_price * percent // 100


@check("RUHR-SWITCH-01")
def railway_has_it(view: View, action: BuyEngineFrom) -> Refusal | None:
    """Refuse a train of a railway that nobody directs; the bank declines (RUHR-BANKR-08)."""
    seller = view.state.companies.get(action.company)
    if seller is None or action.card not in seller.trains:
        return because(Why.TRAIN_NOT_THERE, train=action.card, source=action.company)
    return because(Why.BANK_RUN, "RUHR-BANKR-08", company=seller.id) if seller.director is None else None


@check("RUHR-SWITCH-01")
def second_hand_price(view: View, action: BuyEngineFrom) -> Refusal | None:
    """Refuse a price beyond the range, or above the company's treasury."""
    card = card_of(view, action.card)
    assert card is not None
    low, high = price_range(view, card)
    if not low <= action.price <= high:
        return because(Why.PRICE_RANGE, low=low, high=high)
    treasury = treasury_of(view.state, montan_turn(view.frame).works)
    return None if action.price <= treasury else refuse(Code.UNAFFORDABLE, cost=action.price, cash=treasury)


@check("RUHR-SWITCH-08")
def engine_not_declined(view: View, action: BuyEngineFrom) -> Refusal | None:
    """Refuse an offer that was declined in this turn at this price."""
    if action.price not in declined_prices(montan_turn(view.frame).used, action.company, action.card):
        return None
    return refuse(Code.DECLINED, company=action.company, train=action.card, price=action.price)


def second_hand_options(view: View) -> Iterable[Option[BuyEngineFrom]]:
    """Every train of every railway at any price of the range that the treasury holds."""
    treasury = treasury_of(view.state, montan_turn(view.frame).works)
    for seller in view.state.companies.values():
        for kind in dict.fromkeys(seller.trains):
            low, high = price_range(view, ruhr_components(view.sheet).cards[kind])
            barred = declined_prices(montan_turn(view.frame).used, seller.id, kind)
            for scrap in scraps(view):
                for span in spans_between(low, max(low, min(high, treasury)), barred):
                    yield Option(BuyEngineFrom(seller.id, kind, span.low, scrap), {"price": span})


def offer_engine(draft: Draft, action: BuyEngineFrom) -> None:
    """Buy at once where one player sits on both sides, else ask."""
    works = montan_turn(draft.state.agenda[-1]).works
    if draft.state.companies[action.company].director == draft.seat:
        draft.pay(account(works), action.company, action.price, "engine")
        take_engine(draft, works, action.company, action.card, action.scrap)
    else:
        draft.push(EngineOffer(works, action.company, action.card, action.price, action.scrap))


BUY_ENGINE_FROM = Rule(
    BuyEngineFrom,
    second_hand_options,
    offer_engine,
    needs=(one_activity, one_card, railway_has_it),
    checks=(nothing_owed, has_link, engine_in_supply, engine_fits, second_hand_price, engine_not_declined),
)


def asked(state: State, offer: EngineOffer) -> Sequence[Seat]:
    """The director of the railway."""
    director = state.companies[offer.company].director
    return () if director is None else (director,)


def accept(draft: Draft, _action: Accept) -> None:
    """Pay the money to the railway's treasury."""
    offer = draft.state.agenda[-1]
    assert isinstance(offer, EngineOffer)
    draft.pop()
    draft.pay(account(offer.works), offer.company, offer.price, "engine")
    take_engine(draft, offer.works, offer.company, offer.card, offer.scrap)


def decline(draft: Draft, _action: Decline) -> None:
    """Move nothing; the offer is not made again in the turn."""
    offer = draft.state.agenda[-1]
    assert isinstance(offer, EngineOffer)
    draft.pop()
    use(draft, Declined(offer.company, offer.card, offer.price))


ENGINE_OFFER = Duty(
    EngineOffer,
    rule="RUHR-SWITCH-08",
    who=asked,
    menu=(
        Rule(Accept, lambda _view: (Accept(),), accept),
        Rule(Decline, lambda _view: (Decline(),), decline),
    ),
    not_your_turn=(Code.NOT_DIRECTOR, "RUHR-SWITCH-08"),
)


# Scrapping -----------------------------------------------------------------------------------------------------------


@check("RUHR-SWITCH-05")
def own_engine(view: View, action: ScrapEngine) -> Refusal | None:
    """Refuse an engine that is not of the company whose turn it is."""
    frame = view.frame
    held = assets_of(view.state, frame.works).engines if isinstance(frame, MontanTurn) else ()
    return None if action.engine in held else because(Why.NO_ENGINE, engine=action.engine)


def scrap_options(view: View) -> Iterable[ScrapEngine]:
    """One of each type."""
    for engine in dict.fromkeys(assets_of(view.state, montan_turn(view.frame).works).engines):
        yield ScrapEngine(engine)


def scrap_engine(draft: Draft, action: ScrapEngine) -> None:
    """Return it to the supply (Q24)."""
    draft.emit(EngineMoved(action.engine, montan_turn(draft.state.agenda[-1]).works, SUPPLY, "scrapped"))


SCRAP_ENGINE = Rule(ScrapEngine, scrap_options, scrap_engine, needs=(own_engine,))


def scrap_by_phase(draft: Draft, event: PhaseBegan) -> None:
    """W1 at the first type 6, W2 at the first type 8, all at once (RUHR-SWITCH-06)."""
    scrapped = draft.sheet.phase_by_name[event.phase].own.get("scrapped", ())
    assert isinstance(scrapped, list | tuple)
    for works, held in ruhr_state(draft.state).works.items():
        for engine in held.engines:
            if engine in scrapped:
                draft.emit(EngineMoved(engine, works, SUPPLY, "phase"))


ENGINES_SCRAPPED = Reaction(PhaseBegan, ("RUHR-SWITCH-06", "RUHR-PHASE-03"), scrap_by_phase)
