"""Puzzles on a phone: a wrong guess is answered, the right one is drawn into the map and kept by the device."""

from __future__ import annotations

import pytest

from tests.page.conftest import PHONE
from tests.server.waiting import until
from trajekt.registry import title
from trajekt.review.puzzles import LAST, LAY, RUN, SALE, puzzles_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def first(kind):
    """The number of the first puzzle of a kind in 18Rhl, and the puzzle."""
    found = puzzles_of(title("18rhl").package).puzzles
    return next((n, each) for n, each in enumerate(found, 1) if each.kind == kind)


def test_run_is_guessed_until_right(server, opened):
    page = opened(PHONE)
    number, puzzle = first(RUN)
    page.goto(f"{server.address}/puzzles/18rhl/{number}")
    for revenue, said in ((puzzle.answer - 10, "mehr einfahren"), (puzzle.answer + 10, "erlauben die Regeln nicht")):
        page.locator("[name=revenue]").fill(str(revenue))
        page.locator("#guess button").tap()
        page.locator("#verdict", has_text=said).wait_for()
        assert page.locator("#solution").is_hidden()
    page.locator("[name=revenue]").fill(str(puzzle.answer))
    page.locator("#guess button").tap()
    page.locator("#verdict", has_text="Richtig").wait_for()
    assert page.locator(".puzzle-map g.rt path").count() > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.goto(f"{server.address}/puzzles")
    page.locator(f"a.solved[data-puzzle='18rhl/{number}']").wait_for()
    page.locator("#streak", has_text="Ein erster Tag.").wait_for()


def test_lay_is_found_by_tapping(server, opened):
    page = opened(PHONE)
    number, puzzle = first(LAY)
    wrong = next(at for at in puzzle.revenues if at != puzzle.hex)
    page.goto(f"{server.address}/puzzles/18rhl/{number}")
    page.locator(f".puzzle-map .lit[data-hex={wrong}]").focus()
    page.keyboard.press("Enter")
    page.locator("#verdict", has_text=f"auf {wrong} erlaubt {puzzle.revenues[wrong]} M").wait_for()
    page.locator(f".puzzle-map .lit[data-hex={puzzle.hex}] .hit").click(force=True)
    page.locator("#verdict", has_text="Richtig").wait_for()
    page.locator(f".puzzle-map .chosen[data-hex={puzzle.hex}]").wait_for()


@pytest.mark.parametrize(("game", "kind"), [("18rhl", SALE), ("18do", LAST)])
def test_deed_is_chosen_among_ways(server, opened, game, kind):
    page = opened(PHONE)
    found = puzzles_of(title(game).package).puzzles
    number, puzzle = next((n, each) for n, each in enumerate(found, 1) if each.kind == kind)
    page.goto(f"{server.address}/puzzles/{game}/{number}")
    worths = page.evaluate("JSON.parse(document.getElementById('asked').textContent).worths")
    assert sorted(worths) == sorted(way.worth for way in puzzle.ways)
    wrong = next(n for n, worth in enumerate(worths) if worth != puzzle.answer)
    page.locator(f"[data-way='{wrong}']").tap()
    page.locator("#verdict", has_text=f"So bleiben {worths[wrong]} M").wait_for()
    assert page.locator(".ways strong").first.is_hidden()
    page.locator(f"[data-way='{worths.index(puzzle.answer)}']").tap()
    page.locator("#verdict", has_text="Richtig").wait_for()
    assert page.locator(".ways .chosen").count() == 1
    assert page.locator(".ways strong").first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_kept_puzzle_is_solved_offline(server, opened):
    page = opened(PHONE)
    number, puzzle = first(RUN)
    page.goto(f"{server.address}/puzzles")
    page.locator(f"[data-puzzle='18rhl/{number}']").tap()
    page.locator("#guess").wait_for()
    keys = "caches.open('puzzles-1').then((each) => each.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))"
    needed = {"/puzzles", f"/puzzles/18rhl/{number}", "/static/puzzle.js", "/static/puzzle.css"}
    until(lambda: needed <= set(page.evaluate(keys)), 60)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.goto(f"{server.address}/puzzles/18rhl/{number}")
    page.locator("[name=revenue]").fill(str(puzzle.answer))
    page.locator("#guess button").tap()
    page.locator("#verdict", has_text="Richtig").wait_for()
    page.goto(f"{server.address}/puzzles")
    page.locator(f"a.solved[data-puzzle='18rhl/{number}']").wait_for()
