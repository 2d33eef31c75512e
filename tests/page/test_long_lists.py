"""A long list of choices beside the map, the coach's card above it: no row that is reached or chosen lies under the buttons."""

from __future__ import annotations

import pytest

from tests.builders.played_moments import played
from tests.page.conftest import DESKTOP
from tests.page.moments import open_moment

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = ((1500, 950), (1440, 900), (1280, 720))
LONGEST = (  # in games between steady bots: forced purchases, trains of others, stock rounds
    ("18rhl", 349),
    ("18rhl", 14),
    ("18lra", 292),
    ("18ruhr", 525),
    ("18do", 249),
)
COACHED = """localStorage.setItem("trajekt.coach", '{"choice": "on", "away": []}')"""
CHIPS = "#action-form .left > .group .chip"
FREE = """chip => {
  const { left, right, top, bottom } = chip.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => chip.contains(document.elementFromPoint((left + right) / 2, y)));
}"""
COVERED = f"""free => [...document.querySelectorAll("{CHIPS}")].filter((chip) => {{
  chip.querySelector("input").focus();
  return !eval(free)(chip);
}}).map((chip) => chip.textContent.trim())"""
TO_TOP = "document.querySelector('.side').scrollTop = 0"
MORE = """() => {
  const [list, bar] = [".left", ".right"].map((each) => document.querySelector(each).getBoundingClientRect());
  return list.bottom > bar.top + 1;
}"""
SHADED = "getComputedStyle(document.querySelector('.right')).boxShadow !== 'none'"


@pytest.fixture
def coached(opened):
    page = opened(DESKTOP | {"locale": "de-DE"})
    page.add_init_script(COACHED)
    return page


@pytest.mark.parametrize(("game", "number"), LONGEST)
def test_row_that_is_reached_lies_free(server, coached, game, number):
    """By the keyboard and by the wheel."""
    open_moment(coached, server, played(game).at(number))
    assert coached.locator("#coach").is_visible()
    for width, height in SIZES:
        coached.set_viewport_size({"width": width, "height": height})
        coached.wait_for_timeout(100)
        coached.evaluate(TO_TOP)
        assert coached.evaluate(COVERED, FREE) == [], (width, height)
        coached.evaluate(TO_TOP)
        coached.wait_for_timeout(100)
        assert coached.evaluate(SHADED) == coached.evaluate(MORE), (width, height)
        box = coached.locator(".who").bounding_box()
        coached.mouse.move(box["x"] + 60, box["y"] + 20)
        coached.mouse.wheel(0, 4000)
        coached.wait_for_timeout(200)
        assert not coached.evaluate(MORE), (width, height)
        assert not coached.evaluate(SHADED), (width, height)


@pytest.mark.parametrize(("game", "number"), LONGEST)
def test_row_that_is_chosen_stays_free(server, coached, game, number):
    """What it would change is told below it, not over it."""
    open_moment(coached, server, played(game).at(number))
    for width, height in SIZES:
        coached.set_viewport_size({"width": width, "height": height})
        for chip in (coached.locator(CHIPS).last, coached.locator(CHIPS).first):
            coached.evaluate(TO_TOP)
            chip.locator("input").evaluate("input => input.click()")
            coached.locator("#detail .outcome > *").first.wait_for()
            coached.wait_for_timeout(200)
            assert chip.evaluate(FREE), (width, height)


def test_forced_purchase_is_seen_whole(server, coached):
    """The trains of others stand two abreast where there is room."""
    open_moment(coached, server, played("18rhl").at(349))
    for width, height in SIZES[:2]:
        coached.set_viewport_size({"width": width, "height": height})
        coached.wait_for_timeout(100)
        assert not coached.evaluate(MORE), (width, height)
