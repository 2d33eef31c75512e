"""Section 16 as payments trigger it: the bank that cannot pay in full (COMMON-END-01 to -03)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, dealt, on_top, with_cash, with_holdings
from tests.builders.rhl_forced import after_choice, poor
from tests.builders.rhl_trading import ADA, BERT, firm, ruleset, trading
from tests.builders.rhl_turns import company, in_turn, unsold, with_depot
from tests.builders.rhl_turns import ruleset as turns
from trajekt.engine.actions import (
    ChooseForcedTrain,
    DeclareBankruptcy,
    PayOut,
    SellCharterShares,
    SellShares,
    TakeLoan,
    Withhold,
)
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


@pytest.mark.rule("COMMON-END-01", "COMMON-FOR-04", "COMMON-FOR-06", "RHL-FOR-01")
@pytest.mark.parametrize(
    ("edition", "treasury", "held", "sale", "paid"),
    (
        (2, 310, {"charter": 50, "Ada": 30, "pool": 20}, SellCharterShares(3), 195),
        (2, 430, {"Ada": 50, "pool": 40, "Bert": 10}, SellShares("ADR", 10), 65),
        (1, 430, {"Ada": 50, "pool": 40, "Bert": 10}, SellShares("ADR", 10), 65),
    ),
)
def test_sale_that_covers_breaks_no_bank(edition, treasury, held, sale, paid):
    """The bank pays for certificates and is paid the price of the train at once: it owns more than before."""
    state = replace(after_choice(turns(edition), poor(edition, 10, treasury, **held)), bank=20)
    decision = act(turns(edition), state, ADA, sale)
    assert [e.amount for e in decision.events if isinstance(e, Paid) and e.source == BANK] == [paid]
    assert decision.state.companies["ADR"].trains == ("5",)
    assert decision.state.bank == 20 - paid + 500
    assert decision.state.ending == ""


@pytest.mark.rule("COMMON-END-01", "COMMON-FOR-06", "RHL-FOR-01")
@pytest.mark.parametrize("edition", (1, 2))
def test_sale_that_leaves_gap_breaks_bank(edition):
    """As long as the train is not paid the bank has paid out what it has not."""
    state = poor(edition, 10, 330, Ada=50, pool=40, Bert=10)
    state = replace(after_choice(turns(edition), state), bank=20)
    after = act(turns(edition), state, ADA, SellShares("ADR", 10)).state
    assert (after.bank, after.ending, after.companies["ADR"].trains) == (20 - 65, "or", ())


@pytest.mark.rule("COMMON-END-01", "RHL-BKR-03")
@pytest.mark.parametrize(("debt", "ending"), ((30, ""), (20, "or")))
def test_own_dividend_that_repays_debt(debt, ending):
    """Bert's 70 are paid in full, the 30 for the offering only if they come straight back."""
    state = company(unsold(1), "ADR", (4, 2), director=BERT, treasury=0, trains=("3",), debt=debt)
    state = with_holdings(state, "ADR", director=BERT, Bert=70)
    state = replace(in_turn(state, "ADR", "pay", revenue=100), bank=75)
    after = act(turns(1), state, BERT, PayOut()).state
    assert (after.bank, after.ending) == (75 - 100 + debt, ending)


@pytest.mark.rule("COMMON-END-01", "RHL-BKR-03")
@pytest.mark.parametrize(("debt", "ending"), ((150, ""), (100, ""), (99, "or"), (0, "or")))
def test_repaid_income_breaks_no_bank(debt, ending):
    state = company(unsold(1), "ADR", (4, 2), director=0, treasury=0, trains=("3",), debt=debt)
    state = replace(in_turn(state, "ADR", "pay", revenue=150), bank=50)
    after = act(turns(1), state, 0, Withhold()).state
    assert after.bank == 50 - 150 + debt
    assert after.ending == ending
