"""Directors: who becomes director, and which certificates change hands for the director's certificate.

Certificates come in sizes, so an exchange needs a set of ordinary ones of exactly the same percentage. A sale that needs the
director's certificate is planned as a whole: who takes over, what he gives, what then goes to the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import CertificateMoved, DirectorChanged
from trajekt.engine.memo import MemoTable
from trajekt.engine.ruleset import Code, Draft, Reaction, Refusal, refuse
from trajekt.engine.state import Company, Seat, State

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DirectorsPolicy:
    """`prefers` orders the sets of certificates that a new director could give; they come with the fewest papers first.

    `names_papers`: a seller whose certificates come to the sum in several ways says which of them go. `changes` plans the sale
    of a director whose certificates do not come to the sum even after the exchange; None: there is no such sale.
    """

    prefers: Callable[[Company, Seat, list[Numbers]], list[Numbers]]
    names_papers: bool = True
    changes: Callable[[Company, Seat, Seat, int], Sale | None] | None = None


def fewest_first(_company: Company, _seat: Seat, sets: list[Numbers]) -> list[Numbers]:
    """As few papers as possible change hands, so that a 20 % certificate goes before two of 10 % (COMMON-DIR-06)."""
    return sets


@dataclass(frozen=True, slots=True)
class Sale:
    """A sale planned: `successor` first gives `given` for the director's certificate, then `sold` go to the pool.

    `change` comes back out of the pool.
    """

    company: CompanyId
    percent: int
    sold: Numbers
    successor: Seat | None = None
    given: Numbers = ()
    change: Numbers = ()


def directors_certificate(company: Company) -> int:
    """The number of the director's certificate."""
    for number, certificate in enumerate(company.certificates):
        if certificate.director:
            return number
    message = f"{company.id} has no director's certificate"
    raise AssertionError(message)


def ordinary(company: Company, seat: Seat) -> Numbers:
    """The ordinary certificates of a player, in stack order."""
    return tuple(number for number in company.held(seat) if not company.certificates[number].director)


def exact_sets(company: Company, numbers: Sequence[int], percent: int) -> list[Numbers]:
    """The sets of these certificates that come to exactly `percent`, fewest papers first.

    Certificates of one size are interchangeable: of each size the first in stack order are taken.
    """
    by_size: dict[int, list[int]] = {}
    for number in numbers:
        by_size.setdefault(company.certificates[number].percent, []).append(number)
    if len(by_size) == 1:
        ((size, alike),) = by_size.items()
        count, rest = divmod(percent, size)
        return [] if rest or count > len(alike) or count < 0 else [tuple(sorted(alike[:count]))]
    sizes = sorted(by_size, reverse=True)

    def found() -> Iterator[Numbers]:
        for counts in product(*(range(len(by_size[size]), -1, -1) for size in sizes)):
            if sum(size * count for size, count in zip(sizes, counts, strict=True)) == percent:
                yield tuple(sorted(n for size, count in zip(sizes, counts, strict=True) for n in by_size[size][:count]))

    return sorted(found(), key=len)


def stacked(company: Company, left: Sequence[int], percents: Sequence[int]) -> list[Numbers]:
    """The deepest certificates that lie upon each other in this order, for the order decides what can be bought; or nothing."""
    found: list[int] = []
    for number in reversed(left):
        if len(found) < len(percents) and company.certificates[number].percent == percents[-1 - len(found)]:
            found.append(number)
    return [tuple(reversed(found))] if len(found) == len(percents) else []


def certificates_for(
    company: Company, left: Sequence[int], percent: int, named: Sequence[int], *, lies: bool
) -> Numbers:
    """The certificates for these shares at a place, of the sizes `named`; nothing where there are none. `lies`: in a stack."""
    if percent < 0 or not left:
        return ()
    if named and lies:
        found = stacked(company, left, named) if sum(named) == percent else []
    else:
        found = exact_sets(company, left, percent)
    sizes = sorted(named)
    fitting = (each for each in found if not named or sorted(company.certificates[n].percent for n in each) == sizes)
    return next(fitting, ())


def rival(state: State, company: Company) -> Seat | None:
    """The other player with the highest percentage, among equals the first to the left of the director (COMMON-DIR-04)."""
    assert company.director is not None
    held = company.shareholders
    others = [seat for seat in state.clockwise(company.director) if seat != company.director and held.get(seat, 0)]
    return max(others, key=lambda seat: held[seat], default=None)


def offers(policy: DirectorsPolicy, company: Company, successor: Seat) -> list[Numbers]:
    """Sets of certificates that a new director could give for the director's, the preferred one first (COMMON-DIR-06)."""
    size = company.certificates[directors_certificate(company)].percent
    return policy.prefers(company, successor, exact_sets(company, ordinary(company, successor), size))


def sizes_of(company: Company, numbers: Sequence[int]) -> tuple[int, ...]:
    """The per cent of certificates, larger ones first."""
    return tuple(sorted((company.certificates[number].percent for number in numbers), reverse=True))


_SALES: MemoTable[Company, object, tuple[Sale, ...] | Refusal] = MemoTable("sales")


def sales(
    state: State, policy: DirectorsPolicy, seat: Seat, company: Company, percent: int
) -> tuple[Sale, ...] | Refusal:
    """The ways to sell `percent` of a corporation as one block, fewest papers first, or why there is none.

    Kept on the company: beside it they hang on who is still in the game alone.
    """
    key = seat, percent, policy, tuple([player.bankrupt for player in state.players])
    return _SALES.get(company, key, lambda: _sales(state, policy, seat, company, percent))


def _sales(
    state: State, policy: DirectorsPolicy, seat: Seat, company: Company, percent: int
) -> tuple[Sale, ...] | Refusal:
    """Work the ways out.

    Pool and round are not looked at. Where ordinary certificates do not come to the sum, the director exchanges his own
    first and sells part of what he got for it (COMMON-DIR-05).
    """
    held = company.percent(seat)
    own = ordinary(company, seat)
    if not 0 < percent <= held:
        return refuse(Code.NOT_HELD, "COMMON-SR-13", company=company.id, held=held)
    plain = exact_sets(company, own, percent)
    if plain:
        return tuple(Sale(company.id, percent, numbers) for numbers in plain)
    if company.director != seat:
        return refuse(Code.NOT_HELD, "COMMON-SR-13", company=company.id, held=held)
    size = company.certificates[directors_certificate(company)].percent
    successor = rival(state, company)
    if successor is None or company.percent(successor) < size:
        return refuse(Code.NO_SUCCESSOR, "COMMON-DIR-04", company=company.id, percent=size)
    unequal = refuse(Code.NOT_EXCHANGEABLE, "COMMON-DIR-06", company=company.id, percent=percent)
    if company.percent(successor) <= held - percent:
        return unequal
    for given in offers(policy, company, successor):
        sets = exact_sets(company, (*own, *given), percent)
        if sets:
            return tuple(Sale(company.id, percent, numbers, successor, given) for numbers in sets)
    changed = None if policy.changes is None else policy.changes(company, seat, successor, percent)
    return unequal if changed is None else (changed,)


def plan_sale(
    state: State, policy: DirectorsPolicy, seat: Seat, company: Company, percent: int, sizes: tuple[int, ...] = ()
) -> Sale | Refusal:
    """The way in which `percent` of a corporation are sold with papers of these `sizes`, or why it cannot be.

    Where no sizes are named as many papers as possible go and the larger ones stay with him.
    """
    found = sales(state, policy, seat, company, percent)
    if isinstance(found, Refusal):
        return found
    if not sizes:
        return found[-1]
    chosen = next((sale for sale in found if sizes_of(company, sale.sold) == sizes), None)
    return chosen or refuse(Code.NOT_HELD, "COMMON-SR-13", company=company.id, held=company.percent(seat))


def hand_over(draft: Draft, company_id: CompanyId, successor: Seat, given: Numbers) -> None:
    """Let the successor give ordinary certificates for the director's certificate and be director (COMMON-DIR-03)."""
    company = draft.state.companies[company_id]
    former = company.director
    assert former is not None
    draft.emit(DirectorChanged(company_id, successor, "exchange"))
    draft.emit(CertificateMoved(company_id, directors_certificate(company), former, successor, "exchange"))
    for number in given:
        draft.emit(CertificateMoved(company_id, number, successor, former, "exchange"))


def follow_majority(draft: Draft, event: CertificateMoved) -> None:
    """Make the player director who holds more than the director (COMMON-DIR-02); without an exact exchange it waits."""
    company = draft.state.companies[event.company]
    director = company.director
    if director is None or company.certificates[directors_certificate(company)].holder != director:
        return
    held = company.percent(director)
    if max(company.shareholders.values()) <= held:  # as after most sales: nobody's rank need be asked
        return
    leader = rival(draft.state, company)
    if leader is None or company.percent(leader) <= held:
        return
    found = offers(draft.ruleset.policy(DirectorsPolicy), company, leader)
    if found:
        hand_over(draft, company.id, leader, found[0])


DIRECTOR_FOLLOWS = Reaction(CertificateMoved, ("COMMON-DIR-02", "COMMON-DIR-03"), follow_majority)
