"""Forced purchase: a company must own a train and its treasury can pay none of display or pool.

One frame climbs a ladder of rungs, which the ruleset lists: `treasury`, `charter` (sale of the company's own certificates),
`cash` of the director, `own` (his certificates, or a loan). Rungs without a choice pass by themselves. Money moves when the
price is covered: the ladder first says what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from trajekt.engine.actions import ChooseForcedTrain, DeclareBankruptcy, SellCharterShares, SellShares, TakeLoan
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.decisions import can
from trajekt.engine.events import CertificateMoved, LoanTaken
from trajekt.engine.ruleset import Check, Code, Draft, Duty, Refusal, Rule, Ruleset, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, DISPLAY, POOL, Frame, Seat, State
from trajekt.rules import stock_market
from trajekt.rules.directorship import DirectorsPolicy, sales
from trajekt.rules.floating import SHARE
from trajekt.rules.operating_round import CompanyTurn, in_step, operating, turn_of
from trajekt.rules.share_sales import can_part, floated, pool_limit, sell, sell_options
from trajekt.rules.stock_round import known_company, worth
from trajekt.rules.trains import in_pool, needs_train, of_the_bank, on_display, price_of, take_train


class ForcedPurchase(Frame, frozen=True, tag="forced_purchase"):
    """A train that must be paid. `credit` is what bankrupt directors have paid towards it already, in Mark (RHL-BKR-01)."""

    company: CompanyId
    source: str
    train: TrainKind
    rung: str = ""
    credit: int = 0

    def amount_due(self, state: State, /) -> int:
        """Return the price of the train less what bankrupt directors have paid."""
        return max(0, price_of(state, self.train) - self.credit)


TrainForSale = tuple[str, TrainKind]


@dataclass(frozen=True, slots=True)
class ForcedPolicy:
    """The choices of an edition in forcing a purchase.

    `trains` are the candidates, `rule` the id that names them; `rungs` the ladder. `sale_rule` is the id of forced sales,
    `keeps` tells for which companies a sale may not change the director.
    `bank` completes the purchase of a company that nobody directs; the director of one that is `spared` is not asked for money.
    """

    rule: str
    sale_rule: str
    trains: Callable[[State], tuple[TrainForSale, ...]]
    rungs: tuple[str, ...]
    keeps: Callable[[State, CompanyId], bool]
    bank: Callable[[Draft, ForcedPurchase], None] | None = None
    spared: Callable[[State, CompanyId], bool] = lambda _state, _company: False


def cheapest_new_or_pool(state: State) -> tuple[TrainForSale, ...]:
    """The cheapest new train, or any of the pool (RHL-FOR-01, COMMON-FOR-03)."""
    new = sorted(on_display(state), key=lambda kind: price_of(state, kind))[:1]
    return (*((DISPLAY, kind) for kind in new), *((POOL, kind) for kind in in_pool(state)))


def cheapest_of_all(state: State) -> tuple[TrainForSale, ...]:
    """Only the cheapest train of display and pool."""
    trains = of_the_bank(state)
    least = min((price_of(state, kind) for _, kind in trains), default=0)
    return tuple(each for each in trains if price_of(state, each[1]) == least)


def every_company(_state: State, _company: CompanyId) -> bool:
    """Forbid sales that change any director (COMMON-FOR-06)."""
    return True


def operating_only(state: State, company: CompanyId) -> bool:
    """Only the director of the operating company stays (RHL-FOR-01)."""
    return company == turn_of(state).company


# Choosing the train --------------------------------------------------------------------------------------------------


@check("COMMON-TRN-11", general=True)
def duty_holds(view: View, _action: ChooseForcedTrain) -> Refusal | None:
    """Refuse it where no train must be owned."""
    turn = turn_of(view.state)
    needed = needs_train(view.ruleset, view.state, turn.company)
    return None if needed else refuse(Code.HAS_NO_DUTY, company=turn.company)


@check("COMMON-TRN-12")
def treasury_too_small(view: View, _action: ChooseForcedTrain) -> Refusal | None:
    """Refuse help while the treasury pays for some train of display or pool."""
    company = operating(view)
    kind = min((kind for _, kind in of_the_bank(view.state)), key=lambda kind: price_of(view.state, kind), default=None)
    if kind is None or (cost := price_of(view.state, kind)) > company.treasury:
        return None
    return refuse(Code.CAN_STILL_PAY, company=company.id, train=kind, cost=cost, money=company.treasury)


@check("COMMON-FOR-03", "RHL-FOR-01")
def among_forced(view: View, action: ChooseForcedTrain) -> Refusal | None:
    """Refuse a train that is none of the candidates of the edition."""
    policy = view.ruleset.policy(ForcedPolicy)
    trains = policy.trains(view.state)
    if (action.source, action.train) in trains:
        return None
    return refuse(Code.ONLY_THESE_TRAINS, policy.rule, trains=", ".join(dict.fromkeys(kind for _, kind in trains)))


def train_choices(view: View) -> Iterable[ChooseForcedTrain]:
    """The trains that the edition allows."""
    for source, kind in view.ruleset.policy(ForcedPolicy).trains(view.state):
        yield ChooseForcedTrain(source, kind)


def choose(draft: Draft, action: ChooseForcedTrain) -> None:
    """Begin the ladder."""
    draft.push(ForcedPurchase(turn_of(draft.state).company, action.source, action.train))


CHOOSE_FORCED_TRAIN = Rule(
    ChooseForcedTrain, train_choices, choose, needs=(in_step("trains"), duty_holds, treasury_too_small, among_forced)
)


# The ladder ----------------------------------------------------------------------------------------------------------


def forced(view: View) -> ForcedPurchase:
    """The forced purchase on top."""
    frame = view.frame
    assert isinstance(frame, ForcedPurchase)
    return frame


def payer(state: State, frame: ForcedPurchase) -> Sequence[Seat]:
    """The director of the company, who must pay."""
    director = state.companies[frame.company].director
    return () if director is None else (director,)


def short_of_price(state: State, frame: ForcedPurchase) -> int:
    """The part of the price that the treasury lacks, in Mark."""
    return max(0, price_of(state, frame.train) - frame.credit - state.companies[frame.company].treasury)


def missing(state: State, frame: ForcedPurchase) -> int:
    """The part of the price that treasury and director's cash lack together, in Mark."""
    director = state.companies[frame.company].director
    cash = 0 if director is None else state.players[director].cash
    return max(0, short_of_price(state, frame) - cash)


def charter_block(state: State, frame: ForcedPurchase) -> tuple[int, ...]:
    """The certificates on the charter to be sold: the fewest that cover, else all the pool takes (COMMON-FOR-04)."""
    company = state.companies[frame.company]
    room = state.sheet.limits.pool_percent - company.percent(POOL)
    lacking = short_of_price(state, frame)
    price = state.price(company.id)
    block: list[int] = []
    percent = 0
    for number in company.held(CHARTER):
        size = company.certificates[number].percent
        if price * percent // 10 >= lacking:
            break
        if percent + size <= room:
            block.append(number)
            percent += size
    return tuple(block)


def rung_waits(state: State, frame: ForcedPurchase, rung: str) -> bool:
    """Tell whether a rung asks for somebody's choice."""
    if rung == "charter":
        return bool(charter_block(state, frame))
    return rung == "own" and missing(state, frame) > 0


def waiting_rung(policy: ForcedPolicy, state: State, frame: ForcedPurchase) -> str:
    """The first rung, from that of the frame on, that asks for a choice; empty where the price is covered."""
    at = policy.rungs.index(frame.rung) if frame.rung else 0
    return next((rung for rung in policy.rungs[at:] if rung_waits(state, frame, rung)), "")


def run_forced(draft: Draft, frame: ForcedPurchase) -> None:
    """Climb to the first rung that asks for a choice; with the price covered, complete the purchase."""
    policy = draft.ruleset.policy(ForcedPolicy)
    state = draft.state
    if state.companies[frame.company].director is None and policy.bank is not None:
        policy.bank(draft, frame)
        return
    rung = waiting_rung(policy, state, frame)
    if not rung:
        complete(draft, frame)
    elif rung != frame.rung:
        draft.replace_top(replace(frame, rung=rung))


def price_to_come(ruleset: Ruleset, state: State) -> int:
    """The price that the bank is paid in this very action, in Mark: that of a forced purchase on top that is covered now."""
    frame = state.agenda[-1]
    if not isinstance(frame, ForcedPurchase):
        return 0
    policy = ruleset.policy(ForcedPolicy)
    rung = waiting_rung(policy, state, frame)
    return 0 if rung and not (rung == "own" and policy.spared(state, frame.company)) else frame.amount_due(state)


def complete(draft: Draft, frame: ForcedPurchase) -> None:
    """Take from the director exactly what the treasury lacks, from the treasury the rest (RHL-FOR-02, COMMON-FOR-05)."""
    company = draft.state.companies[frame.company]
    lacking = short_of_price(draft.state, frame)
    draft.pop()
    if company.director is not None:
        draft.pay(company.director, company.id, lacking, "forced")
    draft.pay(company.id, BANK, max(0, price_of(draft.state, frame.train) - frame.credit), "train")
    turn = draft.state.agenda[-1]
    assert isinstance(turn, CompanyTurn)
    draft.replace_top(replace(turn, forced=True))
    take_train(draft, company.id, frame.source, frame.train, "forced")


def on_rung(name: str) -> Check[SellShares | SellCharterShares | TakeLoan | DeclareBankruptcy]:
    """Only on one rung: an earlier source of money comes first (COMMON-FOR-03)."""

    @check("COMMON-FOR-03")
    def on_this_rung(
        view: View, _action: SellShares | SellCharterShares | TakeLoan | DeclareBankruptcy
    ) -> Refusal | None:
        rung = forced(view).rung
        if rung == name:
            return None
        return refuse(
            Code.CHARTER_FIRST if rung == "charter" else Code.NOTHING_ON_CHARTER, company=forced(view).company
        )

    return on_this_rung


# Charter shares ------------------------------------------------------------------------------------------------------


@check("COMMON-FOR-04")
def exact_block(view: View, action: SellCharterShares) -> Refusal | None:
    """Refuse a number of certificates other than the fixed one: no more than needed, no fewer while more are needed."""
    count = len(charter_block(view.state, forced(view)))
    if action.count > count:
        return refuse(Code.MORE_THAN_NEEDED, count=count)
    return refuse(Code.MUST_SELL, count=count) if action.count < count else None


def charter_options(view: View) -> Iterable[SellCharterShares]:
    """The one number that is right."""
    yield SellCharterShares(len(charter_block(view.state, forced(view))))


def sell_charter(draft: Draft, _action: SellCharterShares) -> None:
    """One block at the price before the sale; the bank pays the treasury, the marker goes one space down."""
    frame = forced(draft.view)
    block = charter_block(draft.state, frame)
    company = draft.state.companies[frame.company]
    percent = sum(company.certificates[number].percent for number in block)
    proceeds = draft.state.price(company.id) * percent // 10
    for number in block:
        draft.emit(CertificateMoved(company.id, number, CHARTER, POOL, "forced"))
    draft.pay(BANK, company.id, proceeds, "sale")
    stock_market.down(draft, company.id, "sale")


SELL_CHARTER_SHARES = Rule(
    SellCharterShares, charter_options, sell_charter, needs=(on_rung("charter"),), checks=(exact_block,)
)


# The director's own shares -------------------------------------------------------------------------------------------


@check("COMMON-FOR-06", "RHL-FOR-01")
def no_change_of_director(view: View, action: SellShares) -> Refusal | None:
    """Refuse a sale after which somebody holds more than the director, where the edition forbids a change."""
    policy = view.ruleset.policy(ForcedPolicy)
    company = view.state.companies[action.company]
    if company.director != view.seat or not policy.keeps(view.state, company.id):
        return None
    left = company.percent(view.seat) - action.percent
    others = max((p for seat, p in company.shareholders.items() if seat != view.seat), default=0)
    if left < others:
        return refuse(Code.CHANGES_DIRECTOR, policy.sale_rule, company=company.id)
    return None


@check("COMMON-FOR-06", "RHL-FOR-01")
def no_more_than_needed(view: View, action: SellShares) -> Refusal | None:
    """Refuse a block if a smaller one of the corporation would cover the price."""
    policy, directors = view.ruleset.policy(ForcedPolicy), view.ruleset.policy(DirectorsPolicy)
    company, lacking = view.state.companies[action.company], missing(view.state, forced(view))
    for percent in range(SHARE, action.percent, SHARE):
        if worth(view.state, company.id, percent) < lacking:
            continue
        if isinstance(sales(view.state, directors, view.seat, company, percent), tuple):
            return refuse(Code.MORE_THAN_NEEDED, policy.sale_rule, percent=percent)
    return None


@check("RHL-SR-12")
def has_acted(view: View, action: SellShares) -> Refusal | None:
    """Refuse to sell a company that has not acted in an operating round; the one in turn has, from its first step on."""
    company = view.company(action.company)
    if company.operated or company.id == turn_of(view.state).company:
        return None
    return refuse(Code.NOT_OPERATED, company=company.id)


def sell_own(draft: Draft, action: SellShares) -> None:
    """Sell as in any sale: price before the sale, then one space down."""
    sell(draft, draft.seat, action.company, action.percent, action.sizes)


FORCED_SALE = Rule(
    SellShares,
    sell_options,
    sell_own,
    needs=(on_rung("own"), known_company, can_part),
    checks=(floated, pool_limit, no_change_of_director, no_more_than_needed),
)
"""A forced sale of the second edition; the first asks that the company has acted, instead (RHL-SR-12)."""

FORCED_SALE_OPERATED = Rule(
    SellShares,
    sell_options,
    sell_own,
    needs=(on_rung("own"), known_company, can_part),
    checks=(has_acted, pool_limit, no_change_of_director, no_more_than_needed),
)


# Loan and bankruptcy -------------------------------------------------------------------------------------------------


def take_loan(draft: Draft, _action: TakeLoan) -> None:
    """Exactly what is missing; twice as much is deducted at the end (COMMON-FOR-07)."""
    frame = forced(draft.view)
    amount = missing(draft.state, frame)
    draft.emit(LoanTaken(draft.seat, amount))
    draft.pay(BANK, frame.company, amount, "loan")


# where this is on the menu nobody goes bankrupt (COMMON-BKR-05)
TAKE_LOAN = Rule(TakeLoan, lambda _view: (TakeLoan(),), take_loan, needs=(on_rung("own"),))


@check("RHL-BKR-01", "COMMON-VAR-04")
def nothing_to_sell(view: View, _action: DeclareBankruptcy) -> Refusal | None:
    """Refuse to be bankrupt while something may still be sold."""
    if can(view.ruleset, view.state, view.seat, (SellShares,)):
        return refuse(Code.CAN_STILL_SELL)
    return None


def end_bankrupt(draft: Draft, _action: DeclareBankruptcy) -> None:
    """End the game at once, by the option; the train is not bought (COMMON-VAR-04)."""
    draft.end("bankrupt")


END_BANKRUPT = Rule(
    DeclareBankruptcy,
    lambda _view: (DeclareBankruptcy(),),
    end_bankrupt,
    needs=(on_rung("own"),),
    checks=(nothing_to_sell,),
)


def forced_purchase(
    *menu: Rule[SellShares] | Rule[SellCharterShares] | Rule[TakeLoan] | Rule[DeclareBankruptcy],
    rule: str = "COMMON-FOR-03",
) -> Duty:
    """The duty of a forced purchase with the actions of its rungs; `rule` is the edition's id of forced purchases."""
    return Duty(
        ForcedPurchase,
        rule=rule,
        who=payer,
        menu=menu,
        run=run_forced,
        not_your_turn=(Code.NOT_DIRECTOR, "COMMON-DIR-01"),
    )
