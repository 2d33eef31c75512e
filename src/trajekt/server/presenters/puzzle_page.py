"""Puzzles: the list of them, and one as a page with its map, its question, and the answer to be uncovered."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

import msgspec

from trajekt.engine.actions import Action
from trajekt.engine.components.schema import HexId
from trajekt.engine.ruleset import Choice
from trajekt.engine.state import Seat, State
from trajekt.engine.title import Title
from trajekt.game import Game
from trajekt.i18n.sentences import Catalogue, Speaker, choice_label
from trajekt.registry import names as title_names
from trajekt.registry import title as find_title
from trajekt.rendering.hex_geometry import centre
from trajekt.rendering.token_symbols import draw_token, page_symbols
from trajekt.review.puzzles import LAY, SAVE, Puzzle, PuzzleFile, position_of, puzzles_of, solution_of
from trajekt.rules.forced_purchase import ForcedPurchase, missing
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.decision import Term, terms
from trajekt.server.presenters.map_and_market import hex_svg, look_of, map_drawn, market_drawn, route_layers
from trajekt.server.presenters.page_model import PageModel

DRAWN = 32
"""Puzzles whose drawing is kept."""


class PuzzleAnswer(msgspec.Struct, frozen=True):
    """The answer by which the script of the page judges; revenues in Mark by hex for a lay, worths of ways in order."""

    id: str
    kind: str
    answer: int
    hex: HexId
    revenues: dict[HexId, int]
    worths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class HoldingLine:
    """A company in the portfolio of the player who is asked: its token, per cent held, and price of a share."""

    token: str
    company: str
    percent: str
    price: str


@dataclass(frozen=True, slots=True)
class PuzzleDocument(PageModel):
    """The page of a puzzle. `lines`, `rings` and `tile` are the drawing of the answer, `terms` its sums.

    `ways` are the deeds to choose from with the worth that they leave, `holdings`, `under` and `market` what they rest on.
    """

    template: ClassVar[str] = "puzzle.html"
    title: Title
    number: int
    level: int
    question: str
    token: str
    trains: Sequence[str]
    symbols: str
    map: str
    lines: str
    rings: str
    tile: str
    terms: Sequence[Term]
    revenue: str
    ways: Sequence[tuple[str, str]]
    under: str
    holdings: Sequence[HoldingLine]
    market: str
    answer: PuzzleAnswer
    json: str
    before: int
    after: int
    say: Catalogue


@dataclass(frozen=True, slots=True)
class PuzzleShelf:
    """The puzzles of a game in the list: number and level."""

    id: str
    name: str
    puzzles: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class PuzzleList(PageModel):
    """The page of all puzzles; `today` is the address of the one of the day, empty where there are none."""

    template: ClassVar[str] = "puzzles.html"
    shelves: Sequence[PuzzleShelf]
    today: str
    say: Catalogue


def shelves() -> list[tuple[Title, PuzzleFile]]:
    """The installed games that have puzzles."""
    titles = map(find_title, title_names())
    return [(each, found) for each in titles if (found := puzzles_of(each.package)) is not None]


def of_day(day: date) -> str:
    """The address of the puzzle of a day: a game a day, one after the other; empty where there are none."""
    games = shelves()
    if not games:
        return ""
    title, found = games[day.toordinal() % len(games)]
    return f"/puzzles/{title.id}/{day.toordinal() // len(games) % len(found.puzzles) + 1}"


def puzzle_list(viewer: Viewer, day: date) -> PuzzleList:
    """The page of all puzzles."""
    rows = [
        PuzzleShelf(title.id, title.name, [(n, each.level) for n, each in enumerate(found.puzzles, 1)])
        for title, found in shelves()
    ]
    return PuzzleList(rows, of_day(day), viewer.catalogue())


_KEPT: dict[tuple[str, int, str], PuzzleDocument] = {}
_LOCK = threading.Lock()


def puzzle_page(title: Title, number: int, viewer: Viewer) -> PuzzleDocument:
    """The page of puzzle `number`, from 1. KeyError where the game has none of this number."""
    found = puzzles_of(title.package)
    if found is None or not 1 <= number <= len(found.puzzles):
        raise KeyError(number)
    key = title.id, number, viewer.language
    with _LOCK:
        if key not in _KEPT:
            if len(_KEPT) >= DRAWN:
                del _KEPT[next(iter(_KEPT))]
            _KEPT[key] = _drawn(title, found, found.puzzles[number - 1], number, viewer)
        return _KEPT[key]


def _ways(game: Game, puzzle: Puzzle, number: int) -> list[tuple[tuple[Action, ...], int]]:
    """The ways out of a position with their worths, in an order that tells nothing."""
    ways = [(tuple(map(game.codec.action_of, way.actions)), way.worth) for way in puzzle.ways]
    random.Random(number).shuffle(ways)  # noqa: S311  no secret
    return ways


def _holdings(state: State, seat: Seat, speaker: Speaker) -> list[HoldingLine]:
    """The shares of a seat with their prices."""
    say = speaker.catalogue
    return [
        HoldingLine(
            draw_token(each.id, 22), speaker.company(each.id), f"{each.percent(seat)}\u00a0%", say.money(state.price(each.id))
        )
        for each in state.companies.values()
        if each.percent(seat) and each.id in state.markers.spaces
    ]  # fmt: skip


def _asked_deed(title: Title, game: Game, puzzle: Puzzle, number: int, speaker: Speaker) -> dict[str, Any]:
    """The parts of the page of a sale or a last deed."""
    state, seat, say = game.state, game.to_act[0], speaker.catalogue
    ways = _ways(game, puzzle, number)
    words = {
        "player": speaker.seat(seat),
        "company": speaker.company(puzzle.company),
        "cash": say.money(state.players[seat].cash),
    }
    if puzzle.kind == SAVE:
        words["treasury"] = say.money(state.companies[puzzle.company].treasury)
    if isinstance(state.top, ForcedPurchase):
        words |= {"train": speaker.train(state.top.train), "missing": say.money(missing(state, state.top))}
    told = [
        (", ".join(choice_label(speaker, Choice(seat, action)) for action in actions), say.money(worth))
        for actions, worth in ways
    ]
    return {
        "question": say.text(f"page.puzzle.ask.{puzzle.kind}", **words),
        "ways": told,
        "under": say.text(f"page.puzzle.under.{puzzle.kind}", **words),
        "holdings": _holdings(state, seat, speaker),
        "market": "".join(market_drawn(state, title, (), (), say)),
        "answer": PuzzleAnswer(f"{title.id}/{number}", puzzle.kind, puzzle.answer, "", {}, tuple(w for _, w in ways)),
    }


def _asked_map(title: Title, game: Game, puzzle: Puzzle, number: int, speaker: Speaker) -> dict[str, Any]:
    """The parts of the page of a run or a lay: the drawing of the answer and its sums."""
    solution, say = solution_of(game, puzzle), speaker.catalogue
    lines, rings = route_layers(solution.state, title, [list(run.track) for run in solution.runs])
    tile = ""
    if puzzle.kind == LAY:
        x, y = centre(game.state.sheet.layout, puzzle.hex)
        tile = f'<g transform="translate({x:g} {y:g})">{hex_svg(solution.state, title, puzzle.hex)}</g>'
    return {
        "question": say.text(f"page.puzzle.ask.{puzzle.kind}", company=speaker.company(puzzle.company)),
        "lines": lines,
        "rings": rings,
        "tile": tile,
        "terms": terms(solution.ran, speaker, solution.state.board),
        "answer": PuzzleAnswer(f"{title.id}/{number}", puzzle.kind, puzzle.answer, puzzle.hex, dict(puzzle.revenues)),
    }


NO_PARTS: dict[str, Any] = {
    "lines": "", "rings": "", "tile": "", "terms": (), "ways": (), "under": "", "holdings": (), "market": ""
}  # fmt: skip


def _drawn(title: Title, found: PuzzleFile, puzzle: Puzzle, number: int, viewer: Viewer) -> PuzzleDocument:
    game = position_of(found, puzzle)
    state = game.state
    speaker = viewer.speaker(title, state)
    say = speaker.catalogue
    asked = (_asked_deed if puzzle.ways else _asked_map)(title, game, puzzle, number, speaker)
    company = state.companies.get(puzzle.company)
    parts = {
        "token": draw_token(puzzle.company, 40) if company is not None else "",
        "trains": [speaker.train(kind) for kind in company.trains] if company is not None else (),
    }
    return PuzzleDocument(
        title=title,
        number=number,
        level=puzzle.level,
        symbols=page_symbols(state.sheet, look_of(title)),
        map="".join(map_drawn(state, title, lit=tuple(puzzle.revenues), routes=(), marked=(), say=say)),
        revenue=say.money(puzzle.answer),
        json=msgspec.json.encode(asked["answer"]).decode(),
        before=number - 1 or len(found.puzzles),
        after=number % len(found.puzzles) + 1,
        say=say,
        **NO_PARTS | parts | asked,
    )
