"""Games exported from 18xx.games, read into a `Game` under the ruleset that knows the site's differences.

Here is what all exports share: which entries stand after undo and redo (CMP-01), programmed actions and those carried out by
themselves (CMP-02), seats (CMP-05). What an entry means is the affair of the game's `Translator`. Every action is decided
by the rules here; nothing that the file computed is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trajekt.engine.import_protocol import ExportItem, Exports, Untranslatable
from trajekt.engine.ruleset import Refusal
from trajekt.engine.title import Title
from trajekt.game import Game, Refused, new_game
from trajekt.i18n.sentences import Speaker, catalogue, refusal_line
from trajekt.records import RecordError, values_of
from trajekt.registry import UnknownGameError, title

PROGRAMS = "program_"
LOOK_AHEAD = 12
SILENT = frozenset({"message", "destination_connection"})


class ImportRefusedError(RecordError):
    """An entry of an export that the rules refuse. `refusal` is their answer, `game` the game up to there; None elsewhere."""

    def __init__(self, message: str, entry: int, refusal: Refusal | None = None, game: Game | None = None) -> None:
        super().__init__(message, entry)
        self.refusal = refusal
        self.game = game


def is_export(data: bytes) -> bool:
    """Whether a file looks like an export of 18xx.games."""
    try:
        head = values_of(data)
    except RecordError:
        return False
    return isinstance(head, Mapping) and "actions" in head and "title" in head and "trajekt" not in head


def _export(data: bytes) -> dict[str, Any]:
    """The plain values of an export; `RecordError` where its frame is not as expected."""
    export = values_of(data)
    if not isinstance(export, dict) or not isinstance(export.get("actions"), list):
        message = "this is no 18xx.games export: it has no list of actions"
        raise RecordError(message)
    players = export.get("players")
    if not isinstance(players, list) or not all(isinstance(p, dict) and "id" in p and "name" in p for p in players):
        message = "the export does not say who plays"
        raise RecordError(message)
    return export


def standing(entries: Sequence[Any]) -> list[tuple[int, dict[str, Any]]]:
    """The entries that stand after undo and redo, each with its number in the file from 1 (CMP-01)."""
    stand: list[tuple[int, dict[str, Any]]] = []
    dropped: list[list[tuple[int, dict[str, Any]]]] = []
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict) or not isinstance(entry.get("type"), str):
            message = "an entry has no type"
            raise RecordError(message, number)
        kind = entry["type"]
        if kind == "undo":
            dropped.append(_undo(stand, entry.get("action_id"), number))
        elif kind == "redo":
            if not dropped:
                message = "a redo without an undo before it"
                raise RecordError(message, number)
            stand += dropped.pop()
        elif kind != "message":
            stand.append((number, entry))
            dropped.clear()
    return stand


def _undo(stand: list[tuple[int, dict[str, Any]]], to: Any, number: int) -> list[tuple[int, dict[str, Any]]]:
    if not stand:
        message = "an undo with nothing before it"
        raise RecordError(message, number)
    keep = len(stand) - 1 if to is None else sum(1 for _, entry in stand if entry.get("id", 0) <= to)
    gone = stand[keep:]
    del stand[keep:]
    return gone


def items(stand: Sequence[tuple[int, dict[str, Any]]]) -> list[ExportItem]:
    """What is to be carried out, in order: entries, and behind each what followed by itself (CMP-02)."""
    out: list[ExportItem] = []
    for number, entry in stand:
        for raw in (entry, *_automatic(entry, number)):
            kind = raw.get("type", "")
            if kind in SILENT or kind.startswith(PROGRAMS):
                continue
            out.append(ExportItem(number, entry.get("id", number), raw))
    return out


def _ahead(entries: Sequence[Any]) -> list[ExportItem]:
    """What comes behind the entries asked for: not carried out, but it tells which step a pass left."""
    return [
        ExportItem(0, 0, entry)
        for entry in entries[:LOOK_AHEAD]
        if isinstance(entry, dict)
        and isinstance(entry.get("type"), str)
        and entry["type"] not in {"undo", "redo", *SILENT}
    ]


def _automatic(entry: Mapping[str, Any], number: int) -> list[dict[str, Any]]:
    found = entry.get("auto_actions") or []
    if not isinstance(found, list) or not all(
        isinstance(raw, dict) and isinstance(raw.get("type"), str) for raw in found
    ):
        message = "what followed by itself cannot be read"
        raise RecordError(message, number)
    return found


def seats(export: Mapping[str, Any]) -> list[tuple[Any, str]]:
    """The players by seat: in the order of their first actions, then as listed (CMP-05)."""
    names = {player["id"]: str(player["name"]) for player in export["players"]}
    order: dict[Any, str] = {}
    for entry in export["actions"]:
        if (
            isinstance(entry, dict)
            and entry.get("entity_type") == "player"
            and entry.get("type") not in {"undo", "redo", "message"}
        ):
            who = entry.get("entity")
            if who in names:
                order.setdefault(who, names[who])
        if len(order) == len(names):
            break
    return [*order.items(), *((who, name) for who, name in names.items() if who not in order)]


def _title_of(export: Mapping[str, Any]) -> tuple[Title, Exports]:
    name = str(export.get("title", ""))
    try:
        found = title(name)
    except UnknownGameError as fault:
        message = f"the export is of {name!r}, which is not installed"
        raise RecordError(message) from fault
    if found.exports is None:
        message = f"exports of {found.name} cannot be read"
        raise RecordError(message)
    return found, found.exports


def read_export(
    data: bytes, *, until: int | None = None, components: str | None = None, draw: int | None = None
) -> Game:
    """The game of an export after its first `until` entries, undone ones included.

    `draw` is what was drawn at set-up, which no export says (CMP-04); without it the values are tried that fit all revenues
    of the file. Raises `RecordError` that names the entry at fault.
    """
    export = _export(data)
    found, exports = _title_of(export)
    entries = export["actions"]
    if until is not None and until > len(entries):
        message = f"the export has {len(entries)} entries, there is no entry {until}"
        raise RecordError(message, until)
    todo = items(standing(entries if until is None else entries[:until]))
    ahead = [] if until is None else _ahead(entries[until:])
    candidates = exports.draws(export) if draw is None else (draw,)
    if until is not None and len(candidates) > 1:
        candidates = _draws_of_all(found, exports, export, candidates, components)
    game, _ = _fitted(found, exports, export, (todo, ahead), candidates, components)
    return game


def _draws_of_all(
    found: Title, exports: Exports, export: Mapping[str, Any], candidates: tuple[int, ...], components: str | None
) -> tuple[int, ...]:
    """The draws that fit the whole file; where it cannot be read to its end, all of them."""
    try:
        _, fits = _fitted(found, exports, export, (items(standing(export["actions"])), []), candidates, components)
    except RecordError:
        return candidates
    return fits


def _fitted(
    found: Title,
    exports: Exports,
    export: Mapping[str, Any],
    todo: tuple[list[ExportItem], list[ExportItem]],
    candidates: tuple[int, ...],
    components: str | None,
) -> tuple[Game, tuple[int, ...]]:
    while True:
        try:
            return _played(found, exports, export, todo, candidates, components)
        except OtherDraw as other:
            candidates = other.candidates
            if not candidates:
                raise ImportRefusedError(str(other), other.entry) from None


class OtherDraw(Exception):
    """A revenue of the file shows that something else was drawn: the values that still fit."""

    def __init__(self, candidates: tuple[int, ...], message: str, entry: int) -> None:
        super().__init__(message)
        self.candidates = candidates
        self.entry = entry


def _played(
    found: Title,
    exports: Exports,
    export: Mapping[str, Any],
    todo: tuple[list[ExportItem], list[ExportItem]],
    candidates: tuple[int, ...],
    components: str | None,
) -> tuple[Game, tuple[int, ...]]:
    order = seats(export)
    if len({name for _, name in order}) < len(order):
        message = "two players have the same name"
        raise RecordError(message)
    try:
        options = exports.options(export, candidates[0])
        game = new_game(found.id, [name for _, name in order], options, seed=_seed(export), components=components)
    except (Untranslatable, ValueError) as fault:
        raise RecordError(str(fault)) from fault
    translator = exports.translator(game.ruleset, [who for who, _ in order], [*todo[0], *todo[1]])
    for at, item in enumerate(todo[0]):
        where = f"(id {item.id}) " if item.id != item.entry else ""
        try:
            _carry_out(game, translator.steps(lambda: game.state, at))
        except Refused as refused:
            speaker = Speaker(catalogue("en", found.package), game.ruleset.sheet, game.state.names)
            message = f"{where}{item.raw.get('type')} is refused: {refusal_line(speaker, refused.refusal)}"
            raise ImportRefusedError(message, item.entry, refused.refusal, game) from refused
        except (Untranslatable, KeyError, ValueError, IndexError, TypeError) as fault:
            what = str(fault) if isinstance(fault, Untranslatable) else f"cannot be read: {fault!r}"
            raise ImportRefusedError(f"{where}{what}", item.entry) from fault
        fits = translator.fitting(lambda: game.state, at, candidates)
        if fits != candidates:
            if not fits or fits[0] != candidates[0]:
                raise OtherDraw(fits, f"{where}{translator.complaint}", item.entry)
            candidates = fits
    return game, candidates


def _carry_out(game: Game, steps: Iterator[tuple[int, Any]]) -> None:
    for seat, action in steps:
        game.play(action, seat)


def _seed(export: Mapping[str, Any]) -> int:
    settings = export.get("settings")
    seed = settings.get("seed") if isinstance(settings, Mapping) else None
    return seed if isinstance(seed, int) else 0
