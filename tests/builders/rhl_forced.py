"""Positions of forced purchases in 18Rhl."""

from __future__ import annotations

from msgspec.structs import replace

from tests.builders.random_positions import act, on_top, with_cash, with_holdings
from tests.builders.rhl_turns import company, in_turn, unsold, with_depot
from trajekt.engine.actions import (
    ChooseForcedTrain,
    OfferEnd,
)
from trajekt.engine.decisions import legal


def poor(edition, cash, treasury, *, at=(4, 2), display=None, used=(), **percent):
    """ADR must own a train: Ada directs it with `percent` of holdings; the cheapest new train costs 500."""
    state = with_depot(unsold(edition), display or {"5": 3, "6": 6, "8": 4}, used, ("2", "3", "4", "5"))
    state = replace(state, phase="brown")
    state = company(state, "ADR", at, director=0, treasury=treasury)
    held = {"Ada": 20} | percent
    state = with_holdings(state, "ADR", director=0, **held)
    return with_cash(in_turn(state, "ADR", "trains"), Ada=cash)


def another(state, name, at, director, **percent):
    """A second corporation whose shares may be sold."""
    frames, state = state.agenda, replace(state, agenda=())
    state = company(state, name, at, director=director, trains=("5",))
    return on_top(with_holdings(state, name, director=director, **percent), *frames)


def choices(rules, state, seat=0):
    return [c.action for c in legal(rules, state, (seat,)) if not isinstance(c.action, OfferEnd)]


def after_choice(rules, state, kind="5", source="display"):
    return act(rules, state, 0, ChooseForcedTrain(source, kind)).state
