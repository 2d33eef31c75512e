"""Lays of 18Rhl on small boards."""

from __future__ import annotations

from tests.builders.random_positions import act, refused
from tests.builders.rhl_positions import choices, ruleset
from trajekt.engine.actions import LayTile
from trajekt.engine.components.schema import TileId


def lay(text: str) -> LayTile:
    """`"K4 #4 r1"`."""
    at, tile, way = text.replace("#", "").split()
    return LayTile(at, tile, int(way[1:]))


def why(rules, state, text) -> tuple[str, str]:
    refusal = refused(ruleset(rules), state, 0, lay(text))
    return refusal.code, refusal.rule


def done(rules, state, text):
    """The position after a lay that must be offered and accepted."""
    assert lay(text) in choices(rules, state, LayTile)
    return act(ruleset(rules), state, 0, lay(text)).state


def tiles_on(rules, state, at) -> set[tuple[TileId, int]]:
    return {(action.tile, action.rotation) for action in choices(rules, state, LayTile) if action.hex == at}
