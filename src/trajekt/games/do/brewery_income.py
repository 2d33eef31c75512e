"""The income of a brewery: in full 10 Mark to its owners, the rest into its treasury (DO-BREW-30 to -34)."""

from __future__ import annotations

from msgspec.structs import replace

from trajekt.engine.actions import PayOut, Withhold
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK
from trajekt.games.do import stock_market
from trajekt.games.do.brewery_equipment import BUY, INCOME, turn_in, turn_on_top
from trajekt.games.do.events import BreweryEarned
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import account, is_minor
from trajekt.rules.running_and_dividends import PayPolicy, dividends


@check("DO-BREW-01")
def income_due(view: View, _action: PayOut | Withhold) -> Refusal | None:
    """Refuse income before step 3, which follows the deliveries, and where there is none."""
    turn = turn_on_top(view)
    if turn.step != INCOME:
        return refuse(Code.WRONG_STEP, step=INCOME)
    return None if turn.income else because(WhyNot.NO_INCOME)


def rounded(income: int) -> int:
    """The part of an income that is paid out: full 10 Mark (DO-BREW-33)."""
    return income // 10 * 10


def pay_out(draft: Draft, _action: PayOut) -> None:
    """A minor half and half (DO-BREW-31), a corporation to its shares (DO-BREW-32); the value by what was paid (DO-BREW-34)."""
    turn = turn_in(draft)
    brewery, paid = turn.brewery, rounded(turn.income)
    draft.emit(BreweryEarned(brewery, turn.income))
    draft.replace_top(replace(turn, step=BUY))
    if is_minor(draft.state, brewery):
        draft.pay(BANK, draft.seat, paid // 2, "half")
        draft.pay(BANK, account(draft.state, brewery), turn.income - paid // 2, "income")
        return
    for target, amount in dividends(draft.state, brewery, paid, draft.ruleset.policy(PayPolicy)):
        draft.pay(BANK, target, amount, "dividend")
    draft.pay(BANK, brewery, turn.income - paid, "rest")
    stock_market.after_income(draft, brewery, paid, paid_out=True)


def keep(draft: Draft) -> None:
    """All into the treasury; the value of a corporation falls, also without any income (DO-BREW-34)."""
    turn = turn_in(draft)
    draft.emit(BreweryEarned(turn.brewery, turn.income))
    draft.replace_top(replace(turn, step=BUY))
    draft.pay(BANK, account(draft.state, turn.brewery), turn.income, "withhold")
    if not is_minor(draft.state, turn.brewery):
        stock_market.after_income(draft, turn.brewery, turn.income, paid_out=False)


PAY_OUT = Rule(PayOut, lambda _view: (PayOut(),), pay_out, needs=(income_due,))
WITHHOLD = Rule(Withhold, lambda _view: (Withhold(),), lambda draft, _action: keep(draft), needs=(income_due,))
