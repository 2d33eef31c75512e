"""Directors on made-up corporations: certificates of several sizes, exchanges, sales that need one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act
from tests.builders.rhl_trading import ADA, BERT, CLEO, DORA, ruleset, trading
from trajekt.engine.actions import BuyShare
from trajekt.engine.agenda import settle
from trajekt.engine.events import CertificateMoved, DirectorChanged
from trajekt.engine.ruleset import Code, Draft
from trajekt.engine.state import POOL, Certificate, Company, State
from trajekt.rules.directorship import DirectorsPolicy, Sale, exact_sets, fewest_first, plan_sale, rival

POLICY = DirectorsPolicy(fewest_first)


def company(director: int, rows: list[tuple[int, int]]) -> Company:
    """A corporation of certificates (per cent, seat), the first of them the director's."""
    certificates = tuple(Certificate(p, holder, director=n == 0) for n, (p, holder) in enumerate(rows))
    return Company("X", certificates, director=director)


@pytest.mark.rule("COMMON-DIR-03")
def test_exact_sets_begin_with_fewest():
    rows = [(30, ADA), (20, BERT), (10, BERT), (10, BERT), (10, BERT)]
    mixed = company(ADA, rows)
    assert exact_sets(mixed, (1, 2, 3, 4), 30) == [(1, 2), (2, 3, 4)]
    assert exact_sets(mixed, (1, 2, 3, 4), 60) == []
    assert exact_sets(mixed, (1,), 10) == []
    assert exact_sets(mixed, (), 10) == []


@pytest.mark.rule("DO-SR-20", "DO-SR-21")
def test_the_exchange_serves_the_sisters_too():
    """DAB of 18DO: A 20 + 20, B 20 + 10 + 10; A announces a sale of 10 %: B gives 10 + 10, A sells one of them."""
    dab = company(ADA, [(20, ADA), (20, ADA), (20, BERT), (10, BERT), (10, BERT)])
    state = replace(trading("2"), companies={"X": dab})
    assert plan_sale(state, POLICY, ADA, dab, 10) == Sale("X", 10, (3,), BERT, (3, 4))
    sti = company(ADA, [(40, ADA), (20, BERT), (10, BERT), (10, BERT), (10, BERT)])
    assert plan_sale(state, POLICY, ADA, sti, 40) == Sale("X", 40, (1, 2, 3), BERT, (1, 2, 3))


@pytest.mark.rule("COMMON-DIR-07")
def test_thirty_percent_director_needs_thirty():
    keg = company(ADA, [(30, ADA), (10, BERT), (10, BERT), (10, CLEO)])
    state = replace(trading("2"), companies={"X": keg})
    answer = plan_sale(state, POLICY, ADA, keg, 10)
    assert (answer.code, answer.rule) == (Code.NO_SUCCESSOR, "COMMON-DIR-04")
    more = company(ADA, [(30, ADA), (10, BERT), (10, BERT), (10, BERT)])
    assert plan_sale(state, POLICY, ADA, more, 10) == Sale("X", 10, (1,), BERT, (1, 2, 3))


@pytest.mark.rule("COMMON-DIR-03")
def test_thirty_goes_for_three_tens():
    """KEG: B buys a fourth 10 %, director A has 30 %: B gives three, takes the director's; B 40 %, A 30 %."""
    keg = company(ADA, [(30, ADA), (10, BERT), (10, BERT), (10, BERT), (10, POOL)])
    state = trading("2", seat=BERT)
    state = replace(state, companies={**state.companies, "ADR": replace(keg, id="ADR", founded=True, floated=True)})
    state = replace(state, markers=replace(state.markers, spaces={"ADR": (3, 2)}, arrivals=("ADR",)))
    after = act(ruleset("2"), state, BERT, BuyShare("ADR", POOL, 10)).state.companies["ADR"]
    assert (after.director, after.percent(BERT), after.percent(ADA)) == (BERT, 40, 30)
    assert after.held(BERT) == (0, 4)


def moved(state: State, company: Company, number: int, target: int) -> Draft:
    """A certificate of the company goes from the pool to a player, and what follows."""
    draft = Draft(ruleset("2"), replace(state, companies={"ADR": replace(company, id="ADR")}))
    draft.emit(CertificateMoved("ADR", number, POOL, target, "share"))
    settle(draft, 0)
    return draft


@pytest.mark.rule("COMMON-DIR-02", "COMMON-DIR-03")
def test_change_waits_for_exact_exchange():
    """B holds 20 + 20 and takes over from 30 %: no papers of his come to 30 %, until he has one of 10 % too."""
    odd = company(ADA, [(30, ADA), (20, BERT), (20, POOL), (10, POOL), (10, CLEO), (10, CLEO)])
    odd = replace(odd, floated=True, founded=True)
    waiting = moved(trading("2"), odd, 2, BERT)
    assert waiting.state.companies["ADR"].director == ADA
    assert not any(isinstance(e, DirectorChanged) for e in waiting.events)
    done = moved(trading("2"), waiting.state.companies["ADR"], 3, BERT)
    adr = done.state.companies["ADR"]
    assert (adr.director, adr.held(BERT), adr.held(ADA)) == (BERT, (0, 2), (1, 3))


@pytest.mark.rule("COMMON-DIR-02")
def test_nothing_follows_where_nobody_directs():
    free = replace(company(ADA, [(20, POOL), (10, BERT), (10, POOL)]), director=None)
    assert len(moved(trading("2"), free, 2, BERT).events) == 1
    bankrupt = company(ADA, [(20, POOL), (10, BERT), (10, POOL)])
    assert len(moved(trading("2"), bankrupt, 2, BERT).events) == 1, "the certificate is on its way elsewhere"


@pytest.mark.rule("COMMON-DIR-04", "RUHR-DIR-02")
def test_rival_first_to_left_among_equals():
    held = company(CLEO, [(20, CLEO), (10, ADA), (10, DORA), (10, ADA), (10, DORA), (10, BERT)])
    assert rival(trading("2", 4), held) == DORA
    assert rival(trading("2", 4), replace(held, director=DORA)) == ADA
    assert rival(trading("2", 4), company(ADA, [(20, ADA)])) is None
