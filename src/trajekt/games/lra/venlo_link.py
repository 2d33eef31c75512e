"""The link from Gladbach or Rheydt to Venlo, for which the GVE is paid once (LRA-FLT-08)."""

from __future__ import annotations

from trajekt.engine.events import FlagSet, StatusSet, TileLaid
from trajekt.engine.ruleset import Draft, Reaction
from trajekt.engine.state import BANK
from trajekt.games.lra.components import link_bonus
from trajekt.rules.track_links import linked

LINKED = "linked"
"""The mark of the position that the bonus was paid."""


def pay_links(draft: Draft, _event: TileLaid | StatusSet) -> None:
    """Pay at the moment when the link is there and the corporation has floated, whichever comes last."""
    for company in draft.state.companies.values():
        link = link_bonus(draft.sheet, company.id)
        if link is None or not company.floated or LINKED in draft.state.marks:
            continue
        if linked(draft.state.board, link.start, (link.end,)):
            draft.emit(FlagSet(LINKED, company.id))
            draft.pay(BANK, company.id, link.amount, "link")


LINK_PAYS = Reaction(TileLaid, ("LRA-FLT-08",), pay_links)
LINK_WAITED = Reaction(StatusSet, ("LRA-FLT-08",), pay_links)
"""The link is older than the corporation."""
