"""`Game`: a thin cursor over the engine, with every position of its history at hand.

The `NEWEST` positions are kept and every `SPACING`th of the older ones; those between are folded again from the events.

The log is a tree. Every entry has a number that only grows and stands on an earlier one; an undo is an entry that stands
further back, a redo one that stands on what was undone, so nothing is ever lost and two branches can be compared.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec

from trajekt.engine.actions import Action
from trajekt.engine.agenda import awaited
from trajekt.engine.codec import Codec
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import Decision, anytime, blank_of, decide, explain, fold, judge, legal, start
from trajekt.engine.events import Event
from trajekt.engine.options import Overlay, TableOptions
from trajekt.engine.player_names import checked_names
from trajekt.engine.ruleset import Choice, Draft, Refusal, Ruleset
from trajekt.engine.state import Seat, State
from trajekt.engine.title import Standing, Title
from trajekt.i18n.sentences import Speaker, action_line, catalogue, event_line
from trajekt.registry import title as find_title
from trajekt.rules.operating_round import acting_in_turn

if TYPE_CHECKING:
    from trajekt.engine.routing.runs import Run
    from trajekt.engine.routing.solver import BestRuns

ACTION, UNDO, REDO = "action", "undo", "redo"
ARRANGED = "arranged"
"""Kind of an entry that puts things on the table by hand, on a board to plan on: no rule has decided it."""
DONE = frozenset({ACTION, ARRANGED})
"""Kinds of entries that bring something about; the others go back and forth between these."""
NEWEST, SPACING = 8, 32
"""So many of the newest positions are kept all, and of so many older ones one."""
SEEDS = range(-(2**63), 2**63)
"""The seeds that every database and reader of JSON can hold."""

SET_UP = frozenset({"title", "ruleset", "options", "names", "seed", "opening", "codec"})
"""Attributes of a game that are set once."""

Move: TypeAlias = Action | Mapping[str, object] | Choice
"""An action as `Game.play` takes it: the action itself, its plain values as in JSON, or a choice of `Game.choices`."""


class Refused(Exception):
    """The rules refuse an action. `refusal` has the code, the rule id and the values; nothing has changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} ({refusal.rule})")
        self.refusal = refusal


class Entry(msgspec.Struct, frozen=True, gc=False):
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


class Proposal(NamedTuple):
    """A decided entry that is not part of a game yet, with the position after it."""

    entry: Entry
    state: State


MEETING = threading.Lock()
"""Held while `msgspec` looks at types for the first time: two threads that do so at once can end the process."""


def codec_of(ruleset: Ruleset) -> Codec:
    """The codec of a ruleset; one is made after the other."""
    with MEETING:
        return Codec(ruleset)


class Game:
    """A game from its set-up to a head; `play`, `undo` and `redo` move the head.

    Two games are equal when their set-up and their entries are: they stand alike for ever. A game can be copied and pickled;
    the copy goes on by itself. Positions, entries, options and the ruleset never change.

    >>> from trajekt import new_game
    >>> game = new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2, "fixed_seats": True}, seed=7)
    >>> game
    <Game 18rhl/2 Ada/Bert/Cleo at 0 of 0>
    >>> game.play({"kind": "buy_private", "private": 1}).number
    1
    >>> game.to_act, game.finished
    ((1,), False)
    >>> game == new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2, "fixed_seats": True}, seed=7)
    False
    >>> game.undo().kind
    'undo'
    """

    def __init__(
        self,
        title: Title,
        ruleset: Ruleset,
        options: TableOptions,
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
        self._entries: tuple[Entry, ...] = ()
        self._states: dict[int, State] = {0: opening.state}
        self._refolded: dict[int, State] = {}
        """Positions that were asked for again lately, so that a walk along the game folds each entry once."""
        self._boards: list[int] = [0]
        """The entry since which the board lies as it does, by entry."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in SET_UP and name in self.__dict__:
            message = f"{name} of a game never changes; `new_game` makes another"
            raise AttributeError(message)
        object.__setattr__(self, name, value)

    def _set_up(self) -> tuple[object, ...]:
        """All that a game depends on besides its entries."""
        rules = self.ruleset
        return (
            self.title.id, rules.name, rules.version, rules.sheet.digest, self.options, self.names, self.seed,
            self.opening.events,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._entries == other._entries and self._set_up() == other._set_up()

    __hash__ = None  # type: ignore[assignment]  # a game grows, so it is no key

    def __copy__(self) -> Game:
        return self.at(self.head)

    def __deepcopy__(self, _memo: object) -> Game:
        return self.at(self.head)

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[object, ...]]:
        set_up = (self.title, self.ruleset, self.options, self.names, self.seed, self.opening.events)
        return _regained, (*set_up, self.played_with, self._entries)

    def __repr__(self) -> str:
        return f"<Game {self.ruleset.name} {'/'.join(self.state.names)} at {self.head} of {self.number}>"

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The log, undone entries included; entry n stands at place n - 1."""
        return self._entries

    @property
    def number(self) -> int:
        """The number of the newest entry, undone or not."""
        return len(self._entries)

    @property
    def head(self) -> int:
        """The number of the entry at which the game stands: the newest."""
        return len(self._entries)

    @property
    def state(self) -> State:
        """The position at the head."""
        return self._states[self.head]

    @property
    def to_act(self) -> Sequence[Seat]:
        """The seats whose decision is awaited, empty when the game has ended."""
        return awaited(self.ruleset, self.state)

    @property
    def other_components(self) -> bool:
        """True where the game was played with other components than are laid out now."""
        return self.played_with != self.ruleset.sheet.digest

    @property
    def finished(self) -> bool:
        """True once the game has ended; `state.outcome` says by what."""
        return bool(self.state.outcome)

    def _seats(self, seat: Seat | None) -> tuple[Seat, ...] | None:
        """A seat alone, or None for all; ValueError where there is no such seat."""
        if seat is None:
            return None
        if type(seat) is not int or not 0 <= seat < len(self.names):
            message = f"there is no seat {seat!r}; the seats are 0 to {len(self.names) - 1}"
            raise ValueError(message)
        return (seat,)

    def choices(self, seat: Seat | None = None) -> list[Choice]:
        """Every legal answer to what the game awaits, by a seat or by all; empty for who is not awaited, and at the end.

        What may be done at any time besides, such as an offer to end the game, is in `anytime_choices`.
        """
        return legal(self.ruleset, self.state, self._seats(seat), beside=False)

    def anytime_choices(self, seat: Seat | None = None) -> list[Choice]:
        """Offers that a seat, or all, may make whoever is on turn: to end the game, to agree, to decline (COMMON-END-06)."""
        return anytime(self.ruleset, self.state, self._seats(seat))

    def explain(self, seat: Seat) -> list[tuple[Choice, tuple[Refusal, ...]]]:
        """Every candidate of a seat with all that speaks against it; no refusals where it is legal."""
        self._seats(seat)
        return explain(self.ruleset, self.state, seat)

    def seat_for(self, action: Action, seat: Seat | None) -> Seat:
        """Find the seat that is meant to act: the one given, or the awaited one that may, or the first that may."""
        if seat is not None:
            self._seats(seat)
            return seat
        waiting = self.to_act
        if len(waiting) == 1:
            return waiting[0]
        seats: tuple[Seat, ...] = (*waiting, *range(len(self.state.players)))
        accepting = (s for s in seats if not isinstance(judge(self.ruleset, self.state, s, action), Refusal))
        return next(accepting, seats[0])

    def read(self, action: Move) -> Action:
        """An action from plain values, or a checked copy; `msgspec.ValidationError` names what cannot be read."""
        try:
            return self.codec.action_of(action.action if isinstance(action, Choice) else action)
        except TypeError as fault:
            raise msgspec.ValidationError(str(fault)) from fault

    def _meant(self, move: Move, seat: Seat | None) -> tuple[Action, Seat]:
        """The action of a move, and who is meant to act; a choice knows its seat."""
        read = self.read(move)
        return read, self.seat_for(read, move.seat if seat is None and isinstance(move, Choice) else seat)

    def why_not(self, action: Move, seat: Seat | None = None) -> Refusal | None:
        """Refusal of an action now, or None where it is legal."""
        read, actor = self._meant(action, seat)
        verdict = judge(self.ruleset, self.state, actor, read)
        return verdict if isinstance(verdict, Refusal) else None

    def play(self, action: Move, seat: Seat | None = None) -> Entry:
        """Carry out an action, or a choice as it stands. Raises `Refused` and changes nothing where the rules refuse it.

        `msgspec.ValidationError` (a ValueError) names what cannot be read; ValueError where there is no such seat.
        """
        return self.accept(self.propose(action, seat))

    def propose(self, action: Move, seat: Seat | None = None) -> Proposal:
        """Decide an action without carrying it out, to be accepted once it is stored. Raises as `play`."""
        read, actor = self._meant(action, seat)
        answer = decide(self.ruleset, self.state, actor, read)
        if isinstance(answer, Refusal):
            raise Refused(answer)
        return self._proposal(actor, ACTION, read, answer.events, answer.state, self.head)

    def propose_arranged(self, draft: Draft, seat: Seat = 0) -> Proposal:
        """Propose what was put on the table by hand at the newest position (`rules.arrangement`): no rule decides it."""
        return self._proposal(seat, ARRANGED, None, tuple(draft.events), draft.state, self.head)

    def accept(self, proposal: Proposal) -> Entry:
        """Append a proposal that was made at this position; ValueError where the game has moved since."""
        entry = proposal.entry
        if entry.number != self.number + 1:
            message = f"entry {entry.number} does not follow entry {self.number}"
            raise ValueError(message)
        before, parent = self.state, self.state_at(entry.parent)
        self._boards.append(self._boards[entry.parent] if parent.board is proposal.state.board else entry.number)
        self._states[entry.number] = proposal.state
        self._entries = (*self._entries, entry)
        old = entry.number - NEWEST
        if old > 0 and old % SPACING:
            self._states.pop(old, None)
        if before.board is not proposal.state.board:
            before.board.forget()
        return entry

    def _proposal(
        self, seat: Seat, kind: str, action: Action | None, events: tuple[Event, ...], state: State, parent: int
    ) -> Proposal:
        return Proposal(Entry(self.number + 1, parent, seat, kind, action, events, self.ruleset.version), state)

    def append(self, entry: Entry) -> None:
        """Take over an entry that is known to be true: its events are folded, nothing is judged."""
        if entry.number != self.number + 1 or not 0 <= entry.parent < entry.number:
            message = f"entry {entry.number} on {entry.parent} does not follow entry {self.number}"
            raise ValueError(message)
        self.accept(Proposal(entry, fold(self.ruleset, self.state_at(entry.parent), entry.events)))

    def line(self, to: int | None = None) -> list[Entry]:
        """The actions that stand at the head (or at entry `to`), oldest first; what was undone is not among them.

        ValueError where there is no such entry.
        """
        return [*self.line_back(to)][::-1]

    def line_back(self, to: int | None = None) -> Iterator[Entry]:
        """The entries of `line`, newest first, for those who look for one of the last."""
        at = self.head if to is None else self._known(to)
        while at:
            entry = self._entries[at - 1]
            if entry.kind in DONE:
                yield entry
            at = entry.parent

    def state_at(self, number: int) -> State:
        """The position after entry `number`; 0 is the set-up. ValueError where there is no such entry."""
        kept = self._states.get(self._known(number))
        return self._fold_again(number) if kept is None else kept

    def _fold_again(self, number: int) -> State:
        """The position after an entry whose position was dropped, from the nearest one below it that is at hand."""
        refolded, path, at = self._refolded, [], number
        while (state := self._states.get(at) or refolded.get(at)) is None:
            path.append(at)
            at = self._entries[at - 1].parent
        for each in reversed(path):
            state = fold(self.ruleset, state, self._entries[each - 1].events)
        if len(refolded) >= SPACING:
            refolded = self._refolded = {}
        refolded[number] = state
        return state

    def board_since(self, number: int) -> int:
        """The entry since which the board lies as it does after entry `number`. ValueError where there is no such entry."""
        return self._boards[self._known(number)]

    def _known(self, number: int) -> int:
        """The number of an entry, or 0; ValueError where there is none."""
        if type(number) is not int or not 0 <= number <= self.number:
            message = f"there is no entry {number!r}; the log has {self.number}"
            raise ValueError(message)
        return number

    def at(self, number: int) -> Game:
        """A game of its own that stands after entry `number`: to look at, or to try out. ValueError where there is none."""
        self._known(number)
        copy = Game(self.title, self.ruleset, self.options, self.names, self.seed, self.opening, self.codec)
        copy.played_with = self.played_with
        copy._entries = self._entries[:number]
        copy._states = {at: state for at, state in dict(self._states).items() if at <= number}
        copy._states[number] = self.state_at(number)
        copy._boards = self._boards[: number + 1]
        return copy

    def undo(self, seat: Seat | None = None, to: int | None = None) -> Entry:
        """Step back behind the newest standing action, or to the position after entry `to` of the line.

        Raises ValueError where there is nothing to take back. Whose consent an undo needs is the table's affair.
        """
        return self.accept(self.propose_undo(seat, to))

    def propose_undo(self, seat: Seat | None = None, to: int | None = None) -> Proposal:
        """Find the entry that `undo` would append; ValueError where there is nothing to take back."""
        self._seats(seat)
        standing = self.line()
        if not standing:
            message = "nothing has been done yet"
            raise ValueError(message)
        parent = standing[-1].parent if to is None else to
        if parent not in {0, *(e.number for e in standing), *(e.parent for e in standing)} or parent == self.head:
            message = f"entry {parent} does not stand"
            raise ValueError(message)
        actor = standing[-1].seat if seat is None else seat
        return self._proposal(actor, UNDO, None, (), self.state_at(parent), parent)

    def redo(self, seat: Seat | None = None) -> Entry:
        """Take the newest undo back, unless something else was done since; ValueError where there is none."""
        return self.accept(self.propose_redo(seat))

    def propose_redo(self, seat: Seat | None = None) -> Proposal:
        """Find the entry that `redo` would append; ValueError where there is none."""
        self._seats(seat)
        undone = self._undone()
        if not undone:
            message = "there is nothing to redo"
            raise ValueError(message)
        target = undone[-1]
        actor = self._entries[-1].seat if seat is None else seat
        return self._proposal(actor, REDO, None, (), self.state_at(target), target)

    def _undone(self) -> list[int]:
        """The heads that undos since the last action left behind and no redo has taken up, oldest first."""
        stack: list[int] = []
        acted = next((e.number for e in reversed(self._entries) if e.kind in DONE), 0)
        head = acted
        for entry in self._entries[acted:]:
            if entry.kind == UNDO:
                stack.append(head)
            elif stack:
                stack.pop()
            head = entry.number
        return [self._landing(n) for n in stack]

    def _landing(self, number: int) -> int:
        """The action (or 0) at which an entry stands: undos and redos themselves are no positions."""
        while number and self._entries[number - 1].kind not in DONE:
            number = self._entries[number - 1].parent
        return number

    def best_runs(self, company: CompanyId, limit: float | None = None, fixed: Sequence[Run] = ()) -> BestRuns:
        """The most valuable legal runs of a company now; `proved` says that nothing legal earns more. `limit` in seconds.

        Runs that are `fixed` are among them, and the others are the best beside these. Raises `Refused` where the rules
        do not let those run, ValueError where there is no such company.
        """
        if company not in self.state.companies:
            message = f"there is no company {company!r}; there are {', '.join(self.state.companies)}"
            raise ValueError(message)
        found = self.title.best_runs(self.ruleset, self.state, company, limit, tuple(fixed))
        if isinstance(found, Refusal):
            raise Refused(found)
        return found

    def standings(self) -> Sequence[Standing]:
        """The players' scores now, the best first."""
        return self.title.standings(self.state)

    def log(self, language: str = "en") -> list[str]:
        """Tell the game line by line: the set-up, then each standing action as a heading with what it caused below.

        ValueError for a language without sentences.
        """
        speaker = Speaker(catalogue(language, self.title.package), self.ruleset.sheet, self.state.names)
        lines = [line for event in self.opening.events if (line := event_line(speaker, event))]
        for entry in self.line():
            assert entry.action is not None
            company = acting_in_turn(self.state_at(entry.parent))
            lines.append(action_line(speaker, entry.seat, entry.action, company, entry.events))
            lines += [f"  {line}" for event in entry.events if (line := event_line(speaker, event))]
        return lines


def new_game(
    game: str,
    players: Sequence[str],
    options: Mapping[str, object] | None = None,
    seed: int | None = None,
    components: Overlay = None,
) -> Game:
    """Set up a game. Without a seed one is drawn; two games with the same set-up, seed and actions are equal for ever.

    Names are kept composed (NFC) and without spaces around them. Raises ValueError for an unknown game, unknown options, a
    number of players that the edition does not admit, names that are no text, show nothing or look the same, and a seed
    that is no whole number of 64 bits. `components` is an owner's file or folder, or a component set, laid over ours;
    `SheetError` names all its faults.

    >>> game = new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2}, seed=7)
    >>> sorted(game.names)
    ['Ada', 'Bert', 'Cleo']
    >>> new_game("18rhl", ["Ada"])
    Traceback (most recent call last):
    ValueError: 18rhl/2 is for 3 to 5 players, not 1
    """
    title = find_title(game)
    chosen = title.options(options or {})
    names = checked_names(players)
    if seed is not None and (type(seed) is not int or seed not in SEEDS):
        message = f"a seed is a whole number of at most 64 bits, not {seed!r}"
        raise ValueError(message)
    chosen = title.seated(chosen, len(names))
    ruleset = title.ruleset(title.sheet(chosen, components), chosen)
    drawn = secrets.randbelow(2**31) if seed is None else seed
    opening = start(ruleset, names, drawn, shuffle=not title.fixed_seats(chosen))
    return Game(title, ruleset, chosen, names, drawn, opening)


def restored(
    title: Title,
    options: TableOptions,
    names: tuple[str, ...],
    seed: int,
    events: tuple[Event, ...],
    components: Overlay = None,
) -> Game:
    """A game from the events of its set-up, as a record or a table keeps them."""
    ruleset = title.ruleset(title.sheet(options, components), options)
    state = fold(ruleset, blank_of(ruleset, names), events)
    return Game(title, ruleset, options, names, seed, Decision(events, state))


def _regained(
    title: Title,
    ruleset: Ruleset,
    options: TableOptions,
    names: tuple[str, ...],
    seed: int,
    opening: tuple[Event, ...],
    played_with: str,
    entries: tuple[Entry, ...],
) -> Game:
    """A game out of a pickle: its events are folded."""
    state = fold(ruleset, blank_of(ruleset, names), opening)
    game = Game(title, ruleset, options, names, seed, Decision(opening, state))
    game.played_with = played_with
    for entry in entries:
        game.append(entry)
    return game
