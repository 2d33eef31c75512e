"""Receivership of a MONTAN corporation: the bank develops for a corporation that nobody directs (Q42, Q62)."""

from __future__ import annotations

from trajekt.engine.ruleset import Draft
from trajekt.games.ruhr.components import StageCounts, ruhr_components, stages_of
from trajekt.games.ruhr.development import take_markers
from trajekt.games.ruhr.loans import lend
from trajekt.games.ruhr.montan_charters import cards_for, legal_takes, turned_by
from trajekt.games.ruhr.montan_turn import MontanTurn, duty_holds, end_turn
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.state import treasury_of


def develop_for_bank(draft: Draft, turn: MontanTurn) -> None:
    """The cheapest card that gives an active marker, with the markers that then earn most; else the turn ends."""
    state, options = draft.state, draft.ruleset.policy(RuhrOptions)
    if not duty_holds(options, state, turn):
        end_turn(draft)
        return
    known = ruhr_components(draft.sheet).cards
    kind = min(cards_for(state, turn.works, x_after_e=options.x_after_e), key=lambda card: known[card].price)
    turned, stages = turned_by(state, kind), ruhr_components(draft.sheet).stages

    def earned(counts: StageCounts) -> int:
        # engines need no thought: who earns most has the highest markers too; and legal rows are all of one length
        return sum(count * stages[n] for n, count in enumerate(counts) if n not in turned)

    counts = max(legal_takes(state, turn.works, kind, x_after_e=options.x_after_e), key=earned)
    lend(draft, turn.works, known[kind].price - treasury_of(state, turn.works))
    take_markers(draft, kind, stages_of(counts))
