"""Incomes of private companies, paid when an operating round begins (COMMON-OR-01)."""

from __future__ import annotations

from trajekt.engine.ruleset import Draft
from trajekt.engine.state import BANK


def pay_privates(draft: Draft) -> None:
    """Pay every open private's income to its owner, in the order of numbers (COMMON-OR-01)."""
    for private in sorted(draft.state.privates.values(), key=lambda p: p.number):
        if private.owner is not None and private.open:
            draft.pay(BANK, private.owner, draft.sheet.privates[private.number].revenue, "private")
