"""Instructions made of tasks: their words, and what the form offers to put them together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from trajekt.engine.actions import FoundCompany, PlaceBid
from trajekt.engine.ruleset import Choice
from trajekt.engine.state import Seat, State
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker, choice_label
from trajekt.rules.operating_round import steps_of
from trajekt.server.storage.standing_order_tasks import (
    AnyCondition,
    Floated,
    InTurn,
    Leave,
    Like,
    NetworkChanged,
    PriceUnder,
    SameRun,
    Task,
)
from trajekt.server.storage.standing_orders import TaskList

ARROW = " → "


@dataclass(frozen=True, slots=True)
class Offered:
    """A thing that a form offers: what it sends, its name, and the numbers that go with it."""

    value: str
    label: str
    numbers: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class TaskForms:
    """All that the forms of task lists offer to a player; an empty row leaves its form out.

    `founds` are companies with the pars, `bids` certificates with the least bid, `sells` companies with the per cent to
    sell and the price now, `runs` companies with the whole instruction to run and pay as before.
    """

    founds: Sequence[Offered]
    pars: Sequence[int]
    bids: Sequence[Offered]
    sells: Sequence[Offered]
    runs: Sequence[Offered]


# Words ---------------------------------------------------------------------------------------------------------------


def task_list_sentence(order: TaskList, game: Game, speaker: Speaker) -> str:
    """Return what a list of tasks will do and when it ends."""
    say = speaker.catalogue
    company = next((each.company for task in order.tasks for each in task.when if isinstance(each, InTurn)), "")
    tasks = (
        ARROW.join(dict.fromkeys(_task(task, game, speaker) for task in order.tasks))
        if order.again
        else ARROW.join(_task(task, game, speaker) for task in order.tasks)
    )
    if company:
        form = "page.order.tasks.each_turn" if order.again else "page.order.tasks.turn"
        tasks = say.text(form, company=speaker.company(company), tasks=tasks)
    until = ", ".join(_condition(each, speaker) for each in order.until)
    return say.text("page.order.tasks", tasks=tasks, until=until)


def _task(task: Task, game: Game, speaker: Speaker) -> str:
    say = speaker.catalogue
    conditions = [_condition(each, speaker) for each in task.when if not isinstance(each, InTurn)]
    words = _choice(task, game, speaker)
    if task.times > 1:
        words = say.text("page.order.task.times", task=words, times=task.times)
    return say.text("page.order.task.if", condition=", ".join(conditions), task=words) if conditions else words


def _choice(task: Task, game: Game, speaker: Speaker) -> str:
    say, choice = speaker.catalogue, task.choice
    match choice:
        case Leave():
            if any(isinstance(each, InTurn) for each in task.when):
                return say.text("page.order.task.leave")
            return say.text("page.order.task.leave_round" if task.times == 0 else "page.order.task.leave_once")
        case SameRun():
            return say.text("page.order.task.same_run")
        case Like():
            return _like(choice, game, speaker)


def _like(choice: Like, game: Game, speaker: Speaker) -> str:
    """Return the words of an action: those on its button where it is named whole."""
    say, values = speaker.catalogue, choice.values
    try:
        return choice_label(speaker, Choice(0, game.codec.action_of(values)))
    except (msgspec.ValidationError, TypeError):
        pass
    key = f"page.order.task.{str(values['kind']).partition('_')[0]}"
    if key not in say:
        return str(values["kind"])
    source = values.get("source")
    return say.text(
        key,
        company=speaker.company(str(values.get("company", ""))),
        percent=f"{values['percent']}\u202f%" if "percent" in values else "",
        source=say.text(f"page.order.from.{source}") if source else "",
        private=speaker.private(int(values["private"])) if "private" in values else "",
        most=say.money(choice.most) if choice.most else "",
    )


def _condition(condition: AnyCondition, speaker: Speaker) -> str:
    say, company = speaker.catalogue, speaker.company(condition.company)
    match condition:
        case PriceUnder():
            return say.text("page.order.if.price_under", company=company, price=say.money(condition.price))
        case Floated():
            return say.text("page.order.if.floated", company=company)
        case NetworkChanged():
            return say.text("page.order.if.network_changed", company=company)
        case InTurn():
            return ""


# Forms ---------------------------------------------------------------------------------------------------------------


def task_forms(game: Game, seat: Seat, speaker: Speaker) -> TaskForms:
    """Return what a player can put together now."""
    actions, state = game.ruleset.actions, game.state
    return TaskForms(
        founds=foundings(state, speaker) if FoundCompany in actions else (),
        pars=state.sheet.market.pars,
        bids=least_bids(state, speaker) if PlaceBid in actions else (),
        sells=sales(state, seat, speaker),
        runs=[
            Offered(msgspec.json.encode(same_run(game, company)).decode(), speaker.company(company))
            for company in state.directed_companies(seat)
            if state.companies[company].trains
        ],
    )


def foundings(state: State, speaker: Speaker) -> list[Offered]:
    """The companies that somebody may still found."""
    return [
        Offered(each.id, speaker.company(each.id))
        for each in state.companies.values()
        if not each.founded and any(certificate.director for certificate in each.certificates)
    ]


def least_bids(state: State, speaker: Speaker) -> list[Offered]:
    """The private companies that nobody owns yet, with the highest bid on each in Mark."""
    best = {bid.private: max(b.amount for b in state.bids if b.private == bid.private) for bid in state.bids}
    unsold = [each for each in state.privates.values() if each.open and each.owner is None]
    return [Offered(str(each.number), speaker.private(each.number), (best.get(each.number, 0),)) for each in unsold]


def sales(state: State, seat: Seat, speaker: Speaker) -> list[Offered]:
    """The companies of which a player has shares to sell, with the sizes of blocks in per cent."""
    found = []
    for company in state.companies.values():
        held, price = company.percent(seat), state.price(company.id)
        if held and price:
            share = min(each.percent for each in company.certificates)
            label = f"{speaker.company(company.id)} · {speaker.catalogue.money(price)}"
            found.append(Offered(company.id, label, tuple(range(share, held + 1, share))))
    return found


def same_run(game: Game, company: str) -> TaskList:
    """The instruction to pass what can be passed, run as before and pay out, in each turn until something changes."""
    return TaskList(tuple(_turn_tasks(game, company)), again=True, until=(NetworkChanged(company),))


def _turn_tasks(game: Game, company: str) -> Iterator[Task]:
    for step in steps_of(game.ruleset):
        if step.waits is None:
            continue
        at = (InTurn(company, step.name),)
        if step.name == "run":
            yield Task(SameRun(company), at)
        elif step.name == "pay":
            yield Task(Like({"kind": "pay_out"}), at)
        elif step.passable:
            yield Task(Leave(), at)
