"""The Introduction Game, as the rule sheet reconstructs it (DO-INTRO)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import NAMES, choices, kwe_net, opening, rules, turn
from tests.builders.random_positions import act, refused, with_company
from trajekt.engine.actions import BuyTrain, Pass, RunTrains
from trajekt.engine.agenda import run
from trajekt.engine.decisions import start
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import IPO
from trajekt.games.do.actions import BuildRailwayLink
from trajekt.games.do.options import DoOptions
from trajekt.games.do.scoring import standings
from trajekt.games.do.state import token_at
from trajekt.games.do.title import TITLE
from trajekt.rules.operating_round import CompanyTurn, OperatingRound, TurnPolicy
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.running_and_dividends import RunningPolicy

GAME = "introduction"
FOUR = rules(4, game=GAME)


def game(players=4, seed=1):
    return opening(players, seed, game=GAME)


def owner(state, company):
    return state.companies[company].director


@pytest.mark.rule("DO-INTRO-01")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_has_a_railway(players):
    state = game(players)
    playing = [c for c in state.companies.values() if c.floated]
    assert sorted(c.director for c in playing) == list(range(players))
    assert {c.id for c in playing} <= {"CME", "BME", "RhE", "KWE"}
    assert [c.treasury for c in playing] == [400] * players
    assert [p.cash for p in state.players] == [0] * players
    assert all(c.percent(IPO) == 100 for c in state.companies.values())
    on_map = {s.company for contents in state.board.contents_by_hex.values() for s in contents.stations}
    assert on_map == {c.id for c in playing}
    assert not any(s.asleep for contents in state.board.contents_by_hex.values() for s in contents.stations)
    assert all(c.stations == state.sheet.companies[c.id].station_costs[1:] for c in playing)
    assert not state.privates


@pytest.mark.rule("DO-INTRO-01")
def test_two_to_four_draw_railways():
    drawn = {tuple(owner(game(4, seed), c) for c in ("CME", "BME", "RhE", "KWE")) for seed in range(8)}
    assert len(drawn) > 3
    assert game(4, 5) == game(4, 5)
    for players in (1, 5):
        with pytest.raises(ValueError, match="players"):
            TITLE.seated(DoOptions(game=GAME), players)
        with pytest.raises(ValueError, match="players"):
            start(FOUR, NAMES[:players], 1)


@pytest.mark.rule("DO-INTRO-02")
def test_most_money_first():
    state = game()
    for money, company in zip((100, 300, 300, 500), ("CME", "BME", "RhE", "KWE"), strict=True):
        state = with_company(state, company, treasury=money)
    draft = Draft(FOUR, replace(state, agenda=(Rounds(3, 1, 1),)))
    run(draft)
    tie = sorted(("BME", "RhE"), key=lambda c: owner(state, c))
    order = ("KWE", *tie, "CME")
    assert draft.state.agenda[:2] == (Rounds(4, 1, 1), OperatingRound(4, 1, 1, ("KWE",), True, order))


@pytest.mark.rule("DO-INTRO-02")
def test_a_card_leaves_between_two_rounds():
    """Not before the first; the last of its type opens the next one, and the limit of a phase holds at once."""
    display = game().depot.display
    assert sum(display.values()) == sum(train.count for train in game().sheet.trains.values())
    for number, left in ((3, 6), (0, 7)):
        draft = Draft(FOUR, replace(game(), agenda=(Rounds(number, 1, 1),)))
        run(draft)
        assert (draft.state.depot.display["2"], draft.state.depot.gone.count("2")) == (left, 7 - left)
    late = with_company(game(), "KWE", trains=("3",) * 4)
    depot = replace(late.depot, display={**display, "2": 0, "3": 0})
    draft = Draft(FOUR, replace(late, depot=depot, phase="3", agenda=(Rounds(5, 1, 1),)))
    run(draft)
    assert (draft.state.phase, len(draft.state.companies["KWE"].trains)) == ("4", 3)


@pytest.mark.rule("DO-INTRO-02")
def test_income_goes_to_the_railway():
    state = with_company(kwe_net(game()), "KWE", trains=("4",))
    state = turn(state, "KWE", "run")
    seat = owner(state, "KWE")
    runs = FOUR.policy(RunningPolicy).best(state, "KWE")
    after = act(FOUR, state, seat, RunTrains(runs)).state
    assert after.companies["KWE"].treasury == 400 + 90
    assert after.agenda[-1].step == "trains"
    steps = [step.name for step in FOUR.policy(TurnPolicy).steps]
    assert steps == ["track", "station", "link", "run", "pay", "trains"]


@pytest.mark.rule("DO-INTRO-02")
def test_links_and_trains_of_railway_game():
    state = turn(kwe_net(game()), "KWE", "link")
    after = act(FOUR, state, owner(state, "KWE"), BuildRailwayLink("E19")).state
    assert (token_at(after, "E19"), after.companies["KWE"].treasury) == (10, 370)
    assert after.depot == state.depot
    assert dict(state.depot.display) == {"2": 7, "3": 5, "4": 3, "5": 2, "6": 3, "8": 6}


@pytest.mark.rule("DO-INTRO-03")
def test_without_money_no_train_is_bought():
    poor = turn(with_company(game(), "KWE", treasury=50), "KWE", "trains")
    seat = owner(poor, "KWE")
    draft = Draft(FOUR, poor)
    run(draft)
    assert all(not isinstance(frame, CompanyTurn) or frame.company != "KWE" for frame in draft.state.agenda)
    rich = turn(with_company(game(), "KWE", treasury=80), "KWE", "trains")
    assert refused(FOUR, rich, seat, Pass()).code == "must_buy_train"
    assert choices(FOUR, rich, seat, BuyTrain) == [BuyTrain("display", "2", 80)]
    owns = turn(with_company(game(), "KWE", treasury=80, trains=("2",)), "KWE", "trains")
    act(FOUR, owns, seat, Pass())


@pytest.mark.rule("DO-INTRO-04")
def test_richest_railway_wins_after_tenth_round():
    state = game()
    for number, outcome in ((9, ""), (10, "rounds")):
        draft = Draft(FOUR, replace(state, agenda=(Rounds(number, 1, 1),)))
        run(draft)
        assert draft.state.outcome == outcome
    state = with_company(with_company(state, "KWE", treasury=1210), "CME", treasury=1180, trains=("8", "8"))
    first, second, *_ = standings(state)
    assert (first.seat, first.total, first.rank) == (owner(state, "KWE"), 1210, 1)
    assert (second.seat, second.total, second.rank) == (owner(state, "CME"), 1180, 2)


@pytest.mark.rule("DO-INTRO-02", "DO-TRAIN-10")
def test_type_4_has_last_run():
    state = replace(with_company(kwe_net(game()), "KWE", trains=("4", "5")), phase="8")
    state = turn(state, "KWE", "run")
    after = act(FOUR, state, owner(state, "KWE"), RunTrains(FOUR.policy(RunningPolicy).best(state, "KWE"))).state
    assert after.companies["KWE"].trains == ("5",)
