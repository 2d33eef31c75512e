"""Accounts of players with companies: the money that went in, the money that came back, the shares left at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import CertificateMoved, Event, Paid
from trajekt.engine.state import Seat, State
from trajekt.game import Entry, Game
from trajekt.rules.operating_round import current_turn

SALES = frozenset({"sale"})


class Investment(msgspec.Struct, frozen=True):
    """A player's account with a company, in Mark over the whole game.

    `paid` went for shares and into the treasury or for its trains, `sold` came from sales, `income` from dividends and other
    payments, `value` is that of the shares still held. `company` is empty for all that belongs to none, as private companies.
    """

    seat: Seat
    company: CompanyId
    paid: int
    sold: int
    income: int
    value: int

    @property
    def gain(self) -> int:
        """Worth in Mark that the account has added to the player."""
        return self.sold + self.income + self.value - self.paid


def investments(game: Game) -> list[Investment]:
    """Return the accounts of all players, by seat and with the greatest gain first.

    The gains of a seat and the cash that it began with add up to its score, loans aside.

    >>> import trajekt
    >>> investments(trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"fixed_seats": True}, seed=7))
    []
    """
    paid: Counter[tuple[Seat, CompanyId]] = Counter()
    sold: Counter[tuple[Seat, CompanyId]] = Counter()
    income: Counter[tuple[Seat, CompanyId]] = Counter()
    for entry in game.line():
        before = game.state_at(entry.parent)
        for event, company in payments(before, entry):
            if isinstance(event.source, int):
                paid[event.source, company] += event.amount
            if isinstance(event.target, int):
                (sold if event.cause in SALES else income)[event.target, company] += event.amount
    found = []
    for seat in range(len(game.state.players)):
        value = values(game, seat)
        companies = sorted({c for s, c in (*paid, *sold, *income) if s == seat} | {c for c in value if value[c]})
        accounts = [
            Investment(seat, c, paid[seat, c], sold[seat, c], income[seat, c], value.get(c, 0)) for c in companies
        ]
        found += sorted(accounts, key=lambda each: -each.gain)
    return found


def payments(before: State, entry: Entry) -> Iterable[tuple[Paid, CompanyId]]:
    """The payments from and to players in an entry, each with the company for which it was made; empty for none."""
    moved = {event.company for event in entry.events if isinstance(event, CertificateMoved)}
    turn = current_turn(before)
    for event in entry.events:
        if isinstance(event, Paid) and (isinstance(event.source, int) or isinstance(event.target, int)):
            yield event, _company_of(before, event, moved, "" if turn is None else turn.company)


def _company_of(before: State, event: Event, moved: set[CompanyId], operating: CompanyId) -> CompanyId:
    assert isinstance(event, Paid)
    named = [account for account in (event.source, event.target) if account in before.companies]
    if named:
        return str(named[0])
    if event.cause in {"par", "share", "sale"} and len(moved) == 1:
        return next(iter(moved))
    return operating


def values(game: Game, seat: Seat) -> dict[CompanyId, int]:
    """Values of a player's shares at the head by company, in Mark; all else that counts at the end stands under no company."""
    state = game.state
    by_company = {c.id: state.price(c.id) * c.percent(seat) // 10 for c in state.companies.values() if c.percent(seat)}
    standing = next((s for s in game.standings() if s.seat == seat), None)
    if standing is not None:
        by_company[""] = standing.cash - state.players[seat].cash + standing.shares - sum(by_company.values())
    return by_company
