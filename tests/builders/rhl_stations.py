"""Stations of 18Rhl that may be built."""

from __future__ import annotations

from tests.builders.rhl_positions import (
    choices,
)
from trajekt.engine.actions import PlaceStation


def places(rules, state) -> set[str]:
    return {f"{action.hex}:{action.stop}" for action in choices(rules, state, PlaceStation)}
