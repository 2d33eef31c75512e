"""The call to one's turn: a sound and a note of the desktop, off until wished, once a turn, and never before one's eyes."""

from __future__ import annotations

import pytest

from tests.page.conftest import DESKTOP
from tests.page.friends import gathered, sits

pytestmark = pytest.mark.browser

WATCHED = """
window.calls = [];
window.away = false;
class Note { constructor(title, more) { window.calls.push(['note', title, more.body]); } close() {} }
Note.permission = 'granted';
Note.requestPermission = async () => window.answer || 'granted';
Object.defineProperty(window, 'Notification', { value: Note, writable: true });
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { window.calls.push(['tone']); return start.call(this, at); };
Object.defineProperty(document, 'visibilityState', { get: () => (window.away ? 'hidden' : 'visible') });
document.hasFocus = () => !window.away;
"""


@pytest.fixture
def bert_and_ada(server, opened):
    ada_page, bert_page = opened(DESKTOP), opened(DESKTOP)
    bert_page.add_init_script(WATCHED)
    links = gathered(ada_page, server)
    ada, bert = sits(ada_page, links[0]), sits(bert_page, links[1])
    bert_page.locator("header [data-action=toggle-sidebar]:visible").click()
    bert_page.locator("#calls").wait_for()
    return bert_page, bert, ada


def kinds(page):
    return [call[0] for call in page.evaluate("window.calls")]


def test_wished_call_comes_once(bert_and_ada):
    page, _bert, ada = bert_and_ada
    for kind in ("sound", "desktop"):
        page.locator(f"[data-call={kind}]").click()
        page.locator(f"[data-call={kind}][aria-pressed=true]").wait_for()
    assert kinds(page) == ["tone", "tone", "note"]  # each is tried when it is switched on
    for kind in ("sound", "desktop"):  # and whenever one likes, as long as it is on
        page.evaluate("window.calls = []")
        page.locator(f"[data-try={kind}]").click()
        page.wait_for_function("window.calls.length > 0")
        assert set(kinds(page)) == {"tone" if kind == "sound" else "note"}
    page.evaluate("window.calls = []; window.away = true")
    ada.quick("pass")
    page.locator("#app[data-number='1']").wait_for(state="attached")
    page.wait_for_function("window.calls.length >= 3")
    told = page.evaluate("window.calls")
    assert sorted(call[0] for call in told) == ["note", "tone", "tone"]
    assert next(call for call in told if call[0] == "note")[1] == "Your turn"
    page.evaluate("document.dispatchEvent(new Event('regions'))")
    assert len(page.evaluate("window.calls")) == 3


def test_no_call_before_ones_eyes(bert_and_ada):
    page, _bert, ada = bert_and_ada
    page.locator("[data-call=sound]").click()
    page.evaluate("window.calls = []")
    ada.quick("pass")
    page.locator("#app[data-number='1']").wait_for()
    assert kinds(page) == []


def test_unwished_call_never_comes(bert_and_ada):
    page, _bert, ada = bert_and_ada
    assert not page.locator("[data-try]:visible").count()
    page.evaluate("window.away = true")
    ada.quick("pass")
    page.locator("#app[data-number='1']").wait_for(state="attached")
    assert kinds(page) == []


def test_refused_permission_is_told(bert_and_ada):
    page, _bert, _ada = bert_and_ada
    page.evaluate("window.answer = 'denied'")
    page.locator("[data-call=desktop]").click()
    page.get_by_text("The browser does not let this page show notes").wait_for()
    assert page.locator("[data-call=desktop]").get_attribute("aria-pressed") == "false"
