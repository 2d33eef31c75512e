"""A map seen whole on a phone bears few names, large, that cover neither each other nor the edge of the drawing."""

from __future__ import annotations

from itertools import combinations

import pytest

from trajekt.registry import names, title
from trajekt.rendering.label_placement import width
from trajekt.rendering.landmarks import POINTS, SCREEN, landmarks
from trajekt.rendering.map import bounds


def sheet_of(name):
    found = title(name)
    return found.sheet(found.options({}), None)


@pytest.mark.parametrize("name", names())
def test_landmarks_keep_apart(name):
    sheet = sheet_of(name)
    left, top, across, high = bounds(sheet)
    size = POINTS * max(across / SCREEN[0], high / SCREEN[1])
    marks = landmarks(sheet, bounds(sheet)).values()
    assert len(marks) > 11
    for mark in marks:
        half = width(mark.name, size) / 2
        assert left - 1 < mark.x - half < mark.x + half < left + across + 1
        assert top < mark.y - size / 2 < mark.y + size / 2 < top + high + 1
    for one, two in combinations(marks, 2):
        beside = abs(one.x - two.x) > (width(one.name, size) + width(two.name, size)) / 2
        assert beside or abs(one.y - two.y) > size


@pytest.mark.parametrize("name", names())
def test_landmarks_stand_at_their_hexes(name):
    sheet = sheet_of(name)
    for at, mark in landmarks(sheet, bounds(sheet)).items():
        assert mark.name in sheet.hexes[at].names
    homes = [home.hex for company in sheet.companies.values() for home in company.homes]
    assert any(at in homes for at in landmarks(sheet, bounds(sheet)))
