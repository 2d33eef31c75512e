"""Powers of the private companies of 18Rhl in use."""

from __future__ import annotations

from tests.builders.random_positions import act
from tests.builders.rhl_positions import choices, ruleset
from trajekt.engine.actions import UsePrivate


def use(text: str) -> UsePrivate:
    """`"1 E14 #9 r2"`."""
    number, at, tile, way = text.replace("#", "").split()
    return UsePrivate(int(number), at, tile, int(way[1:]))


def used(rules, state, text):
    assert use(text) in choices(rules, state, UsePrivate)
    return act(ruleset(rules), state, 0, use(text)).state
