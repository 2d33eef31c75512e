"""Phases: the first card of a type that leaves the display, and what follows in order (DO-PHASE-01, DO-PHASE-02)."""

from __future__ import annotations

from trajekt.engine.events import PhaseBegan, TrainMoved
from trajekt.engine.ruleset import Draft, Reaction
from trajekt.engine.state import GONE, POOL
from trajekt.games.do.beer_cubes import MARKET_BY_PHASE, TRAIN_LOST
from trajekt.games.do.brewery_equipment import BEC_LIMIT_FALLS
from trajekt.games.do.components import limits_of
from trajekt.games.do.events import CardTaken
from trajekt.games.do.price_box import PRICE_BOX_RELEASED
from trajekt.games.do.train_rules import POOL_NOTED
from trajekt.rules import phases


def begin_by_equipment(draft: Draft, event: CardTaken) -> None:
    """A card taken as equipment begins a phase like a train (DO-PHASE-01)."""
    all_phases = draft.sheet.phases
    started = next((n for n, phase in enumerate(all_phases) if phase.started_by == event.kind), None)
    if started is not None and started > all_phases.index(draft.state.current_phase):
        draft.emit(PhaseBegan(all_phases[started].name))


def last_runs_of_pool(draft: Draft, event: PhaseBegan) -> None:
    """Trains turned for their last run leave the pool at once (`pool_four`, DO-TRAIN-10)."""
    last = limits_of(draft.sheet, event.phase).last_runs
    for train in draft.state.depot.pool:
        if train == last:
            draft.emit(TrainMoved(train, POOL, GONE, "obsolete"))


LAST_RUNS_OF_POOL = Reaction(PhaseBegan, ("DO-TRAIN-10",), last_runs_of_pool)

LIMIT_FALLS = phases.LIMIT_FALLS
OF_RAILWAYS = (phases.PHASE_BEGINS, phases.OBSOLETE, LAST_RUNS_OF_POOL)
"""The reactions to a phase in the games without breweries, before trains are discarded."""

# Frames of discards lie upon one another: the last pushed, of trains, is asked first (`phase_steps`).
REACTIONS = (
    phases.PHASE_BEGINS,
    Reaction(CardTaken, ("DO-PHASE-01",), begin_by_equipment),
    MARKET_BY_PHASE,
    PRICE_BOX_RELEASED,
    phases.OBSOLETE,
    LAST_RUNS_OF_POOL,
    BEC_LIMIT_FALLS,
    LIMIT_FALLS,
    POOL_NOTED,
    TRAIN_LOST,
)
