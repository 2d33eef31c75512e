"""Section 9: railway links by five ways (RUHR-LINK)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_lines import WITTEN, bme_to_hagen, schwerte_full
from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    act,
    at_table,
    in_phase,
    located,
    montan,
    offered,
    owning,
    purse,
    railway_turn,
    refuses,
    rules,
    started,
    stations,
    with_company,
    with_tiles,
    works_turn,
)
from trajekt.engine.actions import RunTrains
from trajekt.engine.agenda import settle
from trajekt.engine.events import PrivateUsed, TileLaid
from trajekt.engine.ruleset import Code, Draft, View
from trajekt.games.ruhr.actions import BuildPmcLink, BuyEngine, UsePferdebahn
from trajekt.games.ruhr.montan_charters import income, linked
from trajekt.games.ruhr.state import location, ruhr_state
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.turn_notes import Once


def hagen(**values):
    """pMC 8 of Ada's in Hagen, at its activity, on the BME's line."""
    return works_turn(owning(bme_to_hagen(**values), markers="AAB", money=100, pmc8=ADA), "8")


@pytest.mark.rule("RUHR-LINK-01", "RUHR-LINK-03")
def test_active_pmc_builds_link_for_30():
    state = hagen()
    done = act(rules(), state, ADA, BuildPmcLink(8)).state
    assert (location(done, 8), purse(done, 8), linked(done, "8")) == (10, 70, True)
    poor = works_turn(owning(bme_to_hagen(), markers="AAB", money=29, pmc8=ADA), "8")
    refuses(rules(), poor, ADA, BuildPmcLink(8), Code.UNAFFORDABLE, "RUHR-LINK-03")
    just = works_turn(owning(bme_to_hagen(), markers="AAB", money=30, pmc8=ADA), "8")
    assert purse(act(rules(), just, ADA, BuildPmcLink(8)).state, 8) == 0
    refuses(rules(), hagen(), ADA, BuildPmcLink(6), "not_location", "RUHR-LINK-03")
    refuses(rules(), located(hagen(), pmc8=10), ADA, BuildPmcLink(8), "already_linked", "RUHR-LINK-01")


@pytest.mark.rule("RUHR-LINK-02")
def test_link_needs_station_of_floated_railway():
    refuses(rules(), hagen(floated=False), ADA, BuildPmcLink(8), "mine_not_joined", "RUHR-LINK-02")
    lonely = stations(started(at_table(), "BME", BERT, 70), "BME", "R9")
    lonely = works_turn(owning(with_tiles(lonely, P13="718 r0"), money=100, pmc8=ADA), "8")
    refuses(rules(), lonely, ADA, BuildPmcLink(8), "mine_not_joined", "RUHR-LINK-02")
    essen = works_turn(owning(bme_to_hagen(), money=100, pmc2=ADA), "2")
    refuses(rules(), essen, ADA, BuildPmcLink(2), "mine_not_joined", "RUHR-LINK-02")


@pytest.mark.rule("RUHR-LINK-02")
def test_full_cities_block_links():
    state = works_turn(owning(schwerte_full(floated=False), money=100, pmc4=ADA), "4")
    refuses(rules(), state, ADA, BuildPmcLink(4), "mine_not_joined", "RUHR-LINK-02")
    free = rules(montan_link_blocked=False)
    assert location(act(free, state, ADA, BuildPmcLink(4)).state, 4) == 10


@pytest.mark.rule("RUHR-LINK-04")
def test_a_montan_links_a_merged_location():
    base = in_phase(at_table(), "4")
    state = montan(bme_to_hagen(base), "US", ADA, 80, 3, 8, markers="AAABB", treasury=50)
    state = works_turn(state, "US")
    done = act(rules(), state, ADA, BuildPmcLink(8)).state
    assert (location(done, 8), done.companies["US"].treasury, done.bank) == (10, 20, state.bank + 30)
    refuses(rules(), state, ADA, BuildPmcLink(6), "not_location", "RUHR-LINK-03")


@pytest.mark.rule("RUHR-LINK-05")
def test_railway_links_one_pmc_on_route():
    state = railway_turn(owning(bme_to_hagen(), markers="AAB", pmc8=ADA), "BME")
    done = act(rules(), state, BERT, BuildPmcLink(8)).state
    assert (location(done, 8), done.companies["BME"].treasury) == (10, 170)
    twice = railway_turn(replace(state, agenda=()), "BME", used=(Once.LINK,))
    refuses(rules(), twice, BERT, BuildPmcLink(8), "one_link", "RUHR-LINK-05")
    refuses(rules(), state, BERT, BuildPmcLink(6), "mine_not_joined", "RUHR-LINK-05")
    poor = with_company(state, "BME", treasury=29)
    refuses(rules(), poor, BERT, BuildPmcLink(8), Code.UNAFFORDABLE, "RUHR-LINK-05")
    full = railway_turn(schwerte_full(), "BME")
    refuses(rules(), full, BERT, BuildPmcLink(4), "mine_blocked", "RUHR-LINK-05")


def with_pferdebahn(state, owner: int = ADA, *, open_: bool = True):
    privates = {**state.privates, 21: replace(state.privates[21], owner=owner, open=open_)}
    return replace(state, privates=privates)


@pytest.mark.rule("RUHR-LINK-06")
def test_pferdebahn_links_any_pmc():
    state = with_pferdebahn(railway_turn(bme_to_hagen(), "BME", used=(Once.LINK,)), BERT)
    answer = act(rules(), state, BERT, UsePferdebahn(21, 8))
    done = answer.state
    assert UsePferdebahn(21, 8) in offered(rules(), state, BERT)
    assert PrivateUsed(21) in answer.events  # the history tells it
    assert (location(done, 8), done.companies["BME"].treasury, done.privates[21].open) == (10, 200, False)
    blocked = with_pferdebahn(works_turn(owning(schwerte_full(), money=0, pmc7=ADA), "7"))
    assert location(act(rules(), blocked, ADA, UsePferdebahn(21, 4)).state, 4) == 10
    refuses(rules(), state, BERT, UsePferdebahn(21, 6), "mine_not_joined", "RUHR-LINK-06")
    closed = with_pferdebahn(state, BERT, open_=False)
    refuses(rules(), closed, BERT, UsePferdebahn(21, 8), "private_gone", "RUHR-LINK-06")
    refuses(rules(), state, BERT, UsePferdebahn(20, 8), "no_pferdebahn", "RUHR-LINK-06")
    other = with_pferdebahn(state, ADA)
    refuses(rules(), other, BERT, UsePferdebahn(21, 8), "private_of_other", "RUHR-LINK-06")
    refuses(rules(), other, ADA, UsePferdebahn(21, 8), Code.NOT_DIRECTOR, "RUHR-DIR-07")


@pytest.mark.rule("RUHR-LINK-06")
def test_pferdebahn_to_passive_needs_track():
    state = with_tiles(railway_turn(bme_to_hagen(), "BME"), G8="718 r0", C10="718 r0")
    state = with_pferdebahn(owning(state, pmc11=ADA), BERT)  # Gelsenkirchen (11) is active, Recklinghausen (14) passive
    assert location(act(rules(), state, BERT, UsePferdebahn(21, 14)).state, 14) == 10
    refuses(rules(), state, BERT, UsePferdebahn(21, 11), "mine_not_joined", "RUHR-LINK-06")
    refuses(rules(), state, BERT, UsePferdebahn(21, 13), "no_track", "RUHR-LINK-06")  # no track at Ruhrort
    refuses(rules(pferdebahn="joined"), state, BERT, UsePferdebahn(21, 14), "mine_not_joined", "RUHR-LINK-06")


def beyond_716():
    """The BME in Wuppertal; on the way to pMC 5 in Witten the US with Wetter (pMC 3) for its founding location, on 716."""
    state = stations(started(in_phase(at_table(), "5"), "BME", BERT, 70, treasury=100), "BME", "R9")
    state = montan(with_tiles(state, **{**WITTEN, "M12": "716 r0"}), "US", BERT, 80, 3, markers="AAAB")
    return owning(state, markers="AAB", money=100, pmc5=ADA)


@pytest.mark.rule("RUHR-LINK-02", "RUHR-LINK-05", "RUHR-LINK-06")
def test_marker_on_716_blocks_links():
    own, railway = works_turn(beyond_716(), "5"), railway_turn(beyond_716(), "BME")
    for free in (rules(), rules(tile_716_marker="in_circle", montan_link_blocked=False)):
        assert location(act(free, own, ADA, BuildPmcLink(5)).state, 5) == 10
    assert location(act(rules(), railway, BERT, BuildPmcLink(5)).state, 5) == 10
    full = rules(tile_716_marker="in_circle")
    refuses(full, own, ADA, BuildPmcLink(5), "mine_not_joined", "RUHR-LINK-02")
    refuses(full, railway, BERT, BuildPmcLink(5), "mine_blocked", "RUHR-LINK-05")
    assert location(act(full, with_pferdebahn(own), ADA, UsePferdebahn(21, 5)).state, 5) == 10


@pytest.mark.rule("RUHR-LINK-07", "RUHR-DEV-11")
def test_brown_tile_links_pmc_for_nothing():
    state = owning(in_phase(at_table(), "5"), markers="AABBC", money=5, pmc6=ADA)
    assert income(state, "6") == 0
    draft = Draft(rules(), with_tiles(state, I10="MG1 r0"))
    draft.emit(TileLaid("I10", "MB1", 0, "CME"))
    settle(draft, 0)
    assert (location(draft.state, 6), purse(draft.state, 6), income(draft.state, "6")) == (10, 5, 30)
    green = Draft(rules(), state)
    green.emit(TileLaid("I10", "MG1", 0, "CME"))
    settle(green, 0)
    assert location(green.state, 6) == 0


@pytest.mark.rule("RUHR-LINK-08")
def test_link_earns_more_and_brings_engine():
    state = bme_to_hagen(trains=("2",))
    run = railway_turn(state, "BME", "run")
    best = RunTrains(rules().policy(RunningPolicy).best(run, "BME"))
    before = act(rules(), run, BERT, best).state.companies["BME"].revenue
    later = railway_turn(located(state, pmc8=10), "BME", "run")
    assert act(rules(), later, BERT, best).state.companies["BME"].revenue == before + 10
    mine = works_turn(located(owning(state, markers="AAB", money=70, pmc8=ADA), pmc8=10), "8")
    assert BuyEngine("display", "2") in offered(rules(), mine, ADA)
    assert ruhr_state(mine).mines[8] == "active"


@pytest.mark.rule("RUHR-LINK-05")
def test_a_railway_without_route_links_nothing():
    state = stations(started(in_phase(at_table(), "5"), "EH", BERT, 70, treasury=100), "EH", "J7")
    refuses(rules(), railway_turn(state, "EH"), BERT, BuildPmcLink(2), "mine_not_joined", "RUHR-LINK-05")


@pytest.mark.rule("RUHR-LINK-07")
def test_brown_tile_takes_nothing_from_location():
    state = montan(in_phase(at_table(), "5"), "US", ADA, 80, 6, markers="AAABB")
    draft = Draft(rules(), with_tiles(state, I10="MG1 r0"))
    draft.emit(TileLaid("I10", "MB1", 0, "CME"))
    settle(draft, 0)
    assert location(draft.state, 6) == 20


@pytest.mark.rule("RUHR-LINK-05")
def test_offered_links_follow_track():
    state = railway_turn(bme_to_hagen(), "BME")
    rule = next(r for r in rules().duties[type(state.top)].menu if r.action is BuildPmcLink)
    assert list(rule.options(View(rules(), state, BERT, state.top))) == [BuildPmcLink(8)]
