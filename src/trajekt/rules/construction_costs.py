"""Construction costs of a tile or a station in named terms, so that the page can show the sum as it came about."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from trajekt.engine.ruleset import Code, Refusal, refuse
from trajekt.engine.state import Company


class CostTerm(msgspec.Struct, frozen=True):
    """A part of a cost in Mark, negative where it is waived, with the rule that asks for it."""

    rule: str
    name: str
    amount: int


def total(terms: Iterable[CostTerm]) -> int:
    """The sum in Mark; never below 0, since a waiver takes off no more than what is asked."""
    return max(0, sum(term.amount for term in terms))


def waived(terms: tuple[CostTerm, ...], rule: str, name: str) -> tuple[CostTerm, ...]:
    """The terms with all of their cost taken off again by a rule; an empty rule changes nothing."""
    if not rule or not total(terms):
        return terms
    return (*terms, CostTerm(rule, name, -total(terms)))


def affordable(company: Company, amount: int) -> Refusal | None:
    """A refusal where the treasury alone cannot pay; the director may not help (COMMON-TRK-14, COMMON-TOK-03)."""
    if company.treasury >= amount:
        return None
    return refuse(Code.UNAFFORDABLE, cost=amount, cash=company.treasury)
