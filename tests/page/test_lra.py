"""18LRA played through the page: from the package of three players with a scenario into the green phase."""

from __future__ import annotations

import re

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.hands import Hands

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def new_table(page, server, names, scenario: str) -> Hands:
    """A table of 18LRA from the start page, its scenario chosen there; the seats stay as entered."""
    page.goto(server.address + "/")
    page.locator("[data-choose='18lra']").click()
    form = page.locator("form.new[data-game='18lra']")
    for n, name in enumerate(names):
        form.locator("input[name=player]").nth(n).fill(name)
    form.locator("input[name=fixed_seats]").check()
    form.locator("summary").click()
    form.locator("select[data-option=scenario]").select_option(scenario)
    form.locator("input[name=seed]").fill("7")
    form.locator(".go").click()
    page.wait_for_url(re.compile(r"/t/\w+"))
    page.locator("html[data-ready=yes]").wait_for()
    return Hands(page, touch=bool(page.evaluate("navigator.maxTouchPoints")))


def phase(page) -> str:
    return (page.locator(".ph").first.text_content() or "").strip()


@pytest.mark.rule("LRA-SET-09")
@pytest.mark.parametrize(("kind", "green"), [(DESKTOP, "green phase"), (PHONE, "grüne Phase")], ids=["desktop", "phone"])
def test_a_game_from_the_package_into_the_green_phase(server, opened, kind, green):
    page = opened(kind)
    hands = new_table(page, server, ("Ada", "Bert", "Cleo"), "1")
    assert page.locator("#map-view .hex[data-hex='C11'] .home.asleep").count() == 1  # a blank covers MKB's home
    for _ in range(260):
        if phase(page) == green:
            break
        hands.play_on()
    assert phase(page) == green, (hands.round, hands.log[-8:])
    assert not any(re.search(r"\b(BME|MKB)\b", words) for words in hands.log)  # not in scenario 1
