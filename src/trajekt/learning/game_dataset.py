"""Data sets: whole games of bots as arrays, written in shards that numpy reads, with an index that says what they hold.

A folder holds `index.json` and shards `shard-00000.npz`, each of some games. A shard is written whole or not at all, so a run
that was stopped goes on where it stopped, and no more than a few shards are ever in memory. Version 1 of the format:

Games (a row each): `seed`, `actions`, `first` (of its positions, in the shard), `totals` by seat in Mark (-1: came to no end).
Positions (a row each): `game` (of the shard), `seat` (that acts), `board` (its row in the boards), `chosen` (place among the
legal choices; -1: a number between those listed), `action` (features of what was done), `first_choice` (of its legal choices,
in the shard), and the arrays of an observation beside the board, as the acting seat sees them (`companies`, `players`, ...).
Boards (a row each time that one changes): `tiles` by hex (number in the sheet's order from 1; 0: as printed), `rotations`,
`stations` by hex and stop (a bit for each company in the sheet's order, one above them for any other), `asleep` (those of them
that do not block), `reserved` by hex (bits likewise), `icons` by hex (code of the things that lie there; -1: none).
Choices: `choices`, features of every legal choice of all positions, one after another.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from trajekt.bots.arena import schedule, why_no_end
from trajekt.bots.executors import HERE, Executor
from trajekt.bots.simulation import GamePlan, play_out, ruleset_of
from trajekt.engine.board.board import Board
from trajekt.engine.components.schema import Sheet
from trajekt.engine.decisions import start
from trajekt.engine.ruleset import Ruleset, View
from trajekt.engine.state import Seat, State
from trajekt.learning.action_features import ActionFeatures
from trajekt.learning.choice_list import listed
from trajekt.learning.name_codes import NONE, value_code
from trajekt.learning.observation import Observer
from trajekt.learning.observation_layout import Column
from trajekt.registry import title

FORMAT, VERSION = "trajekt-games", 1
INDEX = "index.json"
BOARDS = ("tiles", "rotations", "stations", "asleep", "reserved", "icons")


class DatasetError(ValueError):
    """A folder that holds something else, or the games of another command."""


class ShardTask(msgspec.Struct, frozen=True):
    """The games of one shard."""

    number: int
    plans: tuple[GamePlan, ...]


class ShardEntry(msgspec.Struct, frozen=True):
    """A shard as the index has it: its file, how many games, positions, boards and choices, and why games came to no end."""

    file: str
    games: int
    positions: int
    boards: int
    choices: int
    faults: tuple[str, ...] = ()


class DatasetIndex(msgspec.Struct, frozen=True):
    """The index of a folder: what was asked, the meaning of columns and rows, and the shards that are done, in order.

    `columns` by array, `names` of rows and numbers by what they stand for, `kinds` of actions and `sources` by their number.
    """

    format: str
    version: int
    game: str
    bots: tuple[str, ...]
    games: int
    seed: int
    edition: int | None
    per_shard: int
    columns: dict[str, tuple[Column, ...]]
    names: dict[str, tuple[str, ...]]
    kinds: tuple[str, ...]
    sources: tuple[str, ...]
    shards: tuple[ShardEntry, ...] = ()


# A shard ----------------------------------------------------------------------------------------------------------------


class BoardRows:
    """Boards as rows of whole numbers, each once."""

    def __init__(self, sheet: Sheet) -> None:
        self.hexes = tuple(sheet.hexes)
        self.stops = max(
            len(f.stops) for f in [h.face for h in sheet.hexes.values()] + [t.face for t in sheet.tiles.values()]
        )
        self.tiles = {tile: number for number, tile in enumerate(sheet.tiles, 1)}
        self.bits = {company: 1 << number for number, company in enumerate(sheet.companies)}
        self.other = 1 << len(self.bits)
        self.rows: dict[str, list[Any]] = {name: [] for name in BOARDS}
        self._last: Board | None = None

    def __len__(self) -> int:
        return len(self.rows["tiles"])

    def row_of(self, board: Board) -> int:
        """Return the row of a board, a new one where it differs from the last."""
        if board is not self._last:
            self._last = board
            self._add(board)
        return len(self) - 1

    def _add(self, board: Board) -> None:
        count = len(self.hexes)
        tiles, rotations = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
        stations, asleep = np.zeros((count, self.stops), np.int32), np.zeros((count, self.stops), np.int32)
        reserved, icons = np.zeros(count, np.int32), np.full(count, NONE, np.int32)
        places = {at: number for number, at in enumerate(self.hexes)}
        for at, contents in board.contents_by_hex.items():
            number = places[at]
            tiles[number], rotations[number] = self.tiles.get(contents.tile, 0), contents.rotation
            for station in contents.stations:
                bit = self.bits.get(station.company, self.other)
                stations[number, station.stop] |= bit
                asleep[number, station.stop] |= bit if station.asleep else 0
            for kept in contents.reservations:
                reserved[number] |= self.bits.get(kept.company, self.other)
            icons[number] = value_code(contents.icons)
        for name, row in zip(BOARDS, (tiles, rotations, stations, asleep, reserved, icons), strict=True):
            self.rows[name].append(row)


class ShardWriter:
    """Takes the positions of games and makes the arrays of a shard."""

    def __init__(self, ruleset: Ruleset, players: int, game: str) -> None:
        self.ruleset = ruleset
        self.boards = BoardRows(ruleset.sheet)
        self.features = ActionFeatures(ruleset)
        self.game, self.players = game, players
        self.observer: Observer | None = None
        self.games: dict[str, list[Any]] = {name: [] for name in ("seed", "actions", "first", "totals")}
        self.positions: dict[str, list[Any]] = {}
        self.choices: list[Any] = []
        self.count = self.listed = 0

    def add(self, state: State, seat: Seat, action: Any) -> None:
        """Take a position and what its seat does there."""
        if self.observer is None:
            self.observer = Observer(self.ruleset, self.players, title(self.game).own_facts, state)
        legal = listed(View(self.ruleset, state, seat, state.agenda[-1]))
        row = {
            "game": len(self.games["seed"]),
            "seat": seat,
            "board": self.boards.row_of(state.board),
            "chosen": legal.index(action) if action in legal else NONE,
            "action": np.array(self.features.row(state, action), np.int32),
            "first_choice": self.listed,
            **self.observer.observe_beside_board(state, seat),
        }
        for name, value in row.items():
            self.positions.setdefault(name, []).append(value)
        self.choices.append(self.features.rows(state, legal))
        self.listed += len(legal)
        self.count += 1

    def end_game(self, plan: GamePlan, first: int, totals: Sequence[int]) -> None:
        """Take the result of a game whose positions began at `first`."""
        values = (plan.seed, self.count - first, first, list(totals))
        for name, value in zip(self.games, values, strict=True):
            self.games[name].append(value)

    def arrays(self) -> dict[str, Any]:
        """Return all arrays by name: games, positions, boards, choices, in the form of the module's text.

        Of games that came to no end before the first move there are no positions, and those of the games alone.
        """
        found = {f"games/{name}": np.array(values, np.int64) for name, values in self.games.items()}
        for name, values in self.positions.items():
            found[f"positions/{name}"] = np.array(values, np.int32) if isinstance(values[0], int) else np.stack(values)
        if self.choices:
            found |= {f"boards/{name}": np.stack(rows) for name, rows in self.boards.rows.items()}
            found["choices"] = np.concatenate(self.choices)
        return found


def played_shard(task: ShardTask) -> tuple[ShardEntry, bytes]:
    """Play the games of a shard and return its entry of the index and its file."""
    first = task.plans[0]
    writer = ShardWriter(ruleset_of(first)[0], first.players, first.game)
    faults = tuple(fault for plan in task.plans if (fault := _play(plan, writer)))
    out = io.BytesIO()
    np.savez_compressed(out, **writer.arrays())
    name = f"shard-{task.number:05}.npz"
    entry = ShardEntry(name, len(task.plans), writer.count, len(writer.boards), writer.listed, faults)
    return entry, out.getvalue()


def _play(plan: GamePlan, writer: ShardWriter) -> str:
    """Play one game, each position shown to the writer; why it came to no end, where it did."""
    first = writer.count
    result = play_out(plan, told=lambda view, action: writer.add(view.state, view.seat, action))
    writer.end_game(plan, first, result.totals if result.finished else [NONE] * plan.players)
    return "" if result.finished else why_no_end(result)


# A folder ---------------------------------------------------------------------------------------------------------------


def read_index(folder: Path) -> DatasetIndex:
    """Return the index of a folder. DatasetError where it has none, or one of another format or version."""
    try:
        found = msgspec.json.decode((folder / INDEX).read_bytes(), type=DatasetIndex)
    except (OSError, msgspec.DecodeError) as fault:
        message = f"{folder} holds no data set: {fault}"
        raise DatasetError(message) from fault
    if (found.format, found.version) != (FORMAT, VERSION):
        message = f"{folder} holds {found.format} of version {found.version}, not {FORMAT} of version {VERSION}"
        raise DatasetError(message)
    return found


def asked_index(
    game: str, bots: Sequence[str], games: int, seed: int, edition: int | None, per_shard: int
) -> tuple[DatasetIndex, list[ShardTask]]:
    """Return the index of what is asked, without shards, and the shards to be made; without an edition the newest.

    ValueError where no edition seats so many.
    """
    if edition is None:
        edition = max((e for e, (low, high) in title(game).editions.items() if low <= len(bots) <= high), default=None)
    plans = schedule(game, bots, games, seed, edition)
    ruleset, fixed = ruleset_of(plans[0])
    opening = start(ruleset, tuple(f"P{n + 1}" for n in range(len(bots))), seed, shuffle=not fixed).state
    layout, features = Observer(ruleset, len(bots), title(game).own_facts, opening).layout, ActionFeatures(ruleset)
    columns = {
        each.name: each.columns for each in layout.arrays if each.columns and each.name not in ("board", "planes")
    }
    index = DatasetIndex(
        FORMAT,
        VERSION,
        title(game).id,
        tuple(bots),
        games,
        seed,
        edition,
        per_shard,
        columns | {"choices": features.columns},
        layout.names,
        features.kinds,
        features.sources,
    )
    shards = range(0, len(plans), per_shard)
    return index, [ShardTask(number, tuple(plans[n : n + per_shard])) for number, n in enumerate(shards)]


def write_dataset(
    folder: Path,
    game: str,
    bots: Sequence[str],
    games: int,
    seed: int = 1,
    edition: int | None = None,
    per_shard: int = 20,
    where: Executor = HERE,
) -> Iterator[ShardEntry]:
    """Write games into a folder, shard by shard, those first that are there already: each is answered when it is whole.

    DatasetError where the folder holds the games of another command; ValueError for what no edition seats.
    """
    index, tasks = asked_index(game, bots, games, seed, edition, per_shard)
    done: tuple[ShardEntry, ...] = ()
    if (folder / INDEX).exists():
        known = read_index(folder)
        done = known.shards
        if msgspec.structs.replace(known, shards=()) != index:
            message = f"{folder} holds other games: give the same words, or another folder"
            raise DatasetError(message)
    folder.mkdir(parents=True, exist_ok=True)
    yield from done
    for entry, data in where.run(played_shard, tasks[len(done) :]):
        _put(folder / entry.file, data)
        done = (*done, entry)
        _put(
            folder / INDEX,
            msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(index, shards=done)), indent=1),
        )
        yield entry


def _put(file: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    beside = file.with_suffix(".part")
    beside.write_bytes(data)
    beside.replace(file)


def read_shard(folder: Path, entry: ShardEntry) -> Mapping[str, Any]:
    """Return the arrays of a shard by name, all in memory."""
    with np.load(folder / entry.file, allow_pickle=False) as found:
        return {name: found[name] for name in found.files}
