"""Laying tiles, and stations: steps 1 and 2 of a railway's turn (DO-TRK, DO-TOK)."""

from __future__ import annotations

from trajekt.engine.actions import LayTile, PlaceStation
from trajekt.engine.components.schema import HexId, TileId
from trajekt.engine.ruleset import Code, Refusal, Rule, View, check, refuse
from trajekt.games.do.components import do_components
from trajekt.games.do.options import DoOptions
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import token_at
from trajekt.games.do.treasury_shares import can_deal, with_sale
from trajekt.rules import stations, tile_laying
from trajekt.rules.operating_round import CompanyTurn, TurnStep, in_step
from trajekt.rules.stations import StationPolicy
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

STATIONS = StationPolicy(reservation_rule="DO-TOK-10")


@check("DO-TOK-03")
def connected(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a hex to which no unblocked path leads from a station of the railway (`station_connected`)."""
    if not view.ruleset.policy(DoOptions).station_connected:
        return None
    return stations.station_connected(view, action)


# DO-TOK-01, -02, -04, -05
@check("DO-TOK-05")
def no_red_hex(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a red hex, which holds a home station only, also where its railway is not in the game."""
    stop = view.state.board.face(action.hex).stops[stations.index_of(action.stop)]
    return None if stop.kind == "city" else refuse(Code.NO_PLACE, hex=action.hex)


PLACE_STATION = Rule(
    PlaceStation,
    stations.station_options,
    stations.place_station,
    needs=(in_step("station"), stations.one_a_turn, stations.token_left, stations.a_city),
    checks=(stations.one_a_hex, stations.a_free_place, no_red_hex, connected, stations.station_cost),
)
STATION = TurnStep("station", waits=with_sale(stations.can_place), passable=True)
