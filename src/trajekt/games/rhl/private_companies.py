"""The private companies of 18Rhl: what each may do once (RHL-PRV-06 to -14, RHL-RAT-02).

No. 5 only brings a share (RHL-PRV-13), no. 6 is the director's certificate of the RhE (RHL-PRV-14): neither has a power.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from trajekt.engine.board.reachability import Reach
from trajekt.engine.board.upgrades import Upgrade
from trajekt.engine.components.schema import HexId, TileId
from trajekt.engine.ruleset import Code, Refusal, View, refuse
from trajekt.rules import tile_laying
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.private_companies import Power, on_hexes
from trajekt.rules.turn_notes import PowerLay


def beside_normal(_view: View, _turn: CompanyTurn) -> Refusal | None:
    """In R1 powers lay beside the normal lay, in any order (RHL-PRV-05)."""
    return None


def not_after_no_2(_view: View, turn: CompanyTurn) -> Refusal | None:
    """In R2 nothing is laid beside the tile of no. 2 (RHL-PRV-09)."""
    return refuse(Code.LONE_TILE, "RHL-PRV-09", private=2) if PowerLay(2) in turn.lays else None


def only_lay(_view: View, turn: CompanyTurn) -> Refusal | None:
    """In R2 the tile of no. 2 is the only one of its turn."""
    return refuse(Code.LONE_TILE, "RHL-PRV-09", private=2) if turn.lays else None


def mountains(rule: str) -> Callable[[View, HexId, TileId], Refusal | None]:
    """No. 3 lays where a mountain shows: on a printed mountain, or on a tile that has a mountain cost itself."""

    def admits(view: View, at: HexId, _tile: TileId) -> Refusal | None:
        if view.sheet.hexes[at].terrain != "mountain":
            return refuse(Code.NO_MOUNTAIN, rule, hex=at)
        lies = view.state.board.contents(at).tile
        return (
            refuse(Code.NO_MOUNTAIN, rule, hex=at, tile=lies)
            if lies and not view.sheet.tiles[lies].upgrade_cost
            else None
        )

    return admits


_METROPOLIS = on_hexes(4, "RHL-PRV-12")


def printed_metropolis(view: View, at: HexId, tile: TileId) -> Refusal | None:
    """No. 4 turns a printed yellow metropolis green (RHL-PRV-12)."""
    wrong = _METROPOLIS(view, at, tile)
    if wrong is None and view.state.board.contents(at).tile:
        return refuse(Code.TILE_LIES_THERE, "RHL-PRV-12", hex=at)
    return wrong


def joined(view: View, here: Reach, at: HexId, laid: Upgrade) -> bool | None:
    """Refuse the Angertalbahn without an available route (RHL-RAT-02)."""
    return tile_laying.any_track(view, here, at, laid)


# 18Rhl powers need no connection (COMMON-PRV-03)
NO_1 = Power("RHL-PRV-07", beside_normal, on_hexes(1, "RHL-PRV-07"))
NO_2 = Power(
    "RHL-PRV-08", beside_normal, on_hexes(2, "RHL-PRV-08"), overlays=True, grants=True, free_station="RHL-PRV-08"
)
NO_3 = Power("RHL-PRV-10", beside_normal, mountains("RHL-PRV-10"), free_lay="RHL-PRV-10")
NO_4 = Power("RHL-PRV-12", beside_normal, printed_metropolis, free_lay="RHL-PRV-12", grants=True, lasting=True)

POWERS_R1 = {1: NO_1, 2: NO_2, 3: NO_3, 4: NO_4}
POWERS_R2 = {
    1: replace(NO_1, rule="RHL-PRV-06", open=not_after_no_2, admits=on_hexes(1, "RHL-PRV-06")),
    2: replace(
        NO_2,
        rule="RHL-PRV-09",
        open=only_lay,
        admits=on_hexes(2, "RHL-PRV-09"),
        free_station="RHL-PRV-09",
        exclusive=True,
        closes=True,
    ),
    3: replace(NO_3, rule="RHL-PRV-11", open=not_after_no_2, admits=mountains("RHL-PRV-11"), free_lay="RHL-PRV-11"),
    4: replace(NO_4, open=not_after_no_2, exclusive=True),
}
RATINGEN = Power(
    "RHL-RAT-02", beside_normal, on_hexes(1, "RHL-RAT-02"), joins=joined, free_lay="RHL-RAT-02", closes=True
)
"""The Angertalbahn, no. 1 of the Ratingen variant."""
