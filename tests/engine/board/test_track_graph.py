"""The network: nodes, pieces, joins and references."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import position as blank_position
from trajekt.engine.board.board import Board
from trajekt.engine.board.track_graph import build, hex_of, leads_away, side_of
from trajekt.engine.board.upgrades import legal_upgrades
from trajekt.engine.components.schema import FIRST_STOP, Face, Piece, Stop

A = FIRST_STOP
CITY = Stop(kind="city", revenue={"": 20}, slots=1)
TOWN = Stop(kind="town", revenue={"": 10})


def face(*pieces: tuple[int, int], stops: tuple[Stop, ...] = ()) -> Face:
    return Face(colour="yellow", stops=stops, track=tuple(Piece(a, b) for a, b in pieces))


def refs(network, ids):
    return {network.tracks[number].ref for number in ids}


def follow(network, ref, end):
    arriving = 2 * network.piece[ref] + 1 - end
    return refs(network, (move >> 1 for move in network.onward[arriving]))


def test_references_name_hex_and_ends():
    ferry = Face(stops=(CITY, CITY), track=(Piece(0, A), Piece(3, A + 1), Piece(A, A + 1, "ferry"), Piece(1, 2)))
    network = build({"F9": ferry}, "pointy")
    assert [track.ref for track in network.tracks.values()] == ["F9:0a", "F9:3b", "F9:ab", "F9:12"]
    assert [stop.ref for stop in network.stops] == ["F9:a", "F9:b"]
    assert network.tracks[network.piece["F9:ab"]].kind == "ferry"
    assert hex_of("F9:ab") == "F9"


def test_side_one_node_for_both_hexes():
    """K6's edge 4 is K8's edge 1."""
    assert side_of("K6", 4, "pointy") == side_of("K8", 1, "pointy")
    network = build({"K6": face((4, A), stops=(CITY,)), "K8": face((1, 3))}, "pointy")
    assert follow(network, "K6:4a", 0) == {"K8:13"}
    assert follow(network, "K8:13", 0) == {"K6:4a"}
    assert follow(network, "K8:13", 1) == set()


@pytest.mark.rule("COMMON-RTE-02")
def test_no_reversing_at_a_junction():
    """Tile 23: both pieces end at one side, and neither follows the other."""
    network = build({"K8": face((1, 4), (1, 3)), "K6": face((4, A), stops=(CITY,))}, "pointy")
    assert follow(network, "K8:14", 0) == {"K6:4a"}
    assert follow(network, "K6:4a", 0) == {"K8:14", "K8:13"}


@pytest.mark.rule("COMMON-RTE-02")
def test_no_change_of_track_at_crossing():
    """F5 #1 r1: two tracks that cross; what enters at 1 reaches the town of 1 and 5 only."""
    crossing = face((2, A), (4, A), (1, A + 1), (5, A + 1), stops=(TOWN, TOWN))
    network = build({"F5": crossing}, "pointy")
    assert follow(network, "F5:1b", 1) == {"F5:5b"}
    assert follow(network, "F5:2a", 1) == {"F5:4a"}


def test_every_other_piece_of_stop_follows():
    network = build({"K6": face((0, A), (2, A), (4, A), stops=(CITY,))}, "pointy")
    assert follow(network, "K6:0a", 1) == {"K6:2a", "K6:4a"}


def test_stops_are_numbered_before_sides():
    network = build({"K6": face((0, A), (4, A), stops=(CITY,)), "K8": face((1, 3), (0, 2))}, "pointy")
    assert [track.ref for track in network.tracks.values()] == ["K6:0a", "K6:4a", "K8:13", "K8:02"]
    assert [stop.node for stop in network.stops] == [0]
    # eleven sides of two hexes that share one, after a stop for each hex
    assert sorted(network.side.values()) == list(range(2, 13))
    for track in network.tracks.values():
        assert all(track.id in network.at[node] for node in track.ends)
        assert network.other_end(track.id, track.ends[0]) == track.ends[1]
    assert refs(network, network.in_hex["K8"]) == {"K8:13", "K8:02"}
    assert not network.is_stop(network.side[side_of("K8", 0, "pointy")])
    assert network.is_stop(network.stop["K6:a"])


def test_network_extended_is_one_made_anew():
    """A network that was taken on from lay to lay, tiles taken up again too, is the one that the last board makes by itself."""
    dice = random.Random(23)
    board = blank_position(1).board
    sheet = board.sheet
    asked = board.network
    for _ in range(150):
        at = dice.choice(sorted(sheet.hexes))
        contents = board.contents(at)
        fitting = sorted(legal_upgrades(sheet, at, contents.tile, contents.rotation))
        tile, rotation = dice.choice([*fitting, ("", 0)])
        board = board.with_contents(at, replace(contents, tile=tile, rotation=rotation))
        anew = Board(sheet, dict(board.contents_by_hex)).network
        assert board.network == anew
        assert board.network.numbers is asked.numbers
        assert list(board.network.piece) == list(anew.piece)
        assert list(board.network.stop) == list(anew.stop)
    assert len(board.network.tracks) > 100
    assert len(asked.tracks) < 60


def test_second_stop_is_led_to():
    """K6's edge 4 is K8's edge 1; what only runs to the map's end, or back to where it began, leads to no other stop."""
    city = face((4, A), stops=(CITY,))
    assert not leads_away(build({"K6": city, "K8": face((1, 3))}, "pointy"), ["K6:a"])
    linked = build({"K6": city, "K8": face((1, A), stops=(TOWN,))}, "pointy")
    assert leads_away(linked, ["K6:a"])
    assert leads_away(linked, ["A1:a", "K8:a"])
    assert not leads_away(linked, [])
    ring = build({"J7": face((0, 5)), "K6": face((3, A), (4, A), stops=(CITY,)), "K8": face((1, 2))}, "pointy")
    assert not leads_away(ring, ["K6:a"])
    ferry = Face(stops=(CITY, CITY), track=(Piece(A, A + 1, "ferry"),))
    assert leads_away(build({"F9": ferry}, "pointy"), ["F9:b"])
