"""A hex on the page: the tiles and stations that may be laid on it, or why none, and why the other tiles may not."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from trajekt.engine.board.board import Board
from trajekt.engine.components.schema import HexId, TileId
from trajekt.engine.ruleset import Choice
from trajekt.engine.state import Seat
from trajekt.game import Game
from trajekt.i18n.sentences import Catalogue, Speaker, choice_label
from trajekt.i18n.spoken import stop_name
from trajekt.rendering.tile_drawing import draw_tile
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.choice_groups import hex_of, label_of, plain
from trajekt.server.presenters.map_and_market import look_of
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.position_view import choices_at, position, speaker_of
from trajekt.server.presenters.rotations import result, rotation_line
from trajekt.server.services.hex_explanations import hex_refusals, tile_refusals
from trajekt.server.services.table_service import TableService
from trajekt.server.storage.cached_game import CachedGame


@dataclass(frozen=True, slots=True)
class TileChoice:
    """A tile that may be laid on a hex: its legal rotations, each with the whole action and the neighbours that it joins.

    Of rotations of which the same comes there is one. `picture` is drawn in the first, `left` counts what the supply still has.
    """

    tile: TileId
    picture: str
    left: int
    label: str
    note: str
    actions: str


@dataclass(frozen=True, slots=True)
class HexChoice:
    """A choice on a hex that lays no tile: in short where it is about one stop, in full, and as the action that is sent."""

    short: str
    label: str
    seat: Seat
    action: str


@dataclass(frozen=True, slots=True)
class HexInfo(PageModel):
    """A hex: what may be done on it; else `why` nothing may, as sentence and rule, or `theirs`, whose turn it is."""

    template: ClassVar[str] = "hex_info.html"
    hex: HexId
    game: str
    name: str
    tiles: Sequence[TileChoice]
    others: Sequence[HexChoice]
    say: Catalogue
    why: Sequence[tuple[str, str]]
    theirs: str


@dataclass(frozen=True, slots=True)
class TileGroup:
    """Tiles that may not lie on a hex for the same reason, each with its picture; `rule` is the id of the rule."""

    line: str
    rule: str
    tiles: Sequence[tuple[TileId, str]]


@dataclass(frozen=True, slots=True)
class OtherTiles(PageModel):
    """The tiles that may not lie on a hex now."""

    template: ClassVar[str] = "other_tiles.html"
    groups: Sequence[TileGroup]
    name: str
    game: str
    say: Catalogue


def hex_info(table: TableService, cached: CachedGame, viewer: Viewer, at: HexId) -> HexInfo:
    """Return what may be done on a hex, and why the rest may not. Raises `KeyError` where the map has no such hex."""
    game = position(cached)
    if at not in game.state.sheet.hexes:
        raise KeyError(at)
    speaker = speaker_of(cached, viewer)
    seats = table.seats(cached, viewer)
    here = [choice for choice in choices_at(cached, game) if hex_of(choice.action) == at]
    mine = [choice for choice in here if choice.seat in seats]
    tiles = tile_choices(game, mine, speaker, at)
    others = [hex_choice(game.state.board, choice, speaker) for choice in mine if not hasattr(choice.action, "tile")]
    theirs = len(here) > len(mine)
    return HexInfo(
        hex=at,
        game=game.title.id,
        name=speaker.hex(at),
        tiles=tiles,
        others=others,
        say=speaker.catalogue,
        why=[] if mine or theirs else hex_refusals(game, at, speaker),
        theirs=speaker.seat(game.to_act[0]) if theirs and not mine else "",
    )


def tile_choices(game: Game, choices: Sequence[Choice], speaker: Speaker, at: HexId) -> list[TileChoice]:
    """Put together the choices that lay the same tile in the same way: one picture with all its rotations."""
    state, look, say = game.state, look_of(game.title), speaker.catalogue
    found: dict[tuple[str, TileId, str], list[tuple[int, Choice]]] = {}
    for choice in choices:
        fields = msgspec.structs.asdict(choice.action)
        if "tile" in fields:
            special = str(fields.get("private", fields.get("allowance", "")))
            kind = str(choice.action.__struct_config__.tag)
            found.setdefault((kind, str(fields["tile"]), special), []).append((fields["rotation"], choice))
    out = []
    for (kind, tile, special), legal in found.items():
        distinct: dict[Hashable, tuple[int, Choice]] = {}
        for turn, choice in sorted(legal, key=lambda each: each[0]):
            distinct.setdefault(result(state.board, at, tile, turn), (turn, choice))
        turns = list(distinct.values())
        rotation, first = turns[0]
        lines = [
            {"seat": c.seat, "action": c.action, "line": rotation_line(state.board, say, at, tile, turn)}
            for turn, c in turns
        ]
        note = ""
        if kind == "use_private":
            note = speaker.private(int(special))
        elif special and special != "normal":
            note = speaker.word("allowance", special)
        out.append(
            TileChoice(
                tile=tile,
                picture=draw_tile(state.sheet, look, tile, rotation=rotation, size=76),
                left=state.supply.get(tile, 0),
                label=choice_label(speaker, first),
                note=note,
                actions=msgspec.json.encode(lines).decode(),
            )
        )
    return out


def hex_choice(board: Board, choice: Choice, speaker: Speaker) -> HexChoice:
    """A choice on a hex that lays no tile; in short it is the stop's name, where it is about one."""
    fields = msgspec.to_builtins(choice.action)
    full = short = label_of(speaker, choice)
    if "stop" in fields:
        name = stop_name(board, f"{fields['hex']}:{fields['stop']}")
        token = str(fields.get("token", "normal"))
        short = name if token == "normal" else f"{name}, {speaker.word('token', token)}"
    return HexChoice(short, full, choice.seat, plain(choice.action))


def other_tiles(cached: CachedGame, viewer: Viewer, at: HexId) -> OtherTiles:
    """The tiles that may not lie on a hex now, under the reasons why. Raises `KeyError` where the map has no such hex."""
    game = position(cached)
    if at not in game.state.sheet.hexes:
        raise KeyError(at)
    speaker = speaker_of(cached, viewer)
    sheet, look = game.state.sheet, look_of(game.title)
    groups = [
        TileGroup(line, rule, [(tile, draw_tile(sheet, look, tile, size=50)) for tile in tiles])
        for (line, rule), tiles in tile_refusals(game, at, speaker).items()
    ]
    return OtherTiles(groups, speaker.hex(at), game.title.id, speaker.catalogue)
