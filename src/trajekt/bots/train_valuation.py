"""The value of a train to a company and its director: what it earns, what it opens, what it ends, what it saves him."""

from __future__ import annotations

from trajekt.bots import track_valuation
from trajekt.bots.evaluation import cheapest, guess, life, part, rounds_left, threat
from trajekt.bots.outlook import funds
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.ruleset import View
from trajekt.engine.state import Company, Seat, State
from trajekt.rules.trains import TrainPolicy, of_the_bank, price_of


def danger_of(state: State, seat: Seat) -> float:
    """The cost to a seat of its companies' next trains, in Mark: what its cash does not cover costs twice."""
    owed = sum(threat(state, c) for c in state.companies.values() if c.director == seat)
    return owed + max(0.0, owed - state.players[seat].cash)


def more_with(view: View, company: Company, kind: TrainKind) -> int:
    """The earnings of one more train of a kind in a round, in Mark."""
    owned = company.trains
    before = track_valuation.earns(view.ruleset, view.state, company.id, owned)
    return track_valuation.earns(view.ruleset, view.state, company.id, _with(owned, kind)) - before


def _with(trains: tuple[TrainKind, ...], kind: TrainKind) -> tuple[TrainKind, ...]:
    return tuple(sorted((*trains, kind)))


def lost_without(view: View, company: Company, kind: TrainKind) -> int:
    """The earnings that a company loses in a round without one of its trains, in Mark."""
    left = list(company.trains)
    left.remove(kind)
    owned = track_valuation.earns(view.ruleset, view.state, company.id, company.trains)
    return owned - track_valuation.earns(view.ruleset, view.state, company.id, tuple(left))


def rusted(before: State, state: State, seat: Seat) -> float:
    """The losses of the seat's companies in the next rounds by trains that a purchase makes obsolete, in Mark."""
    lost = 0.0
    for company in before.companies.values():
        now = state.companies[company.id]
        if company.trains and not now.trains and company.revenue:
            lost += 1.5 * company.revenue * part(before, company.id, seat)
    return lost


def stranded(state: State, seller: CompanyId) -> bool:
    """Tell whether a company that gave up a train has none left and cannot pay another."""
    company = state.companies[seller]
    return not company.trains and funds(state, company) < cheapest(state)


def ends_unpaid(state: State, company: Company, revenue: int) -> bool:
    """Tell whether all trains end within a round and the next can be paid only if the revenue of this run is kept."""
    if not company.trains or company.director is None or rounds_left(state) < 2 or not revenue:
        return False
    price = cheapest(state)
    dying = all(life(state, kind) < 1 for kind in company.trains)
    able = company.treasury + max(0, state.players[company.director].cash)
    return dying and able < price <= company.treasury + revenue


def opened(view: View, company: Company, kind: TrainKind, bought: State) -> float:
    """The worth to a company of tiles of a new colour, or of clearing the way to them, with money that lies idle.

    In Mark for each train bought: 0 where the treasury does not also reach for a train of the next kind.
    """
    state, policy = view.state, view.ruleset.by_type.get(TrainPolicy)
    if len(bought.current_phase.tiles) > len(state.current_phase.tiles):
        return _to_come(bought, company, kind)
    roster = [k for k, train in view.sheet.trains.items() if not train.not_for_sale]
    if kind not in roster or kind == roster[-1] or not isinstance(policy, TrainPolicy):
        return 0.0
    coming = roster[roster.index(kind) + 1]
    left = state.depot.display[kind]
    room = policy.limit(state, company.id) - len(company.trains)
    if not left or price_of(state, kind) + price_of(state, coming) > company.treasury or room < 2:
        return 0.0
    return _to_come(state, company, coming) / left


def _to_come(state: State, company: Company, kind: TrainKind) -> float:
    """The likely earnings of a train on track that is still to be laid, in Mark, taken at half."""
    rounds = min(max(0.0, rounds_left(state) - 2.0), life(state, kind))
    return 0.5 * rounds * max(0.0, guess(state, state.sheet.trains[kind].reach) - 0.5 * (company.revenue or 0))


def opportunity(view: View, state: State, company: Company) -> float:
    """The gain for the seat of the best train that the treasury can pay, in Mark; 0 where there is no room."""
    policy = view.ruleset.by_type.get(TrainPolicy)
    if not isinstance(policy, TrainPolicy) or len(company.trains) >= policy.limit(state, company.id):
        return 0.0
    before = track_valuation.earns(view.ruleset, state, company.id, company.trains)
    share, best = part(state, company.id, view.seat), 0.0
    for _, kind in of_the_bank(state):
        if price_of(state, kind) <= company.treasury:
            more = track_valuation.earns(view.ruleset, state, company.id, _with(company.trains, kind)) - before
            best = max(best, 0.7 * share * more * min(rounds_left(state) - 1, life(state, kind)))
    return best
