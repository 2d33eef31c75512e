"""Sentences: actions, events, refusals and choices in a reader's language.

Templates lie in catalogues (`i18n/en.toml`, and one pair in the folder of each game laid over it) under the tag and cause:
`event.paid.dividend`. A part of a template in square brackets is left out where one of its gaps has no value. An empty
template means that nothing is said. Money and numbers get their form here and nowhere else.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from trajekt.engine.actions import Action
from trajekt.engine.board.board import Station
from trajekt.engine.components.schema import Sheet
from trajekt.engine.events import (
    BidsEnded,
    Event,
    FramePopped,
    FramePushed,
    FrameRemoved,
    NumberDrawn,
    Paid,
    PriceMoved,
    PrivateMoved,
    StationsSet,
    StatusSet,
    TokensSet,
    TopReplaced,
    TrainMoved,
    TrainsRan,
)
from trajekt.engine.frame_notes import Note
from trajekt.engine.ruleset import Choice, Refusal, Span
from trajekt.engine.state import BANK, GONE, set_aside_name

LANGUAGES = ("en", "de")
CONTROL: tuple[type[Event], ...] = (
    FramePushed,
    FramePopped,
    TopReplaced,
    FrameRemoved,
    StationsSet,
    TokensSet,
    BidsEnded,
)
"""Events that move the agenda or only write down what another event has said: they have no sentence."""

LAID_OUT = frozenset({"tile", "station", "power"})
"""Causes of payments whose sum stands in the heading of an action."""

GAP = re.compile(r"\{(\w+)\}")
PART = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True)
class Catalogue:
    """The templates of one language: those of a game laid over the shared ones."""

    language: str
    entries: Mapping[str, str]

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def text(self, key: str, **values: object) -> str:
        """The template of a key with its gaps filled; the key itself in angle brackets where there is none."""
        template = self.entries.get(key)
        return f"‹{key}›" if template is None else filled(template, values)

    def first(self, *keys: str) -> str:
        """The first key that has a template, else the last."""
        return next((key for key in keys if key in self.entries), keys[-1])

    def number(self, value: int) -> str:
        """A whole number with its thousands parted: `1,234`, in German `1.234`."""
        text = f"{abs(value):,}"
        sign = "−" if value < 0 else ""
        return sign + (text.replace(",", ".") if self.language == "de" else text)

    def money(self, amount: int) -> str:
        """An amount of Mark: `1,234 M`. The space does not break."""
        return f"{self.number(amount)}\u00a0M"


def filled(template: str, values: Mapping[str, object]) -> str:
    """A template with its gaps filled and those bracketed parts left out that ask for a value which is not there."""
    parts = parts_of(template)
    if len(parts) == 1 and len(parts[0][0]) == 1:  # most texts of the page have no gap at all
        return parts[0][0][0].strip()
    said = ""
    for pieces, wanted in parts:
        if not wanted or all(values.get(name, "") != "" for name in wanted):
            for n, piece in enumerate(pieces):
                said += str(values.get(piece, "")) if n % 2 else piece
    return said.strip()


@cache
def parts_of(template: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """A template taken apart: pieces of text and names of gaps in turn, and the names without which a part is left out."""
    found = []
    for n, part in enumerate(PART.split(template)):
        pieces = tuple(GAP.split(part))
        found.append((pieces, pieces[1::2] if n % 2 else ()))
    return tuple(found)


def gaps(template: str) -> frozenset[str]:
    """The names of a template's gaps."""
    return frozenset(GAP.findall(template))


def read_entries(package: str, language: str) -> dict[str, str]:
    """The templates in the catalogue file of a package, empty where it has none."""
    file = resources.files(package).joinpath(f"{language}.toml")
    if not file.is_file():
        return {}
    entries = tomllib.loads(file.read_text(encoding="utf-8"))
    return {str(key): str(value) for key, value in entries.items()}


@cache
def catalogue(language: str, *packages: str) -> Catalogue:
    """The catalogue of a language; later packages are laid over the shared one. ValueError for an unknown language."""
    if language not in LANGUAGES:
        message = f"no language {language!r}; there are {', '.join(LANGUAGES)}"
        raise ValueError(message)
    entries: dict[str, str] = {}
    for package in ("trajekt.i18n", *packages):
        entries |= read_entries(package, language)
    return Catalogue(language, entries)


@dataclass(frozen=True, slots=True)
class Speaker:
    """The teller of a game for one reader: the catalogue, the components with their names, and the players' names by seat."""

    catalogue: Catalogue
    sheet: Sheet
    names: Sequence[str]

    def seat(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else self.catalogue.text("place.bank")

    def company(self, company: str) -> str:
        """The letters of a company, or the name of a private one by its code; the text itself where it names none."""
        found = self.sheet.companies.get(company)
        if found is not None:
            return found.letters or found.id
        return next((self.private(p.number) for p in self.sheet.privates.values() if p.code == company), company)

    def place(self, place: int | str | Note) -> str:
        """A holder of money, certificates, trains or cubes."""
        if isinstance(place, int):
            return self.seat(place)
        place = str(place)
        aside = set_aside_name(place)
        number = aside or place
        if (
            number.isdecimal() and int(number) in self.sheet.privates
        ):  # a certificate of the package with money of its own
            return self.private(int(number))
        if aside:
            return self.catalogue.text("place.aside", company=self.company(aside))
        if place in self.sheet.companies:
            return self.company(place)
        key = f"place.{place}"
        return self.catalogue.text(key) if key in self.catalogue else self.company(place)

    def place_as(self, place: int | str | Note, form: str) -> str:
        """A holder as a sentence needs it: `in` with its article, `to` after "to", `from` after "from"; else as `place`."""
        known = isinstance(place, str) and place not in self.sheet.companies
        keys = [f"place.{place}.{form}", f"place.{place}.in"] if known else []
        key = next((key for key in keys if key in self.catalogue), "")
        return self.catalogue.text(key) if key else self.place(place)

    def private(self, number: int) -> str:
        found = self.sheet.privates.get(number)
        return found.names.get(self.catalogue.language, found.name) if found is not None else str(number)

    def hex(self, at: str) -> str:
        """A hex with the names printed on it: `K2 Aachen`."""
        found = self.sheet.hexes.get(at)
        return " ".join((at, "/".join(found.names))).strip() if found is not None else at

    def train(self, kind: str) -> str:
        """A kind of train; one with a name of its own by that."""
        return self.catalogue.text(self.catalogue.first(f"word.train.{kind}", "word.train"), kind=kind)

    def card(self, kind: str) -> str:
        """A card that is a train on one side and something else on the other."""
        return self.catalogue.text(self.catalogue.first(f"word.train.{kind}", "word.card", "word.train"), kind=kind)

    def phase(self, name: str) -> str:
        return self.word("phase", name)

    def word(self, family: str, name: str) -> str:
        """A word of a closed list, as `step.track`; the name itself where the catalogue does not know it."""
        key = f"{family}.{name}"
        return self.catalogue.text(key) if key in self.catalogue else name

    def amount(self, value: object, span: Span | None) -> str:
        if span is not None and span.low != span.high:
            return self.catalogue.text(
                "word.range", low=self.catalogue.money(span.low), high=self.catalogue.money(span.high)
            )
        return self.catalogue.money(value) if isinstance(value, int) else str(value)


def _runs(speaker: Speaker, runs: Sequence[Any]) -> str:
    """Runs in short: the trains of an action, or train and revenue of each route of an event."""
    parts = []
    for run in runs:
        if isinstance(run, Mapping):
            parts.append(f"{speaker.train(str(run['train']))} {speaker.catalogue.money(int(str(run['revenue'])))}")
        else:
            parts.append(speaker.train(run.train))
    return ", ".join(parts)


def _blocks(percent: int, count: int) -> str:
    """So many certificates of a size: `10 %`, `3 × 10 %`."""
    return f"{count} × {percent}\u00a0%" if count > 1 else f"{percent}\u00a0%"


MONEY = frozenset(
    {"amount", "price", "par", "revenue", "cost", "money", "missing", "low", "high", "cash",
     "least", "most", "treasury", "debt", "worth", "income"}
)  # fmt: skip
"""Fields and arguments that are Mark."""

FORMS: Mapping[str, Callable[[Speaker, Any], str]] = {
    "company": Speaker.company,
    "private": lambda s, v: s.private(v) if v else "",
    "mode": lambda s, v: s.word("mirror", v),
    "hex": Speaker.hex,
    "train": Speaker.train,
    "card": Speaker.card,
    "brewery": Speaker.place,
    "item": Speaker.private,
    "mine": Speaker.private,
    "minor": Speaker.place,
    "merged": lambda s, v: s.private(v) if v else "",
    "works": Speaker.place,
    "value": lambda s, v: v if isinstance(v, str) else s.catalogue.money(v) if v > 0 else "",
    "phase": Speaker.phase,
    "colour": lambda s, v: s.word("said.colour", v),
    "source": Speaker.place,
    "target": Speaker.place,
    "holder": Speaker.place,
    "seat": lambda s, v: s.seat(v) if isinstance(v, int) else "",
    "seats": lambda s, v: ", ".join(s.seat(n) for n in v),
    "names": lambda _, v: ", ".join(v),
    "tile": lambda _, v: f"#{v}",
    "sizes": lambda _, v: " + ".join(_blocks(n, v.count(n)) for n in dict.fromkeys(v)),
    "percent": lambda s, v: f"{v}\u00a0%",
    "space": lambda s, v: s.catalogue.money(s.sheet.market.price(v)),
    "station": lambda s, v: s.company(v.company) if isinstance(v, Station) else str(v),
    "stop": lambda _, v: str(v),
    "operating": Speaker.company,
    "step": lambda s, v: s.word("step", v),
    "now": lambda s, v: s.word("step", v),
    "earlier": Speaker.train,
    "token": lambda s, v: s.word("token", v) if isinstance(v, str) else str(v),
    "allowance": lambda s, v: s.word("allowance", v),
    "letter": lambda s, v: s.word("special_event", v),
    "asks": lambda s, v: s.word("event_asks", v),
    "code": lambda s, v: s.word("marker", v),
    "icon": lambda s, v: s.word("icon", v),
    "icons": lambda s, v: ", ".join(s.word("icon", each) for each in v),
    "scenario": lambda s, v: s.word("page.value.scenario", v) if isinstance(v, str) else str(v),
    "engines": lambda _, v: ", ".join(v),
    "runs": _runs,
}


def formed_values(
    speaker: Speaker, fields: Mapping[str, Any], spans: Mapping[str, Span] | None = None
) -> dict[str, str]:
    """The values of a sentence's gaps in the reader's form: money in Mark, names of companies, hexes and trains."""
    out: dict[str, str] = {}
    for name, value in fields.items():
        span = (spans or {}).get(name)
        if name in MONEY and (isinstance(value, int) or span is not None):
            out[name] = speaker.amount(value, span)
        elif name in FORMS:
            out[name] = FORMS[name](speaker, value)
        elif isinstance(value, bool):
            out[name] = ""
        elif isinstance(value, int):
            out[name] = str(value)
        else:
            out[name] = value if isinstance(value, str) else ""
    return out


def _fields(value: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__struct_fields__}


def tag_of(value: Action | Event) -> str:
    """The tag of an action or event, as in its JSON."""
    return str(type(value).__struct_config__.tag)


def action_line(speaker: Speaker, seat: int, action: Action, company: str = "", events: Sequence[Event] = ()) -> str:
    """Tell an action as the heading of a log entry; in the turn of a `company`, mine or brewery it is theirs.

    What the action brought about is taken from its `events`: the revenue, what was paid to the bank, where the marker stands.
    """
    values = formed_values(speaker, _fields(action)) | _facts(speaker, company, seat, events)
    actor = speaker.place(company) if company else speaker.seat(seat)
    return speaker.catalogue.text(_action_key(speaker, "action", action), player=actor, **values)


def _facts(speaker: Speaker, company: str, seat: int, events: Sequence[Event]) -> dict[str, str]:
    """Tell the effect of the action of a player or of a company in words; empty where it had none of the kind."""
    revenue = next((e.revenue for e in events if isinstance(e, TrainsRan) and e.company == company), None)
    paid = sum(e.amount for e in events if isinstance(e, Paid) and e.source == company and e.cause in LAID_OUT)
    spent = sum(e.amount for e in payments(events, seat))
    moves = [e for e in events if isinstance(e, PriceMoved) and e.company == company]
    space = next((e.space for e in reversed(moves) if e.cause == moves[0].cause), None)
    money = speaker.catalogue.money
    return {
        "revenue": "" if revenue is None else money(revenue),
        "cost": money(paid) if paid else "",
        "spent": money(spent) if spent else "",
        "stands": "" if space is None else money(speaker.sheet.market.price(space)),
    }


def payments(events: Sequence[Event], seat: int) -> list[Paid]:
    """The payments of a player for his action, without those for a private company that he wins in the same breath."""
    moved = [n for n, event in enumerate(events) if isinstance(event, PrivateMoved)]
    own = events[: moved[1]] if len(moved) > 1 else events
    return [event for event in own if isinstance(event, Paid) and event.source == seat]


def choice_label(speaker: Speaker, choice: Choice) -> str:
    """A choice in a few words, as on a button; open numbers as a range."""
    values = formed_values(speaker, _fields(choice.action), choice.spans)
    return speaker.catalogue.text(_action_key(speaker, "choice", choice.action), **values)


def choice_row(speaker: Speaker, choice: Choice) -> tuple[str, str] | None:
    """A choice among many of its kind as a row and a chip in it; None where the catalogue has no `row.<kind>` for it."""
    if f"row.{tag_of(choice.action)}" not in speaker.catalogue:
        return None
    values = formed_values(speaker, _fields(choice.action), choice.spans)
    row, chip = (_action_key(speaker, family, choice.action) for family in ("row", "chip"))
    return speaker.catalogue.text(row, **values), speaker.catalogue.text(chip, **values)


def _action_key(speaker: Speaker, family: str, action: Action) -> str:
    """Some kinds read differently with what they are done with: `action.buy_train.display`."""
    base = f"{family}.{tag_of(action)}"
    fields = _fields(action)
    special = [
        f"{base}.{fields[name]}"
        for name in ("source", "allowance", "token", "deal", "extra", "what")
        if fields.get(name)
    ]
    special += [f"{base}.none" for name in ("sizes", "minor") if name in fields and not fields[name]]
    return speaker.catalogue.first(*special, base)


def event_key(catalogue: Catalogue, event: Event) -> str:
    """The key of an event's template: tag and cause (or status, reason, name of the mark, a flag or its contrary)."""
    base = f"event.{tag_of(event)}"
    if isinstance(event, TrainMoved) and event.target == GONE:
        return catalogue.first(f"{base}.{event.cause}", f"{base}.gone")
    if isinstance(event, StatusSet):
        return f"{base}.{event.status}" + ("" if event.value else ".off")
    if isinstance(event, Paid) and event.target == BANK:
        return catalogue.first(f"{base}.{event.cause}.bank", f"{base}.{event.cause}", base)
    fields = _fields(event)
    if fields.get("seat", 0) is None and f"{base}.none" in catalogue:
        return catalogue.first(f"{base}.{fields.get('cause', '')}.none", f"{base}.none")
    flags = [f"{base}.{name}" for name, value in fields.items() if value is True]
    for name in ("cause", "reason", "when", "table"):
        if fields.get(name):
            word, _, _ = str(fields[name]).partition(":")
            return catalogue.first(f"{base}.{word}", *flags, base)
    if "name" in fields:
        return catalogue.first(f"{base}.{fields['name']}", base)
    flags += [f"{base}.not_{name}" for name, value in fields.items() if value is False]
    return catalogue.first(*flags, base)


def event_line(speaker: Speaker, event: Event, power: int = 0) -> str | None:
    """Tell an event, or return None where nothing is to be said: no revenue is told by the price that falls.

    `power` is the private company by whose power it happened, where that is known.
    """
    if isinstance(event, CONTROL) or (isinstance(event, TrainsRan) and not event.revenue and not event.runs):
        return None
    fields = {**_fields(event), "private": power} if power else _fields(event)
    values = formed_values(speaker, fields) | _places(speaker, fields) | _drawn(speaker, event)
    line = speaker.catalogue.text(event_key(speaker.catalogue, event), **values)
    return line[:1].upper() + line[1:] or None


def _drawn(speaker: Speaker, event: Event) -> dict[str, str]:
    """Tell by the name of the table what was drawn: a private company, or a company and by whom."""
    if not isinstance(event, NumberDrawn):
        return {}
    _, _, company = event.table.partition(":")
    if company:
        return {"seat": speaker.seat(event.number), "company": speaker.company(company)}
    return {"private": speaker.private(event.number)}


TOLD_AS_PLACE = int, str, Note


def _places(speaker: Speaker, fields: Mapping[str, Any]) -> dict[str, str]:
    """Origin and destination of something, in the forms that sentences about events use."""
    forms = (
        ("source", "source", "in"),
        ("source_from", "source", "from"),
        ("target", "target", "in"),
        ("target_to", "target", "to"),
    )
    return {
        gap: speaker.place_as(fields[name], form)
        for gap, name, form in forms
        if isinstance(fields.get(name), TOLD_AS_PLACE)
    }


def sentence(speaker: Speaker, key: str, values: Mapping[str, Any]) -> str:
    """Return the sentence of a key, its values told as the game tells them."""
    return speaker.catalogue.text(key, **formed_values(speaker, values))


def refusal_line(speaker: Speaker, refusal: Refusal) -> str:
    """Reason for a refusal."""
    return speaker.catalogue.text(f"refusal.{refusal.code}", **formed_values(speaker, refusal.args))
