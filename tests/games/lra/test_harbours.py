"""Stations of 18LRA: harbour places and tokens, the CCE in Krefeld, red fields."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.lra_positions import (
    ADA,
    BERT,
    CLEO,
    firm,
    in_turn,
    opened,
    ruleset,
    sound,
    with_station,
    with_tiles,
)
from tests.builders.random_positions import act, refused, with_company
from trajekt.engine.actions import LayTile, Pass, PlaceStation, UsePrivate
from trajekt.engine.board.board import Station
from trajekt.engine.decisions import can, legal
from trajekt.engine.ruleset import View
from trajekt.games.lra.city_blocking import passage
from trajekt.games.lra.components import HARBOUR, TURNED
from trajekt.games.lra.station_rules import terms, unused_harbour_tokens, unused_normal_tokens

RULES = ruleset()
KREFELD_TO_UERDINGEN = {"F10": "L17 r0", "E11": "8 r4", "E13": "L31"}
"""KEG's home has track over E11 to the green tile of Uerdingen."""


def keg(phase: str = "green", director: int = ADA, **tiles: str):
    return with_tiles(firm(opened(phase=phase), "KEG", director), **(KREFELD_TO_UERDINGEN | tiles))


def station(state, company: str = "KEG", **values):
    return in_turn(state, company, "station", **values)


def bme(phase: str, **tiles: str):
    """BME in Düsseldorf reaches Neuss by the ferry, or the bridge."""
    laid = {"G15": "L15", "H14": "L27"} if phase == "green" else {"G15": "L34", "H14": "L39"}
    return with_tiles(firm(opened(phase=phase), "BME", CLEO), **(laid | tiles))


# Harbour tokens and harbour places -----------------------------------------------------------------------------------


@pytest.mark.rule("LRA-TOK-10")
def test_normal_token_leaves_harbour_place():
    state = with_station(keg(), "CCE", "E13")  # the one normal place is taken
    refusal = refused(RULES, station(state), ADA, PlaceStation("E13", "a"))
    assert (refusal.code, refusal.rule) == ("harbour_place_only", "LRA-TOK-10")
    assert act(RULES, station(state), ADA, PlaceStation("E13", "a", HARBOUR)).state.board.contents("E13").stations[1:]


@pytest.mark.rule("LRA-TOK-10")
def test_yellow_hex_has_no_harbour_place():
    state = with_tiles(firm(opened(phase="green"), "KEG", ADA), F10="L17 r0", E11="8 r4")
    refusal = refused(RULES, station(state), ADA, PlaceStation("E13", "a", HARBOUR))
    assert (refusal.code, refusal.rule) == ("no_place", "LRA-TOK-10")


@pytest.mark.rule("LRA-TOK-10")
def test_the_gve_has_no_harbour_token():
    state = with_station(with_tiles(firm(opened(phase="brown"), "GVE", CLEO), E13="L43"), "GVE", "E11")
    refusal = refused(RULES, station(state, "GVE"), CLEO, PlaceStation("E13", "a", HARBOUR))
    assert (refusal.code, refusal.rule, refusal.args["token"]) == ("no_token", "LRA-TOK-10", "harbour")
    assert refused(RULES, station(state, "GVE"), CLEO, PlaceStation("E13", "a", "gold")).code == "not_in_ruleset"


@pytest.mark.rule("LRA-TOK-10", "COMMON-TOK-03")
def test_the_harbour_token_may_go_first():
    state = station(keg())
    after = act(RULES, state, ADA, PlaceStation("E13", "a", HARBOUR)).state
    assert after.companies["KEG"].stations == (60,)
    assert (unused_normal_tokens(after, "KEG"), unused_harbour_tokens(after, "KEG")) == (1, 0)
    again = station(replace(after, agenda=after.agenda[:1]))
    refusal = refused(RULES, again, ADA, PlaceStation("E13", "a", HARBOUR))
    assert (refusal.code, refusal.rule) == ("no_token", "LRA-TOK-10")


@pytest.mark.case("B35")
@pytest.mark.rule("LRA-TOK-11", "LRA-PRV-19", "COMMON-PRV-02")
def test_owner_of_no_2_builds_cheaper():
    state = station(keg())
    decision = act(RULES, state, ADA, PlaceStation("E13", "a", HARBOUR))
    after = decision.state
    assert after.companies["KEG"].treasury == 500 - 40
    assert after.board.contents("E13").stations == (Station("KEG", 0, HARBOUR),)
    assert (after.privates[2].used, after.privates[2].open) == (True, True)
    assert sound(RULES, after) == []


@pytest.mark.case("B35")
@pytest.mark.rule("LRA-TOK-11")
def test_others_find_the_place_reserved():
    state = station(keg(director=BERT))
    refusal = refused(RULES, state, BERT, PlaceStation("E13", "a", HARBOUR))
    assert (refusal.code, refusal.rule, refusal.args["private"]) == ("reserved", "LRA-TOK-11", 2)


@pytest.mark.rule("LRA-TOK-11")
def test_each_private_once():
    state = keg()
    spent = replace(state, privates={**state.privates, 2: replace(state.privates[2], used=True)})
    assert refused(RULES, station(spent), ADA, PlaceStation("E13", "a", HARBOUR)).rule == "LRA-TOK-11"


@pytest.mark.rule("LRA-TOK-11")
def test_an_available_route_is_needed():
    state = with_tiles(firm(opened(phase="green"), "KEG", ADA), F10="L17 r0", E13="L31")
    refusal = refused(RULES, station(state), ADA, PlaceStation("E13", "a", HARBOUR))
    assert (refusal.code, refusal.rule) == ("not_connected", "LRA-TOK-11")


@pytest.mark.case("B35")
@pytest.mark.rule("LRA-TOK-12", "COMMON-PHS-04")
def test_from_brown_anybody_builds_dearer():
    state = station(bme("brown"), "BME")
    after = act(RULES, state, CLEO, PlaceStation("H14", "a", HARBOUR)).state
    assert after.companies["BME"].treasury == 500 - 100
    taken = with_station(bme("brown"), "CCE", "H14", kind=HARBOUR)
    assert refused(RULES, station(taken, "BME"), CLEO, PlaceStation("H14", "a", HARBOUR)).rule == "LRA-TOK-10"


@pytest.mark.rule("LRA-TOK-12")
def test_neuss_is_kept_before_brown():
    state = station(bme("green"), "BME")
    assert refused(RULES, state, CLEO, PlaceStation("H14", "a", HARBOUR)).rule == "LRA-TOK-11"


@pytest.mark.rule("LRA-TOK-12")
def test_route_is_needed_in_brown_too():
    state = with_tiles(firm(opened(phase="brown"), "BME", CLEO), H14="L39")
    refusal = refused(RULES, station(state, "BME"), CLEO, PlaceStation("H14", "a", HARBOUR))
    assert (refusal.code, refusal.rule) == ("not_connected", "LRA-TOK-12")


@pytest.mark.rule("LRA-TOK-13")
@pytest.mark.parametrize("company, director, cost", [("CCE", CLEO, 80), ("MKB", CLEO, 20), ("ADR", CLEO, 100)])
@pytest.mark.parametrize("phase", ["green", "brown"])
def test_orsoy_is_never_reserved(company, director, cost, phase):
    tile = "L28" if phase == "green" else "L40"
    state = with_tiles(firm(opened(phase=phase), company, director), B12=tile, C11="L25 r0")
    if company != "MKB":  # whose home is Moers
        state = with_station(state, company, "C11")
    state = station(state, company)
    after = act(RULES, state, director, PlaceStation("B12", "a", HARBOUR)).state
    assert after.companies[company].treasury == 500 - cost


@pytest.mark.rule("LRA-TOK-13")
def test_orsoy_in_yellow_has_no_harbour():
    state = station(with_tiles(firm(opened(), "MKB", CLEO)), "MKB")
    assert refused(RULES, state, CLEO, PlaceStation("B12", "a", HARBOUR)).code == "no_place"


# The turned token ----------------------------------------------------------------------------------------------------


def all_normal_placed(phase: str):
    """KEG has only its harbour token left."""
    return with_station(keg(phase, E7="57 r1"), "KEG", "E7")


@pytest.mark.case("B35")
@pytest.mark.rule("LRA-TOK-14")
def test_last_token_may_turned_in_brown():
    state = all_normal_placed("brown")
    after = act(RULES, station(state), ADA, PlaceStation("E13", "a", TURNED)).state
    assert after.companies["KEG"].treasury == 500 - 80
    assert after.board.contents("E13").stations == (Station("KEG", 0, TURNED),)
    assert after.companies["KEG"].stations == ()


@pytest.mark.rule("LRA-TOK-14")
def test_no_turned_token_while_normal_left():
    turned = PlaceStation("E13", "a", TURNED)
    refusal = refused(RULES, station(keg("brown")), ADA, turned)
    assert (refusal.code, refusal.rule) == ("turned_last", "LRA-TOK-14")
    refusal = refused(RULES, station(all_normal_placed("green")), ADA, turned)
    assert (refusal.code, refusal.rule) == ("not_in_phase", "LRA-TOK-14")


@pytest.mark.rule("LRA-TOK-14", "LRA-TOK-10")
def test_turned_token_goes_on_normal_place():
    state = with_station(all_normal_placed("brown"), "CCE", "E13")
    refusal = refused(RULES, station(state), ADA, PlaceStation("E13", "a", TURNED))
    assert (refusal.code, refusal.rule) == ("harbour_place_only", "LRA-TOK-10")


# A harbour station is a station --------------------------------------------------------------------------------------


@pytest.mark.rule("LRA-TOK-15")
def test_one_a_round_and_one_hex():
    state = act(RULES, station(keg()), ADA, PlaceStation("E13", "a", HARBOUR)).state
    assert not can(RULES, state, ADA, (PlaceStation,))
    later = station(with_station(keg(), "KEG", "E13", kind=HARBOUR))
    refusal = refused(RULES, later, ADA, PlaceStation("E13", "a"))
    assert (refusal.code, refusal.rule) == ("station_here", "COMMON-TOK-02")
    built = station(keg(), station="A5")
    assert refused(RULES, built, ADA, PlaceStation("E13", "a", HARBOUR)).rule == "COMMON-TOK-01"


@pytest.mark.rule("LRA-TOK-15")
def test_empty_harbour_place_keeps_city_open():
    state = with_station(with_tiles(opened(phase="brown"), H14="L27"), "BME", "H14")
    assert "H14:a" not in passage(state.board, "RhE").blocked
    full = with_station(state, "CCE", "H14", kind=HARBOUR)
    assert passage(full.board, "RhE").blocked == {"H14:a": "LRA-TOK-15"}
    assert "H14:a" not in passage(full.board, "CCE").blocked


@pytest.mark.rule("LRA-TOK-15", "COMMON-TRK-08")
def test_it_begins_available_routes():
    state = with_station(with_tiles(firm(opened(phase="brown"), "KEG", ADA), E13="L43"), "KEG", "E13", kind=HARBOUR)
    lays = {c.action.hex for c in legal(RULES, in_turn(state, "KEG"), (ADA,)) if isinstance(c.action, LayTile)}
    assert "E11" in lays


@pytest.mark.rule("LRA-SET-09", "COMMON-TOK-05")
def test_blank_fills_place_and_blocks_nobody():
    rules = ruleset(scenario=3)
    state = firm(opened(3, scenario=3, phase="green"), "CCE", ADA)
    refusal = refused(rules, station(state, "CCE"), ADA, PlaceStation("F10", "a"))  # KEG's home, covered
    assert (refusal.code, refusal.rule) == ("reserved", "COMMON-TOK-05")
    green = with_tiles(state, F10="L17 r0")
    assert [s.company for s in green.board.contents("F10").stations if s.stop == 1] == ["KEG"]
    assert "F10:b" not in passage(green.board, "CCE").blocked


# Krefeld and red fields ----------------------------------------------------------------------------------------------


@pytest.mark.rule("LRA-TOK-16")
def test_cce_builds_in_krefeld_without_route():
    state = station(firm(opened(), "CCE", CLEO, operated=False), "CCE")
    after = act(RULES, state, CLEO, PlaceStation("F10", "b")).state
    assert after.companies["CCE"].treasury == 500 - 60
    assert refused(RULES, state, CLEO, PlaceStation("E13", "a")).code == "not_connected"
    other = station(firm(opened(), "CME", CLEO), "CME")
    assert refused(RULES, other, CLEO, PlaceStation("F10", "b")).code == "not_connected"


@pytest.mark.rule("LRA-TOK-16")
def test_not_without_an_open_place():
    state = with_station(firm(opened(), "CCE", CLEO), "BME", "F10", "b")
    assert refused(RULES, station(state, "CCE"), CLEO, PlaceStation("F10", "b")).code == "no_place"
    assert refused(RULES, station(state, "CCE"), CLEO, PlaceStation("F10", "a")).code == "reserved"  # KEG's home


@pytest.mark.rule("LRA-TOK-16")
def test_the_step_waits_for_the_cce():
    state = in_turn(firm(opened(), "CCE", CLEO), "CCE")
    after = act(RULES, state, CLEO, Pass()).state
    assert after.top.step == "station"


@pytest.mark.rule("LRA-TOK-09")
def test_full_red_field_end_for_everybody():
    state = firm(opened(), "ADR", ADA)
    there = passage(state.board, "RhE")
    assert "K3:a" in there.terminal
    assert "K3:a" not in {*there.blocked, *there.shut}


@pytest.mark.rule("LRA-PRV-21", "COMMON-TOK-02")
def test_nobody_builds_on_place_of_kreisbahn():
    state = with_tiles(firm(opened(phase="green"), "CCE", CLEO), B4="L14 r0", B2="4 r2")
    state = with_station(state, "CCE", "B4")  # by Straelen and Walbeck to Kevelaer
    refusal = refused(
        RULES, station(with_company(state, "CCE", stations=(60, 80)), "CCE"), CLEO, PlaceStation("A1", "a")
    )
    assert refusal.code == "reserved"


@pytest.mark.case("B35")
@pytest.mark.rule("COMMON-PRV-02")
def test_use_private_not_how_harbour_built():
    refusal = refused(RULES, station(keg()), ADA, UsePrivate(2, "E13", "L31", 1))
    assert refusal.code in ("wrong_step", "not_in_ruleset")


def test_listed_stations_accepted_and_others_refused():
    for state in (keg(), keg("brown"), all_normal_placed("brown"), bme("brown"), bme("green")):
        company = "KEG" if state.companies["KEG"].floated else "BME"
        turn = station(state, company)
        director = state.companies[company].director
        listed = {c.action for c in legal(RULES, turn, (director,)) if isinstance(c.action, PlaceStation)}
        every = {
            PlaceStation(at, "abc"[index], token)
            for at in state.sheet.hexes
            for index, _ in enumerate(state.board.face(at).stops)
            for token in ("normal", HARBOUR, TURNED)
        }
        for action in every:
            if action in listed:
                assert sound(RULES, act(RULES, turn, director, action).state) == []
            else:
                assert refused(RULES, turn, director, action).rule


@pytest.mark.rule("LRA-TOK-11", "LRA-TOK-12", "LRA-TOK-13", "LRA-TOK-14", "COMMON-TOK-03")
def test_the_cost_names_its_rule():
    def named(state, company: str, action: PlaceStation) -> tuple[str, int]:
        turn = station(state, company)
        (term,) = terms(View(RULES, turn, ADA, turn.top), action)
        return term.rule, term.amount

    assert named(keg(), "KEG", PlaceStation("E13", "a")) == ("COMMON-TOK-03", 60)
    assert named(keg(), "KEG", PlaceStation("E13", "a", HARBOUR)) == ("LRA-TOK-11", 40)
    assert named(keg("brown"), "KEG", PlaceStation("E13", "a", HARBOUR)) == ("LRA-TOK-12", 80)
    assert named(keg(), "KEG", PlaceStation("B12", "a", HARBOUR)) == ("LRA-TOK-13", 80)
    assert named(keg("brown"), "KEG", PlaceStation("E13", "a", TURNED)) == ("LRA-TOK-14", 80)


@pytest.mark.rule("LRA-TOK-14", "LRA-TOK-16")
@pytest.mark.parametrize("token", ("normal", TURNED))
def test_turned_cce_token_needs_no_route(token):
    """A turned token is used as a normal one (EN 6.2.2.1); the CCE may build in F10 without a route (EN 4.2.3)."""
    costs = (80,) if token == TURNED else (60, 80)
    state = with_tiles(firm(opened(phase="brown"), "CCE", ADA, stations=costs), F10="L17 r0")
    asked = PlaceStation("F10", "a", token)
    assert asked in [c.action for c in legal(RULES, station(state, "CCE"), (ADA,))]
    kinds = {s.kind for s in act(RULES, station(state, "CCE"), ADA, asked).state.board.contents("F10").stations}
    assert (TURNED in kinds) == (token == TURNED)
