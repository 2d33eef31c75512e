"""The search of best runs against every walk on small boards: freight yards, loaded trains, trains forced through, beer."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import awake, corporation, loaded, position, rules, tiles
from tests.builders.slow_routes import every_walk
from trajekt.engine.board.board import Station
from trajekt.engine.board.upgrades import legal_upgrades
from trajekt.engine.routing.runs import RouteRules, Run, RunResult, Setting
from trajekt.engine.state import State
from trajekt.games.do.route_rules import cubes_of, kind_of
from trajekt.games.do.running_and_dividends import setting
from trajekt.rules.route_validation import judge
from trajekt.rules.running_and_dividends import RunningPolicy

LINES = (
    {"F14": "9 2", "G15": "8 0", "H14": "8 1", "H12": "58K 4"},  # from the City to the home of the BME
    {"E19": "4K 1", "E17": "8 2", "D14": "8 4"},  # and of the KWE, over the mill of D16
    {"D14": "8 4", "E19": "58K 2", "F18": "58K 5", "F16": "9 1", "F14": "7 2"},
)
AROUND = (
    ("F14", "G15", "H14", "H12", "E11", "F12", "G13", "G11", "H10", "E13", "F10"),
    ("E13", "D14", "D16", "E17", "E19", "D18", "D20", "C15", "F18", "F16"),
    ("E13", "D14", "D16", "E17", "E19", "F14", "F16", "F18", "G17", "G15"),
)
"""Where tiles are laid and upgraded beside each line; the freight yards C13, E15 and F10 lie between."""


def board_of(seed: int, **options: object) -> State:
    """A line to a red destination among random tiles, with location tokens, and stations in freight yards and mills."""
    rng = random.Random(seed)
    phase = rng.choice(("5", "6", "8"))
    state = position(4, phase=phase, **options)
    for company in ("KWE", "BME"):
        state = corporation(state, company)
    state = tiles(state, **LINES[seed % len(LINES)])
    board = state.board
    ways = AROUND[seed % len(LINES)]
    for _ in range(3):
        for at in rng.sample(ways, len(ways)):
            contents = board.contents(at)
            fits = list(legal_upgrades(state.sheet, at, contents.tile, contents.rotation).values())
            if fits and rng.random() < 0.6:
                laid = rng.choice(fits)
                board = board.with_contents(at, replace(contents, tile=laid.tile, rotation=laid.rotation))
    for at in (*ways, "C13", "E15", "F10"):
        contents, stops = board.contents(at), board.face(at).stops
        icons, stations = contents.icons, list(contents.stations)
        if stops and stops[0].kind == "halt" and rng.random() < 0.5:
            icons = (f"K{rng.choice((10, 20, 30))}",)
        for name in ("KWE", "BME", "CME"):
            free = bool(stops) and stops[0].kind == "city" and len(stations) < stops[0].slots
            if free and rng.random() < (0.3, 0.6)[seed % 2]:
                stations.append(Station(name, 0))
        board = board.with_contents(at, replace(contents, icons=icons, stations=tuple(stations)))
    return awake(replace(state, board=board), "CME")


def every_run(here: Setting, word: str) -> list[tuple[int, Run]]:
    """Every legal route of a train, found by trying every walk, with what it earns by itself; the best first."""
    alone, out = replace(here, trains=(word,)), []
    for track in every_walk(here.network, here.board.sheet.trains[kind_of(word)].reach):
        said = judge(alone, [Run(word, track)])
        if isinstance(said, RunResult):
            out.append((said.revenue, Run(word, track)))
    return sorted(out, key=lambda each: -each[0])


def most_of(here: Setting) -> tuple[int, int]:
    """How many loaded trains can run together, and the most that any such set earns."""
    lists = [every_run(here, word) for word in here.trains]
    best = (0, 0)

    def pick(at: int, runs: tuple[Run, ...], carried: int, earned: int) -> None:
        nonlocal best
        if at == len(lists):
            best = max(best, (carried, earned))
            return
        left = sum(bool(cubes_of(word)) for word in here.trains[at:])
        rest = sum(found[0][0] for found in lists[at:] if found)
        if (carried + left, earned + rest) <= best:
            return
        beer = bool(cubes_of(here.trains[at]))
        for worth, run in lists[at]:
            further = sum(found[0][0] for found in lists[at + 1 :] if found)
            if (carried + left, earned + worth + further) <= best:
                break
            if not runs or isinstance(judge(here, sorted((*runs, run), key=lambda r: (r.train, r.track))), RunResult):
                pick(at + 1, (*runs, run), carried + beer, earned + worth)
        pick(at + 1, runs, carried, earned)

    pick(0, (), 0, 0)
    return best


LOADS = (
    (("5", 1),),
    (("6", 2),),
    (("5", 1), ("5", 1)),
    (("5", 1), ("4", 0)),
    (("3", 0), ("4", 0)),
    (("5", 0),),
)
"""Trains of a company with the cubes on each."""


def with_trains(state: State, company: str, loads: tuple[tuple[str, int], ...]) -> State:
    held = replace(state.companies[company], trains=tuple(sorted(train for train, _ in loads)))
    state = replace(state, companies={**state.companies, company: held})
    beer = tuple((train, cubes) for train, cubes in loads if cubes)
    return loaded(state, company, *beer) if beer else state


@pytest.mark.rule("DO-ROUTE-01", "DO-REV-03", "DO-BEERTRANSPORT-03", "DO-BEERTRANSPORT-04", "DO-BEERTRANSPORT-06")
@pytest.mark.parametrize("seed", range(60))
def test_best_runs_best_of_all_walks(seed):
    ruleset = rules(4)
    policy = ruleset.policy(RunningPolicy)
    plain = board_of(seed)
    for company in ("KWE", "BME"):
        for loads in LOADS:
            state = with_trains(plain, company, loads)
            here = setting(state, company, ruleset.policy(RouteRules))
            carried, revenue = most_of(here)
            runs = policy.best(state, company)
            assert policy.proved(state, company)
            assert sum(bool(cubes_of(run.train)) for run in runs) == carried, (company, loads)
            said = policy.judge(state, company, runs)
            assert isinstance(said, RunResult) or not runs, said
            assert (said.revenue if runs else 0) == revenue, (company, loads)
            assert policy.search(state, company, None).revenue == revenue


@pytest.mark.rule("DO-BEERTRANSPORT-04", "DO-REV-03")
def test_boards_show_what_they_are_for():
    """Some runs carry beer, some are forced through, some pay the stations of a freight yard."""
    ruleset = rules(4)
    seen: set[str] = set()
    for seed in range(60):
        plain = board_of(seed)
        for company in ("KWE", "BME"):
            for loads in LOADS[:2]:
                state = with_trains(plain, company, loads)
                runs = ruleset.policy(RunningPolicy).best(state, company)
                seen |= {"forced" if run.train.endswith("!") else "beer" for run in runs if cubes_of(run.train)}
                said = ruleset.policy(RunningPolicy).judge(state, company, runs) if runs else None
                if isinstance(said, RunResult):
                    yards = [s for route in said.routes for s in route.stops if s.stop[:3] in ("C13", "E15", "F10")]
                    seen |= {"yard" for stop in yards if stop.amount > 20}
    assert seen == {"beer", "forced", "yard"}


@pytest.mark.rule("DO-TRG-06", "DO-TRG-07")
@pytest.mark.parametrize("seed", range(30))
def test_the_railway_game_too(seed):
    ruleset = rules(4, game="railway")
    policy = ruleset.policy(RunningPolicy)
    plain = board_of(seed, game="railway")
    plain = replace(plain, marks={"PB4": "KWE"})  # it pays for the routes of the KWE
    for company in ("KWE", "BME"):
        for loads in (*LOADS[:2], *LOADS[3:], (("3", 1),), (("4", 2), ("3", 0))):
            state = with_trains(plain, company, loads)
            here = setting(state, company, ruleset.policy(RouteRules))
            carried, revenue = most_of(here)
            runs = policy.best(state, company)
            assert sum(bool(cubes_of(run.train)) for run in runs) == carried, (company, loads)
            said = policy.judge(state, company, runs)
            assert (said.revenue if isinstance(said, RunResult) else 0) == revenue, (company, loads)
            assert policy.search(state, company, None).revenue == revenue
