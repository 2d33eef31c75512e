"""The lobby: the open tables that fit a filter, a table before its game, and what can be offered."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from trajekt.engine.title import Title
from trajekt.i18n.sentences import LANGUAGES, Catalogue
from trajekt.registry import names, title
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.start_page import Arrival, GameCard, SetChoice, card, installed, own_sets
from trajekt.server.presenters.table_list import game_name
from trajekt.server.services.lobby import PACES, Found
from trajekt.server.services.table_service import TableService
from trajekt.server.storage.open_tables import LobbyFilter
from trajekt.server.user_text import SENTENCE_LENGTH

LOG = logging.getLogger("trajekt.server")
PAGE_SIZE = 50
"""Tables on a page of the lobby."""
MOST_PAGES = 100
MOST_FREE = 5
"""Free seats that one can ask for."""


class OpenTableFile(msgspec.Struct, frozen=True):
    """An open table for clients; `pace` in moves a week, 0 for live; times in seconds since 1970.

    `players` in the order in which they sat down, `host` among them. `you` is the name of who asks, empty for somebody who does
    not sit there. `table` is the address of the game once it has begun, for those who play it. `component_set` is the name and
    version of an owner's set that is played with.
    """

    id: str
    address: str
    game: str
    options: dict[str, Any]
    least: int
    most: int
    pace: int
    language: str
    sentence: str
    listed: bool
    accounts: bool
    players: tuple[str, ...]
    host: str
    created: float
    changed: float
    started: bool
    you: str = ""
    table: str = ""
    component_set: str = ""


class LobbyFile(msgspec.Struct, frozen=True):
    """The open tables that fit, the newest first, `PAGE_SIZE` at most; `more`: there are others on the next page."""

    tables: tuple[OpenTableFile, ...]
    more: bool


class LobbyLine(msgspec.Struct, frozen=True):
    """An open table as the reader sees it in the list."""

    address: str
    game: str
    details: tuple[str, ...]
    players: str
    seats: str
    terms: tuple[str, ...]
    """Pace, language, and whether an account is needed."""
    sentence: str
    created: float


class GameName(msgspec.Struct, frozen=True):
    """A game that can be chosen."""

    id: str
    name: str


class LobbyModel(msgspec.Struct, frozen=True):
    """The page of the lobby: the tables that fit, and the filter as it stands."""

    lines: tuple[LobbyLine, ...]
    wanted: LobbyFilter
    games: tuple[GameName, ...]
    languages: tuple[str, ...]
    free: tuple[int, ...]
    query: str
    """The filter as it stands in an address, without the page."""
    page: int
    more: bool


class OpenSeatLine(msgspec.Struct, frozen=True):
    """A person at an open table; `dismissible` by the reader."""

    name: str
    host: bool
    you: bool
    dismissible: bool


class OpenTableModel(msgspec.Struct, frozen=True):
    """The page of an open table. `step`: "join", "wait", "start" (the reader is the host and may), "begun"."""

    line: LobbyLine
    id: str
    seats: tuple[OpenSeatLine, ...]
    free: int
    step: str
    host: bool
    listed: bool
    accounts: bool
    signed_in: bool
    missing: int
    """Players that are needed before the host may begin."""
    name: str
    """The name that stands in the form."""
    table: str


class OfferModel(msgspec.Struct, frozen=True):
    """The page on which an open table is offered."""

    games: tuple[GameName, ...]
    game: GameCard | None
    """The card of the game that is shown; None where none is installed."""
    paces: tuple[int, ...]
    languages: tuple[str, ...]
    longest: int
    name: str
    signed_in: bool
    sets: Sequence[SetChoice]


@dataclass(frozen=True, slots=True)
class LobbyPage(PageModel):
    """The lobby as a page."""

    template: ClassVar[str] = "lobby.html"
    lobby: LobbyModel


@dataclass(frozen=True, slots=True)
class LobbyList(LobbyPage):
    """The list of the lobby alone, for a page that is open."""

    template: ClassVar[str] = "lobby_list.html"


@dataclass(frozen=True, slots=True)
class OfferPage(PageModel):
    """The form by which a table is offered, as a page."""

    template: ClassVar[str] = "lobby_offer.html"
    offer: OfferModel


@dataclass(frozen=True, slots=True)
class OpenTablePage(PageModel):
    """An open table as a page."""

    template: ClassVar[str] = "open_table.html"
    open: OpenTableModel


@dataclass(frozen=True, slots=True)
class OpenTableSeats(OpenTablePage):
    """The part of the page of an open table that changes."""

    template: ClassVar[str] = "open_table_seats.html"


def game_names() -> tuple[GameName, ...]:
    """The games that can be chosen in a filter, by name; one that cannot be loaded is left out."""
    found = []
    for name in names():
        with suppress(Exception):  # a stranger's package may fail in any way
            game = title(name)
            found.append(GameName(game.id, game.name))
    return tuple(sorted(found, key=lambda each: each.name))


def pace_text(pace: int, say: Catalogue) -> str:
    """Return how fast a table plays."""
    return say.text("page.lobby.live") if pace == 0 else say.text("page.lobby.week", number=pace)


def details(found: Title, options: dict[str, Any], say: Catalogue) -> tuple[str, ...]:
    """The edition and the variants of a game, named in the reader's language."""

    def named(key: str, fallback: str) -> str:
        return say.text(key) if key in say else fallback

    told = []
    edition = options.get("edition")
    if len(found.editions) > 1 and edition is not None:
        told.append(named(f"page.edition.{edition}", str(edition)))
    for variant in found.variants:
        value = options.get(variant.option)
        if value in (None, False, ""):
            continue
        name = named(f"page.variant.{variant.option}", variant.option)
        told.append(name if value is True else f"{name}: {named(f'page.value.{variant.option}.{value}', str(value))}")
    return tuple(told)


def line_of(found: Found, viewer: Viewer) -> LobbyLine | None:
    """A line of the lobby; None for a row that cannot be read, which is logged and breaks nobody's page."""
    row, seated = found
    try:
        game = title(row.title)
        say = viewer.catalogue(game)
        named = details(game, msgspec.json.decode(row.options, type=dict[str, Any]), say)
        named += (say.text("page.set.of_lobby", name=row.set_name),) if row.set_name else ()
    except (msgspec.MsgspecError, ValueError, TypeError, ImportError) as fault:
        LOG.warning("open table %s cannot be listed: %s", row.id, fault)
        return None
    terms = [pace_text(row.pace, say)]
    if row.language in LANGUAGES:
        terms.append(say.text(f"page.lobby.language.{row.language}"))
    if row.accounts:
        terms.append(say.text("page.lobby.accounts"))
    key = "page.lobby.seats.range" if row.least < row.most else "page.lobby.seats.exact"
    return LobbyLine(
        address=f"/lobby/{row.id}",
        game=game_name(row.title),
        details=named,
        players=", ".join(each.name for each in seated),
        seats=say.text(key, taken=row.taken, least=row.least, most=row.most),
        terms=tuple(terms),
        sentence=row.sentence,
        created=row.created,
    )


def lobby_model(found: list[Found], wanted: LobbyFilter, page: int, viewer: Viewer, query: str) -> LobbyModel:
    """The page of the lobby, of one table more than a page holds where there are."""
    lines = (line_of(each, viewer) for each in found[:PAGE_SIZE])
    return LobbyModel(
        lines=tuple(line for line in lines if line is not None),
        wanted=wanted,
        games=game_names(),
        languages=LANGUAGES,
        free=tuple(range(1, MOST_FREE + 1)),
        query=query,
        page=page,
        more=len(found) > PAGE_SIZE and page < MOST_PAGES,
    )


def file_of(found: Found, person: str) -> OpenTableFile:
    """An open table for a client."""
    row, seated = found
    you = next((each.name for each in seated if each.person == person), "")
    return OpenTableFile(
        id=row.id,
        address=f"/lobby/{row.id}",
        game=row.title,
        options=msgspec.json.decode(row.options, type=dict[str, Any]),
        least=row.least,
        most=row.most,
        pace=row.pace,
        language=row.language,
        sentence=row.sentence,
        listed=row.listed,
        accounts=row.accounts,
        players=tuple(each.name for each in seated),
        host=next((each.name for each in seated if each.person == row.host), ""),
        created=row.created,
        changed=row.changed,
        started=row.game is not None,
        you=you,
        table=f"/t/{row.game}" if row.game is not None and you else "",
        component_set=row.set_name,
    )


def lobby_file(found: list[Found], page: int, person: str) -> LobbyFile:
    """The lobby for a client."""
    tables = tuple(file_of(each, person) for each in found[:PAGE_SIZE])
    return LobbyFile(tables, len(found) > PAGE_SIZE and page < MOST_PAGES)


def open_table_model(found: Found, viewer: Viewer, person: str, name: str) -> OpenTableModel | None:
    """The page of an open table; None where it cannot be read. `name` is that of the reader's account."""
    row, seated = found
    line = line_of(found, viewer)
    if line is None:
        return None
    sits, host = any(each.person == person for each in seated), person == row.host
    if row.game is not None:
        step = "begun"
    elif not sits:
        step = "join"
    else:
        step = "start" if host and row.taken >= row.least else "wait"
    seats = tuple(
        OpenSeatLine(each.name, each.person == row.host, each.person == person, host and each.person != person)
        for each in seated
    )
    return OpenTableModel(
        line=line,
        id=row.id,
        seats=seats,
        free=row.most - row.taken,
        step=step,
        host=host,
        listed=row.listed,
        accounts=row.accounts,
        signed_in=bool(name),
        missing=max(row.least - row.taken, 0),
        name=name,
        table=f"/t/{row.game}" if row.game is not None and sits else "",
    )


def offer_model(table: TableService, viewer: Viewer, wanted: Arrival, name: str) -> OfferModel:
    """The page on which an open table is offered, with the game and the component set that are asked for."""
    known = installed()
    shown = next((each for each in known if each.id == wanted.game), known[0] if known else None)
    return OfferModel(
        games=tuple(GameName(each.id, each.name) for each in known),
        game=None if shown is None else card(shown, viewer),
        paces=PACES,
        languages=LANGUAGES,
        longest=SENTENCE_LENGTH,
        name=name,
        signed_in=bool(name),
        sets=() if shown is None else own_sets(table, wanted).get(shown.id, ()),
    )
