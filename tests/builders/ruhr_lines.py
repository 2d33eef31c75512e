"""Railway lines for the tests of 18Ruhr, on the reconstructed map: from where to where, over which tiles."""

from __future__ import annotations

from typing import Any

from tests.builders.ruhr_positions import BERT, CLEO, at_table, started, stations, with_tiles
from trajekt.engine.state import State

HAGEN = {"P11": "4 r1", "O12": "8 r5", "P13": "718 r2"}
"""Wuppertal (R9), Barmen (Q10), Schwelm (P11), over O12 to Hagen (P13): one city, two towns, one city."""

SCHWERTE = {"O16": "6 r0", "N15": "58 r3", "L15": "8 r0", "K14": "57 r2", "J13": "884 r2"}
"""Iserlohn (O16), Letmathe (N15), over L15 to Schwerte (K14) with one circle, Hörde (J13) beyond."""

WITTEN = {
    "P11": "4 r1", "O12": "8 r1", "M12": "884 r0", "K12": "883 r0",
    "J11": "55 r1", "I10": "719 r3", "G10": "6 r4", "F11": "2 r1",
}  # fmt: skip
"""Wuppertal (R9), five towns (Q10, P11, M12, K12, J11), Bochum (I10), Herne (G10), and a sixth town (F11)."""

EMSCHER = {
    "I10": "718 r2", "H9": "9 r2", "G8": "718 r2", "F7": "8 r5",
    "G6": "57 r1", "H5": "719 r4", "J5": "9 r0", "L5": "718 r0",
}  # fmt: skip
"""Five cities without a town: Bochum (I10), Gelsenkirchen (G8), Bottrop (G6), Oberhausen (H5), Mülheim (L5)."""


def bme_to_hagen(state: State | None = None, **values: Any) -> State:
    """The BME of Bert in Wuppertal with its line to Hagen."""
    values = {"treasury": 200, **values}
    return with_tiles(stations(started(state or at_table(), "BME", BERT, 70, **values), "BME", "R9"), **HAGEN)


def schwerte_full(*, floated: bool = True) -> State:
    """The BME in Iserlohn; the CME, floated or not, fills Schwerte on the way to Hörde."""
    state = started(started(at_table(), "BME", BERT, 70, treasury=100), "CME", CLEO, 80, floated=floated)
    return with_tiles(stations(stations(state, "BME", "O16"), "CME", "K14"), **SCHWERTE)


def track(state: State, hexes: str) -> tuple[str, ...]:
    """The pieces of track along these hexes, from a stop of the first to a stop of the last; there must be one way."""
    names = hexes.split()
    network = state.board.network
    found: list[tuple[str, ...]] = []

    def follow(place: int, node: int, used: tuple[int, ...]) -> None:
        if place == len(names) - 1 and network.is_stop(node) and used:
            found.append(tuple(network.tracks[piece].ref for piece in used))
            return
        for piece in network.at[node]:
            lies = network.tracks[piece].hex
            if piece in used or lies not in (names[place], names[min(place + 1, len(names) - 1)]):
                continue
            if lies == names[place] and not network.is_stop(node) and used and network.tracks[used[-1]].hex == lies:
                continue
            follow(names.index(lies), network.other_end(piece, node), (*used, piece))

    for stop in network.stops_in_hex[names[0]]:
        follow(0, stop.node, ())
    assert len(found) == 1, (hexes, found)
    return found[0]
