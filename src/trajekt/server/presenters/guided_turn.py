"""The guided turn: a table in the middle of a game, and one sentence for each thing that a newcomer does there.

A game that has one brings `guided.json` in its package: options, players, seed, the seat of the newcomer, and the actions
that lead to the position. What the guide says is read off the position; nothing keeps how far somebody has come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec

from trajekt.engine.state import Seat
from trajekt.engine.title import Title
from trajekt.game import Entry, Game, new_game
from trajekt.i18n.sentences import Speaker
from trajekt.round_label import frame_name, round_of
from trajekt.rules.operating_round import CompanyTurn, current_turn
from trajekt.server.services.table_service import BotAssignments, TableService

PACE = 0.35
"""Seconds between two moves of the others at a guided table."""


class Guided(msgspec.Struct, frozen=True):
    """A position to begin in, as the way that leads there."""

    game: str
    options: Mapping[str, object]
    players: tuple[str, ...]
    seed: int
    seat: Seat
    actions: tuple[tuple[Seat, Mapping[str, object]], ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice of the guide; `worth` is what the newcomer owns, `gain` how it has changed since the beginning.

    `first` tells the position in which the table opens.
    """

    text: str
    worth: str
    gain: str
    done: bool
    first: bool


@cache
def guided_of(package: str) -> Guided | None:
    """The guided table of a game; None where it has none."""
    file = resources.files(package).joinpath("guided.json")
    return msgspec.json.decode(file.read_bytes(), type=Guided) if file.is_file() else None


def played(guided: Guided, components: str | None = None) -> Game:
    """The position of a guided table, with its history. Raises `Refused` where the rules refuse an action now."""
    game = new_game(guided.game, guided.players, guided.options, guided.seed, components)
    for seat, action in guided.actions:
        game.play(action, seat)
    return game


def open_guided(table: TableService, title: Title) -> str:
    """A new guided table: bots play for everybody but the newcomer. KeyError where the game has none."""
    guided = guided_of(title.package)
    if guided is None:
        raise KeyError(title.id)
    id_ = table.keep(played(guided, table.cache.components))
    others = {seat: "steady" for seat in range(len(guided.players)) if seat != guided.seat}
    table.seat(id_, BotAssignments(others, PACE, guided=True))
    return id_


def buys(game: Game, entry: Entry) -> bool:
    """Tell whether an action bought its seat a share in a stock round, by whatever action the game has for it."""
    before, after = game.state_at(entry.parent), game.state_at(entry.number)
    return round_of(before).kind == "stock" and any(
        company.percent(entry.seat) > before.companies[company.id].percent(entry.seat)
        for company in after.companies.values()
    )


def advice(game: Game, speaker: Speaker) -> Advice | None:
    """Return what the guide says in a position; None where the game has no guided table."""
    guided = guided_of(game.title.package)
    if guided is None or game.number < len(guided.actions):
        return None
    say, seat, state = speaker.catalogue, guided.seat, game.state
    begin = len(guided.actions)

    def worth(number: int) -> int:
        return next(s.total for s in game.title.standings(game.state_at(number)) if s.seat == seat)

    now, before = worth(game.number), worth(begin)
    bought = any(e.seat == seat and buys(game, e) for e in game.line() if e.number > begin)
    turn = current_turn(state)
    if bought:
        topics = ["done"]
    elif seat not in game.to_act:
        topics = ["wait"]
    elif turn is not None and isinstance(state.top, CompanyTurn):
        topics = [turn.step]
    else:
        topics = [frame_name(state.top), *(["stock"] if round_of(state).kind == "stock" else [])]
    key = say.first(*(f"page.guide.{topic}" for topic in topics), "page.guide.any")
    company = speaker.company(turn.company) if turn is not None else ""
    change = now - before
    gain = "" if not change else f"{'+' if change > 0 else '−'}{say.number(abs(change))}"
    return Advice(
        say.text(key, player=speaker.seat(seat), company=company), say.money(now), gain, bought, game.number == begin
    )
