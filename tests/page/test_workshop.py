"""The workshop in a browser: a made-up owner's copy is entered, chosen for one table, played, and replayed elsewhere."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tests.builders.owners_copy import COPY
from tests.page.axe import AXE, RUN
from tests.page.conftest import DESKTOP, PHONE
from tests.page.player_actions import Hands
from tests.server.processes import ServerProcess
from trajekt.cli import main
from trajekt.records import from_json

pytestmark = [pytest.mark.browser]

NAMES = ["Ada", "Bert", "Cleo"]
IN_VIEW = "each => each.getBoundingClientRect().top >= 0 && each.getBoundingClientRect().bottom <= innerHeight"


def begun(opened, server, kind=DESKTOP):
    """The page of a new set of 18Ruhr."""
    page = opened(kind)
    page.goto(f"{server.address}/workshop/18ruhr")
    page.locator("html[data-ready=yes]").wait_for()
    page.locator("#begin [name=name]").fill("Adas Karton")
    page.locator("#begin .go").click()
    page.locator("html[data-ready=yes] #set-list .entry").first.wait_for(state="attached")
    return page


def enter(page, entry, texts):
    """Open an entry, type what differs, and keep it."""
    page.evaluate("entry => document.querySelector(`#set-list [data-entry='${entry}']`).click()", entry)
    form = page.locator(f"#entry form[data-entry='{entry}']")
    form.wait_for()
    page.evaluate("for (const each of document.querySelectorAll('#entry details')) each.open = true")
    for name, text in texts.items():
        field = form.locator(f"[name='{name}']")
        if name.endswith((".kind", "terrain")):
            field.select_option(text)
        else:
            field.fill(text)
    form.locator("button[data-do=keep]").click()
    page.locator(f"#entry[data-stored='{entry}']").wait_for()


def draw_tile(page, number):
    """Add a yellow tile with one town that this copy alone has, its stop and track pressed, and take tile 1 away for it."""
    page.evaluate("entry => document.querySelector(`#set-list [data-entry='${entry}']`).click()", "tiles/1")
    page.locator("#entry form[data-entry='tiles/1'] [data-do=gone]").click()
    page.locator("#entry[data-stored='tiles/1']").wait_for()
    page.evaluate("document.querySelector('#set-list [data-section=tiles]').open = true")
    page.locator("#set-list details[data-section=tiles] input").fill(number)
    page.locator("#set-list [data-action=add-entry][data-section=tiles]").click()
    form = page.locator(f"#entry form[data-entry='tiles/{number}']")
    form.locator("[name=colour]").select_option("yellow")
    form.locator("[name=count]").fill("1")
    form.locator("button[data-tool=town]").click()
    form.locator("[data-place=centre]").first.click()
    form.locator("button[data-tool=town][aria-pressed=true]").click()  # at once: the picture need not have come
    form.locator("button[data-end=a]").wait_for()
    for end in ("1", "a", "4", "a"):
        form.locator(f"button[data-end='{end}']").click()
    page.evaluate("for (const each of document.querySelectorAll('#entry details')) each.open = true")
    form.locator("[name='stops.0.revenue']").fill("10")
    form.locator("button[data-do=keep]").click()
    page.locator(f"#entry[data-stored='tiles/{number}']").wait_for()


def opened_table(form):
    """The address of the table that a form of the start page opens, and its record after some decisions at its screen."""
    page = form.page
    for n, name in enumerate(NAMES):
        form.locator("[name=player]").nth(n).fill(name)
    form.locator("button[type=submit]").click()
    page.wait_for_url("**/t/*")
    page.locator("html[data-ready=yes]").wait_for()
    hands = Hands(page)
    for _ in range(4):
        hands.press(page.locator("#action-form label:has(input[name=pick])").first)
        hands.confirm()
    return page.context.request.get(f"{page.url}/record.json").body()


def brought(page, address, record):
    """A record brought to another server, as a table at one screen there."""
    page.goto(address)
    page.locator("html[data-ready=yes]").wait_for()
    page.locator("#record").set_input_files({"name": "game.json", "mimeType": "application/json", "buffer": record})
    page.locator("dialog#import[open] [data-action=import-table]").click()
    page.wait_for_url("**/t/*")
    page.get_by_text("Adas Karton 1").first.wait_for()
    return page.context.request.get(f"{page.url}/record.json").body()


@pytest.mark.slow
def test_thirty_entries_are_played_elsewhere(server, opened, tmp_path):
    """An owner's copy is entered, chosen for one table beside another with ours, played, and played on at another server."""
    page = begun(opened, server)
    for entry, texts in COPY.items():
        enter(page, entry, texts)
    draw_tile(page, "630")
    page.locator("#set-list .counts").get_by_text("30 differ").wait_for()
    assert page.locator("#set-list .faulty").count() == 0
    page.get_by_role("link", name="Play with it").click()
    form = page.locator("form[data-game='18ruhr']")
    chosen = form.locator("[name=component_set]")
    chosen.locator("option:checked", has_text="Adas Karton").wait_for(state="attached")
    assert page.evaluate(IN_VIEW, chosen.element_handle())
    own = opened_table(form)
    page.get_by_text("Adas Karton 1").first.wait_for()
    page.goto(f"{server.address}/?game=18ruhr")
    assert chosen.input_value() == ""
    mine, plain = from_json(own).ruleset.sheet, from_json(opened_table(form)).ruleset.sheet
    assert (mine.privates[1].price, plain.privates[1].price) == (95, 90)
    assert mine.hexes["G12"].face.stops[0].kind == "town"
    assert ("1" in mine.tiles, len(mine.tiles["630"].face.track)) == (False, 2)
    assert plain.component_set == ""
    elsewhere = ServerProcess(tmp_path / "elsewhere.db")
    elsewhere.start()
    try:
        there = brought(opened(DESKTOP), elsewhere.address, own)
        assert from_json(there).state == from_json(own).state
    finally:
        elsewhere.kill()
    file = tmp_path / "elsewhere.json"
    file.write_bytes(there)
    replayed = CliRunner().invoke(main, ["replay", str(file)], catch_exceptions=False)
    assert replayed.exit_code == 0, replayed.stderr


@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_entry_by_keyboard_and_touch(server, opened, kind):
    page = begun(opened, server, kind)
    page.locator("#set-map [data-hex=G6]").dispatch_event("click")
    form = page.locator("#entry form[data-entry='hexes/G6']")
    form.wait_for()
    assert page.evaluate("document.activeElement.tagName") == "H2"
    form.locator("[name='stops.0.revenue']").fill("25")
    form.locator(".field.faulty").first.wait_for()
    form.locator("[name='stops.0.revenue']").fill("20")
    form.locator(".field.faulty").first.wait_for(state="detached")
    form.locator("[name='stops.0.revenue']").press("Enter")
    page.locator("#entry[data-stored='hexes/G6']").wait_for()
    page.locator("#set-list .entry.is-differs").first.wait_for(state="attached")
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0


def test_track_is_drawn_by_pressing(server, opened):
    page = begun(opened, server)
    page.locator("#set-map [data-hex=J7]").dispatch_event("click")
    form = page.locator("#entry form[data-entry='hexes/J7']")
    form.wait_for()
    for end in ("0", "a", "1", "a"):  # one piece more, and one less
        form.locator(f"button[data-end='{end}']").click()
    assert form.locator("[name=track]").input_value() == "4-a, 0-a"


@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_stops_are_put_by_pressing(server, opened, kind):
    page = begun(opened, server, kind)
    press = (lambda target: target.tap()) if kind is PHONE else (lambda target: target.click())
    page.locator("#set-map [data-hex=B9]").dispatch_event("click")
    page.locator("#entry form[data-entry='hexes/B9']").wait_for()
    for stops, (tool, place) in enumerate([("town", "1"), ("city", "centre"), ("town", "4")], 1):
        press(page.locator(f"button[data-tool={tool}]"))
        press(page.locator(f".handles .place[data-place='{place}']"))
        page.locator(f"#entry [name='stops.{stops}.kind']").wait_for(state="attached")
        page.locator(f"button[data-tool={tool}][aria-pressed=true]").wait_for()
        press(page.locator(f"button[data-tool={tool}]"))
    for end in ("1", "a", "0", "b", "4", "c"):
        press(page.locator(f".handles .end[data-end='{end}']"))
        page.locator(f".handles .end[data-end='{end}']").wait_for()
    field = {
        name: page.locator(f"#entry [name='{name}']") for name in ("track", "stops.0.at", "stops.1.kind", "stops.1.at")
    }
    assert field["track"].input_value() == "1-a, 0-b, 4-c"
    assert [field[name].input_value() for name in ("stops.0.at", "stops.1.kind", "stops.1.at")] == [
        "1",
        "city",
        "centre",
    ]
    press(page.locator("button[data-tool=drop]"))
    press(page.locator(".handles .end[data-end=b]"))
    page.locator("#entry [name='stops.3.kind']").wait_for(state="detached")
    assert [field[name].input_value() for name in ("track", "stops.1.kind", "stops.1.at")] == ["1-a, 4-b", "town", "4"]


def test_market_is_pressed_and_typed(server, opened):
    page = begun(opened, server)
    page.locator("details:has(> #set-market) summary").click()
    page.locator("#set-market [data-space='1,32']").click()
    cell = page.locator("#entry [name='rows.0.31']")
    cell.wait_for()
    page.wait_for_function("() => document.activeElement.name === 'rows.0.31'")
    cell.fill("520")
    cell.press("Enter")
    page.locator("#entry[data-stored=market]").wait_for()
    page.locator("#set-market [data-space='1,32']", has_text="520").wait_for()


def test_open_entries_are_gone_through(server, opened):
    page = begun(opened, server)
    for _ in range(2):
        page.locator("[data-action=next-guess]").click()
        question = page.locator("#entry [data-do=so]")
        question.wait_for()
        entry = page.locator("#entry form").get_attribute("data-entry")
        question.click()
        page.locator(f"#entry[data-stored='{entry}']").wait_for()
    page.locator("#set-list .counts").get_by_text("2 looked at").wait_for()


def test_workshop_has_no_violations(server, opened):
    if not AXE.exists():
        pytest.skip("no axe-core here: make scripts brings it where node is installed")
    page = begun(opened, server)
    page.evaluate("for (const each of document.querySelectorAll('#set-list details')) each.open = true")
    page.locator("[data-action=next-guess]").click()
    page.locator("#entry form").wait_for()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN) == []
    page.goto(page.url + "/compare")
    page.locator("main h1").wait_for()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN) == []
