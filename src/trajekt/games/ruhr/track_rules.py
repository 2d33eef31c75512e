"""Track of 18Ruhr: two lays in a turn, one of them an upgrade, and the hexes of Montan markers (section 10)."""

from __future__ import annotations

from msgspec.structs import replace

from trajekt.engine.actions import LayTile
from trajekt.engine.board.board import Board
from trajekt.engine.components.schema import HexId, Sheet, TileId
from trajekt.engine.frame_notes import Detail
from trajekt.engine.memo import MemoTable
from trajekt.engine.ruleset import Draft, Refusal, Rule, View, check
from trajekt.games.ruhr.components import ruhr_components
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.refusals import Why, because
from trajekt.games.ruhr.state import value_at
from trajekt.rules import turn_notes
from trajekt.rules.operating_round import (
    CompanyTurn,
    in_step,
    set_turn,
    turn_of,
)
from trajekt.rules.tile_laying import (
    LayingPolicy,
    Right,
    any_track,
    connected,
    cost,
    fits,
    known,
    lay,
    lay_options,
    likely_lays,
    places,
    right_open,
    terrain,
)
from trajekt.rules.turn_notes import Allowance

LAYS = 2  # tiles in a turn (RUHR-TRK-01)
MONTAN = 20


class YellowLaid(Detail, word="tile"):
    """A lay of a yellow tile, by its hex."""

    hex: HexId


class Upgraded(Detail, word="upgrade"):
    """A lay of an upgrade, by its hex."""

    hex: HexId


NOTES = (*turn_notes.SHARED, YellowLaid, Upgraded)
"""The kinds of notes in the frames of this game."""


def tiles_left(view: View, turn: CompanyTurn) -> Refusal | None:
    """Two tiles in a turn."""
    return because(Why.TWO_TILES, "RUHR-TRK-01") if len(turn.lays) >= LAYS else None


def one_upgrade(view: View, at: HexId, tile: TileId) -> Refusal | None:
    """Never two upgrades, and no upgrade of a tile laid this turn (RUHR-TRK-01)."""
    turn = turn_of(view.state)
    if view.sheet.tiles[tile].face.colour == "yellow":
        return None
    if YellowLaid(at) in turn.lays or any(isinstance(note, Upgraded) for note in turn.lays):
        return because(Why.ONE_UPGRADE, "RUHR-TRK-01", hex=at)
    return None


def note_lay(draft: Draft, at: HexId) -> None:
    """The turn remembers where a tile was laid, and whether it was an upgrade."""
    turn = turn_of(draft.state)
    upgrade = draft.state.board.face(at).colour != "yellow"
    set_turn(draft, lays=(*turn.lays[:-1], (Upgraded if upgrade else YellowLaid)(at)))


CITES = {
    "finished": "RUHR-TRK-03",
    "final": "RUHR-TRK-13",
    "final:716": "RUHR-TRK-13",
    "final:913": "RUHR-TRK-12",
    "colour": "RUHR-TRK-02",
    "letters": "RUHR-TRK-08",
    "kind": "RUHR-TRK-07",
    "hexes": "RUHR-TRK-12",
    "successor": "RUHR-TRK-09",
    "turn": "RUHR-TRK-12",
    "banks": "RUHR-TRK-05",
    "river": "RUHR-TRK-05",
    "rim": "RUHR-TRK-05",
    "blank": "RUHR-TRK-05",
    "stub": "RUHR-TRK-05",
    "lost": "RUHR-TRK-09",
}


_WITHOUT_MARKER: MemoTable[Sheet, HexId, Sheet] = MemoTable("ruhr sheet without marker")


LOGOS = frozenset({"MT", "MC"})
"""The labels of tiles that bear the Montan logo and no letter."""


def components(board: Board, at: HexId) -> Sheet:
    """Let a hex be built on, once a closed corporation's marker is gone, as if it never had one (RUHR-TRK-08, Q32).

    Dortmund and Essen keep the tiles of their letters, and take no others (RUHR-TRK-12).
    """
    sheet = board.sheet
    if at not in ruhr_components(sheet).mine_at or value_at(board.contents(at).icons) >= 0:
        return sheet
    if not LOGOS.issuperset(sheet.hexes[at].face.labels):
        return sheet
    known = _WITHOUT_MARKER.of(sheet)
    if at not in known:
        printed = sheet.hexes[at]
        bare = replace(printed, face=replace(printed.face, labels=()))
        tiles = {n: replace(tile, upgrades_to=None) if tile.face.labels else tile for n, tile in sheet.tiles.items()}
        known[at] = replace(sheet, hexes={**sheet.hexes, at: bare}, tiles=tiles)
    return known[at]


LAYING = LayingPolicy(
    rights={"normal": Right(Allowance.NORMAL, tiles_left, any_track, one_upgrade, done=note_lay)},
    powers={},
    costs=(terrain,),
    upgrade="RUHR-TRK-10",
    cites=CITES,
    components=components,
)


@check("RUHR-TRK-13")
def town_becomes_city(view: View, action: LayTile) -> Refusal | None:
    """Refuse 716 but upon a town with the marker of a MONTAN corporation."""
    if action.tile != "716" or value_at(view.state.board.contents(action.hex).icons) >= MONTAN:
        return None
    return because(Why.NEEDS_MONTAN, hex=action.hex)


@check("RUHR-TRK-12")
def green_of_j3(view: View, action: LayTile) -> Refusal | None:
    """Refuse any green tile of J3 but 720, where the table asks for it (Q30)."""
    tile = view.sheet.tiles["720"]
    if view.ruleset.policy(RuhrOptions).j3_720 != "required" or action.hex not in tile.hexes:
        return None
    if view.sheet.tiles[action.tile].face.colour != tile.face.colour or action.tile == "720":
        return None
    return because(Why.ONLY_720, hex=action.hex)


LAY_TILE = Rule(
    LayTile,
    lay_options,
    lay,
    needs=(in_step("track"), right_open, known, fits),
    checks=(town_becomes_city, green_of_j3, places, connected, cost),
    likely=likely_lays,
)
