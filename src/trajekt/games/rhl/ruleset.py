"""The rulesets of 18Rhl: first edition (R1), second edition (R2), and `compat`, listed in full.

Each list is complete: nothing is inherited. What both editions share stands in both lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from trajekt.engine.rule import Duty, Reaction, Ruleset
from trajekt.engine.sheet import Sheet
from trajekt.games.rhl.options import Options
from trajekt.rules.operating import OPERATING_ROUND, open_round
from trajekt.rules.rounds import ROUNDS, RoundsPolicy

VERSION = 1


def build(sheet: Sheet, options: Options) -> Ruleset:
    """The ruleset that a table has chosen. `sheet` is that of the edition with the variants laid over it."""
    raise NotImplementedError  # composed below when the areas have landed
