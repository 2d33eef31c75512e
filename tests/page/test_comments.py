"""A study on a board to plan on: a comment on a moment, a variation a tap away, a copy to show."""

from __future__ import annotations

import re

import pytest

from tests.page.conftest import PHONE
from tests.page.new_tables import planning
from tests.page.player_actions import Hands

pytestmark = pytest.mark.browser


def beside(page):
    page.locator("header [data-action=toggle-sidebar]:visible").click()
    page.locator("#study").wait_for()


def test_moment_is_commented_and_shown(two, opened):
    ada, _ = two
    plan = planning(ada)
    hands = Hands(plan)
    hands.quick("pass")
    beside(plan)
    plan.locator("#comment").fill("Here she should bid.")
    plan.locator("#study form.comment button[type=submit]").click()
    plan.locator("#now blockquote", has_text="Here she should bid.").wait_for()
    hands.quick("pass")
    plan.locator("#now blockquote").wait_for(state="detached")
    plan.wait_for_function("() => document.getElementById('comment').value === ''")
    # going back makes what was done a variation
    plan.keyboard.press("u")
    plan.locator("#app[data-number='3']").wait_for()
    plan.locator("#study .variations a").click()
    plan.locator("#app[data-live=''][data-at='2']").wait_for()
    plan.locator("#study .comments a").click()
    plan.locator("#now blockquote", has_text="Here she should bid.").wait_for()
    assert plan.locator("#e1 .mark").evaluate_all("all => all.map((each) => each.title)") == [
        "Comment", "A variation leaves here",
    ]  # fmt: skip
    assert plan.locator("#log .mark").count() == 2
    plan.locator("#study [data-action=show-plan]").click()
    link = plan.locator("#study-link a")
    link.wait_for()
    reader = opened(PHONE)
    reader.goto(link.get_attribute("href"))
    reader.wait_for_url(re.compile(r"/t/try-\w+$"))
    reader.wait_for_selector("html[data-ready]")
    beside(reader)
    assert reader.locator("#comment").count() == 0
    reader.locator("#study .comments a").tap()
    reader.locator("#now blockquote", has_text="Here she should bid.").wait_for(state="attached")
