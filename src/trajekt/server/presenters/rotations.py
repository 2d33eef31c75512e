"""Rotations of a tile: in words, which neighbours its track joins as it would lie, and as pictures among its neighbours."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from trajekt.engine.board.board import Board
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.board.upgrades import stop_mapping
from trajekt.engine.components.schema import FIRST_STOP, Face, HexId, TileId
from trajekt.engine.ruleset import Draft
from trajekt.game import Game
from trajekt.i18n.sentences import Catalogue
from trajekt.rendering.hex_geometry import centre
from trajekt.rendering.track_curves import RADIUS
from trajekt.rules.placement_by_hand import TilePut, arrange
from trajekt.server.presenters.map_and_market import hex_svg
from trajekt.server.presenters.page_model import PageModel

AROUND = 1.9
"""Half the side of a picture in radii of a hex: a hex and the near half of each neighbour."""


@dataclass(frozen=True, slots=True)
class RotationPicture:
    """A tile on a hex in one rotation: the drawing of the hex, and what it joins in words."""

    rotation: int
    picture: str
    line: str


@dataclass(frozen=True, slots=True)
class RotationPictures(PageModel):
    """The rotations of a tile on a hex that look different; `around` draws the neighbours, `box` is the view of each."""

    template: ClassVar[str] = "rotation_pictures.html"
    box: str
    around: str
    turns: Sequence[RotationPicture]
    say: Catalogue


def picture_of(face: Face) -> tuple[Hashable, Sequence[Hashable]]:
    """A face as it looks, however its stops are numbered; and each of its stops by kind, place and track."""
    ends: list[list[int]] = [[] for _ in face.stops]
    for piece in face.track:
        for stop, other in ((piece.a, piece.b), (piece.b, piece.a)):
            if stop >= FIRST_STOP > other:
                ends[stop - FIRST_STOP].append(other)
    stops = [
        (stop.kind, stop.slots, stop.harbour_slots, stop.name, stop.bank, str(stop.at), tuple(sorted(ends[n])))
        for n, stop in enumerate(face.stops)
    ]

    def end(number: int) -> str:
        return str(number if number < FIRST_STOP else stops[number - FIRST_STOP])

    track = frozenset((piece.kind, frozenset((end(piece.a), end(piece.b)))) for piece in face.track)
    return (track, tuple(sorted(map(str, stops))), face.banks, frozenset(face.river_edges)), stops


def result(board: Board, at: HexId, tile: TileId, rotation: int) -> Hashable:
    """The outcome of a tile on a hex: two rotations of which the same comes are one choice, though the rules name each.

    Beside the picture it is told by where each city goes that lay there, since stations go with it.
    """
    old, new = board.face(at), board.sheet.rotated[tile, rotation]
    picture, stops = picture_of(new)
    carried = stop_mapping(old, new)
    if carried is None:  # nothing follows upon what lay there: stations keep the numbers of their stops
        return picture, tuple(stops)
    held = [
        stops[target] for before, target in zip(old.stops, carried, strict=True) if before.slots or before.harbour_slots
    ]
    return picture, tuple(held)


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
    """A rotation by what it joins; by where it leads, where it joins nothing yet, or that it leads off the map."""
    meeting, open_ends = joined(board, at, tile, rotation)
    if meeting:
        return say.text("page.rotation.joins", hexes=", ".join(meeting))
    if not open_ends:
        return say.text("page.rotation.nowhere")
    return say.text("page.rotation.leads", hexes=", ".join(open_ends))


def rotation_pictures(game: Game, at: HexId, tile: TileId, say: Catalogue) -> RotationPictures:
    """Picture the rotations of a tile on a hex, whatever the rules say. Raises `KeyError` where there is none of either."""
    sheet, board = game.state.sheet, game.state.board
    if at not in sheet.hexes:
        raise KeyError(at)
    middle_x, middle_y = centre(sheet.layout, at)
    around = []
    for name in (beyond(at, edge, sheet.layout) for edge in range(6)):
        if name in sheet.hexes:
            x, y = centre(sheet.layout, name)
            drawn = hex_svg(game.state, game.title, name)
            around.append(f'<g transform="translate({x - middle_x:.1f} {y - middle_y:.1f})">{drawn}</g>')
    seen, turns = set(), []
    for rotation in range(6):
        comes = result(board, at, tile, rotation)
        laid = arrange(game.ruleset, game.state, TilePut(at, tile, rotation))
        if comes not in seen and isinstance(laid, Draft):
            seen.add(comes)
            picture = hex_svg(laid.state, game.title, at)
            turns.append(RotationPicture(rotation, picture, rotation_line(board, say, at, tile, rotation)))
    half = AROUND * RADIUS
    return RotationPictures(f"{-half:.0f} {-half:.0f} {2 * half:.0f} {2 * half:.0f}", "".join(around), turns, say)
