"""The referee of a table with real cardboard: rules that take over what happened there, instead of playing it here.

While only the books are kept, every rule of money and paper holds as in any game; what the map decides is told by the table:
the income of a run, the cost of track and stations, and single facts such as a link that was made (`Fact`). With the map all
rules hold, and a lay that the sheet refuses may be entered as it lies. The table changes between the two at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from trajekt.engine.actions import Action, LayTile, PlaceStation, RunTrains, UsePrivate
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import FlagSet
from trajekt.engine.routing.runs import RouteFault, Run, RunResult
from trajekt.engine.routing.solver import BestRuns
from trajekt.engine.ruleset import (
    Check,
    Code,
    Draft,
    DrawNumber,
    Duty,
    Refusal,
    Rule,
    Ruleset,
    View,
    check,
    refuse,
)
from trajekt.engine.state import State
from trajekt.rules.operating_round import (
    CompanyTurn,
    TurnPolicy,
    TurnStep,
    current_turn,
)
from trajekt.rules.referee_declarations import (
    DECLARE_RUN,
    DECLARE_STATION,
    DECLARE_TRACK,
    NO_ROUTE_TOLD,
    RUN,
    Fact,
    facts_rule,
    somebody_directs,
)
from trajekt.rules.referee_entries import ANYTIME, MARK_ENDS
from trajekt.rules.referee_marks import (
    MIRROR,
    Told,
    books_only,
)
from trajekt.rules.running_and_dividends import RunningPolicy

ON_MAP = (LayTile, UsePrivate, PlaceStation, RunTrains)


@dataclass(frozen=True, slots=True)
class IncomePart:
    """A sum in Mark that belongs to the income of a run and stands in the books; `most` is what it comes to at best.

    `name` is that of its words, `page.referee.part.<name>`, with `values` in them; `rule` is the id.
    """

    name: str
    rule: str
    amount: int
    most: int
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IncomeParts:
    """The parts of an income that the books know, of a company that is about to run on the real board."""

    of: Callable[[State, CompanyId], Iterable[IncomePart]]


@dataclass(frozen=True, slots=True)
class Referee:
    """The part of a referee that one game adds: facts, and names of checks that ask the map and are waived for the books.

    `offered` are the candidates of kinds of action whose own come from the map. `no_route`: a company without a route need not
    own a train, so the table may say so. `parts`: what the books know of the income of a run.
    """

    facts: tuple[Fact, ...] = ()
    waived: tuple[str, ...] = ()
    offered: Mapping[type[Action], Callable[[View], Iterable[Any]]] = field(default_factory=dict)
    no_route: bool = True
    parts: IncomeParts | None = None


def mirrors_map(rule: str) -> Check[Any]:
    """Make the check that an action on the map waits until the map is mirrored."""

    @check(rule, general=True)
    def map_is_mirrored(view: View, _action: Action) -> Refusal | None:
        return refuse(Code.BOOKS_ONLY) if books_only(view.state) else None

    return map_is_mirrored


# The ruleset ----------------------------------------------------------------------------------------------------------


def refereed(ruleset: Ruleset, referee: Referee, mode: str) -> Ruleset:
    """A ruleset for a table with real cardboard, which begins in a mode; the ruleset itself where the mode is empty.

    Raises ValueError for the name of a check that no rule has.
    """
    if not mode:
        return ruleset
    names = {test.name for duty in ruleset.duties.values() for rule in duty.menu for test in rule.all_checks}
    if unknown := set(referee.waived) - names:
        message = f"{ruleset.name} has no checks {sorted(unknown)}"
        raise ValueError(message)

    def set_up(draft: Draft, draw: DrawNumber) -> None:
        ruleset.set_up(draft, draw)
        draft.emit(FlagSet(MIRROR, mode))

    facts = (*referee.facts, *((NO_ROUTE_TOLD,) if referee.no_route else ()))
    told = (DECLARE_TRACK, DECLARE_STATION, DECLARE_RUN, *((facts_rule(facts),) if facts else ()))
    duties = {frame: _duty(duty, referee, told) for frame, duty in ruleset.duties.items()}
    return replace(
        ruleset,
        set_up=set_up,
        duties=duties,
        notes=(*ruleset.notes, Told),
        reactions=(*ruleset.reactions, MARK_ENDS),
        anytime=(*ruleset.anytime, *ANYTIME),
        policies=(
            *(_policy(policy) for policy in ruleset.policies),
            *(() if referee.parts is None else (referee.parts,)),
        ),
    )


def _duty(duty: Duty, referee: Referee, told: tuple[Rule[Any], ...]) -> Duty:
    menu = tuple(_rule(rule, referee) for rule in duty.menu)
    if duty.frame is not CompanyTurn:
        return replace(duty, menu=menu)
    directed = (replace(rule, needs=(somebody_directs, *rule.needs)) for rule in menu)
    return replace(duty, menu=(*directed, *told))


def _rule(rule: Rule[Any], referee: Referee) -> Rule[Any]:
    """A rule that waits for the map, or whose questions to the map are waived for the books."""
    if rule.action in ON_MAP:
        return replace(rule, needs=(mirrors_map(rule.all_checks[0].rules[0]), *rule.needs))
    if not {test.name for test in rule.all_checks} & set(referee.waived):
        return rule
    needs, checks = (tuple(_waived(test, referee) for test in tests) for tests in (rule.needs, rule.checks))
    offered = referee.offered.get(rule.action)
    if offered is None:
        return replace(rule, needs=needs, checks=checks)
    played: Callable[[View], Iterable[Any]] = rule.options

    def options(view: View) -> Iterable[Any]:
        return offered(view) if books_only(view.state) else played(view)

    return replace(rule, needs=needs, checks=checks, options=options, likely=None)


def _waived(test: Check[Any], referee: Referee) -> Check[Any]:
    if test.name not in referee.waived:
        return test
    asks = test.test

    def on_the_map(view: View, action: Any) -> Refusal | None:
        return None if books_only(view.state) else asks(view, action)

    return replace(test, test=on_the_map)


def _policy(policy: object) -> object:
    if isinstance(policy, RunningPolicy):
        return _running(policy)
    if isinstance(policy, TurnPolicy):
        return TurnPolicy(tuple(_step(step) for step in policy.steps))
    return policy


def _step(step: TurnStep) -> TurnStep:
    """A step as it waits: with the books every company tells its income, and what it built before."""
    waits, enter = step.waits, step.enter
    if step.name != RUN:
        return step

    def waiting(view: View) -> bool:
        return books_only(view.state) or (waits is not None and waits(view))

    def entered(draft: Draft) -> None:
        if enter is not None and not books_only(draft.state):
            enter(draft)

    return replace(step, waits=waiting, enter=entered, unattended=True)


def _running(policy: RunningPolicy) -> RunningPolicy:
    """The running policy of a map that is on the real table while only the books are kept."""

    def judge(state: State, company: CompanyId, runs: tuple[Run, ...]) -> Sequence[RouteFault] | RunResult:
        if books_only(state):
            return (RouteFault("books_only", "COMMON-RTE-01"),)
        return policy.judge(state, company, runs)

    def can_run(state: State, company: CompanyId) -> bool:
        return books_only(state) or policy.can_run(state, company)

    def could_run(state: State, company: CompanyId) -> bool:
        if not books_only(state):
            return policy.could_run(state, company)
        turn = current_turn(state)
        return turn is None or turn.company != company or Told.NO_ROUTE not in turn.used

    def best(state: State, company: CompanyId) -> tuple[Run, ...]:
        return () if books_only(state) else policy.best(state, company)

    def search(
        state: State, company: CompanyId, limit: float | None, fixed: tuple[Run, ...] = ()
    ) -> BestRuns | Refusal:
        if books_only(state):
            return refuse(Code.BOOKS_ONLY, "COMMON-RTE-01")
        return policy.search(state, company, limit, fixed)

    def proved(state: State, company: CompanyId) -> bool:
        return not books_only(state) and policy.proved(state, company)

    def soon(state: State, company: CompanyId) -> tuple[Run, ...]:
        return () if books_only(state) else policy.soon(state, company)

    return RunningPolicy(judge, can_run, could_run, best, search, proved, soon)
