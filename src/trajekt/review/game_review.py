"""The review of a game as one document: runs, lays, investments, and the worth of players by round."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.state import Seat
from trajekt.game import Entry, Game
from trajekt.game_statistics import played_rounds, worth_of_seats
from trajekt.review.deed_review import DeedReview, deeds_of, review_deed
from trajekt.review.investments import Investment, investments
from trajekt.review.lay_review import LayReview, review_lays, with_outlook
from trajekt.review.operating_turns import OperatingTurn, operating_turns
from trajekt.review.run_review import SECONDS, RunReview, review_run

REVIEW_FORMAT = 5


class TurnFacts(msgspec.Struct, frozen=True):
    """A turn of a company: its round, who decided, its first entry, its revenue in Mark, and whether it had a train to run."""

    round: str
    company: CompanyId
    director: Seat | None
    entry: int
    revenue: int
    trains: int


class RoundWorth(msgspec.Struct, frozen=True):
    """The end of a round: what each seat would have scored then, in Mark, and the cash in its hands."""

    round: str
    entry: int
    worth: tuple[int, ...]
    cash: tuple[int, ...]


class ReviewPart(msgspec.Struct, frozen=True):
    """The part of a review that is made so far: `done` of its steps, and what they found."""

    done: int = 0
    runs: tuple[RunReview, ...] = ()
    lays: tuple[LayReview, ...] = ()
    deeds: tuple[DeedReview, ...] = ()


NOTHING = ReviewPart()


class GameReview(msgspec.Struct, frozen=True):
    """All that can be said of a game that was played, by the ruleset and the version that it names.

    `runs` and `lays` are proved where they say so; `deeds`, and what lays bring by the end, are estimates by playing on; all
    else is what happened.
    """

    review: int
    game: str
    ruleset: str
    version: int
    names: tuple[str, ...]
    finished: bool
    entries: int
    runs: tuple[RunReview, ...]
    lays: tuple[LayReview, ...]
    deeds: tuple[DeedReview, ...]
    turns: tuple[TurnFacts, ...]
    investments: tuple[Investment, ...]
    rounds: tuple[RoundWorth, ...]


Progress: TypeAlias = Callable[[ReviewPart, int], None]


def untold(_part: ReviewPart, _of: int) -> None:
    """Tell nobody."""


def review_of(
    game: Game,
    *,
    lays: bool = True,
    deeds: bool = True,
    seconds: float | None = SECONDS,
    begun: ReviewPart = NOTHING,
    progress: Progress = untold,
) -> GameReview:
    """Review the line of a game that stands, as far as it was played.

    First come all runs, then lays, then estimates. `lays` and `deeds` False leave out what other lays and other decisions would
    have made possible, which takes most of the time; `seconds` bounds each search for best runs. `progress` is told after each
    step what is made so far and of how many steps; a review goes on behind the part that has `begun`, made in the same way.

    >>> import trajekt
    >>> game = trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"fixed_seats": True}, seed=7)
    >>> review_of(game).runs
    ()
    """
    turns = operating_turns(game)
    steps: list[Callable[[ReviewPart], ReviewPart]] = [partial(_run_step, game, turn, seconds) for turn in turns]
    if lays:
        steps += [partial(_lay_step, game, turn, seconds) for turn in turns]
    if deeds:
        steps += [partial(_outlook_step, game, turn) for turn in turns if lays]
        steps += [partial(_deed_step, game, entry) for entry in deeds_of(game)]
    part = begun
    for step in steps[begun.done :]:
        part = replace(step(part), done=part.done + 1)
        progress(part, len(steps))
    return GameReview(
        review=REVIEW_FORMAT,
        game=game.title.id,
        ruleset=game.ruleset.name,
        version=game.ruleset.version,
        names=game.state.names,
        finished=game.finished,
        entries=game.number,
        runs=part.runs,
        lays=part.lays,
        deeds=part.deeds,
        turns=tuple(_facts(game, turn) for turn in turns if turn.run is not None),
        investments=tuple(investments(game)),
        rounds=tuple(
            RoundWorth(
                each.round.key,
                each.entry,
                tuple(worth_of_seats(game, each.state)),
                tuple(player.cash for player in each.state.players),
            )
            for each in played_rounds(game)
        ),
    )


def _run_step(game: Game, turn: OperatingTurn, seconds: float | None, part: ReviewPart) -> ReviewPart:
    run = review_run(game, turn, seconds)
    return part if run is None else replace(part, runs=(*part.runs, run))


def _lay_step(game: Game, turn: OperatingTurn, seconds: float | None, part: ReviewPart) -> ReviewPart:
    return replace(part, lays=(*part.lays, *review_lays(game, turn, seconds)))


def _outlook_step(game: Game, turn: OperatingTurn, part: ReviewPart) -> ReviewPart:
    mine = {entry.number for entry in turn.before_run}
    lays = tuple(with_outlook(game, turn, lay) if lay.entry in mine else lay for lay in part.lays)
    return replace(part, lays=lays)


def _deed_step(game: Game, entry: Entry, part: ReviewPart) -> ReviewPart:
    deed = review_deed(game, entry)
    return part if deed is None else replace(part, deeds=(*part.deeds, deed))


def read_review(document: bytes, game: Game) -> GameReview:
    """A stored review of a game. ValueError where it is none, or names an action that the game does not have."""
    found = msgspec.json.decode(document, type=GameReview)
    action = game.codec.action_of
    deeds = [replace(each, deed=action(each.deed), other=action(each.other)) for each in found.deeds]
    return replace(found, deeds=tuple(deeds))


def _facts(game: Game, turn: OperatingTurn) -> TurnFacts:
    assert turn.run is not None
    ran = turn.entries[turn.run]
    trains = game.state_at(ran.parent).companies[turn.company].trains
    return TurnFacts(turn.round, turn.company, turn.director, turn.entries[0].number, turn.revenue, len(trains))
