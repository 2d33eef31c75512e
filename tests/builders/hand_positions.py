"""Positions before a round as files, for games that go on from a position set up by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests.server.steady import fresh, steady
from trajekt.positions import position_json
from trajekt.round_label import round_of

GAMES = ("18rhl", "18lra", "18ruhr", "18do")


def second_stock_rounds(games: Sequence[str] = GAMES) -> Mapping[str, dict[str, Any]]:
    """By game, the position at the beginning of its second stock round as a file for a set-up by hand."""
    found = {}
    for name in games:
        game = steady(fresh(name), lambda g: round_of(g.state).key == "SR 2")
        found[name] = json.loads(position_json(game)) | {"round": {"kind": "stock", "set": 2}}
    return found
