"""A plan beside the live table: made without the rules, shown over the live map, shown to others, carried out by itself."""

from __future__ import annotations

import re
import time

import pytest

from tests.page.conftest import PHONE
from tests.page.new_tables import menu, planning
from tests.page.player_actions import Hands

pytestmark = pytest.mark.browser


def test_plan_lies_over_live_map(two):
    ada, bert = two
    plan = planning(ada)
    plan.locator("[data-action=open-plan]").click()
    form = plan.locator("form[data-plan=tile]")
    form.locator("select[name=hex]").select_option("K2")
    form.locator("select[name=tile]").select_option("6")
    form.locator("button").click()
    plan.locator("#plan .placed li", has_text="Tile #6 on K2").wait_for()
    plan.locator("#plan .against").first.wait_for()
    # money is set, in Mark
    money = plan.locator("form[data-plan=money]")
    money.locator("select[name=account]").select_option("0")
    money.locator("input[name=amount]").fill("1111")
    money.locator("button").click()
    plan.locator("#plan .placed li").nth(1).wait_for()
    assert plan.context.request.get(f"{plan.url}/position.json").json()["players"][0]["cash"] == 1111
    # the best run is proved at once
    give = plan.locator("form[data-plan=train]")
    give.locator("select[name=company]").select_option("CCE")
    give.locator("select[name=train]").select_option("8")
    give.locator("button").click()
    plan.locator("#plan .placed li").nth(2).wait_for()
    run = plan.locator("form[data-plan=run]")
    run.locator("select[name=company]").select_option("CCE")
    run.locator("button").click()
    plan.locator("#plan-run", has_text="CCE").wait_for()
    # the table goes on, and the ghosts lie over it
    Hands(bert, touch=True)
    Hands(ada).quick("pass")
    ada.locator("#app[data-number='1']").wait_for()
    ada.locator("#map .ghost, .map .ghost").first.wait_for(state="attached")
    assert bert.locator(".map .ghost").count() == 0
    menu(ada)
    ada.locator("[data-action=toggle-ghosts]").click()
    ada.locator(".map .ghost").first.wait_for(state="detached")


def test_shown_plan_is_only_looked_at(two, opened):
    """The link is asked for while the last form is still on its way: it shows the plan with it, and stays."""
    ada, _ = two
    plan = planning(ada)
    plan.locator("[data-action=open-plan]").click()
    plan.route(re.compile("/plan/place$"), lambda route: (time.sleep(1), route.continue_()))
    plan.locator("form[data-plan=phase] select").select_option("green")
    plan.locator("form[data-plan=phase] button").click()
    plan.locator("[data-action=show-plan]").click()
    link = plan.locator("#plan-link a")
    link.wait_for()
    reader = opened(PHONE)
    reader.goto(link.get_attribute("href"))
    reader.wait_for_url(re.compile(r"/t/try-\w+$"))
    reader.wait_for_selector("html[data-ready]")
    assert reader.locator("[data-action=send]").count() == 0
    assert reader.locator("#app").get_attribute("data-number") == "1"


def test_plan_on_phone_is_carried_out(two):
    """Bert tries a pass on the plan, hands it over on his phone, and closes the page."""
    ada, bert = two
    plan = planning(bert)
    hands = Hands(plan, touch=True)
    hands.quick("pass")
    plan.locator("#app[data-number='1']").wait_for()
    hands.quick("pass")
    plan.locator("#app[data-number='2']").wait_for()
    plan.close()
    menu(bert)
    with bert.expect_response(re.compile("orders/plan")) as given:
        bert.locator("[data-action=use-plan]").tap()
    assert given.value.ok
    bert.close()
    Hands(ada).quick("pass")
    ada.locator("#app[data-number='2']").wait_for()
    assert "Bert passes" in (ada.locator("#e2").text_content() or "")


def test_panel_serves_the_keyboard(two):
    ada, _ = two
    plan = planning(ada)
    plan.locator("[data-action=open-plan]").focus()
    plan.keyboard.press("Enter")
    plan.locator("form[data-plan=phase] select").focus()
    plan.keyboard.press("ArrowDown")
    plan.keyboard.press("Tab")
    plan.keyboard.press("Enter")
    plan.locator("#app[data-number='1']").wait_for(state="attached")
    plan.wait_for_function("() => document.activeElement?.closest('form')?.dataset.plan === 'phase'")
    plan.keyboard.press("Escape")
    plan.locator("#plan[open]").wait_for(state="detached")
