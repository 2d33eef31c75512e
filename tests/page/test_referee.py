"""A table with real cardboard through the page: from the start page on, in both ways, on a phone, and on online."""

from __future__ import annotations

import re

import pytest

from tests.builders.real_tables import at_run
from tests.builders.real_tables import played as played_on
from tests.builders.real_tables import real_table as played_table
from tests.page.conftest import DESKTOP, PHONE
from tests.page.kept_entries import kept_lines, queue
from tests.page.moments import open_moment
from tests.page.player_actions import Hands
from trajekt.i18n.sentences import tag_of
from trajekt.records import from_json
from trajekt.rules.operating_round import turn_of

pytestmark = [pytest.mark.browser]

GAMES = ("18rhl", "18lra", "18ruhr", "18do")
NAMES = ("Ada", "Bert", "Cleo")


def real_table(page, server, game, mode="books") -> Hands:
    """A table of the referee, opened from the start page."""
    page.context.request.get(server.address + "/", timeout=120_000)  # the first to come waits for the drawings
    page.goto(server.address + "/", timeout=60_000)
    page.locator(f"[data-choose='{game}']").click()
    form = page.locator(f"form.new[data-game='{game}']")
    form.locator("[data-action=open-referee]").click()
    for n, name in enumerate(NAMES):
        form.locator("input[name=player]").nth(n).fill(name)
    form.locator("[name=referee]").select_option(mode)
    form.locator("summary").click()
    form.locator("input[name=seed]").fill("1")
    form.locator(".go").click()
    page.wait_for_url(re.compile(r"/t/\w+"))
    page.locator("html[data-ready=yes]").wait_for()
    return Hands(page, touch=bool(page.evaluate("navigator.maxTouchPoints")))


def type_income(hands, marks) -> None:
    """Type what a run brought; the field is open already."""
    field = hands.page.locator("#detail input[data-field=revenue]")
    field.fill(str(marks))
    hands.page.locator("#go", has_text=re.compile(rf"\b{marks}\b")).wait_for()
    hands.confirm()


def company_now(page, server, company):
    """A company as it stands at the open table."""
    table = page.locator("#app").get_attribute("data-table")
    record = page.context.request.get(f"{server.address}/t/{table}/record.json").body()
    return from_json(record).state.companies[company]


def test_real_table_begins_at_start_page(server, opened):
    page = opened(DESKTOP)
    hands = real_table(page, server, "18rhl")
    panel = page.locator(".now[data-mirror=books] .referee")
    panel.wait_for()
    before = hands.number
    panel.locator("[data-action=send]").click()
    hands.settled(before)
    page.locator(".now[data-mirror=map]").wait_for()


@pytest.mark.parametrize("name", GAMES)
def test_run_is_typed_and_paid(server, opened, name):
    game = at_run(played_table(name))
    company = turn_of(game.state).company
    page = opened(DESKTOP)
    open_moment(page, server, game)
    hands = Hands(page)
    before = company_now(page, server, company).treasury
    type_income(hands, 80)
    page.locator("#action-form input[value*='\"withhold\"']").first.wait_for(state="attached")
    hands.press(page.locator("#action-form label:has(input[value*='\"withhold\"'])").first)
    hands.confirm()
    after = company_now(page, server, company).treasury
    assert after - before == 80


def test_tile_lies_as_on_table(server, opened):
    page = opened(DESKTOP)
    open_moment(page, server, at_run(played_table("18rhl")))
    hands = Hands(page)
    before = hands.number
    page.locator(".referee [data-action=send]").click()
    hands.settled(before)
    page.locator(".now[data-mirror=map]").wait_for()
    page.locator(".referee summary").click()
    form = page.locator("form[data-enter=enter_tile]")
    sheet = played_table("18rhl").state.sheet
    bare = next(at for at, found in sheet.hexes.items() if not found.fixed and not found.face.stops)
    brown = next(number for number, found in sheet.tiles.items() if found.face.colour == "brown")
    form.locator("[name=hex]").select_option(bare)
    form.locator("[name=tile]").select_option(brown)
    turns = form.locator(".turn-pick")
    page.wait_for_function(
        "tile => document.querySelector('.turn-pick') && document.querySelector('.turns').dataset.tile === tile",
        arg=brown,
    )
    chosen = turns.last.locator("input").get_attribute("value")
    turns.last.click()
    before = hands.number
    form.locator("button").click()
    hands.settled(before)
    laid = page.context.request.get(f"{page.url}/position.json").json()["tiles"]
    assert [each["rotation"] for each in laid if each["hex"] == bare] == [int(chosen)]
    page.locator(".referee a.rule", has_text="COMMON-TRK-02").wait_for()
    before = hands.number
    page.locator("[data-action=undo]:visible").first.click()
    hands.settled(before)
    page.locator(".referee a.rule").wait_for(state="detached")


def test_refused_sum_is_explained(server, opened):
    page = opened(PHONE)
    game = at_run(played_table("18rhl"))
    open_moment(page, server, game)
    field = page.locator("#detail input[data-field=revenue]")
    field.wait_for()
    field.fill("9999")
    page.locator("#why .rule", has_text="COMMON-RTE-01").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (field.bounding_box() or {"height": 0})["height"] >= 44


EMPTY = "() => !Object.keys(localStorage).some((key) => key.startsWith('kept '))"


def test_entries_are_kept_in_order(server, opened):
    page = opened(DESKTOP)
    game = at_run(played_table("18rhl"), treasury=60)
    open_moment(page, server, game)
    hands = Hands(page)
    company = turn_of(game.state).company
    before, treasury = hands.number, game.state.companies[company].treasury
    page.context.set_offline(True)
    queue(page, "declare_track", cost=20)
    queue(page, "declare_track", cost=40)
    queue(page, "declare_run", revenue=70)
    page.locator(".later button").nth(1).click()
    lines = kept_lines(page, 4)
    words = [text.removesuffix("Drop").replace("\xa0", " ") for text in lines.all_text_contents()]
    assert words == ["Track for 20 M", "Track for 40 M", "Income of the run: 70 M", "Withhold"]
    page.context.set_offline(False)
    page.wait_for_function(EMPTY)
    hands.settled(before + 3)
    page.locator(".kept").wait_for(state="detached")
    after = company_now(page, server, company)
    assert after.treasury == treasury - 20 - 40 + 70


def test_closed_page_loses_nothing(server, opened):
    page = opened(DESKTOP)
    game = at_run(played_table("18rhl"), treasury=60)
    open_moment(page, server, game)
    company, address = turn_of(game.state).company, page.url
    page.context.set_offline(True)
    queue(page, "declare_track", cost=20)
    queue(page, "declare_run", revenue=70)
    page.locator(".kept input").fill("Bert buys from Ada")
    page.locator(".kept form button").click()
    kept_lines(page, 3)
    context = page.context
    page.close()
    context.set_offline(False)
    again = context.new_page()
    again.goto(address)
    assert "Bert buys from Ada" in kept_lines(again, 1).first.text_content()
    assert company_now(again, server, company).revenue == 70
    again.locator("[data-action=drop-kept]").click()
    again.locator(".kept").wait_for(state="detached")
    assert again.evaluate(EMPTY)


def test_refused_entry_is_told(server, opened):
    page = opened(DESKTOP)
    game = at_run(played_table("18rhl"), treasury=60)
    open_moment(page, server, game)
    company = turn_of(game.state).company
    table = page.locator("#app").get_attribute("data-table")
    page.context.set_offline(True)
    queue(page, "declare_track", cost=game.state.companies[company].treasury // 10 * 10)
    queue(page, "declare_track", cost=20)
    queue(page, "declare_run", revenue=70)
    page.context.set_offline(False)
    refused = page.locator(".kept li p")
    refused.wait_for()
    kept_lines(page, 2)
    assert "COMMON-TRK-14" in refused.text_content()
    assert company_now(page, server, company).revenue == game.state.companies[company].revenue
    page.locator("[data-action=drop-kept]").first.click()
    page.wait_for_function(EMPTY)
    assert company_now(page, server, company).revenue == 70
    assert page.context.request.get(f"{server.address}/t/{table}/state.json").json()["number"] == game.number + 2


def test_entry_behind_others_move_waits(server, opened):
    page, other = opened(DESKTOP), opened(DESKTOP)
    game = at_run(played_table("18rhl"), treasury=60)
    open_moment(page, server, game)
    company = turn_of(game.state).company
    page.context.set_offline(True)
    queue(page, "declare_run", revenue=70)
    told = {"number": game.number, "action": {"kind": "declare_track", "cost": 20}}
    done = other.context.request.post(f"{page.url}/actions", data=told)
    assert done.ok, done.text()
    page.context.set_offline(False)
    page.locator(".kept li p").wait_for()
    assert company_now(page, server, company).revenue == game.state.companies[company].revenue
    page.locator("[data-action=send-kept]").click()
    page.wait_for_function(EMPTY)
    assert company_now(page, server, company).revenue == 70


def test_books_need_no_map_on_phone(server, opened):
    game = played_on(played_table("18rhl"), lambda here: "accept" in {tag_of(each.action) for each in here.choices()})
    page = opened(PHONE)
    open_moment(page, server, game)
    page.locator("#app[data-mode=cards] .now[data-mirror=books]").wait_for()
    assert not page.locator("#mapbox").is_visible()
    page.locator(".map-key").tap()
    page.locator("#mapbox").wait_for()


def test_print_on_phone_has_all(server, opened):
    page = opened(PHONE)
    open_moment(page, server, at_run(played_table("18rhl")))
    page.goto(page.url + "/print")
    page.locator(".sheet-market svg").first.wait_for()
    page.locator(".holdings table").wait_for()
    head, board = page.locator(".paper header").bounding_box(), page.locator(".sheet-map").bounding_box()
    assert head["y"] + head["height"] <= board["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
