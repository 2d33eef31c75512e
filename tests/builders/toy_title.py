"""The toy game as a title."""

from __future__ import annotations

from tests.builders.toy_game import toy_sheet
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.title import Title


def title(ruleset: Ruleset) -> Title:
    return Title(
        id="toy",
        name="Toy",
        package="tests.engine",
        editions={1: (2, 4)},
        variants=(),
        options=dict,
        plain=dict,
        sheet=lambda _options, _overlay: toy_sheet(),
        build=lambda _sheet, _options: ruleset,
        fixed_seats=lambda _options: True,
        standings=lambda _state: (),
        best_runs=lambda *_: None,
    )
