"""Cases from play that other programs got wrong, where they concern 18Ruhr."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_lines import SCHWERTE, track
from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    CLEO,
    act,
    after,
    at_table,
    in_phase,
    located,
    montan,
    offered,
    opened,
    railway_turn,
    refuses,
    rules,
    started,
    stations,
    with_cash,
    with_tiles,
)
from trajekt.engine.actions import LayTile, Pass, PlaceStation, RunTrains, SellShares
from trajekt.engine.board.board import Station
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.board.upgrades import legal_upgrades
from trajekt.engine.components.schema import FIRST_STOP
from trajekt.engine.routing.runs import Run, RunResult, Setting
from trajekt.engine.routing.solver import best_runs
from trajekt.engine.ruleset import Code, View
from trajekt.engine.state import DISPLAY, State
from trajekt.games.ruhr.actions import BuyItem
from trajekt.games.ruhr.city_blocking import passage
from trajekt.games.ruhr.forced_purchase_funds import Shortage
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.round_sequence import to_operate
from trajekt.games.ruhr.route_rules import route_rules
from trajekt.games.ruhr.starting_package import display, price_of_item
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.route_validation import judge
from trajekt.rules.running_and_dividends import setting_of

ROUTES = route_rules(on_716=False)


@pytest.mark.case("B27")
def test_token_on_red_hex_blocks_nothing():
    state = with_tiles(at_table(), E16="58 r4", G16="883 r3")
    state = stations(started(state, "KWE", BERT, 70), "KWE", "D17")
    state = stations(started(state, "CME", CLEO, 80, trains=("2",)), "CME", "H17")
    said = judge(setting_of(state, "CME", ROUTES), [Run("2", track(state, "D17 E16 G16 H17"))])
    assert isinstance(said, RunResult)
    assert said.revenue == 20 + 10 + 10 + 30
    assert passage(False, state.board, "CME").blocked == {}


@pytest.mark.case("B56")
@pytest.mark.rule("RUHR-OR-04", "RUHR-FORCED-05")
def test_forced_sale_changes_who_operates_next():
    state = in_phase(at_table(), "3")
    state = started(state, "CME", BERT, 90, stock=90, treasury=0, Bert=50, pool=50)
    state = started(state, "RhE", CLEO, 75, stock=75)
    state = started(state, "KWE", BERT, 80, Bert=50)
    state = with_cash(state, Bert=120)
    begun = OperatingRound(2, 1, 2, ("CME",), opened=True)
    assert to_operate(state, begun, RuhrOptions()) == ["KWE", "RhE"]
    frame = Shortage("CME", DISPLAY, "3", 200, deal=True, selling=True)
    state = replace(state, agenda=(CompanyTurn("CME", "trains"), frame))
    state = act(rules(), state, BERT, SellShares("KWE", 10)).state
    assert state.price("KWE") == 75
    assert to_operate(state, begun, RuhrOptions()) == ["RhE", "KWE"]


@pytest.mark.case("B79")
def test_when_all_pass_prices_stay():
    state = after(rules(), opened(), (ADA, BuyItem(1)))
    before = {item: price_of_item(state, item) for column in display(state) for item in column}
    for _ in range(4):
        state = act(rules(), state, state.top.seat, Pass()).state
    assert {item: price_of_item(state, item) for column in display(state) for item in column} == before


@pytest.mark.case("B81")
@pytest.mark.parametrize("tile", ["1", "2", "55", "56", "69"])
def test_no_upgrade_parts_ends_of_town(tile):
    sheet = at_table().sheet
    for turn in range(6):
        old = sheet.rotated[tile, turn]
        towns = [{p.a for p in old.track if p.b == FIRST_STOP + n} for n in (0, 1)]
        for fit in legal_upgrades(sheet, "F9", tile, turn).values():
            new = [{p.a for p in fit.face.track if p.b == FIRST_STOP + n} for n in range(len(fit.face.stops))]
            assert all(any(ends <= joined for joined in new) for ends in towns), (fit.tile, fit.rotation)


@pytest.mark.case("B85")
def test_upgrade_of_river_hex_is_free():
    state = stations(started(in_phase(at_table(), "3"), "RhE", BERT, 70, treasury=0), "RhE", "O2")
    state = railway_turn(with_tiles(state, N3="8 r1"), "RhE")
    upgrades = [a for a in offered(rules(), state, BERT) if isinstance(a, LayTile) and a.hex == "N3"]
    assert upgrades
    assert act(rules(), state, BERT, upgrades[0]).state.companies["RhE"].treasury == 0


@pytest.mark.case("B86")
@pytest.mark.rule("RUHR-TOK-04")
def test_last_home_place_is_kept():
    state = started(started(in_phase(at_table(), "3"), "BME", BERT, 70, treasury=500), "CME", ADA, 80)
    state = stations(stations(with_tiles(state, I8="56 r0"), "CME", "J7"), "BME", "K8")
    yellow = railway_turn(state, "BME", "station")
    refuses(rules(), yellow, BERT, PlaceStation("J7", "a"), Code.RESERVED, "RUHR-TOK-04")
    green = railway_turn(with_tiles(state, J7="EG r0"), "BME", "station")
    rule = rules().duties[CompanyTurn].menu[1]
    against = rule.refusals(View(rules(), green, BERT, green.agenda[-1]), PlaceStation("J7", "a"))
    assert "RUHR-TOK-04" not in {refusal.rule for refusal in against}


@pytest.mark.case("B89")
@pytest.mark.rule("RUHR-TRK-16")
def test_opened_place_is_used_at_once():
    state = started(started(in_phase(at_table(), "3"), "BME", BERT, 70, treasury=300, trains=("3",)), "CME", ADA, 80)
    state = with_tiles(stations(stations(state, "BME", "O16"), "CME", "K14"), **SCHWERTE)
    turn = railway_turn(state, "BME")
    upgrade = next(
        a for a in offered(rules(), turn, BERT) if isinstance(a, LayTile) and (a.hex, a.tile) == ("K14", "14")
    )
    moved = act(rules(), turn, BERT, upgrade).state
    while moved.top.step == "track":
        moved = act(rules(), moved, BERT, Pass()).state
    moved = act(rules(), moved, BERT, PlaceStation("K14", "a")).state
    while moved.top.step != "run":
        moved = act(rules(), moved, BERT, Pass()).state
    route = Run("3", track(moved, "O16 N15 L15 K14 J13"))
    assert act(rules(), moved, BERT, RunTrains((route,))).state.companies["BME"].revenue == 20 + 10 + 30 + 10


@pytest.mark.case("B90")
@pytest.mark.rule("RUHR-TRK-14")
def test_marker_fills_brown_city():
    state = montan(with_tiles(in_phase(at_table(), "5"), M12="716 r0"), "US", ADA, 80, 3, markers="AAAB")
    assert "M12:a" in passage(True, state.board, "CME").blocked
    assert passage(False, state.board, "CME").blocked == {}


def full_map(seed: int) -> State:
    """Tiles on every hex, chosen to join their neighbours, as far as the supply goes."""
    rng = random.Random(seed)
    state = in_phase(at_table(), "8")
    board, supply = state.board, dict(state.supply)
    hexes = [name for name, printed in state.sheet.hexes.items() if not printed.fixed]

    def joins(at: str, edge: int) -> bool:
        other = beyond(at, edge, "flat")
        return other in state.sheet.hexes and opposite(edge) in board.face(other).edges

    for _ in range(3):
        for at in rng.sample(hexes, len(hexes)):
            contents = board.contents(at)
            fits = [
                f
                for f in legal_upgrades(state.sheet, at, contents.tile, contents.rotation).values()
                if supply[f.tile] > 0
            ]
            if not fits:
                continue
            best = max(fits, key=lambda fit: (sum(joins(at, edge) for edge in fit.face.edges), rng.random()))
            supply[best.tile] -= 1
            board = board.with_contents(at, replace(contents, tile=best.tile, rotation=best.rotation, reservations=()))
    cities = [at for at in hexes if board.face(at).stops and board.face(at).stops[0].kind == "city"]
    for at in cities[::4][:5]:
        board = board.with_contents(at, replace(board.contents(at), stations=(Station("CME", 0),)))
    return located(replace(state, board=board), **{f"pmc{mine}": 10 for mine in range(1, 19)})


@pytest.mark.slow
@pytest.mark.case("B98")
def test_best_runs_of_four_trains_proved():
    state = full_map(3)
    found = best_runs(Setting(state.board, "CME", ("3", "3", "3", "3"), "brown", 0, ROUTES))
    assert found.proved
    assert found.revenue > 300
