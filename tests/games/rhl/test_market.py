"""Section 6: the stock market (COMMON-MKT), and the moves of section 12 (COMMON-DIV-02, -03)."""

from __future__ import annotations

import pytest

from tests.builders.random_positions import sheet, with_market
from tests.builders.rhl_trading import ruleset, trading
from trajekt.engine.events import PriceMoved
from trajekt.engine.ruleset import Draft
from trajekt.rules import stock_market

MARKET = sheet(2).market

MOVES = [
    (stock_market.right_of, (5, 4), (4, 4)),
    (stock_market.right_of, (3, 1), (3, 2)),
    (stock_market.right_of, (2, 14), (1, 14)),
    (stock_market.right_of, (1, 17), (1, 17)),
    (stock_market.left_of, (3, 1), (4, 1)),
    (stock_market.left_of, (3, 2), (3, 1)),
    (stock_market.left_of, (6, 1), (6, 1)),
    (stock_market.above, (3, 11), (2, 11)),
    (stock_market.above, (1, 6), (1, 6)),
    (stock_market.below, (1, 6), (2, 6)),
    (stock_market.below, (3, 11), (3, 11)),
    (stock_market.below, (6, 1), (6, 1)),
    (stock_market.below, (5, 4), (5, 4)),
]


@pytest.mark.rule("COMMON-MKT-02", "COMMON-MKT-03")
@pytest.mark.parametrize(("move", "start", "end"), MOVES)
@pytest.mark.parametrize("edition", [1, 2])
def test_where_a_marker_goes(edition, move, start, end):
    assert move(sheet(edition).market, start) == end


@pytest.mark.rule("COMMON-MKT-02")
def test_prices_of_the_examples():
    price = MARKET.price
    assert (price((5, 4)), price((4, 4))) == (70, 75)
    assert (price((3, 1)), price((4, 1))) == (65, 60)
    assert (price((6, 1)), price((1, 17))) == (50, 350)


@pytest.mark.rule("COMMON-MKT-03")
def test_prices_of_the_examples_of_falling():
    assert [MARKET.price(space) for space in ((1, 6), (2, 6), (3, 11))] == [120, 110, 165]
    assert len(MARKET.rows[3]) == 7


@pytest.mark.rule("COMMON-MKT-01", "COMMON-OR-02")
@pytest.mark.case("B54")
def test_arriving_marker_goes_under_those_there():
    state = with_market(trading("2"), BME=(3, 3), ADR=(4, 3))
    draft = Draft(ruleset("2"), state)
    stock_market.up(draft, "ADR", "sold_out")
    assert draft.state.markers.stack((3, 3)) == ("BME", "ADR")
    assert draft.state.operating_order == ("BME", "ADR")
    assert draft.events == [PriceMoved("ADR", (3, 3), "sold_out")]


@pytest.mark.rule("COMMON-OR-02")
@pytest.mark.case("B54")
def test_order_of_equal_prices():
    """Five at 80 on three spaces: further right first, on one space from top to bottom."""
    state = with_market(trading("2"), CME=(1, 2), ADR=(3, 4), BME=(2, 3), GVE=(3, 4), DEE=(4, 5), CCE=(1, 1))
    assert [state.price(c) for c in state.operating_order] == [80, 80, 80, 80, 80, 75]
    assert state.operating_order == ("DEE", "ADR", "GVE", "BME", "CME", "CCE")


@pytest.mark.rule("COMMON-MKT-02", "COMMON-MKT-03")
@pytest.mark.case("B52")
@pytest.mark.parametrize(
    ("move", "space"),
    [
        (stock_market.left, (6, 1)),
        (stock_market.down, (6, 1)),
        (stock_market.right, (1, 17)),
        (stock_market.up, (1, 17)),
    ],
)
def test_empty_move_leaves_stack(move, space):
    state = with_market(trading("2"), ADR=space, BME=space)
    draft = Draft(ruleset("2"), state)
    move(draft, "ADR", "sale")
    assert draft.events == []
    assert draft.state.operating_order == ("ADR", "BME")


@pytest.mark.rule("COMMON-SR-08")
def test_par_spaces_have_seven_prices():
    assert {MARKET.price(space) for space in MARKET.par_spaces} == {60, 65, 70, 75, 80, 90, 100}
    assert stock_market.par_space(MARKET, 75) == (3, 3)
    assert stock_market.par_space(MARKET, 110) is None
