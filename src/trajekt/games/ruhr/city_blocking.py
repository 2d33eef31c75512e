"""Passage of a company's trains in 18Ruhr: cities filled by others, location markers included (section 12)."""

from __future__ import annotations

from typing import Any

from trajekt.engine.board.board import Board
from trajekt.engine.board.city_blocking import Passage
from trajekt.engine.board.track_graph import stop_ref
from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.games.ruhr.state import value_at


def printed_own(board: Board, at: HexId) -> dict[str, Any]:
    """The print of this game alone on the face in force: that of the tile where one lies."""
    tile = board.contents(at).tile
    return dict(board.sheet.tiles[tile].own if tile else board.sheet.hexes[at].own)


def in_circle(board: Board, at: HexId, *, on_716: bool) -> bool:
    """Tell whether the location marker takes a circle of the city: on brown and grey Montan cities (RUHR-TRK-14, Q31)."""
    if value_at(board.contents(at).icons) < 0:
        return False
    own, tile = printed_own(board, at), board.contents(at).tile
    return bool(own.get("location_space")) or (on_716 and tile == "716")


def passage(on_716: bool, board: Board, company: CompanyId) -> Passage:
    """Passage of a company: not through a city wholly filled by others, markers included (RUHR-ROUTE-04, RUHR-TRK-16).

    Green Steele and Lünen are free for all (RUHR-ROUTE-08); a space kept for a home blocks nobody (RUHR-ROUTE-09), nor does a
    station on a red hex (RUHR-TOK-05).
    """
    blocked: dict[str, str] = {}
    for at, contents in board.contents_by_hex.items():
        if not contents.stations and not contents.icons:
            continue
        if printed_own(board, at).get("never_blocks"):
            continue
        marker = in_circle(board, at, on_716=on_716)
        for index, stop in enumerate(board.face(at).stops):
            here = [s.company for s in contents.stations if s.stop == index and not s.asleep]
            if stop.kind != "city" or not stop.slots or company in here:
                continue
            if len(here) + marker >= stop.slots:
                blocked[stop_ref(at, index)] = "RUHR-ROUTE-04"
    return Passage(blocked, terminal=board.network.offboards)
