"""Tables with few trains and a small bank: late phases, the empty bank and the last train of a kind come soon and together."""

from __future__ import annotations

import random

from msgspec.structs import replace

from trajekt.engine.components.schema import Sheet

LAST = ("6", "8", "2+4")
"""Kinds that stay as many as they are: the last ones, which end a game, and the train of the GKB."""
COUNTS = (1, 1, 2, 2, 3)
BANKS = (2_200, 2_600, 3_000, 3_500, 4_000, 6_000, 9_000)  # Mark


def scarce(sheet: Sheet, seed: int) -> Sheet:
    """The sheet with one to three trains of each early kind and a bank of its own, by a seed."""
    rng = random.Random(seed)
    trains = {
        kind: train if kind in LAST else replace(train, count=min(train.count, rng.choice(COUNTS)))
        for kind, train in sheet.trains.items()
    }
    bank = rng.choice(BANKS)
    limits = replace(sheet.limits, bank=dict.fromkeys(sheet.limits.bank, bank))
    return replace(sheet, trains=trains, limits=limits)
