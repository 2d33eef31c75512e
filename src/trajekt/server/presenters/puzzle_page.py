"""Puzzles: the list of them, and one as a page with its map, its question, and the answer to be uncovered."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

import msgspec

from trajekt.engine.components.schema import HexId
from trajekt.engine.title import Title
from trajekt.i18n.sentences import Catalogue
from trajekt.registry import names as title_names
from trajekt.registry import title as find_title
from trajekt.rendering.hex_geometry import centre
from trajekt.rendering.token_symbols import draw_token, page_symbols
from trajekt.review.puzzles import RUN, Puzzle, PuzzleFile, position_of, puzzles_of, solution_of
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.decision import Term, terms
from trajekt.server.presenters.map_and_market import hex_svg, look_of, map_drawn, route_layers
from trajekt.server.presenters.page_model import PageModel

DRAWN = 32
"""Puzzles whose drawing is kept."""


class PuzzleAnswer(msgspec.Struct, frozen=True):
    """The answer by which the script of the page judges; revenues in Mark by hex for a lay."""

    id: str
    kind: str
    answer: int
    hex: HexId
    revenues: dict[HexId, int]


@dataclass(frozen=True, slots=True)
class PuzzleDocument(PageModel):
    """The page of a puzzle. `lines`, `rings` and `tile` are the drawing of the answer, `terms` its sums."""

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


def _drawn(title: Title, found: PuzzleFile, puzzle: Puzzle, number: int, viewer: Viewer) -> PuzzleDocument:
    game = position_of(found, puzzle)
    state, solution = game.state, solution_of(game, puzzle)
    speaker = viewer.speaker(title, state)
    say = speaker.catalogue
    lines, rings = route_layers(solution.state, title, [list(run.track) for run in solution.runs])
    tile = ""
    if puzzle.kind != RUN:
        x, y = centre(state.sheet.layout, puzzle.hex)
        tile = f'<g transform="translate({x:g} {y:g})">{hex_svg(solution.state, title, puzzle.hex)}</g>'
    answer = PuzzleAnswer(f"{title.id}/{number}", puzzle.kind, puzzle.answer, puzzle.hex, dict(puzzle.revenues))
    company = state.companies[puzzle.company]
    return PuzzleDocument(
        title=title,
        number=number,
        level=puzzle.level,
        question=say.text(f"page.puzzle.ask.{puzzle.kind}", company=speaker.company(puzzle.company)),
        token=draw_token(puzzle.company, 40),
        trains=[speaker.train(kind) for kind in company.trains],
        symbols=page_symbols(state.sheet, look_of(title)),
        map="".join(map_drawn(state, title, lit=tuple(puzzle.revenues), routes=(), marked=(), say=say)),
        lines=lines,
        rings=rings,
        tile=tile,
        terms=terms(solution.ran, speaker, solution.state.board),
        revenue=say.money(puzzle.answer),
        answer=answer,
        json=msgspec.json.encode(answer).decode(),
        before=number - 1 or len(found.puzzles),
        after=number % len(found.puzzles) + 1,
        say=say,
    )
