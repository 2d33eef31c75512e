"""The strip above a question tells who comes back what happened since the own move, and leads to its place in the history."""

from __future__ import annotations

import re

import pytest

from tests.builders.played_moments import played
from tests.page.conftest import DESKTOP, PHONE
from trajekt.records import to_json

pytestmark = [pytest.mark.browser, pytest.mark.slow]

IN_SIGHT = """() => ["question", "go"].every((id) => {
  const box = document.getElementById(id).getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight && box.height > 0;
})"""
TOP_OF_LOG = """number => {
  const [line, log] = [document.getElementById(`e${number}`), document.getElementById("log")];
  return line && log && Math.abs(line.getBoundingClientRect().top - log.getBoundingClientRect().top) < 3;
}"""


def moment(most: int, fewest: int):
    """A position in which seat 0 is asked after so many entries of others, and the number of its own newest entry."""
    whole = played("18rhl")
    for number in (*range(120, whole.number), *range(5, 120)):
        own = max((entry.number for entry in whole.entries[:number] if entry.seat == 0), default=0)
        game = whole.at(number)
        if own and fewest <= number - own <= most and list(game.to_act) == [0]:
            return game, own
    raise AssertionError("no such moment")


def seated(page, server, game):
    """The page of seat 0, whose question it is."""
    page.goto(server.address + "/offline")  # a page of this server, so that the request comes from it
    made = page.context.request.post(
        f"{server.address}/tables/import?friends=0", data=to_json(game), headers={"content-type": "application/json"}
    ).json()
    page.goto(server.address + made["address"])
    page.wait_for_url(re.compile(r"/t/\w+$"))
    page.locator("html[data-ready=yes]").wait_for()


@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_many_moves_lead_to_history(opened, server, kind):
    page, (game, own) = opened(kind), moment(most=60, fewest=8)
    seated(page, server, game)
    told = page.locator("#now .since .tale")
    assert told.count() == 5
    assert page.evaluate(IN_SIGHT)
    left = game.number - own - 5
    assert str(left) in (page.locator("#now .since .earlier").text_content() or "")
    assert page.locator("#now .since").evaluate("strip => strip.scrollHeight <= strip.clientHeight + 1")
    page.locator("#now .since .earlier button").click()
    page.wait_for_function(TOP_OF_LOG, arg=own + 1)
    assert page.locator(f"#e{own + 1}[data-since]").count() == 1
    assert page.locator("#log [data-since]").count() == 1
    assert page.locator("#log").is_visible()
    page.locator(".tabs [data-tab=now]").evaluate("tab => tab.click()")
    last = game.number - 1
    page.locator(f"#now .since [data-line='{last}']").click()
    page.wait_for_function("n => document.activeElement.closest('li')?.id === `e${n}`", arg=last)


def test_few_moves_are_told_whole(opened, server):
    page, (game, _own) = opened(PHONE), moment(most=2, fewest=1)
    seated(page, server, game)
    assert page.locator("#now .since .tale, #now .since .earlier").count() == 0
    assert page.locator("#now .since li:not(.round)").count() in (1, 2)
    assert page.evaluate(IN_SIGHT)


def test_lines_of_old_batches_are_fetched(opened, server):
    """The history begins with its newest lines: one further back is brought before it is shown."""
    page, (game, _own) = opened(PHONE), moment(most=60, fewest=8)
    seated(page, server, game)
    button = page.locator("#now .since .earlier button")
    button.evaluate("(button) => { button.dataset.line = 2 }")
    button.click()
    page.wait_for_function(TOP_OF_LOG, arg=2)
