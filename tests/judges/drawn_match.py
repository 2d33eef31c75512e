"""Drawn games of all titles: the judges beside the engine, by a seed of Hypothesis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as beginning_with

from tests.judges.drawn_games import Case, cases
from tests.judges.tally import Tally

EXAMPLES = 40


def match(seed: int, _chosen: Mapping[str, Any] | None = None) -> Tally:
    """So many drawn games; where judge and engine part, the smallest case that Hypothesis finds is among the faults."""
    whole = Tally()

    @beginning_with(seed)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def agrees(case: Case) -> None:
        tally = case.play()
        whole.positions += tally.positions
        whole.asked += tally.asked
        whole.legal += tally.legal
        whole.open += tally.open
        whole.refused += tally.refused
        assert not tally.faults, f"{case}: {tally.faults[0]}"

    try:
        agrees()
    except AssertionError as fault:
        whole.faults.append(str(fault).partition("\n")[0])
    return whole
