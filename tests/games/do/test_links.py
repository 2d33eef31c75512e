"""The order of the rounds, deals in own certificates, track, stations, links."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import (
    beer,
    choices,
    corporation,
    display,
    kwe_net,
    position,
    rules,
    station,
    tiles,
    tokens,
    turn,
)
from tests.builders.random_positions import act, refused, with_market
from trajekt.engine.actions import LayTile, Pass, PlaceStation
from trajekt.engine.agenda import run
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import CHARTER, POOL
from trajekt.games.do.actions import BuildRailwayLink, OwnCertificate
from trajekt.games.do.frames import BreweryRound, BreweryTurn
from trajekt.games.do.options import DoOptions
from trajekt.games.do.ruleset import open_rounds, planned
from trajekt.games.do.state import do_state, token_at
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound
from trajekt.rules.turn_notes import Allowance, Once

FOUR = rules(4)


def railway(company="CME", phase="2", step="track", treasury=500, **more):
    return turn(corporation(position(4, phase=phase), company, treasury=treasury, trains=("2",), **more), company, step)


def lay(state, at, tile, by, seat=0):
    return act(FOUR, state, seat, LayTile(at, tile, by)).state


def no_lay(state, at, tile, by, seat=0):
    return refused(FOUR, state, seat, LayTile(at, tile, by))


# Rounds


@pytest.mark.rule("DO-ORDER-01", "DO-END-01")
def test_sets_follow_one_another_until_sixth():
    draft = Draft(FOUR, replace(position(4), agenda=(Rounds(3, 2, 2),)))
    run(draft)
    assert draft.state.agenda[-1] == StockRound(4, 0)
    broke = replace(position(4), agenda=(Rounds(6, 2, 1),), bank=-50)
    draft = Draft(FOUR, broke)
    run(draft)
    assert draft.state.outcome == "rounds"
    assert draft.state.depot.display == broke.depot.display
    draft = Draft(FOUR, replace(position(4), agenda=(Rounds(5, 2, 2),)))
    run(draft)
    assert draft.state.outcome == ""


@pytest.mark.rule("DO-ORDER-02", "DO-PHASE-07")
def test_rounds_of_a_set():
    five, six = position(4, phase="5"), position(4, phase="6")
    of = planned(DoOptions())
    assert (of(five, 4), of(six, 5)) == (2, 3)
    assert planned(DoOptions(or_per_set="from_set_4"))(five, 4) == 3
    assert planned(DoOptions(or_per_set="published"))(position(4), 1) == 1
    # fixed when the stock round is over
    state = replace(six, agenda=(Rounds(4, 2, 2),))
    draft = Draft(FOUR, state)
    run(draft)
    assert draft.state.agenda[-1] == StockRound(5, 0)


@pytest.mark.rule("DO-ORDER-03")
def test_order_by_value_then_pile():
    state = position(4)
    for name, value in (("CME", 60), ("KWE", 60), ("BME", 65)):
        state = corporation(state, name, value)
    state = with_market(state, KWE=(1, 6), CME=(1, 6))
    draft = Draft(FOUR, state)
    open_rounds(draft, 1, 1, 2)
    assert draft.state.agenda[-1].order == ("BME", "KWE", "CME")
    assert isinstance(draft.state.agenda[-2], BreweryRound)


@pytest.mark.rule("DO-ORDER-04", "DO-LINK-01")
def test_steps_are_not_taken_back():
    state = turn(kwe_net(corporation(position(4), "KWE", treasury=500, trains=("2",))), "KWE", "link")
    assert no_lay(state, "D20", "4K", 1).code == "wrong_step"
    running = act(FOUR, state, 0, Pass()).state
    assert running.agenda[-1].step == "run"
    assert refused(FOUR, running, 0, Pass()).code == "must_run"


@pytest.mark.rule("DO-ORDER-04", "DO-REV-05")
def test_without_train_value_falls_without_question():
    state = turn(corporation(position(4), "CME", 60), "CME", "link")
    after = act(FOUR, state, 0, Pass()).state
    assert after.price("CME") == 55
    assert after.agenda[-1].step == "trains"


@pytest.mark.rule("DO-ORDER-05")
def test_own_certificates_trade_with_treasury():
    state = turn(corporation(position(4), "CME", 80, sizes={"pool": (10,)}, treasury=100, trains=("2",)), "CME")
    sold = act(FOUR, state, 0, OwnCertificate("sell", 10)).state
    assert (sold.companies["CME"].treasury, sold.price("CME")) == (180, 75)
    assert refused(FOUR, sold, 0, OwnCertificate("sell", 10)).code == "one_deal"
    bought = act(FOUR, state, 0, OwnCertificate("buy", 10)).state
    cme = bought.companies["CME"]
    assert (cme.treasury, bought.price("CME"), cme.percent(POOL), cme.percent(CHARTER)) == (20, 80, 0, 80)
    full = turn(corporation(position(4), "CME", 80, sizes={"pool": (10,) * 5}, treasury=100), "CME")
    assert refused(FOUR, full, 0, OwnCertificate("sell", 10)).code == "pool_limit"
    none = corporation(position(4), "CME", 80, sizes={"Ada": (10,) * 4, "Bert": (10,) * 4})
    assert refused(FOUR, turn(none, "CME"), 0, OwnCertificate("sell", 10)).code == "not_in_stock"
    assert refused(FOUR, state, 1, OwnCertificate("sell", 10)).code == "not_director"
    poor = turn(corporation(position(4), "CME", 80, sizes={"pool": (10,)}, treasury=79), "CME")
    assert refused(FOUR, poor, 0, OwnCertificate("buy", 10)).code == "unaffordable"
    dub = corporation(position(4, phase="3"), "DUB", 80, sizes={"Ada": (10,) * 3})
    dub = replace(dub, agenda=(Rounds(2, 2, 1), BreweryRound(2, 1, 2), BreweryTurn("DUB", "buy")))
    for rules_of, value in ((FOUR, 75), (rules(4, own_sale_fall="ten_percent"), 70)):
        twenty = act(rules_of, dub, 0, OwnCertificate("sell", 20)).state
        assert (twenty.companies["DUB"].treasury, twenty.price("DUB")) == (160, value)


# Track


@pytest.mark.rule("DO-TRK-01")
def test_one_tile_a_turn():
    state = lay(tiles(railway(phase="3"), C5="9 1"), "B6", "58K", 1)
    assert state.agenda[-1].step != "track" or no_lay(state, "C5", "23", 1).rule == "DO-TRK-01"
    state = turn(state, "CME", "track", lays=(Allowance.NORMAL,))
    assert no_lay(state, "A5", "8", 0).rule == "DO-TRK-01"


@pytest.mark.rule("DO-TRK-02", "DO-PHASE-03")
def test_colours_by_phase():
    green = tiles(railway(phase="2"), C5="9 2")
    assert no_lay(green, "C5", "23", 2).code == "not_in_phase"
    assert no_lay(railway(phase="4"), "C5", "41", 0).code in ("not_in_phase", "wrong_colour")


@pytest.mark.rule("DO-TRK-03", "DO-TRK-18")
def test_printed_hexes_take_no_yellow_tile():
    state = tokens(railway(), D16="S10")
    for at in ("D16", "C13", "A21"):
        assert no_lay(state, at, "9", 0).code in ("never_built", "wrong_colour", "wrong_kind")


@pytest.mark.rule("DO-TRK-04", "DO-TRK-05")
def test_new_track_continues_a_route():
    state = railway()
    assert lay(state, "B6", "58K", 1)
    assert no_lay(state, "B6", "58K", 0).code == "not_connected"
    assert no_lay(state, "D8", "9", 0).code == "not_connected"
    assert no_lay(state, "A5", "8", 4).code in ("closed_side", "not_connected")


@pytest.mark.rule("DO-TRK-04", "DO-TOK-06")
def test_blocked_by_a_full_mill():
    state = kwe_net(corporation(position(4), "KWE", treasury=500))
    state = corporation(state, "BME", director=1)
    assert lay(turn(state, "KWE"), "F14", "8", 2)
    filled = turn(station(state, D16="BME"), "KWE")
    assert no_lay(filled, "F14", "8", 2).code == "blocked"


@pytest.mark.rule("DO-TRK-06")
def test_the_harbour_railway_begins_at_home():
    state = railway("DHB")
    for by in range(6):
        assert lay(state, "C9", "HF1", by)
    assert no_lay(state, "D8", "9", 0).code == "not_connected"
    laid = turn(tiles(state, C9="HF2 0"), "DHB")
    assert lay(laid, "C11", "9", 0) if 4 in FOUR.sheet.rotated["HF2", 0].edges else lay(laid, "D8", "8", 3)


@pytest.mark.rule("DO-TRK-07", "DO-TRK-08")
def test_special_tiles_and_hexes():
    state = railway()
    assert no_lay(state, "B6", "8", 1).rule == "DO-TRK-07"
    assert no_lay(state, "C5", "58K", 2).rule == "DO-TRK-07"
    assert no_lay(state, "C9", "9", 0).code == "wrong_kind"
    assert no_lay(state, "C11", "HF1", 0).code == "wrong_kind"


@pytest.mark.rule("DO-TRK-09")
def test_costs_of_hexes():
    state = corporation(position(4), "BME", treasury=50)
    state = tiles(state, H12="58K 0")
    assert FOUR.sheet.hexes["H10"].cost == 40
    state = turn(state, "BME")
    after = lay(state, "H10", "8", 5) if (5 in FOUR.sheet.rotated["8", 5].edges) else None
    assert after is not None
    assert after.companies["BME"].treasury == 10
    poor = replace(state, companies={**state.companies, "BME": replace(state.companies["BME"], treasury=30)})
    assert no_lay(poor, "H10", "8", 5).code == "unaffordable"
    again = turn(replace(after, phase="3"), "BME")
    upgraded = next(a for a in choices(FOUR, again, 0, LayTile) if a.hex == "H10")
    assert act(FOUR, again, 0, upgraded).state.companies["BME"].treasury == 10


@pytest.mark.rule("DO-TRK-10")
def test_blank_sides_and_the_rim():
    state = railway()
    assert no_lay(state, "A9", "9", 1).code == "closed_side"
    assert no_lay(state, "A5", "9", 2).code == "closed_side"
    kwe = railway("KWE")
    assert lay(kwe, "D20", "58K", 5)


@pytest.mark.rule("DO-TRK-11")
def test_other_neighbours_need_not_be_met():
    state = turn(tiles(corporation(position(4), "CME", treasury=100), C5="9 2"), "CME")
    assert 2 in FOUR.sheet.rotated["9", 2].edges
    assert lay(state, "D6", "9", 2)


@pytest.mark.rule("DO-TRK-12")
def test_upgrades_keep_track():
    state = turn(tiles(corporation(position(4, phase="5"), "CME", treasury=100), B6="58K 1", C5="9 2"), "CME")
    ways = [a for a in choices(FOUR, state, 0, LayTile) if a.hex == "C5"]
    assert ways
    for action in ways:
        assert {2, 5} <= FOUR.sheet.rotated[action.tile, action.rotation].edges
        assert FOUR.sheet.tiles[action.tile].face.colour == "green"
    assert no_lay(state, "C5", "19", 0).code in ("track_lost", "closed_side")
    assert no_lay(state, "C5", "41", 2).rule == "DO-TRK-12"
    far = turn(tiles(corporation(position(4, phase="3"), "CME", treasury=100), G11="9 1"), "CME")
    assert no_lay(far, "G11", "23", 1).code == "not_connected"


@pytest.mark.rule("DO-TRK-13")
def test_mines_are_upgraded_with_token_only():
    state = turn(tiles(corporation(position(4, phase="3"), "CME", treasury=100), B6="58K 1"), "CME")
    by = next(t for t in range(6) if FOUR.sheet.rotated["58K", 1].edges <= FOUR.sheet.rotated["141K", t].edges)
    assert no_lay(state, "B6", "141K", by).rule == "DO-TRK-13"
    for token in ("K10", "K20", "K30"):
        assert lay(tokens(state, B6=token), "B6", "141K", by)
    assert no_lay(tokens(state, B6="K10"), "B6", "24", 1).code == "wrong_kind"
    plain = turn(tiles(corporation(position(4, phase="3"), "CME", treasury=100), C5="9 2"), "CME")
    assert no_lay(plain, "C5", "87K", 2).code in ("wrong_kind", "track_lost")


@pytest.mark.rule("DO-TRK-14", "DO-TRK-17")
def test_mills_are_upgraded_by_their_colour():
    state = turn(kwe_net(corporation(position(4, phase="3"), "KWE", treasury=100)), "KWE")
    turns = {t for t in range(6) if FOUR.sheet.rotated["SR1", t].edges == {1, 2, 4, 5}}
    other = {t for t in range(6) if FOUR.sheet.rotated["SR1", t].edges == {0, 1, 3, 4}}
    by, blank = turns.pop(), other.pop()
    assert no_lay(state, "E11", "SR1", by).rule == "DO-TRK-14"
    linked = tokens(state, E11="S20")
    assert no_lay(linked, "E11", "SO1", by).code == "wrong_kind"
    assert no_lay(linked, "E11", "SR1", blank).code == "closed_side"
    with_bme = station(corporation(linked, "BME", director=1), E11="BME")
    after = lay(turn(with_bme, "KWE"), "E11", "SR1", by)
    contents = after.board.contents("E11")
    assert ([s.company for s in contents.stations], token_at(after, "E11")) == (["BME"], 20)
    assert after.board.face("E11").stops[0].slots == 2


@pytest.mark.rule("DO-TRK-15")
def test_city_tile_needs_its_rotation():
    state = turn(kwe_net(corporation(position(4, phase="3"), "KWE", treasury=100)), "KWE")
    right = next(t for t in range(6) if FOUR.sheet.rotated["DO1", t].edges == {1, 2, 3, 5})
    wrong = next(t for t in range(6) if FOUR.sheet.rotated["DO1", t].edges == {0, 1, 2, 4})
    assert lay(state, "E13", "DO1", right)
    assert no_lay(state, "E13", "DO1", wrong).code == "track_lost"
    assert no_lay(replace(state, phase="2"), "E13", "DO1", right).code == "not_in_phase"


@pytest.mark.rule("DO-TRK-16")
def test_tiles_are_limited():
    state = tiles(railway(), E5="3K 0", E9="3K 0")
    assert no_lay(turn(state, "CME"), "B6", "3K", 0).code == "no_tile_left"
    back = tokens(tiles(railway(phase="3"), B6="3K 1", E5="3K 0"), B6="K10")
    up = next(a for a in choices(FOUR, turn(back, "CME"), 0, LayTile) if a.hex == "B6")
    assert act(FOUR, turn(back, "CME"), 0, up).state.supply["3K"] == 1


@pytest.mark.rule("DO-TRK-18")
def test_grey_hexes_conduct():
    state = station(corporation(position(4), "CME", treasury=100), C13="CME")
    state = tiles(state, B12="8 5")
    way = {a.hex for a in choices(FOUR, turn(state, "CME"), 0, LayTile)}
    assert "B14" in way


# Stations


@pytest.mark.rule("DO-TOK-01", "DO-TOK-02")
def test_costs_of_stations():
    state = kwe_net(corporation(position(4), "KWE", treasury=100))
    after = act(FOUR, turn(state, "KWE", "station"), 0, PlaceStation("D16", "a")).state
    assert after.companies["KWE"].treasury == 40
    two = station(state, E11="KWE", C13="KWE")
    assert two.companies["KWE"].stations == (100,)
    after = act(FOUR, turn(two, "KWE", "station"), 0, PlaceStation("D16", "a")).state
    assert (after.companies["KWE"].treasury, after.companies["KWE"].stations) == (0, ())
    assert refused(FOUR, turn(after, "KWE", "station"), 0, PlaceStation("G13", "a")).code == "no_token"


@pytest.mark.rule("DO-TOK-02", "DO-TOK-03")
def test_where_stations_go():
    state = corporation(kwe_net(corporation(position(4), "KWE", treasury=500)), "BME", director=1)
    full = turn(station(state, D16="BME"), "KWE", "station")
    assert refused(FOUR, full, 0, PlaceStation("D16", "a")).code == "no_place"
    assert refused(FOUR, full, 0, PlaceStation("E11", "a")).code == "blocked"
    own = turn(station(state, C13="KWE"), "KWE", "station")
    assert refused(FOUR, own, 0, PlaceStation("C13", "a")).code == "station_here"
    free = turn(state, "KWE", "station")
    assert refused(FOUR, free, 0, PlaceStation("G13", "a")).rule in ("DO-TOK-03", "COMMON-TOK-02")
    assert act(rules(4, station_connected=False), free, 0, PlaceStation("G13", "a"))


@pytest.mark.rule("DO-TOK-04", "DO-TOK-05", "DO-TOK-10")
def test_where_stations_never_go():
    state = turn(kwe_net(corporation(position(4), "KWE", treasury=500)), "KWE", "station")
    assert refused(FOUR, state, 0, PlaceStation("E13", "a")).code == "no_place"
    bme = turn(corporation(position(4), "BME", treasury=500), "BME", "station")
    assert refused(FOUR, bme, 0, PlaceStation("E21", "a")).rule == "DO-TOK-10"
    assert refused(FOUR, turn(tiles(bme, C9="HF1 0"), "BME", "station"), 0, PlaceStation("C9", "a")).code == "reserved"
    free = rules(4, station_connected=False)
    assert act(free, turn(tiles(bme, C9="HF3 0"), "BME", "station"), 0, PlaceStation("C9", "a"))


# Links


def cme_at_mine(phase="2", treasury=100, **more):
    state = tiles(corporation(position(4, phase=phase), "CME", treasury=treasury, trains=("2",)), B6="58K 1")
    return turn(tokens(state, **more), "CME", "link")


@pytest.mark.rule("DO-LINK-02", "DO-LINK-01", "DO-LINK-07")
def test_a_new_link():
    state = cme_at_mine()
    after = act(FOUR, state, 0, BuildRailwayLink("B6")).state
    assert (after.companies["CME"].treasury, token_at(after, "B6")) == (70, 10)
    assert after.depot.display["2"] == state.depot.display["2"] - 1
    assert refused(FOUR, turn(after, "CME", "link", used=(Once.LINK,)), 0, BuildRailwayLink("B6")).rule == "DO-LINK-01"
    assert refused(FOUR, cme_at_mine(treasury=20), 0, BuildRailwayLink("B6")).code == "unaffordable"
    bare = turn(corporation(position(4), "CME", treasury=100), "CME", "link")
    assert refused(FOUR, bare, 0, BuildRailwayLink("B6")).rule == "DO-LINK-02"
    away = tiles(state, A17="58K 0")
    assert refused(FOUR, away, 0, BuildRailwayLink("A17")).code == "not_connected"
    assert refused(FOUR, state, 0, BuildRailwayLink("C13")).code == "no_mine_or_mill"
    assert next(f for f in after.agenda if isinstance(f, CompanyTurn)).bought == 0
    hbb = turn(corporation(position(5), "HBB", treasury=100), "HBB", "link")
    assert act(rules(5), hbb, 0, BuildRailwayLink("G19")).state.board.contents("G19").icons == (
        "S10",
    )  # red, for a mill


@pytest.mark.rule("DO-LINK-03", "DO-LINK-04", "DO-PHASE-03")
def test_extensions_need_their_phase():
    assert refused(FOUR, cme_at_mine("2", B6="K10"), 0, BuildRailwayLink("B6")).rule == "DO-LINK-03"
    assert refused(FOUR, cme_at_mine("4", B6="K20"), 0, BuildRailwayLink("B6")).code == "not_in_phase"
    assert (
        token_at(
            act(FOUR, display(cme_at_mine("5", B6="K10"), t2=0, t3=0, t4=0), 0, BuildRailwayLink("B6")).state, "B6"
        )
        == 20
    )
    after = act(FOUR, display(cme_at_mine("3", B6="K10"), t2=0), 0, BuildRailwayLink("B6")).state
    assert after.board.contents("B6").icons == ("K20",)
    last = display(cme_at_mine("2", B6="K10"), t2=0)
    assert refused(FOUR, last, 0, BuildRailwayLink("B6")).code == "not_in_phase"
    assert act(FOUR, display(cme_at_mine("2"), t2=0), 0, BuildRailwayLink("B6")).state.phase == "3"


@pytest.mark.rule("DO-LINK-05")
def test_the_card_of_the_lowest_type():
    late = display(cme_at_mine("8"), t2=0, t3=0, t4=0, t5=0, t6=3)
    assert act(FOUR, late, 0, BuildRailwayLink("B6")).state.depot.display["6"] == 2
    after = act(FOUR, display(late, t6=0), 0, BuildRailwayLink("B6")).state
    assert after.depot.display["8"] == late.depot.display["8"] - 1
    assert refused(FOUR, display(late, t6=0, t8=0), 0, BuildRailwayLink("B6")).rule == "DO-LINK-05"


@pytest.mark.rule("DO-LINK-06", "DO-MARKET-09")
def test_phase_begins_before_cubes_and_run():
    state = tiles(corporation(position(4, phase="3"), "CME", treasury=100, trains=("2", "3")), B6="58K 1")
    state = beer(display(turn(state, "CME", "link"), t2=0, t3=0), s3=(2, 1), c4=True)
    after = act(FOUR, state, 0, BuildRailwayLink("B6")).state
    assert (after.phase, after.companies["CME"].trains) == ("4", ("3",))
    market = do_state(after).segments
    assert (market[4].closed, market[4].demand, market[1].closed) == (False, (1, 0), True)


@pytest.mark.rule("DO-LINK-08")
def test_demand_of_the_cards():
    state = beer(cme_at_mine(), stock=8, s2=(3, 3))
    after = act(FOUR, state, 0, BuildRailwayLink("B6")).state
    assert (do_state(after).segments[2].demand, do_state(after).stock) == ((4, 3), 7)
    bare = after.board.with_contents("B6", replace(after.board.contents("B6"), icons=()))
    again = turn(replace(after, board=bare), "CME", "link")
    after = act(FOUR, again, 0, BuildRailwayLink("B6")).state
    assert (do_state(after).segments[2].demand, do_state(after).stock) == ((4, 4), 6)


@pytest.mark.rule("DO-LINK-09")
def test_short_of_stock():
    state = display(cme_at_mine("3"), t2=0, t3=FOUR.sheet.trains["3"].count - 1)
    state = beer(state, stock=1, s1=(0, 0), s2=(3, 3), s3=(4, 3))
    after = act(FOUR, state, 0, BuildRailwayLink("B6")).state
    market = do_state(after)
    assert (market.segments[2].demand, market.segments[3].demand, market.stock) == ((3, 2), (4, 5), 0)
    none = beer(cme_at_mine(), stock=0, s1=(0, 0), s2=(6, 2))
    for rules_of, left in ((FOUR, (7, 1)), (rules(4, link_shortfall_same_segment="never"), (6, 2))):
        after = act(rules_of, none, 0, BuildRailwayLink("B6")).state
        assert (do_state(after).segments[2].demand, token_at(after, "B6")) == (left, 10)


@pytest.mark.rule("DO-LINK-11")
def test_type_8_adds_to_segment_6():
    state = display(cme_at_mine("8"), t2=0, t3=0, t4=0, t5=0, t6=0)
    state = beer(state, s6=(1, 0))
    after = act(FOUR, state, 0, BuildRailwayLink("B6")).state
    assert do_state(after).segments[6].demand == (3, 0)


def test_operating_round_has_two_rounds():
    draft = Draft(FOUR, position(4))
    open_rounds(draft, 1, 1, 2)
    assert [type(f) for f in draft.state.agenda[-2:]] == [BreweryRound, OperatingRound]
