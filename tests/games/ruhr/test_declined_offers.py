"""A no bars its own price alone, and only in this turn (RUHR-SWITCH-08, RUHR-FORCED-01)."""

from __future__ import annotations

import pytest

from tests.builders.ruhr_lines import bme_to_hagen
from tests.builders.ruhr_positions import (
    ADA,
    BERT,
    CLEO,
    act,
    after,
    at_table,
    located,
    owning,
    railway_turn,
    refused,
    rules,
    started,
    with_cash,
    works_turn,
)
from trajekt.engine.actions import Decline
from trajekt.engine.decisions import legal
from trajekt.engine.ruleset import Code
from trajekt.games.ruhr.actions import BuyEngineFrom, ForceTrain
from trajekt.rules.turn_notes import Once


def spans(state, seat, kind):
    """The prices at which an action of a kind is offered, as pairs."""
    choices = [choice for choice in legal(rules(), state, (seat,)) if isinstance(choice.action, kind) and choice.spans]
    found = [choice.spans["price"] for choice in choices]
    return [(span.low, span.high) for span in found]


@pytest.mark.rule("RUHR-SWITCH-08")
def test_declined_engine_offered_at_other_prices():
    state = located(owning(at_table(), markers="AAB", money=500, pmc7=ADA), pmc7=10)
    state = works_turn(started(state, "CME", BERT, 80, trains=("2",)), "7")
    assert spans(state, ADA, BuyEngineFrom) == [(10, 60)]
    for price in (30, 10):
        state = after(rules(), state, (ADA, BuyEngineFrom("CME", "2", price)), (BERT, Decline()))
    assert spans(state, ADA, BuyEngineFrom) == [(11, 29), (31, 60)]
    no = refused(rules(), state, ADA, BuyEngineFrom("CME", "2", 30))
    assert (no.code, no.rule) == (Code.DECLINED, "RUHR-SWITCH-08")
    act(rules(), state, ADA, BuyEngineFrom("CME", "2", 31))


@pytest.mark.rule("RUHR-FORCED-01")
def test_declined_train_at_other_prices():
    state = started(bme_to_hagen(treasury=20), "CME", CLEO, 80, trains=("2",))
    state = railway_turn(with_cash(state, Bert=500), "BME", "trains", used=(Once.DEAL,))
    assert spans(state, BERT, ForceTrain) == [(21, 100)]
    state = after(rules(), state, (BERT, ForceTrain("CME", "2", 50)), (CLEO, Decline()))
    assert spans(state, BERT, ForceTrain) == [(21, 49), (51, 100)]
    assert refused(rules(), state, BERT, ForceTrain("CME", "2", 50)).rule == "RUHR-FORCED-01"
