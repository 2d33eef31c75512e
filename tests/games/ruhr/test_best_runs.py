"""The search of best runs against every walk: plus-trains, blocked cities, off-boards that pay by linked companies, type 8."""

from __future__ import annotations

import random
from functools import partial

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_positions import at_table, in_phase, located
from tests.builders.slow_routes import every_walk
from trajekt.engine.board.board import Board, Station
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.board.upgrades import Upgrade, legal_upgrades
from trajekt.engine.routing.runs import Run, RunResult, Setting
from trajekt.engine.routing.solver import best_runs
from trajekt.engine.state import State
from trajekt.games.ruhr.route_rules import route_rules
from trajekt.rules.route_validation import judge

ROUTES = route_rules(on_716=False)
BOCHUM = (
    "I10 G10 H9 H11 J9 K10 J11 G8 I8 F9 F11 E10 C10 J7 K8 H13 I12 G12",
    {"I10": "CME", "G10": "BME", "J7": "CME", "G8": "RhE", "H13": "BME"},
    (6, 7, 10, 11, 14, 2),
)
"""Hexes with random tiles, stations that may lie there, pMCs that may be linked: round Bochum, an end in the north."""
RHINE = (
    "D3 E4 F3 G4 H5 H3 I4 J3 K4 L3 J5 L5 M4 N3 P3",
    {"H5": "CME", "L3": "CME", "J3": "BME", "L5": "RhE"},
    (18, 1, 15, 9, 13),
)
"""From Wesel, which pays for every linked company, and Der Eiserne Rhein, which pays for mines, to Krefeld with a value."""


def random_board(
    seed: int, area: tuple[str, dict[str, str], tuple[int, ...]], phase: str, *, joined: bool = False
) -> State:
    """A board of random tiles in an area, or of those that join most of the track around; with stations and links."""
    hexes, homes, mines = area
    rng = random.Random(seed)
    state = in_phase(at_table(), phase)
    board = state.board
    for _ in range(3):
        for at in rng.sample(hexes.split(), hexes.count(" ") + 1):
            contents = board.contents(at)
            fits = list(legal_upgrades(state.sheet, at, contents.tile, contents.rotation).values())
            if fits and (not contents.tile or rng.random() < 0.4):
                rng.shuffle(fits)
                laid = max(fits, key=partial(joins, board, at)) if joined else fits[0]
                board = board.with_contents(
                    at, replace(contents, tile=laid.tile, rotation=laid.rotation, reservations=())
                )
    for at, company in homes.items():
        if rng.random() < 0.7 and board.face(at).stops:
            contents = board.contents(at)
            board = board.with_contents(at, replace(contents, stations=(*contents.stations, Station(company, 0))))
    state = replace(state, board=board)
    return located(state, **{f"pmc{mine}": rng.choice((0, 10, 20)) for mine in mines})


def joins(board: Board, at: str, lay: Upgrade) -> int:
    """How many sides of the tile meet track of a neighbour."""
    sheet = board.sheet
    others = {edge: beyond(at, edge, sheet.layout) for edge in sheet.rotated[lay.tile, lay.rotation].edges}
    return sum(opposite(edge) in board.face(other).edges for edge, other in others.items() if other in sheet.hexes)


def every_run(setting: Setting, train: str) -> list[tuple[int, Run]]:
    """Every legal route of a train, found by trying every walk, with its revenue; the best first."""
    card, out = setting.board.sheet.trains[train], []
    for track in every_walk(setting.network, card.reach + card.towns + 1):
        said = judge(setting, [Run(train, track)])
        if isinstance(said, RunResult):
            out.append((said.revenue, Run(train, track)))
    return sorted(out, key=lambda each: -each[0])


def best_of(setting: Setting, trains: tuple[str, ...]) -> int:
    lists = [every_run(setting, train) for train in trains]
    single = max((lot[0][0] for lot in lists if lot), default=0)
    if len(lists) == 1:
        return single
    best = single
    for one in lists[0]:
        for two in lists[1]:
            if one[0] + two[0] <= best:
                break
            if isinstance(judge(setting, [one[1], two[1]]), RunResult):
                best = one[0] + two[0]
    return best


def agrees(setting: Setting) -> tuple[str, ...]:
    """The search finds what the walks find; the ends of the best runs."""
    found = best_runs(setting)
    assert found.proved
    assert best_of(setting, setting.trains) == found.revenue
    if not found.runs:
        return ()
    said = judge(setting, found.runs)
    assert isinstance(said, RunResult)
    assert said.revenue == found.revenue
    return tuple(stop.stop for route in said.routes for stop in route.stops)


@pytest.mark.rule("RUHR-ROUTE-02", "RUHR-ROUTE-06")
@pytest.mark.parametrize("seed", range(12))
def test_best_runs_best_of_all_walks(seed):
    state = random_board(seed, BOCHUM, "5")
    for trains in (("2",), ("3",), ("2", "3")):
        agrees(Setting(state.board, "CME", trains, "brown", 0, ROUTES))


@pytest.mark.rule("RUHR-REV-03", "RUHR-REV-04", "RUHR-ROUTE-02")
def test_off_boards_pay_by_links():
    reached: set[str] = set()
    for seed in range(20):
        state = random_board(seed, RHINE, "8", joined=True)
        for trains in (("3",), ("5",), ("8",), ("3", "8")):
            reached |= {stop[:2] for stop in agrees(Setting(state.board, "CME", trains, "grey", 0, ROUTES))}
    assert {"C2", "K2", "O2"} <= reached  # some of the best runs end in Wesel, Der Eiserne Rhein, Krefeld


@pytest.mark.rule("RUHR-REV-03", "RUHR-REV-04")
@pytest.mark.parametrize("train", ["5", "8"])
def test_shares_bound_bonus_of_routes(train):
    state = located(random_board(1, RHINE, "8", joined=True), pmc18=10, pmc1=20, pmc15=10, pmc9=20, pmc13=10)
    numbers = ROUTES.plan(Setting(state.board, "CME", (train,), "grey", 0, ROUTES), train)
    wesel, rhine = (numbers.marks[f"{at}:a"] for at in ("C2", "K2"))
    every = max(numbers.marks.values()) * 2
    for signs in range(every):
        bound = sum(amount * (signs & bits).bit_count() for bits, amount in numbers.shares)
        assert numbers.bonus(signs, 0) <= bound
        if signs & wesel and signs & rhine:
            assert numbers.bonus(signs, 0) == bound
    assert numbers.bonus(every - 1, 0) == (5 * 10 + 2 * 20) * (2 if train == "8" else 1)
