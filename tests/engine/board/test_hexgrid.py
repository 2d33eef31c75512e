"""Geometry: neighbours, opposite edges and centres agree with each other in both layouts."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajekt.engine.board.hexgrid import beyond, by_place, centre, join, opposite, split

LAYOUTS = st.sampled_from(["pointy", "flat"])
NAMES = st.builds(join, st.integers(3, 60), st.integers(3, 60))
EDGES = st.integers(0, 5)


@given(NAMES)
def test_a_coordinate_is_split_and_joined(name):
    assert join(*split(name)) == name


@pytest.mark.parametrize("name, parts", [("A1", (1, 1)), ("I10", (9, 10)), ("Z2", (26, 2)), ("AA3", (27, 3))])
def test_coordinates_as_numbers(name, parts):
    assert split(name) == parts


@pytest.mark.parametrize("text", ["", "A", "10", "a1", "A1b", "A-1", "A 1"])
def test_what_is_no_coordinate_is_refused(text):
    with pytest.raises(ValueError, match="no coordinate"):
        split(text)


@given(NAMES, EDGES, LAYOUTS)
def test_across_an_edge_and_back(name, edge, layout):
    assert beyond(beyond(name, edge, layout), opposite(edge), layout) == name


@given(NAMES, LAYOUTS)
def test_six_different_neighbours_at_one_distance(name, layout):
    around = {beyond(name, edge, layout) for edge in range(6)}
    assert len(around | {name}) == 7
    x, y = centre(name, layout)
    for other in around:
        assert math.dist((x, y), centre(other, layout)) == pytest.approx(math.sqrt(3))


@given(NAMES, LAYOUTS)
def test_neighbours_follow_clockwise(name, layout):
    x, y = centre(name, layout)
    angles = []
    for edge in range(6):
        to_x, to_y = centre(beyond(name, edge, layout), layout)
        angles.append(math.atan2(to_y - y, to_x - x))
    turns = [(after - before) % math.tau for before, after in pairwise(angles)]
    assert turns == pytest.approx([math.tau / 6] * 5)


@given(NAMES, EDGES, st.sampled_from([1, 2, 4, 5]), LAYOUTS)
def test_a_triangle_of_neighbours_closes(name, edge, turn, layout):
    if turn in {2, 4}:
        there = beyond(beyond(name, edge, layout), (edge + turn) % 6, layout)
        assert there in {beyond(name, e, layout) for e in range(6)}
    else:
        there = beyond(beyond(name, edge, layout), (edge + turn) % 6, layout)
        assert there not in {name} | {beyond(name, e, layout) for e in range(6)}


@pytest.mark.parametrize(
    "layout, neighbours",
    [("pointy", ["J9", "I8", "H9", "H11", "I12", "J11"]), ("flat", ["K10", "J9", "H9", "G10", "H11", "J11"])],
)
def test_the_edges_of_i10(layout, neighbours):
    assert [beyond("I10", edge, layout) for edge in range(6)] == neighbours


@given(st.lists(NAMES, unique=True))
def test_hexes_sort_in_reading_order(names):
    ordered = by_place(names)
    assert sorted(ordered) == sorted(names)
    assert [split(name) for name in ordered] == sorted(split(name) for name in names)
