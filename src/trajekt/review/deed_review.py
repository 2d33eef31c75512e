"""Decisions on money beside their alternatives: shares, pars, pay-outs, trains and stations, by playing on from each.

What another decision would have brought cannot be proved. It is estimated by playing on from the one taken and from the
alternatives that promise most: in the last rounds club players play whole games; farther from the end, where such games go
apart whatever is decided, quick bots go on for some rounds, and their error is large. Other draws choose the best alternative
than say by how much it differs, so that the choice does not flatter what is said.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from math import isfinite
from typing import Any

import msgspec

from trajekt.bots.bot import view_of
from trajekt.bots.candidate_moves import Idea, after, ideas
from trajekt.bots.evaluation import hints_of
from trajekt.bots.search import TRADES, WEIGHED
from trajekt.engine.actions import (
    Accept,
    AcceptOffer,
    Action,
    BuyPrivate,
    ChooseForcedTrain,
    Decline,
    DeclineEnd,
    DeclineOffer,
    DiscardTrain,
    EndTurn,
    LayTile,
    OfferEnd,
    Pass,
    PlaceBid,
    PlaceStation,
    RunTrains,
    SetPar,
    UsePrivate,
)
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import CertificateMoved
from trajekt.engine.ruleset import View
from trajekt.engine.state import Seat, State
from trajekt.game import Entry, Game
from trajekt.review.investments import payments
from trajekt.review.playing_on import (
    QUICK,
    PromiseDifference,
    by_whole_games,
    difference,
    near_the_end,
    promise,
)
from trajekt.round_label import round_key
from trajekt.rules.operating_round import current_turn

WIDE = 3
"""Alternatives that are played on from at most."""
CHOOSING, SAYING = 3, 9
"""Draws by which the best alternative is chosen, and those by which it is compared."""
HOPELESS = -10_000.0
"""Gain in Mark below which an idea is none: it asks others, or is only done under duty."""
PASSES = (Pass, EndTurn)
PROVED_ELSEWHERE = (LayTile, UsePrivate, RunTrains)
"""Kinds of action of which lays and runs say more, with proof."""
ANSWERS = (
    PlaceBid, BuyPrivate, AcceptOffer, DeclineOffer, Accept, Decline, ChooseForcedTrain, DiscardTrain, OfferEnd, DeclineEnd,
)  # fmt: skip
"""Kinds of action that are bids, answers to others or done under duty."""


class DeedReview(msgspec.Struct, frozen=True):
    """A decision and the best known alternative, compared by playing on: an estimate.

    `deed` and `other` are actions, `company` is the one in whose turn they were open, empty in other rounds. `other` promises
    `more` Mark at the end of the game than the deed, in the mean of `draws` games played on, with its error in Mark; negative:
    the deed promises more. `brought` is a fact: what shares that were bought brought to the end of the game beyond their
    price, for sold ones their price beyond that; null for other deeds.
    """

    entry: int
    round: str
    seat: Seat
    company: CompanyId
    deed: Any
    other: Any
    more: int
    error: int
    draws: int
    brought: int | None = None

    @property
    def better(self) -> bool:
        """Tell whether the alternative is better by more than chance explains."""
        return self.more > 2 * self.error

    @property
    def lead(self) -> int:
        """Mark by which the deed is ahead of the best alternative by more than chance explains; 0 where it is not."""
        return -self.more if -self.more > 2 * self.error else 0


def deeds_of(game: Game) -> list[Entry]:
    """The entries of the line in which something was decided that is neither a lay, nor a run, nor an answer."""
    return [entry for entry in game.line() if entry.action is not None and is_decision(entry.action)]


def is_decision(deed: Action) -> bool:
    """Tell whether a deed is none of those that lays and runs tell of, and no answer."""
    return not isinstance(deed, (*PROVED_ELSEWHERE, *ANSWERS))


def review_deed(game: Game, entry: Entry) -> DeedReview | None:
    """Review a decision; None where nothing about shares, pay-outs, trains or stations was open to the seat."""
    assert entry.action is not None
    state = game.state_at(entry.parent)
    view = view_of(game.ruleset, state, entry.seat)
    if view is None:
        return None
    best = compared(view, entry.action)
    if best is None:
        return None
    other, found = best
    turn = current_turn(state)
    company = "" if turn is None else turn.company
    return DeedReview(
        entry.number, round_key(state), entry.seat, company, entry.action, other, round(found.mean),
        round(found.error), found.draws, brought(game, entry),
    )  # fmt: skip


def alternatives(view: View, deed: Action) -> Iterator[Action]:
    """Alternatives to a deed that promise most, of each kind for each company one; none where nothing of weight is open."""
    seen = {_kind(deed)}
    found = [idea for idea in ideas(view) if idea.gain > HOPELESS]
    if not _counts(view, deed) and not any(_weighed(view, idea) for idea in found):
        return
    count = 0
    for idea in found:
        kind = _kind(idea.action)
        if kind in seen or not (isinstance(idea.action, PASSES) or _weighed(view, idea)):
            continue
        seen.add(kind)
        count += 1
        yield idea.action
        if count == WIDE:
            return


def _weighed(view: View, idea: Idea) -> bool:
    return _counts(view, idea.action) or idea.reason.key in TRADES


def _counts(view: View, action: Action) -> bool:
    """Tell whether playing on tells something of an action: of stations in whole games alone, as quick bots lay no track."""
    kinds: tuple[type[Action], ...] = (*WEIGHED, SetPar, *hints_of(view.sheet.game).weighed)
    return isinstance(action, kinds) or (isinstance(action, PlaceStation) and near_the_end(view.state))


def _kind(action: Action) -> Hashable:
    """The kind of a decision: prices and numbers of shares make no other."""
    if isinstance(action, PASSES):
        return Pass
    return type(action), *(getattr(action, name, None) for name in ("company", "train", "par", "private", "hex"))


def compared(view: View, deed: Action) -> tuple[Action, PromiseDifference] | None:
    """The best alternative to a deed and what it promises beyond it; None where nothing of weight is open or bots get stuck."""
    made = after(view, deed)
    others = [(other, state) for other in alternatives(view, deed) if (state := after(view, other)) is not None]
    if made is None or not others:
        return None
    if near_the_end(view.state):
        found = by_whole_games(view.ruleset, view.seat, made, [state for _, state in others])
        return None if found is None else (others[found[0]][0], found[1])
    return _by_quick_bots(view, made, others)


def _by_quick_bots(
    view: View, made: State, others: Sequence[tuple[Action, State]]
) -> tuple[Action, PromiseDifference] | None:
    """The best of other positions as quick bots play on, with its action; None where they come to no end."""

    def played(state: State, draws: range) -> list[float]:
        return [promise(view.ruleset, view.state, state, view.seat, draw) for draw in draws]

    choosing, saying = range(CHOOSING), range(CHOOSING, CHOOSING + SAYING)
    ones = played(made, choosing)
    tried = [(played(state, choosing), other, state) for other, state in others]
    tried = [each for each in tried if isfinite(sum(each[0]))]
    if not isfinite(sum(ones)) or not tried:
        return None
    tries, other, state = max(tried, key=lambda each: sum(each[0]))
    first = difference(ones, tries, QUICK)
    if first.mean <= 0:  # chosen as the best of several it still falls short: more draws would not help it
        return other, first
    ones, tries = played(made, saying), played(state, saying)
    return (other, difference(ones, tries, QUICK)) if isfinite(sum(ones) + sum(tries)) else None


# What shares brought --------------------------------------------------------------------------------------------------


def brought(game: Game, entry: Entry) -> int | None:
    """Gain in Mark, up to the head, by the shares that an entry moved to or from its seat; None where it moved none."""
    before, then = game.state_at(entry.parent), game.state_at(entry.number)
    moved = {event.company for event in entry.events if isinstance(event, CertificateMoved)}
    if len(moved) != 1:
        return None
    company = moved.pop()
    change = then.companies[company].percent(entry.seat) - before.companies[company].percent(entry.seat)
    cash = 0
    for event, about in payments(before, entry):
        if about == company and event.cause != "dividend":
            cash += event.amount * ((event.target == entry.seat) - (event.source == entry.seat))
    if not change or not cash:
        return None
    paid = sum(rate for number, rate in dividends(game).get(company, ()) if number > entry.number)
    value = game.state.price(company) / 10 if company in game.state.markers.spaces else 0.0
    return round(change * (paid + value) + cash)


def dividends(game: Game) -> dict[CompanyId, list[tuple[int, float]]]:
    """By company the entries in which it paid dividends to players, with the Mark for each per cent."""
    found: dict[CompanyId, list[tuple[int, float]]] = {}
    for entry in game.line():
        if any(getattr(event, "cause", "") == "dividend" for event in entry.events):
            before = game.state_at(entry.parent)
            rates: dict[CompanyId, float] = {}
            for event, company in payments(before, entry):
                held = before.companies[company].percent(event.target) if company in before.companies else 0
                if event.cause == "dividend" and isinstance(event.target, int) and held:
                    rates[company] = event.amount / held
            for company, rate in rates.items():
                found.setdefault(company, []).append((entry.number, rate))
    return found
