"""Laying tiles: step 1 of a railway's turn (DO-TRK)."""

from __future__ import annotations

from trajekt.engine.actions import LayTile
from trajekt.engine.components.schema import HexId, TileId
from trajekt.engine.ruleset import Code, Refusal, Rule, View, refuse
from trajekt.games.do.components import do_components
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import token_at
from trajekt.games.do.treasury_shares import can_deal
from trajekt.rules import tile_laying
from trajekt.rules.operating_round import CompanyTurn, TurnStep, in_step
from trajekt.rules.tile_laying import LayingPolicy, Right
from trajekt.rules.turn_notes import Allowance

CITES = {
    "finished": "DO-TRK-03", "final": "DO-TRK-12", "colour": "DO-TRK-12", "letters": "DO-TRK-07", "kind": "DO-TRK-07",
    "hexes": "DO-TRK-08", "successor": "DO-TRK-12", "turn": "DO-TRK-10", "rim": "DO-TRK-10", "blank": "DO-TRK-10",
    "lost": "DO-TRK-12", "letters@C9": "DO-TRK-08", "hexes@C9": "DO-TRK-08", "letters@E13": "DO-TRK-15",
}  # fmt: skip


def one_a_turn(_view: View, turn: CompanyTurn) -> Refusal | None:
    """One yellow tile or one upgrade in a turn (DO-TRK-01)."""
    return refuse(Code.ONE_TILE, "DO-TRK-01") if turn.lays else None


def linked_first(view: View, at: HexId, _tile: TileId) -> Refusal | None:
    """Mines and mills are upgraded only with a location token (DO-TRK-13, DO-TRK-14)."""
    known = do_components(view.sheet)
    if not view.state.board.face(at).colour or token_at(view.state, at):
        return None
    if at in known.mines:
        return because(WhyNot.NO_LOCATION_TOKEN, "DO-TRK-13", hex=at)
    return because(WhyNot.NO_LOCATION_TOKEN, "DO-TRK-14", hex=at) if at in known.mills else None


LAYING = LayingPolicy(
    rights={"normal": Right(Allowance.NORMAL, one_a_turn, tile_laying.any_track, linked_first)},
    powers={},
    costs=(tile_laying.terrain,),  # DO-TRK-09
    upgrade="DO-TRK-12",
    cites=CITES,
)

# DO-TRK-02 to -18: what fits, its colour, the supply, the connection, the cost
LAY_TILE = Rule(
    LayTile,
    tile_laying.lay_options,
    tile_laying.lay,
    needs=(in_step("track"), tile_laying.right_open, tile_laying.known, tile_laying.fits, tile_laying.places),
    checks=(tile_laying.connected, tile_laying.cost),
    likely=tile_laying.likely_lays,
)


def track_waits(view: View) -> bool:
    """Tell whether a tile can be laid; also the first moment for a deal in own certificates."""
    return tile_laying.can_lay(view) or can_deal(view)


TRACK = TurnStep("track", waits=track_waits, passable=True)
