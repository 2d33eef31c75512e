"""Lays of a turn beside every other legal one in their place: the revenue that each would have allowed in that turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from trajekt.engine.actions import LayTile
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import decide, legal
from trajekt.engine.ruleset import Refusal
from trajekt.engine.state import Seat, State
from trajekt.game import Entry, Game
from trajekt.review.operating_turns import OperatingTurn
from trajekt.review.run_review import SECONDS, best_in
from trajekt.rules.operating_round import company_in_turn, turn_of


class LayReview(msgspec.Struct, frozen=True):
    """A lay and the one in its place with which the trains could have earned the most in the same turn.

    `with_lay` and `best` are the best revenues in Mark with the lay as it was and with the other one; `other` is that one,
    null where none is better. `tried` counts the other lays after which the rest of the turn was legal. `proved`: all of them
    were searched to the end.
    """

    entry: int
    round: str
    company: CompanyId
    director: Seat | None
    lay: LayTile
    with_lay: int
    best: int
    other: LayTile | None
    tried: int
    proved: bool

    @property
    def lost(self) -> int:
        """The revenue in Mark that was possible with the other lay beyond that possible with the one made."""
        return self.best - self.with_lay


def review_lays(game: Game, turn: OperatingTurn, seconds: float | None = SECONDS) -> list[LayReview]:
    """Review each lay of a turn after which the company's trains ran, or could have with another lay."""
    if turn.run is None or not game.state_at(turn.entries[0].parent).companies[turn.company].trains:
        return []
    before_run = turn.before_run
    made = _after(game, game.state_at(turn.entries[0].parent), before_run)
    if made is None:
        return []
    played, proved = _revenue(game, made, turn.company, seconds)
    return [
        _review(game, turn, place, played, proved, seconds)
        for place, entry in enumerate(before_run)
        if isinstance(entry.action, LayTile)
    ]


def _review(game: Game, turn: OperatingTurn, place: int, played: int, proved: bool, seconds: float | None) -> LayReview:
    entry = turn.entries[place]
    assert isinstance(entry.action, LayTile)
    best, other, tried = played, None, 0
    for lay, state in _other_lays(game, entry):
        after = _after(game, state, turn.entries[place + 1 : turn.run])
        if after is None:
            continue
        tried += 1
        revenue, surely = _revenue(game, after, turn.company, seconds)
        proved = proved and surely
        if revenue > best:
            best, other = revenue, lay
    return LayReview(
        entry.number, turn.round, turn.company, turn.director, entry.action, played, best, other, tried, proved
    )  # fmt: skip


def _other_lays(game: Game, entry: Entry) -> Iterator[tuple[LayTile, State]]:
    """The other legal lays in the place of an entry, each with the position after it."""
    before = game.state_at(entry.parent)
    for choice in legal(game.ruleset, before, (entry.seat,), beside=False):
        if isinstance(choice.action, LayTile) and choice.action != entry.action:
            decided = decide(game.ruleset, before, entry.seat, choice.action)
            if not isinstance(decided, Refusal):
                yield choice.action, decided.state


def _after(game: Game, state: State, entries: Sequence[Entry]) -> State | None:
    """The position after the actions of entries, None where one of them is refused or is no action."""
    for entry in entries:
        if entry.action is None:  # something put on a board to plan on, which no rule has decided
            return None
        decided = decide(game.ruleset, state, entry.seat, entry.action)
        if isinstance(decided, Refusal):
            return None
        state = decided.state
    return state


def _revenue(game: Game, state: State, company: CompanyId, seconds: float | None) -> tuple[int, bool]:
    """The best revenue of the company in turn, and whether it is proved; 0 where its trains cannot run."""
    if company_in_turn(state) != company or turn_of(state).step != "run":
        return 0, True
    found = best_in(game.ruleset, state, company, seconds)
    return found.revenue, found.proved
