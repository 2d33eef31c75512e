"""Results of finished games: stored with the entry that ends a game, searched, and summed up for a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from trajekt.engine.player_names import likeness
from trajekt.engine.state import Seat
from trajekt.server.storage.result_rows import ResultRow, write
from trajekt.server.storage.schema import GAMES, HOLDERS, PEOPLE, RESULTS
from trajekt.server.storage.store import Store


class GameFilter(msgspec.Struct, frozen=True):
    """Filter of finished games: each field leaves out what does not fit, empty or 0 leaves nothing out.

    `player` is a part of a name; `since` and `until` are times in seconds since 1970.
    """

    player: str = ""
    game: str = ""
    players: int = 0
    since: float = 0.0
    until: float = 0.0


class PlayerResult(msgspec.Struct, frozen=True):
    """The result of a seat: `total` in Mark, `bot` the kind of bot that played it."""

    seat: Seat
    name: str
    rank: int
    total: int
    bot: str | None = None


class FinishedGame(msgspec.Struct, frozen=True):
    """A finished game: when it ended, in seconds since 1970, and its results, the best first."""

    id: str
    title: str
    ended: float
    results: tuple[PlayerResult, ...]


class ResultSum(msgspec.Struct, frozen=True):
    """The results of a player in one game with one number of players; `rank` is the mean, `best` in Mark."""

    title: str
    players: int
    games: int
    won: int
    rank: float
    best: int


def seen_by(person: str, *, listed: bool) -> sa.ColumnElement[bool]:
    """The condition for games that a person may look at: those where they sit or watch; with `listed` those of nobody too."""
    mine = GAMES.c.id.in_(sa.select(HOLDERS.c.game).where(HOLDERS.c.person == person))
    if not listed:
        return mine
    return sa.or_(mine, sa.and_(GAMES.c.watch_hash.is_(None), GAMES.c.hidden.is_(False), GAMES.c.id.not_like("try-%")))


def _fitting(wanted: GameFilter, person: str, *, listed: bool) -> list[sa.ColumnElement[bool]]:
    where = [GAMES.c.finished.is_(True), seen_by(person, listed=listed)]
    if wanted.game:
        where.append(GAMES.c.title == wanted.game)
    if wanted.since:
        where.append(GAMES.c.changed >= wanted.since)
    if wanted.until:
        where.append(GAMES.c.changed < wanted.until)
    if wanted.players:
        where.append(GAMES.c.id.in_(sa.select(RESULTS.c.game).where(RESULTS.c.players == wanted.players)))
    if wanted.player:
        named = RESULTS.c.folded.contains(likeness(wanted.player), autoescape=True)
        where.append(GAMES.c.id.in_(sa.select(RESULTS.c.game).where(named)))
    return where


def search(
    store: Store, wanted: GameFilter, person: str, *, listed: bool, limit: int, offset: int = 0
) -> list[FinishedGame]:
    """The finished games that fit and that a person may look at, those that ended last first."""
    query = sa.select(GAMES.c.id, GAMES.c.title, GAMES.c.changed).where(*_fitting(wanted, person, listed=listed))
    with store.engine.connect() as connection:
        games = connection.execute(query.order_by(GAMES.c.changed.desc(), GAMES.c.id).limit(limit).offset(offset)).all()
        found: dict[str, list[PlayerResult]] = {}
        rows = sa.select(RESULTS).where(RESULTS.c.game.in_([game.id for game in games]))
        for row in connection.execute(rows.order_by(RESULTS.c.rank, RESULTS.c.seat)) if games else ():
            found.setdefault(row.game, []).append(PlayerResult(row.seat, row.name, row.rank, row.total, row.bot))
    return [FinishedGame(game.id, game.title, game.changed, tuple(found.get(game.id, ()))) for game in games]


def summed(store: Store, person: str) -> list[ResultSum]:
    """The results of a person by game and number of players, of the seats that they hold."""
    mine = sa.and_(HOLDERS.c.game == RESULTS.c.game, HOLDERS.c.seat == RESULTS.c.seat, HOLDERS.c.person == person)
    return _sums(store, sa.select(*_figures()).select_from(RESULTS.join(HOLDERS, mine)).where(RESULTS.c.bot.is_(None)))


def summed_by_name(store: Store, name: str, person: str, *, listed: bool) -> list[ResultSum]:
    """The results of a player of this name in the games that a person may look at."""
    games = sa.select(GAMES.c.id).where(GAMES.c.finished.is_(True), seen_by(person, listed=listed))
    query = sa.select(*_figures()).select_from(RESULTS)
    return _sums(store, query.where(RESULTS.c.folded == likeness(name), RESULTS.c.game.in_(games)))


def _figures() -> tuple[sa.ColumnElement[Any], ...]:
    won = sa.func.sum(sa.case((RESULTS.c.rank == 1, 1), else_=0))
    return (
        RESULTS.c.title,
        RESULTS.c.players,
        sa.func.count().label("games"),
        won.label("won"),
        sa.func.avg(RESULTS.c.rank).label("rank"),
        sa.func.max(RESULTS.c.total).label("best"),
    )


def _sums(store: Store, query: sa.Select[Any]) -> list[ResultSum]:
    grouped = query.group_by(RESULTS.c.title, RESULTS.c.players).order_by(RESULTS.c.title, RESULTS.c.players)
    with store.engine.connect() as connection:
        return [
            ResultSum(row.title, row.players, row.games, int(row.won), float(row.rank), row.best)
            for row in connection.execute(grouped)
        ]


class RatedSeat(msgspec.Struct, frozen=True):
    """A seat of a finished game: `key` is a person with an account or a kind of bot, empty for somebody unknown."""

    key: str
    name: str
    rank: int


def rated_games(store: Store) -> list[tuple[RatedSeat, ...]]:
    """The finished games that people with an account have played, oldest first; closed accounts are unknown."""
    held = sa.and_(HOLDERS.c.game == RESULTS.c.game, HOLDERS.c.seat == RESULTS.c.seat)
    known = sa.and_(PEOPLE.c.id == HOLDERS.c.person, PEOPLE.c.name.is_not(None), PEOPLE.c.banned.is_(False))
    query = (
        sa.select(RESULTS.c.game, RESULTS.c.seat, RESULTS.c.rank, RESULTS.c.bot, PEOPLE.c.id, PEOPLE.c.name)
        .select_from(
            RESULTS.join(GAMES, GAMES.c.id == RESULTS.c.game).outerjoin(HOLDERS, held).outerjoin(PEOPLE, known)
        )
        .where(GAMES.c.watch_hash.is_not(None))
        .order_by(GAMES.c.changed, RESULTS.c.game, RESULTS.c.seat, PEOPLE.c.id)
    )
    games: dict[str, dict[Seat, RatedSeat]] = {}
    with store.engine.connect() as connection:
        for game, seat, rank, bot, person, name in connection.execute(query):
            key = f"bot:{bot}" if bot else person or ""
            seats = games.setdefault(game, {})
            if seat not in seats or not seats[seat].key:  # of several who hold a seat one is rated
                seats[seat] = RatedSeat(key, bot or name or "", rank)
    return [tuple(seats.values()) for seats in games.values()]


def missing(store: Store, limit: int) -> list[str]:
    """Finished games of earlier versions, whose results are not stored; those that ended last first."""
    known = sa.exists().where(RESULTS.c.game == GAMES.c.id)
    query = sa.select(GAMES.c.id).where(GAMES.c.finished.is_(True), ~known, GAMES.c.id.not_like("try-%"))
    with store.engine.connect() as connection:
        return list(connection.execute(query.order_by(GAMES.c.changed.desc()).limit(limit)).scalars())


def fill_in(store: Store, game: str, results: Sequence[ResultRow]) -> None:
    """Store the results of a finished game of an earlier version."""
    with store.begin() as connection:
        write(connection, game, results)
