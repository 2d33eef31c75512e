"""Charts: grid lines, names that do not collide, one line a series."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from trajekt.rendering.charts import LABEL_GAP, LETTER, Series, apart, line_chart, nice_step


@pytest.mark.parametrize(("highest", "step"), [(1, 1), (5, 1), (6, 2), (480, 100), (2431, 500), (5001, 2000)])
def test_grid_lines_lie_at_round_amounts(highest, step):
    assert nice_step(highest) == step


def test_edge_names_keep_distance_and_order():
    places = apart([100.0, 101.0, 99.0, 250.0], LABEL_GAP, 0, 252)
    ordered = sorted(places)
    assert all(b - a >= LABEL_GAP for a, b in pairwise(ordered))
    assert places[2] < places[0] < places[1] < places[3]
    assert max(places) <= 252


def test_chart_draws_lines_with_gaps():
    made = line_chart(
        ("SR 1", "OR 1.1", "OR 1.2"),
        (Series("A & B", (10, None, 30), "red"), Series("C", (0, 5, 9), "blue")),
        str,
        "Worth",
    )
    paths = re.findall(r'class="series" d="([^"]+)"', made)
    assert [path.count("L") for path in paths] == [1, 2]
    assert "A &amp; B" in made
    assert "stroke-dasharray" in made


def test_an_empty_chart_is_a_grid():
    made = line_chart((), (), str, "Worth")
    assert 'class="grid"' in made
    assert 'class="series"' not in made


def test_round_names_never_overlap():
    rounds = [name for n in range(1, 9) for name in (f"AR {n}", f"OR {n}.1", f"OR {n}.2")]
    made = line_chart(rounds, (Series("A", tuple(range(0, 24_000, 1000)), "red"),), str, "Worth")
    shown = [(float(x), name) for x, name in re.findall(r'class="axis" x="([\d.]+)" y="290" [^>]*>([^<]+)<', made)]
    assert len(shown) >= 6
    for (left, name), (right, following) in pairwise(shown):
        assert right - left >= LETTER * (len(name) + len(following)) / 2
    amounts = re.findall(r'class="axis" x="([\d.]+)" y="[\d.]+" text-anchor="end">([^<]+)<', made)
    assert all(float(x) >= LETTER * len(amount) for x, amount in amounts)
