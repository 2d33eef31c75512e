"""*Now*: whose decision, which step, what may be done and what it would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trajekt.engine.board.board import Board
from trajekt.engine.codec import to_plain
from trajekt.engine.components.schema import Space, TrainKind
from trajekt.engine.decisions import Decision, decide
from trajekt.engine.events import Paid, TrainsRan
from trajekt.engine.ruleset import Choice
from trajekt.engine.state import BANK, Frame, Seat, State
from trajekt.game import Game
from trajekt.i18n.sentences import MONEY, Speaker
from trajekt.i18n.spoken import stop_name
from trajekt.rendering.stock_market import Ghost
from trajekt.round_label import StepLine, frame_name, steps_now
from trajekt.rules.operating_round import CompanyTurn, current_turn
from trajekt.rules.referee_marks import mirrored
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.server.presenters.choice_groups import Chip, Menu, menu
from trajekt.server.presenters.forced_purchase import SumLine, forced_sum, sum_lines, with_rest
from trajekt.server.presenters.map_hint import map_hint, only_powers
from trajekt.server.presenters.outcome_notes import notes_of
from trajekt.server.presenters.outcome_preview import Change, Effects, effects_of
from trajekt.server.presenters.referee_panel import known_income
from trajekt.server.presenters.stock_sheet import with_stock_sheet

EXPECTED = frozenset({"pay_out", "withhold"})
"""Kinds of a choice of which the first is plainly expected."""
TOLD = "declare_run"
"""Kind of the choice that tells what a run on a real board brought."""


@dataclass(frozen=True, slots=True)
class MoneyLine:
    """A line of what would change: who, by how much."""

    who: str
    change: str


@dataclass(frozen=True, slots=True)
class PriceLine:
    """A marker that would move, in words; prices as they are shown."""

    company: str
    before: str
    after: str
    way: str  # `up`, `down`, `begins` where there was no price, or empty


@dataclass(frozen=True, slots=True)
class Term:
    """A train's run in terms: its number on the map, its name, stops and bonuses with their values, the sum.

    The number is 0 for a train without a run.
    """

    n: int
    train: str
    terms: Sequence[tuple[str, str]]
    revenue: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """Effects of a choice, in words and figures."""

    money: Sequence[MoneyLine]
    prices: Sequence[PriceLine]
    worth: str
    notes: Sequence[str]
    terms: Sequence[Term]
    revenue: str


@dataclass(frozen=True, slots=True)
class Card:
    """A choice that stands beside the others with all that it would change, and the spaces that markers would move to."""

    chip: Chip
    outcome: Outcome
    spaces: Sequence[Space] = ()


@dataclass(frozen=True, slots=True)
class Now:
    """All of the region *now*."""

    company: str
    letters: str
    initial: str
    question: str
    hint: str  # what to choose on the map
    under: str
    steps: Sequence[StepLine]
    menu: Menu
    cards: Sequence[Card]
    runs: Card | None
    proved: bool  # whether the runs offered are proved to be the best
    ran: Outcome | None
    mode: str  # `cards`, `list`, `map`, `run` or `end`
    preselected: str  # the action that is chosen beforehand, as JSON
    sums: Sequence[SumLine]  # of a purchase that must be made, or of what the books know of an income
    seat: Seat | None
    others: Sequence[str]


def now(game: Game, choices: Sequence[Choice], speaker: Speaker, seats: Sequence[Seat]) -> Now:
    """The decision at the head of a game for somebody who may act for `seats`."""
    state = game.state
    awaited = list(game.to_act)
    seat = next((each for each in awaited if each in seats), awaited[0] if awaited else None)
    own_choices = [choice for choice in choices if choice.seat in seats]
    sorted_menu = with_stock_sheet(menu(game, state, own_choices, speaker, seats), game, speaker, seat)
    sorted_menu = with_rest(sorted_menu, game, speaker)
    turn = current_turn(state)
    own = isinstance(state.top, CompanyTurn) and turn is not None
    company = turn.company if turn is not None and own else ""
    who = speaker.seat(seat) if seat is not None else ""
    topic = topic_of(state)
    cards = [card_of(game, state, chip, speaker) for chip in sorted_menu.cards]
    runs = card_of(game, state, sorted_menu.runs, speaker) if sorted_menu.runs else None
    ran = last_run(game, company) if company and topic == "pay" else None
    shortfall = forced_sum(game, own_choices)
    sums = sum_lines(shortfall, who, speaker) if shortfall else known_income(game, speaker)
    return Now(
        company=company,
        letters=speaker.company(company) if company else "",
        initial=who[:1],
        question=question_of(
            state, seat, speaker, sorted_menu if seat in seats else None, own_choices, forced=bool(shortfall)
        ),
        hint=map_hint(state, own_choices, company, speaker) if sorted_menu.hexes else "",
        under=under(state, speaker, company, seat, topic),
        steps=steps_now(game, state) if own else (),
        menu=sorted_menu,
        cards=cards,
        runs=runs,
        proved=runs is not None and game.ruleset.policy(RunningPolicy).proved(state, company),
        ran=None if ran is None else told_run(ran, state, speaker),
        mode=mode(sorted_menu, finished=not awaited),
        preselected=preselected(sorted_menu),
        sums=sums,
        seat=seat,
        others=[speaker.seat(other) for other in awaited if other != seat],
    )


def told_run(ran: TrainsRan, state: State, speaker: Speaker) -> Outcome:
    """The run of a company's turn as sums, with its trains that found none."""
    owned = state.companies[ran.company].trains
    return Outcome((), (), "", (), terms(ran, speaker, state.board, owned), speaker.catalogue.money(ran.revenue))


def topic_of(state: State) -> str:
    """Return what is being decided: the step of a company's turn, else the frame on top."""
    turn = current_turn(state)
    if not state.agenda:
        return "end"
    return turn.step if turn is not None and isinstance(state.top, CompanyTurn) else frame_name(state.top)


def preselected(sorted_menu: Menu) -> str:
    """The card that is chosen beforehand: to pay out, where one may only withhold instead; at a real table the income to type.

    Nothing else is, not even the only duty that is left: what costs is never one press away.
    """
    chips = [chip for group in sorted_menu.groups if group.kind == TOLD for row in group.rows for chip in row.chips]
    if chips:
        return chips[0].action
    if sorted_menu.groups or sorted_menu.hexes or sorted_menu.quick or sorted_menu.runs:
        return ""
    if any(card.kind not in EXPECTED for card in sorted_menu.cards):
        return ""
    return next((card.action for card in sorted_menu.cards if card.kind == "pay_out"), "")


def question_of(
    state: State,
    seat: Seat | None,
    speaker: Speaker,
    own_menu: Menu | None = None,
    choices: Sequence[Choice] = (),
    *,
    forced: bool = False,
) -> str:
    """The question put to a seat now; with the reader's own menu it follows what can still be done."""
    say = speaker.catalogue
    turn = current_turn(state)
    topic, words = topic_of(state), frame_words(state.top, speaker)
    words["player"] = speaker.seat(seat) if seat is not None else ""
    words["company"] = speaker.company(turn.company) if turn is not None and isinstance(state.top, CompanyTurn) else ""
    words["revenue"] = say.money(turn.revenue) if turn is not None else ""
    step = str(getattr(state.top, "step", ""))
    power = [f"page.ask.{topic}.power"] if only_powers(choices) else []
    left = [f"page.ask.{topic}.nothing_lit"] if own_menu is not None and not own_menu.hexes else []
    again = [f"page.ask.{topic}.again"] if turn is not None and turn.lays else []
    mirror = [f"page.ask.{topic}.{mirrored(state)}"] if mirrored(state) else []
    if forced and own_menu is not None and isinstance(state.top, CompanyTurn):
        return say.text("page.ask.must_buy", **words)
    return say.text(
        say.first(*mirror, *power, *left, *again, f"page.ask.{topic}.{step}", f"page.ask.{topic}", "page.ask"), **words
    )


def mode(sorted_menu: Menu, *, finished: bool) -> str:
    """Return how the decision is made: on the map, from a list, between cards, or by running trains."""
    if finished:
        return "end"
    if sorted_menu.runs is not None:
        return "run"
    if sorted_menu.hexes:
        return "map"
    return "list" if sorted_menu.groups else "cards"


def frame_words(frame: Frame | None, speaker: Speaker) -> dict[str, str]:
    """The fields of a frame in words, for the texts that ask about it."""
    words: dict[str, str] = {}
    for name, value in to_plain(frame).items() if frame is not None else ():
        if isinstance(value, str):
            words[name] = speaker.train(value) if name in ("train", "card") else speaker.place(value) if value else ""
        elif name == "private":
            words[name] = speaker.private(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            words[name] = "" if not value else speaker.catalogue.money(value) if name in MONEY else str(value)
        elif isinstance(value, list | tuple):
            words[name] = ", ".join(speaker.place(each) for each in value)
    return words


def under(state: State, speaker: Speaker, company: str, seat: Seat | None, topic: str) -> str:
    """The line under the question: what it is about, name and treasury of the company, or the cash of the player."""
    say = speaker.catalogue
    if f"page.under.{topic}" in say:
        return say.text(f"page.under.{topic}", **frame_words(state.top, speaker))
    if company:
        name = speaker.sheet.companies[company].name
        who = speaker.seat(seat) if seat is not None else ""
        return say.text(
            "page.under_company", company=name, treasury=say.money(state.companies[company].treasury), player=who
        )
    if seat is None:
        return ""
    promised = state.committed_to_bids(seat)
    key = "page.under_bidder" if promised else "page.under_player"
    return say.text(key, cash=say.money(state.players[seat].cash), promised=say.money(promised))


def decided(game: Game, state: State, seat: Seat, action: str) -> Decision | None:
    """The decision of a legal action, None where it is refused."""
    answer = decide(game.ruleset, state, seat, game.codec.action(action))
    return answer if isinstance(answer, Decision) else None


def card_of(game: Game, state: State, chip: Chip, speaker: Speaker) -> Card:
    """A choice with what it would change."""
    decision = decided(game, state, chip.seat, chip.action)
    if decision is None:
        return Card(chip, Outcome((), (), "", (), (), ""))
    effects = effects_of(game, state, decision)
    card = Card(chip, told(effects, chip.seat, speaker), [price.space for price in effects.prices])
    return paid_out(card, decision, state, speaker) if chip.kind == "pay_out" else card


def told(effects: Effects, seat: Seat, speaker: Speaker) -> Outcome:
    """Effects in words: the actor first, then the others, then companies."""
    say = speaker.catalogue
    cash = sorted(effects.cash, key=lambda change: change.seat != seat)
    money = [MoneyLine(speaker.seat(c.seat if c.seat is not None else -1), signed(c, speaker)) for c in cash]
    money += [MoneyLine(speaker.place(c.company), signed(c, speaker)) for c in effects.treasuries]
    prices = [
        PriceLine(
            speaker.company(p.company),
            say.number(p.before) if p.before else "",
            say.number(p.after),
            "begins" if not p.before else "up" if p.after > p.before else "down" if p.after < p.before else "",
        )
        for p in effects.prices
    ]
    own = next((c for c in effects.worth if c.seat == seat), None)
    notes = list(dict.fromkeys(notes_of(effects, speaker)))
    ran = effects.ran
    owned = effects.state.companies[ran.company].trains if ran is not None else ()
    return Outcome(
        money,
        prices,
        say.money(own.after) if own is not None and not effects.privates else "",
        notes,
        terms(ran, speaker, effects.state.board, owned) if ran is not None else (),
        say.money(ran.revenue) if ran is not None else "",
    )


def signed(change: Change, speaker: Speaker) -> str:
    """A change with its sign."""
    sign = "+" if change.delta > 0 else "−"
    return sign + speaker.catalogue.number(abs(change.delta))


def terms(ran: TrainsRan, speaker: Speaker, board: Board, owned: Sequence[TrainKind] = ()) -> list[Term]:
    """The runs of a turn as sums: each stop with its name and value, each bonus; last what is `owned` without a run.

    An income that was told from a real board has no runs to show.
    """
    say = speaker.catalogue
    if ran.revenue and not ran.runs:
        return []
    idle = Counter(owned)
    out = []
    for n, run in enumerate(ran.runs):
        idle[str(run.get("train", ""))] -= 1
        parts = [
            (stop_name(board, str(stop["stop"])), amount(stop, speaker))
            for stop in _list(run.get("stops"))
            if not stop.get("left_out")
        ]
        parts += [
            (speaker.word("bonus", str(bonus["name"])), amount(bonus, speaker)) for bonus in _list(run.get("bonuses"))
        ]
        revenue = say.number(int(str(run.get("revenue", 0))))
        out.append(Term(n % 6 + 1, speaker.train(str(run.get("train", ""))), parts, revenue))
    without = [(say.text("page.run.idle"), "")]
    return out + [Term(0, speaker.train(kind), without, "") for kind, left in idle.items() for _ in range(left)]


def amount(term: Mapping[str, object], speaker: Speaker) -> str:
    """The Mark of a term."""
    found = term["amount"]
    return speaker.catalogue.number(found) if isinstance(found, int) else ""


def _list(value: object) -> Sequence[Mapping[str, object]]:
    return value if isinstance(value, list | tuple) else ()


def last_run(game: Game, company: str) -> TrainsRan | None:
    """Return what the company ran in this turn."""
    for entry in game.line_back():
        for event in reversed(entry.events):
            if isinstance(event, TrainsRan):
                return event if event.company == company else None
    return None


def tracks(ran: TrainsRan | None) -> list[list[str]]:
    """The lines of a run on the map, with the stops that pay where some are left out."""
    if ran is None:
        return []
    lines = []
    for run in ran.runs:
        track = [str(ref) for ref in _refs(run.get("track"))]
        stops = _list(run.get("stops"))
        if any(stop.get("left_out") for stop in stops):
            track += [str(stop["stop"]) for stop in stops if not stop.get("left_out")]
        lines.append(track)
    return lines


def _refs(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def card_ghosts(state: State, cards: Sequence[Card], chosen: str = "") -> list[Ghost]:
    """Return where the markers would go for each card; `chosen` is the action selected, without it the first."""
    selected = chosen if any(card.chip.action == chosen for card in cards) else cards[0].chip.action if cards else ""
    return [
        Ghost(space, each(state, card.chip.kind), card.chip.action == selected)
        for card in cards
        for space in card.spaces
    ]


def ghosts(effects: Effects) -> list[Ghost]:
    """Return where the markers would come to lie."""
    return [Ghost(price.space, "", chosen=True) for price in effects.prices]


def each(state: State, kind: str) -> str:
    """Return what goes into the ring: what a share of 10 % earns by the choice, where it earns something."""
    turn = current_turn(state)
    if kind == "withhold":
        return "0"
    return f"+{turn.revenue // 10}" if kind == "pay_out" and turn is not None else ""


def paid_out(card: Card, decision: Decision, state: State, speaker: Speaker) -> Card:
    """A card that pays out: its button names the amount as well, with what stays in the bank for shares that nobody owns."""
    say, turn = speaker.catalogue, current_turn(state)
    if turn is None:
        return card
    label = say.text("page.pay_each", amount=say.money(turn.revenue // 10))
    paid = sum(event.amount for event in decision.events if isinstance(event, Paid) and event.source == BANK)
    money = card.outcome.money
    if turn.revenue > paid:
        money = [*money, MoneyLine(say.text("page.bank_keeps"), say.number(turn.revenue - paid))]
    return replace(card, chip=replace(card.chip, sentence=label), outcome=replace(card.outcome, money=money))
