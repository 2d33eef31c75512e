"""The review of a game as one document: runs, lays, investments, and the worth of players by round."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.state import Seat
from trajekt.game import Game
from trajekt.game_statistics import played_rounds, worth_of_seats
from trajekt.review.investments import Investment, investments
from trajekt.review.lay_review import LayReview, review_lays
from trajekt.review.operating_turns import OperatingTurn, operating_turns
from trajekt.review.run_review import SECONDS, RunReview, review_run

REVIEW_FORMAT = 1


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


class GameReview(msgspec.Struct, frozen=True):
    """All that can be said of a game that was played, by the ruleset and the version that it names."""

    review: int
    game: str
    ruleset: str
    version: int
    names: tuple[str, ...]
    finished: bool
    entries: int
    runs: tuple[RunReview, ...]
    lays: tuple[LayReview, ...]
    turns: tuple[TurnFacts, ...]
    investments: tuple[Investment, ...]
    rounds: tuple[RoundWorth, ...]


def review_of(
    game: Game,
    *,
    lays: bool = True,
    seconds: float | None = SECONDS,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> GameReview:
    """Review the line of a game that stands, as far as it was played.

    `lays` False leaves out what other lays would have made possible, which takes most of the time; `seconds` bounds each
    search for best runs; `progress` is told after each turn how many of how many are done.

    >>> import trajekt
    >>> game = trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"fixed_seats": True}, seed=7)
    >>> review_of(game).runs
    ()
    """
    turns = operating_turns(game)
    runs: list[RunReview] = []
    other: list[LayReview] = []
    for done, turn in enumerate(turns, 1):
        run = review_run(game, turn, seconds)
        runs += () if run is None else (run,)
        other += review_lays(game, turn, seconds) if lays else ()
        progress(done, len(turns))
    return GameReview(
        review=REVIEW_FORMAT,
        game=game.title.id,
        ruleset=game.ruleset.name,
        version=game.ruleset.version,
        names=game.state.names,
        finished=game.finished,
        entries=game.number,
        runs=tuple(runs),
        lays=tuple(other),
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


def _facts(game: Game, turn: OperatingTurn) -> TurnFacts:
    assert turn.run is not None
    ran = turn.entries[turn.run]
    trains = game.state_at(ran.parent).companies[turn.company].trains
    return TurnFacts(turn.round, turn.company, turn.director, turn.entries[0].number, turn.revenue, len(trains))
