"""The log in the viewer's language, and the line of rounds below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise
from operator import is_
from threading import RLock
from typing import ClassVar

import msgspec

from trajekt.bots.reasons import sentence
from trajekt.engine.actions import BuyPrivate, UsePrivate
from trajekt.engine.events import Event, Paid, PriorityMoved, PrivateUsed, Seated, StationPlaced, TileLaid
from trajekt.engine.state import BANK, Account, Seat
from trajekt.game import ACTION, ARRANGED, DONE, UNDO, Entry, Game
from trajekt.i18n.sentences import Catalogue, Speaker, action_line, event_line, payments
from trajekt.round_label import Round, extend_rounds, round_name
from trajekt.rules.operating_round import acting_in_turn
from trajekt.rules.stations import granted_by
from trajekt.server.presenters.offers import proposal_line
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.storage.cached_game import CachedGame, PerGame


@dataclass(eq=False)
class EntryTexts:
    """Headings and consequences of the entries of a game in one language, each found when a page is first given it: of a long
    log most is asked for late or never.
    """

    game: Game
    speaker: Speaker
    lock: RLock
    """The lock of the table: folding positions again is no work for two threads at once."""
    known: dict[int, tuple[str, str]] = field(default_factory=dict)

    def of(self, number: int) -> tuple[str, str]:
        """The texts of an entry."""
        found = self.known.get(number)
        if found is None:
            with self.lock:
                found = self.known[number] = entry_text(self.game, self.game.entries[number - 1], self.speaker)
        return found


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log. `stands` is false for what was undone; `round` heads a new round.

    `time` is that of the entry where it came after a while, or began the game: seconds since 1970, else 0.
    """

    number: int
    texts: EntryTexts
    stands: bool
    kind: str
    round: str = ""
    by: str = ""  # what did it for the seat: `bot`, `stand_in`, `instruction`, `consent`; empty the person
    why: str = ""  # in the words of the bot
    time: int = 0

    @property
    def text(self) -> str:
        """The heading of the entry."""
        return self.texts.of(self.number)[0]

    @property
    def small(self) -> str:
        """Events that the entry caused, in words."""
        return self.texts.of(self.number)[1]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A round on the time line, in per cent of its length."""

    left: float
    width: float
    stock: bool
    name: str


POWER = "power"
"""The cause of what a power of a private company brought about."""
LULL = 600
"""Seconds without an entry after which the log tells the time of the next one."""
BATCH, NEAR = 25, 3
"""Lines of a batch, and how many of the newest batches a page is given; it asks for others as they come into view."""


@dataclass(frozen=True, slots=True)
class LogBatch:
    """Lines of the log that stand together, counted from 0; the tag tells whether a page has them as they are now."""

    n: int
    lines: Sequence[LogLine]
    tag: str
    near: bool

    def marked(self, number: int) -> int | None:
        """The line to be marked, where it is one of these that a page is given: else the batch is drawn as it was before."""
        return number if self.near and self.lines[0].number <= number <= self.lines[-1].number else None


@dataclass(frozen=True, slots=True)
class LogPart(PageModel):
    """A batch of the log in the viewer's language; no line of it is marked."""

    template: ClassVar[str] = "log_lines.html"
    batch: LogBatch
    id: str
    say: Catalogue
    at: None = None
    cut: str = ""


ROUNDS = PerGame[list[Round]]()
ENTRY_TEXTS = PerGame[dict[str, EntryTexts]]()
"""Headings and consequences of the entries, by language."""
LOG_LINES = PerGame[dict[str, tuple[LogLine, ...]]]()
"""The log as it was last made, by language."""
LOG_BATCHES = PerGame[dict[str, list[LogBatch]]]()
"""The log in batches as it was last made, by language."""


def entry_text(game: Game, entry: Entry, speaker: Speaker) -> tuple[str, str]:
    """The heading of an entry and what it caused; actions in a company's turn are the company's."""
    if entry.kind == ARRANGED:
        lines = (event_line(speaker, event) for event in entry.events)
        return speaker.catalogue.text("page.log.arranged"), "; ".join(dict.fromkeys(line for line in lines if line))
    if entry.kind != ACTION or entry.action is None:
        key = "page.log.undo" if entry.kind == UNDO else "page.log.redo"
        return speaker.catalogue.text(key, number=entry.parent, player=speaker.seat(entry.seat)), ""
    company = acting_in_turn(game.state_at(entry.parent))
    head = proposal_line(game, entry, speaker) or action_line(speaker, entry.seat, entry.action, company, entry.events)
    said = (
        event_line(speaker, event, _power(game, entry, event))
        for event in _incomes_summed(entry.events)
        if not _plain(event, entry)
    )
    return head, "; ".join(dict.fromkeys(line for line in said if line))


def _incomes_summed(events: Sequence[Event]) -> Sequence[Event]:
    """The events with one payment for all that an owner receives from private companies, where the first of these stood."""
    sums: dict[Account, int] = {}
    for event in events:
        if isinstance(event, Paid) and event.cause == "private" and event.source == BANK:
            sums[event.target] = sums.get(event.target, 0) + event.amount
    if not sums:
        return events
    out: list[Event] = []
    for event in events:
        if isinstance(event, Paid) and event.cause == "private" and event.source == BANK:
            total = sums.pop(event.target, 0)
            out += [Paid(BANK, event.target, total, "private")] if total else []
        else:
            out.append(event)
    return out


def _power(game: Game, entry: Entry, event: Event) -> int:
    """The private company by whose power a station was built; 0 for all else."""
    if not isinstance(event, StationPlaced) or event.cause != POWER:
        return 0
    used = next((each.private for each in entry.events if isinstance(each, PrivateUsed)), 0)
    return used or granted_by(game.state_at(entry.parent), event.hex)


def _plain(event: Event, entry: Entry) -> bool:
    """Return whether the heading of the action says it already, or nobody misses it."""
    action = entry.action
    if isinstance(event, TileLaid | StationPlaced):
        named = event.cause != POWER or isinstance(action, UsePrivate)
        return named and event.hex == getattr(action, "hex", None)
    if isinstance(event, Paid) and isinstance(action, BuyPrivate):
        return event.target == BANK and event in payments(entry.events, entry.seat)
    return isinstance(event, PriorityMoved | Seated)


def rounds_of(cached: CachedGame) -> list[Round]:
    """The round after each entry, found once."""
    with cached.lock:
        return extend_rounds(cached.game, ROUNDS.get(cached, list))


def log(cached: CachedGame, number: int, speaker: Speaker) -> list[LogLine]:
    """All entries up to `number`, oldest first; those that stand under later ones are marked."""
    game = cached.game
    rounds = rounds_of(cached)
    language = speaker.catalogue.language
    texts = ENTRY_TEXTS.get(cached, dict).setdefault(language, EntryTexts(game, speaker, cached.lock))
    if texts.game.number < game.number:  # it was made for a look at the past
        texts.game = game
    shown_before = LOG_LINES.get(cached, dict)
    known = shown_before.get(language, ())
    entries = game.entries[:number]
    # where the newest entry is an action upon the one before it, the lines before it are as they were
    grown = bool(known and entries and len(known) == entries[-1].parent == number - 1 and entries[-1].kind in DONE)
    standing = {number} if grown else {entry.number for entry in game.line(number)}
    lines: list[LogLine] = [*known] if grown else []
    shown = next((rounds[entries[line.number - 1].parent] for line in reversed(lines) if line.round), None)
    for entry in entries[len(lines) :]:
        stands = entry.number in standing
        before = rounds[entry.parent]
        heading = ""
        if entry.kind == ACTION and stands and before != shown:
            shown = before
            heading = round_name(before, speaker.catalogue)
        by = "" if (maker := cached.made_by.get(entry.number)) is None else maker.kind.name.lower()
        why = said(cached, entry.number, speaker)
        stands = stands or entry.kind not in DONE
        lines.append(
            LogLine(entry.number, texts, stands, entry.kind, heading, by, why, time_told(cached, entry.number))
        )
    shown_before[language] = tuple(lines)
    return lines


def time_told(cached: CachedGame, number: int) -> int:
    """The time of an entry where the log tells it: of the first one, and of one that came after a while; else 0.

    A game that was imported began elsewhere: all its entries were stored at one time.
    """
    times = cached.entry_times
    if number > len(times):
        return 0
    here = times[number - 1]
    told = here - times[number - 2] >= LULL if number > 1 else here not in times[1:2]
    return int(here) if told else 0


def batches(lines: Sequence[LogLine], before: Sequence[LogBatch] = ()) -> list[LogBatch]:
    """The log in batches; the newest are near. Those `before` whose lines are the very same lend their tags."""
    cut = [lines[start : start + BATCH] for start in range(0, len(lines), BATCH)]
    tags = (
        before[n].tag if n < len(before) and alike(before[n].lines, each) else tag_of(each)
        for n, each in enumerate(cut)
    )
    return [LogBatch(n, each, tag, n >= len(cut) - NEAR) for n, (each, tag) in enumerate(zip(cut, tags, strict=True))]


def alike(some: Sequence[LogLine], others: Sequence[LogLine]) -> bool:
    """Tell whether the same objects stand in both."""
    return len(some) == len(others) and all(map(is_, some, others))


def log_in_batches(cached: CachedGame, lines: Sequence[LogLine], language: str) -> list[LogBatch]:
    """The log of a position in batches; most of them are as they were for the position before."""
    known = LOG_BATCHES.get(cached, dict)
    known[language] = batches(lines, known.get(language, ()))
    return known[language]


def tag_of(lines: Sequence[LogLine]) -> str:
    """A short text that differs where lines of a table differ: what an entry is told as never changes."""
    shown = [(line.number, line.stands, line.kind, line.round, line.by, line.why) for line in lines]
    return blake2b(msgspec.json.encode(shown), digest_size=6).hexdigest()


def said(cached: CachedGame, number: int, speaker: Speaker) -> str:
    """Return why a bot did an action; empty where a person did it, or a stranger's bot says what no catalogue knows."""
    why = cached.reasons.get(number)
    return sentence(speaker, why) if why is not None and why.key in speaker.catalogue else ""


A_LETTER = 1.05  # per cent of the time line that a letter takes where it is shortest, on a tablet


def stretches(cached: CachedGame, number: int, catalogue: Catalogue) -> list[Stretch]:
    """The rounds along the time line of the first `number` entries; names where there is room."""
    rounds = rounds_of(cached)[: number + 1]
    total = max(len(rounds) - 1, 1)
    cuts = [n for n in range(len(rounds)) if n == 0 or rounds[n] != rounds[n - 1]] + [total]
    out = []
    room = 0.0
    for start, end in pairwise(cuts):
        here = rounds[start]
        left = 100 * start / total
        width = 100 * (end - start) / total
        first = here.kind != "operating" or here.number == 1
        name = round_name(here, catalogue) if first and room <= left < 94 else ""
        room = left + max(7, len(name) * A_LETTER) if name else room
        out.append(Stretch(left, width, here.kind == "stock", name))
    return out


def since_own(game: Game, lines: Sequence[LogLine], seat: Seat | None) -> list[LogLine]:
    """List the lines of others after a seat's newest action, oldest first; empty where the seat has not acted."""
    found: list[LogLine] = []
    for line in reversed(lines):
        entry = game.entries[line.number - 1]
        if entry.kind == ACTION and line.stands and entry.seat == seat:
            return found[::-1]
        if entry.kind == ACTION and line.stands:
            found.append(line)
    return []


def since(game: Game, entries: Sequence[Entry], speaker: Speaker) -> list[str]:
    """Return what has happened, for somebody who came too late."""
    return [entry_text(game, entry, speaker)[0] for entry in entries]
