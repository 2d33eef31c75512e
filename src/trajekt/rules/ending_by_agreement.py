"""Ending by agreement: once everybody still in the game has offered or agreed, it ends at once (COMMON-END-06)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trajekt.engine.actions import DeclineEnd, OfferEnd
from trajekt.engine.events import Bankrupted, EndingAgreed
from trajekt.engine.ruleset import Code, Draft, Reaction, Refusal, Rule, View, check, refuse
from trajekt.engine.state import Frame, Seat, State


def everybody(state: State, _frame: Frame) -> Sequence[Seat]:
    """All seats still in the game, whoever's decision is awaited."""
    return tuple(seat for seat, player in enumerate(state.players) if not (player.bankrupt or player.outside))


@check("COMMON-END-06")
def not_yet_agreed(view: View, _action: OfferEnd) -> Refusal | None:
    """Refuse a seat that has agreed already."""
    return refuse(Code.AGREED_ALREADY) if view.seat in view.state.peace else None


@check("COMMON-END-06")
def an_offer_stands(view: View, _action: DeclineEnd) -> Refusal | None:
    """Refuse to decline where nobody has proposed the end."""
    return None if view.state.peace else refuse(Code.NO_OFFER_STANDS)


def offer_options(view: View) -> Iterable[OfferEnd]:
    """To offer, or to agree with the offer that stands."""
    yield OfferEnd()


def decline_options(view: View) -> Iterable[DeclineEnd]:
    """To decline the offer that stands."""
    yield DeclineEnd()


def offer(draft: Draft, _action: OfferEnd) -> None:
    """Agree; the last to agree ends the game."""
    draft.emit(EndingAgreed(tuple(sorted((*draft.state.peace, draft.seat)))))
    end_if_agreed(draft)


def end_if_agreed(draft: Draft) -> None:
    """End the game once everybody still in it has agreed."""
    if set(everybody(draft.state, draft.state.agenda[-1])) <= set(draft.state.peace):
        draft.end("agreed")


def lapse(draft: Draft, event: Bankrupted) -> None:
    """The word of who leaves the game lapses; where all who are left had agreed, it ends."""
    left = tuple(seat for seat in draft.state.peace if seat != event.seat)
    if left != draft.state.peace:
        draft.emit(EndingAgreed(left))
    if left and draft.state.agenda:
        end_if_agreed(draft)


def decline(draft: Draft, _action: DeclineEnd) -> None:
    """Play goes on; a new offer begins from nothing."""
    draft.emit(EndingAgreed(()))


OFFER_END = Rule(OfferEnd, offer_options, offer, checks=(not_yet_agreed,), actors=everybody)
DECLINE_END = Rule(DeclineEnd, decline_options, decline, checks=(an_offer_stands,), actors=everybody)
WORD_LAPSES = Reaction(Bankrupted, ("COMMON-END-06",), lapse)
