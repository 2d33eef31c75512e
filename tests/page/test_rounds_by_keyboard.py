"""A stock round and an operating round by keyboard alone; a stock round by role and name alone."""

from __future__ import annotations

import re

import pytest

from tests.builders.played_moments import played
from tests.page.conftest import DESKTOP
from tests.page.moments import open_moment
from tests.page.player_actions import Hands
from trajekt.round_label import round_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STOPS = 12
"""Presses of Tab that a deed may take from the question to the button."""
KIND = "(JSON.parse(document.activeElement.value || '{}').kind || '')"


def beginning(kind: str, title: str = "18rhl"):
    """The position at the first decision of a round of a kind, in the middle of a played game."""
    game = played(title)
    rounds = [round_of(game.state_at(number)).kind for number in range(game.number)]
    number = next(n for n in range(150, game.number) if rounds[n] == kind != rounds[n - 1])
    return game.at(number)


class Keys:
    """Somebody with a keyboard and no mouse. `done` are the kinds of what was confirmed."""

    def __init__(self, page):
        self.page, self.hands, self.done = page, Hands(page), []

    def press(self, key, until, most=STOPS):
        for _ in range(most):
            self.page.keyboard.press(key)
            if self.page.evaluate(until):
                return
        raise AssertionError(f"{until} is not reached by {most} times {key}")

    def question(self):
        """From wherever the focus is to the question; after a deed it is there by itself."""
        if not self.page.evaluate("document.getElementById('now').contains(document.activeElement)"):
            self.page.locator(".skip").focus()
            self.page.keyboard.press("Enter")

    def confirm(self, kind):
        self.page.locator("#go:not([disabled])").wait_for()
        before = self.hands.number
        self.press("Tab", "document.activeElement.id === 'go'")
        self.page.keyboard.press("Enter")
        self.hands.settled(before)
        self.done.append(kind)

    def pass_(self):
        before = self.hands.number
        self.page.keyboard.press("p")
        self.hands.settled(before)
        self.done.append("pass")

    def may_pass(self):
        return self.page.locator("#action-form [data-choice*='\"pass\"']").count() > 0

    def pick(self, kind):
        """Walk with arrows to a choice of a kind."""
        self.press("Tab", "document.activeElement.name === 'pick'")
        self.page.keyboard.press("Space")
        if self.page.evaluate(KIND) != kind:
            self.press("ArrowDown", f"{KIND} === '{kind}'", most=80)
        self.confirm(kind)

    def lay(self):
        """Backwards from the question to the map, Enter on a hex, a tile with Enter, turned with R."""
        self.press("Shift+Tab", "document.activeElement.matches('#map-view .hex.lit')", most=20)
        self.page.keyboard.press("Enter")
        self.page.locator("#hexbox .hexhead").wait_for()
        if self.page.locator(".tile-pick").count() > 1:
            self.press("Tab", "document.activeElement.matches('.tile-pick')", most=20)
            self.page.keyboard.press("Enter")
        self.page.keyboard.press("r")
        self.confirm("lay_tile")

    def operate(self):
        """Do what the step of a company's turn asks."""
        self.question()
        mode = self.page.locator("#app").get_attribute("data-mode")
        if mode == "run":
            self.confirm("run_trains")
        elif mode == "cards" and self.page.locator("input[name=pick]:checked").count():
            self.confirm("pay_out")
        elif mode == "map" and self.page.locator("#map-view .hex.lit").count() and "lay_tile" not in self.done:
            self.lay()
        elif mode == "list" and self.hands.can("buy_train") and ("buy_train" not in self.done or not self.may_pass()):
            self.pick("buy_train")
        elif self.hands.can("accept"):  # the train was another company's, whose director is asked
            self.pick("accept")
        else:
            self.pass_()


def test_stock_round_by_keyboard_alone(server, opened):
    page = opened(DESKTOP)
    open_moment(page, server, beginning("stock"))
    keys = Keys(page)
    began = keys.hands.round
    while keys.hands.round == began:
        keys.question()
        if keys.hands.can("buy_share") and len(keys.done) < 6:
            keys.pick("buy_share")
        else:
            keys.pass_()
        assert len(keys.done) < 60
    assert keys.done.count("buy_share") > 1
    assert "pass" in keys.done


def test_operating_round_by_keyboard_alone(server, opened):
    page = opened(DESKTOP)
    open_moment(page, server, beginning("operating"))
    keys = Keys(page)
    began = keys.hands.round
    while keys.hands.round == began:
        keys.operate()
        assert len(keys.done) < 80
    assert {"lay_tile", "run_trains", "pay_out"} <= {*keys.done}


def test_stock_round_by_role_and_name(server, opened):
    page = opened(DESKTOP)
    open_moment(page, server, beginning("stock"))
    hands = Hands(page)
    began, bought, passed = hands.round, 0, 0
    while hands.round == began:
        before = hands.number
        offers = page.get_by_role("radio", name=re.compile(r"^Buy \d+.*\bM\b|^Buy "))
        if offers.count() and bought < 3:
            name = offers.first.get_attribute("aria-label") or ""
            page.get_by_role("radio", name=name, exact=True).check(force=True)
            page.get_by_role("button", name=name, exact=True).click()
            bought += 1
        else:
            page.get_by_role("button", name=re.compile(r"^Pass")).click()
            passed += 1
        hands.settled(before)
        spoken = page.get_by_role("status").filter(has_text=re.compile("buys|passes|Pass"))
        spoken.first.wait_for(state="attached")
        assert bought + passed < 60
    assert bought > 1
    assert passed
