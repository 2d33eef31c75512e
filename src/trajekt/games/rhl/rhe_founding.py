"""The RhE in the opening: its director's certificate is no. 6 of the package, three shares lie in the pool.

What those three shares are worth lies beside Aachen (K2) until track links Cologne with it (`link`). The second edition fixes
the par; in the first the buyer sets it. Also: what each edition does when all pass in the auction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import replace as replace_policy

from msgspec.structs import replace

from trajekt.engine.actions import SetPar
from trajekt.engine.events import CertificateMoved, DirectorChanged, PrivateClosed, StatusSet
from trajekt.engine.ruleset import Code, Draft, Duty, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, IPO, POOL, Frame, Seat, set_aside_account
from trajekt.rules import stock_market
from trajekt.rules.auction import (
    FALL,
    Auction,
    AuctionPolicy,
    auction_on_top,
    buy_of_bank,
    clockwise_bidder,
    finish_clockwise,
    finish_left_of_buyer,
    incomes_then_offer,
    lowest,
    printed_less_discount,
    take_brought,
    unsold,
)
from trajekt.rules.floating import SHARE, no_par, set_par, shares, unsold_to
from trajekt.rules.private_income import pay_privates
from trajekt.rules.stock_round import open_stock_round, stock_round

RHE = "RhE"
DIRECTORS_CERTIFICATE = 6
"""The number in the package of RhE's director's certificate, which is no private company (RHL-PRV-14)."""

PARS = (70, 75, 80)
"""The pars that the first edition's buyer of no. 6 may choose where the public site's reading is played (OQ-06)."""


class ParChoice(Frame, frozen=True, tag="par_choice"):
    """The buyer of no. 6 must set RhE's par at once (RHL-AUC-14)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OpeningPolicy:
    """`lays_aside`: the bank lays the value of the pool shares at K2; else it keeps the money until the link (CMP-13).

    `link_claimed`: the director claims the money for the link, as a record has it (CMP-03), instead of the rules.
    `price_paid`: in the first edition RhE's treasury gets what was paid for no. 6, and its par is one of `PARS`; else that
    price is the bank's, the par any of the market, and the treasury gets it for the two shares of the director's certificate
    (OQ-06).
    """

    lays_aside: bool
    price_paid: bool = False
    link_claimed: bool = False


def open_round(draft: Draft, number: int) -> None:
    """Open a stock round; the first begins with the starting package (COMMON-AUC-01)."""
    open_stock_round(draft, number)
    if number == 1:
        draft.push(Auction(stock_round(draft.state.agenda[-1]).seat))


# The RhE -------------------------------------------------------------------------------------------------------------


def lay_out_pool(draft: Draft, cause: str) -> None:
    """Three shares go to the pool; their value at par is laid beside Aachen (RHL-SET-06, RHL-AUC-14)."""
    company = draft.state.companies[RHE]
    percent = draft.sheet.companies[RHE].pool_percent
    for number in company.held(IPO)[: percent // SHARE]:
        draft.emit(CertificateMoved(RHE, number, IPO, POOL, cause))
    if draft.ruleset.policy(OpeningPolicy).lays_aside:
        draft.pay(BANK, set_aside_account(RHE), shares(percent) * company.par, "set_aside")


def take_directors_certificate(draft: Draft, seat: Seat) -> None:
    """No. 6 leaves the package and is from now on only a certificate of the RhE (RHL-PRV-14)."""
    draft.emit(PrivateClosed(DIRECTORS_CERTIFICATE, "exchange"))
    draft.emit(DirectorChanged(RHE, seat, "brought"))
    take_brought(draft, seat, DIRECTORS_CERTIFICATE)


def bought_second_edition(draft: Draft, seat: Seat, number: int, price: int) -> None:
    """140 Mark of the price of no. 6 are RhE's capital, the rest the bank's; RhE floats at once (RHL-AUC-13, RHL-FLT-06)."""
    if number != DIRECTORS_CERTIFICATE:
        buy_of_bank(draft, seat, number, price)
        return
    capital = draft.sheet.privates[number].price
    draft.pay(seat, RHE, capital, "capital")
    draft.pay(seat, BANK, price - capital, "private")
    draft.emit(StatusSet(RHE, "founded"))
    draft.emit(StatusSet(RHE, "floated"))
    take_directors_certificate(draft, seat)
    unsold_to(draft, RHE, CHARTER)
    stock_market.up(draft, RHE, "floated")


def bought_first_edition(draft: Draft, seat: Seat, number: int, price: int) -> None:
    """No. 6 is paid for, and its buyer sets RhE's par at once (RHL-AUC-14)."""
    if number != DIRECTORS_CERTIFICATE:
        buy_of_bank(draft, seat, number, price)
        return
    if draft.ruleset.policy(OpeningPolicy).price_paid:
        draft.pay(seat, RHE, price, "capital")
    else:
        draft.pay(seat, BANK, price, "private")
    take_directors_certificate(draft, seat)
    draft.push(ParChoice(seat))


@check("RHL-AUC-14")
def rhe_only(_view: View, action: SetPar) -> Refusal | None:
    """Refuse a par for any company but the RhE."""
    return None if action.company == RHE else refuse(Code.NO_PAR_ASKED, company=RHE)


@check("RHL-AUC-14")
def par_allowed(view: View, action: SetPar) -> Refusal | None:
    """Refuse a par that RhE's buyer may not choose."""
    pars = pars_of(view)
    return None if action.par in pars else no_par(action.par, pars)


def pars_of(view: View) -> tuple[int, ...]:
    """The pars among which the buyer of no. 6 chooses, in Mark."""
    return PARS if view.ruleset.policy(OpeningPolicy).price_paid else tuple(view.sheet.market.pars)


def par_options(view: View) -> Iterable[SetPar]:
    """Every par that may be chosen."""
    for par in pars_of(view):
        yield SetPar(RHE, par)


def choose_par(draft: Draft, action: SetPar) -> None:
    """RhE floats; its marker rises at the end of the round with those of the others (RHL-AUC-14)."""
    draft.pop()
    set_par(draft, RHE, action.par)
    draft.emit(StatusSet(RHE, "founded"))
    draft.emit(StatusSet(RHE, "floated"))
    draft.emit(StatusSet(RHE, "due"))
    lay_out_pool(draft, "set_aside")


SET_PAR = Rule(SetPar, par_options, choose_par, needs=(rhe_only,), checks=(par_allowed,))
PAR_CHOICE = Duty(ParChoice, rule="RHL-AUC-14", who=lambda _state, choice: (choice.seat,), menu=(SET_PAR,))


# All pass ------------------------------------------------------------------------------------------------------------


def first_one_falls(draft: Draft, auction: Auction) -> None:
    """While no. 1 is unsold it gets 5 Mark cheaper; later private incomes are paid (RHL-AUC-09, RHL-AUC-10)."""
    first = min(draft.sheet.privates)
    if first in unsold(draft.state):
        draft.replace_top(replace(auction_on_top(draft), discount=auction.discount + FALL))
    else:
        pay_privates(draft)


FIRST_EDITION = AuctionPolicy(
    step=1,
    bought=bought_first_edition,
    raises_next=clockwise_bidder,
    all_passed=first_one_falls,
    finish=finish_clockwise,
    on_sale=lowest,
    price=printed_less_discount,
)
SECOND_EDITION = AuctionPolicy(
    step=5,
    bought=bought_second_edition,
    raises_next=clockwise_bidder,
    all_passed=incomes_then_offer,
    finish=finish_left_of_buyer,
    on_sale=lowest,
    price=printed_less_discount,
    minimum=(DIRECTORS_CERTIFICATE,),
    offer_goes_on=True,
)
OFFER_ONCE = replace_policy(SECOND_EDITION, offer_goes_on=False)
"""After a sale at a falling price normal turns go on (OQ-14)."""
