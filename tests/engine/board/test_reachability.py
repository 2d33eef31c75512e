"""Reach against a slow oracle that walks every path, on random networks, and the cases where a flood is wrong."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import position as blank_position
from tests.builders.random_positions import sheet, with_tiles
from trajekt.engine.board import reachability as module
from trajekt.engine.board.board import Board
from trajekt.engine.board.city_blocking import Passage
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.board.reachability import (
    TrackWalks,
    flood,
    linked,
    new_track_reached,
    reach,
    reach_of,
    search,
    shortest,
)
from trajekt.engine.board.track_graph import build, side_of
from trajekt.engine.board.upgrades import legal_upgrades, stop_mapping
from trajekt.engine.components.schema import Face, Piece, Stop

CITY = Stop("city", slots=1)
GRID = [f"{letter}{number}" for row, letter in enumerate("DEFG") for number in range(10 + row % 2, 18, 2)]


def random_faces(seed: int) -> dict[str, Face]:
    """Tiles of the sheet strewn over a small map, where edges need not meet."""
    dice = random.Random(seed)
    on = sheet(1)
    turned = [on.rotated[n, way] for n, tile in on.tiles.items() for way in range(6) if len(tile.face.track) > 1]
    return {at: dice.choice(turned) for at in GRID if dice.random() < 0.9}


def random_passage(network, dice) -> Passage:
    stops = [stop.ref for stop in network.stops]
    ferries = [track.ref for track in network.tracks.values() if track.kind == "ferry"]
    return Passage(
        blocked=dict.fromkeys((s for s in stops if dice.random() < 0.2), "x"),
        blocked_ferries=dict.fromkeys((f for f in ferries if dice.random() < 0.3), "x"),
        terminal=frozenset(s for s in stops if dice.random() < 0.1),
    )


def oracle(network, own, passage, budget=300_000):
    """Every move at the end of some path, by trying all paths; None where there are too many.

    A path uses no piece of track twice, however short (v1 10.1, EN 6.1.2). Where two pieces of a hex meet at a side they are
    one bit of track there, so a side once crossed is used, by whichever piece a path came to it.
    """
    found, steps = set(), 0
    todo = [(p, n, frozenset()) for n in own for p in network.at[n]]
    while todo:
        piece, start, used = todo.pop()
        steps += 1
        if steps > budget:
            return None
        a, b = network.tracks[piece].ends
        goal = b if start == a else a
        bits = {("piece", piece)} if network.is_stop(goal) else {("piece", piece), ("side", goal)}
        if bits & used:
            continue
        found.add((piece, goal))
        for other in network.at[goal]:
            if other == piece:
                continue
            if network.is_stop(goal):
                ref = network.refs[goal]
                if ref in passage.terminal or ref in passage.shut:
                    continue
                kinds = network.tracks[piece].kind, network.tracks[other].kind
                if kinds[0] == "ferry":
                    if network.tracks[piece].ref in passage.blocked_ferries:
                        continue
                elif kinds[1] != "ferry" and ref in passage.blocked:
                    continue
            elif network.tracks[other].hex == network.tracks[piece].hex:
                continue
            todo.append((other, goal, used | bits))
    return found


@pytest.mark.rule("COMMON-TRK-08")
@pytest.mark.parametrize("seed", range(40))
def test_reach_is_what_all_paths_reach(seed):
    dice = random.Random(seed)
    faces = random_faces(seed)
    network = build(faces, "pointy")
    if not network.stops:
        return
    own = dice.sample(sorted(network.stop_at), min(2, len(network.stops)))
    passage = random_passage(network, dice)
    truth = oracle(network, own, passage)
    if truth is None:
        return
    here = reach(network, own, passage)
    pieces = {piece for piece, _ in truth}
    assert {t.id for t in network.tracks.values() if here.piece(t.id)} == pieces
    stops = {node for _, node in truth if network.is_stop(node)} | set(own)
    assert {s.node for s in network.stops if here.stop(s.hex, s.index)} == stops
    entries = set()
    for piece, node in truth:
        if not network.is_stop(node):
            at, _, edge = network.side_name(node).partition(":")
            first = at, int(edge)
            second = beyond(*first, "pointy"), opposite(first[1])
            entries.add(first if network.tracks[piece].hex != first[0] else second)
    asked = {(at, edge) for at in GRID for edge in range(6)}
    asked |= {(beyond(at, edge, "pointy"), opposite(edge)) for at, edge in asked}
    assert {point for point in asked if here.enters(*point)} == entries
    assert {at for at in faces if here.hex(at)} == {network.tracks[p].hex for p in pieces} | {
        network.stop_at[n].hex for n in own
    }
    assert {at for at, _ in entries} <= here.close


def test_flood_would_come_back_over_track():
    """A loop behind a single track: nothing leads back over that track, and nothing that hangs on it is reached."""
    faces = {
        "E11": Face("green", (CITY,), (Piece(4, 6),)),
        "E13": Face("green", (), (Piece(1, 4),)),
        "E15": Face("green", (), (Piece(1, 3), Piece(1, 5), Piece(3, 5))),
        "D16": Face("green", (), (Piece(0, 5),)),
        "E17": Face("green", (), (Piece(0, 2),)),
        "F16": Face("green", (), (Piece(2, 3),)),
    }
    network = build(faces, "pointy")
    home = network.stop["E11:a"]
    walks = TrackWalks(network, Passage())
    starts = walks.away(home)
    back = 2 * network.piece["E11:4a"] + (
        network.tracks[network.piece["E11:4a"]].ends[0] != network.side[side_of("E11", 4, "pointy")]
    )
    assert back in flood(walks, starts)
    assert back not in shortest(walks, starts)
    assert not search(walks, starts, back)
    here = reach(network, [home], Passage())
    assert here.enters("E15", 1)
    assert not here.enters("E13", 4)  # nor by the other arm of the junction, which leaves by the same side
    assert not here.enters("E11", 4)  # so a fresh piece of E11 at that edge would not be reached


@pytest.mark.rule("COMMON-TRK-08", "COMMON-RTE-02")
def test_loop_leads_not_back():
    """The arms of a junction are two pieces with one stem: who has come out of an arm cannot go back over the stem."""
    faces = {
        "E11": Face("green", (CITY,), (Piece(4, 6), Piece(3, 4))),
        "E13": Face("green", (), (Piece(1, 3), Piece(1, 5))),
        "D14": Face("green", (), (Piece(0, 5),)),
        "E15": Face("green", (), (Piece(0, 2),)),
        "F14": Face("green", (), (Piece(2, 3),)),
    }
    network = build(faces, "pointy")
    here = reach(network, [network.stop["E11:a"]], Passage())
    assert here.piece(network.piece["E13:13"])
    assert here.piece(network.piece["E13:15"])
    assert here.enters("E13", 5)
    assert not here.enters("E11", 4)
    assert not here.piece(network.piece["E11:34"])


def dense(seed: int):
    """A larger map full of green and brown track."""
    dice, on = random.Random(seed), sheet(1)
    grid = [f"{letter}{number}" for row, letter in enumerate("DEFGH") for number in range(10 + row % 2, 22, 2)]
    turned = [
        on.rotated[n, way]
        for n, tile in on.tiles.items()
        for way in range(6)
        if len(tile.face.track) > 2 and tile.face.colour in ("green", "brown")
    ]
    return build({at: dice.choice(turned) for at in grid if dice.random() < 0.95}, "pointy")


@pytest.mark.parametrize("seed", (37, 76, 85, 86, 157))
def test_shortest_paths_alone_would_miss_some(seed):
    """The search finds a path where the shortest one has used up the track that it needs."""
    network = dense(seed)
    here = reach(network, [network.stops[0].node], Passage())
    found = {move for move in here._doubtful if search(here.walks, here._starts, move)}
    assert found
    truth = oracle(network, [network.stops[0].node], Passage(), 2_000_000)
    if truth is not None:
        moves = {2 * piece + (network.tracks[piece].ends[1] != goal) for piece, goal in truth}
        assert moves == here._sure.keys() | found


def test_past_the_bound_answer_is_yes(monkeypatch):
    monkeypatch.setattr(module, "STEPS", 0)
    for seed in (37, 76):
        network = dense(seed)
        here = reach(network, [network.stops[0].node], Passage())
        useful = [
            m
            for m in here._doubtful
            if any(m in here.walks.after(n) for n in flood(here.walks, here._starts, frozenset((m, m ^ 1))))
        ]
        if useful:
            assert search(here.walks, here._starts, useful[0])
            return
    pytest.fail("no doubtful move")


@pytest.mark.rule("COMMON-TRK-08", "COMMON-TRK-11")
@pytest.mark.parametrize("seed", range(12))
def test_walk_agrees_with_new_board(seed):
    dice = random.Random(seed)
    state = blank_position(1)
    contents_by_hex = {}
    for at in state.sheet.hexes:
        place = ("", 0)
        while dice.random() < 0.7 and legal_upgrades(state.sheet, at, *place):
            place = dice.choice(sorted(legal_upgrades(state.sheet, at, *place)))
        if place[0]:
            contents_by_hex[at] = f"{place[0]} r{place[1]}"
    board = replace(with_tiles(state, **contents_by_hex)).board
    own = [board.network.stop["I10:a"], dice.choice(sorted(board.network.stop_at))]
    names = {board.network.refs[node] for node in own}
    here = reach(board.network, own, Passage())
    compared = 0
    for at in dice.sample(sorted(state.sheet.hexes), 30):
        contents = board.contents(at)
        if any(name.startswith(f"{at}:") for name in names):
            continue
        for laid in list(legal_upgrades(state.sheet, at, contents.tile, contents.rotation).values())[:8]:
            after = board.with_contents(at, replace(contents, tile=laid.tile, rotation=laid.rotation))
            nodes = [after.network.stop[name] for name in names]
            there = reach(after.network, nodes, Passage())
            pieces = list(after.network.in_hex[at])
            fresh = {(piece.a, piece.b) for piece in laid.new_track}
            order = after.face(at).track
            slow = any(there.piece(p) for p, piece in zip(pieces, order, strict=True) if (piece.a, piece.b) in fresh)
            quick = new_track_reached(here, at, laid)
            assert quick in (slow, None), (at, laid.tile, laid.rotation)
            compared += quick is not None
    assert compared > 20
    assert stop_mapping(state.sheet.hexes["K6"].face, state.sheet.hexes["K6"].face) == (0,)


def test_reach_is_kept_with_its_board():
    board = Board(sheet(1), {})
    calls = []

    def passage(on, company):
        calls.append(company)
        return Passage()

    assert reach_of(board, "RhE", passage) is reach_of(board, "RhE", passage)
    reach_of(board, "CME", passage)
    assert calls == ["RhE", "CME"]


@pytest.mark.rule("RHL-FLT-07")
def test_link_takes_two_separate_ways():
    faces = {
        "E11": Face("green", (CITY,), (Piece(4, 6),)),
        "E13": Face("green", (CITY,), (Piece(1, 6), Piece(4, 6))),
        "E15": Face("green", (CITY,), (Piece(1, 6),)),
    }
    network = build(faces, "pointy")
    walks = TrackWalks(network, Passage())
    first, middle, last = ([network.stop[f"{at}:a"]] for at in faces)
    assert linked(walks, first, middle, last)
    assert linked(walks, last, middle, first)
    # both ends lie beyond the same single track
    faces["E13"] = Face("green", (CITY,), (Piece(1, 6),))
    faces["E11"] = Face("green", (CITY, CITY), (Piece(4, 6), Piece(0, 7), Piece(3, 6)))
    network = build(faces, "pointy")
    walks = TrackWalks(network, Passage())
    assert not linked(walks, [network.stop["E11:a"]], [network.stop["E13:a"]], [network.stop["E11:b"]])
    assert not linked(walks, [network.stop["E11:a"]], [network.stop["E13:a"]], [network.stop["E15:a"]])


@pytest.mark.rule("RHL-FLT-07")
def test_all_legs_agree_with_shortest(monkeypatch):
    ends = {"E11": Face("green", (CITY,), (Piece(4, 6),)), "E15": Face("green", (CITY,), (Piece(1, 6),))}
    both = {**ends, "E13": Face("green", (CITY,), (Piece(1, 6), Piece(4, 6)))}
    stem = {**ends, "E13": Face("green", (CITY,), (Piece(1, 6),))}
    for faces, answer in ((both, True), (stem, False)):
        network = build(faces, "pointy")
        walks = TrackWalks(network, Passage())
        first, middle, last = (frozenset([network.stop[f"{at}:a"]]) for at in ("E11", "E13", "E15"))
        centre = [move for node in middle for move in walks.away(node)]
        assert module._both_legs(walks, centre, first, last) == answer
    monkeypatch.setattr(module, "STEPS", 0)
    assert module._both_legs(walks, centre, first, last)


def test_move_from_station_needs_no_search():
    network = build({"E11": Face("green", (CITY,), (Piece(4, 6),))}, "pointy")
    walks = TrackWalks(network, Passage())
    starts = walks.away(network.stop["E11:a"])
    assert search(walks, starts, starts[0])
