"""The guided turn: a table in the middle of a game, and one sentence for each thing that a newcomer does there.

A game that has one brings `guided.json` in its package: options, players, seed, the seat of the newcomer, and the actions
that lead to the position. What the guide says is read off the position; nothing keeps how far somebody has come. Exercises
(`exercises.json`) are single decisions of the same kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec

from trajekt.engine.actions import RunTrains
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


class Exercise(Guided, frozen=True):
    """A single decision to practise. Each is of a game of its own, so that its seed tells it at a table."""

    name: str


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice of the guide; `worth` is what the newcomer owns, `gain` how it has changed since the beginning.

    `first` tells the position in which the table opens, `exercise` names the one that is practised, `next` the one after it.
    """

    text: str
    worth: str
    gain: str
    done: bool
    first: bool
    seat: Seat
    begin: int
    exercise: str = ""
    next: str = ""


@cache
def guided_of(package: str) -> Guided | None:
    """The guided table of a game; None where it has none."""
    file = resources.files(package).joinpath("guided.json")
    return msgspec.json.decode(file.read_bytes(), type=Guided) if file.is_file() else None


@cache
def exercises_of(package: str) -> tuple[Exercise, ...]:
    """The exercises of a game, in their order."""
    file = resources.files(package).joinpath("exercises.json")
    return msgspec.json.decode(file.read_bytes(), type=tuple[Exercise, ...]) if file.is_file() else ()


def begun_from(game: Game) -> Guided | None:
    """The guided moment or the exercise that a guided table began with; None where the game has none."""
    own = (each for each in exercises_of(game.title.package) if (each.seed, each.players) == (game.seed, game.names))
    return next(own, None) or guided_of(game.title.package)


def played(guided: Guided, components: str | None = None) -> Game:
    """The position of a guided table, with its history. Raises `Refused` where the rules refuse an action now."""
    game = new_game(guided.game, guided.players, guided.options, guided.seed, components)
    for seat, action in guided.actions:
        game.play(action, seat)
    return game


def open_guided(table: TableService, title: Title, exercise: str = "") -> str:
    """A new guided table, or an exercise: bots play for everybody but the newcomer. KeyError where the game has none."""
    found = (each for each in exercises_of(title.package) if each.name == exercise)
    guided = next(found, None) if exercise else guided_of(title.package)
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
    guided = begun_from(game)
    if guided is None or game.number < len(guided.actions):
        return None
    if isinstance(guided, Exercise):
        return exercise_advice(game, guided, speaker)
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
    text = say.text(key, player=speaker.seat(seat), company=company)
    return Advice(text, say.money(now), gain, bought, game.number == begin, seat, begin)


def exercise_advice(game: Game, exercise: Exercise, speaker: Speaker) -> Advice:
    """The task of an exercise until it is done: by any action, of a run by what is done with its revenue."""
    say, begin, seat = speaker.catalogue, len(exercise.actions), exercise.seat
    own = [entry.action for entry in game.line() if entry.number > begin and entry.seat == seat]
    done = any(not isinstance(action, RunTrains) for action in own)
    names = [each.name for each in exercises_of(game.title.package)]
    after = names[(names.index(exercise.name) + 1) % len(names)]
    turn = current_turn(game.state)
    company = speaker.company(turn.company) if turn is not None else ""
    key = "page.exercise.done" if done else f"page.exercise.{exercise.name}.ask"
    text = say.text(key, player=speaker.seat(seat), company=company)
    return Advice(text, "", "", done, game.number == begin, seat, begin, exercise.name, after if done else "")
