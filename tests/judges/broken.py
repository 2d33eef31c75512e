"""Rulesets with something left out, to see whether a judge notices."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tests.judges.tally import Tally
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State


def without(ruleset: Ruleset, frame: Any, action: Any, check: str) -> Ruleset:
    """The ruleset with one check of one action of one frame left out."""
    duty = ruleset.duties[frame]

    def left(checks: Any) -> tuple[Any, ...]:
        return tuple(each for each in checks if each.name != check)

    menu = tuple(
        replace(rule, needs=left(rule.needs), checks=left(rule.checks)) if rule.action is action else rule
        for rule in duty.menu
    )
    assert menu != duty.menu, check
    return replace(ruleset, duties={**ruleset.duties, frame: replace(duty, menu=menu)})


def noticed(
    ask: Callable[[Ruleset, State, Tally, random.Random], None],
    positions: Sequence[tuple[Ruleset, State]],
    frame: Any,
    action: Any,
    check: str,
) -> bool:
    """Whether a judge tells in one of the positions that a check is missing."""
    rng = random.Random(4)
    for ruleset, state in rng.sample(positions, len(positions)):
        tally = Tally()
        ask(without(ruleset, frame, action, check), state, tally, rng)
        if tally.faults:
            return True
    return False
