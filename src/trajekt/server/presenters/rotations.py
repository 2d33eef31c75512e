"""Rotations of a tile told in words: which neighbours its track joins as it would lie."""

from __future__ import annotations

from collections.abc import Sequence

from trajekt.engine.board.board import Board
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.components.schema import HexId, TileId
from trajekt.i18n.sentences import Catalogue


def joined(board: Board, at: HexId, tile: TileId, rotation: int) -> tuple[Sequence[HexId], Sequence[HexId]]:
    """The neighbours to which a tile would lead on a hex: those whose track meets it, and those that have none there."""
    meeting: list[HexId] = []
    open_ends: list[HexId] = []
    for edge in sorted(board.sheet.rotated[tile, rotation].edges):
        other = beyond(at, edge, board.sheet.layout)
        if other in board.sheet.hexes:
            meets = opposite(edge) in board.face(other).edges
            (meeting if meets else open_ends).append(other)
    return meeting, open_ends


def rotation_line(board: Board, say: Catalogue, at: HexId, tile: TileId, rotation: int) -> str:
    """A rotation by what it joins; by where it leads, where it joins nothing yet."""
    meeting, open_ends = joined(board, at, tile, rotation)
    if meeting:
        return say.text("page.rotation.joins", hexes=", ".join(meeting))
    return say.text("page.rotation.leads", hexes=", ".join(open_ends))
