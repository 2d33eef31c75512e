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

from trajekt.engine.import_protocol import ExportItem, Exports, KnownDifference, OtherOptions, Parted, Untranslatable
from trajekt.engine.ruleset import Refusal
from trajekt.engine.title import Title
from trajekt.game import Game, Refused, new_game
from trajekt.i18n.sentences import Speaker, catalogue, refusal_line, sentence
from trajekt.records import RecordError, values_of
from trajekt.registry import names, title

PROGRAMS = "program_"
SILENT = frozenset({"message", "log"})
"""Kinds of entry that are no move of the game: talk and its like."""

MOST_BYTES = 4_000_000
"""The largest file that is decoded, in bytes; the largest game known has 0.3 million."""
MOST_ENTRIES = 20_000
MOST_DEPTH = 40
"""The deepest nesting of brackets that is read; a route of an export is at depth 6."""
MOST_VALUES = 400_000
"""The most values that are made of a file, so that a small one does not fill the memory; the recorded game has 10,000."""
LARGEST = 2**53
"""The largest number that an export may hold: what any JSON reader keeps exactly."""


class ImportRefusedError(RecordError):
    """An entry of a file at which record and rules part.

    `refusal` is the answer of the rules where they refused an action; `game` the game up to there, to look at and play on.
    `order`: by the rules somebody else was to act, as in files recorded under older rules of the site. `id` is the entry's own
    where it is not its number.
    """

    def __init__(
        self,
        code: str,
        entry: int,
        game: Game,
        *,
        refusal: Refusal | None = None,
        order: bool = False,
        id_: int | None = None,
        values: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(code, entry, **(values or {}))
        self.game = game
        self.refusal = refusal
        self.order = order
        self.id = id_

    def text(self, language: str) -> str:
        """Return what either says, in a language."""
        speaker = speaker_of(self.game, language)
        values = dict(self.values)
        if self.refusal is not None:
            values |= {"reason": refusal_line(speaker, self.refusal), "rule": self.refusal.rule}
        text = sentence(speaker, f"file.{self.code}", values)
        if self.order:
            text = speaker.catalogue.text("file.older_rules", text=text)
        return text if self.id is None else f"(id {self.id}) {text}"


def speaker_of(game: Game, language: str) -> Speaker:
    """Return the teller of a game in a language."""
    return Speaker(catalogue(language, game.title.package), game.ruleset.sheet, game.state.names)


def note_line(note: KnownDifference, game: Game, language: str) -> str:
    """Return a known difference as a sentence, with its entry and its CMP id."""
    speaker = speaker_of(game, language)
    text = sentence(speaker, f"difference.{note.code}", note.values)
    return speaker.catalogue.text("difference", entry=note.entry or "", text=text, rule=note.rule)


class Imported(NamedTuple):
    """A game read from an export, and the known differences met on the way."""

    game: Game
    notes: tuple[KnownDifference, ...]


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
        raise RecordError("too_large", bytes=len(data), most=MOST_BYTES)
    depth, values = structure(data)
    if depth > MOST_DEPTH:
        raise RecordError("too_deep", depth=depth, most=MOST_DEPTH)
    if values > MOST_VALUES:
        raise RecordError("too_many_values", values=values, most=MOST_VALUES)
    return values_of(data)


BRACKETS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[{\]}]', re.DOTALL)
"""Strings and brackets; no part is tried again, which on a long string would fill the memory."""


def structure(data: bytes) -> tuple[int, int]:
    """Return how deep the brackets of a JSON text are nested, those in strings left out, and how many values it holds at most.

    >>> structure(b'{"a": [[1], "[["]}')
    (3, 4)
    """
    depth = deepest = opened = 0
    for found in BRACKETS.finditer(data):
        sign = data[found.start()]
        if sign in b"[{":
            depth += 1
            opened += 1
            deepest = max(deepest, depth)
        elif sign in b"]}":
            depth -= 1
    return deepest, opened + data.count(b",")


def _export(data: bytes) -> dict[str, Any]:
    """Return the plain values of an export; `RecordError` where its frame is not as expected."""
    export = decoded(data)
    if not isinstance(export, dict) or not isinstance(export.get("actions"), list):
        raise RecordError("no_export")
    if len(export["actions"]) > MOST_ENTRIES:
        raise RecordError("too_many_entries", entries=len(export["actions"]), most=MOST_ENTRIES)
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
            raise RecordError("no_type", number)
        kind = entry["type"]
        if kind == "undo":
            dropped.append(_undo(stand, entry.get("action_id"), number))
        elif kind == "redo":
            if not dropped:
                raise RecordError("redo_alone", number)
            stand += dropped.pop()
        elif kind not in SILENT:
            stand.append((number, entry))
            dropped.clear()
    return stand


def _undo(stand: list[tuple[int, dict[str, Any]]], to: Any, number: int) -> list[tuple[int, dict[str, Any]]]:
    if not stand:
        raise RecordError("undo_alone", number)
    if not isinstance(to, int | None):
        raise RecordError("undo_nowhere", number)
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
        raise RecordError("automatic", number)
    return found


def seats(export: Mapping[str, Any]) -> list[tuple[Any, str]]:
    """Return the players by seat, in the order of the file, each with the id or the name by which entries call him (CMP-05)."""
    players = export.get("players")
    if not isinstance(players, list) or not all(isinstance(p, dict) and p.get("name") is not None for p in players):
        raise RecordError("no_players")
    found = [(player["name"] if player.get("id") is None else player["id"], str(player["name"])) for player in players]
    for code, several in (("twice_number", [who for who, _ in found]), ("twice_name", [name for _, name in found])):
        twice = next((each for at, each in enumerate(several) if each in several[:at]), None)
        if twice is not None:
            raise RecordError(code, name=f"{twice!s:.40}")
    return in_chosen_order(export, found)


def in_chosen_order(export: Mapping[str, Any], found: list[tuple[Any, str]]) -> list[tuple[Any, str]]:
    """Return the players as `player_order` of the settings has them, if the first entry shows that they sit so."""
    settings = export.get("settings")
    order = settings.get("player_order") if isinstance(settings, Mapping) else None
    if not isinstance(order, list) or len(order) != len(found):
        return found
    chosen = [player for who in order for player in found if player[0] == who]
    first = next((item.raw.get("entity") for item in items(standing(export.get("actions") or []))), None)
    return chosen if len(chosen) == len(found) and chosen[0][0] == first != found[0][0] else found


def plain_name(name: str) -> str:
    """Return the letters and digits of a title, in which spellings agree.

    >>> plain_name("18 Rhl") == plain_name("18RHL")
    True
    """
    return "".join(filter(str.isalnum, name)).casefold()


def _title_of(export: Mapping[str, Any]) -> tuple[Title, Exports]:
    name = str(export.get("title", ""))[:60]
    found = next(
        (each for each in map(title, names()) if plain_name(name) in map(plain_name, (each.id, each.name))), None
    )
    if found is None:
        raise RecordError("not_installed", title=repr(name))
    if found.exports is None:
        raise RecordError("no_exports_of", game=found.name)
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
        raise RecordError("no_such_entry", until, entries=len(entries), wanted=until)
    stand = standing(entries if until is None else entries[:until])
    seated = [name for _, name in order]
    fitting: dict[str, Any] = {}
    while True:
        try:
            options = exports.options(export, draw) | fitting
            game = new_game(found.id, seated, options, seed=_seed(export), components=components)
        except Untranslatable as fault:
            raise RecordError(fault.code, **fault.values) from fault
        except ValueError as fault:
            raise RecordError("no_game", detail=fault) from fault
        try:
            notes = _played(exports, game, [who for who, _ in order], items(stand))
            break
        except OtherOptions as other:
            fitting |= other.options
    if until is None:
        notes += _at_the_end(exports, export, game, [who for who, _ in order])
    return Imported(game, tuple(notes))


def _played(exports: Exports, game: Game, players: list[Any], todo: list[ExportItem]) -> list[KnownDifference]:
    """Carry out the items of an export on its game; return the differences met."""
    translator = exports.translator(game.ruleset, players, todo)
    for at, item in enumerate(todo):
        id_ = item.id if item.id != item.entry else None
        try:
            if not numbers_within(item.raw):
                raise Parted("number_too_large")
            _carry_out(game, translator.steps(lambda: game.state, at))
            translator.check(game.state, at)
        except Refused as refused:
            values = {"kind": f"{item.raw.get('type')!s:.60}"}
            raise ImportRefusedError(
                "refused", item.entry, game, refusal=refused.refusal, id_=id_, values=values
            ) from refused
        except (Parted, Untranslatable) as fault:
            order = isinstance(fault, Parted) and fault.order
            raise ImportRefusedError(fault.code, item.entry, game, order=order, id_=id_, values=fault.values) from fault
        except (KeyError, ValueError, IndexError, TypeError) as fault:
            field = {"field": f"{fault.args[0]!s:.60}"} if isinstance(fault, KeyError) else {}
            code = "unreadable_field" if field else "unreadable_value"
            raise ImportRefusedError(code, item.entry, game, id_=id_, values=field) from fault
    return translator.notes


def _carry_out(game: Game, steps: Iterator[tuple[int, Any]]) -> None:
    for seat, action in steps:
        game.play(action, seat)


def _at_the_end(exports: Exports, export: Mapping[str, Any], game: Game, players: list[Any]) -> list[KnownDifference]:
    """Return where the position differs from what the export tells of its end: round, who is to act, and the result."""
    if export.get("status") == "active":
        return [*_other_acting(export, game, players), *_other_round(exports, export, game)]
    return list(_other_result(export, game, players)) if export.get("status") == "finished" else []


def _other_acting(export: Mapping[str, Any], game: Game, players: list[Any]) -> Iterator[KnownDifference]:
    acting = export.get("acting")
    here = [players[seat] for seat in game.to_act if 0 <= seat < len(players)]
    if isinstance(acting, list) and acting and sorted(map(str, acting)) != sorted(map(str, here)):
        said = [players.index(who) for who in acting if who in players]
        yield _at_end("CMP-06", "other_acting", seats=said, names=[game.state.names[n] for n in game.to_act])


def _other_round(exports: Exports, export: Mapping[str, Any], game: Game) -> Iterator[KnownDifference]:
    ours, theirs = exports.round_of(game.state), (export.get("round"), export.get("turn"))
    if ours is not None and theirs[0] in ROUNDS and type(theirs[1]) is int and theirs != ours:
        code = f"other_round.{ROUNDS[theirs[0]]}.{ROUNDS[ours[0]]}"
        yield _at_end("CMP-06", code, theirs=theirs[1], ours=ours[1])


def _other_result(export: Mapping[str, Any], game: Game, players: list[Any]) -> Iterator[KnownDifference]:
    result = export.get("result")
    if not isinstance(result, Mapping):
        return
    worth = {row.seat: row.total for row in game.standings()}
    for seat, who in enumerate(players):
        amount = result.get(str(who), result.get(game.names[seat]))
        if isinstance(amount, int) and amount != worth[seat]:
            yield _at_end("CMP-40", "other_result", seat=seat, worth=worth[seat], amount=amount)


ROUNDS = {"Stock Round": "stock", "Operating Round": "operating"}
"""Names that the site has for rounds, and what their sentences are called."""


def _at_end(rule: str, code: str, **values: Any) -> KnownDifference:
    return KnownDifference(0, rule, code, values)


def _seed(export: Mapping[str, Any]) -> int:
    settings = export.get("settings")
    seed = settings.get("seed") if isinstance(settings, Mapping) else None
    return seed if isinstance(seed, int) and 0 <= seed <= LARGEST else 0
