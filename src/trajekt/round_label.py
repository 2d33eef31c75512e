"""Label of a position: round, company in turn, step; read off the agenda, for every game alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trajekt.engine.state import Frame, State
from trajekt.game import Game
from trajekt.i18n.sentences import Catalogue
from trajekt.rules.operating_round import OperatingRound, current_turn, steps_of
from trajekt.rules.round_sequence import Rounds

KINDS = {"stock": "SR", "operating": "OR"}
"""The kinds of rounds that are numbered, with their short names."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round: `kind` is `package`, `stock`, `operating`, `end`, or a game's own; `set` and `number` as in OR 7.2 of `of`.

    A round that only one game has is numbered where its frame is.

    >>> Round("operating", 7, 2).key
    'OR 7.2'
    >>> Round.read("SR 3")
    Round(kind='stock', set=3, number=0, of=0)
    """

    kind: str
    set: int = 0
    number: int = 0
    of: int = field(default=0, compare=False)

    @classmethod
    def read(cls, key: str) -> Round:
        """Read the round that a key names."""
        short, _, numeral = key.partition(" ")
        kind = next((kind for kind, name in KINDS.items() if name == short), "")
        if not numeral:
            return cls(key)
        set_number, _, number = numeral.partition(".")
        return cls(kind or short, int(set_number), int(number or 0))

    @property
    def short(self) -> str:
        """The short name of the kind without a language: `SR`, `OR`, or the kind itself."""
        return KINDS.get(self.kind, self.kind)

    @property
    def numeral(self) -> str:
        """The number as players write it: `3` of a stock round, `7.2` of an operating round; empty where there is none."""
        if self.kind == "stock":
            return f"{self.set}"
        return f"{self.set}.{self.number}" if self.kind == "operating" or self.number else ""

    @property
    def key(self) -> str:
        """A short name without a language, as it is stored and sent: `SR 3`, `OR 7.2`."""
        return f"{self.short} {self.numeral}".rstrip()

    def is_after(self, stock_round: Round) -> bool:
        """Tell whether this round comes after a stock round; never where either is without a number."""
        if stock_round.kind != "stock" or self.kind not in KINDS:
            return False
        return (self.set, self.kind == "operating") > (stock_round.set, False)


def round_of(state: State) -> Round:
    """The round in which a position lies."""
    if state.outcome or not state.agenda:
        return Round("end")
    rounds: Rounds | None = None
    for frame in reversed(state.agenda):
        if isinstance(frame, OperatingRound):
            return Round("operating", frame.set, frame.number, frame.of)
        if frame.round_kind:
            return Round(frame.round_kind, getattr(frame, "set", 0), getattr(frame, "number", 0))
        if isinstance(frame, Rounds):
            rounds = frame
    if rounds is None or not rounds.number:
        return Round("package")
    return Round("stock", rounds.number)


def round_name(which: Round, catalogue: Catalogue) -> str:
    """A round in the words of a catalogue: `OR 7.2`, `AR 3`, `Brauereirunde 2.1`."""
    known = f"page.round.{which.short}"
    return catalogue.text(known, number=which.numeral) if known in catalogue else which.key


def round_key(state: State) -> str:
    """The round as it is stored beside a game."""
    return round_of(state).key


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step of the turn that is on: `state` is `done`, `at` or empty."""

    name: str
    state: str


def steps_now(game: Game, state: State) -> Sequence[StepLine]:
    """The steps of the company's turn that can wait for somebody, and how far they are."""
    turn = current_turn(state)
    if turn is None:
        return ()
    steps = [step for step in steps_of(game.ruleset) if step.waits is not None]
    at = next((n for n, step in enumerate(steps) if step.name == turn.step), -1)
    return [StepLine(s.name, "done" if n < at else "at" if n == at else "") for n, s in enumerate(steps)]


def frame_name(frame: Frame | None) -> str:
    """The tag of the frame on top: what is being decided."""
    return "" if frame is None else str(frame.__struct_config__.tag or type(frame).__name__)


def extend_rounds(game: Game, known: list[Round]) -> list[Round]:
    """The round after each entry, from 0; `known` is extended and spares the work done before."""
    for number in range(len(known), game.number + 1):
        here = round_of(game.state_at(number))
        known.append(known[-1] if known and known[-1] == here else here)
    return known
