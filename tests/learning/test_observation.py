"""Observations say what lies on the table: judged by what stands on the position, and by positions that differ in one thing."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

import numpy as np

from trajekt.engine.actions import LayTile
from trajekt.engine.decisions import Decision, decide
from trajekt.learning.action_features import SHARED
from trajekt.learning.environment import TrajektEnv
from trajekt.learning.observation import Observer
from trajekt.registry import names, title


def played(game, actions, seed=1, options=None):
    table = TrajektEnv(game, 3, options)
    table.reset(seed=seed)
    rng = random.Random(seed)
    for _ in range(actions):
        if any(table.terminations.values()):
            break
        table.step(rng.randrange(len(table.choices)))
    return table


def fresh(table):
    """An observer that has seen no position before."""
    return Observer(table.ruleset, 3, table.title.own_facts, table.state_now)


def all_equal(one, other):
    return all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("game", names())
def test_sizes_are_the_documented_ones(game):
    table = played(game, 60)
    observation = table.observe("seat_1")["observation"]
    assert list(observation) == [each.name for each in table.layout.arrays]
    for each in table.layout.arrays:
        assert observation[each.name].shape == each.shape
        assert observation[each.name].dtype == each.dtype
        assert np.isfinite(observation[each.name]).all()
        columns = [column.name for column in each.columns]
        assert len(set(columns)) == len(columns), "a name stands once"
        if columns:
            assert len(columns) == each.shape[0 if each.name == "planes" else -1]
    assert table.layout.described().count("\n") > 100


@pytest.mark.slow
@pytest.mark.parametrize("game", names())
def test_memory_changes_no_observation(game):
    table = TrajektEnv(game, 3)
    table.reset(seed=4)
    rng = random.Random(4)
    for number in range(500):
        if any(table.terminations.values()):
            break
        seat = rng.randrange(3)
        known = table.observer.observe(table.state_now, seat)
        if number % 20 == 0:
            assert all_equal(fresh(table).observe(table.state_now, seat), known)
        table.step(rng.randrange(len(table.choices)))
    assert table.actions > 50


@pytest.mark.parametrize("game", names())
def test_each_lay_gives_another_observation(game):
    """In 18Rhl 58 legal lays once led to three observations."""
    table = TrajektEnv(game, 3)
    table.reset(seed=6)
    rng = random.Random(6)
    compared = 0
    while compared < 3 and not any(table.terminations.values()):
        lays = [action for action in table.choices if isinstance(action, LayTile)]
        if len(lays) > 1:
            boards = set()
            for action in lays:
                after = decide(table.ruleset, table.state_now, table.seat, action)
                assert isinstance(after, Decision)
                boards.add(table.observer.observe(after.state, 0)["board"].tobytes())
            assert len(boards) == len(lays)
            compared += 1
        table.step(rng.randrange(len(table.choices)))
    assert compared == 3


def test_hex_row_says_what_lies_there():
    table = played("18rhl", 300, options={"edition": 2})
    state, board = table.state_now, table.layout.array("board")
    rows = table.observer.observe(state, 0)["board"]
    laid = [at for at, contents in state.board.contents_by_hex.items() if contents.tile]
    assert len(laid) > 5
    for at in table.layout.names["board"]:
        row, contents = rows[table.layout.names["board"].index(at)], state.board.contents(at)
        face = state.board.face(at)
        assert row[board.column("map")] == 1
        assert (row[board.column("tile")] > 0) == (at in laid)
        if contents.tile:
            number = 1 + list(state.sheet.tiles).index(contents.tile)
            assert row[board.column("tile")] == pytest.approx(number / len(state.sheet.tiles))
            assert row[board.column(f"rotation:{contents.rotation}")] == 1
            assert row[board.column(f"colour:{state.sheet.tiles[contents.tile].face.colour}")] == 1
        tracks = [n for n, column in enumerate(board.columns) if column.name.startswith("track:")]
        assert (row[tracks] > 0).sum() == len(face.track)
        for index, stop in enumerate(face.stops):
            value = state.sheet.value(stop, state.current_phase.values)
            assert row[board.column(f"value:{'abc'[index]}")] == pytest.approx(value / 100)
        for station in contents.stations:
            if station.company in state.companies:
                assert row[board.column(f"station:{'abc'[station.stop]}:{station.company}")] > 0


@pytest.mark.parametrize("game", names())
def test_planes_and_graph_agree(game):
    table = played(game, 250)
    found = table.observer.observe(table.state_now, 0)
    assert found["planes"][0].sum() == len(table.layout.names["board"])
    assert found["planes"].sum() == pytest.approx(found["board"].sum(), rel=1e-4)
    shared, network = 0, table.state_now.board.network
    for edges in found["edges"]:
        shared += int((edges >= 0).sum())
    joined = [node for node in range(network.first_side, len(network.away)) if both_sides(network, node)]
    assert shared == 2 * len(joined) > 0


def both_sides(network, node):
    return len({network.pieces[move >> 1].hex for move in network.away[node]}) == 2


def test_money_and_shares_stand_by_seat():
    table = played("18rhl", 200, options={"edition": 2})
    state = table.state_now
    for seat in range(3):
        found = table.observer.observe(state, seat)
        cash = table.layout.array("players").column("cash")
        ring = [(seat + n) % 3 for n in range(3)]
        assert found["players"][:, cash] == pytest.approx([state.players[s].cash / 1000 for s in ring])
        companies = table.layout.array("companies")
        for number, company in enumerate(state.companies.values()):
            row = found["companies"][number]
            assert row[companies.column("price")] == pytest.approx(state.price(company.id) / 100)
            assert row[companies.column("treasury")] == pytest.approx(company.treasury / 1000)
            for place, holder in enumerate(ring):
                assert row[companies.column(f"share:{place}")] == pytest.approx(company.percent(holder) / 100)
                assert row[companies.column(f"director:{place}")] == (company.director == holder)


@pytest.mark.slow
@pytest.mark.parametrize("game", names())
def test_no_two_positions_look_alike(game):
    """Whatever changes on the table changes what a seat sees: nothing is hidden."""
    table = TrajektEnv(game, 3)
    table.reset(seed=8)
    rng = random.Random(8)
    seen: dict[bytes, int] = {}
    for _ in range(400):
        if any(table.terminations.values()):
            break
        whole = b"".join(array.tobytes() for array in table.observer.observe(table.state_now, 0).values())
        assert whole not in seen
        seen[whole] = table.actions
        table.step(rng.randrange(len(table.choices)))
    assert len(seen) > 50


VARIANTS = [
    (game, variant.option, value)
    for game in ("18do", "18ruhr")
    for variant in title(game).variants
    if variant.option in ("game", "scenario")
    for value in variant.values
]


@pytest.mark.parametrize(("game", "option", "value"), VARIANTS)
def test_own_facts_keep_their_names(game, option, value):
    table = played(game, 0, options={option: value})
    columns = [column.name for column in table.layout.array("own").columns]
    rng = random.Random(1)
    for _ in range(250):
        if any(table.terminations.values()):
            break
        table.step(rng.randrange(len(table.choices)))
    assert [name for name, _ in table.title.own_facts(table.state_now)] == columns
    assert len(columns) > 40


PAGE = Path(__file__).parents[2] / "docs" / "reference" / "environment.md"


@pytest.mark.parametrize("game", names())
def test_page_names_every_column(game):
    text = PAGE.read_text(encoding="utf-8")
    table = played(game, 0)
    columns = [column.name for each in table.layout.arrays if each.name != "own" for column in each.columns]
    columns += [column.name for column in SHARED]
    families = re.compile(r":([a-c]|\d+)?(:?[^:]*)$")
    for name in {*columns, *(each.name for each in table.layout.arrays)}:
        stem = families.sub("", name) + ":" if ":" in name else name
        assert f"`{stem}" in text or name.startswith("field ") or name in ("kind", "name", "value"), name


def test_page_has_the_sizes_of_18rhl():
    """The own facts of the other games stand in one row, each with its size."""
    text = PAGE.read_text(encoding="utf-8")
    said = dict(re.findall(r"^\| (`[^|]+) \| ([\dx ]+) \|", text, re.MULTILINE))
    found = {array.strip("`"): size for cell, size in said.items() for array in cell.split(", ")}
    assert found == {each.name: " x ".join(map(str, each.shape)) for each in played("18rhl", 0).layout.arrays}
    for name in ("18Ruhr", "18DO"):
        (own,) = (each for each in played(name.lower(), 0).layout.arrays if each.name == "own")
        assert f"{name} {own.shape[0]}" in text
