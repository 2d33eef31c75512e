"""Variants that the rulebooks give (section 17 of the rule sheet)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, position, refused, sheet
from tests.builders.rhl_forced import after_choice, another, choices, poor
from tests.builders.rhl_turns import company, in_turn, ruleset, with_depot
from trajekt.engine.actions import BuyTrain, DeclareBankruptcy, SellShares, TakeLoan
from trajekt.engine.ruleset import Code
from trajekt.games.rhl.options import RhlOptions
from trajekt.rules.scoring import standings
from trajekt.rules.trains import on_display

EDITIONS = pytest.mark.parametrize("edition", [1, 2])


@EDITIONS
@pytest.mark.rule("COMMON-VAR-01")
def test_optional_2_train_comes_first(edition):
    state = position(edition, variants=("optional_2_train",))
    assert state.depot.display["2"] == 7
    assert position(edition).depot.display["2"] == 6
    state = with_depot(state, dict(state.depot.display) | {"2": 1}, (), ("2",))
    state = company(state, "ADR", director=0, treasury=500)
    state = in_turn(state, "ADR", "trains")
    rules = ruleset(edition)
    assert refused(rules, state, 0, BuyTrain("display", "3", 200)).rule == "COMMON-TRN-02"
    assert on_display(act(rules, state, 0, BuyTrain("display", "2", 100)).state) == ("3",)


@pytest.mark.rule("COMMON-VAR-02")
@pytest.mark.parametrize(("edition", "capital"), [(1, {3: 500, 4: 375, 5: 300, 6: 250}), (2, {3: 500, 4: 375, 5: 300})])
def test_lower_capital_changes_the_limits(edition, capital):
    assert sheet(edition, ("lower_capital",)).limits.capital == capital
    assert sheet(edition).limits.capital[4] == 450


@pytest.mark.rule("RHL-VAR-03")
def test_promotion_tiles_in_set_with_option():
    promoted = sheet(1, ("promotion_tiles",)).tiles
    plain = sheet(1).tiles
    assert {"949", "950", "932V"} <= promoted.keys()
    assert not {"949", "950", "932V"} & plain.keys()
    assert "932" in plain
    assert "932" not in promoted
    assert RhlOptions(edition=2, promotion_tiles=True).faults()


@pytest.mark.rule("COMMON-VAR-04", "COMMON-BKR-05")
def test_optional_end_sells_all():
    """Missing 350, sellable 200: all sold, game over, the train is not bought; scores as usual."""
    rules = ruleset(2, optional_end=True)
    state = another(poor(2, 0, 150, Ada=20), "GVE", (1, 4), 1, Bert=30, Ada=20)
    state = after_choice(rules, state)
    assert refused(rules, state, 0, TakeLoan()).code == Code.NOT_IN_RULESET
    found = refused(rules, state, 0, DeclareBankruptcy())
    assert found.code == Code.CAN_STILL_SELL
    state = act(rules, state, 0, SellShares("GVE", 20)).state
    assert choices(rules, state) == [DeclareBankruptcy()]
    after = act(rules, state, 0, DeclareBankruptcy()).state
    assert (after.outcome, after.agenda) == ("bankrupt", ())
    assert after.companies["ADR"].trains == ()
    assert after.players[0].cash == 200
    assert {s.seat: s.total for s in standings(after)}[0] == 200 + 2 * after.price("ADR")


@pytest.mark.rule("COMMON-VAR-04")
def test_optional_end_spared_by_sales():
    """Sellable 400: the train is bought."""
    rules = ruleset(2, optional_end=True)
    state = another(poor(2, 0, 150, Ada=20), "GVE", (1, 4), 1, Bert=40, Ada=40)
    after = act(rules, after_choice(rules, state), 0, SellShares("GVE", 40)).state
    assert after.companies["ADR"].trains == ("5",)
    assert after.players[0].cash == 50
    assert not after.outcome


@pytest.mark.rule("COMMON-VAR-04")
def test_optional_end_is_for_second_edition():
    assert RhlOptions(edition=1, optional_end=True).faults()
    assert not RhlOptions(edition=2, optional_end=True).faults()
    assert replace(RhlOptions(), optional_end=True) == RhlOptions(optional_end=True)
