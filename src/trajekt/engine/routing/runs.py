"""Runs: what a company submits when its trains run, what they are judged by, and what they earn.

All values: a `Setting` is what a judge or a search has to know, taken out of the state; a `RunResult` is the revenue in
terms. Money is Mark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from trajekt.engine.board.board import Board
from trajekt.engine.board.city_blocking import Passage, passage_of
from trajekt.engine.board.track_graph import Network, PieceRef, StopRef
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.memo import memo

if TYPE_CHECKING:
    from trajekt.engine.state import State


class Run(msgspec.Struct, frozen=True):
    """One train's route as submitted: piece references in running order.

    `pays` names the stops that pay, for a train that may leave stops out (RHL-RTE-20); empty: all of them.
    """

    train: TrainKind
    track: tuple[PieceRef, ...]
    pays: tuple[StopRef, ...] = ()


class PaidStop(msgspec.Struct, frozen=True):
    """A stop of a route and what it pays. A metropolis crossed by ferry is one stop, named by the bank entered first."""

    stop: StopRef
    amount: int
    ferry: bool = False
    left_out: bool = False


class Bonus(msgspec.Struct, frozen=True):
    """A term of a route's revenue besides its stops, in Mark, with the rule that grants it."""

    rule: str
    name: str
    amount: int


class RouteResult(msgspec.Struct, frozen=True):
    """The revenue of one train's route, in terms."""

    train: TrainKind
    stops: tuple[PaidStop, ...]
    bonuses: tuple[Bonus, ...]
    revenue: int


class RunResult(msgspec.Struct, frozen=True):
    """The revenue of a turn as the sum of its routes (COMMON-REV-01)."""

    routes: tuple[RouteResult, ...]
    revenue: int


class RouteFault(msgspec.Struct, frozen=True):
    """Reason of a refusal: code, rule id, the number of the run (from 0; none: the set), arguments for the sentence."""

    code: str
    rule: str
    run: int | None = None
    args: Mapping[str, str | int] = {}


class Step(msgspec.Struct, frozen=True):
    """A visit of a destination: the stop, or two joined by a ferry in the order run, and the ferry used."""

    stops: tuple[StopRef, ...]
    ferry: PieceRef = ""


class Walk(msgspec.Struct, frozen=True, dict=True):
    """A run read on the board: what it visits in order and the track it uses."""

    train: TrainKind
    steps: tuple[Step, ...]
    track: tuple[PieceRef, ...]
    pays: tuple[StopRef, ...] = ()

    @memo
    def stops(self) -> tuple[StopRef, ...]:
        return tuple(stop for step in self.steps for stop in step.stops)

    @property
    def ends(self) -> tuple[StopRef, StopRef]:
        return self.steps[0].stops[0], self.steps[-1].stops[-1]


class Plan(msgspec.Struct, frozen=True):
    """The numbers that a search needs of one kind of train on one board: the limits, and every value.

    `reach` counted stops pay at most. `towns`: `"free"` are passed and paid and end no route, `"ends"` may end one and count
    then, `"plus"` may end one and never count, `"ignored"` neither pay nor count nor end. With `stops` a route has no more
    than so many stops of any kind. `skips`: stops may be left out, `keeps_ends`: never the first and last.
    `shut`: on no route of this train; `unpassed`: only at an end; `start_among`: one end must be one of these.
    `value` and `marks` (bits) by stop; `doubled`: what a stop pays again where `bonus` grants it; `ferry`: the change in
    value and in doubled value for a ferry used. `bonus(marks, doubled)` is the sum of a route's bonuses; it must never fall
    when marks are added. `needs` lists pairs of bits: a route with the first is allowed only if it has one of the second.
    `shared` names destinations of this train besides those of the passage. `shares` (bits, Mark for each of
    them) are a bound: a bonus is never more than the shares of its marks and what is doubled. `town_limit`: a
    train that counts cities and towns apart, `reach` of the one and so many of the other (`towns` is `"plus"`); its routes
    begin at `start_among` and need no station of the company.
    `unit`: what every route earns is a multiple of it, in Mark.
    """

    reach: int
    value: Mapping[StopRef, int]
    bonus: Callable[[int, int], int]
    towns: str = "free"
    stops: int = 0
    skips: bool = False
    keeps_ends: bool = True
    shut: frozenset[StopRef] = frozenset()
    unpassed: frozenset[StopRef] = frozenset()
    start_among: frozenset[StopRef] = frozenset()
    doubled: Mapping[StopRef, int] = {}
    marks: Mapping[StopRef, int] = {}
    ferry: Mapping[PieceRef, tuple[int, int]] = {}
    needs: tuple[tuple[int, int], ...] = ()
    shared: Mapping[StopRef, str] = {}
    shares: tuple[tuple[int, int], ...] = ()
    town_limit: int | None = None
    unit: int = 1


def no_facts(_state: State, _company: CompanyId) -> tuple[str, ...]:
    """Routes depend on nothing besides."""
    return ()


class RouteRules(msgspec.Struct, frozen=True, eq=False):
    """Functions by which a game judges, pays and searches routes. A ruleset holds one of these, equal to itself alone.

    `checks` look at one walk and answer faults (their `run` is filled in by the judge); `pay` answers the stops as paid;
    `bonuses` each answer the terms they grant. `plan` says the same to the search, in numbers: the two are written apart and
    tests compare them. `must_run`: a company that can run may not submit nothing (COMMON-RTE-12). `stationless` are kinds of
    train whose routes need no station of the company. `facts` are what a game's routes depend on beside board, company and
    phase: plain words out of the position. `passage` is where trains may pass, `building` where a route may pass over which
    track and stations are built, if that differs.
    """

    passage: Callable[[Board, CompanyId], Passage]
    checks: tuple[Callable[[Setting, Walk], list[RouteFault]], ...]
    pay: Callable[[Setting, Walk], tuple[PaidStop, ...]]
    bonuses: tuple[Callable[[Setting, Walk], list[Bonus]], ...]
    plan: Callable[[Setting, TrainKind], Plan]
    must_run: bool = True
    stationless: frozenset[TrainKind] = frozenset()
    facts: Callable[[State, CompanyId], tuple[str, ...]] = no_facts
    building: Callable[[Board, CompanyId], Passage] | None = None

    @property
    def available(self) -> Callable[[Board, CompanyId], Passage]:
        """Passage of an available route, over which track and stations are built (COMMON-TRK-08, COMMON-TOK-02)."""
        return self.building or self.passage


class Setting(msgspec.Struct, frozen=True, dict=True):
    """All that routes depend on. `colour` is the phase's value colour, `industry` its industry bonus in Mark.

    `trains` are the kinds owned, one entry a train; `facts` see `RouteRules`. Two settings that are equal have equal answers.
    """

    board: Board
    company: CompanyId
    trains: tuple[TrainKind, ...]
    colour: str
    industry: int
    rules: RouteRules
    variants: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    @property
    def network(self) -> Network:
        return self.board.network

    @memo
    def passage(self) -> Passage:
        return passage_of(self.board, self.company, self.rules.passage)

    @memo
    def own_stops(self) -> frozenset[StopRef]:
        """The stops with a station of the company, homes that lie face down aside."""
        return self.board.stationed.stops_by_company.get(self.company, frozenset())
