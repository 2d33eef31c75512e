"""The referee of a table with real cardboard: rules that take over what happened there, instead of playing it here.

While only the books are kept, every rule of money and paper holds as in any game; what the map decides is told by the table:
the income of a run, the cost of track and stations, and single facts such as a link that was made (`Fact`). With the map all
rules hold, and a lay that the sheet refuses may be entered as it lies. The table changes between the two at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from msgspec.structs import replace as with_values

from trajekt.engine.actions import Action, LayTile, PlaceStation, RunTrains, UsePrivate
from trajekt.engine.board.board import Station
from trajekt.engine.components.schema import CompanyId, HexId, TileId
from trajekt.engine.events import FlagSet, PrivateClosed, PrivateUsed, StationsSet, TileLaid, TokensSet, TrainsRan
from trajekt.engine.routing.runs import RouteFault, Run, RunResult
from trajekt.engine.routing.solver import BestRuns
from trajekt.engine.ruleset import (
    Check,
    Code,
    Draft,
    DrawNumber,
    Duty,
    Option,
    Reaction,
    Refusal,
    Rule,
    Ruleset,
    Span,
    View,
    check,
    refuse,
)
from trajekt.engine.state import BANK, Frame, Seat, State
from trajekt.rules import arrangement
from trajekt.rules.arrangement import StationPut, TilePut, against, arrange
from trajekt.rules.construction_costs import affordable
from trajekt.rules.mirrored_table import (
    AGAINST,
    BOOKS,
    MAP,
    MIRROR,
    MODES,
    NO_ROUTE,
    ON_TABLE,
    books_only,
    mirrored,
    stations_on_table,
)
from trajekt.rules.operating_round import (
    CompanyTurn,
    TurnPolicy,
    TurnStep,
    advance,
    current_turn,
    operating,
    set_turn,
    steps_of,
    turn_of,
)
from trajekt.rules.private_companies import PowersPolicy, power_in_phase, power_unused
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.trains import needs_train
from trajekt.rules.turn_notes import NoteKind

UNIT = 10
"""Every value printed in these games is a multiple of so many Mark."""
MOST = 9_990
"""The highest income of a run that may be typed, in Mark."""
STATION_BUILT = NoteKind("station_built")
"""The note of a station that was built on the real board in this turn."""
RUN = "run"
ON_MAP = (LayTile, UsePrivate, PlaceStation, RunTrains)


class DeclareRun(Action, frozen=True, tag="declare_run"):
    """Tell what a company's trains earned on the real board, in Mark; 0 where none ran."""

    revenue: int


class DeclareTrack(Action, frozen=True, tag="declare_track"):
    """Tell what a tile on the real board cost, in Mark, or that it was laid by the power of a private company (else 0)."""

    cost: int
    private: int = 0


class DeclareStation(Action, frozen=True, tag="declare_station"):
    """Tell that a company built a station on the real board for `cost` Mark, perhaps by the power of a private company."""

    cost: int
    private: int = 0


class DeclareFact(Action, frozen=True, tag="declare_fact"):
    """Tell a fact of the real map from which payments follow: `what` is one of the game's, `target` whom it concerns."""

    what: str
    target: str = ""
    income: int = 0


class SetMirror(Action, frozen=True, tag="set_mirror"):
    """Keep only the `books` from now on, or mirror the `map` too."""

    mode: str


class EnterTile(Action, frozen=True, tag="enter_tile"):
    """Enter a tile as it lies on the real board, whatever the rules say; `cost` is paid by the company in turn, in Mark."""

    hex: HexId
    tile: TileId
    rotation: int = msgspec.field(name="turn")
    cost: int = 0


class EnterStation(Action, frozen=True, tag="enter_station"):
    """Enter a station of a company as it stands on a stop of the real board (`a`, `b`, ...)."""

    hex: HexId
    company: CompanyId
    stop: str = "a"


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of the real map that a game asks for while only the books are kept.

    `targets` are those for whom it may be told now; `happen` does what follows from it. `rules` are the ids; `income` tells
    that a sum in Mark belongs to it.
    """

    name: str
    rules: tuple[str, ...]
    targets: Callable[[View], Iterable[str]]
    happen: Callable[[Draft, str, int], None]
    income: bool = False


@dataclass(frozen=True, slots=True)
class Referee:
    """What a game adds to the referee: its facts, and the names of checks that ask the map and are waived for the books.

    `offered` are the candidates of kinds of action whose own come from the map. `no_route`: a company without a route need not
    own a train, so the table may say so.
    """

    facts: tuple[Fact, ...] = ()
    waived: tuple[str, ...] = ()
    offered: Mapping[type[Action], Callable[[View], Iterable[Any]]] = field(default_factory=dict)
    no_route: bool = True


# Checks ---------------------------------------------------------------------------------------------------------------


def mirrors_map(rule: str) -> Check[Any]:
    """Make the check that an action on the map waits until the map is mirrored."""

    @check(rule, general=True)
    def map_is_mirrored(view: View, _action: Action) -> Refusal | None:
        return refuse(Code.BOOKS_ONLY) if books_only(view.state) else None

    return map_is_mirrored


@check("COMMON-OR-04", general=True)
def books_are_kept(view: View, _action: Action) -> Refusal | None:
    """Refuse to tell what the mirrored map shows itself."""
    return None if books_only(view.state) else refuse(Code.MAP_MIRRORED)


@check("COMMON-OR-04", general=True)
def before_income(view: View, _action: Action) -> Refusal | None:
    """Refuse what comes before running once the income is told."""
    turn = turn_of(view.state)
    names = [step.name for step in steps_of(view.ruleset)]
    if turn.step in names[: names.index(RUN) + 1]:
        return None
    return refuse(Code.WRONG_STEP, step=RUN, now=turn.step)


@check("COMMON-OR-04", general=True)
def running(view: View, _action: Action) -> Refusal | None:
    """Refuse an income outside the step of running."""
    turn = turn_of(view.state)
    return None if turn.step == RUN else refuse(Code.WRONG_STEP, step=RUN, now=turn.step)


@check("COMMON-DIR-01", general=True)
def somebody_directs(view: View, _action: Action) -> Refusal | None:
    """Refuse all but to tell what happened for a company that nobody directs."""
    if not books_only(view.state) or operating(view).director is not None:
        return None
    return refuse(Code.NOT_DIRECTOR, company=operating(view).id)


@check("COMMON-RTE-01")
def income_possible(view: View, action: DeclareRun) -> Refusal | None:
    """Refuse an income without a train, a negative one, and one that no printed values add up to."""
    if not 0 <= action.revenue <= MOST or action.revenue % UNIT:
        return refuse(Code.TYPED_SUM, unit=UNIT, most=MOST)
    if action.revenue and not operating(view).trains:
        return refuse(Code.NO_TRAIN_NO_INCOME, company=operating(view).id)
    return None


@check("COMMON-TRK-14")
def cost_typed(_view: View, action: DeclareTrack | DeclareStation) -> Refusal | None:
    """Refuse a cost below 0, and one that no printed values add up to; track without cost and power is not told."""
    told = action.cost > 0 or action.private or isinstance(action, DeclareStation)
    if told and 0 <= action.cost <= MOST and action.cost % UNIT == 0:
        return None
    return refuse(Code.TYPED_SUM, unit=UNIT, most=MOST)


@check("COMMON-TRK-14")
def track_paid(view: View, action: DeclareTrack) -> Refusal | None:
    """Refuse a cost that the treasury cannot pay; the director does not help."""
    return affordable(operating(view), action.cost)


@check("COMMON-TOK-03")
def station_paid(view: View, action: DeclareStation) -> Refusal | None:
    """Refuse a station that the treasury cannot pay."""
    return affordable(operating(view), action.cost)


@check("COMMON-PRV-02")
def power_to_use(view: View, action: DeclareTrack | DeclareStation) -> Refusal | None:
    """Refuse the power of a private company that may not be used now, or not for this."""
    number, policy = action.private, view.ruleset.by_type.get(PowersPolicy)
    if not number:
        return None
    if not isinstance(policy, PowersPolicy):
        return refuse(Code.NO_POWER, private=number)
    by_lay = isinstance(action, DeclareTrack)
    if number not in (policy.powers if by_lay else policy.elsewhere):
        return refuse(Code.NO_POWER, private=number)
    found = power_unused(view, number)
    return found or (power_in_phase(view, UsePrivate(number, "", "", 0)) if by_lay else None)


@check("COMMON-TOK-01", "COMMON-TOK-03")
def station_left(view: View, _action: DeclareStation) -> Refusal | None:
    """Refuse a second station in a turn, and one without a token on the charter."""
    company = operating(view)
    if STATION_BUILT.among(turn_of(view.state).used):
        return refuse(Code.ONE_STATION, company=company.id)
    return None if company.stations else refuse(Code.NO_TOKEN, "COMMON-TOK-03", company=company.id)


# Telling --------------------------------------------------------------------------------------------------------------


def run_options(view: View) -> Iterator[DeclareRun | Option[DeclareRun]]:
    """Any income of a company with trains; none without."""
    if operating(view).trains:
        yield Option(DeclareRun(0), {"revenue": Span(0, MOST, UNIT)})
    else:
        yield DeclareRun(0)


def declare_run(draft: Draft, action: DeclareRun) -> None:
    """Record the income and go on to the pay-out."""
    draft.emit(TrainsRan(turn_of(draft.state).company, action.revenue))
    set_turn(draft, revenue=action.revenue)
    advance(draft)


def powers_of(view: View, kind: type[DeclareTrack | DeclareStation]) -> Iterator[int]:
    """The private companies whose power serves for track, or for a station."""
    policy = view.ruleset.by_type.get(PowersPolicy)
    if isinstance(policy, PowersPolicy):
        yield from policy.powers if kind is DeclareTrack else policy.elsewhere


def track_options(view: View) -> Iterator[DeclareTrack | Option[DeclareTrack]]:
    """Each printed cost, any other that the treasury pays, and each power."""
    treasury = operating(view).treasury // UNIT * UNIT
    printed = sorted({found.cost for found in view.sheet.hexes.values() if found.cost})
    yield from map(DeclareTrack, printed)
    if treasury:
        yield Option(DeclareTrack(UNIT), {"cost": Span(UNIT, treasury, UNIT)})
    for number in powers_of(view, DeclareTrack):
        yield (
            Option(DeclareTrack(0, number), {"cost": Span(0, treasury, UNIT)}) if treasury else DeclareTrack(0, number)
        )


def use_up(draft: Draft, number: int) -> None:
    """Use the power of a private company, which some are closed by."""
    if not number:
        return
    draft.emit(PrivateUsed(number))
    power = draft.ruleset.policy(PowersPolicy).powers.get(number)
    if power is not None and power.closes:
        draft.emit(PrivateClosed(number, "used"))


def declare_track(draft: Draft, action: DeclareTrack) -> None:
    """Pay what the tile cost."""
    draft.pay(turn_of(draft.state).company, BANK, action.cost, "tile")
    use_up(draft, action.private)


def station_options(view: View) -> Iterator[DeclareStation | Option[DeclareStation]]:
    """The next token at its printed cost, at any other, and by each power."""
    unused, treasury = operating(view).stations, operating(view).treasury // UNIT * UNIT
    if not unused:
        return
    yield DeclareStation(unused[0])
    if treasury:
        yield Option(DeclareStation(0), {"cost": Span(0, treasury, UNIT)})
    for number in powers_of(view, DeclareStation):
        yield DeclareStation(0, number)


def declare_station(draft: Draft, action: DeclareStation) -> None:
    """Pay, and take the cheapest token off the charter: it stands on the real board."""
    turn = turn_of(draft.state)
    company = draft.state.companies[turn.company]
    draft.pay(company.id, BANK, action.cost, "station")
    draft.emit(TokensSet(company.id, company.stations[1:]))
    count_on_table(draft, company.id, 1)
    use_up(draft, action.private)
    set_turn(draft, used=(*turn.used, STATION_BUILT.write(company.id)))


def count_on_table(draft: Draft, company: CompanyId, more: int) -> None:
    """Count the stations that stand on the real board alone."""
    count = stations_on_table(draft.state, company) + more
    draft.emit(FlagSet(ON_TABLE.write(company), str(count) if count else ""))


DECLARE_RUN = Rule(DeclareRun, run_options, declare_run, needs=(books_are_kept, running), checks=(income_possible,))
DECLARE_TRACK = Rule(
    DeclareTrack,
    track_options,
    declare_track,
    needs=(books_are_kept, before_income),
    checks=(cost_typed, track_paid, power_to_use),
)
DECLARE_STATION = Rule(
    DeclareStation,
    station_options,
    declare_station,
    needs=(books_are_kept, before_income, station_left),
    checks=(cost_typed, station_paid, power_to_use),
)


# Facts ----------------------------------------------------------------------------------------------------------------


def without_route(view: View) -> Iterable[str]:
    """The company in turn, while it must own a train unless it has no route (COMMON-TRN-11)."""
    turn = turn_of(view.state)
    if turn.step == "trains" and needs_train(view.ruleset, view.state, turn.company):
        yield turn.company


def tell_no_route(draft: Draft, company: str, _income: int) -> None:
    """The duty to own a train does not hold in this turn."""
    set_turn(draft, used=(*turn_of(draft.state).used, NO_ROUTE.write(company)))


NO_ROUTE_TOLD = Fact("no_route", ("COMMON-TRN-11",), without_route, tell_no_route)


def facts_rule(facts: Sequence[Fact]) -> Rule[DeclareFact]:
    """The rule by which a table tells a game's facts."""
    by_name = {fact.name: fact for fact in facts}

    @check("COMMON-OR-04", *dict.fromkeys(id_ for fact in facts for id_ in fact.rules))
    def fact_open(view: View, action: DeclareFact) -> Refusal | None:
        """Refuse a fact that the game does not ask for, or not now."""
        fact = by_name.get(action.what)
        if fact is None:
            return refuse(Code.NOT_IN_RULESET)
        if action.target not in fact.targets(view):
            return refuse(Code.NO_SUCH_FACT, fact.rules[0])
        if not 0 <= action.income <= MOST or action.income % UNIT or (action.income and not fact.income):
            return refuse(Code.TYPED_SUM, fact.rules[0], unit=UNIT, most=MOST)
        return None

    def options(view: View) -> Iterator[DeclareFact | Option[DeclareFact]]:
        for fact in facts:
            for target in fact.targets(view):
                told = DeclareFact(fact.name, target)
                yield Option(told, {"income": Span(0, MOST, UNIT)}) if fact.income else told

    def tell(draft: Draft, action: DeclareFact) -> None:
        by_name[action.what].happen(draft, action.target, action.income)

    return Rule(DeclareFact, options, tell, needs=(books_are_kept, fact_open))


# At any time ----------------------------------------------------------------------------------------------------------


def everybody(state: State, _frame: Frame) -> Sequence[Seat]:
    """Everybody still in the game: the table has one mirror."""
    return tuple(seat for seat, player in enumerate(state.players) if not player.bankrupt)


@check("COMMON-OR-04")
def mode_changes(view: View, action: SetMirror) -> Refusal | None:
    """Refuse a mode that there is not, and the one that is on."""
    if action.mode not in MODES:
        return refuse(Code.NOT_IN_RULESET)
    return refuse(Code.MIRRORED_SO) if mirrored(view.state) == action.mode else None


def set_mirror(draft: Draft, action: SetMirror) -> None:
    """Change what is mirrored."""
    draft.emit(FlagSet(MIRROR, action.mode))


def put_of(action: EnterTile | EnterStation) -> TilePut | StationPut:
    """The placement by hand that an entry is."""
    if isinstance(action, EnterTile):
        return TilePut(action.hex, action.tile, action.rotation)
    return StationPut(action.hex, action.company, action.stop)


@check("COMMON-TRK-04", "COMMON-TOK-02")
def box_holds(view: View, action: EnterTile | EnterStation) -> Refusal | None:
    """Refuse what the box does not hold, and where there is no such place."""
    if isinstance(action, EnterTile) and action.rotation not in range(6):
        return refuse(Code.ORIENTATION, "COMMON-TRK-05", turn=action.rotation)
    found = arrange(view.ruleset, _with_token(view.state, action), put_of(action))
    if isinstance(found, Refusal):
        return found
    if isinstance(action, EnterStation):
        stations = view.state.board.contents(action.hex).stations
        if any(each.company == action.company for each in stations):
            return refuse(Code.STATION_HERE, "COMMON-TOK-02", company=action.company, hex=action.hex)
    return None


def _with_token(state: State, action: Action) -> State:
    """The position in which a station on the real board has its token at hand."""
    if not isinstance(action, EnterStation) or not stations_on_table(state, action.company):
        return state
    company = state.companies[action.company]
    token = with_values(company, stations=(*company.stations, 0))
    return with_values(state, companies={**state.companies, company.id: token})


@check("COMMON-TRK-14")
def entry_paid(view: View, action: EnterTile) -> Refusal | None:
    """Refuse a cost that no company in turn can pay."""
    if not action.cost:
        return None
    turn = view.frame
    if not isinstance(turn, CompanyTurn):
        return refuse(Code.WRONG_STEP, step="track")
    if action.cost < 0 or action.cost % UNIT:
        return refuse(Code.TYPED_SUM, unit=UNIT, most=MOST)
    return affordable(view.state.companies[turn.company], action.cost)


def note_against(draft: Draft, put: TilePut | StationPut) -> None:
    """Mark the hex of a thing that the sheet refuses with the rule's id."""
    found = against(draft.state, put)
    if found:
        draft.emit(FlagSet(AGAINST.write(put.hex), found[0].rule))


def enter_tile(draft: Draft, action: EnterTile) -> None:
    """Lay the tile, paid for by the company in turn."""
    if action.cost:
        draft.pay(turn_of(draft.state).company, BANK, action.cost, "tile")
    put = put_of(action)
    note_against(draft, put)
    _emit_all(draft, arrange(draft.ruleset, draft.state, put))


def enter_station(draft: Draft, action: EnterStation) -> None:
    """Put the station on the map: one that stands on the real board, else the cheapest token."""
    put = put_of(action)
    note_against(draft, put)
    if not stations_on_table(draft.state, action.company):
        _emit_all(draft, arrange(draft.ruleset, draft.state, put))
        return
    count_on_table(draft, action.company, -1)
    here = draft.state.board.contents(action.hex)
    stop = arrangement.stop_number(draft.state, action.hex, action.stop)
    assert stop is not None
    kept = tuple(place for place in here.reservations if place.company != action.company)
    draft.emit(StationsSet(action.hex, (*here.stations, Station(action.company, stop)), kept))


def _emit_all(draft: Draft, found: Draft | Refusal) -> None:
    assert isinstance(found, Draft), found
    for event in found.events:
        draft.emit(event)


def no_candidates(_view: View) -> tuple[()]:
    """What lies on a real board is known to nobody here."""
    return ()


SET_MIRROR = Rule(SetMirror, lambda _view: map(SetMirror, MODES), set_mirror, needs=(mode_changes,), actors=everybody)
ENTER_TILE = Rule(EnterTile, no_candidates, enter_tile, needs=(box_holds,), checks=(entry_paid,), actors=everybody)
ENTER_STATION = Rule(EnterStation, no_candidates, enter_station, needs=(box_holds,), actors=everybody)
ANYTIME = (SET_MIRROR, ENTER_TILE, ENTER_STATION)


def mark_ends(draft: Draft, event: TileLaid) -> None:
    """A tile laid by the rules lies against nothing."""
    mark = AGAINST.write(event.hex)
    if event.cause != arrangement.CAUSE and mark in draft.state.marks:
        draft.emit(FlagSet(mark, ""))


MARK_ENDS = Reaction(TileLaid, ("COMMON-TRK-04",), mark_ends)


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
        reactions=(*ruleset.reactions, MARK_ENDS),
        anytime=(*ruleset.anytime, *ANYTIME),
        policies=tuple(_policy(policy) for policy in ruleset.policies),
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
        return turn is None or not NO_ROUTE.among(turn.used, company)

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


__all__ = ["BOOKS", "MAP", "Fact", "Referee", "refereed"]
