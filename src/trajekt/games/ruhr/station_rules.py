"""Stations of 18Ruhr: circles that homes and location markers take as well (RUHR-TOK)."""

from __future__ import annotations

from trajekt.engine.actions import PlaceStation
from trajekt.engine.ruleset import Code, Refusal, Rule, View, check, refuse
from trajekt.games.ruhr.city_blocking import in_circle
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.rules.operating_round import in_step
from trajekt.rules.stations import (
    a_city,
    index_of,
    likely_stations,
    one_a_hex,
    one_a_turn,
    place_station,
    station_connected,
    station_cost,
    station_options,
    token_left,
)


@check("RUHR-TOK-03", "RUHR-TOK-04", "RUHR-TRK-14")
def a_free_circle(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a city whose circles are all taken by stations, homes still to come and location markers."""
    index = index_of(action.stop)
    board, contents = view.state.board, view.state.board.contents(action.hex)
    built = sum(station.stop == index for station in contents.stations)
    built += in_circle(board, action.hex, on_716=view.ruleset.policy(RuhrOptions).tile_716_marker == "in_circle")
    reserved = sum(r.stop == index for r in contents.reservations)  # its own home has been placed by now (RUHR-TOK-01)
    slots = board.face(action.hex).stops[index].slots
    if built + reserved < slots:
        return None
    if reserved:
        return refuse(Code.RESERVED, "RUHR-TOK-04", hex=action.hex)
    return refuse(Code.NO_PLACE, "RUHR-TOK-03", hex=action.hex)


PLACE_STATION = Rule(
    PlaceStation,
    station_options,
    place_station,
    needs=(in_step("station"), one_a_turn, token_left, a_city),
    checks=(one_a_hex, a_free_circle, station_connected, station_cost),
    likely=likely_stations,
)
