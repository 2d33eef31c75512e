"""The Railway Game, as the rule sheet reconstructs it (DO-TRG)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import (
    choices,
    corporation,
    kwe_net,
    opening,
    position,
    rules,
    station,
    stock,
    tiles,
    tokens,
    turn,
)
from tests.builders.random_positions import act, refused, with_cash, with_market
from trajekt.engine.actions import FoundCompany, Pass, PayOut, PlaceBid, PlaceStation, RunTrains, Withhold
from trajekt.engine.agenda import run, settle
from trajekt.engine.decisions import legal
from trajekt.engine.events import PhaseBegan, TrainMoved
from trajekt.engine.routing.runs import Run, RunResult
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import DISPLAY, POOL
from trajekt.games.do import stock_market
from trajekt.games.do.actions import Brew, BuildRailwayLink, FoundByTrade, OwnCertificate, SellCertificates, TradeIn
from trajekt.games.do.frames import BreweryRound, PrivateLot
from trajekt.games.do.options import DoOptions
from trajekt.games.do.state import do_state, token_at
from trajekt.games.do.title import TITLE
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.stock_round import StockRound
from trajekt.rules.turn_notes import Once

GAME = "railway"
FOUR, THREE = rules(4, game=GAME), rules(3, game=GAME)
TO_E19 = ("E21:1a", "E19:4a")
TO_D16 = (*TO_E19, "E19:1a", "E17:24", "D16:5a")
TO_E13 = (*TO_D16, "D16:1a", "D14:04", "E13:3a")


def place(**more):
    return position(4, game=GAME, **more)


def own(state, private, seat, **more):
    """A player owns a private brewery."""
    held = replace(state.privates[private], owner=seat, **more)
    return replace(state, privates={**state.privates, private: held})


def kwe(*trains, phase="2", step="run", director=0, treasury=0, company="KWE", **more):
    state = corporation(place(phase=phase), company, director=director, trains=trains, treasury=treasury)
    return turn(kwe_net(state), company, step, **more)


def judged(state, *runs, company="KWE"):
    found = FOUR.policy(RunningPolicy).judge(state, company, tuple(Run(*each) for each in runs))
    return found.revenue if isinstance(found, RunResult) else (found[0].code, found[0].rule)


def best(state, company="KWE"):
    """The most that the search finds, which the judge agrees with."""
    policy = FOUR.policy(RunningPolicy)
    found = policy.judge(state, company, policy.best(state, company))
    assert isinstance(found, RunResult), found
    assert policy.search(state, company, None).revenue == found.revenue
    return found.revenue


def went_on(state):
    draft = Draft(FOUR, state)
    run(draft)
    return draft.state


@pytest.mark.rule("DO-TRG-01")
@pytest.mark.parametrize(("phase", "count"), [("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("8", 3)])
def test_an_operating_round_is_railway_round(phase, count):
    state = replace(corporation(place(phase=phase), "CME", trains=("2",)), agenda=(Rounds(2),))
    state = went_on(state)
    assert state.agenda[0] == Rounds(2, count, 1)
    assert [type(frame) for frame in state.agenda[1:]] == [OperatingRound, CompanyTurn]
    assert BreweryRound not in FOUR.duties
    assert {c.own["kind"] for c in state.sheet.companies.values()} == {"railway"}
    assert len(state.companies) == 7
    assert do_state(state).segments == {}
    assert do_state(state).charters == {}
    in_stock = stock(state)
    for action in (FoundByTrade("CME", 55), TradeIn("CME", "charter", 10)):
        assert refused(FOUR, in_stock, 0, action).code == "not_in_ruleset"


@pytest.mark.rule("DO-TRG-01")
def test_sets_follow_for_three_to_five():
    for players in (3, 4, 5):
        state = opening(players, game=GAME)
        assert [p.cash for p in state.players] == [{3: 375, 4: 340, 5: 320}[players]] * players
        assert state.bank == 9000 - players * state.players[0].cash
    with pytest.raises(ValueError, match="players"):
        TITLE.seated(DoOptions(game=GAME), 2)
    with pytest.raises(ValueError, match="beginners"):
        TITLE.options({"game": GAME, "beginners": True})


# The auction


@pytest.mark.rule("DO-TRG-02")
def test_bids_must_ascend():
    state = opening(3, game=GAME)
    assert state.agenda[-1] == PrivateLot(1, 20, 0, (0, 1, 2), ((2, 40), (3, 60), (4, 80), (5, 100)))
    assert refused(THREE, state, 0, PlaceBid(1, 15)).code == "bid_too_low"
    assert refused(THREE, state, 0, PlaceBid(1, 22)).code == "bid_step"
    assert refused(THREE, state, 0, PlaceBid(1, 380)).code == "unaffordable"
    assert refused(THREE, state, 0, PlaceBid(2, 40)).code == "contest_first"
    state = act(THREE, state, 0, PlaceBid(1, 20)).state
    assert refused(THREE, state, 1, PlaceBid(1, 20)).code == "bid_too_low"
    assert refused(THREE, state, 0, PlaceBid(1, 30)).code == "not_your_turn"
    state = act(THREE, state, 1, PlaceBid(1, 25)).state
    state = act(THREE, state, 2, Pass()).state
    state = act(THREE, state, 0, Pass()).state
    assert state.privates[1].owner == 1
    assert [p.cash for p in state.players] == [375, 350, 375]
    assert state.bids == ()
    # the next lot begins left of the buyer
    assert state.agenda[-1] == PrivateLot(2, 40, 2, (2, 0, 1), ((3, 60), (4, 80), (5, 100)))
    state = act(THREE, state, 2, PlaceBid(2, 60)).state
    assert [c.action for c in choices_of(THREE, state, 0)] == [PlaceBid(2, 65)]


def choices_of(ruleset, state, seat):
    return [choice for choice in legal(ruleset, state, (seat,)) if isinstance(choice.action, PlaceBid)]


@pytest.mark.rule("DO-TRG-02")
def test_unwanted_private_gets_cheaper_to_nothing():
    state = opening(3, game=GAME)
    for _ in range(3):
        state = act(THREE, state, state.agenda[-1].seats[0], Pass()).state
    assert state.agenda[-1] == PrivateLot(2, 40, 0, (0, 1, 2), ((3, 60), (4, 80), (5, 100), (1, 15)))
    last = replace(state, agenda=(Rounds(1), PrivateLot(1, 5, 1, (1, 2, 0))))
    for seat in (1, 2, 0):
        last = act(THREE, last, seat, Pass()).state
    assert last.privates[1].owner == 1
    assert [p.cash for p in last.players] == [375] * 3
    assert last.agenda[-1] == StockRound(1, 0)


@pytest.mark.rule("DO-TRG-02")
def test_who_cannot_pay_is_not_asked():
    state = with_cash(opening(3, game=GAME), Ada=200, Bert=40, Cleo=120)
    state = replace(state, agenda=(Rounds(1), PrivateLot(5, 100, 0, (0, 1, 2))))
    bid = act(THREE, state, 0, PlaceBid(5, 100)).state
    assert bid.agenda[-1].seats == (2, 0)  # Bert's 40 Mark are too few
    sold = act(THREE, bid, 2, PlaceBid(5, 120)).state
    assert sold.agenda[-1].seats == (0, 2)
    poor = with_cash(state, Ada=30, Bert=40, Cleo=20)
    assert went_on(poor).privates[5].owner is None
    assert went_on(poor).agenda[-1] == PrivateLot(5, 40, 0, (1, 2))


@pytest.mark.rule("DO-TRG-02")
def test_owner_paid_in_each_operating_round():
    state = own(corporation(place(), "CME", trains=("2",)), 4, 2)
    after = went_on(replace(state, agenda=(Rounds(2),)))
    assert after.players[2].cash - state.players[2].cash == 20


# Shares


@pytest.mark.rule("DO-TRG-03")
def test_richest_begins_and_nothing_sold_first():
    state = with_cash(opening(3, game=GAME), Ada=300, Bert=200, Cleo=375)
    state = replace(state, agenda=(Rounds(1), PrivateLot(5, 100, 0, (0,))))
    state = act(THREE, state, 0, PlaceBid(5, 100)).state
    assert state.agenda[-1] == StockRound(1, 2)
    assert state.priority == 2
    state = act(THREE, state, 2, FoundCompany("KWE", 60)).state
    assert (state.companies["KWE"].treasury, state.price("KWE"), state.markers.spaces["KWE"]) == (120, 60, (4, 3))
    assert state.agenda[-1].seat == 0
    assert refused(THREE, state, 0, FoundCompany("CME", 75)).code == "not_par"  # a green value
    assert refused(THREE, state, 0, FoundCompany("DEEG", 55)).rule == "DO-SR-32"
    held = corporation(state, "CME", 65, sizes={"Ada": (10,)})
    assert refused(THREE, held, 0, SellCertificates("CME", (10,))).code == "first_round"


@pytest.mark.rule("DO-TRG-03")
def test_who_bought_last_hands_priority_on():
    state = replace(corporation(place(), "CME"), priority=3)
    passed = stock(state, 1, passes=3)
    assert act(FOUR, passed, 1, Pass()).state.priority == 3
    acted = stock(state, 1, passes=3, actor=1)
    assert act(FOUR, acted, 1, Pass()).state.priority == 2


@pytest.mark.rule("DO-TRG-03")
def test_sold_out_railways_rise_one_row():
    sizes = {"Ada": (10, 10), "Bert": (10,) * 3, "Cleo": (10,) * 3}
    state = corporation(corporation(place(phase="3"), "CME", 75, sizes=sizes), "BME", 75, sizes={"Ada": (10,) * 4})
    assert state.markers.spaces["CME"] == (3, 4)
    after = act(FOUR, stock(state, 0, passes=3), 0, Pass()).state
    assert (after.markers.spaces["CME"], after.price("CME")) == ((2, 4), 80)
    assert after.price("BME") == 75


@pytest.mark.rule("DO-TRG-03")
def test_values_move_on_a_field():
    state = corporation(place(), "KWE", 60, trains=("2",))
    paid = {}
    for amount in (0, 50, 60, 170, 180):
        draft = Draft(FOUR, state)
        stock_market.after_income(draft, "KWE", amount, paid_out=True)
        paid[amount] = draft.state.markers.spaces["KWE"]
    assert paid == {0: (4, 2), 50: (4, 3), 60: (4, 4), 170: (4, 4), 180: (4, 5)}
    kept = act(FOUR, turn(state, "KWE", "pay", revenue=180), 0, Withhold()).state
    assert (kept.price("KWE"), kept.companies["KWE"].treasury) == (55, 180)
    edge = Draft(FOUR, with_market(state, KWE=(4, 1)))
    stock_market.left(edge, "KWE", "withhold")
    assert edge.state.markers.spaces["KWE"] == (5, 1)
    corner = Draft(FOUR, with_market(state, KWE=(6, 1)))
    stock_market.left(corner, "KWE", "withhold")
    assert corner.state.markers.spaces["KWE"] == (6, 1)  # there is no space for the bankrupt
    end = Draft(FOUR, with_market(state, KWE=(5, 6)))
    stock_market.right(end, "KWE", "dividend")
    assert end.state.markers.spaces["KWE"] == (4, 6)


@pytest.mark.rule("DO-TRG-03")
def test_only_director_moves_the_value():
    state = corporation(place(), "CME", 65, sizes={"Ada": (10, 10), "Bert": (10,)})
    after = act(FOUR, stock(state), 0, SellCertificates("CME", (10, 10))).state
    assert (after.price("CME"), after.players[0].cash) == (55, 1130)
    after = act(FOUR, stock(state, 1), 1, SellCertificates("CME", (10,))).state
    assert (after.price("CME"), after.companies["CME"].percent(POOL)) == (65, 10)
    deal = turn(corporation(place(), "CME", 65, trains=("2",)), "CME", "trains")
    after = act(FOUR, deal, 0, OwnCertificate("sell", 10)).state
    assert (after.companies["CME"].treasury, after.price("CME")) == (65, 60)
    again = turn(after, "CME", "trains", used=(Once.DEAL,))
    assert refused(FOUR, again, 0, OwnCertificate("sell", 10)).code == "one_deal"


# Links and stations


@pytest.mark.rule("DO-TRG-04")
def test_a_link_takes_no_card():
    state = kwe(step="link", treasury=100)
    after = act(FOUR, state, 0, BuildRailwayLink("E19")).state
    assert after.companies["KWE"].treasury == 70
    assert token_at(after, "E19") == 10
    assert after.depot == state.depot
    assert refused(FOUR, kwe(step="link", treasury=29), 0, BuildRailwayLink("E19")).code == "unaffordable"
    assert refused(FOUR, turn(tokens(state, E19="K10"), "KWE", "link"), 0, BuildRailwayLink("E19")).rule == "DO-LINK-03"
    # without a card in the display too
    none = replace(state, depot=replace(state.depot, display=dict.fromkeys(state.depot.display, 0)))
    assert choices(FOUR, none, 0, BuildRailwayLink)


@pytest.mark.rule("DO-TRG-05")
def test_stations_in_the_city():
    state = kwe(step="station", treasury=100)
    after = act(FOUR, state, 0, PlaceStation("E13", "a")).state
    assert after.companies["KWE"].treasury == 40
    full = turn(station(kwe("5"), E13="BME"), "KWE", "station")
    assert refused(FOUR, full, 0, PlaceStation("E13", "a")).code == "no_place"
    # like any city it is closed to others once it is full
    assert judged(turn(full, "KWE", "run"), ("5", (*TO_E13, "E13:1a", "E11:4a"))) == ("blocked", "DO-TOK-06")
    spaces = [state.sheet.tiles[name].face.stops[0].slots for name in ("DO1", "DO2", "DO3")]
    assert (state.sheet.hexes["E13"].face.stops[0].slots, spaces) == (1, [2, 3, 4])


# Beer


@pytest.mark.rule("DO-TRG-06")
def test_trains_with_squares_carry_beer():
    assert judged(kwe("6", phase="6"), ("6", TO_E13)) == 50 + 10 + 20 + 30 + 2 * 50
    assert judged(kwe("5", phase="5"), ("5", TO_E13)) == 110 + 50
    assert judged(kwe("8", phase="8"), ("8", TO_E13)) == 110 + 3 * 50
    assert judged(kwe("4", phase="5"), ("4", TO_E13)) == 110
    assert judged(kwe("6", phase="6"), ("6", TO_D16)) == 80  # without the City no beer
    other = turn(station(kwe("5", phase="5", company="CME"), E13="CME"), "CME", "run")
    assert judged(other, ("5", TO_E13), company="CME") == 110 + 40
    assert best(kwe("6", phase="6")) == 110 + 20 + 100  # it runs on to E11
    assert best(kwe("6", "4", phase="6")) == 230  # the other train finds no track


# Private breweries


@pytest.mark.rule("DO-TRG-07")
def test_first_private_loads_train_once():
    state = own(kwe("4"), 1, 0)
    assert best(state) == 30 + 10 + 20 + 30
    brewed = act(FOUR, state, 0, Brew(1, "4")).state
    assert brewed.privates[1].used
    assert judged(brewed, ("4+2", TO_E13)) == 90 + 100
    assert best(brewed) == 190
    assert judged(brewed, ("4", TO_E13))[0] == "train_not_owned"
    assert judged(brewed, ("4+2", TO_D16)) == ("beer_needs_city_and_red", "DO-BEERTRANSPORT-02")
    runs = FOUR.policy(RunningPolicy).best(brewed, "KWE")
    after = act(FOUR, brewed, 0, RunTrains(runs)).state
    assert do_state(after).loads == {}
    assert do_state(after).stock == 0
    assert refused(FOUR, brewed, 0, Brew(1, "4")).code == "used"
    assert refused(FOUR, own(kwe("4"), 1, 1), 0, Brew(1, "4")).code == "not_owner"
    assert refused(FOUR, own(kwe("4"), 1, 0, open=False), 0, Brew(1, "4")).code == "closed"
    assert refused(FOUR, own(kwe("4", step="pay", revenue=10), 1, 0), 0, Brew(1, "4")).code == "wrong_step"
    assert refused(FOUR, own(kwe("3"), 1, 0), 0, Brew(1, "4")).code == "no_such_train"
    assert refused(FOUR, own(kwe("3"), 1, 0), 0, Brew(1, "3")).code == "no_beer_route"  # too short for the City
    assert choices(FOUR, own(kwe("3", "4"), 1, 0), 0, Brew) == [Brew(1, "4")]
    assert refused(FOUR, own(kwe("4"), 2, 0), 0, Brew(2, "4")).code == "no_power"


@pytest.mark.rule("DO-TRG-07")
def test_two_privates_load_different_trains():
    state = own(own(kwe("4"), 1, 0), 5, 0)
    brewed = act(FOUR, state, 0, Brew(1, "4")).state
    assert refused(FOUR, brewed, 0, Brew(5, "4")).code == "no_such_train"


@pytest.mark.rule("DO-TRG-07")
def test_fifth_private_loads_train_each_round():
    state = own(kwe("4"), 5, 0)
    brewed = act(FOUR, state, 0, Brew(5, "4")).state
    assert best(brewed) == 90 + 50
    assert refused(FOUR, brewed, 0, Brew(5, "4")).code == "used"
    later = replace(brewed, agenda=(Rounds(2, 2, 2), OperatingRound(2, 2, 2, ("KWE",), True), brewed.agenda[-1]))
    later = replace(later, extra=replace(do_state(later), loads={}))
    assert act(FOUR, later, 0, Brew(5, "4")).state.marks["PB5"] == "2.2"


@pytest.mark.rule("DO-TRG-07")
def test_type_3_from_city_to_red():
    laid = tiles(place(), F14="9 2", G15="8 0", H14="8 1", H12="58K 4")
    way = ("E13:5a", "F14:25", "G15:02", "H14:13", "H12:4a", "H12:0a", "I11:3a")
    away = station(corporation(laid, "KWE", trains=("2", "3")), E13="KWE")
    away = own(turn(away, "KWE", "run"), 5, 0)
    assert judged(away, ("3", way), ("2", ("E13:1a", "E11:4a"))) == 70 + 50
    brewed = act(FOUR, away, 0, Brew(5, "3")).state
    assert judged(brewed, ("2", ("E13:1a", "E11:4a")), ("3+1", way)) == 70 + 50 + 40
    assert best(brewed) == 160
    assert refused(FOUR, away, 0, Brew(5, "2")).code == "train_too_short"
    assert refused(FOUR, own(own(away, 5, 1), 1, 0), 0, Brew(1, "2")).code == "no_beer_route"
    home = own(turn(corporation(laid, "BME", trains=("3",)), "BME", "run"), 5, 0)
    assert judged(act(FOUR, home, 0, Brew(5, "3")).state, ("3+1", way), company="BME") == 70 + 50


@pytest.mark.rule("DO-TRG-07")
def test_fourth_private_pays_beer_routes():
    state = own(kwe("4"), 4, 0)
    chosen = act(FOUR, state, 0, Brew(4)).state
    assert judged(chosen, ("4", TO_E13)) == 90 + 10
    assert best(chosen) == 100
    assert judged(chosen, ("4", TO_D16)) == 60
    assert refused(FOUR, chosen, 0, Brew(4)).code == "used"
    assert refused(FOUR, state, 0, Brew(4, "4")).code == "no_such_train"
    closed = own(chosen, 4, 0, open=False)
    assert judged(turn(closed, "KWE", "run"), ("4", TO_E13)) == 90
    other = turn(station(corporation(chosen, "CME", trains=("4",)), E13="CME"), "CME", "run")
    assert judged(other, ("4", TO_E13), company="CME") == 90


@pytest.mark.rule("DO-TRG-07")
def test_the_second_keeps_space_in_city():
    state = own(kwe(step="station", treasury=100, director=1), 2, 0)
    refusal = refused(FOUR, state, 1, PlaceStation("E13", "a"))
    assert (refusal.code, refusal.rule) == ("reserved", "DO-TRG-07")
    act(FOUR, own(state, 2, 1), 1, PlaceStation("E13", "a"))
    act(FOUR, own(state, 2, 0, open=False), 1, PlaceStation("E13", "a"))
    act(FOUR, state, 1, PlaceStation("D16", "a"))  # only the City
    green = turn(tiles(state, E13="DO1 1"), "KWE", "station")
    two = act(FOUR, green, 1, PlaceStation("E13", "a")).state  # one of two spaces is left for him
    third = station(tiles(corporation(state, "CME", director=0), E13="DO2 1"), E13="CME BME")
    act(FOUR, turn(third, "KWE", "station"), 1, PlaceStation("E13", "a"))  # his railway has its station
    assert len(two.board.contents("E13").stations) == 1


@pytest.mark.rule("DO-TRG-07")
def test_third_halves_one_station_in_city():
    state = own(kwe(step="station", treasury=30), 3, 0)
    after = act(FOUR, state, 0, PlaceStation("E13", "a")).state
    assert after.companies["KWE"].treasury == 0
    assert after.privates[3].used
    full = kwe(step="station", treasury=50)
    assert refused(FOUR, own(full, 3, 0, used=True), 0, PlaceStation("E13", "a")).code == "unaffordable"
    assert refused(FOUR, own(full, 3, 1), 0, PlaceStation("E13", "a")).code == "unaffordable"
    assert refused(FOUR, own(full, 3, 0, open=False), 0, PlaceStation("E13", "a")).code == "unaffordable"
    assert refused(FOUR, own(full, 3, 0), 0, PlaceStation("D16", "a")).code == "unaffordable"
    elsewhere = act(FOUR, own(kwe(step="station", treasury=60), 3, 0), 0, PlaceStation("D16", "a")).state
    assert not elsewhere.privates[3].used
    by_other = act(FOUR, own(kwe(step="station", treasury=60), 3, 1), 0, PlaceStation("E13", "a")).state
    assert not by_other.privates[3].used


@pytest.mark.rule("DO-TRG-07")
def test_privates_close_with_first_type_5():
    state = place(phase="4")
    draft = Draft(FOUR, state)
    draft.emit(TrainMoved("5", DISPLAY, "CME", "train"))
    settle(draft, 0)
    assert [n for n, p in draft.state.privates.items() if p.open] == [2]
    draft = Draft(FOUR, draft.state)
    draft.emit(PhaseBegan("8"))
    settle(draft, 0)
    assert not any(p.open for p in draft.state.privates.values())


# The end


@pytest.mark.rule("DO-TRG-08")
def test_set_of_empty_bank_is_finished():
    state = corporation(place(phase="5"), "CME", 60, sizes={"Ada": (10,) * 8}, trains=("5",))
    frames = (
        Rounds(5, 3, 1),
        OperatingRound(5, 1, 3, ("CME",), True, ("CME",)),
        CompanyTurn("CME", "pay", revenue=100),
    )
    state = replace(state, agenda=frames)
    after = act(FOUR, replace(state, bank=101), 0, PayOut()).state
    assert not after.ending
    after = act(FOUR, replace(state, bank=100), 0, PayOut()).state
    assert (after.ending, after.outcome, after.bank) == ("or", "", 0)
    assert after.agenda[0] == Rounds(5, 3, 2)  # the second of three is played
    last = went_on(replace(after, agenda=(Rounds(5, 3, 3),)))
    assert last.outcome == "bank"
    other = went_on(replace(after, ending="", agenda=(Rounds(6, 3, 3),)))
    assert other.agenda[-1] == StockRound(7, 0)  # there is no last set


@pytest.mark.rule("DO-TRG-01", "DO-TRAIN-10")
def test_type_4_has_last_run():
    state = kwe("4", "5", phase="8")
    after = act(FOUR, state, 0, RunTrains(FOUR.policy(RunningPolicy).best(state, "KWE"))).state
    assert after.companies["KWE"].trains == ("5",)
