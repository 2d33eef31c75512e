"""The start page: which games there are, what a table of each may choose, and the tables that exist."""

from __future__ import annotations

import json
import logging
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from trajekt.bots.bot import LEVELS, opponents
from trajekt.engine.components.component_sets import component_set
from trajekt.engine.components.provenance import sheet_summary
from trajekt.engine.state import blank_state
from trajekt.engine.title import Title
from trajekt.registry import names, title
from trajekt.rendering.map import draw_map
from trajekt.rendering.token_symbols import page_symbols
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.guided_turn import exercises_of, guided_of, played
from trajekt.server.presenters.map_and_market import look_of
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.table_list import TableLine, table_line
from trajekt.server.services.game_import import MAX_BYTES
from trajekt.server.services.table_service import PAUSES, TableService
from trajekt.server.storage.cached_game import TRIAL
from trajekt.server.storage.component_sets import of_person

LOG = logging.getLogger("trajekt.server")
FIRST_DRAWING = threading.Lock()
"""Lock of the thumbnails: of several who come to a fresh server at once one draws, and the others wait for it."""


@cache
def thumbnail(game: str) -> str:
    """The map of a game at the moment of its guided turn, with track on it; else as it lies in the box."""
    found = title(game)
    guided = guided_of(found.package)
    if guided is not None:
        board = played(guided).state.board
    else:
        sheet = found.sheet(found.options({}), None)
        low, _high = sheet.players
        board = blank_state(sheet, ("?",) * low).board
    drawn = draw_map(board, look_of(found), compact=True)
    return drawn.replace("<svg ", '<svg preserveAspectRatio="xMidYMid slice" ', 1)


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition of a game, with the fewest and the most players."""

    number: int
    name: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class VariantValue:
    """A value of a variant as the form sends it; `players` are the fewest and the most, None where it changes nothing."""

    value: str
    name: str
    players: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class VariantChoice:
    """A variant that a new table may choose: on or off, or one of `values`; `editions` are the numbers where it is known."""

    option: str
    name: str
    values: Sequence[VariantValue]
    players: tuple[int, int] | None
    editions: str


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game on the start page: `thumbnail` is its map, `guided` tells whether it has a guided turn, `exercises` are named.

    `referee`: it can mirror a table with real cardboard.
    """

    id: str
    name: str
    place: str
    about: str
    level: str
    low: int
    high: int
    editions: Sequence[Edition]
    variants: Sequence[VariantChoice]
    thumbnail: str
    guided: bool
    exercises: Sequence[str]
    referee: bool


@dataclass(frozen=True, slots=True)
class Arrival:
    """A request for the start page: of which person (empty: somebody unknown), the game and component set to begin with."""

    person: str = ""
    game: str = ""
    component_set: str = ""


NOBODY = Arrival()


@dataclass(frozen=True, slots=True)
class SetChoice:
    """A component set that a new table may be played with; `chosen` is the one that was asked for."""

    id: str
    name: str
    edition: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class StartPage(PageModel):
    """The doors to a game, and the tables at one screen where they are `listed`.

    `kinds` are bots, `levels` those of the quick start, `paces` seconds between their moves, `most_bytes` the largest file,
    `chosen` the game that is opened.
    """

    template: ClassVar[str] = "start.html"
    games: Sequence[GameCard]
    kinds: Sequence[str]
    levels: Sequence[str]
    paces: Sequence[float]
    tables: Sequence[TableLine]
    listed: bool
    most_bytes: int
    symbols: str
    chosen: str
    sets: Mapping[str, Sequence[SetChoice]]


def own_sets(table: TableService, wanted: Arrival) -> dict[str, list[SetChoice]]:
    """The component sets of whoever asks, by game."""
    found: dict[str, list[SetChoice]] = {}
    for each in of_person(table.store, wanted.person) if wanted.person else ():
        read = component_set(each.text, each.title, each.title)
        choice = SetChoice(each.id, f"{read.name} {read.version}", read.edition, each.id == wanted.component_set)
        found.setdefault(each.title, []).append(choice)
    return found


def start_page(table: TableService, viewer: Viewer, listed: bool = True, wanted: Arrival = NOBODY) -> StartPage:
    """The whole start page; `listed`: with the tables at one screen."""
    say = viewer.catalogue()
    playable = installed()
    games = [card(found, viewer) for found in playable]
    rows = (table_line(row, say) for row in (table.store.games(without=TRIAL) if listed else ()))
    tables = [row for row in rows if row is not None]
    return StartPage(
        games=games,
        kinds=opponents(),
        levels=[name for name in LEVELS if name in opponents()],
        paces=PAUSES,
        tables=tables,
        listed=listed,
        most_bytes=MAX_BYTES,
        symbols="".join(symbols(found.id) for found in playable),
        chosen=wanted.game if wanted.game in {game.id for game in games} else chosen(tables, games),
        sets=own_sets(table, wanted),
    )


def draw_thumbnail(game: str) -> None:
    """Draw what the first start page would have to draw of a game, so that neither who opens it nor anybody beside waits.

    A game that cannot be drawn is told by the page.
    """
    with suppress(Exception), FIRST_DRAWING:
        thumbnail(title(game).id)
        symbols(title(game).id)


def installed() -> list[Title]:
    """The games that can be played; one that cannot be loaded is told to the log and leaves the others alone."""
    found = []
    with FIRST_DRAWING:
        for name in names():
            try:
                found.append(title(name))
                thumbnail(found[-1].id)
            except Exception:  # a stranger's package may fail in any way
                LOG.exception("the game %s cannot be loaded", name)
                found = [each for each in found if each.id.removeprefix("18") != name.removeprefix("18")]
    return sorted(found, key=lambda each: reconstructed(each.id))


@cache
def reconstructed(game: str) -> float:
    """The part of a game's components that no public source states, from 0 to 1: the surest game stands first."""
    found = title(game)
    counts: Counter[str] = Counter()
    for section in sheet_summary(found.sheet(found.options({}), None)).values():
        counts.update(section)
    whole: int = counts.total()
    return counts["X"] / max(whole, 1)


def chosen(tables: Sequence[TableLine], games: Sequence[GameCard]) -> str:
    """The game that was played last, else the first."""
    known = [game.id for game in games]
    return next((table.game for table in tables if table.game in known), known[0] if known else "")


@cache
def symbols(game: str) -> str:
    """Return what the thumbnails draw with."""
    found = title(game)
    return page_symbols(found.sheet(found.options({}), None), look_of(found))


def card(found: Title, viewer: Viewer) -> GameCard:
    """A game with its editions and variants, named in the viewer's language."""
    say = viewer.catalogue(found)

    def named(key: str, fallback: str) -> str:
        return say.text(key) if key in say else fallback

    numbers = [*found.editions.values()]  # of players, in any edition or variant
    for variant in found.variants:
        numbers += [*([variant.players] if variant.players else []), *variant.players_of.values()]
    return GameCard(
        id=found.id,
        name=found.name,
        place=named("page.game.place", ""),
        about=named("page.game.about", ""),
        level=named("page.game.level", ""),
        low=min(low for low, _ in numbers),
        high=max(high for _, high in numbers),
        editions=[
            Edition(number, named(f"page.edition.{number}", str(number)), low, high)
            for number, (low, high) in sorted(found.editions.items(), reverse=True)
        ],
        variants=[
            VariantChoice(
                option=variant.option,
                name=named(f"page.variant.{variant.option}", variant.option),
                values=[
                    VariantValue(
                        json.dumps(value),
                        named(f"page.value.{variant.option}.{value}", str(value)),
                        variant.players_of.get(value),
                    )
                    for value in variant.values
                ],
                players=variant.players,
                editions=" ".join(str(n) for n in variant.editions),
            )
            for variant in found.variants
        ],
        thumbnail=thumbnail(found.id),
        guided=guided_of(found.package) is not None,
        exercises=[exercise.name for exercise in exercises_of(found.package)],
        referee=found.referee,
    )
