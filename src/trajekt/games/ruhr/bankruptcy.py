"""A director who cannot raise the money leaves the game (section 16 of the rule sheet)."""

from __future__ import annotations

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import Bankrupted, CertificateMoved, PriorityMoved, PrivateClosed
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import BANK, POOL, Seat
from trajekt.games.ruhr.montan_charters import mines_of
from trajekt.games.ruhr.montan_closing import turn_passive
from trajekt.games.ruhr.montan_round_cards import deal
from trajekt.games.ruhr.state import ruhr_state
from trajekt.rules import stock_market
from trajekt.rules.bankruptcy import BankruptcyPolicy, succeed
from trajekt.rules.stock_round import worth

BANKRUPTCY = BankruptcyPolicy(least=20, surcharge=0)
"""A successor needs what the director certificate is worth: two shares of a railway, one of a MONTAN (RUHR-BANKR-03)."""


def leave_game(draft: Draft, seat: Seat, acting: CompanyId, needed: int) -> None:
    """Sell all that he has to the pool; his money pays the acting corporation's purchase, the rest is the bank's.

    Then his corporations get new directors or are run by the bank; his pMCs turn passive, his private companies
    close (RUHR-BANKR-05).
    """
    directed = [
        c for c in (*draft.state.operating_order, *draft.state.companies) if draft.state.companies[c].director == seat
    ]
    directed = list(dict.fromkeys(directed))
    sell_everything(draft, seat)
    cash = draft.state.players[seat].cash
    draft.pay(seat, acting, min(cash, needed), "forced")
    draft.pay(seat, BANK, cash - min(cash, needed), "bankrupt")
    for mine in mines_of(draft.state, seat):
        turn_passive(draft, mine, "bankrupt")
    for private in draft.state.privates.values():
        if private.owner == seat and private.open:
            draft.emit(PrivateClosed(private.number, "bankrupt"))
    draft.emit(Bankrupted(seat))
    if draft.state.priority == seat:
        draft.emit(PriorityMoved(draft.state.clockwise(seat)[0]))
    for company in directed:
        succeed(draft, company, seat, BANKRUPTCY)
    deal(draft, ruhr_state(draft.state).cards)
    if len(draft.state.clockwise(seat)) == 1:
        draft.end("bankrupt")


def sell_everything(draft: Draft, seat: Seat) -> None:
    """Sell at the values before, beyond the pool's limit, director certificates too; a marker falls where he was director."""
    for company in draft.state.companies.values():
        percent = company.percent(seat)
        if not percent:
            continue
        draft.pay(BANK, seat, worth(draft.state, company.id, percent), "bankrupt")
        for number in company.held(seat):
            draft.emit(CertificateMoved(company.id, number, seat, POOL, "bankrupt"))
        if company.director == seat:
            stock_market.left(draft, company.id, "bankrupt")
