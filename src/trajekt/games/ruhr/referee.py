"""The facts that a table of 18Ruhr tells while only its books are kept: links that tiles made, and which links are joined.

The income of Montan companies follows from their charters, so it is counted in any case.
"""

from __future__ import annotations

from collections.abc import Iterable

from trajekt.engine.events import Paid
from trajekt.engine.ruleset import Draft, View
from trajekt.engine.state import set_aside_account
from trajekt.games.ruhr.actions import BuildPmcLink
from trajekt.games.ruhr.components import MINES
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.railway_links import link, own_options, without_links
from trajekt.rules.referee import Referee
from trajekt.rules.referee_declarations import Fact


def waiting_for_link(view: View) -> Iterable[str]:
    """Floated corporations for which investors have set money aside (RUHR-REV-07)."""
    state = view.state
    for company in view.sheet.companies.values():
        name = str(company.own.get("aside", ""))
        if name and state.aside.get(name, 0) and state.companies[company.id].floated:
            yield company.id


def pay_link(draft: Draft, company: str, _income: int) -> None:
    """Pay what was set aside."""
    name = str(draft.sheet.companies[company].own["aside"])
    draft.emit(Paid(set_aside_account(name), company, draft.state.aside[name], "link"))


def unlinked(view: View) -> Iterable[str]:
    """The pMCs without a link, by number (RUHR-LINK-07)."""
    return (str(mine) for mine in without_links(view.state, MINES))


def links(view: View) -> Iterable[BuildPmcLink]:
    """Every location without a link: whether track joins it, the table sees."""
    if isinstance(view.frame, MontanTurn):
        return own_options(view)
    return (BuildPmcLink(mine) for mine in without_links(view.state, MINES))


REFEREE = Referee(
    (
        Fact("link", ("RUHR-REV-07",), waiting_for_link, pay_link),
        Fact("brown", ("RUHR-LINK-07",), unlinked, lambda draft, mine, _income: link(draft, int(mine), "tile")),
    ),
    waived=("joined_to_station", "on_a_route", "joined_to_net"),
    offered={BuildPmcLink: links},
)
