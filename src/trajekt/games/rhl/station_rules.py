"""Stations and homes in 18Rhl, both editions."""

from __future__ import annotations

from trajekt.engine.actions import PlaceStation
from trajekt.engine.ruleset import Rule, View
from trajekt.rules import stations
from trajekt.rules.operating_round import TurnStep, in_step
from trajekt.rules.stations import StationPolicy

STATIONS_R1 = StationPolicy(reservation_rule="RHL-TOK-06")
STATIONS_R2 = StationPolicy(reservation_rule="COMMON-TOK-05")

PLACE_STATION = Rule(
    PlaceStation,
    stations.station_options,
    stations.place_station,
    needs=(in_step("station"), stations.one_a_turn, stations.token_left, stations.a_city),
    checks=(
        stations.one_a_hex,
        stations.a_free_place,
        stations.granted_place_only,
        stations.station_connected,
        stations.station_cost,
    ),
    likely=stations.likely_stations,
)


def station_waits(view: View) -> bool:
    """Tell whether the company can build a station."""
    return stations.can_place(view)


HOME = TurnStep("home", enter=stations.place_homes)
"""R1: the home comes to the map before track (RHL-OR-05)."""
STATION = TurnStep("station", waits=station_waits, passable=True)
