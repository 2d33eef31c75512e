"""Waived checks of a real table of 18DO, which ask the map for links and trains with beer, and the sum of the beer."""

from __future__ import annotations

from collections.abc import Iterator

from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.state import State
from trajekt.games.do.beer_cubes import loads
from trajekt.games.do.components import do_components
from trajekt.games.do.options import EXPERT, FULL, INTRODUCTION, RAILWAY
from trajekt.rules.referee import IncomePart, IncomeParts, Referee


def beer_on_trains(state: State, company: CompanyId) -> Iterator[IncomePart]:
    """The cubes that breweries have loaded (DO-BEERTRANSPORT-03)."""
    for train, cubes in loads(state, company):
        yield _beer(state, "DO-BEERTRANSPORT-03", train, cubes)


def beer_in_squares(state: State, company: CompanyId) -> Iterator[IncomePart]:
    """As many cubes as the trains of the Railway Game have squares, or more where a private brewery laid them (DO-TRG-06)."""
    laid = dict(loads(state, company))
    for train in state.companies[company].trains:
        cubes = laid.get(train, 0) or do_components(state.sheet).cards[train].wagons
        if cubes:
            yield _beer(state, "DO-TRG-06", train, cubes)


def _beer(state: State, rule: str, train: TrainKind, cubes: int) -> IncomePart:
    known = do_components(state.sheet)
    values = {"train": train, "count": cubes}
    return IncomePart("beer", rule, cubes * known.per_cube, cubes * known.to_own_home, values)


FULL_GAME = Referee(waived=("reached", "train_has_route"), no_route=False, parts=IncomeParts(beer_on_trains))
RAILWAY_GAME = Referee(waived=("reached",), no_route=False, parts=IncomeParts(beer_in_squares))
REFEREES = {FULL: FULL_GAME, EXPERT: FULL_GAME, RAILWAY: RAILWAY_GAME, INTRODUCTION: RAILWAY_GAME}
"""The referee of each game."""
