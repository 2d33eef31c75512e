"""Section 16 as payments trigger it: the bank that cannot pay in full (COMMON-END-01 to -03)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, on_top
from tests.builders.rhl_trading import ADA, BERT, firm, ruleset, trading
from trajekt.engine.actions import SellShares
from trajekt.engine.agenda import Draft, run
from trajekt.engine.events import EndTriggered, Paid
from trajekt.engine.state import BANK, Private
from trajekt.rules.operating_round import OperatingRound


@pytest.mark.rule("COMMON-END-01", "COMMON-END-02", "COMMON-END-03")
@pytest.mark.parametrize(("bank", "ends"), [(79, "sr"), (80, "")])
def test_a_bank_that_cannot_pay_a_sale_ends_the_game_after_the_next_set(bank, ends):
    state = firm(trading("2", phase="brown"), "GVE", (2, 3), director=ADA, Ada=40)
    state = replace(firm(state, "ADR", (3, 2), director=BERT, Ada=20, Bert=30), bank=bank)
    decision = act(ruleset("2"), state, ADA, SellShares("GVE", 10))
    assert decision.state.ending == ends
    assert decision.state.bank == bank - 80
    assert decision.state.players[ADA].cash == 580, "all the same he is paid"
    again = act(ruleset("2"), decision.state, ADA, SellShares("ADR", 10))
    assert [e for e in again.events if isinstance(e, EndTriggered)] == ([] if ends else [EndTriggered("sr")])


@pytest.mark.rule("COMMON-END-01")
def test_in_an_operating_round_the_set_is_the_last():
    state = trading("2", cash=0)
    state = replace(state, bank=20, privates={4: Private(4, ADA), 5: Private(5, BERT)})
    for bank, ends in ((44, "or"), (45, "")):
        draft = Draft(ruleset("2"), replace(state, bank=bank, agenda=(OperatingRound(1, 1, 1),)))
        run(draft)
        assert draft.state.ending == ends
        assert draft.state.bank == bank - 45


@pytest.mark.rule("COMMON-END-01")
def test_the_bank_is_broken_though_it_recovers_in_the_same_decision():
    state = on_top(replace(trading("2"), bank=30))
    draft = Draft(ruleset("2"), state)
    draft.pay(BANK, ADA, 50, "sale")
    first = draft.events[-1]
    draft.pay(BERT, BANK, 100, "share")
    assert isinstance(first, Paid)
    ruleset("2").table[Paid][0].run(draft, first)
    assert draft.state.ending == "sr"
    assert draft.state.bank == 80
