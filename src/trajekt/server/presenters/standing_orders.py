"""Instructions in advance in words, and what the form offers to give one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker, refusal_line
from trajekt.round_label import Round, round_name
from trajekt.server.presenters.game_log import entry_text
from trajekt.server.presenters.standing_order_tasks import task_list_sentence
from trajekt.server.services import standing_orders
from trajekt.server.storage.standing_orders import (
    Buy,
    DiscardFirst,
    Given,
    PassSteps,
    PassUntil,
    StoredOrder,
    TaskList,
)

Named: TypeAlias = tuple[str, str]
"""A thing as the form sends it, and its name."""


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An instruction in words; `ended` says why it holds no more, empty while it does."""

    id: int
    text: str
    ended: str


@dataclass(frozen=True, slots=True)
class Certificates:
    """A certificate that may be bought in advance: its words, what the form sends, what it costs now in Mark."""

    label: str
    value: str
    price: int


@dataclass(frozen=True, slots=True)
class PassableSteps:
    """Companies of a player whose turns have the same steps, and the steps that may be passed in advance."""

    companies: Sequence[Named]
    steps: Sequence[Named]


@dataclass(frozen=True, slots=True)
class HeldTrain:
    """A train of a company that the player directs, with both named."""

    company: CompanyId
    train: TrainKind
    label: str


def order_sentence(given: Given, game: Game, speaker: Speaker) -> str:
    """Return what an instruction will do and when it ends."""
    say, order = speaker.catalogue, given.order
    where = round_name(Round.read(given.round), say)
    if given.frame and given.frame != standing_orders.TRADE and f"page.order.frame.{given.frame}" in say:
        where = say.text(f"page.order.frame.{given.frame}")
    match order:
        case PassUntil():
            return say.text(f"page.order.pass_until.{order.until}", round=where)
        case Buy():
            return say.text(
                f"page.order.buy.{order.until}",
                round=where,
                company=speaker.company(order.company),
                percent=order.percent,
                source=say.text(f"page.order.from.{order.source}"),
                most=say.money(order.most),
            )
        case PassSteps():
            steps = ", ".join(step_name(step, speaker) for step in order.steps)
            return say.text("page.order.pass_steps", company=speaker.company(order.company), steps=steps)
        case DiscardFirst():
            trains = ", ".join(speaker.train(train) for train in order.trains)
            return say.text("page.order.discard_first", company=speaker.company(order.company), trains=trains)
        case TaskList():
            return task_list_sentence(order, game, speaker)


def step_name(step: str, speaker: Speaker) -> str:
    """A step of a company's turn."""
    known = f"page.step.{step}"
    return speaker.catalogue.text(known) if known in speaker.catalogue else step


def order_end(kept: StoredOrder, game: Game, speaker: Speaker) -> str:
    """Return why an instruction has ended, and by which action; empty while it holds."""
    if not kept.ended:
        return ""
    action = ""
    if 0 < kept.entry <= game.number:
        action = entry_text(game, game.entries[kept.entry - 1], speaker)[0]
    if kept.refusal is not None:
        return speaker.catalogue.text("page.order.ended.refused", refusal=refusal_line(speaker, kept.refusal))
    reason = "impossible" if kept.ended == "refused" else kept.ended
    return speaker.catalogue.text(f"page.order.ended.{reason}", action=action)


def to_buy(game: Game, speaker: Speaker) -> list[Certificates]:
    """Return what lies in the offerings now, for the form."""
    say, state = speaker.catalogue, game.state
    found = []
    for company in state.companies:
        for source, percent in standing_orders.offered(state, company):
            price = state.price(company) * percent // max(state.sheet.companies[company].share, 1)
            where = say.text(f"page.order.from.{source}")
            label = f"{speaker.company(company)} {percent}\u202f% {where} · {say.money(price)}"
            found.append(
                Certificates(
                    label,
                    msgspec.json.encode({"company": company, "source": source, "percent": percent}).decode(),
                    price,
                )
            )
    return found


def steps_to_pass(game: Game, seat: int, speaker: Speaker) -> list[PassableSteps]:
    """Group the companies of a player by the steps that may be passed, for the form."""
    groups: dict[tuple[str, ...], list[Named]] = {}
    for company in standing_orders.in_turns(game, seat):
        groups.setdefault(standing_orders.passable_steps(game, company), []).append((company, speaker.company(company)))
    return [
        PassableSteps(companies, [(step, step_name(step, speaker)) for step in steps])
        for steps, companies in groups.items()
        if steps
    ]
