"""Positions of the Expert Game: markers and special events on charters."""

from __future__ import annotations

from msgspec.structs import replace

from tests.builders.do_breweries import top, turn
from tests.builders.do_positions import (
    beer,
    corporation,
    do_state,
    equipment,
    kwe_net,
    minor,
    position,
    rules,
)
from trajekt.games.do import capital_expenditure_markers
from trajekt.games.do.state import Marker

SHOP = {"A1": 2, "A2": 2, "A3": 1, "A4": 1, "B2": 2, "B3": 1, "B4": 1, "C": 3}
LETTERS = ("G", "H", "I", "J", "K", "L", "M", "N", "O", "P")


def game():
    return rules(4, game="expert")


def hold(state, company, *codes, event=""):
    """Markers and an event on a charter, out of the display."""
    extra = do_state(state)
    held = replace(
        extra.charters.get(company) or capital_expenditure_markers.charter(state, company),
        markers=tuple(Marker(code) for code in codes),
        event=event,
    )
    shop = {code: count - codes.count(code) for code, count in extra.markers.items()}
    left = tuple(letter for letter in extra.events if letter != event)
    return replace(state, extra=replace(extra, charters={**extra.charters, company: held}, markers=shop, events=left))


def table(phase="2", cash=1000):
    state = position(4, phase, cash)
    return replace(state, extra=replace(do_state(state), markers=dict(SHOP), events=LETTERS))


def small(*held, phase="2", treasury=0, step="start", markers=(), event="", **market):
    state = minor(table(phase), 0, "B7", treasury, held)
    state = minor(state, 1, "B4", 100, ("5",))
    state = beer(hold(state, "B7", *markers, event=event), **market)
    return turn(state, "B7", step)


def large(*held, phase="3", treasury=500, step="buy", markers=(), event=""):
    state = corporation(table(phase), "DUB", 80, treasury=treasury, sizes={"Ada": (10, 10)})
    state = minor(equipment(state, "DUB", *held), 1, "B4", 100, ("5",))
    return turn(hold(state, "DUB", *markers, event=event), "DUB", step)


def codes(state, company):
    return [marker.code for marker in do_state(state).charters[company].markers]


def export(*held, markers=(), event="", director=0, trains=("6",)):
    state = corporation(kwe_net(table("6")), "KWE", 60, director, trains=trains)
    state = minor(state, 0, "B7", 0, held)
    state = hold(state, "B7", *markers, event=event)
    return turn(beer(state, c1=True, c2=True, c4=False, c5=False, s4=(4, 3), stock=5), "B7")


def shown(state, kind):
    """Only cards from a type on are left in the display."""
    left = {k: (0 if int(k) < int(kind) else n) for k, n in state.depot.display.items()}
    return replace(state, depot=replace(state.depot, display=left))


def earning(*held, letter, delivered=(), **market):
    state = small(*held, phase="4", event=letter, **market)
    return replace(
        state, agenda=(*state.agenda[:-1], replace(top(state), step="income", delivered=delivered, income=30))
    )
