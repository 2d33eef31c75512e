"""Two browsers at one table: the other's action within a second, the tab that says whose turn it is, and the drawer."""

from __future__ import annotations

import re

import pytest

from tests.page.conftest import DESKTOP
from tests.page.player_actions import Hands

pytestmark = pytest.mark.browser


def drawer(page):
    button = page.locator("header [data-action=toggle-sidebar]")
    button.tap() if page.evaluate("navigator.maxTouchPoints > 0") else button.click()
    page.locator("#sidebar .bar").wait_for()


def test_action_shows_in_each_language(two):
    ada, bert = two
    bert.evaluate("""() => {
        const app = () => document.getElementById("app");
        new MutationObserver(() => { if (app().dataset.number === "1" && !window.at) window.at = Date.now(); })
            .observe(document.body, { subtree: true, attributes: true, childList: true });
    }""")
    ada.evaluate("""() => addEventListener("click", () => { window.at ??= Date.now(); }, { capture: true })""")
    Hands(ada).quick("pass")
    bert.wait_for_function("() => window.at")
    assert bert.evaluate("window.at") - ada.evaluate("window.at") < 1000
    assert "Ada passt" in bert.locator("#e1").text_content()
    assert "Ada passes" in ada.locator("#e1").text_content()


def test_tab_title_says_your_turn(two):
    ada, bert = two
    assert ada.title().startswith("● Your turn · SR 1")
    assert bert.title().startswith("AR 1")
    Hands(ada).quick("pass")
    bert.wait_for_function("() => document.title.startsWith('● Du bist dran')")
    ada.wait_for_function("() => document.title.startsWith('SR 1')")


def test_instruction_given_on_phone_acts(two):
    ada, bert = two
    drawer(bert)
    bert.locator("#new-order summary").tap()
    bert.locator("form[data-order=pass_until] input[value=end]").tap()
    bert.locator("form[data-order=pass_until] button").tap()
    given = bert.locator("#orders .orders li")
    given.wait_for()
    assert "Passt für dich in der Versteigerung, was auch geschieht." in given.text_content()
    Hands(ada).quick("pass")
    ada.wait_for_function("() => document.getElementById('app').dataset.number === '2'")
    assert "Bert passes" in ada.locator("#e2").text_content()
    assert ada.locator("#orders").count() == 0 or "Passes for you" not in ada.content()
    given.locator("button").tap()
    given.wait_for(state="detached")


def test_bidding_instruction_acts_by_itself(two):
    """Bert, on the phone, leaves word to bid and then to pass; it bids when his turn comes, and nobody else reads it."""
    ada, bert = two
    drawer(bert)
    bert.locator("#new-order summary").tap()
    form = bert.locator("form[data-task=bid]")
    form.locator("select[name=private]").select_option("2")
    form.locator("input[name=most]").fill("45")
    form.locator("button").tap()
    given = bert.locator("#orders .orders li")
    given.wait_for()
    assert "bis 45" in given.text_content()
    assert "Einmal passen" in given.text_content()
    Hands(ada).quick("pass")
    ada.wait_for_function("() => document.getElementById('app').dataset.number === '2'")
    assert "Bert bids" in ada.locator("#e2").text_content()
    drawer(ada)
    ada.locator("#orders").wait_for()
    assert ada.locator("#orders .orders li").count() == 0


def test_instruction_given_by_keyboard(two):
    ada, _ = two
    ada.keyboard.press("b")
    ada.locator("#new-order summary").focus()
    ada.keyboard.press("Enter")
    form = ada.locator("form[data-task=found]")
    form.locator("select[name=company]").focus()
    ada.keyboard.press("ArrowDown")
    form.locator("select[name=then]").focus()
    form.locator("button").focus()
    ada.keyboard.press("Enter")
    given = ada.locator("#orders .orders li")
    given.wait_for()
    assert "Pass to the end of that round" in given.text_content()
    assert ada.evaluate("document.activeElement.closest('#new-order') !== null")


def test_chat_is_counted_until_seen(two):
    ada, bert = two
    drawer(ada)
    ada.locator("#speak").fill("<b>Köln</b> first?")
    ada.keyboard.press("Enter")
    bert.locator("header [data-action=toggle-sidebar][data-news='1']").wait_for()
    drawer(bert)
    line = bert.locator("#said-lines li span").last
    assert line.text_content() == "<b>Köln</b> first?"
    bert.locator("header [data-action=toggle-sidebar][data-news='']").wait_for(state="attached")
    assert ada.locator("#speak").input_value() == ""


def test_stamp_shows_position_on_phone(two):
    """A tap on the moment of a message shows the position, and the sidebar does not lie over it."""
    ada, bert = two
    drawer(ada)
    ada.locator("#speak").fill("who begins?")
    ada.keyboard.press("Enter")
    Hands(ada).quick("pass")
    bert.locator("#app[data-number='1']").wait_for()
    drawer(bert)
    bert.locator("#said-lines a[data-moment='0']").tap()
    bert.locator("#sidebar").wait_for(state="hidden")
    bert.locator("#now h1", has_text="Nach Eintrag 0").wait_for()
    bert.locator("#now [data-action=show-moment][data-moment='']").tap()
    bert.locator("#action-form").wait_for()


def test_request_leaves_sheet_readable(two):
    """On a wide screen the sidebar has its full height, and a question to the players pushes no heading over another."""
    ada, bert = two
    drawer(bert)
    bert.locator("#speak").fill("Auf ein gutes Spiel")
    bert.keyboard.press("Enter")
    bert.locator("[data-action=ask-others][data-kind=talk]").tap()
    drawer(ada)
    ada.locator(".consent-request").wait_for()
    boxes = [
        ada.locator(each).bounding_box() for each in ("#sidebar", "#companies .bar", "#companies tbody tr >> nth=0")
    ]
    sidebar, heading, row = boxes
    history = ada.locator("#history .bar").bounding_box()
    assert (sidebar["y"], sidebar["height"]) == (0, DESKTOP["viewport"]["height"])
    assert heading["y"] + heading["height"] <= row["y"] + 1
    assert row["y"] + row["height"] <= history["y"]


def test_half_written_text_survives_redrawing(two):
    ada, bert = two
    drawer(bert)
    bert.locator("#speak").fill("ich wollte ger")
    bert.locator("#my-notes").fill("Ada blufft")
    bert.locator("#new-order summary").tap()
    drawer(ada)
    ada.locator("#speak").fill("hello")
    ada.keyboard.press("Enter")
    bert.locator("#said-lines li span", has_text="hello").wait_for()
    assert bert.locator("#speak").input_value() == "ich wollte ger"
    assert bert.locator("#my-notes").input_value() == "Ada blufft"
    assert bert.locator("#new-order[open]").count() == 1


def test_notes_are_saved_by_themselves(two):
    ada, bert = two
    drawer(ada)
    ada.locator("#my-notes").fill("Bert sells at 100")
    ada.locator("#notes-kept", has_text="Saved.").wait_for()
    ada.reload()
    ada.wait_for_selector("html[data-ready]")
    drawer(ada)
    assert ada.locator("#my-notes").input_value() == "Bert sells at 100"
    drawer(bert)
    assert bert.locator("#my-notes").input_value() == ""


def test_all_of_it_by_keyboard(two):
    ada, _ = two
    ada.keyboard.press("b")
    ada.locator("#speak:focus").wait_for()
    ada.keyboard.type("no mouse")
    ada.keyboard.press("Enter")
    ada.locator("#said-lines li span", has_text="no mouse").wait_for()
    ada.locator("#new-order summary").focus()
    ada.keyboard.press("Enter")
    ada.locator("form[data-order=pass_until] input").first.focus()
    ada.keyboard.press("ArrowDown")
    ada.keyboard.press("Enter")
    ada.wait_for_function("() => Number(document.getElementById('app').dataset.number) === 1")
    ada.keyboard.press("Escape")
    ada.locator("#sidebar").wait_for(state="hidden")
    assert ada.evaluate("document.activeElement.dataset.action") == "toggle-sidebar"


def test_clock_runs_among_the_players(two):
    ada, bert = two
    drawer(ada)
    ada.locator("#set-clock summary").click()
    ada.locator("#set-clock button[type=submit]").click()
    ada.locator("#clock").wait_for()
    ada.keyboard.press("Escape")
    Hands(ada).quick("pass")
    running = bert.locator("#app .cards [data-runs=yes]")
    running.wait_for(state="attached")
    before = running.text_content()
    bert.wait_for_function(
        "before => document.querySelector('#app .cards [data-runs=yes]').textContent !== before", arg=before
    )
    assert re.fullmatch(r"1:0\d:\d\d", running.text_content())
    assert ada.locator("#companies tfoot [data-runs=yes]").count() == 1


def test_sleeping_phone_catches_up(two):
    ada, bert = two
    bert.context.set_offline(True)
    Hands(ada).quick("pass")
    bert.context.set_offline(False)
    bert.wait_for_function("() => document.getElementById('app').dataset.number === '1'")
    bert.wait_for_function("() => document.title.startsWith('● Du bist dran')")


def test_drawer_fits_at_390_pixels(two):
    _, bert = two
    drawer(bert)
    for summary in bert.locator("#sidebar summary").all():
        summary.tap()
    wide = bert.evaluate("""() => [...document.querySelectorAll("#sidebar *")].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width && (box.right > innerWidth + 1 || box.left < -1);
    }).map((each) => each.outerHTML.slice(0, 80))""")
    assert wide == []
    small = bert.evaluate("""() => [...document.querySelectorAll("#sidebar button, #sidebar select, #sidebar input[type=text]")]
        .filter((each) => each.getBoundingClientRect().height && each.getBoundingClientRect().height < 43)
        .map((each) => each.outerHTML.slice(0, 80))""")
    assert small == []
