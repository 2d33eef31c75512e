"""The sum of a purchase that must be made: price, treasury, what the director adds, what is still missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import Decision, decide
from trajekt.engine.events import Paid
from trajekt.engine.evolve import evolve
from trajekt.engine.ruleset import Choice
from trajekt.engine.state import State
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker, tag_of
from trajekt.rules.operating_round import current_turn
from trajekt.server.presenters.choice_groups import Chip, Menu

FORCING = frozenset({"choose_forced_train", "force_train", "force_purchase"})
"""Kinds of action that begin a forced purchase."""


BOUGHT = frozenset({"train", "forced"})
"""Causes of payments that settle a forced purchase."""

HOPELESS = frozenset({"declare_bankruptcy"})
"""Kinds of action that end a forced purchase without paying it."""


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Price and money at hand of a company, in Mark. `cash` is the director's; `missing` is what both lack together."""

    company: CompanyId
    price: int
    treasury: int
    cash: int
    missing: int


@dataclass(frozen=True, slots=True)
class SumLine:
    """A line of the sum in words; `total` marks the one below the others."""

    label: str
    amount: str
    total: bool = False


def shortfall_of(state: State) -> Shortfall | None:
    """The sum of the forced purchase on top; None where nothing must be paid."""
    due = state.top.amount_due(state) if state.top is not None else 0
    company = state.companies.get(getattr(state.top, "company", ""))
    if not due or company is None:
        return None
    cash = state.players[company.director].cash if company.director is not None else 0
    return Shortfall(company.id, due, company.treasury, cash, max(0, due - company.treasury - cash))


def after(game: Game, state: State, choice: Choice) -> State | None:
    """The position that a choice leads to; None where it is refused."""
    answer = decide(game.ruleset, state, choice.seat, choice.action)
    if not isinstance(answer, Decision):
        return None
    for event in answer.events:
        state = evolve(state, event, game.ruleset.own)
    return state


def forced_sum(game: Game, choices: Sequence[Choice]) -> Shortfall | None:
    """The sum of the purchase that is on, or of the cheapest that must be begun now."""
    state = game.state
    if (found := shortfall_of(state)) is not None:
        return found
    turn = current_turn(state)
    if turn is None:
        return None
    prices = [price_of_purchase(game, choice, turn.company) for choice in choices if tag_of(choice.action) in FORCING]
    price = min((price for price in prices if price), default=0)
    if not price:
        return None
    company = state.companies[turn.company]
    cash = state.players[company.director].cash if company.director is not None else 0
    return Shortfall(company.id, price, company.treasury, cash, max(0, price - company.treasury - cash))


def price_of_purchase(game: Game, choice: Choice, company: CompanyId) -> int:
    """Return the price of the purchase that a choice begins, in Mark: it may be paid at once, or wait for money."""
    answer = decide(game.ruleset, game.state, choice.seat, choice.action)
    if not isinstance(answer, Decision):
        return 0
    state = game.state
    for event in answer.events:
        if isinstance(event, Paid) and event.source == company and event.cause in BOUGHT:
            return event.amount
        state = evolve(state, event, game.ruleset.own)
    return state.top.amount_due(state) if state.top is not None else 0


def sum_lines(shortfall: Shortfall, director: str, speaker: Speaker) -> list[SumLine]:
    """The sum in words: what it costs, what the treasury has, what the director adds, what is missing then."""
    say = speaker.catalogue
    added = min(shortfall.cash, max(0, shortfall.price - shortfall.treasury))
    return [
        SumLine(say.text("page.forced.price"), say.money(shortfall.price)),
        SumLine(
            say.text("page.forced.treasury", company=speaker.company(shortfall.company)),
            say.money(-min(shortfall.treasury, shortfall.price)),
        ),
        SumLine(say.text("page.forced.director", player=director, cash=say.money(shortfall.cash)), say.money(-added)),
        SumLine(say.text("page.forced.missing"), say.money(shortfall.missing), total=True),
    ]


def with_rest(menu: Menu, game: Game, speaker: Speaker) -> Menu:
    """The menu of a forced purchase; each way to pay says what is missing after it."""
    if shortfall_of(game.state) is None:
        return menu

    def told(chips: Sequence[Chip]) -> Iterator[Chip]:
        for chip in chips:
            then = after(game, game.state, Choice(chip.seat, game.codec.action(chip.action)))
            rest = shortfall_of(then) if then is not None else None
            if then is None or chip.refused or chip.kind in HOPELESS:
                yield chip
                continue
            missing = rest.missing if rest is not None and type(then.top) is type(game.state.top) else 0
            key = "page.forced.rest" if missing else "page.forced.covered"
            rest_text = speaker.catalogue.text(key, amount=speaker.catalogue.money(missing))
            sentence = f"{chip.sentence} · {rest_text}" if chip.sentence else ""
            yield replace(chip, label=f"{chip.label} · {rest_text}", sentence=sentence)

    groups = [
        replace(group, rows=[replace(row, chips=list(told(row.chips))) for row in group.rows]) for group in menu.groups
    ]
    return replace(menu, groups=groups, cards=list(told(menu.cards)))
