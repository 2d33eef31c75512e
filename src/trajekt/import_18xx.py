"""Games exported from 18xx.games, read into a `Game` under the ruleset that knows the site's differences.

Here is what all exports share: which entries stand after undo and redo (CMP-01), programmed actions and those carried out by
themselves (CMP-02), seats (CMP-05), what an export says of its end. What an entry means is the affair of the game's
`Translator`. Every action is decided by the rules here; nothing that the file computed is believed. Where record and rules
part, the reading stops there with the game so far.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from trajekt.engine.import_protocol import ExportItem, Exports, OtherOptions, Parted, Untranslatable
from trajekt.engine.ruleset import Refusal
from trajekt.engine.title import Title
from trajekt.game import Game, Refused, new_game
from trajekt.i18n.sentences import Speaker, catalogue, refusal_line
from trajekt.records import RecordError, values_of
from trajekt.registry import UnknownGameError, title

PROGRAMS = "program_"
SILENT = frozenset({"message", "log"})
"""Kinds of entry that are no move of the game: talk and its like."""

MOST_BYTES = 4_000_000
"""The largest file that is decoded, in bytes; the largest game known has 0.3 million."""
MOST_ENTRIES = 20_000
MOST_DEPTH = 40
"""The deepest nesting of brackets that is read; a route of an export is at depth 6."""
LARGEST = 2**53
"""The largest number that an export may hold: what any JSON reader keeps exactly."""


LONGEST = 400
"""The letters of a message at most: what a hostile file says is quoted no further."""


def shortened(message: str) -> str:
    """Return a message, cut where it is too long to be read.

    >>> shortened("nobody sits at this table")
    'nobody sits at this table'
    """
    return message if len(message) <= LONGEST else message[: LONGEST - 1] + "…"


class ImportRefusedError(RecordError):
    """An entry of an export at which record and rules part.

    `refusal` is the answer of the rules where they refused an action; `game` the game up to there, to look at and play on.
    `order`: by the rules somebody else was to act, as in files recorded under older rules of the site.
    """

    def __init__(
        self, message: str, entry: int, refusal: Refusal | None = None, game: Game | None = None, *, order: bool = False
    ) -> None:
        super().__init__(shortened(message), entry)
        self.refusal = refusal
        self.game = game
        self.order = order


class Note(NamedTuple):
    """A difference between record and rules that is known by name: the entry (0: the end), its CMP id, a sentence."""

    entry: int
    rule: str
    text: str


class Imported(NamedTuple):
    """A game read from an export, and the known differences met on the way."""

    game: Game
    notes: tuple[Note, ...]


def is_export(data: bytes) -> bool:
    """Tell whether a file looks like an export of 18xx.games."""
    try:
        head = decoded(data)
    except RecordError:
        return False
    return isinstance(head, Mapping) and "actions" in head and "title" in head and "trajekt" not in head


def decoded(data: bytes) -> Any:
    """Return the plain values of a JSON file from outside, bounded in bytes and depth before anything is made of it."""
    if len(data) > MOST_BYTES:
        message = f"the file has {len(data):,} bytes; an export of up to {MOST_BYTES:,} bytes is read"
        raise RecordError(message)
    depth = nesting(data)
    if depth > MOST_DEPTH:
        message = f"the file nests brackets {depth} deep; an export nests them up to {MOST_DEPTH} deep"
        raise RecordError(message)
    return values_of(data)


BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{\]}]', re.DOTALL)


def nesting(data: bytes) -> int:
    """Return how deep the brackets of a JSON text are nested, those in strings left out.

    >>> nesting(b'{"a": [[1], "[["]}')
    3
    """
    depth = deepest = 0
    for found in BRACKETS.finditer(data):
        sign = data[found.start()]
        if sign in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in b"]}":
            depth -= 1
    return deepest


def _export(data: bytes) -> dict[str, Any]:
    """Return the plain values of an export; `RecordError` where its frame is not as expected."""
    export = decoded(data)
    if not isinstance(export, dict) or not isinstance(export.get("actions"), list):
        message = "this is no 18xx.games export: it has no list of actions"
        raise RecordError(message)
    if len(export["actions"]) > MOST_ENTRIES:
        message = f"the export has {len(export['actions']):,} entries; up to {MOST_ENTRIES:,} are read"
        raise RecordError(message)
    return export


def numbers_within(value: Any) -> bool:
    """Tell whether all numbers of an entry are whole numbers of ordinary size, or fractions the game has no use for."""
    if isinstance(value, Mapping):
        return all(map(numbers_within, value.values()))
    if isinstance(value, list):
        return all(map(numbers_within, value))
    return not isinstance(value, int | float) or abs(value) <= LARGEST


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
        elif kind not in SILENT:
            stand.append((number, entry))
            dropped.clear()
    return stand


def _undo(stand: list[tuple[int, dict[str, Any]]], to: Any, number: int) -> list[tuple[int, dict[str, Any]]]:
    if not stand:
        message = "an undo with nothing before it"
        raise RecordError(message, number)
    if not isinstance(to, int | None):
        message = "an undo goes back to an entry that has no number"
        raise RecordError(message, number)
    keep = len(stand) - 1 if to is None else sum(1 for at, entry in stand if id_of(entry, at) <= to)
    gone = stand[keep:]
    del stand[keep:]
    return gone


def id_of(entry: Mapping[str, Any], number: int) -> int:
    """Return the id of an entry, its number in the file where it has none."""
    found = entry.get("id")
    return found if isinstance(found, int) else number


def items(stand: Sequence[tuple[int, dict[str, Any]]]) -> list[ExportItem]:
    """Entries to be carried out, in order, and behind each what followed by itself (CMP-02)."""
    out: list[ExportItem] = []
    for number, entry in stand:
        for raw in (entry, *_automatic(entry, number)):
            kind = raw.get("type", "")
            if kind in SILENT or kind.startswith(PROGRAMS):
                continue
            out.append(ExportItem(number, id_of(entry, number), raw))
    return out


def _automatic(entry: Mapping[str, Any], number: int) -> list[dict[str, Any]]:
    found = entry.get("auto_actions") or []
    if not isinstance(found, list) or not all(
        isinstance(raw, dict) and isinstance(raw.get("type"), str) for raw in found
    ):
        message = "what followed by itself cannot be read"
        raise RecordError(message, number)
    return found


def seats(export: Mapping[str, Any]) -> list[tuple[Any, str]]:
    """Return the players by seat, in the order of the file, each with the id or the name by which entries call him (CMP-05)."""
    players = export.get("players")
    if not isinstance(players, list) or not all(isinstance(p, dict) and p.get("name") is not None for p in players):
        message = "the export does not say who plays"
        raise RecordError(message)
    found = [(player["name"] if player.get("id") is None else player["id"], str(player["name"])) for player in players]
    for what, several in (("number", [who for who, _ in found]), ("name", [name for _, name in found])):
        twice = next((each for at, each in enumerate(several) if each in several[:at]), None)
        if twice is not None:
            message = f"two players have the same {what}: {twice!s:.40}"
            raise RecordError(message)
    return found


def _title_of(export: Mapping[str, Any]) -> tuple[Title, Exports]:
    name = str(export.get("title", ""))[:60]
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
    """Return the game of an export after its first `until` entries, undone ones included; see `import_export`."""
    return import_export(data, until=until, components=components, draw=draw).game


def import_export(
    data: bytes, *, until: int | None = None, components: str | None = None, draw: int | None = None
) -> Imported:
    """Read an export of 18xx.games after its first `until` entries, undone ones included.

    `draw` is what was drawn at set-up; without it the game works it out of the seed of the file (CMP-04). Raises
    `RecordError`, and `ImportRefusedError` with the game so far where record and rules part; both name the entry.
    """
    export = _export(data)
    found, exports = _title_of(export)
    order = seats(export)
    entries = export["actions"]
    if until is not None and not 0 <= until <= len(entries):
        message = f"the export has {len(entries)} entries, there is no entry {until}"
        raise RecordError(message, until)
    stand = standing(entries if until is None else entries[:until])
    names = [name for _, name in order]
    fitting: dict[str, Any] = {}
    while True:
        try:
            options = exports.options(export, draw) | fitting
            game = new_game(found.id, names, options, seed=_seed(export), components=components)
        except (Untranslatable, ValueError) as fault:
            raise RecordError(shortened(str(fault))) from fault
        try:
            notes = _played(found, exports, game, [who for who, _ in order], items(stand))
            break
        except OtherOptions as other:
            fitting |= other.options
    if until is None:
        notes += _at_the_end(export, game, [who for who, _ in order])
    return Imported(game, tuple(notes))


def _played(found: Title, exports: Exports, game: Game, players: list[Any], todo: list[ExportItem]) -> list[Note]:
    """Carry out the items of an export on its game; return the differences met."""
    translator = exports.translator(game.ruleset, players, todo)
    for at, item in enumerate(todo):
        where = f"(id {item.id}) " if item.id != item.entry else ""
        try:
            if not numbers_within(item.raw):
                raise Parted("a number is too large")
            _carry_out(game, translator.steps(lambda: game.state, at))
            complaint = translator.complaint(game.state, at)
            if complaint:
                raise Parted(complaint)
        except Refused as refused:
            speaker = Speaker(catalogue("en", found.package), game.ruleset.sheet, game.state.names)
            message = f"{where}{item.raw.get('type')} is refused: {refusal_line(speaker, refused.refusal)}"
            raise ImportRefusedError(message, item.entry, refused.refusal, game) from refused
        except Parted as parted:
            older = "; the file may have been recorded under older rules of the site" if parted.order else ""
            message = f"{where}{parted}{older}"
            raise ImportRefusedError(message, item.entry, game=game, order=parted.order) from parted
        except (Untranslatable, KeyError, ValueError, IndexError, TypeError) as fault:
            raise ImportRefusedError(f"{where}{unreadable(fault)}", item.entry, game=game) from fault
    return [Note(*note) for note in translator.notes]


def unreadable(fault: Exception) -> str:
    """Return what is wrong with an entry that has not the form of an export's."""
    if isinstance(fault, Untranslatable):
        return str(fault)
    if isinstance(fault, KeyError):
        return f"cannot be read: {fault.args[0]!s:.60} is missing or unknown"
    return "cannot be read: a value has another form than in an export"


def _carry_out(game: Game, steps: Iterator[tuple[int, Any]]) -> None:
    for seat, action in steps:
        game.play(action, seat)


def _at_the_end(export: Mapping[str, Any], game: Game, players: list[Any]) -> list[Note]:
    """Return where the position differs from what the export tells of its end: who is to act, and the result."""
    out = []
    acting = export.get("acting")
    if export.get("status") == "active" and isinstance(acting, list) and acting:
        here = [players[seat] for seat in game.to_act if 0 <= seat < len(players)]
        if sorted(map(str, acting)) != sorted(map(str, here)):
            said = ", ".join(game.state.names[players.index(who)] for who in acting if who in players) or "nobody"
            ours = ", ".join(game.state.names[players.index(who)] for who in here) or "nobody"
            out.append(Note(0, "CMP-06", f"by the file {said} is to act, by the rules {ours}"))
    result = export.get("result")
    if export.get("status") == "finished" and isinstance(result, Mapping):
        worth = {row.seat: row.total for row in game.standings()}
        for seat, who in enumerate(players):
            said = result.get(str(who), result.get(game.names[seat]))
            if isinstance(said, int) and said != worth[seat]:
                out.append(
                    Note(0, "CMP-40", f"{game.names[seat]} has {worth[seat]} M by the rules, {said} M by the file")
                )
    return out


def _seed(export: Mapping[str, Any]) -> int:
    settings = export.get("settings")
    seed = settings.get("seed") if isinstance(settings, Mapping) else None
    return seed if isinstance(seed, int) and 0 <= seed <= LARGEST else 0
