"""Judgement of a founding: whether the company floats soon, what the shares bring that must follow, where its track may go."""

from __future__ import annotations

from trajekt.bots import track_valuation
from trajekt.bots.evaluation import hints_of, lacking, plays_on, share_worth
from trajekt.engine.actions import FoundCompany
from trajekt.engine.ruleset import View
from trajekt.engine.state import Company, State
from trajekt.rules.stock_round import limit

DEAR = 5.0
"""Mark that a founder's cash would bring elsewhere, for each Mark of par."""


def stake(view: View) -> float:
    """The least that a seat needs to float a company alone, in Mark; 0 where it has not so much at all, or needs none."""
    if not hints_of(view.sheet.game).by_trains:
        return 0.0
    pars = view.sheet.market.pars
    parts = sorted(company.float_percent / company.share for company in view.sheet.companies.values() if company.share)
    # most companies ask the same; one that asks little may be sold with the package
    stake = parts[len(parts) // 2] * min(pars) if parts and pars else 0.0
    return stake if stake <= view.player.cash else 0.0


def to_float(state: State, company: Company) -> float:
    """The gain of all shares that a founded company still lacks to float, in Mark."""
    price = state.price(company.id) if plays_on(state, company) else 0
    return lacking(state, company) * (share_worth(state, company) / price - 1) if price else 0.0


def founding(view: View, state: State, action: FoundCompany, gain: float) -> float:
    """The gain of a founding with the shares that must follow: money in what does not float soon works for nobody.

    The money for a company that the founder has still to float is spent already.
    """
    company = state.companies[action.company]
    needed, cash = lacking(state, company), state.players[view.seat].cash
    waiting = [c for c in view.state.companies.values() if c.founded and not c.floated]
    rich = any(player.cash >= needed + action.par for player in view.state.players)
    if not plays_on(state, company):
        own = [lacking(view.state, c) for c in waiting if c.director == view.seat]
        return min(gain, -1.0) if needed > cash - sum(own) and (own or rich) else gain
    room = limit(state) - state.certificate_count(view.seat)
    if needed <= cash and needed <= room * action.par:
        start = track_valuation.outlets(view.ruleset, state, company.id)
        return (gain + to_float(state, company) - DEAR * action.par) * min(1.2, 0.4 + start / 30)
    if waiting or rich or needed > 0.8 * sum(player.cash for player in state.players):
        return min(gain, -1.0)
    return gain  # where nobody can do it alone, several may
