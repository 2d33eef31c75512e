"""Loading of trains: a brewery exports beer, the railway's director consents (DO-BREW-20 to -25)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from trajekt.engine.actions import Accept, Decline
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.ruleset import Code, Draft, Duty, Option, Refusal, Rule, View, check, refuse, spans_between
from trajekt.engine.state import Seat, State
from trajekt.games.do.actions import LoadTrain
from trajekt.games.do.beer_cubes import available, draw, loads
from trajekt.games.do.beer_deliveries import free_squares, used_of, with_use
from trajekt.games.do.beer_places import LoadedTrain
from trajekt.games.do.beer_prices import export_price
from trajekt.games.do.beer_transport import could_carry
from trajekt.games.do.brewery_equipment import START, bec_of, no_such_piece, set_aside, turn_in, turn_on_top
from trajekt.games.do.components import card_of, do_components, is_railway, limits_of
from trajekt.games.do.frames import BreweryTurn, ContractUsed, LoadOffer, RefusedLoad, WagonUsed
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.special_events_in_use import event_not_held, use_event
from trajekt.games.do.state import Bec, charter, owner

WAGON = "C"
CONTRACT = "P"


# Squares and trains --------------------------------------------------------------------------------------------------


def by_wagon(turn: BreweryTurn, number: int) -> int:
    """Squares of an equipment without an arrow that a beer wagon has used in this turn (DO-X-10)."""
    return turn.done.count(WagonUsed(number))


def arrows_left(state: State, turn: BreweryTurn, bec: Bec) -> int:
    """Squares with a red arrow that are free (DO-BREW-20)."""
    used = used_of(turn, bec.number).export - by_wagon(turn, bec.number)
    return min(card_of(state.sheet, bec.kind).arrows - used, free_squares(state, turn, bec))


def wagon_squares(state: State, turn: BreweryTurn, bec: Bec) -> int:
    """Squares without an arrow that a beer wagon may still use: one for each wagon in a round (DO-X-10)."""
    wagons = sum(marker.code == WAGON for marker in charter(state, turn.brewery).markers)
    taken = sum(isinstance(note, WagonUsed) for note in turn.done)
    card = card_of(state.sheet, bec.kind)
    plain = card.capacity - card.arrows - by_wagon(turn, bec.number)
    return min(wagons - taken, plain, free_squares(state, turn, bec))


def train_room(state: State, company: CompanyId, kind: TrainKind, cubes: int) -> int:
    """The free blue squares of a train that bears `cubes` now (DO-BEERTRANSPORT-01).

    A railway's beer wagon adds one to one of its trains that have any (DO-X-12).
    """
    squares = do_components(state.sheet).cards[kind].wagons
    if not squares:
        return 0
    return squares + spare_wagon(state, company, kind, cubes) - cubes


def spare_wagon(state: State, company: CompanyId, kind: TrainKind, cubes: int) -> int:
    """Tell whether a railway's beer wagon is free for a train: no other train bears a cube on it."""
    if not any(marker.code == WAGON for marker in charter(state, company).markers):
        return 0
    others = list(loads(state, company))
    if (kind, cubes) in others:
        others.remove((kind, cubes))
    return int(all(count <= do_components(state.sheet).cards[train].wagons for train, count in others))


def is_there(state: State, company: CompanyId, kind: TrainKind, cubes: int) -> bool:
    """Tell whether a railway has a train of this type that bears so many cubes."""
    if company not in state.companies or not is_railway(state.sheet, company):
        return False
    loaded = [count for train, count in loads(state, company) if train == kind]
    if cubes:
        return cubes in loaded
    return state.companies[company].trains.count(kind) > len(loaded)


# Judging -------------------------------------------------------------------------------------------------------------


@check("DO-BREW-20", "DO-PHASE-06")
def export_step(view: View, _action: LoadTrain) -> Refusal | None:
    """Refuse to load after the deliveries to Dortmund, and before phase 5."""
    turn = turn_on_top(view)
    if turn.step != START:
        return refuse(Code.WRONG_STEP, step=START)
    if limits_of(view.sheet, view.state.phase).export:
        return None
    opens = next(phase.name for phase in view.sheet.phases if limits_of(view.sheet, phase.name).export)
    return refuse(Code.NOT_IN_PHASE, "DO-PHASE-06", phase=opens)


@check("DO-BREW-20", "DO-X-10")
def squares_free(view: View, action: LoadTrain) -> Refusal | None:
    """Refuse equipment without free squares with a red arrow, or without any where a beer wagon helps."""
    turn, state = turn_on_top(view), view.state
    bec = bec_of(state, turn.brewery, action.bec)
    if bec is None or set_aside(turn, action.bec):
        return no_such_piece(state, turn.brewery)
    if action.count < 1:
        return refuse(Code.TOO_SHORT)
    if action.wagon:
        free = wagon_squares(state, turn, bec)
        return because(WhyNot.NO_CAPACITY, "DO-X-10", free=max(0, free)) if action.count > free else None
    free = arrows_left(state, turn, bec)
    return because(WhyNot.NO_ARROW, free=max(0, free)) if action.count > free else None


@check("DO-BREW-21", "DO-BREW-23", "DO-BEERTRANSPORT-01")
def train_fits(view: View, action: LoadTrain) -> Refusal | None:
    """Refuse a train that has not so many blue squares free."""
    if not is_there(view.state, action.company, action.train, action.cubes):
        return refuse(Code.NO_SUCH_TRAIN, train=action.train)
    free = train_room(view.state, action.company, action.train, action.cubes)
    if action.count > free:
        return because(WhyNot.NO_LOADING_SPACE, train=action.train, free=max(0, free))
    return None


@check("DO-BREW-21")
def train_has_route(view: View, action: LoadTrain) -> Refusal | None:
    """Refuse a train without a route of the City and a red destination."""
    if could_carry(view.ruleset, view.state, action.company, action.train):
        return None
    return because(WhyNot.NO_BEER_ROUTE, company=action.company, train=action.train)


@check("DO-BREW-24", "DO-BREW-25")
def cubes_there(view: View, action: LoadTrain) -> Refusal | None:
    """Refuse more cubes than Stock and demand hold; those of the price box are not for export."""
    there = available(view.state)
    return because(WhyNot.NO_CUBES, there=there) if action.count > there else None


@check("DO-X-31")
def contract_right(view: View, action: LoadTrain) -> Refusal | None:
    """Refuse to load without consent but by the transport contract, for one railway in the turn."""
    turn = turn_on_top(view)
    if not action.contract or ContractUsed(action.company) in turn.done:
        return None
    if charter(view.state, turn.brewery).event != CONTRACT:  # spent by the first railway
        return event_not_held(view.state, turn.brewery, CONTRACT)
    return None


@check("DO-BREW-22")
def not_refused(view: View, action: LoadTrain) -> Refusal | None:
    """Refuse to ask again what the director has refused in this turn."""
    if action.contract or refused_load(action) not in turn_on_top(view).done:
        return None
    return because(WhyNot.DIRECTOR_REFUSED, company=action.company, train=action.train, count=action.count)


def refused_load(action: LoadTrain | LoadOffer) -> RefusedLoad:
    """The note of a refusal: of the train asked for and the number of cubes (DO-BREW-22)."""
    return RefusedLoad(action.company, action.train, action.cubes, action.count)


def refused_counts(turn: BreweryTurn, company: CompanyId, train: TrainKind, cubes: int) -> list[int]:
    """The numbers of cubes that the director would not have on a train in this turn."""
    refused = (note for note in turn.done if isinstance(note, RefusedLoad))
    return [note.count for note in refused if (note.company, note.train, note.cubes) == (company, train, cubes)]


def load_options(view: View) -> Iterable[LoadTrain | Option[LoadTrain]]:
    """Every train with a free square and every equipment, for as many cubes as go at once."""
    turn, state = turn_on_top(view), view.state
    if turn.step != START or not limits_of(view.sheet, state.phase).export:
        return
    contract = charter(state, turn.brewery).event == CONTRACT or any(
        isinstance(note, ContractUsed) for note in turn.done
    )
    for bec in charter(state, turn.brewery).becs:
        for wagon, squares in ((False, arrows_left(state, turn, bec)), (True, wagon_squares(state, turn, bec))):
            if squares < 1 or set_aside(turn, bec.number):
                continue
            for company, kind, cubes in trains_with_room(state):
                most = min(squares, train_room(state, company, kind, cubes), available(state))
                for by_contract in (False, True) if contract else (False,):
                    barred = [] if by_contract else refused_counts(turn, company, kind, cubes)
                    for span in spans_between(1, most, barred):
                        action = LoadTrain(company, kind, cubes, bec.number, span.low, wagon, by_contract)
                        yield Option(action, {"count": span}) if span.high > span.low else action


def trains_with_room(state: State) -> Iterable[tuple[CompanyId, TrainKind, int]]:
    """Every train of every railway with a free blue square; equal ones once."""
    for company in state.companies.values():
        found: set[tuple[TrainKind, int]] = set(loads(state, company.id))
        found |= {(kind, 0) for kind in company.trains if is_there(state, company.id, kind, 0)}
        for kind, cubes in sorted(found):
            if train_room(state, company.id, kind, cubes) > 0:
                yield company.id, kind, cubes


# Doing ---------------------------------------------------------------------------------------------------------------


def load(draft: Draft, action: LoadTrain) -> None:
    """Load at once where one player sits on both sides or by contract, else ask."""
    turn = turn_in(draft)
    if action.contract:
        note = ContractUsed(action.company)
        if note not in turn.done:
            draft.replace_top(replace(turn, done=(*turn.done, note)))
            use_event(draft, turn.brewery, CONTRACT)
    elif owner(draft.state, action.company) not in (draft.seat, None):
        draft.push(
            LoadOffer(turn.brewery, action.company, action.train, action.cubes, action.bec, action.count, action.wagon)
        )
        return
    put_on_train(draft, action)


def put_on_train(draft: Draft, action: LoadTrain | LoadOffer) -> None:
    """The cubes go onto the train; 100 M for each (DO-BREW-30)."""
    turn = turn_in(draft)
    turn = with_use(turn, action.bec, export=action.count)
    wagons = (WagonUsed(action.bec),) * action.count if action.wagon else ()
    income = turn.income + action.count * export_price(draft.sheet)
    draft.replace_top(replace(turn, income=income, done=(*turn.done, *wagons)))
    bears = action.cubes
    for _ in range(action.count):
        draw(draft, LoadedTrain(action.company, action.train, bears), 1, "loaded")
        bears += 1


LOAD_TRAIN = Rule(
    LoadTrain,
    load_options,
    load,
    needs=(export_step, squares_free, train_fits),
    checks=(contract_right, not_refused, cubes_there, train_has_route),
)


def asked(state: State, offer: LoadOffer) -> Sequence[Seat]:
    """The director of the railway."""
    seat = owner(state, offer.company)
    return () if seat is None else (seat,)


def accept(draft: Draft, _action: Accept) -> None:
    """The director consents."""
    offer = draft.state.agenda[-1]
    assert isinstance(offer, LoadOffer)
    draft.pop()
    put_on_train(draft, offer)


def decline(draft: Draft, _action: Decline) -> None:
    """Move no cube; the brewery goes on otherwise."""
    offer = draft.state.agenda[-1]
    assert isinstance(offer, LoadOffer)
    draft.pop()
    turn = turn_in(draft)
    draft.replace_top(replace(turn, done=(*turn.done, refused_load(offer))))


LOAD_OFFER = Duty(
    LoadOffer,
    rule="DO-BREW-22",
    who=asked,
    menu=(Rule(Accept, lambda _view: (Accept(),), accept), Rule(Decline, lambda _view: (Decline(),), decline)),
    not_your_turn=(Code.NOT_DIRECTOR, "DO-BREW-22"),
)
