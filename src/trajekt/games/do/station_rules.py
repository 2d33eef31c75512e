"""Stations: step 2 of a railway's turn (DO-TOK)."""

from __future__ import annotations

from trajekt.engine.actions import PlaceStation
from trajekt.engine.ruleset import Code, Refusal, Rule, View, check, refuse
from trajekt.games.do.options import DoOptions
from trajekt.games.do.treasury_shares import with_sale
from trajekt.rules import stations
from trajekt.rules.operating_round import TurnStep, in_step
from trajekt.rules.stations import StationPolicy

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
