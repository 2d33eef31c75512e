"""The facts of the real map that a table of 18LRA tells while only its books are kept."""

from __future__ import annotations

from collections.abc import Iterable

from trajekt.engine.events import FlagSet
from trajekt.engine.ruleset import Draft, View
from trajekt.engine.state import BANK
from trajekt.games.lra.components import link_bonus
from trajekt.games.lra.emigrant_camp import CAMP, ask, opened
from trajekt.games.lra.kreisbahn import INCOME, has_train
from trajekt.games.lra.route_rules import DEC
from trajekt.games.lra.venlo_link import LINKED
from trajekt.rules.operating_round import operating, turn_of
from trajekt.rules.referee import Referee
from trajekt.rules.referee_declarations import RUN, Fact


def waiting_for_link(view: View) -> Iterable[str]:
    """Floated corporations whose link to Venlo has not been paid (LRA-FLT-08)."""
    if LINKED in view.state.marks:
        return ()
    companies = view.state.companies.values()
    return tuple(c.id for c in companies if c.floated and link_bonus(view.sheet, c.id) is not None)


def pay_link(draft: Draft, company: str, _income: int) -> None:
    """Pay the link, once."""
    link = link_bonus(draft.sheet, company)
    assert link is not None
    draft.emit(FlagSet(LINKED, company))
    draft.pay(BANK, company, link.amount, "link")


def camp_closed(view: View) -> Iterable[str]:
    """The emigrant camp, while no link has opened it (LRA-PRV-18)."""
    state = view.state
    return ("",) if opened(DEC) not in state.marks and state.privates[CAMP].open else ()


def with_the_train(view: View) -> Iterable[str]:
    """The corporation in turn, if it has the 2+4 of the Kreisbahn and its run is not told yet (LRA-DIV-04)."""
    turn = turn_of(view.state)
    return (turn.company,) if turn.step == RUN and has_train(view.state, operating(view).id) else ()


def note_income(draft: Draft, _company: str, income: int) -> None:
    """Remember what the 2+4 earned, for the pay-out."""
    draft.emit(FlagSet(INCOME, str(income) if income else ""))


REFEREE = Referee(
    (
        Fact("link", ("LRA-FLT-08",), waiting_for_link, pay_link),
        Fact("camp", ("LRA-PRV-18",), camp_closed, lambda draft, _target, _income: ask(draft, DEC)),
        Fact("gkb", ("LRA-DIV-04",), with_the_train, note_income, income=True),
    )
)
