"""Explanations: what may not be done on a hex, and why a tile may not lie there. The rules are asked by trying."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from trajekt.engine.components.schema import HexId, TileId
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker, refusal_line
from trajekt.rendering.component_sheets import tiles_in_order

FAR = frozenset({"wrong_colour", "wrong_kind", "not_in_phase"})
"""Reasons that hold for most tiles on most hexes: a nearer one tells more about this hex."""
ELSEWHERE = frozenset({"wrong_step", "not_in_ruleset"})
"""Reasons that have nothing to do with the hex."""
_Reason = tuple[str, str]
"""A sentence in the viewer's language, and the rule's id."""


def hex_refusals(game: Game, at: HexId, speaker: Speaker) -> list[_Reason]:
    """Return why nothing may be done on a hex: the three reasons that tell most about it."""
    reasons: list[_Reason] = []
    far: set[_Reason] = set()
    for fields in attempts(game, at):
        reason, general = refusal_of(game, fields, speaker)
        if reason is not None:
            reasons.append(reason)
            if general:
                far.add(reason)
    return sorted(dict.fromkeys(reasons), key=lambda reason: (reason in far, -reasons.count(reason)))[:3]


def tile_refusals(game: Game, at: HexId, speaker: Speaker) -> Mapping[_Reason, list[TileId]]:
    """Return why the tiles that may not lie on a hex now may not: the tiles of which some are left, by their nearest reason."""
    found: dict[_Reason, list[TileId]] = {}
    for tile in tiles_in_order(game.state.sheet):
        if not game.state.supply.get(tile, 0):
            continue
        reasons: list[tuple[bool, _Reason]] = []
        for turn in range(6):
            tried = [{**kind, "hex": at, "tile": tile, "turn": turn} for kind in laying(game)]
            answers = [refusal_of(game, fields, speaker, unsaid=("tile",)) for fields in tried]
            if any(reason is None for reason, _ in answers):
                break
            reasons += [(general, reason) for reason, general in answers if reason is not None]
        else:
            told = [reason for _, reason in reasons]
            nearest = min(reasons, key=lambda each: (each[0], -told.count(each[1])), default=None)
            if nearest is not None:
                found.setdefault(nearest[1], []).append(tile)
    return dict(sorted(found.items(), key=lambda item: len(item[1])))


def laying(game: Game) -> list[dict[str, object]]:
    """The kinds of action that lay a tile of the supply."""
    kinds = [kind for kind in game.ruleset.actions if {"hex", "tile"} <= set(kind.__struct_fields__)]
    return [{"kind": str(kind.__struct_config__.tag)} for kind in kinds if "private" not in kind.__struct_fields__]


def attempts(game: Game, at: HexId) -> list[dict[str, object]]:
    """All that could be tried on a hex: each tile of which some are left in each rotation, and each stop."""
    state = game.state
    tiles = [tile for tile, left in state.supply.items() if left]
    tried: list[dict[str, object]] = [
        {**kind, "hex": at, "tile": tile, "turn": turn} for kind in laying(game) for tile in tiles for turn in range(6)
    ]
    stops = [chr(ord("a") + n) for n in range(max(1, len(state.board.face(at).stops)))]
    kinds = [kind for kind in game.ruleset.actions if {"hex", "stop"} <= set(kind.__struct_fields__)]
    tried += [{"kind": str(kind.__struct_config__.tag), "hex": at, "stop": stop} for kind in kinds for stop in stops]
    return tried


def refusal_of(
    game: Game, fields: Mapping[str, object], speaker: Speaker, unsaid: Collection[str] = ()
) -> tuple[_Reason | None, bool]:
    """Return why an action is refused, and whether the reason is general; no reason where it is legal or beside the point.

    The sentence leaves out the arguments `unsaid`, which stand beside it.
    """
    if not game.to_act:
        return None, False
    try:
        action = game.codec.action_of(fields)
    except msgspec.ValidationError:
        return None, False
    refusal = game.why_not(action, game.to_act[0])
    if refusal is None or refusal.code in ELSEWHERE:
        return None, False
    told = msgspec.structs.replace(refusal, args={k: v for k, v in refusal.args.items() if k not in unsaid})
    return (refusal_line(speaker, told), refusal.rule), refusal.code in FAR
