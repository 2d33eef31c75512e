"""Puzzles whose answer is certain: best runs, tiles for them, a train that must be had, forced sales, the deed that ends best.

They are taken from played games. An answer is proved by the search for best runs, or by trying all that can follow; it is the
only one with its worth, by a margin. Each game's folder may have a `puzzles.json`; `make_puzzles` makes such a file.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import msgspec
from msgspec.structs import replace

from trajekt.bots.bot import Bot, make_bot, next_move, view_of
from trajekt.engine.actions import LayTile, RunTrains
from trajekt.engine.codec import encode, to_plain
from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.engine.decisions import decide, legal
from trajekt.engine.events import TrainsRan
from trajekt.engine.routing.runs import Run, RunResult
from trajekt.engine.ruleset import Refusal
from trajekt.engine.state import Seat, State
from trajekt.engine.title import Title
from trajekt.game import Entry, Game, new_game
from trajekt.review.operating_turns import OperatingTurn, operating_turns
from trajekt.review.run_review import SECONDS, best_in
from trajekt.review.settled_deeds import settled_ends, settled_sales, settled_trains
from trajekt.rules.forced_purchase import ForcedPurchase
from trajekt.rules.operating_round import current_turn
from trajekt.rules.running_and_dividends import RunningPolicy, ran_with
from trajekt.rules.trains import needs_train

RUN, LAY, SAVE, SALE, LAST = "run", "lay", "save", "sale", "last"
MARGIN = 10
"""Mark by which an answer is better than any other: the step of all revenues."""
OPTIONS = range(3, 9)
"""Ways that a question about a train, a sale or a last decision may have."""
SIMPLE = ("beginner", "steady")
"""The bots that a puzzle is graded by."""
MOST_ACTIONS = 700
"""A game of which more actions must be played again to come to a question is not taken."""
A_GAME = 10
"""Puzzles that are taken from one game at most, half of them lays."""
NAMES = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Frieda")
LEVELS = 3
PATIENCE = 3_000
"""Actions after which a game is left."""
NEAR = 25
"""Entries before the end of a game among which a last deed is looked for."""
LONG = 5
"""Pieces of track from which on a single train's run is a question."""


class PuzzleGame(msgspec.Struct, frozen=True):
    """A game from which puzzles are taken, as the way from its set-up.

    `actions` is a list of seats with their actions; it stays JSON until somebody looks at a puzzle of it.
    """

    options: Mapping[str, object]
    players: tuple[str, ...]
    seed: int
    actions: msgspec.Raw


class PuzzleWay(msgspec.Struct, frozen=True):
    """A way out of a position: its actions, and the worth in Mark that it leaves its player."""

    actions: tuple[dict[str, Any], ...]
    worth: int


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question about the position of a game after so many of its actions.

    `kind` is `run` (what is the most that the company's trains earn?), `lay` (on which hex does a tile let them earn the most
    in this turn?), `save` (by which train and which money does a director come off best who must have one?), `sale` (what
    covers the forced purchase at the least loss?) or `last` (which deed leaves the most at the end?); `answer` is the
    revenue or worth in Mark. A lay has the `hex` of the answer and the best `revenues` in Mark of every hex where a tile may
    lie; the last three have all `ways`, the best first. `level` is 1 to 3: one more than how many of two simple players miss
    it.
    """

    game: int
    at: int
    kind: str
    company: CompanyId
    answer: int
    level: int
    hex: HexId = ""
    revenues: Mapping[HexId, int] = {}
    ways: tuple[PuzzleWay, ...] = ()


class PuzzleFile(msgspec.Struct, frozen=True):
    """The puzzles of a game: `version` is that of the ruleset by which they were made."""

    game: str
    version: int
    games: tuple[PuzzleGame, ...]
    puzzles: tuple[Puzzle, ...]


@cache
def puzzles_of(package: str) -> PuzzleFile | None:
    """The puzzles that come with a game, None where it has none."""
    file = resources.files(package).joinpath("puzzles.json")
    return msgspec.json.decode(file.read_bytes(), type=PuzzleFile) if file.is_file() else None


def written(found: PuzzleFile) -> bytes:
    """The file of puzzles: a line for each game and each puzzle."""
    head = msgspec.json.encode({"game": found.game, "version": found.version})[:-1]
    lines = [b",\n".join(map(msgspec.json.encode, each)) for each in (found.games, found.puzzles)]
    return head + b',"games":[\n' + lines[0] + b'\n],"puzzles":[\n' + lines[1] + b"\n]}\n"


def position_of(found: PuzzleFile, puzzle: Puzzle) -> Game:
    """The game at the moment of a puzzle. Raises `Refused` where the rules refuse an action now."""
    source = found.games[puzzle.game]
    game = new_game(found.game, source.players, source.options, source.seed)
    for seat, action in msgspec.json.decode(source.actions, type=list[tuple[Seat, dict[str, object]]])[: puzzle.at]:
        game.play(action, seat)
    return game


class Solution(msgspec.Struct, frozen=True):
    """The answer to a puzzle: the position with the tile of a lay, and the runs in it with their terms."""

    state: State
    runs: tuple[Run, ...]
    ran: TrainsRan


def ways_of(game: Game, kind: str) -> tuple[PuzzleWay, ...]:
    """The ways out of a position by all that can follow, the best first; none where that cannot be proved."""
    search = {SAVE: settled_trains, SALE: settled_sales, LAST: settled_ends}
    found = search[kind](game.ruleset, game.state, game.to_act[0])
    return tuple(PuzzleWay(tuple(map(to_plain, each.actions)), each.worth) for each in found)


def solution_of(game: Game, puzzle: Puzzle) -> Solution:
    """The answer in the position of a run or a lay. ValueError where the rules give another one now."""
    states = [game.state] if puzzle.kind == RUN else _laid(game, puzzle.hex)
    found = [(best_in(game.ruleset, state, puzzle.company), state) for state in states]
    best, state = max(found, key=lambda each: each[0].revenue)
    result = game.ruleset.policy(RunningPolicy).judge(state, puzzle.company, best.runs)
    if not isinstance(result, RunResult) or result.revenue != puzzle.answer:
        message = f"the answer is {best.revenue}, not {puzzle.answer}"
        raise ValueError(message)
    return Solution(state, best.runs, ran_with(puzzle.company, best.runs, result))


def _laid(game: Game, at: HexId) -> list[State]:
    """The positions after each lay on a hex."""
    return [state for lay, state in _lays(game, game.to_act[0]) if lay.hex == at]


def _lays(game: Game, seat: Seat) -> Iterator[tuple[LayTile, State]]:
    """Every legal lay of a seat with the position after it."""
    for choice in legal(game.ruleset, game.state, (seat,), beside=False):
        if isinstance(choice.action, LayTile):
            decided = decide(game.ruleset, game.state, seat, choice.action)
            if not isinstance(decided, Refusal):
                yield choice.action, decided.state


# Making them ----------------------------------------------------------------------------------------------------------


DEEDS = 5
"""One of so many puzzles is about a train, a sale or a last deed, where games have them."""
TRIES = 4
"""Games that are played in search of such a question, for each that is wished."""


def make_puzzles(found: Title, count: int, seed: int, kind: str = "steady") -> PuzzleFile:
    """Make so many puzzles from games between bots; equal seeds, equal puzzles.

    A fifth of them is about trains that must be had, sales and last deeds, as far as quick games have such questions; of the
    others about half are runs.
    """
    games: list[PuzzleGame] = []
    puzzles: list[Puzzle] = []
    version = 0
    for asked, game in deed_puzzles(found, count // DEEDS, seed):
        puzzles.append(replace(asked, game=len(games)))
        games.append(_way_of(found, game, asked.at))
    while len(puzzles) < count:
        game = _played(found, seed + len(games), kind)
        version = game.ruleset.version
        taken = _taken(game, len(games), count - len(puzzles), seed)
        # what comes behind the last question is of no use
        games.append(_way_of(found, game, max((each.at for each in taken), default=0)))
        puzzles += taken
    random.Random(seed).shuffle(puzzles)
    return PuzzleFile(found.id, version, tuple(games), tuple(puzzles))


def _way_of(found: Title, game: Game, end: int) -> PuzzleGame:
    """The way of a game up to a question."""
    actions = [(e.seat, msgspec.Raw(encode(e.action))) for e in game.line() if e.action is not None]
    return PuzzleGame(found.plain(game.options), game.names, game.seed, msgspec.Raw(msgspec.json.encode(actions[:end])))


def deed_puzzles(found: Title, count: int, seed: int) -> Iterator[tuple[Puzzle, Game]]:
    """Yield questions about ways out of a position, each with its game: of no kind more than half."""
    taken: Counter[str] = Counter()
    for number in range(count * TRIES):
        if taken.total() == count:
            return
        game = _played(found, seed + number, "random")
        kinds = [kind for kind in (SAVE, SALE, LAST) if taken[kind] < (count + 1) // 2]
        asked = next(_asked(game, kinds), None)
        if asked is not None:
            taken[asked.kind] += 1
            yield asked, game


def _asked(game: Game, kinds: Sequence[str]) -> Iterator[Puzzle]:
    """The questions of these kinds that a game has, with one best answer by a margin."""
    for entry in game.line():
        before = game.state_at(entry.parent)
        kind = _kind_of(game, before, entry)
        if kind not in kinds or _place(game, entry) > MOST_ACTIONS:
            continue
        at = game.at(entry.parent)
        ways = ways_of(at, kind)
        if len(ways) in OPTIONS and ways[0].worth - ways[1].worth >= MARGIN and ways[0].worth > 0:
            turn = current_turn(before)
            company = before.top.company if isinstance(before.top, ForcedPurchase) else turn.company if turn else ""
            asked = Puzzle(0, _place(game, entry), kind, company, ways[0].worth, 1, ways=ways)
            yield replace(asked, level=level_of(at, asked))


def _kind_of(game: Game, state: State, entry: Entry) -> str:
    """The kind of question that a position may ask; empty for none."""
    if isinstance(state.top, ForcedPurchase):
        return SALE
    turn = current_turn(state)
    if (
        turn is not None
        and state.top is turn
        and turn.step == "trains"
        and needs_train(game.ruleset, state, turn.company)
    ):
        return SAVE if game.at(entry.parent).to_act == (state.companies[turn.company].director,) else ""
    return LAST if game.finished and entry.number > game.number - NEAR else ""


def level_of(game: Game, puzzle: Puzzle) -> int:
    """The level of a lay or of ways in their position: one more than how many simple players miss the answer."""
    return 1 + sum(not _finds(game.at(game.number), puzzle, make_bot(kind, random.Random(0))) for kind in SIMPLE)


def _finds(game: Game, puzzle: Puzzle, bot: Bot) -> bool:
    """Tell whether a bot does what the answer says."""
    best = puzzle.ways[0].actions if puzzle.ways else ()
    for _ in best or range(1):
        view = view_of(game.ruleset, game.state, game.to_act[0]) if game.to_act else None
        move = bot.choose(view) if view is not None else None
        if move is None:
            return False
        if puzzle.kind == LAY:
            return isinstance(move.action, LayTile) and move.action.hex == puzzle.hex
        if to_plain(move.action) not in best:
            return False
        game.play(move.action)
    return True


def _played(found: Title, seed: int, kind: str) -> Game:
    editions = sorted(found.editions)
    edition = editions[seed % len(editions)]
    least, most = found.editions[edition]
    players = least + seed // len(editions) % (min(most, 4) - least + 1)
    game = new_game(found.id, NAMES[:players], {"edition": edition, "fixed_seats": True}, seed)
    rng = random.Random(seed)
    bots = [make_bot(kind, rng) for _ in range(players)]
    while not game.finished and game.number < PATIENCE:
        move = next_move(game.ruleset, game.state, bots, rng)
        assert move is not None
        game.play(move[1].action, move[0])
    return game


def _taken(game: Game, number: int, most: int, seed: int) -> list[Puzzle]:
    """Puzzles of a game, in its order: up to `A_GAME`, of both kinds, no two with the same trains and answer."""
    rng = random.Random(seed * 1000 + number)
    turns = [turn for turn in operating_turns(game) if turn.run is not None and turn.revenue]
    rng.shuffle(turns)
    made: dict[tuple[str, CompanyId, int], Puzzle] = {}
    for make, quota in ((_lay_puzzle, A_GAME // 2), (_run_puzzle, A_GAME)):
        for turn in turns:
            if len(made) >= min(most, quota):
                break
            puzzle = make(game, number, turn)
            if puzzle is not None:
                made.setdefault((puzzle.kind, puzzle.company, puzzle.answer), puzzle)
    return sorted(made.values(), key=lambda each: each.at)


def _run_puzzle(game: Game, number: int, turn: OperatingTurn) -> Puzzle | None:
    """The question of the best run, where a first look may miss it."""
    assert turn.run is not None
    entry = turn.entries[turn.run]
    if not isinstance(entry.action, RunTrains):
        return None
    state = game.state_at(entry.parent)
    trains = state.companies[turn.company].trains
    best = best_in(game.ruleset, state, turn.company)
    longest = max(len(run.track) for run in best.runs)
    if not best.proved or (len(trains) == 1 and longest < LONG):
        return None
    missed = sum(earned < best.revenue for earned in _first_looks(game, state, turn.company))
    return Puzzle(number, _place(game, entry), RUN, turn.company, best.revenue, 1 + min(missed, LEVELS - 1))


def _first_looks(game: Game, state: State, company: CompanyId) -> Iterator[int]:
    """Revenues of two players who look less long: the first answer of the search, and the longest train alone."""
    policy = game.ruleset.policy(RunningPolicy)
    soon = policy.judge(state, company, policy.soon(state, company))
    yield soon.revenue if isinstance(soon, RunResult) else 0
    runs = policy.soon(state, company)
    alone = policy.judge(state, company, runs[:1])
    yield alone.revenue if isinstance(alone, RunResult) else 0


def _lay_puzzle(game: Game, number: int, turn: OperatingTurn) -> Puzzle | None:
    """The question of the lay before the run, where one hex is better than all others by a margin."""
    entry = next((each for each in turn.before_run if isinstance(each.action, LayTile)), None)
    if entry is None or not game.state_at(entry.parent).companies[turn.company].trains:
        return None
    revenues = lay_revenues(game.at(entry.parent), turn.company, entry.seat)
    if revenues is None or len(revenues) < 4:
        return None
    ranked = sorted(revenues.items(), key=lambda item: -item[1])
    (at, best), (_, second) = ranked[0], ranked[1]
    if best - second < MARGIN:
        return None
    asked = Puzzle(number, _place(game, entry), LAY, turn.company, best, 1, at, revenues)
    return replace(asked, level=level_of(game.at(entry.parent), asked))


def lay_revenues(game: Game, company: CompanyId, seat: Seat) -> dict[HexId, int] | None:
    """By hex the best proved revenue in Mark if one tile is laid there and the trains run; None where one is not proved."""
    found: dict[HexId, int] = {}
    for lay, state in _lays(game, seat):
        best = best_in(game.ruleset, state, company, SECONDS)
        if not best.proved:
            return None
        found[lay.hex] = max(found.get(lay.hex, 0), best.revenue)
    return found


def _place(game: Game, entry: Entry) -> int:
    """Number of actions of the line before an entry."""
    return sum(1 for each in game.line() if each.number < entry.number)
