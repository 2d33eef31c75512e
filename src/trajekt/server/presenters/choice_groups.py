"""The choices of a position sorted for the eye: on the map, as cards, as rows of chips, as quick buttons.

Everything comes from the engine's list of choices. A kind of action that this file does not know falls back to a labelled
button, so that a stranger's game can be played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import msgspec

from trajekt.bots.candidate_moves import bid_worth
from trajekt.engine.actions import (
    Action,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    ChooseForcedTrain,
    Decline,
    DeclineEnd,
    DeclineOffer,
    DiscardTrain,
    EndTurn,
    FoundCompany,
    OfferEnd,
    Pass,
    PlaceBid,
    RunTrains,
    SellShares,
    SetPar,
)
from trajekt.engine.components.schema import HexId
from trajekt.engine.decisions import Decision, actors, decide, open_rules
from trajekt.engine.events import Paid
from trajekt.engine.ruleset import Choice, Code, Option, Refusal, Span, View
from trajekt.engine.state import BANK, Seat, State
from trajekt.game import Game
from trajekt.i18n.private_powers import power_of
from trajekt.i18n.sentences import Speaker, choice_label, choice_row, refusal_line, tag_of
from trajekt.rules.referee_entries import SetMirror

QUICK = (Pass, EndTurn, Decline, DeclineOffer, DeclineEnd)
PLACED = (FoundCompany, SetPar, BuyShare, SellShares, BuyPrivate, PlaceBid, BuyTrain, ChooseForcedTrain, DiscardTrain)
ASIDE = (OfferEnd,)  # open at any time to anybody: kept out of the way
ASKED = frozenset({"buy_private", "bid", "found", "buy_share", "sell_shares", "buy_train"})
"""Kinds that are shown greyed even if nothing of them can be had: somebody will ask why not."""

FIRST = ("choose_forced_train", "force_train", "force_purchase")
ORDER = ("buy_share", "buy_certificate", "sell_shares", "sell_certificates", "found", "take_loan", "declare_bankruptcy")
"""Kinds whose groups come before all others, and those that come after them in a fixed order."""

COSTED = 60  # of so many choices at most it is found out what each costs
CARDS = 4  # up to so many choices stand side by side with all that they change
SILENT = frozenset({Code.WRONG_STEP, Code.NOT_YOUR_TURN, Code.NOT_DIRECTOR, Code.NOT_IN_RULESET})


@dataclass(frozen=True, slots=True)
class Chip:
    """A choice to pick: its label, and its action as JSON. `refused` says why it cannot be had now, with the rule's id."""

    label: str
    seat: Seat
    action: str
    kind: str
    spans: Sequence[tuple[str, Span]] = ()
    refused: str = ""
    rule: str = ""
    sentence: str = ""


@dataclass(slots=True)
class Row:
    """Chips about one thing: a company, a private, a seller of trains.

    `parts` are the chips by kind of action, `card` names the card that tells more: `company/RhE`.
    """

    key: str
    title: str
    note: str = ""
    company: str = ""
    card: str = ""
    chips: list[Chip] = field(default_factory=list)

    @property
    def parts(self) -> list[tuple[str, list[Chip]]]:
        return [(kind, list(chips)) for kind, chips in groupby(self.chips, key=lambda chip: chip.kind)]


@dataclass(slots=True)
class Group:
    """The rows of one kind of action; `refused` are those that cannot be had now, each with its reason."""

    kind: str
    rows: list[Row] = field(default_factory=list)
    refused: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Menu:
    """All that may be done now, sorted. `hexes` are those on which something may be done, by kind of action."""

    count: int
    hexes: dict[str, list[str]]
    cards: Sequence[Chip]
    groups: Sequence[Group]
    quick: Sequence[Chip]
    aside: Sequence[Chip]
    runs: Chip | None

    @property
    def refused_count(self) -> int:
        return sum(len(row.chips) for group in self.groups for row in group.refused)


def hex_of(action: Action) -> HexId | None:
    """The hex that an action is about, so that it is chosen on the map; None for all others."""
    return action.hex if "hex" in action.__struct_fields__ else None  # type: ignore[attr-defined]  # just asked


def plain(action: Action) -> str:
    """An action as JSON, as a page sends it back."""
    return msgspec.json.encode(action).decode()


def menu(game: Game, state: State, choices: Sequence[Choice], speaker: Speaker, seats: Sequence[Seat]) -> Menu:
    """Sort the choices of the given seats; what is refused now comes along greyed."""
    hexes: dict[str, list[str]] = {}
    listed: list[tuple[Choice, Refusal | None]] = []
    quick: list[Chip] = []
    aside: list[Chip] = []
    runs: Chip | None = None
    for choice in choices:
        if choice.seat not in seats or isinstance(choice.action, SetMirror):
            continue
        at = hex_of(choice.action)
        if at is not None:
            kinds = hexes.setdefault(at, [])
            if tag_of(choice.action) not in kinds:
                kinds.append(tag_of(choice.action))
        elif isinstance(choice.action, RunTrains):
            runs = chip(speaker, choice)
        elif isinstance(choice.action, QUICK):
            quick.append(chip(speaker, choice))
        elif isinstance(choice.action, ASIDE):
            aside.append(chip(speaker, choice, label=speaker.seat(choice.seat)))
        else:
            listed.append((choice, None))
    few = len(listed) <= CARDS and not any(c.spans or isinstance(c.action, FoundCompany | SetPar) for c, _ in listed)
    grey = list(refused(game, state, seats))
    kinds_listed = {type(choice.action) for choice, _ in listed}
    if few and not any(type(choice.action) in kinds_listed for choice, _ in grey):
        return Menu(len(choices), hexes, [chip(speaker, c) for c, _ in listed], (), quick, aside, runs)
    groups = grouped(speaker, state, [*listed, *grey], costs(game, state, [choice for choice, _ in listed]))
    return Menu(len(choices), hexes, (), groups, quick, aside, runs)


def refused(game: Game, state: State, seats: Sequence[Seat]) -> Iterator[tuple[Choice, Refusal]]:
    """Candidates that the rules refuse now, except those on the map and those of another step."""
    if not state.agenda:
        return
    for seat in seats:
        view = View(game.ruleset, state, seat, state.agenda[-1])
        for rule in open_rules(game.ruleset, state):
            if (
                rule.action is SetMirror
                or "hex" in rule.action.__struct_fields__
                or rule.action is RunTrains
                or issubclass(rule.action, (*QUICK, *ASIDE))
            ):
                continue
            if seat not in actors(game.ruleset, state, rule):
                continue
            for option in rule.options(view):
                action = option.action if isinstance(option, Option) else option
                refusals = rule.refusals(view, action)
                if refusals and refusals[0].code not in SILENT:
                    yield Choice(seat, action), refusals[0]


def chip(speaker: Speaker, choice: Choice, refusal: Refusal | None = None, label: str = "") -> Chip:
    """A choice as something to press; with a refusal it is greyed, and nobody needs its sentence."""
    sentence = "" if refusal is not None and label else label_of(speaker, choice)
    return Chip(
        label=label or sentence,
        seat=choice.seat,
        action=plain(choice.action),
        kind=tag_of(choice.action),
        spans=tuple(choice.spans.items()),
        refused="" if refusal is None else refusal_line(speaker, refusal),
        rule="" if refusal is None else refusal.rule,
        sentence=sentence,
    )


def costs(game: Game, state: State, choices: Sequence[Choice]) -> dict[str, int]:
    """Give the price of each share, and what a choice without a row of its own pays to the bank, by the action as JSON."""
    free = [choice for choice in choices if not choice.spans]
    asked = [choice for choice in free if isinstance(choice.action, BuyShare) or not isinstance(choice.action, PLACED)]
    found: dict[str, int] = {}
    for choice in asked if len(asked) <= COSTED else ():
        answer = decide(game.ruleset, state, choice.seat, choice.action)
        if isinstance(answer, Decision):
            first = next((e for e in answer.events if isinstance(e, Paid)), None)
            if first is not None and (first.target == BANK or first.source == choice.seat):
                found[plain(choice.action)] = first.amount
    return found


def grouped(
    speaker: Speaker, state: State, listed: Sequence[tuple[Choice, Refusal | None]], paid: Mapping[str, int]
) -> list[Group]:
    """Rows and chips by kind, in the order of the choices; a row without a legal chip comes last in its group."""
    groups: dict[str, Group] = {}
    rows: dict[tuple[str, str], Row] = {}
    for choice, refusal in listed:
        kind = tag_of(choice.action)
        key, label = placed(speaker, state, choice)
        cost = paid.get(plain(choice.action), 0) if paid else 0
        if refusal is not None and not isinstance(choice.action, PLACED):
            cost = int(refusal.args.get("cost", 0))
        if cost:
            label = " · ".join(part for part in (label, speaker.catalogue.money(cost)) if part)
        group = groups.setdefault(kind, Group(kind))
        row = rows.get((kind, key.key))
        if row is None:
            row = rows[kind, key.key] = key
            group.rows.append(row)
        row.chips.append(chip(speaker, choice, refusal, label))
    for group in groups.values():
        rows_of = group.rows
        group.rows = [replace(row, chips=ordered(c for c in row.chips if not c.refused)) for row in rows_of]
        group.rows = [row for row in group.rows if row.chips]
        group.refused = [replace(row, chips=by_reason(row)) for row in rows_of]
        group.refused = [row for row in group.refused if row.chips]
    kept = [group for group in groups.values() if group.rows or group.kind in ASKED]
    return sorted(kept, key=lambda group: (not group.rows, rank(group.kind)))


def rank(kind: str) -> int:
    """Rank a group among those that are open."""
    return -1 if kind in FIRST else ORDER.index(kind) + 1 if kind in ORDER else 0


def ordered(chips: Iterable[Chip]) -> list[Chip]:
    """Chips in the order of their labels' numbers."""
    return sorted(chips, key=lambda c: _number(c.action))


def by_reason(row: Row) -> list[Chip]:
    """The refused chips of a row, unless a legal one says the same; several with one reason become one."""
    legal = {chip.label for chip in row.chips if not chip.refused}
    rest = ordered({c.label: c for c in row.chips if c.refused and c.label not in legal}.values())
    found: dict[str, list[Chip]] = {}
    for chip in rest:
        found.setdefault(chip.refused, []).append(chip)
    return [
        same[0] if len(same) == 1 else replace(same[0], label=f"{same[0].label} … {same[-1].label}")
        for same in found.values()
    ]


def _number(action: str) -> tuple[str, int]:
    fields = msgspec.json.decode(action)
    text = str(fields.get("source", ""))
    for name in ("par", "percent", "price", "amount", "count"):
        if name in fields:
            return text, int(fields[name])
    return text, 0


def placed(speaker: Speaker, state: State, choice: Choice) -> tuple[Row, str]:
    """The row of a choice and the label of its chip."""
    action = choice.action
    say = speaker.catalogue
    if words := choice_row(speaker, choice):
        company = company_of(speaker, action)
        if isinstance(action, PlaceBid):
            note = lot_told(speaker, state, choice)
            return Row(words[0], words[0], note, card=f"private/{action.private}"), words[1]
        card = f"company/{company}" if company else ""
        return Row(words[0], words[0], company=company, card=card), words[1]
    if isinstance(action, FoundCompany | SetPar):
        return company_row(speaker, action.company, ""), say.number(action.par)
    if isinstance(action, BuyShare):
        price = state.price(action.company)
        row = company_row(speaker, action.company, say.money(price) if price else "")
        return row, f"{say.text('page.from.' + action.source)} {action.percent}\u202f%"
    if isinstance(action, SellShares):
        papers = " + ".join(str(size) for size in action.sizes or (action.percent,))
        return company_row(speaker, action.company, say.money(state.price(action.company))), f"{papers}\u202f%"
    if isinstance(action, BuyPrivate | PlaceBid):
        amount = action.amount if isinstance(action, PlaceBid) else 0
        label = say.text("page.bid_from", amount=say.money(amount)) if amount else say.text("page.buy")
        key, name = str(action.private), f"{action.private} {speaker.private(action.private)}"
        return Row(key, name, lot_note(speaker, state, choice), card=f"private/{key}"), label
    if isinstance(action, BuyTrain):
        row = company_row(speaker, action.source, seller_note(speaker, state, choice))
        span = choice.spans.get("price")
        price_text = f"{say.number(span.low)}–{say.number(span.high)}" if span else say.number(action.price)
        return row, f"{speaker.train(action.train)} · {price_text}"
    if isinstance(action, ChooseForcedTrain):
        return company_row(speaker, action.source, ""), speaker.train(action.train)
    if isinstance(action, DiscardTrain):
        return company_row(speaker, action.company, ""), speaker.train(action.train)
    return Row("", ""), label_of(speaker, choice)


def seller_note(speaker: Speaker, state: State, choice: Choice) -> str:
    """Say who decides on the sale of a train: another director, or the buyer's own; empty for the bank."""
    seller = state.companies.get(choice.action.source)  # type: ignore[attr-defined]  # of a purchase
    if seller is None or seller.director is None:
        return ""
    if seller.director == choice.seat:
        return speaker.catalogue.text("page.seller.own")
    return speaker.catalogue.text("page.seller.other", player=speaker.seat(seller.director))


def lot_note(speaker: Speaker, state: State, choice: Choice) -> str:
    """Price and income of a private company, who has bid, its power, and about what it is worth."""
    say, number = speaker.catalogue, choice.action.private  # type: ignore[attr-defined]  # of a purchase or bid
    worth = round(bid_worth(state, number))
    power = power_of(speaker, number)
    parts = (
        lot_told(speaker, state, choice),
        power.rstrip("."),
        say.text("page.private_worth", worth=say.money(worth)) if worth else "",
    )
    return ". ".join(part for part in parts if part)


def lot_told(speaker: Speaker, state: State, choice: Choice) -> str:
    """Price and income of a private company, and who has bid what."""
    say, number = speaker.catalogue, choice.action.private  # type: ignore[attr-defined]  # of a purchase or bid
    found = state.sheet.privates[number]
    bids = sorted((bid for bid in state.bids if bid.private == number), key=lambda bid: -bid.amount)
    told = ", ".join(f"{speaker.seat(bid.seat)} {say.money(bid.amount)}" for bid in bids)
    leads = "page.bids.own" if bids and bids[0].seat == choice.seat else "page.bids"
    lot = say.text(
        "page.private_lot", price=say.money(found.price), revenue=say.money(found.revenue) if found.revenue else ""
    )
    return f"{lot}. {say.text(leads, bids=told)}" if bids else lot


def company_of(speaker: Speaker, action: Action) -> str:
    """The company that an action names, empty where it names none."""
    name = msgspec.to_builtins(action).get("company", "")
    return name if name in speaker.sheet.companies else ""


def label_of(speaker: Speaker, choice: Choice) -> str:
    """A choice in words; where no catalogue has words for it, its kind and what it names."""
    if f"choice.{tag_of(choice.action)}" in speaker.catalogue:
        return choice_label(speaker, choice)
    fields = msgspec.to_builtins(choice.action)
    words = [str(fields.pop("kind")).replace("_", " "), *(str(value) for value in fields.values())]
    text = " ".join(words)
    return text[:1].upper() + text[1:]


def company_row(speaker: Speaker, name: str, note: str) -> Row:
    """A row headed by a company, or by a place such as the pool."""
    known = speaker.sheet.companies.get(name)
    if known is None:
        return Row(name, speaker.place(name), note)
    return Row(name, speaker.company(name), note or known.name, name, f"company/{name}")


def spans_json(spans: tuple[tuple[str, Span], ...]) -> str:
    """Open numbers as the page reads them: low, high, step and the first value by field. A price is offered from the middle."""

    def first(name: str, span: Span) -> int:
        return span.low + (span.high - span.low) // (2 * span.step) * span.step if name == "price" else span.low

    fields = {name: [span.low, span.high, span.step, first(name, span)] for name, span in spans}
    return msgspec.json.encode(fields).decode()
