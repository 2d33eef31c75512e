"""Whole games of 18Ruhr by chance, each kind of action by its weight."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

from msgspec.structs import replace

from trajekt.engine.ruleset import Choice

WEIGHT = {
    "RunTrains": 50.0, "LayTile": 6.0, "Develop": 8.0, "FoundMontan": 6.0, "BuyItem": 10.0, "Pass": 2.0, "EndTurn": 5.0,
    "SellShares": 0.25, "ShareDeal": 0.15, "ScrapEngine": 0.02, "RemovePrivate": 0.02, "BuyEngineFrom": 0.3,
    "BuildPmcLink": 6.0, "FoundCompany": 0.6, "BuyShare": 3.0, "ForceTrain": 4.0,
}  # fmt: skip


def chosen(choices: list[Choice], rng: random.Random) -> tuple[int, Any]:
    """A choice by kind, then by chance; prices mostly at their lowest."""
    by_kind = defaultdict(list)
    for choice in choices:
        by_kind[type(choice.action).__name__].append(choice)
    names = sorted(by_kind)
    choice = rng.choice(by_kind[rng.choices(names, [WEIGHT.get(name, 1.0) for name in names])[0]])
    action = choice.action
    for name, span in choice.spans.items():
        value = span.low if rng.random() < 0.7 else rng.randrange(span.low, span.high + 1, span.step)
        action = replace(action, **{name: value})
    return choice.seat, action
