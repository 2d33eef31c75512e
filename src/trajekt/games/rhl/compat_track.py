"""Track and powers of recorded games, where they differ from the first edition (CMP-19 to -24).

CMP-19, the exemption of tiles 87, 88 and 204, needs no rule of its own: the town they show is one where two had been, so
all track to it is new (see `Upgrade.new_track`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trajekt.engine.actions import Action, PlaceStation
from trajekt.engine.components.schema import HexId, TileId
from trajekt.engine.ruleset import Code, Refusal, View, check, refuse
from trajekt.games.rhl import station_rules, track_rules
from trajekt.games.rhl.private_companies import POWERS_R1, RATINGEN
from trajekt.rules.operating_round import CompanyTurn, TurnStep, turn_of
from trajekt.rules.private_companies import PowersPolicy, blocked_by_private, rights
from trajekt.rules.tile_laying import LayingPolicy, Right
from trajekt.rules.turn_notes import Allowance, PowerLay

HAULED = {*"123456789", "23", "24", "25", "30", "55", "56", "57", "58", "69", "930", "934", "937"}
"""The tiles that no. 3 may lay (CMP-22)."""


def normal_open(_view: View, turn: CompanyTurn) -> Refusal | None:
    """Nos. 2 and 4, used before the normal lay, use it up (CMP-21, CMP-23)."""
    spent = {Allowance.NORMAL, PowerLay(2), PowerLay(4)} & set(turn.lays)
    return refuse(Code.ONE_TILE, "COMMON-TRK-01") if spent else None


def hauled(view: View, at: HexId, tile: TileId) -> Refusal | None:
    """No. 3 lays on its listed hexes, and only listed yellow and green tiles (CMP-22)."""
    if at not in view.sheet.privates[3].hexes:
        return refuse(Code.NO_MOUNTAIN, "RHL-PRV-10", hex=at)
    return None if tile in HAULED else refuse(Code.WRONG_KIND, "RHL-PRV-10", hex=at, tile=tile)


@check("COMMON-PRV-02")
def before_station_and_trains(view: View, _action: Action) -> Refusal | None:
    """Refuse a power after a station is placed or a train is bought (CMP-24)."""
    turn = view.frame
    if isinstance(turn, CompanyTurn) and not turn.station and not turn.bought:
        return None
    return refuse(Code.WRONG_STEP, step="track")


# no. 1 has no lay of its own: it keeps E14 closed to the companies of others until a tile lies there (CMP-20)
_POWERS = {
    2: POWERS_R1[2],
    3: replace(POWERS_R1[3], admits=hauled),
    4: POWERS_R1[4],
}
POWERS_COMPAT = PowersPolicy(_POWERS)
POWERS_COMPAT_RATINGEN = PowersPolicy({1: RATINGEN, **_POWERS})

BLOCKED_BY_PRIVATE_COMPAT = blocked_by_private("RHL-TRK-20", against_owner=False)


def laying_compat(powers: PowersPolicy, cites: Mapping[str, str] = track_rules.CITES) -> LayingPolicy:
    """Laying in recorded games."""
    normal = Right(Allowance.NORMAL, normal_open, track_rules.extends_route)
    return LayingPolicy({"normal": normal}, rights(powers.powers), track_rules.COSTS, "RHL-TRK-12", cites)


LAYING_COMPAT = laying_compat(POWERS_COMPAT)
LAYING_COMPAT_RATINGEN = laying_compat(POWERS_COMPAT_RATINGEN, track_rules.CITES_RATINGEN)
LAY_TILE_COMPAT = track_rules.lay_tile(BLOCKED_BY_PRIVATE_COMPAT)
USE_PRIVATE_COMPAT = track_rules.use_private(BLOCKED_BY_PRIVATE_COMPAT, before_station_and_trains)
LAY_TILE_COMPAT_RATINGEN = track_rules.lay_tile(track_rules.BLOCKED_BY_PRIVATE_RATINGEN)
USE_PRIVATE_COMPAT_RATINGEN = track_rules.use_private(
    track_rules.BLOCKED_BY_PRIVATE_RATINGEN, before_station_and_trains
)


def track_waits(view: View) -> bool:
    """The track step always waits for its director (CMP-06), until the lay is made and ends it."""
    return not track_over(view)


def track_over(view: View) -> bool:
    """Tell whether the normal lay is spent."""
    return normal_open(view, turn_of(view.state)) is not None


TRACK_COMPAT = TurnStep("track", waits=track_waits, passable=True)


@check("COMMON-OR-04", "CMP-48")
def station_step_or_granted(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a station outside its step but on the hex that no. 4 gave, as long as no train is bought (CMP-24, CMP-48)."""
    turn = view.frame
    if not isinstance(turn, CompanyTurn):
        return refuse(Code.WRONG_STEP, step="station")
    granted = action.hex in {grant.hex for grant in turn.grants} and not turn.bought
    return None if turn.step == "station" or granted else refuse(Code.WRONG_STEP, step="station")


PLACE_STATION_COMPAT = station_rules.PLACE_STATION.derive(replaced={"in_this_step": station_step_or_granted})
