"""Judgement of a sale of shares: whether it leaves a company to a rival."""

from __future__ import annotations

from trajekt.bots.evaluation import threat
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.ruleset import View
from trajekt.engine.state import IPO, POOL, State

GRASP = 20  # per cent of a company that a rival may soon buy
FRICTION = 10.0  # Mark: a price that has fallen is slow to rise, and the money must find a better place


def of_sale(view: View, state: State, company: CompanyId, gain: float) -> float:
    """Gain in Mark of a sale that leaves `state`, of which `gain` is what the shares and the cash come to."""
    return min(gain - FRICTION, -1.0) if given_away(view, state, company) else gain - FRICTION


def given_away(view: View, state: State, name: CompanyId) -> bool:
    """Tell whether a sale leaves so little of a safe company that pays to its director that a rival may soon direct it.

    `state` is the position after it. Those who play on briskly do not see who answers to it.
    """
    company, sold = view.state.companies[name], state.companies[name]
    if company.director != view.seat or not company.revenue or threat(view.state, company):
        return False
    rival = max(sold.percent(seat) for seat in range(len(state.players)) if seat != view.seat)
    return rival + min(GRASP, sold.percent(IPO) + sold.percent(POOL)) > sold.percent(view.seat)
