"""Section 16 as payments trigger it: the bank that cannot pay in full (COMMON-END-01 to -03)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, dealt, on_top, with_cash
from tests.builders.rhl_trading import ADA, BERT, firm, ruleset, trading
from tests.builders.rhl_turns import company, in_turn, unsold, with_depot
from tests.builders.rhl_turns import ruleset as turns
from trajekt.engine.actions import ChooseForcedTrain, DeclareBankruptcy, SellShares, TakeLoan, Withhold
from trajekt.engine.agenda import run
from trajekt.engine.events import EndTriggered, Paid
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import BANK, Private
from trajekt.rules.operating_round import OperatingRound


@pytest.mark.rule("COMMON-END-01", "COMMON-END-02", "COMMON-END-03")
@pytest.mark.parametrize(("bank", "ends"), [(79, "sr"), (80, "")])
def test_unpaid_sale_ends_after_next_set(bank, ends):
    state = firm(trading("2", phase="brown"), "GVE", (2, 3), director=ADA, Ada=40)
    state = replace(firm(state, "ADR", (3, 2), director=BERT, Ada=20, Bert=30), bank=bank)
    decision = act(ruleset("2"), state, ADA, SellShares("GVE", 10))
    assert decision.state.ending == ends
    assert decision.state.bank == bank - 80
    assert decision.state.players[ADA].cash == 580, "all the same he is paid"
    again = act(ruleset("2"), decision.state, ADA, SellShares("ADR", 10))
    assert [e for e in again.events if isinstance(e, EndTriggered)] == ([] if ends else [EndTriggered("sr")])


@pytest.mark.rule("COMMON-END-01")
def test_in_operating_round_set_is_last():
    state = trading("2", cash=0)
    state = replace(state, bank=20, privates={4: Private(4, ADA), 5: Private(5, BERT)})
    for bank, ends in ((44, "or"), (45, "")):
        draft = Draft(ruleset("2"), replace(state, bank=bank, agenda=(OperatingRound(1, 1, 1),)))
        run(draft)
        assert draft.state.ending == ends
        assert draft.state.bank == bank - 45


@pytest.mark.rule("COMMON-END-01")
def test_broken_bank_stays_broken():
    state = on_top(replace(trading("2"), bank=30))
    draft = Draft(ruleset("2"), state)
    draft.pay(BANK, ADA, 50, "sale")
    first = draft.events[-1]
    draft.pay(BERT, BANK, 100, "share")
    assert isinstance(first, Paid)
    ruleset("2").table[Paid][0].run(draft, first)
    assert draft.state.ending == "sr"
    assert draft.state.bank == 80


@pytest.mark.rule("COMMON-END-01", "COMMON-FOR-07", "RHL-BKR-03")
@pytest.mark.parametrize(("edition", "last", "bank"), ((2, TakeLoan(), 300), (1, DeclareBankruptcy(), 200)))
def test_help_for_train_breaks_no_bank(edition, last, bank):
    """What the bank lends comes back with the price at once: it owns no less than before."""
    state = with_depot(unsold(edition), {"5": 3, "6": 6, "8": 4}, sold=("2", "3", "4"))
    state = dealt(company(state, "ADR", (4, 2), director=0, treasury=0), "ADR", pool=(1, 2, 3, 4, 5))
    state = replace(in_turn(with_cash(state, Ada=100), "ADR", "trains"), bank=bank)
    for action in (ChooseForcedTrain("display", "5"), last):
        state = act(turns(edition), state, 0, action).state
    assert state.companies["ADR"].trains == ("5",)
    assert state.bank == bank + 100
    assert state.ending == ""


@pytest.mark.rule("COMMON-END-01", "RHL-BKR-03")
@pytest.mark.parametrize(("debt", "ending"), ((150, ""), (100, ""), (99, "or"), (0, "or")))
def test_repaid_income_breaks_no_bank(debt, ending):
    state = company(unsold(1), "ADR", (4, 2), director=0, treasury=0, trains=("3",), debt=debt)
    state = replace(in_turn(state, "ADR", "pay", revenue=150), bank=50)
    after = act(turns(1), state, 0, Withhold()).state
    assert after.bank == 50 - 150 + debt
    assert after.ending == ending
