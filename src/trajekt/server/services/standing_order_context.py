"""The view that instructions are judged by: the log since one was given, whose turn is on, who decides in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from trajekt.engine.actions import Action
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.state import Frame, Seat, State
from trajekt.game import Entry, Game
from trajekt.rules.game_specific_turns import OwnTurns
from trajekt.rules.operating_round import CompanyTurn
from trajekt.server.refusals import DeniedError
from trajekt.server.storage.standing_orders import Ended, Given


@dataclass(frozen=True, slots=True)
class Wait:
    """Verdict that an instruction has nothing to do yet."""


@dataclass(frozen=True, slots=True)
class Fire:
    """The instruction acts."""

    action: Action


Verdict: TypeAlias = Wait | Fire | Ended


@dataclass(frozen=True, slots=True)
class Sight:
    """The view of `judge`: the game at its head, and which entries instructions have made."""

    game: Game
    automatic: frozenset[int] = frozenset()

    def by_hand(self, given: Given) -> list[Entry]:
        """The owner's own actions since the instruction was given."""
        return [e for e in self.since(given) if e.seat == given.seat and e.number not in self.automatic]

    def since(self, given: Given) -> Sequence[Entry]:
        """The actions that stand at the head and were not there when the instruction was given."""
        return self.game.line()[len(self.game.line(given.number)) :]

    def positions(self, given: Given) -> Sequence[State]:
        """The position in which the instruction was given, and those that have followed and stand."""
        return [self.game.state_at(number) for number in (given.number, *(e.number for e in self.since(given)))]

    def before(self, entry: Entry) -> Sight:
        """The view just before an entry was made."""
        return Sight(self.game.at(entry.number - 1), self.automatic)


def cannot(code: str, company: CompanyId = "") -> DeniedError:
    """An instruction that cannot be given now."""
    return DeniedError(422, f"order_{code}", {"company": company})


def own_turns(game: Game) -> OwnTurns | None:
    """The turns that a game has besides those of operating companies."""
    found = game.ruleset.by_type.get(OwnTurns)
    return found if isinstance(found, OwnTurns) else None


def director_of(game: Game, company: str) -> Seat | None:
    """Return who decides in a company's turn; None for nobody, or no company."""
    own = own_turns(game)
    if own is not None and company in own.works(game.state):
        return own.decides(game.state, company)
    found = game.state.companies.get(company)
    return None if found is None else found.director


def turn_at(game: Game, agenda: Sequence[Frame]) -> tuple[str, str]:
    """Return whose turn in steps lies on an agenda, and its step; empty where there is none."""
    own = own_turns(game)
    for frame in reversed(agenda):
        if isinstance(frame, CompanyTurn):
            return frame.company, frame.step
        if own is not None and isinstance(frame, own.frame):
            return own.whose(frame), own.step(frame)
    return "", ""
