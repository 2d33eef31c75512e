"""Railway lines for the tests of 18Ruhr, on the reconstructed map: from where to where, over which tiles."""

from __future__ import annotations

from typing import Any

from tests.games.ruhr.table import BERT, CLEO, at_table, started, stations, with_tiles
from trajekt.engine.model import State

HAGEN = {"P11": "4 r1", "O12": "8 r5", "P13": "718 r2"}
"""Wuppertal (R9), Barmen (Q10), Schwelm (P11), over O12 to Hagen (P13): one city, two towns, one city."""

SCHWERTE = {"O16": "6 r0", "N15": "58 r3", "L15": "8 r0", "K14": "57 r2", "J13": "884 r2"}
"""Iserlohn (O16), Letmathe (N15), over L15 to Schwerte (K14) with one circle, Hörde (J13) beyond."""


def bme_to_hagen(state: State | None = None, **values: Any) -> State:
    """The BME of Bert in Wuppertal with its line to Hagen."""
    values = {"treasury": 200, **values}
    return with_tiles(stations(started(state or at_table(), "BME", BERT, 70, **values), "BME", "R9"), **HAGEN)


def schwerte_full(*, floated: bool = True) -> State:
    """The BME in Iserlohn; the CME, floated or not, fills Schwerte on the way to Hörde."""
    state = started(started(at_table(), "BME", BERT, 70, treasury=100), "CME", CLEO, 80, floated=floated)
    return with_tiles(stations(stations(state, "BME", "O16"), "CME", "K14"), **SCHWERTE)
