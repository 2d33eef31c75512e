"""The game of an hour: the reconstruction of section 18.3."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.builders.lra_positions import ADA, NAMES, folded, money, ruleset, sound
from tests.builders.random_positions import act, refused
from trajekt.bots.bot import RandomBot, next_action
from trajekt.engine.actions import (
    BuyShare,
    BuyTrain,
    ChooseForcedTrain,
    FoundCompany,
    Pass,
    RunTrains,
    SellShares,
    Withhold,
)
from trajekt.engine.decisions import awaited, blank_of, fold, legal, start
from trajekt.engine.state import CHARTER, IPO
from trajekt.games.lra.components import BLANK
from trajekt.games.lra.short_game import PlayerRound
from trajekt.games.lra.title import TITLE
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.trains import on_display

RULES = ruleset(short_game=True)


def begun(players: int = 3, seed: int = 1):
    return start(RULES, NAMES[:players], seed, shuffle=False)


def passed(state, times: int):
    for _ in range(times):
        (seat,) = awaited(RULES, state)
        state = act(RULES, state, seat, Pass()).state
    return state


@pytest.mark.rule("LRA-SHO-01")
def test_trains_2_3_and_4_alone():
    state = begun().state
    assert {kind: n for kind, n in state.depot.display.items() if n} == {"3": 4, "4": 2}
    assert on_display(state) == ("3",)
    assert not any(p.open for p in state.privates.values())
    for action in (FoundCompany("BME", 70), SellShares("BME", 10), ChooseForcedTrain("display", "3")):
        assert refused(RULES, state, state.top.seat, action).code == "not_in_ruleset"


@pytest.mark.rule("LRA-SHO-02")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_corporations_are_dealt_to_each(players):
    decision = begun(players)
    state = decision.state
    in_play = [c for c in state.companies.values() if c.founded]
    assert len(in_play) == 2 * players
    assert [p.cash for p in state.players] == [150] * players
    for company in in_play:
        assert (company.par, company.treasury, company.trains, company.floated) == (70, 350, ("2",), True)
        assert company.certificates[0].holder == company.director
        assert company.percent(CHARTER) == 100 - company.certificates[0].percent
        (home,) = state.board.contents(state.sheet.companies[company.id].homes[0].hex).stations
        assert not home.asleep
    for seat in range(players):
        assert len(state.directed_companies(seat)) == 2
    for company in state.companies.values():
        if not company.founded:
            assert company.percent(IPO) == 100
            (home,) = state.board.contents(state.sheet.companies[company.id].homes[0].hex).stations
            assert home.kind == BLANK
    assert money(state) == state.sheet.limits.bank[players]
    assert sound(RULES, state) == []
    assert fold(RULES, blank_of(RULES, NAMES[:players]), decision.events) == state


@pytest.mark.rule("LRA-SHO-02")
def test_lowest_card_begins_and_cards_drawn():
    firsts = set()
    for seed in range(20):
        state = begun(seed=seed).state
        lowest = min((c.id for c in state.companies.values() if c.founded), key=list(state.sheet.companies).index)
        assert state.top == PlayerRound(1, state.companies[lowest].director)
        firsts.add(lowest)
    assert len(firsts) > 1


@pytest.mark.rule("LRA-SHO-03")
def test_player_round_goes_twice_round_table():
    state = begun().state
    first = state.top.seat
    company = next(c.id for c in state.companies.values() if c.founded and c.director != first)
    percent = 20 if company == "MKB" else 10
    for _ in range(2):
        assert awaited(RULES, state) == (first,)
        before = state.companies[company].treasury
        state = act(RULES, state, first, BuyShare(company, CHARTER, percent)).state
        assert state.companies[company].treasury == before + 7 * percent
        state = passed(state, 2)
        percent = 20 if company == "MKB" else 10
        if state.players[first].cash < 7 * percent:
            break
    else:
        assert isinstance(state.agenda[1], OperatingRound)  # the train round has begun: no third purchase
        assert isinstance(state.top, CompanyTurn)
        assert refused(RULES, state, awaited(RULES, state)[0], BuyShare(company, CHARTER, 10)).code == "wrong_step"
    assert refused(RULES, begun().state, first, BuyShare(company, "pool", 10)).rule == "LRA-SHO-03"


@pytest.mark.rule("LRA-SHO-03")
def test_corporations_operate_and_pay_out():
    state = passed(begun().state, 6)
    assert isinstance(state.top, CompanyTurn)
    (seat,) = awaited(RULES, state)
    assert refused(RULES, state, seat, Withhold()).code == "not_in_ruleset"
    order = [state.top.company]
    while isinstance(state.top, CompanyTurn):
        (seat,) = awaited(RULES, state)
        running = [c.action for c in legal(RULES, state, (seat,)) if isinstance(c.action, RunTrains)]
        state = act(RULES, state, seat, running[0] if running else Pass()).state
        if isinstance(state.top, CompanyTurn) and order[-1] != state.top.company:
            order.append(state.top.company)
    assert len(order) == 6
    assert state.top.number == 2


@pytest.mark.rule("LRA-SHO-03", "COMMON-DIV-02")
def test_revenue_is_paid_at_once():
    rng = random.Random(5)
    state = begun(4).state
    seen = 0
    while not state.outcome:
        seat, action = next_action(RULES, state, [RandomBot(rng)] * 4, rng)
        decision = act(RULES, state, seat, action)
        ran = [event for event in decision.events if type(event).__name__ == "TrainsRan" and event.revenue]
        if ran:
            seen += 1
            company = state.companies[ran[0].company]
            own = sum(company.percent(p) for p in (*range(4), CHARTER))
            paid = sum(
                e.amount for e in decision.events if getattr(e, "cause", "") == "dividend" and hasattr(e, "amount")
            )
            assert paid == ran[0].revenue * own // 100
        assert folded(RULES, state, decision)
        assert sound(RULES, decision.state) == []
        state = decision.state
    assert seen > 5


@pytest.mark.rule("LRA-SHO-01", "LRA-SHO-03")
def test_two_trains_stay_without_duty():
    state = passed(begun().state, 6)
    company = state.top.company
    rich = {**state.companies, company: replace(state.companies[company], treasury=2000, trains=())}
    state = replace(state, companies=rich, bank=state.bank - 1650)
    depot = replace(
        state.depot, display={**state.depot.display, "3": 0}, gone=(*state.depot.gone, *["3"] * 4, "2"), sold=("2", "3")
    )
    state = replace(state, depot=depot, phase="green")
    turn = replace(state, agenda=(*state.agenda[:-1], replace(state.top, step="trains")))
    (seat,) = awaited(RULES, turn)
    after = act(RULES, turn, seat, BuyTrain("display", "4", 300)).state
    assert after.phase == "green4"
    assert sum(c.trains.count("2") for c in after.companies.values()) == 5
    assert act(RULES, turn, seat, Pass()).state.companies[company].trains == ()  # no duty, no forced purchase


@pytest.mark.rule("COMMON-TRN-06", "LRA-SHO-03")
def test_the_train_limit_is_three():
    state = passed(begun().state, 6)
    company = state.top.company
    full = {**state.companies, company: replace(state.companies[company], trains=("2", "2", "2"))}
    turn = replace(state, companies=full, agenda=(*state.agenda[:-1], replace(state.top, step="trains")))
    (seat,) = awaited(RULES, turn)
    assert refused(RULES, turn, seat, BuyTrain("display", "3", 200)).rule == "COMMON-TRN-06"


@pytest.mark.rule("LRA-SHO-04")
def test_the_sixth_train_round_ends_game():
    rng = random.Random(1)
    state = begun(2).state
    cycles = set()
    while not state.outcome:
        (bottom,) = [frame for frame in state.agenda if isinstance(frame, Rounds)]
        cycles.add(bottom.number)
        seat, action = next_action(RULES, state, [RandomBot(rng)] * 2, rng)
        state = act(RULES, state, seat, action).state
    assert cycles == {1, 2, 3, 4, 5, 6}
    assert state.outcome == "cycles"
    rows = TITLE.standings(state)
    for row in rows:
        shares = sum(state.price(c.id) * c.percent(row.seat) // 10 for c in state.companies.values())
        assert row.total == state.players[row.seat].cash + shares
    assert ADA in {row.seat for row in rows}
