"""Pay-out and price of 18Rhl (section 12 of the rule sheet)."""

from __future__ import annotations

import pytest

from tests.builders.random_positions import act, refused, with_holdings
from tests.builders.rhl_turns import company, in_turn, ruleset, runs, unsold
from trajekt.engine.actions import PayOut, RunTrains, Withhold
from trajekt.engine.decisions import legal
from trajekt.engine.events import Paid, PriceMoved, TrainsRan
from trajekt.engine.ruleset import Code
from trajekt.engine.state import BANK
from trajekt.rules.running_and_dividends import PayPolicy, dividends

EDITIONS = pytest.mark.parametrize("edition", [1, 2])


def paying(edition, revenue, at, *, own="charter", name="ADR", **holdings):
    """The named corporation about to dispose of its revenue; what nobody holds lies at `own`."""
    state = company(unsold(edition), name, at, director=0, trains=("3",))
    held = {"Ada": 20} | holdings
    state = with_holdings(state, name, director=0, **held, **({own: 100 - sum(held.values())} if own else {}))
    return in_turn(state, name, "pay", revenue=revenue)


@EDITIONS
@pytest.mark.rule("COMMON-DIV-01", "COMMON-DIV-05")
@pytest.mark.case("B51", "B73")
def test_share_pays_tenth_and_treasury(edition):
    """Revenue 150: director 40 %, two players 10 % each, own 30 %, pool 10 %."""
    own = "io" if edition == 1 else "charter"
    state = paying(edition, 150, (1, 5), own=own, Ada=40, Bert=10, Cleo=10, pool=10)
    decision = act(ruleset(edition), state, 0, PayOut())
    after = decision.state
    paid = [e for e in decision.events if isinstance(e, Paid)]
    assert paid == [
        Paid(BANK, 0, 60, "dividend"),
        Paid(BANK, 1, 15, "dividend"),
        Paid(BANK, 2, 15, "dividend"),
        Paid(BANK, "ADR", 45, "dividend"),
    ]
    assert state.bank - after.bank == 135
    assert after.companies["ADR"].treasury == state.companies["ADR"].treasury + 45


@pytest.mark.case("B51")
@pytest.mark.rule("COMMON-DIV-01")
def test_half_in_the_pool_pays_nobody():
    state = paying(2, 100, (1, 5), own="", Ada=50, pool=50)
    after = act(ruleset(2), state, 0, PayOut()).state
    assert (after.players[0].cash, after.companies["ADR"].treasury, state.bank - after.bank) == (50, 0, 50)


@EDITIONS
@pytest.mark.rule("COMMON-DIV-01", "COMMON-DIV-02")
def test_withheld_revenue_moves_marker_left(edition):
    state = paying(edition, 150, (2, 3))
    decision = act(ruleset(edition), state, 0, Withhold())
    assert decision.state.companies["ADR"].treasury == 150
    assert state.bank - decision.state.bank == 150
    assert PriceMoved("ADR", (2, 2), "withhold") in decision.events
    assert decision.state.players == state.players


@EDITIONS
@pytest.mark.rule("COMMON-DIV-01")
def test_no_half_pay(edition):
    state = paying(edition, 150, (2, 3))
    rules = ruleset(edition)
    chosen = [type(c.action) for c in legal(rules, state, (0,))]
    assert [kind for kind in chosen if kind.__name__ != "OfferEnd"] == [PayOut, Withhold]
    assert not PayOut.__struct_fields__  # an amount cannot even be said


@EDITIONS
@pytest.mark.rule("COMMON-DIV-02", "COMMON-DIV-03")
@pytest.mark.parametrize(
    ("at", "revenue", "price"),
    [((2, 3), 100, 90), ((2, 3), 80, 90), ((2, 3), 60, 80), ((2, 4), 90, 100), ((5, 4), 70, 75)],
)
def test_revenue_of_price_moves_right(edition, at, revenue, price):
    after = act(ruleset(edition), paying(edition, revenue, at), 0, PayOut()).state
    assert after.price("ADR") == price


@EDITIONS
@pytest.mark.rule("COMMON-DIV-03")
def test_the_marker_moves_after_the_payment(edition):
    decision = act(ruleset(edition), paying(edition, 90, (2, 4), Ada=40), 0, PayOut())
    kinds = [type(e) for e in decision.events if isinstance(e, Paid | PriceMoved)]
    assert kinds == [Paid, Paid, PriceMoved]
    assert decision.state.players[0].cash == 36  # 9 for each share


@EDITIONS
@pytest.mark.rule("COMMON-DIV-02")
def test_no_revenue_moves_left(edition):
    """Price 90, nothing earned: 80, and the revenue step is skipped."""
    state = company(unsold(edition, cash=100), "ADR", (2, 4), director=0, trains=("3",))
    decision = act(ruleset(edition), in_turn(state, "ADR"), 0, RunTrains(runs(0)))
    assert [e.revenue for e in decision.events if isinstance(e, TrainsRan)] == [0]
    assert PriceMoved("ADR", (2, 3), "no_revenue") in decision.events
    assert decision.state.markers.spaces["ADR"] == (2, 3)


@pytest.mark.rule("COMMON-MKT-04")
@pytest.mark.parametrize(("edition", "upper"), [(1, "GVE"), (2, "DEE")])
def test_small_dividend_goes_under_r2(edition, upper):
    state = company(unsold(edition), "GVE", (1, 2), director=0, trains=("3",))
    state = with_holdings(state, "GVE", director=0, Ada=50)
    state = in_turn(company(state, "DEE", (1, 2), director=1, trains=("3",)), "GVE", "pay", revenue=50)
    assert state.markers.stack((1, 2)) == ("GVE", "DEE")
    after = act(ruleset(edition), state, 0, PayOut()).state
    assert after.markers.stack((1, 2))[0] == upper
    assert after.price("GVE") == 80


@EDITIONS
@pytest.mark.rule("COMMON-DIV-05")
def test_printed_values_are_tens(edition):
    sheet = unsold(edition).sheet
    faces = [hex_.face for hex_ in sheet.hexes.values()] + [tile.face for tile in sheet.tiles.values()]
    amounts = [amount for face in faces for stop in face.stops for amount in stop.revenue.values()]
    amounts += [face.ferry_revenue or 0 for face in faces]
    amounts += [value for area in sheet.areas.values() for value in area.value_by_links.values()]
    amounts += [phase.industry_bonus for phase in sheet.phases]
    assert len(amounts) > 100
    assert not [amount for amount in amounts if amount % 10]


@EDITIONS
@pytest.mark.rule("COMMON-DIV-01")
def test_the_dividend_of_double_certificates(edition):
    state = paying(edition, 200, (1, 4), name="MKB", Ada=40, Bert=20)
    shared = dividends(state, "MKB", 200, PayPolicy())
    assert shared == [(0, 80), (1, 40), ("MKB", 80)]


@EDITIONS
@pytest.mark.rule("COMMON-DIR-01")
def test_only_the_director_disposes(edition):
    found = refused(ruleset(edition), paying(edition, 150, (1, 5)), 2, PayOut())
    assert found.code == Code.NOT_DIRECTOR
