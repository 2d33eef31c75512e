"""What is asked alike of every game on its map: the hexes near a company's track, and what its runs earn."""

from __future__ import annotations

from typing import Any

from tests.judges.board import arrivals
from tests.judges.tally import Tally
from trajekt.engine.codec import to_plain
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.rules.running_and_dividends import RunningPolicy


def hexes_near(judge: Any, company: str, steps: Any) -> list[str]:
    """The hexes of the map that a company's track lies on or comes to, by the steps of its ways."""
    near = judge.hexes(company) | {at for at, _ in arrivals(judge.board, steps)}
    return sorted(near & judge.sheet["hexes"].keys())


def compare_runs(ruleset: Ruleset, state: State, judge: Any, company: str, tally: Tally, *, best: bool = True) -> None:
    """The income of the runs that the engine calls best, and the best that the judge finds."""
    policy = ruleset.policy(RunningPolicy)
    found = policy.best(state, company)
    earned = getattr(policy.judge(state, company, found), "revenue", None)
    tally.equal("income", judge.run(company, to_plain(found)), earned, (company, found))
    if best:
        tally.equal("best runs", judge.best(company), earned, (company, judge.position["companies"][company]["trains"]))
