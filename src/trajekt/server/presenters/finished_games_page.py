"""Finished games: those that fit a search, and the results of a player by game and number of players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import msgspec

from trajekt.i18n.sentences import Catalogue
from trajekt.server.accounts.viewer import Viewer, names_read
from trajekt.server.presenters.lobby_page import MOST_PAGES, GameName, game_names
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.table_list import game_name
from trajekt.server.services.ratings import PlayerRating
from trajekt.server.storage.results import FinishedGame, GameFilter, ResultSum

PAGE_SIZE = 50
"""Games on a page."""
MOST_PLAYERS = 8


class PlayerResultLine(msgspec.Struct, frozen=True):
    """A player's result in a game, by the rules: `total` in Mark as text, `bot` whether a bot played."""

    name: str
    rank: int
    total: str
    bot: bool


class GameLine(msgspec.Struct, frozen=True):
    """A finished game in the list; `ended` in seconds since 1970."""

    address: str
    game: str
    ended: float
    results: tuple[PlayerResultLine, ...]


class ResultSumLine(msgspec.Struct, frozen=True):
    """The results of a player in one game with one number of players, as text."""

    game: str
    players: int
    games: int
    won: int
    rank: str
    best: str


class GamesModel(msgspec.Struct, frozen=True):
    """The page of finished games. `who` is the player of the sums, empty for the reader; `since` and `until` as dates."""

    lines: tuple[GameLine, ...]
    sums: tuple[ResultSumLine, ...]
    who: str
    wanted: GameFilter
    since: str
    until: str
    games: tuple[GameName, ...]
    numbers: tuple[int, ...]
    query: str
    page: int
    more: bool
    rated: bool
    """The host has turned ratings on."""


@dataclass(frozen=True, slots=True)
class GamesPage(PageModel):
    """The page of finished games."""

    template: ClassVar[str] = "finished_games.html"
    found: GamesModel


class RatingLine(msgspec.Struct, frozen=True):
    """A player in the list of ratings, as text."""

    place: int
    name: str
    bot: bool
    games: int
    value: str


@dataclass(frozen=True, slots=True)
class RatingsPage(PageModel):
    """The page of ratings."""

    template: ClassVar[str] = "ratings.html"
    ratings: tuple[RatingLine, ...]


class RatingsFile(msgspec.Struct, frozen=True):
    """The ratings for clients, the best first."""

    ratings: tuple[PlayerRating, ...]


def ratings_page(ratings: tuple[PlayerRating, ...], viewer: Viewer) -> RatingsPage:
    """The page of ratings, the best first."""
    say = viewer.catalogue()

    def name_of(each: PlayerRating) -> str:
        key = f"page.bot.{each.name}"
        return say.text(key) if each.bot and key in say else each.name

    values = [decimal(each.value, say) for each in ratings]
    lines = (
        RatingLine(
            values.index(value) + 1, name_of(each), each.bot, each.games, value
        )  # whoever reads alike stands alike
        for each, value in zip(ratings, values, strict=True)
    )
    return RatingsPage(tuple(lines))


class GamesFile(msgspec.Struct, frozen=True):
    """Finished games for clients, those that ended last first, `PAGE_SIZE` at most; `sums` are those of the page."""

    games: tuple[FinishedGame, ...]
    sums: tuple[ResultSum, ...]
    more: bool


def decimal(value: float, say: Catalogue) -> str:
    """A number with one decimal: `1.5`, in German `1,5`."""
    text = f"{value:.1f}".replace("-", "\u2212")
    return text.replace(".", ",") if say.language == "de" else text


def games_file(found: list[FinishedGame], sums: list[ResultSum], page: int) -> GamesFile:
    """The finished games for a client."""
    return GamesFile(tuple(found[:PAGE_SIZE]), tuple(sums), len(found) > PAGE_SIZE and page < MOST_PAGES)


def games_model(
    found: list[FinishedGame],
    sums: list[ResultSum],
    wanted: GameFilter,
    page: int,
    viewer: Viewer,
    *,
    query: str,
    since: str,
    until: str,
    rated: bool,
) -> GamesModel:
    """The page of finished games, of one game more than a page holds where there are."""
    say = viewer.catalogue()

    def line(game: FinishedGame) -> GameLine:
        names = names_read([each.name for each in game.results], say)
        results = (
            PlayerResultLine(name, each.rank, say.money(each.total), each.bot is not None)
            for name, each in zip(names, game.results, strict=True)
        )
        return GameLine(f"/t/{game.id}", game_name(game.title), game.ended, tuple(results))

    return GamesModel(
        lines=tuple(map(line, found[:PAGE_SIZE])),
        sums=tuple(
            ResultSumLine(game_name(s.title), s.players, s.games, s.won, decimal(s.rank, say), say.money(s.best))
            for s in sums
        ),
        who=wanted.player,
        wanted=wanted,
        since=since,
        until=until,
        games=game_names(),
        numbers=tuple(range(2, MOST_PLAYERS + 1)),
        query=query,
        page=page,
        more=len(found) > PAGE_SIZE and page < MOST_PAGES,
        rated=rated,
    )
