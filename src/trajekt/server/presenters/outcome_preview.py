"""Preview of an action before it is confirmed: money, prices, worth, what else happens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trajekt.engine.components.schema import CompanyId, Space
from trajekt.engine.decisions import Decision
from trajekt.engine.events import (
    Bankrupted,
    DirectorChanged,
    EndTriggered,
    Event,
    LoanTaken,
    PhaseBegan,
    PriceMoved,
    PrivateClosed,
    PrivateMoved,
    StatusSet,
    TrainMoved,
    TrainsRan,
)
from trajekt.engine.evolve import evolve
from trajekt.engine.state import Seat, State, set_aside_account
from trajekt.game import Game
from trajekt.round_label import round_of
from trajekt.rules.operating_round import current_turn

TOLD = (Bankrupted, DirectorChanged, EndTriggered, LoanTaken, PhaseBegan, PrivateClosed, StatusSet, TrainMoved)
REASONED = frozenset({"no_revenue", "below_price", "sold_out"})
"""Causes of a marker's move that nobody would guess from the choice."""
UNTOLD = frozenset({"founded", "operated", "due"})  # statuses that the choice itself says already


@dataclass(frozen=True, slots=True)
class Change:
    """A number that would change, of a seat, a company or an account beside the map."""

    seat: Seat | None
    company: CompanyId
    before: int
    after: int

    @property
    def delta(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class PriceChange:
    """A marker that would move: from one space to another; the spaces can bear the same price."""

    company: CompanyId
    before: int
    after: int
    start: Space | None
    space: Space


@dataclass(frozen=True, slots=True)
class Effects:
    """All that a choice would change before the round or the company's turn goes on to the next.

    `privates` are the private companies that change hands and stay open.
    """

    cash: Sequence[Change]
    treasuries: Sequence[Change]
    prices: Sequence[PriceChange]
    worth: Sequence[Change]
    events: Sequence[Event]
    ran: TrainsRan | None
    state: State
    privates: Sequence[int] = ()


def effects_of(game: Game, before: State, decision: Decision) -> Effects:
    """The changes that belong to the action itself: what the next round or turn brings is left out."""
    after, events = own_part(game, before, decision)
    moved: dict[CompanyId, Space] = {e.company: e.space for e in events if isinstance(e, PriceMoved)}
    prices = [
        PriceChange(c, before.price(c), after.price(c), before.markers.spaces.get(c), space)
        for c, space in moved.items()
    ]
    old_worth, new_worth = _worth(game, before), _worth(game, after)
    worth = changed(Change(seat, "", old_worth[seat], new_worth[seat]) for seat in sorted(new_worth))
    told = [e for e in events if (isinstance(e, TOLD) or type(e) in game.ruleset.own) and not _plain(e)]
    told += [e for e in events if isinstance(e, PriceMoved) and e.cause in REASONED]
    moved_privates = [e.private for e in events if isinstance(e, PrivateMoved) and after.privates[e.private].open]
    ran = next((e for e in reversed(events) if isinstance(e, TrainsRan)), None)
    return Effects(
        cash_changes(before, after), treasury_changes(before, after), prices, worth, told, ran, after, moved_privates
    )


def changed(changes: Iterable[Change]) -> list[Change]:
    """The changes of amounts that are another one afterwards."""
    return [change for change in changes if change.before != change.after]


def cash_changes(before: State, after: State) -> list[Change]:
    """The players whose cash is another one."""
    pairs = enumerate(zip(before.players, after.players, strict=True))
    return changed(Change(seat, "", old.cash, new.cash) for seat, (old, new) in pairs)


def treasury_changes(before: State, after: State) -> list[Change]:
    """The treasuries, and the money set aside, that are another one."""
    companies = (Change(None, c, before.companies[c].treasury, new.treasury) for c, new in after.companies.items())
    aside = (
        Change(None, set_aside_account(name), before.aside.get(name, 0), after.aside.get(name, 0))
        for name in {**before.aside, **after.aside}
    )
    return changed((*companies, *aside))


def _plain(event: Event) -> bool:
    """Return what the choice itself says already."""
    if isinstance(event, StatusSet):
        return event.status in UNTOLD
    return isinstance(event, TrainMoved) and event.cause in {"train", "forced", "brought"}


def own_part(game: Game, before: State, decision: Decision) -> tuple[State, list[Event]]:
    """The position and the events up to where another round, or another company's turn, begins."""
    state, kept = before, []
    key = _whose(before)
    for event in decision.events:
        following = evolve(state, event, game.ruleset.own)
        if _whose(following) != key:
            break
        state = following
        kept.append(event)
    return state, kept


def _whose(state: State) -> tuple[str, str]:
    turn = current_turn(state)
    return round_of(state).key, turn.company if turn is not None else ""


def _worth(game: Game, state: State) -> Mapping[Seat, int]:
    return {standing.seat: standing.total for standing in game.title.standings(state)}
