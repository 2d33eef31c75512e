"""The first stock round before the starting package is sold: no share of any corporation is traded (COMMON-AUC-01)."""

from __future__ import annotations

from trajekt.engine.actions import Action, BuyShare, FoundCompany, SellShares
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse


@check("COMMON-AUC-01")
def package_sold(_view: View, _action: BuyShare | FoundCompany) -> Refusal | None:
    """Refuse shares of any corporation before the starting package is sold."""
    return refuse(Code.PACKAGE_UNSOLD)


@check("COMMON-SR-03")
def never_in_package(_view: View, _action: SellShares) -> Refusal | None:
    """Refuse every sale while the package is open: it belongs to the first stock round."""
    return refuse(Code.FIRST_ROUND)


def _never(_draft: Draft, action: Action) -> None:
    raise AssertionError(action)


NOT_YET = (
    Rule(BuyShare, lambda _view: (), _never, needs=(package_sold,)),
    Rule(FoundCompany, lambda _view: (), _never, needs=(package_sold,)),
    Rule(SellShares, lambda _view: (), _never, needs=(never_in_package,)),
)
"""Trading during the auction of the package: always refused, with the reason (COMMON-AUC-01)."""
