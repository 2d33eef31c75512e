"""Instructions made of tasks: which one is next, whether it is due, and the legal choice by which it acts.

How far a list is follows from the log alone: the owner's actions that stand and are what a task wanted. So an undo of a deed
takes back what was done after it, and the list goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from trajekt.engine.actions import Action, EndTurn, Pass, RunTrains
from trajekt.engine.board.reachability import reach_of
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import Decision, actors, decide, legal, open_rules, refusal
from trajekt.engine.events import Paid, TrainsRan
from trajekt.engine.routing.runs import RouteRules
from trajekt.engine.ruleset import Refusal
from trajekt.engine.state import Seat, State
from trajekt.game import Entry, Game
from trajekt.round_label import round_of
from trajekt.rules.operating_round import OperatingRound, steps_of
from trajekt.server.services.standing_order_context import (
    Fire,
    Sight,
    Verdict,
    Wait,
    cannot,
    director_of,
    own_turns,
    turn_at,
)
from trajekt.server.storage.standing_order_tasks import (
    AnyCondition,
    AnyWanted,
    Floated,
    InTurn,
    Leave,
    Like,
    NetworkChanged,
    PriceUnder,
    SameRun,
    Task,
)
from trajekt.server.storage.standing_orders import Ended, Given, TaskList

ACTS = 200
"""Times that one list acts at most, so that no two lists play on for ever."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a list: the `place` of its next task, how often that was `done`.

    `acted` counts all that was done, `last` is the newest entry of these.
    """

    place: int = 0
    done: int = 0
    acted: int = 0
    last: Entry | None = None


# Giving --------------------------------------------------------------------------------------------------------------


def check_tasks(game: Game, seat: Seat, order: TaskList) -> None:
    """Raises `DeniedError` for tasks that no position could ask for: foreign companies, unknown actions."""
    state = game.state
    tags = {str(kind.__struct_config__.tag) for kind in game.ruleset.actions}
    for piece in _pieces(order):
        match piece:
            case PriceUnder() | Floated():
                if piece.company not in state.companies:
                    raise cannot("no_company", piece.company)
            case InTurn() | NetworkChanged() | SameRun():
                if director_of(game, piece.company) != seat:
                    raise cannot("not_director", piece.company)
            case Like():
                kind = piece.values.get("kind")
                if not isinstance(kind, str) or not any(_of_kind(tag, kind) for tag in tags):
                    raise cannot("no_action")
                company = piece.values.get("company", "")
                if company and company not in state.companies:
                    raise cannot("no_company", str(company))
    for condition in order.until:
        if _holds(game, Given(seat, order, game.number), condition):
            raise cannot("ended_already")


def _pieces(order: TaskList) -> Iterator[AnyCondition | AnyWanted]:
    yield from order.until
    for task in order.tasks:
        yield task.choice
        yield from task.when


def round_of_turn(game: Game, order: TaskList) -> str:
    """The operating round that is on, where a list is for a company's turn that is still to come in it; else empty."""
    company = _company_of(order)
    frame = next((f for f in reversed(game.state.agenda) if isinstance(f, OperatingRound)), None)
    if not company or order.again or frame is None:
        return ""
    on = turn_at(game, game.state.agenda)[0] == company
    return round_of(game.state).key if on or company not in frame.operated else ""


def _company_of(order: TaskList) -> CompanyId:
    return next((each.company for task in order.tasks for each in task.when if isinstance(each, InTurn)), "")


# Progress ------------------------------------------------------------------------------------------------------------


def progress(sight: Sight, given: Given, order: TaskList) -> Progress:
    """Count along the standing log what was done of a list since it was given."""
    now = Progress()
    for entry in sight.since(given):
        if entry.seat == given.seat and entry.action is not None and now.place < len(order.tasks):
            now = _counted(sight, order, now, entry)
    return now


def _counted(sight: Sight, order: TaskList, now: Progress, entry: Entry) -> Progress:
    """Progress with one more action of the owner; unchanged where it is none that the next tasks want."""
    place, done = now.place, now.done
    for _ in order.tasks:
        task = order.tasks[place]
        if _is_done_by(sight, task, entry):
            done += 1
            if task.times and done >= task.times:
                place, done = _after(order, place), 0
            return Progress(place, done, now.acted + 1, entry)
        last = place + 1 == len(order.tasks) and not order.again
        if last or not (done or isinstance(task.choice, Leave)):
            return now
        place, done = _after(order, place), 0
    return now


def _after(order: TaskList, place: int) -> int:
    """The place of the next task; beyond the last one where the list is done."""
    return (place + 1) % len(order.tasks) if order.again else place + 1


def _is_done_by(sight: Sight, task: Task, entry: Entry) -> bool:
    """Tell whether an action did a task; one that belongs to a company's turn must have been made in it, by an instruction."""
    wanted = _in_turn(task)
    if entry.action is None or not _is_wanted(task.choice, entry.action):
        return False
    if wanted is None:
        return True
    if entry.number not in sight.automatic:
        return False
    return turn_at(sight.game, sight.game.state_at(entry.parent).agenda) == (wanted.company, wanted.step)


def _is_wanted(choice: AnyWanted, action: Action) -> bool:
    match choice:
        case Leave():
            return isinstance(action, Pass | EndTurn)
        case SameRun():
            return isinstance(action, RunTrains)
        case Like():
            return _fits(choice.values, action)


def _fits(values: Mapping[str, Any], action: Action) -> bool:
    """Tell whether an action has these values; `kind` may be the first word of its tag, `percent` the sum of its sizes."""
    facts, wanted = _plain(action), _plain(values)
    if "sizes" in facts and "percent" not in facts:
        facts["percent"] = sum(facts["sizes"])
    if not _of_kind(facts["kind"], str(wanted["kind"])):
        return False
    return all(name == "kind" or facts.get(name) == value for name, value in wanted.items())


def _plain(value: object) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return found


def _of_kind(tag: str, kind: str) -> bool:
    return tag == kind or tag.startswith(kind + "_")


# Judging -------------------------------------------------------------------------------------------------------------


def do_tasks(sight: Sight, given: Given, order: TaskList) -> Verdict:
    """Tell whether a list waits, acts or has ended."""
    game, now = sight.game, progress(sight, given, order)
    over = _is_over(game, given, order, now)
    if over is not None:
        return over
    if given.seat not in game.to_act:
        return Wait()
    for place, done in _upcoming(order, now):
        task = order.tasks[place]
        if not _is_due(game, given, task):
            if isinstance(task.choice, Leave) and _in_turn(task) is not None:
                continue  # a step that nobody was asked for
            return Ended("impossible") if _is_past(game, task) else Wait()
        if any(_holds(game, given, condition) for condition in order.until):
            return Ended("until")
        chosen = _choice(game, given.seat, task.choice)
        if isinstance(chosen, Fire):
            return chosen
        if _same_turn(game, given, now):
            left = _choice(game, given.seat, Leave())
            return left if isinstance(left, Fire) else chosen
        if not done or task.times == 1:
            return chosen
    return Ended("done", now.last.number) if now.last is not None else Wait()


def _upcoming(order: TaskList, now: Progress) -> Iterator[tuple[int, int]]:
    """The places of the tasks from the next one on, each with how often it was done."""
    place, done = now.place, now.done
    for _ in order.tasks:
        if place >= len(order.tasks):
            return
        yield place, done
        place, done = _after(order, place), 0


def _is_over(game: Game, given: Given, order: TaskList, now: Progress) -> Ended | None:
    """The end of a list for which nothing of the present decision is needed."""
    if now.place >= len(order.tasks) and now.last is not None:
        return Ended("done", now.last.number)
    if now.acted >= ACTS:
        return Ended("often")
    company = _company_of(order)
    if company and director_of(game, company) != given.seat:
        return Ended("director")
    key = round_of(game.state).key
    task = order.tasks[now.place]
    if task.times == 0 or (
        isinstance(task.choice, Leave) and _in_turn(task) is None
    ):  # meant in the round it was said in
        begun = now.last.parent if now.last is not None else given.number
        if round_of(game.state_at(begun)).key != key:
            return Ended("round")
    if company and not order.again:
        begun_in = round_of(game.state_at(now.last.parent)).key if now.last is not None else given.round
        turned = now.last is not None and turn_at(game, game.state.agenda)[0] != company
        if begun_in and (begun_in != key or turned):
            return Ended("turn_over")
    return None


def _in_turn(task: Task) -> InTurn | None:
    return next((each for each in task.when if isinstance(each, InTurn)), None)


def _is_past(game: Game, task: Task) -> bool:
    """Tell whether the turn that a task is for has gone beyond its step."""
    wanted = _in_turn(task)
    if wanted is None:
        return False
    company, step = turn_at(game, game.state.agenda)
    own = own_turns(game)
    steps = own.passable if own is not None and company in own.works(game.state) else ()
    names = steps or tuple(each.name for each in steps_of(game.ruleset))
    return company == wanted.company and step in names and names.index(step) > _place(names, wanted.step)


def _place(names: tuple[str, ...], step: str) -> int:
    return names.index(step) if step in names else len(names)


def _is_due(game: Game, given: Given, task: Task) -> bool:
    """Tell whether the owner is asked for such a choice now, and all conditions hold."""
    choice = task.choice
    if not all(_holds(game, given, condition) for condition in task.when):
        return False
    if isinstance(choice, Like) and choice.values["kind"] == "bid":
        bids = [bid for bid in game.state.bids if bid.private == choice.values.get("private")]
        if bids and max(bids, key=lambda bid: bid.amount).seat == given.seat:
            return False  # it stands highest
    return any(
        _asks(rule.action, choice)
        for rule in open_rules(game.ruleset, game.state)
        if given.seat in actors(game.ruleset, game.state, rule)
    )


def _asks(kind: type[Action], choice: AnyWanted) -> bool:
    """Tell whether a kind of action may be what a choice wants."""
    match choice:
        case Leave():
            return kind in (Pass, EndTurn)
        case SameRun():
            return kind is RunTrains
        case Like():
            names = _names(kind)
            return (
                _of_kind(str(kind.__struct_config__.tag), str(choice.values["kind"])) and choice.values.keys() <= names
            )


@cache
def _names(kind: type[Action]) -> frozenset[str]:
    """The values of a kind of action by their names in JSON, with those that are reckoned from them."""
    names = {"kind", *kind.__struct_encode_fields__}
    return frozenset(names | {"percent"} if "sizes" in names else names)


def _holds(game: Game, given: Given, condition: AnyCondition) -> bool:
    state = game.state
    match condition:
        case PriceUnder():
            return 0 < state.price(condition.company) < condition.price
        case Floated():
            return state.companies[condition.company].floated
        case InTurn():
            top = state.agenda[-1:]
            return turn_at(game, top) == (condition.company, condition.step)
        case NetworkChanged():
            then = game.state_at(given.number)
            return _network(game, then, condition.company) != _network(game, state, condition.company)


def _network(game: Game, state: State, company: CompanyId) -> tuple[object, ...]:
    """All that a run of a company depends on: its trains, the phase, and what lies where its paths come."""
    near = reach_of(state.board, company, game.ruleset.policy(RouteRules).available).close
    contents = state.board.contents_by_hex
    lying = {at: contents.get(at) for at in near}
    return state.phase, sorted(state.companies[company].trains), lying


def _same_turn(game: Game, given: Given, now: Progress) -> bool:
    """Tell whether the newest action is the owner's, done for this list: the turn that it was made in may still be on."""
    line = game.line()
    return bool(line) and now.last is not None and line[-1].number == now.last.number and line[-1].seat == given.seat


def _choice(game: Game, seat: Seat, choice: AnyWanted) -> Fire | Ended:
    """The legal action by which a task is done now, or why there is none."""
    match choice:
        case Leave():
            return _first_legal(game, seat, (Pass(), EndTurn())) or Ended("duty", 0, _against(game, seat, Pass()))
        case SameRun():
            run = _last_run(game, choice.company)
            if run is None:
                return Ended("no_run")
            return _first_legal(game, seat, (run,)) or Ended("refused", 0, _against(game, seat, run))
        case Like():
            return _like(game, seat, choice)


def _first_legal(game: Game, seat: Seat, actions: tuple[Action, ...]) -> Fire | None:
    return next((Fire(each) for each in actions if refusal(game.ruleset, game.state, seat, each) is None), None)


def _against(game: Game, seat: Seat, action: Action) -> Refusal | None:
    return refusal(game.ruleset, game.state, seat, action)


def _last_run(game: Game, company: CompanyId) -> RunTrains | None:
    """The run that a company made last."""
    for entry in game.line_back():
        if isinstance(entry.action, RunTrains) and any(
            isinstance(event, TrainsRan) and event.company == company for event in entry.events
        ):
            return entry.action
    return None


def _like(game: Game, seat: Seat, choice: Like) -> Fire | Ended:
    """The cheapest legal action with the values of a choice. An action that is named whole is judged as it stands."""
    try:
        named = game.codec.action_of(choice.values)
    except (msgspec.ValidationError, TypeError):
        named = None
    if named is not None and _against(game, seat, named) is None:
        fitting = [named]
    else:
        offered = (each.action for each in legal(game.ruleset, game.state, (seat,)))
        fitting = [action for action in offered if _fits(choice.values, action)]
    if not fitting:
        against = None if named is None else _against(game, seat, named)
        return Ended("impossible") if against is None else Ended("refused", 0, against)
    cost, best = min(((_cost(game, seat, action), action) for action in fitting), key=lambda pair: pair[0])
    return Fire(best) if not choice.most or cost <= choice.most else Ended("dear")


def _cost(game: Game, seat: Seat, action: Action) -> int:
    """The Mark that an action takes from its owner now, or promises in a bid."""
    promised = getattr(action, "amount", 0)
    answer = decide(game.ruleset, game.state, seat, action)
    if not isinstance(answer, Decision):
        return int(promised)
    return max(int(promised), sum(e.amount for e in answer.events if isinstance(e, Paid) and e.source == seat))
