"""Laying tiles in 18LRA: the normal lay, the second yellow tile, the Kreisbahn's lay, private no. 5 (LRA-TRK-24 to -29)."""

from __future__ import annotations

from trajekt.engine.actions import LayTile, UsePrivate
from trajekt.engine.components.schema import HexId, TileId
from trajekt.engine.events import FlagSet
from trajekt.engine.ruleset import Check, Code, Draft, Refusal, Rule, View, refuse
from trajekt.games.lra.components import first_yellow_tiles
from trajekt.games.lra.kreisbahn import GKB, FurtherLay, accessible, lay_open
from trajekt.rules import tile_laying
from trajekt.rules.operating_round import CompanyTurn, TurnStep, in_step, turn_of
from trajekt.rules.private_companies import (
    Power,
    PowersPolicy,
    can_use_power,
    on_hexes,
    own_power,
    power_in_phase,
    power_options,
    rights,
    use_power,
)
from trajekt.rules.tile_laying import Lay, LayingPolicy, Right
from trajekt.rules.turn_notes import Allowance, PowerLay

YELLOW = "yellow"
"""The allowance of the second yellow tile, and the mark of who has laid a first one in his first turn (LRA-TRK-27)."""

MANCHESTER = 5
"""The number of Rhineland's Manchester (LRA-PRV-20)."""

CITES = {
    "river": "LRA-TRK-25",  # every closed side of this map is the Rhine
    "banks": "LRA-TRK-24",
    "stub": "LRA-TRK-29",
}


def beside_manchester(turn: CompanyTurn) -> Refusal | None:
    """The tile of no. 5 is the only one of its turn (LRA-PRV-20)."""
    return refuse(Code.LONE_TILE, "LRA-PRV-20", private=MANCHESTER) if PowerLay(MANCHESTER) in turn.lays else None


def normal_open(_view: View, turn: CompanyTurn) -> Refusal | None:
    """One tile in a turn (COMMON-TRK-01)."""
    if Allowance.NORMAL in turn.lays:
        return refuse(Code.ONE_TILE, "COMMON-TRK-01")
    return beside_manchester(turn)


def second_open(view: View, turn: CompanyTurn) -> Refusal | None:
    """A second yellow tile in the first operating round, after a first one that was yellow (LRA-TRK-27)."""
    company = view.state.companies[turn.company]
    allowed = first_yellow_tiles(view.sheet, company.id) > 1 and not company.operated
    if not allowed or FurtherLay.SECOND_YELLOW in turn.lays or view.state.marks.get(YELLOW) != company.id:
        return refuse(Code.NO_SECOND_YELLOW, "LRA-TRK-27", company=company.id)
    return None


def yellow_only(view: View, _at: HexId, tile: TileId) -> Refusal | None:
    """Require that the second tile is yellow too."""
    if view.sheet.tiles[tile].face.colour == YELLOW:
        return None
    return refuse(Code.WRONG_COLOUR, "LRA-TRK-27", tile=tile, colour=YELLOW)


def note_yellow(draft: Draft, at: HexId) -> None:
    """Remember that the first tile of a first turn was yellow."""
    company = draft.state.companies[turn_of(draft.state).company]
    two = first_yellow_tiles(draft.sheet, company.id) > 1 and not company.operated
    if two and draft.state.board.face(at).colour == YELLOW:
        draft.emit(FlagSet(YELLOW, company.id))


def only_lay(_view: View, turn: CompanyTurn) -> Refusal | None:
    """No. 5 lays the only tile of its turn (LRA-PRV-20, OQ-38)."""
    return refuse(Code.LONE_TILE, "LRA-PRV-20", private=MANCHESTER) if turn.lays else None


def kreisbahn_open(view: View, turn: CompanyTurn) -> Refusal | None:
    """The lay of the Kreisbahn; private no. 5 is closed by then."""
    return lay_open(view, turn)


POWERS = PowersPolicy(
    {
        MANCHESTER: Power(
            "LRA-PRV-20", only_lay, on_hexes(MANCHESTER, "LRA-PRV-20"), grants=True, lasting=True, exclusive=True
        )
    },
    elsewhere=dict.fromkeys((2, 3, 4), "station"),
)
"""Nos. 2 to 4 lay nothing: they keep harbour places (LRA-PRV-19). No. 1 and no. 6 act by themselves (LRA-PRV-18, -21)."""

LAYING = LayingPolicy(
    rights={
        "normal": Right(Allowance.NORMAL, normal_open, tile_laying.city_or_new_track, done=note_yellow),
        YELLOW: Right(FurtherLay.SECOND_YELLOW, second_open, tile_laying.city_or_new_track, yellow_only),
        GKB: Right(FurtherLay.KREISBAHN, kreisbahn_open, None),  # what it must reach is asked by `accessible`
    },
    powers=rights(POWERS.powers),
    costs=(tile_laying.terrain, tile_laying.replaced),
    upgrade="COMMON-TRK-11",
    cites=CITES,
)

IN_TRACK = in_step("track")
NEEDS: tuple[Check[Lay], ...] = (tile_laying.right_open, tile_laying.known, tile_laying.fits, tile_laying.places)
CHECKS: tuple[Check[Lay], ...] = (tile_laying.from_phase("LRA-TRK-26"), tile_laying.connected, tile_laying.cost)

LAY_TILE: Rule[LayTile] = Rule(
    LayTile,
    tile_laying.lay_options,
    tile_laying.lay,
    needs=(IN_TRACK, *NEEDS),
    checks=(*CHECKS, accessible),
    likely=tile_laying.likely_lays,
)
USE_PRIVATE: Rule[UsePrivate] = Rule(
    UsePrivate, power_options, use_power, needs=(IN_TRACK, own_power, power_in_phase, *NEEDS), checks=CHECKS
)


def track_waits(view: View) -> bool:
    """Tell whether the company can lay a tile, or its director use a power (COMMON-OR-04)."""
    return tile_laying.can_lay(view) or can_use_power(view)


TRACK = TurnStep("track", waits=track_waits, passable=True)
