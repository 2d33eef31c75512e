"""Package, stock rounds and floating as the public site plays the first edition (section 19 of the rules).

Only what differs: CMP-10 to CMP-17, CMP-39, CMP-42, CMP-43, CMP-46.
"""

from __future__ import annotations

from dataclasses import replace

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import FlagSet, StatusSet
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import BANK, POOL, Company, Seat, State
from trajekt.games.rhl.rhe_founding import FIRST_EDITION
from trajekt.rules import stock_market
from trajekt.rules.auction import Auction, begin_shares, lowest_bidder
from trajekt.rules.directorship import (
    DirectorsPolicy,
    Numbers,
    Sale,
    directors_certificate,
    exact_sets,
    ordinary,
)
from trajekt.rules.floating import SHARE, FloatPolicy, acquired, late, shares, unsold_to
from trajekt.rules.share_sales import SELL_SHARES, operated
from trajekt.rules.stock_round import StockRound, give_priority, richest


def richest_or_next(state: State, actor: Seat | None) -> Seat:
    """Return the player with most cash; on a tie the one after the last to act, tied or not (CMP-15).

    Where nobody acted, since all passed, it stays with its holder.
    """
    last = state.priority if actor is None else actor
    best = richest(state, last)
    tied = [seat for seat in state.clockwise(last) if state.players[seat].cash == state.players[best].cash]
    if len(tied) == 1:
        return best
    return last if actor is None else state.clockwise(last)[0]


def priority(state: State, current: StockRound) -> Seat:
    """The player who gets the priority deal after a stock round (CMP-15)."""
    return richest_or_next(state, current.actor)


def finish_auction(draft: Draft, auction: Auction) -> None:
    """End the package, a round of its own: the player with most cash begins the first stock round (CMP-10)."""
    seat = richest_or_next(draft.state, auction.actor)
    give_priority(draft, seat)
    begin_shares(draft, auction, seat)


def capital_at_once(draft: Draft, company_id: CompanyId) -> None:
    """Par for what is sold is paid at the moment of floating, the marker moves when the round ends (CMP-16).

    In the brown or grey phase ten times par, the rest goes to the pool, and the marker stays (CMP-42).
    """
    company = draft.state.companies[company_id]
    if late(draft.state):
        draft.pay(BANK, company_id, 100 // SHARE * company.par, "capital")
        unsold_to(draft, company_id, POOL)
        return
    draft.pay(BANK, company_id, shares(acquired(company)) * company.par, "capital")
    draft.emit(StatusSet(company_id, "due"))
    draft.emit(FlagSet(FLOATED, " ".join((*floated_in_order(draft.state), company_id))))


def floated_in_order(state: State) -> list[CompanyId]:
    """Return the corporations that floated in this stock round, the first of them first."""
    return state.marks.get(FLOATED, "").split()


def settle_floated(draft: Draft) -> None:
    """Raise the markers of those that floated in this round, in the order of floating, the RhE first (CMP-14, CMP-43)."""
    state = draft.state
    due = (company_id for company_id in state.operating_order if state.companies[company_id].due)
    last = floated_in_order(state)
    for company_id in (*(each for each in due if each not in last), *last):
        rise(draft, company_id)
        draft.emit(StatusSet(company_id, "due", value=False))
    if FLOATED in draft.state.marks:
        draft.emit(FlagSet(FLOATED, ""))


def rise(draft: Draft, company_id: CompanyId) -> None:
    """Raise the marker with the floats of the round (CMP-14, CMP-16)."""
    stock_market.up(draft, company_id, "floated")


def large_only_if_needed(company: Company, seat: Seat, sets: list[Numbers]) -> list[Numbers]:
    """Order what a new director gives: his 20 % if he has no more papers than shares needed, else 10 % ones (CMP-39)."""
    needed = shares(company.certificates[directors_certificate(company)].percent)
    return sets if len(ordinary(company, seat)) <= needed else sets[::-1]


def with_change(company: Company, seller: Seat, successor: Seat, percent: int) -> Sale | None:
    """Plan a sale of part of the director's certificate that no exchange makes up exactly: the pool gives change (CMP-46).

    One share is too much; back comes one certificate, of 10 % if the pool has one, else of 20 %, and the price is that of the
    shares sold all the same.
    """
    size = company.certificates[directors_certificate(company)].percent
    offers = exact_sets(company, ordinary(company, successor), size)
    for given in large_only_if_needed(company, successor, offers):
        for kept in exact_sets(company, ordinary(company, seller), percent + SHARE - size):
            sold = tuple(sorted((*kept, *given)))
            change = min((*company.held(POOL), *sold), key=lambda number: company.certificates[number].percent)
            return Sale(company.id, percent, sold, successor, given, (change,))
    return None


FLOATED = "floated"
"""The mark that holds what floated in this stock round, in order."""

AUCTION = replace(FIRST_EDITION, raises_next=lowest_bidder, finish=finish_auction)
FLOATING = FloatPolicy(capital_at_once, rise)
DIRECTORS = DirectorsPolicy(large_only_if_needed, names_papers=False, changes=with_change)
SELL = SELL_SHARES.derive(replaced={"floated": operated}, removed=("one_block", "sells_down"))
"""A corporation may be sold more than once in a turn, the marker falling each time (CMP-17)."""
