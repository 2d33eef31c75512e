"""The funds for a train or card that must be bought: the frame of a forced purchase and the sums in it.

Section 15 of the rule sheet. The order is treasury, one certificate of the IPO, cash of the director, his certificates.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.ruleset import Refusal, Ruleset
from trajekt.engine.state import DISPLAY, IPO, POOL, Frame, Seat, State
from trajekt.games.ruhr.components import BME_PRIVATE
from trajekt.games.ruhr.directorship import BME, private_bme_open
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.rules.directorship import DirectorsPolicy, Sale, directors_certificate, plan_sale
from trajekt.rules.stock_market import left_of
from trajekt.rules.stock_round import worth
from trajekt.rules.trains import of_the_bank, on_display, price_of


class Shortage(Frame, frozen=True, tag="shortage"):
    """A train, or with `stages` a card for markers, that the treasury cannot pay. `deal`: the own deal is done or waived.

    `selling`: the director's cash does not suffice.
    """

    company: CompanyId
    source: str
    card: TrainKind
    price: int
    stages: str = ""
    deal: bool = False
    selling: bool = False

    def amount_due(self, _state: State, /) -> int:
        """Return the price that was agreed or is printed."""
        return self.price


def lacking(state: State, frame: Shortage) -> int:
    """The part of the price that the treasury lacks, in Mark."""
    return max(0, frame.price - state.companies[frame.company].treasury)


def missing(state: State, frame: Shortage) -> int:
    """The part of the price that treasury and director's cash lack together, in Mark."""
    director = state.companies[frame.company].director
    return max(0, lacking(state, frame) - (0 if director is None else state.players[director].cash))


def price_to_come(state: State) -> int:
    """The price that the bank is paid in this very action, in Mark: that of a forced purchase on top that is covered now."""
    frame = state.agenda[-1] if state.agenda else None
    if not isinstance(frame, Shortage) or frame.source not in (DISPLAY, POOL):
        return 0
    covered = not lacking(state, frame) or (frame.deal and not missing(state, frame))
    return frame.price if covered else 0


def deal_sizes(options: RuhrOptions, state: State, company_id: CompanyId) -> tuple[int, ...]:
    """The sizes of own certificates that the corporation could sell to the pool (RUHR-OR-11, Q14).

    The director certificate of one that acts lies with its director, or in the pool where the bank runs it.
    """
    company = state.companies[company_id]
    held = [company.certificates[n] for n in company.held(IPO)]
    most = state.sheet.limits.pool_percent - company.percent(POOL) if options.deal_pool_limit else 100
    return tuple(sorted({c.percent for c in held if c.percent <= most}))


def sale_of(
    state: State, policy: DirectorsPolicy, seat: Seat, company_id: CompanyId, percent: int, acting: str
) -> Sale | None:
    """A sale that a forced purchase admits: operated, pool limit, never another director of the acting corporation."""
    company = state.companies[company_id]
    plan = plan_sale(state, policy, seat, company, percent)
    if isinstance(plan, Refusal) or not (company.operated or company_id == acting):
        return None
    if company.percent(POOL) + percent > state.sheet.limits.pool_percent:
        return None
    return None if company_id == acting and loses_office(state, company_id, seat, percent) else plan


def loses_office(state: State, company_id: CompanyId, seat: Seat, percent: int) -> bool:
    """Tell whether a director would cease to be one by a sale.

    Who would keep less than the director certificate has a successor with as much, else nobody can sell so (`plan_sale`).
    The owner of Private BME stays director of the BME with the bare certificate, whatever others hold (RUHR-DIR-05).
    """
    company = state.companies[company_id]
    left = company.percent(seat) - percent
    if company_id == BME and private_bme_open(state) and state.privates[BME_PRIVATE].owner == seat:
        return left < company.certificates[directors_certificate(company)].percent
    return any(other > left for who, other in company.shareholders.items() if who != seat)


def blocks(state: State, policy: DirectorsPolicy, seat: Seat, acting: str) -> Iterator[tuple[CompanyId, int]]:
    """Every block that a director may sell in a forced purchase, as corporation and per cent."""
    for company in state.companies.values():
        step = state.sheet.companies[company.id].share
        for percent in range(step, company.percent(seat) + 1, step):
            if sale_of(state, policy, seat, company.id, percent, acting) is not None:
                yield company.id, percent


def saleable(state: State, policy: DirectorsPolicy, seat: Seat, acting: str) -> int:
    """The most that a director's certificates bring, each corporation sold as one block, in Mark."""
    best: dict[CompanyId, int] = {}
    for company, percent in blocks(state, policy, seat, acting):
        best[company] = max(best.get(company, 0), worth(state, company, percent))
    return sum(best.values())


def means(ruleset: Ruleset, state: State, company_id: CompanyId, *, deal: bool) -> int:
    """All that can be raised: treasury, own deal if still open, the director's cash and certificates, in Mark.

    The deal comes first (RUHR-FORCED-02): it fills the pool and lowers the value for the director's certificates.
    """
    sizes = deal_sizes(ruleset.policy(RuhrOptions), state, company_id) if deal else ()
    states = [after_deal(state, company_id, size) for size in sizes] or [state]
    return max(_raised(ruleset.policy(DirectorsPolicy), each, company_id) for each in states)


def _raised(policy: DirectorsPolicy, state: State, company_id: CompanyId) -> int:
    """Treasury, and where somebody directs the corporation his cash and certificates, in Mark."""
    company = state.companies[company_id]
    if company.director is None:
        return company.treasury
    cash = state.players[company.director].cash
    return company.treasury + cash + saleable(state, policy, company.director, company_id)


def after_deal(state: State, company_id: CompanyId, percent: int) -> State:
    """The position as it would be after the sale of one certificate of the IPO to the pool (RUHR-OR-11)."""
    company, space = state.companies[company_id], state.markers.spaces[company_id]
    number = next(n for n in company.held(IPO) if company.certificates[n].percent == percent)
    certificates = tuple(replace(c, holder=POOL) if n == number else c for n, c in enumerate(company.certificates))
    treasury = company.treasury + worth(state, company_id, percent)
    companies = {**state.companies, company_id: replace(company, certificates=certificates, treasury=treasury)}
    spaces = {**state.markers.spaces, company_id: left_of(state.sheet.market, space)}
    return replace(state, companies=companies, markers=replace(state.markers, spaces=spaces))


def cheapest_train(state: State) -> int:
    """The lowest price of a train in bank or pool (Q40)."""
    return min((price_of(state, kind) for _, kind in of_the_bank(state)), default=0)


def eight_too_early(state: State, source: str, kind: TrainKind) -> bool:
    """A new type 8 while a type 6 is in the bank (RUHR-FORCED-04)."""
    return source == "display" and kind == "8" and "6" in on_display(state)
