"""Figures of a game by round: worth, cash, shares and incomes of players; prices, revenues and trains of companies."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import Event, Paid, TrainsRan
from trajekt.engine.evolve import evolve
from trajekt.engine.state import BANK, Account, Company, Seat, State
from trajekt.game import Game
from trajekt.round_label import Round, round_of

INCOMES = ("dividend", "private")
"""Causes for which the bank pays a player what is not the price of anything."""


class PlayerFigures(msgspec.Struct, frozen=True):
    """A player at the end of a round: cash and worth in Mark, per cent by company, and what the bank paid him in the round.

    `worth` is what he would score if the game ended there.
    """

    name: str
    cash: int
    worth: int
    shares: dict[str, int]
    dividends: int
    privates: int


class CompanyFigures(msgspec.Struct, frozen=True):
    """A founded company at the end of a round; money in Mark, `price` null off the market.

    `revenue` is what its trains earned in the round, null where it did not run; `withheld` what of it came into the treasury by
    choice; `director` is a seat.
    """

    price: int | None
    treasury: int
    director: Seat | None
    trains: tuple[str, ...]
    revenue: int | None
    withheld: int


class RoundFigures(msgspec.Struct, frozen=True):
    """A round by its short name (`SR 3`, `OR 7.2`): figures at its end, by seat and by company; `entry` ended it."""

    round: str
    entry: int
    phase: str
    bank: int
    players: tuple[PlayerFigures, ...]
    companies: dict[str, CompanyFigures]


class GameStatistics(msgspec.Struct, frozen=True):
    """The rounds of a game in order; `finished` says whether the last one is its end."""

    statistics: int
    game: str
    ruleset: str
    finished: bool
    rounds: tuple[RoundFigures, ...]


STATISTICS_FORMAT = 1


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round of the line that stands: its short name, the entry in which it ended, the position then, and what happened in it.

    One entry may end a round and begin the next (a last pass is followed by the incomes of private companies): its events are
    parted where the round changes.
    """

    round: Round
    entry: int
    state: State
    events: tuple[Event, ...]


def played_rounds(game: Game) -> list[PlayedRound]:
    """Return the rounds of the line that stands in order, the last one as far as it was played."""
    done: list[PlayedRound] = []
    ended: set[Round] = set()
    state = game.state_at(0)
    here, number = round_of(state), 0
    events: list[Event] = []
    for entry in game.line():
        before, state = state, game.state_at(entry.number)
        number = entry.number
        if round_of(state) == here:
            events.extend(entry.events)
            continue
        for event in entry.events:
            after = evolve(before, event, game.ruleset.own)
            there = round_of(after)
            # between two operating rounds the agenda stands for a moment as in the stock round before them
            if there != here and not (there in ended and there.kind == "stock"):
                done.append(PlayedRound(here, number, before, tuple(events)))
                ended.add(here)
                here, events = there, []
            events.append(event)
            before = after
    return [*done, PlayedRound(here, number, state, tuple(events))]


def worth_of_seats(game: Game, state: State) -> list[int]:
    """Return for each seat what it would score if the game ended in a position, in Mark."""
    scores = {standing.seat: standing.total for standing in game.title.standings(state)}
    return [scores.get(seat, 0) for seat in range(len(state.players))]


def revenues(played: PlayedRound) -> dict[CompanyId, int]:
    """Return what the trains of each company earned in a round in which it ran, in Mark."""
    out: dict[CompanyId, int] = {}
    for event in played.events:
        if isinstance(event, TrainsRan):
            out[event.company] = out.get(event.company, 0) + event.revenue
    return out


def bank_payments(played: PlayedRound) -> dict[tuple[Account, str], int]:
    """Return what the bank paid in a round, summed by receiver and cause, in Mark."""
    out: dict[tuple[Account, str], int] = {}
    for event in played.events:
        if isinstance(event, Paid) and event.source == BANK:
            key = (event.target, event.cause)
            out[key] = out.get(key, 0) + event.amount
    return out


def statistics_of(game: Game) -> GameStatistics:
    """Return the figures of the line that stands; what was undone is left out.

    >>> import trajekt
    >>> game = trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2, "fixed_seats": True}, seed=7)
    >>> statistics_of(game).rounds[0].players[0].cash == game.state.players[0].cash
    True
    """
    found = figures_of(game, played_rounds(game))
    return GameStatistics(STATISTICS_FORMAT, game.title.id, game.ruleset.name, game.finished, found)


def figures_of(game: Game, played: Sequence[PlayedRound]) -> tuple[RoundFigures, ...]:
    """Return the figures of rounds that were played."""
    return tuple(_figures(game, each) for each in played)


def _figures(game: Game, played: PlayedRound) -> RoundFigures:
    state, earned, paid = played.state, revenues(played), bank_payments(played)
    worth = worth_of_seats(game, state)
    return RoundFigures(
        round=played.round.key,
        entry=played.entry,
        phase=str(state.phase),
        bank=state.bank,
        players=tuple(
            _player(state, seat, worth[seat], [paid.get((seat, cause), 0) for cause in INCOMES])
            for seat in range(len(state.players))
        ),
        companies={
            each.id: _company(state, each, earned.get(each.id), paid.get((each.id, "withhold"), 0))
            for each in state.companies.values()
            if each.founded
        },
    )


def _player(state: State, seat: Seat, worth: int, incomes: Sequence[int]) -> PlayerFigures:
    shares = {each.id: each.percent(seat) for each in state.companies.values() if each.percent(seat)}
    return PlayerFigures(state.names[seat], state.players[seat].cash, worth, shares, *incomes)


def _company(state: State, company: Company, revenue: int | None, withheld: int) -> CompanyFigures:
    price = state.price(company.id) if company.id in state.markers.spaces else None
    return CompanyFigures(price, company.treasury, company.director, tuple(company.trains), revenue, withheld)


COLUMNS = ("round", "entry", "phase", "kind", "name", "figure", "value")


def rows(statistics: GameStatistics) -> list[tuple[str | int, ...]]:
    """Return all figures as rows of `COLUMNS`, one figure a row, so that a spreadsheet can turn them as it likes."""
    out: list[tuple[str | int, ...]] = []
    for each in statistics.rounds:
        head = (each.round, each.entry, each.phase)
        out.append((*head, "bank", "", "cash", each.bank))
        for player in each.players:
            figures: Mapping[str, int | None] = {
                "cash": player.cash,
                "worth": player.worth,
                "dividends": player.dividends,
                "privates": player.privates,
                **{f"shares of {company}": percent for company, percent in player.shares.items()},
            }
            out.extend(
                (*head, "player", player.name, name, value) for name, value in figures.items() if value is not None
            )
        for company, one in each.companies.items():
            director = "" if one.director is None else each.players[one.director].name
            figures = {"price": one.price, "treasury": one.treasury, "revenue": one.revenue, "withheld": one.withheld}
            out.extend((*head, "company", company, name, value) for name, value in figures.items() if value is not None)
            out.append((*head, "company", company, "director", director))
            out.append((*head, "company", company, "trains", " ".join(one.trains)))
    return out


def statistics_csv(statistics: GameStatistics) -> bytes:
    """Return all figures as comma-separated values with a heading, in UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([_plain(value) for value in row] for row in rows(statistics))
    return text.getvalue().encode()


def _plain(value: str | int) -> str | int:
    """A value that no spreadsheet takes for a formula: names are chosen by people."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value
