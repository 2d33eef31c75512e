"""Laying tiles in 18Rhl, both editions: the normal lay, its connection, the special hexes (RHL-TRK-16 to -23)."""

from __future__ import annotations

from collections.abc import Mapping

from trajekt.engine.actions import Action, LayTile, UsePrivate
from trajekt.engine.board.reachability import Reach
from trajekt.engine.board.upgrades import Upgrade
from trajekt.engine.components.schema import FIRST_STOP, HexId, Stop
from trajekt.engine.ruleset import Check, Code, Refusal, Rule, View, refuse
from trajekt.games.rhl.private_companies import POWERS_R1, POWERS_R2, RATINGEN
from trajekt.rules import tile_laying
from trajekt.rules.operating_round import CompanyTurn, TurnStep, in_step
from trajekt.rules.private_companies import (
    PowersPolicy,
    blocked_by_private,
    can_use_power,
    own_power,
    power_in_phase,
    power_options,
    rights,
    use_power,
)
from trajekt.rules.tile_laying import Lay, LayingPolicy, Right
from trajekt.rules.turn_notes import Allowance, PowerLay

CITES = {
    "river": "RHL-TRK-16",  # every closed side of this map is the Rhine
    "banks": "RHL-TRK-17",
    "turn": "RHL-TRK-17",
    "stub": "RHL-TRK-19",
    "turn@E8": "RHL-TRK-21",
    "final:935": "RHL-TRK-21",
}
CITES_RATINGEN = {**CITES, "stub@E10": "RHL-RAT-02", "stub@E12": "RHL-RAT-02", "letters@E10": "RHL-RAT-02"}


# The normal lay -----------------------------------------------------------------------------------------------------------


def only_lay_made(turn: CompanyTurn) -> Refusal | None:
    """In R2 the tile of no. 2 is the only one of its turn (RHL-PRV-09)."""
    return refuse(Code.LONE_TILE, "RHL-PRV-09", private=2) if PowerLay(2) in turn.lays else None


def normal_open_r1(_view: View, turn: CompanyTurn) -> Refusal | None:
    """One tile in a turn (COMMON-TRK-01); powers lay beside it (RHL-PRV-05)."""
    return refuse(Code.ONE_TILE, "COMMON-TRK-01") if Allowance.NORMAL in turn.lays else None


def normal_open_r2(view: View, turn: CompanyTurn) -> Refusal | None:
    """One tile in a turn, none beside that of no. 2."""
    return normal_open_r1(view, turn) or only_lay_made(turn)


def extends_route(view: View, here: Reach, at: HexId, laid: Upgrade) -> bool | None:
    """R1: an upgrade extends an available route by new track, or a city on the route gains track or value (RHL-TRK-12)."""
    old = view.state.board.face(at)
    if not old.colour:
        return tile_laying.any_track(view, here, at, laid)
    for index, stop in enumerate(old.stops):
        if stop.kind == "city" and here.stop(at, index) and _gains(stop, laid, laid.stops[index]):
            return True
    return tile_laying.new_track(view, here, at, laid)


def _gains(before: Stop, laid: Upgrade, target: int) -> bool:
    after = laid.face.stops[target]
    more = max(after.revenue.values(), default=0) > max(before.revenue.values(), default=0)
    return more or any(target + FIRST_STOP in (piece.a, piece.b) for piece in laid.new_track)


COSTS = (tile_laying.terrain, tile_laying.replaced)


def laying_r1(powers: PowersPolicy, cites: Mapping[str, str] = CITES) -> LayingPolicy:
    """Laying in the first edition."""
    normal = Right(Allowance.NORMAL, normal_open_r1, extends_route)
    return LayingPolicy({"normal": normal}, rights(powers.powers), COSTS, "RHL-TRK-12", cites)


def laying_r2(powers: PowersPolicy) -> LayingPolicy:
    """Laying in the second edition."""
    normal = Right(Allowance.NORMAL, normal_open_r2, tile_laying.city_or_new_track)
    return LayingPolicy({"normal": normal}, rights(powers.powers), COSTS, "COMMON-TRK-11", CITES)


POWERS_POLICY_R1 = PowersPolicy(POWERS_R1)
POWERS_POLICY_R2 = PowersPolicy(POWERS_R2)
POWERS_POLICY_RATINGEN = PowersPolicy({**POWERS_R1, 1: RATINGEN})

LAYING_R1 = laying_r1(POWERS_POLICY_R1)
LAYING_R2 = laying_r2(POWERS_POLICY_R2)
LAYING_RATINGEN = laying_r1(POWERS_POLICY_RATINGEN, CITES_RATINGEN)

IN_TRACK = in_step("track")
BLOCKED_BY_PRIVATE = blocked_by_private("RHL-TRK-20")
BLOCKED_BY_PRIVATE_RATINGEN = blocked_by_private("RHL-RAT-02")
OPEN_YET = tile_laying.from_phase("RHL-RAT-02")


NEEDS: tuple[Check[Lay], ...] = (tile_laying.right_open, tile_laying.known, tile_laying.fits, tile_laying.places)


def checks(closed: Check[Lay]) -> tuple[Check[Lay], ...]:
    """The checks of every lay; `closed` says how a private company keeps its hex."""
    return (closed, OPEN_YET, tile_laying.connected, tile_laying.cost)


def lay_tile(closed: Check[Lay] = BLOCKED_BY_PRIVATE) -> Rule[LayTile]:
    """The rule of the normal lay."""
    needs: tuple[Check[LayTile], ...] = (IN_TRACK, *NEEDS)
    return Rule(
        LayTile,
        tile_laying.lay_options,
        tile_laying.lay,
        needs=needs,
        checks=checks(closed),
        likely=tile_laying.likely_lays,
    )


def use_private(closed: Check[Lay] = BLOCKED_BY_PRIVATE, step: Check[Action] = IN_TRACK) -> Rule[UsePrivate]:
    """The rule of the powers that lay tiles (COMMON-PRV-02)."""
    needs: tuple[Check[UsePrivate], ...] = (step, own_power, power_in_phase, *NEEDS)
    return Rule(UsePrivate, power_options, use_power, needs=needs, checks=checks(closed))


LAY_TILE = lay_tile()
LAY_TILE_RATINGEN = lay_tile(BLOCKED_BY_PRIVATE_RATINGEN)
USE_PRIVATE = use_private()
USE_PRIVATE_RATINGEN = use_private(BLOCKED_BY_PRIVATE_RATINGEN)


def track_waits(view: View) -> bool:
    """Tell whether the company can lay a tile, or its director use a power (COMMON-OR-04)."""
    return tile_laying.can_lay(view) or can_use_power(view)


TRACK = TurnStep("track", waits=track_waits, passable=True)
