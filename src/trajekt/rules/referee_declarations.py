"""Declarations of a table with real cardboard while only its books are kept: incomes, costs and facts of the real map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from trajekt.engine.actions import Action, UsePrivate
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import FlagSet, PrivateClosed, PrivateUsed, TokensSet, TrainsRan
from trajekt.engine.ruleset import (
    Code,
    Draft,
    Option,
    Refusal,
    Rule,
    Span,
    View,
    check,
    refuse,
)
from trajekt.engine.state import BANK
from trajekt.rules.construction_costs import affordable
from trajekt.rules.operating_round import (
    advance,
    operating,
    set_turn,
    steps_of,
    turn_of,
)
from trajekt.rules.private_companies import PowersPolicy, power_in_phase, power_unused
from trajekt.rules.referee_marks import (
    OnTable,
    Told,
    books_only,
    stations_on_table,
)
from trajekt.rules.trains import needs_train

UNIT = 10
"""Every value printed in these games is a multiple of so many Mark."""
MOST = 9_990
"""The highest income of a run that may be typed, in Mark."""
RUN = "run"


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


# Checks ---------------------------------------------------------------------------------------------------------------


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
    if Told.STATION_BUILT in turn_of(view.state).used:
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
    set_turn(draft, used=(*turn.used, Told.STATION_BUILT))


def count_on_table(draft: Draft, company: CompanyId, more: int) -> None:
    """Count the stations that stand on the real board alone."""
    count = stations_on_table(draft.state, company) + more
    draft.emit(FlagSet(str(OnTable(company)), str(count) if count else ""))


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
    set_turn(draft, used=(*turn_of(draft.state).used, Told.NO_ROUTE))


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
