"""`Game`: a thin cursor over the engine, with every position of its history at hand.

The log is a tree. Every entry has a number that only grows and stands on an earlier one; an undo is an entry that stands
further back, a redo one that stands on what was undone, so nothing is ever lost and two branches can be compared.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from trajekt.engine.actions import Action
from trajekt.engine.agenda import awaited
from trajekt.engine.codec import Codec
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import Decision, blank_of, decide, explain, fold, judge, legal, start
from trajekt.engine.events import Event
from trajekt.engine.ruleset import Choice, Refusal, Ruleset
from trajekt.engine.state import Seat, State
from trajekt.engine.title import Standing, Title
from trajekt.i18n.sentences import Speaker, action_line, catalogue, event_line
from trajekt.registry import title as find_title
from trajekt.rules.operating_round import company_in_turn

ACTION, UNDO, REDO = "action", "undo", "redo"


class Refused(Exception):
    """The rules refuse an action. `refusal` has the code, the rule id and the values; nothing has changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} ({refusal.rule})")
        self.refusal = refusal


class Entry(msgspec.Struct, frozen=True):
    """A line of the log: an action of a seat and the events it caused, or an undo or redo (without events).

    `parent` is the number of the entry on which it stands, 0 for the set-up. `version` is that of the ruleset.
    """

    number: int
    parent: int
    seat: Seat
    kind: str = ACTION
    action: Action | None = None
    events: tuple[Event, ...] = ()
    version: int = 1


MEETING = threading.Lock()
"""Held while `msgspec` looks at types for the first time: two threads that do so at once can end the process."""


def codec_of(ruleset: Ruleset) -> Codec:
    """The codec of a ruleset; one is made after the other."""
    with MEETING:
        return Codec(ruleset)


class Game:
    """A game from its set-up to a head; `play`, `undo` and `redo` move the head."""

    def __init__(
        self,
        title: Title,
        ruleset: Ruleset,
        options: object,
        names: tuple[str, ...],
        seed: int,
        opening: Decision,
        codec: Codec | None = None,
    ) -> None:
        self.title = title
        self.ruleset = ruleset
        self.options = options
        self.names = names
        self.seed = seed
        self.opening = opening
        self.codec = codec_of(ruleset) if codec is None else codec
        self.played_with = ruleset.sheet.digest
        self.entries: list[Entry] = []
        self._states: list[State] = [opening.state]
        self.head = 0

    def __repr__(self) -> str:
        return f"<Game {self.ruleset.name} {'/'.join(self.state.names)} at {self.head} of {len(self.entries)}>"

    @property
    def state(self) -> State:
        """The position at the head."""
        return self._states[self.head]

    @property
    def number(self) -> int:
        """The number of the newest entry, undone or not."""
        return len(self.entries)

    @property
    def to_act(self) -> Sequence[Seat]:
        """The seats whose decision is awaited, empty when the game has ended."""
        return awaited(self.ruleset, self.state)

    @property
    def other_components(self) -> bool:
        """Whether the game was played with other components than are laid out now."""
        return self.played_with != self.ruleset.sheet.digest

    @property
    def finished(self) -> bool:
        return bool(self.state.outcome)

    def choices(self, seat: Seat | None = None) -> list[Choice]:
        """Every legal choice of a seat, or of all."""
        return legal(self.ruleset, self.state, None if seat is None else (seat,))

    def explain(self, seat: Seat) -> list[tuple[Choice, tuple[Refusal, ...]]]:
        """Every candidate of a seat with all that speaks against it."""
        return explain(self.ruleset, self.state, seat)

    def seat_for(self, action: Action, seat: Seat | None) -> Seat:
        """Who is meant to act: the seat given, or the awaited one that may, or the first that may."""
        if seat is not None:
            return seat
        waiting = self.to_act
        if len(waiting) == 1:
            return waiting[0]
        seats: tuple[Seat, ...] = (*waiting, *range(len(self.state.players)))
        accepting = (s for s in seats if not isinstance(judge(self.ruleset, self.state, s, action), Refusal))
        return next(accepting, seats[0])

    def read(self, action: Action | Mapping[str, object]) -> Action:
        """An action from plain values, or a checked copy; `msgspec.ValidationError` names what cannot be read."""
        return self.codec.action_of(action)

    def why_not(self, action: Action | Mapping[str, object], seat: Seat | None = None) -> Refusal | None:
        """Why an action is refused now, or None where it is legal."""
        read = self.read(action)
        verdict = judge(self.ruleset, self.state, self.seat_for(read, seat), read)
        return verdict if isinstance(verdict, Refusal) else None

    def play(self, action: Action | Mapping[str, object], seat: Seat | None = None) -> Entry:
        """Carry out an action. Raises `Refused` and changes nothing where the rules refuse it."""
        read = self.read(action)
        actor = self.seat_for(read, seat)
        answer = decide(self.ruleset, self.state, actor, read)
        if isinstance(answer, Refusal):
            raise Refused(answer)
        return self._append(actor, ACTION, read, answer.events, answer.state, self.head)

    def _append(
        self, seat: Seat, kind: str, action: Action | None, events: tuple[Event, ...], state: State, parent: int
    ) -> Entry:
        entry = Entry(len(self.entries) + 1, parent, seat, kind, action, events, self.ruleset.version)
        before = self.state
        self.entries.append(entry)
        self._states.append(state)
        self.head = entry.number
        if before.board is not state.board:
            before.board.forget()
        return entry

    def append(self, entry: Entry) -> None:
        """Take over an entry that is known to be true: its events are folded, nothing is judged."""
        if entry.number != len(self.entries) + 1 or not 0 <= entry.parent < entry.number:
            message = f"entry {entry.number} on {entry.parent} does not follow entry {len(self.entries)}"
            raise ValueError(message)
        state = fold(self.ruleset, self._states[entry.parent], entry.events)
        self._append(entry.seat, entry.kind, entry.action, entry.events, state, entry.parent)
        if entry != self.entries[-1]:
            self.entries[-1] = entry

    def line(self, to: int | None = None) -> list[Entry]:
        """The actions that stand at the head (or at entry `to`), oldest first; what was undone is not among them."""
        out: list[Entry] = []
        at = self.head if to is None else to
        while at:
            entry = self.entries[at - 1]
            if entry.kind == ACTION:
                out.append(entry)
            at = entry.parent
        return out[::-1]

    def state_at(self, number: int) -> State:
        """The position after entry `number`; 0 is the set-up."""
        return self._states[number]

    def at(self, number: int) -> Game:
        """A game of its own that stands after entry `number`: to look at, or to try out."""
        if not 0 <= number <= len(self.entries):
            message = f"there is no entry {number}; the log has {len(self.entries)}"
            raise ValueError(message)
        copy = Game(self.title, self.ruleset, self.options, self.names, self.seed, self.opening, self.codec)
        copy.played_with = self.played_with
        copy.entries = self.entries[:number]
        copy._states = self._states[: number + 1]
        copy.head = number
        return copy

    def undo(self, seat: Seat | None = None, to: int | None = None) -> Entry:
        """Step back behind the newest standing action, or to the position after entry `to` of the line.

        Raises ValueError where there is nothing to take back. Whose consent an undo needs is the table's affair.
        """
        standing = self.line()
        if not standing:
            message = "nothing has been done yet"
            raise ValueError(message)
        parent = standing[-1].parent if to is None else to
        if parent not in {0, *(e.number for e in standing), *(e.parent for e in standing)} or parent == self.head:
            message = f"entry {parent} does not stand"
            raise ValueError(message)
        actor = standing[-1].seat if seat is None else seat
        return self._append(actor, UNDO, None, (), self._states[parent], parent)

    def redo(self, seat: Seat | None = None) -> Entry:
        """Take the newest undo back, unless something else was done since; ValueError where there is none."""
        undone = self._undone()
        if not undone:
            message = "there is nothing to redo"
            raise ValueError(message)
        target = undone[-1]
        actor = self.entries[-1].seat if seat is None else seat
        return self._append(actor, REDO, None, (), self._states[target], target)

    def _undone(self) -> list[int]:
        """The heads that undos since the last action left behind and no redo has taken up, oldest first."""
        stack: list[int] = []
        head = 0
        for entry in self.entries:
            if entry.kind == ACTION:
                stack.clear()
            elif entry.kind == UNDO:
                stack.append(head)
            elif stack:
                stack.pop()
            head = entry.number
        return [self._landing(n) for n in stack]

    def _landing(self, number: int) -> int:
        """The action (or 0) at which an entry stands: undos and redos themselves are no positions."""
        while number and self.entries[number - 1].kind != ACTION:
            number = self.entries[number - 1].parent
        return number

    def best_runs(self, company: CompanyId, limit: float | None = None) -> Any:
        """The most valuable legal runs of a company now; says whether the optimum is proved. `limit` in seconds."""
        return self.title.best_runs(self.ruleset, self.state, company, limit)

    def standings(self) -> Sequence[Standing]:
        """The players' scores now, the best first."""
        return self.title.standings(self.state)

    def to_json(self) -> bytes:
        """The game as a record, the text that `trajekt.save` writes to a file."""
        from trajekt.records import to_json  # noqa: PLC0415  records know the game that they keep, and are read after it

        return to_json(self)

    def log(self, language: str = "en") -> list[str]:
        """What has happened, line by line: the set-up, then each standing action as a heading with what it caused below.

        ValueError for a language without sentences.
        """
        speaker = Speaker(catalogue(language, self.title.package), self.ruleset.sheet, self.state.names)
        lines = [line for event in self.opening.events if (line := event_line(speaker, event))]
        for entry in self.line():
            assert entry.action is not None
            company = company_in_turn(self._states[entry.parent])
            lines.append(action_line(speaker, entry.seat, entry.action, company, entry.events))
            lines += [f"  {line}" for event in entry.events if (line := event_line(speaker, event))]
        return lines


def new_game(
    game: str,
    players: Sequence[str],
    options: Mapping[str, object] | None = None,
    seed: int | None = None,
    components: str | None = None,
) -> Game:
    """Set up a game. Without a seed one is drawn; two games with the same set-up, seed and actions are equal for ever.

    Raises ValueError for an unknown game, unknown options or a number of players that the edition does not admit.
    """
    title = find_title(game)
    chosen = title.options(options or {})
    names = tuple(players)
    if len(set(names)) != len(names) or not all(names):
        message = "every player needs a name of their own"
        raise ValueError(message)
    chosen = title.seated(chosen, len(names))
    ruleset = title.build(title.sheet(chosen, components), chosen)
    drawn = secrets.randbelow(2**31) if seed is None else seed
    opening = start(ruleset, names, drawn, shuffle=not title.fixed_seats(chosen))
    return Game(title, ruleset, chosen, names, drawn, opening)


def restored(
    title: Title,
    options: object,
    names: tuple[str, ...],
    seed: int,
    events: tuple[Event, ...],
    components: str | None = None,
) -> Game:
    """A game from the events of its set-up, as a record or a table keeps them."""
    ruleset = title.build(title.sheet(options, components), options)
    state = fold(ruleset, blank_of(ruleset, names), events)
    return Game(title, ruleset, options, names, seed, Decision(events, state))
