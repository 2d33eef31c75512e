"""Sales above the certificate limit, and turns in which nothing more can be done (COMMON-SR-16, COMMON-SR-02)."""

from __future__ import annotations

import pytest

from tests.builders.random_positions import act, refused, with_cash
from tests.builders.rhl_trading import ADA, BERT, CLEO, current, firm, ruleset, trading
from trajekt.engine.actions import EndTurn, SellShares
from trajekt.engine.decisions import legal
from trajekt.engine.events import TopReplaced
from trajekt.engine.ruleset import Code
from trajekt.engine.state import State


def choices(edition: str, state: State, seat: int, kind: type) -> set:
    return {c.action for c in legal(ruleset(edition), state, (seat,)) if isinstance(c.action, kind)}


@pytest.mark.rule("COMMON-SR-16")
@pytest.mark.parametrize("edition", ("1", "2"))
def test_player_sells_down_in_one_turn(edition):
    """Two certificates too many and one corporation to sell: a single share is refused, two go in one block."""
    state = trading(edition, 5)
    most = state.sheet.limits.certificates[5]
    state = firm(state, "CME", (3, 3), director=BERT, Ada=40, Bert=50)
    for name in ("BME", "DEE", "ADR"):  # not to be sold yet
        missing = min(5, most + 2 - state.certificate_count(ADA))
        state = firm(state, name, (3, 3), director=CLEO, floated=False, operated=False, Ada=10 * missing, Cleo=20)
    assert state.certificate_count(ADA) == most + 2
    one = refused(ruleset(edition), state, ADA, SellShares("CME", 10))
    assert (one.code, one.rule, one.args) == (Code.MUST_SELL, "COMMON-SR-16", {"held": most + 2, "limit": most})
    two = act(ruleset(edition), state, ADA, SellShares("CME", 20)).state
    assert two.certificate_count(ADA) == most
    assert SellShares("CME", 30) in choices(edition, state, ADA, SellShares)


@pytest.mark.rule("COMMON-SR-16")
def test_either_of_two_sales_will_do():
    state = trading("2", 5)
    most = state.sheet.limits.certificates[5]
    for name in ("CME", "BME"):
        state = firm(state, name, (3, 3), director=BERT, Ada=20, Bert=50)
    for name in ("DEE", "ADR", "CCE"):
        missing = min(5, most + 2 - state.certificate_count(ADA))
        state = firm(state, name, (3, 3), director=CLEO, floated=False, operated=False, Ada=10 * missing, Cleo=20)
    after = act(ruleset("2"), state, ADA, SellShares("CME", 10)).state
    assert choices("2", after, ADA, EndTurn) == set()
    assert SellShares("BME", 10) in choices("2", after, ADA, SellShares)


@pytest.mark.rule("COMMON-SR-16", "COMMON-DIR-03")
@pytest.mark.parametrize("edition", ("1", "2"))
def test_lost_office_brings_certificates_back(edition):
    """Ada has 14 and may hold 12. With a share of the CME she loses its office, and two papers come for the director's."""
    state = trading(edition, 5)
    most = state.sheet.limits.certificates[5]
    state = firm(state, "CME", (3, 3), director=ADA, Ada=30, Bert=30, pool=40)
    state = firm(state, "BME", (3, 3), director=BERT, Ada=20, Bert=50)
    for name in ("DEE", "ADR"):
        missing = min(5, most + 2 - state.certificate_count(ADA))
        state = firm(state, name, (3, 3), director=CLEO, floated=False, operated=False, Ada=10 * missing, Cleo=20)
    sold = act(ruleset(edition), state, ADA, SellShares("CME", 10)).state
    assert (sold.companies["CME"].director, sold.certificate_count(ADA)) == (BERT, most + 2)
    one = refused(ruleset(edition), state, ADA, SellShares("BME", 10))
    assert (one.code, one.rule) == (Code.MUST_SELL, "COMMON-SR-16")
    assert choices(edition, sold, ADA, SellShares) == {SellShares("BME", 20)}
    assert act(ruleset(edition), sold, ADA, SellShares("BME", 20)).state.certificate_count(ADA) == most


@pytest.mark.rule("COMMON-SR-02")
def test_turn_ends_without_anything_left():
    state = firm(trading("2", seat=BERT), "BME", (3, 3), director=ADA, Ada=40, Bert=10)
    state = with_cash(state, Ada=500, Bert=0, Cleo=500)
    after = act(ruleset("2"), state, BERT, SellShares("BME", 10))
    assert after.state.companies["BME"].percent(BERT) == 0
    assert (current(after.state).seat, current(after.state).passes) == (CLEO, 0)
    assert any(isinstance(e, TopReplaced) and e.skipped == ("stock_turn",) for e in after.events)
