"""Lays of a turn beside every other legal one in their place: the revenue that each would have allowed in that turn.

That revenue is proved. What the better lay would have brought by the end of the game is estimated beside it, by whole games
in the last rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from trajekt.engine.actions import LayTile
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import decide, legal
from trajekt.engine.ruleset import Refusal
from trajekt.engine.state import Seat, State
from trajekt.game import Entry, Game
from trajekt.review.operating_turns import OperatingTurn
from trajekt.review.playing_on import by_whole_games, near_the_end
from trajekt.review.run_review import SECONDS, best_in
from trajekt.rules.operating_round import company_in_turn, turn_of


class LayReview(msgspec.Struct, frozen=True):
    """A lay and the one in its place with which the trains could have earned the most in the same turn.

    `with_lay` and `best` are the best revenues in Mark with the lay as it was and with the other one; `other` is that one,
    null where none is better; among equal ones it is the cheapest, and costs the company `dearer` Mark more than the one made.
    `tried` counts the other lays after which the rest of the turn was legal. `proved`: all of them were searched to the end.
    An estimate beside that: the director would have had `more` Mark at the end with the other lay, in the mean of `draws` whole
    games played on, with its error; null where the end was too far away for that.
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
    dearer: int = 0
    more: int | None = None
    error: int = 0
    draws: int = 0

    @property
    def lasting(self) -> int:
        """Mark that the other lay brings by the end, or with a minus costs, by more than chance explains; else 0."""
        return self.more if self.more is not None and abs(self.more) > 2 * self.error else 0

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
    return [
        _review(game, turn, place, made, seconds)
        for place, entry in enumerate(before_run)
        if isinstance(entry.action, LayTile)
    ]


def _review(game: Game, turn: OperatingTurn, place: int, made: State, seconds: float | None) -> LayReview:
    entry = turn.entries[place]
    assert isinstance(entry.action, LayTile)
    played, proved = _revenue(game, made, turn.company, seconds)
    best, other, tried, dearer = played, None, 0, 0
    for lay, state in _other_lays(game, entry):
        after = _after(game, state, turn.entries[place + 1 : turn.run])
        if after is None:
            continue
        tried += 1
        revenue, surely = _revenue(game, after, turn.company, seconds)
        proved = proved and surely
        cost = made.companies[turn.company].treasury - after.companies[turn.company].treasury
        if revenue > best or (other is not None and revenue == best and cost < dearer):
            best, other, dearer = revenue, lay, cost
    return LayReview(
        entry.number, turn.round, turn.company, turn.director, entry.action, played, best, other, tried, proved, dearer
    )  # fmt: skip


def with_outlook(game: Game, turn: OperatingTurn, lay: LayReview) -> LayReview:
    """The review of a lay in a turn with the estimate of what the better one would have brought by the end of the game."""
    place = next((n for n, entry in enumerate(turn.before_run) if entry.number == lay.entry), None)
    if lay.other is None or place is None or not near_the_end(game.state_at(turn.entries[place].parent)):
        return lay
    entry = turn.entries[place]
    rest = turn.entries[place + 1 : turn.run]
    made, other = (_after_lay(game, entry, each, rest) for each in (lay.lay, lay.other))
    found = None if made is None or other is None else by_whole_games(game.ruleset, entry.seat, made, [other])
    if found is None:
        return lay
    _, brought = found
    return replace(lay, more=round(brought.mean), error=round(brought.error), draws=brought.draws)


def _other_lays(game: Game, entry: Entry) -> Iterator[tuple[LayTile, State]]:
    """The other legal lays in the place of an entry, each with the position after it."""
    before = game.state_at(entry.parent)
    for choice in legal(game.ruleset, before, (entry.seat,), beside=False):
        if isinstance(choice.action, LayTile) and choice.action != entry.action:
            decided = decide(game.ruleset, before, entry.seat, choice.action)
            if not isinstance(decided, Refusal):
                yield choice.action, decided.state


def _after_lay(game: Game, entry: Entry, lay: LayTile, rest: Sequence[Entry]) -> State | None:
    """The position after a lay in the place of an entry and the rest of the turn up to its run."""
    decided = decide(game.ruleset, game.state_at(entry.parent), entry.seat, lay)
    return None if isinstance(decided, Refusal) else _after(game, decided.state, rest)


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
