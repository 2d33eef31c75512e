"""Section 1: set-up (COMMON-SET, RHL-SET)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.builders.random_positions import sheet
from tests.builders.rhl_trading import BERT, NAMES, begun, current, money, percents, ruleset
from trajekt.engine.actions import BuyTrain
from trajekt.engine.board.board import Reservation, Station
from trajekt.engine.decisions import blank_of, fold, refusal, start
from trajekt.engine.events import IconPlaced, NumberDrawn, Seated
from trajekt.engine.state import CHARTER, IPO, PACKAGE, POOL, set_aside_account

TABLE = {
    1: ("J3", "E6"), 2: ("K4", "D9"), 3: ("D9", "E6"), 4: ("D9", "D13"), 5: ("C12", "E6"), 6: ("C12", "D9"),
    7: ("J3", "D13"), 8: ("D11", "E6"), 9: ("D11", "D9"),
}  # fmt: skip
"""Hex of the mine and of the mill by number drawn, as the rule sheet has it."""


@pytest.mark.rule("COMMON-SET-01")
@pytest.mark.parametrize(("edition", "good", "bad"), [("1", (3, 6), (2, 7)), ("2", (3, 5), (2, 6))])
def test_number_of_players(edition, good, bad):
    for players in good:
        assert len(begun(edition, players).state.players) == players
    for players in bad:
        with pytest.raises(ValueError, match=f"for {good[0]} to {good[1]} players, not {players}"):
            start(ruleset(edition), [f"player {n}" for n in range(players)], 1)


@pytest.mark.rule("RHL-SET-02")
@pytest.mark.parametrize(("players", "each"), [(3, 600), (4, 450), (5, 360), (6, 300)])
def test_starting_capital_in_the_first_edition(players, each):
    state = begun("1", players).state
    assert [player.cash for player in state.players] == [each] * players
    assert state.bank == 7200


@pytest.mark.rule("RHL-SET-02", "RHL-SET-06")
@pytest.mark.parametrize(("players", "each"), [(3, 600), (4, 450), (5, 360)])
def test_starting_capital_in_the_second_edition(players, each):
    state = begun("2", players).state
    assert [player.cash for player in state.players] == [each] * players
    assert state.bank == 9000 - 1800 - 210 == 6990
    assert money(state) == 9000


@pytest.mark.rule("COMMON-VAR-02")
@pytest.mark.parametrize(("players", "each"), [(3, 500), (4, 375), (5, 300)])
def test_lower_capital_sets_starting_cash(players, each):
    state = begun("2", players, variants=("lower_capital",)).state
    assert {player.cash for player in state.players} == {each}


@pytest.mark.rule("RHL-SET-04")
@pytest.mark.parametrize("edition", ["1", "2"])
@pytest.mark.parametrize("number", range(1, 10))
def test_location_table_places_the_icons(edition, number):
    decision = begun(edition, location=number)
    coal, steel = TABLE[number]
    contents_by_hex = decision.state.board.contents_by_hex
    assert contents_by_hex[coal].icons == ("K",)
    assert contents_by_hex[steel].icons == ("S",)
    assert sum(len(contents.icons) for contents in contents_by_hex.values()) == 2
    assert NumberDrawn("location", number) in decision.events


@pytest.mark.rule("RHL-SET-04")
def test_location_is_drawn_from_the_seed():
    drawn = [next(e for e in begun(seed=seed).events if isinstance(e, NumberDrawn)) for seed in range(180)]
    assert set(Counter(event.number for event in drawn)) == set(range(1, 10))
    icons = [e for e in begun(seed=7).events if isinstance(e, IconPlaced)]
    assert icons == [e for e in begun(seed=7).events if isinstance(e, IconPlaced)]
    assert {event.icon for event in icons} == {"K", "S"}


@pytest.mark.rule("COMMON-SET-05")
def test_seats_are_drawn_with_priority():
    orders = set()
    for seed in range(60):
        decision = start(ruleset("2"), NAMES[:3], seed)
        assert decision.events[0] == Seated(decision.state.names)
        orders.add(decision.state.names)
        assert decision.state.priority == 0
        assert current(decision.state).seat == 0
    assert len(orders) == 6
    assert begun().state.names == NAMES[:3]


@pytest.mark.rule("COMMON-SET-05")
def test_set_up_told_by_events_alone():
    decision = start(ruleset("1"), NAMES[:4], 99)
    assert fold(ruleset("1"), blank_of(ruleset("1"), NAMES[:4]), decision.events) == decision.state
    assert start(ruleset("1"), NAMES[:4], 99) == decision


@pytest.mark.rule("RHL-SET-06")
@pytest.mark.case("B18")
def test_rhe_laid_out_in_second_edition():
    state = begun("2").state
    assert percents(state, "RhE") == {POOL: 30, IPO: 50, PACKAGE: 20}
    assert state.companies["RhE"].certificates[0].holder == PACKAGE
    assert state.markers.spaces == {"RhE": (3, 2)}
    assert state.price("RhE") == 70
    assert state.aside == {"RhE": 210}
    assert not state.companies["RhE"].floated
    assert set_aside_account("RhE") == "aside:RhE"


@pytest.mark.rule("RHL-SET-06", "RHL-SET-07")
@pytest.mark.parametrize("edition", ["1", "2"])
def test_gve_share_lies_with_no_5(edition):
    state = begun(edition).state
    assert state.companies["GVE"].held(PACKAGE) == (1,)
    assert percents(state, "GVE") == {IPO: 90, PACKAGE: 10}


@pytest.mark.rule("RHL-SET-06")
def test_tile_935_waits_with_no_2():
    private = sheet(2).privates[2]
    assert (private.tile, private.hexes) == ("935", ("E8",))
    assert begun("2").state.supply["935"] == 1


@pytest.mark.rule("RHL-SET-07")
def test_pool_is_empty_in_first_edition():
    state = begun("1").state
    assert all(POOL not in percents(state, company) for company in state.companies)
    assert state.aside == {}
    assert state.markers.spaces == {}
    assert percents(state, "RhE") == {PACKAGE: 20, IPO: 80}


HOMES = {
    "ADR": [("K2", 0)], "BME": [("F13", 1)], "CCE": [("I10", 1), ("E6", 0)], "CME": [("I10", 2)], "DEE": [("F9", 1)],
    "GVE": [("G6", 1)], "MKB": [("D7", 0)], "RhE": [("I10", 0)],
}  # fmt: skip


@pytest.mark.rule("COMMON-SET-10", "RHL-COR-17")
def test_homes_lie_face_down_r2():
    state = begun("2").state
    lying = {(at, s) for at, contents in state.board.contents_by_hex.items() for s in contents.stations}
    assert lying == {(at, Station(c, stop, asleep=True)) for c, homes in HOMES.items() for at, stop in homes}
    face = state.board.face("F9")
    right = [n for n, stop in enumerate(face.stops) if stop.bank == "right"]
    taken = [s.stop for s in state.board.contents("F9").stations]
    assert [n for n in right if n not in taken] == [2], "one of Düsseldorf's two places is free for others"
    assert state.companies["CCE"].stations == (80,)
    assert state.companies["BME"].stations == (60, 80, 100)


@pytest.mark.rule("RHL-SET-11", "RHL-COR-17")
def test_no_station_on_map_r1():
    state = begun("1").state
    assert not any(contents.stations for contents in state.board.contents_by_hex.values())
    kept = {(at, k) for at, contents in state.board.contents_by_hex.items() for k in contents.reservations}
    assert kept == {(at, Reservation(c, stop)) for c, homes in HOMES.items() for at, stop in homes}
    assert state.companies["CCE"].stations == (0, 0, 80)


@pytest.mark.rule("COMMON-SET-12")
@pytest.mark.parametrize("edition", ["1", "2"])
def test_certificates_match_the_printed(edition):
    companies = begun(edition).state.companies
    assert set(companies) == {"ADR", "BME", "CCE", "CME", "DEE", "GVE", "MKB", "RhE"}
    for name, company in companies.items():
        sizes = [c.percent for c in company.certificates]
        assert sum(sizes) == 100
        assert sizes == ([20, 20, 20, 10, 10, 10, 10] if name == "MKB" else [20] + [10] * 8)
        assert [c.director for c in company.certificates] == [True] + [False] * (len(sizes) - 1)
        assert CHARTER not in percents(begun(edition).state, name)


@pytest.mark.rule("COMMON-SET-13", "COMMON-PHS-01")
@pytest.mark.parametrize("edition", ["1", "2"])
def test_game_begins_in_yellow_without_trains(edition):
    state = begun(edition).state
    assert state.phase == "yellow"
    assert not any(company.trains for company in state.companies.values())
    assert state.depot.display == {"2": 6, "3": 5, "4": 3, "5": 3, "6": 6, "8": 4}
    assert (state.depot.pool, state.depot.gone, state.depot.sold) == ((), (), ())
    assert refusal(ruleset(edition), state, BERT, BuyTrain("display", "3", 200)) is not None
