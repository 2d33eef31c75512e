"""Positions of breweries in their turn."""

from __future__ import annotations

from msgspec.structs import replace

from tests.builders.do_positions import (
    beer,
    corporation,
    do_state,
    kwe_net,
    minor,
    position,
    rules,
)
from tests.builders.random_positions import act
from trajekt.engine.actions import Pass
from trajekt.games.do.frames import BreweryRound, BreweryTurn
from trajekt.rules.round_sequence import Rounds


def turn(state, brewery, step="start", **values):
    held = do_state(state).charters.get(brewery)
    becs = tuple(bec.number for bec in held.becs) if held else ()
    frames = (Rounds(2, 2, 1), BreweryRound(2, 1, 2, (brewery,), "turns"))
    return replace(state, agenda=(*frames, BreweryTurn(brewery, step, becs, **values)))


def number(state, brewery, at=0):
    return do_state(state).charters[brewery].becs[at].number


def kinds(state, brewery):
    held = do_state(state).charters.get(brewery)
    return [bec.kind for bec in held.becs] if held else []


def small(*held, phase="2", treasury=0, cash=1000, **market):
    state = minor(position(4, phase, cash), 0, "B7", treasury, held)
    state = minor(state, 1, "B4", 0, ("5",))  # the round goes on with another turn
    return turn(beer(state, **market), "B7")


def ended(state):
    """The turn of B7 over, if it waits for anything still."""
    if top(state).brewery == "B7":
        state = act(rules(), state, 0, Pass()).state
    return state


def top(state):
    return state.agenda[-1]


def export(director=0, held=("5",), trains=("5",)):
    state = kwe_net(position(4, "5"))
    state = corporation(state, "KWE", 60, director, trains=trains)
    state = minor(state, 0, "B7", 0, held)
    state = beer(state, stock=1, c1=True, c2=True, c3=False, c4=False, c5=False, s3=(2, 0), s4=(4, 3))
    return turn(state, "B7")
