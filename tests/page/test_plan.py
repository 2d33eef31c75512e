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


def test_rotation_is_seen_before(two):
    """A picture for each rotation that looks different, among its neighbours, in words and by keyboard."""
    ada, _ = two
    plan = planning(ada)
    plan.locator("[data-action=open-plan]").click()
    form = plan.locator("form[data-plan=tile]")
    form.locator("select[name=hex]").select_option("F3")
    form.locator("select[name=tile]").select_option("9")  # straight: three of its six rotations look different
    plan.wait_for_function("() => document.querySelectorAll('form[data-plan=tile] .turn-pick').length === 3")
    pictures = form.locator(".turn-pick svg")
    assert len(set(pictures.evaluate_all("all => all.map((each) => each.querySelector('.turned').innerHTML)"))) == 3
    assert all(form.locator(".turn-pick small").all_text_contents())
    form.locator("input[name=turn]").first.focus()
    plan.keyboard.press("ArrowRight")
    plan.keyboard.press("Enter")
    plan.locator("#app[data-number='1']").wait_for(state="attached")
    (laid,) = plan.context.request.get(f"{plan.url}/position.json").json()["tiles"]
    assert (laid["hex"], laid["tile"], laid["rotation"]) == ("F3", "9", 1)
    # without a connection the numbers come back, and the choice stays
    form = plan.locator("form[data-plan=tile]")
    form.locator(".turn-pick").first.wait_for()
    assert [form.locator(f"select[name={each}]").input_value() for each in ("hex", "tile")] == ["F3", "9"]
    form.locator("input[name=turn][value='1']").check()
    plan.context.set_offline(True)
    form.locator("select[name=hex]").select_option("F5")
    form.locator("select[name=turn]").wait_for()
    assert form.locator("select[name=turn]").input_value() == "1"
    plan.context.set_offline(False)


def test_company_nobody_founded_is_planned(two):
    """On a German phone: founded by hand, with a turn of its own, and its shares can be given."""
    _, bert = two
    plan = planning(bert)
    plan.locator("[data-action=open-plan]").tap()
    assert plan.locator("form[data-plan=turn]").count() == 0
    form = plan.locator("form[data-plan=found]")
    form.locator("select[name=company]").select_option("CCE")
    form.locator("select[name=seat]").select_option("1")
    form.locator("select[name=par]").select_option("80")
    form.locator("button").tap()
    turn = plan.locator("form[data-plan=turn]")
    turn.locator("select[name=company]").select_option("CCE")
    turn.locator("button").tap()
    plan.locator("#plan .placed li", has_text="Eine andere Gesellschaft ist dran: CCE").wait_for()
    assert plan.evaluate("document.documentElement.scrollWidth <= innerWidth")
    plan.locator("#plan [data-action=close-dialog]").tap()
    position = plan.context.request.get(f"{plan.url}/position.json").json()
    (company,) = position["companies"]
    assert (company["id"], company["director"], company["price"], position["to_act"]) == ("CCE", 1, 80, [1])


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
    assert reader.locator("[data-action=open-plan]").count() == 0  # what he could not do is not offered
    reader.locator(".trial", has_text="Ein Plan, den jemand zeigt").wait_for()
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
