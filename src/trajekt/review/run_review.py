"""Runs beside the best ones that the rules allowed, with the same trains on the same board."""

from __future__ import annotations

import msgspec

from trajekt.engine.actions import RunTrains
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.routing.runs import Run
from trajekt.engine.routing.solver import BestRuns
from trajekt.engine.ruleset import Refusal, Ruleset
from trajekt.engine.state import Seat, State
from trajekt.game import Game
from trajekt.registry import title
from trajekt.review.operating_turns import OperatingTurn

SECONDS = 20.0
"""A search for the best runs ends after so many seconds; what is not proved by then is said to be an estimate."""


class RunReview(msgspec.Struct, frozen=True):
    """A run and the best one in its place; `taken` and `best` are revenues in Mark.

    `proved`: no legal runs earn more than `best`. `runs` are the best ones where they earn more than those taken, else empty.
    """

    entry: int
    round: str
    company: CompanyId
    director: Seat | None
    trains: tuple[TrainKind, ...]
    taken: int
    best: int
    proved: bool
    runs: tuple[Run, ...] = ()

    @property
    def lost(self) -> int:
        """The revenue in Mark that was possible beyond the one taken."""
        return self.best - self.taken


def best_in(ruleset: Ruleset, state: State, company: CompanyId, seconds: float | None = SECONDS) -> BestRuns:
    """The best runs of a company in a position."""
    found = title(state.sheet.game).best_runs(ruleset, state, company, seconds, ())
    assert not isinstance(found, Refusal), found  # only runs that are fixed can be refused
    return found


def review_run(game: Game, turn: OperatingTurn, seconds: float | None = SECONDS) -> RunReview | None:
    """Review the run of a turn; None where the company had no choice of one."""
    if turn.run is None:
        return None
    entry = turn.entries[turn.run]
    if not isinstance(entry.action, RunTrains):
        return None
    state = game.state_at(entry.parent)
    found = best_in(game.ruleset, state, turn.company, seconds)
    more = found.revenue > turn.revenue
    return RunReview(
        entry=entry.number,
        round=turn.round,
        company=turn.company,
        director=turn.director,
        trains=state.companies[turn.company].trains,
        taken=turn.revenue,
        best=max(found.revenue, turn.revenue),
        proved=found.proved,
        runs=found.runs if more else (),
    )
