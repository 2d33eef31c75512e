"""A position set up by hand in a browser: typed, clicked, checked, and played on at one screen and by friends."""

from __future__ import annotations

import json

import pytest

from tests.builders.hand_positions import second_stock_rounds
from tests.page.axe import AXE, RUN
from tests.page.conftest import DESKTOP, PHONE
from tests.server.steady import fresh, steady
from trajekt.positions import position_json
from trajekt.round_label import round_of
from trajekt.server.presenters.set_up_page import tiles_of

pytestmark = [pytest.mark.browser]
KEPT = ("players", "companies", "tiles", "display", "bank", "aside", "phase", "priority")


@pytest.fixture(scope="module")
def position():
    """18Rhl before its second stock round, tiles turned as they are offered where two rotations look alike."""
    game = steady(fresh(), lambda g: round_of(g.state).key == "SR 2")
    found = json.loads(position_json(game)) | {"round": {"kind": "stock", "set": 2}}
    sheet = game.ruleset.sheet
    for tile in found["tiles"]:
        offered = set(tiles_of(sheet, tile["hex"]))
        if (tile["tile"], tile["rotation"]) not in offered:
            tile["rotation"] = (tile["rotation"] + 3) % 6
        assert (tile["tile"], tile["rotation"]) in offered
    return found


def opened_page(opened, server, kind=DESKTOP):
    page = opened(kind)
    page.goto(f"{server.address}/set-up/18rhl")
    page.locator("main[data-checked]").wait_for()
    return page


def put(page, name, text):
    """Type into a field, or choose in a list, wherever it is."""
    box = page.locator(f"#set-up [name='{name}']")
    if box.evaluate("each => each.tagName") == "SELECT":
        box.select_option(text)
    elif box.get_attribute("type") == "checkbox":
        box.set_checked(text == "yes")
    else:
        box.fill(text)


def enter_company(page, company):
    id_ = company["id"]
    page.locator(f"[data-company='{id_}'] > summary").click()
    put(page, f"companies.{id_}.founded", "yes")
    page.locator(f"[data-company='{id_}'] [data-founded]").wait_for()
    texts = {"director": company["director"], "par": company["par"], "treasury": company["treasury"]}
    texts |= {key: "yes" for key in ("floated", "operated") if company[key]}
    for key, text in texts.items():
        put(page, f"companies.{id_}.{key}", str(text))
    for place, percent in company["shares"].items():
        put(page, f"shares.{id_}.{place}", str(percent))
    for train in company["trains"]:
        page.locator(f"[data-into='companies.{id_}.trains'][data-train='{train}']").click()


def click_hex(page, at):
    page.locator(f"#set-map [data-hex='{at}']").dispatch_event("click")
    page.locator(f"#hex-panel [data-hex-shown='{at}']").wait_for()


def enter(page, position):
    """Type and click a whole position."""
    for row, player in enumerate(position["players"]):
        put(page, f"players.{row}.name", player["name"])
        put(page, f"players.{row}.cash", str(player["cash"]))
    put(page, "phase", position["phase"])
    for company in position["companies"]:
        enter_company(page, company)
        page.locator("#marker").select_option(company["id"])
        row, column = company["space"]
        page.locator(f"#set-up-market [data-space='{row},{column}']").dispatch_event("click")
    *clicked, typed = position["tiles"]
    for tile in clicked:
        click_hex(page, tile["hex"])
        page.locator(f"#hex [data-tile-text='{tile['hex']} {tile['tile']} {tile['rotation']}']").click()
    said = page.locator("#set-up [name=tiles]").input_value()
    put(page, "tiles", f"{said}, {typed['hex']} {typed['tile']} {typed['rotation']}")
    for company in position["companies"]:
        for station in company["stations"]:
            click_hex(page, station.split(":")[0])
            page.locator(f"#hex [data-company='{company['id']}'][data-station='{station}']").click()
    for row, player in enumerate(position["players"]):
        for id_ in player["shares"].keys() - {company["id"] for company in position["companies"]}:
            page.locator(f"[data-company='{id_}'] > summary").click()
            put(page, f"shares.{id_}.{row}", str(player["shares"][id_]))
        for number in player["privates"]:
            put(page, f"privates.{number}", str(row))
    for kind in page.locator("#set-up [name^='display.']").evaluate_all("all => all.map((each) => each.name)"):
        put(page, kind, str(position["display"].get(kind.removeprefix("display."), 0)))
    put(page, "aside", ", ".join(f"{name} {amount}" for name, amount in position["aside"].items()))


@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_cardboard_game_is_entered_and_played(server, opened, position, kind):
    page = opened_page(opened, server, kind)
    enter(page, position)
    page.locator("#books [data-faults='0']").wait_for()
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0
    page.locator("[data-action=play-here]:enabled").click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector("html[data-ready]")
    request = page.context.request
    shown = request.get(f"{page.url}/position.json").json()
    assert {key: shown[key] for key in KEPT} == {key: position[key] for key in KEPT}
    choice = request.get(f"{page.url}/state.json").json()["choices"][0]
    done = request.post(f"{page.url}/actions", data={"number": 0, "seat": choice["seat"], "action": choice["action"]})
    assert done.ok, done.text()


def test_faults_show_and_draft_survives(server, opened, position):
    page = opened_page(opened, server)
    for row, player in enumerate(position["players"]):
        put(page, f"players.{row}.name", player["name"])
    put(page, "players.0.cash", "dear")
    page.locator("[data-field='players.0.cash'] p.error").wait_for()
    assert page.locator("[data-action=play-here]").is_disabled()
    put(page, "players.0.cash", "70")
    page.locator("[data-field='players.0.cash'] p.error").wait_for(state="detached")
    page.reload()
    page.locator("main[data-checked]").wait_for()
    assert page.locator("[name='players.0.cash']").input_value() == "70"


def test_file_is_brought_and_shared(server, opened, position, tmp_path):
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position), encoding="utf-8")
    page = opened_page(opened, server)
    page.locator("#position-file").set_input_files(file)
    page.locator("[data-action=play-friends]:enabled").wait_for()
    assert page.locator("#you option").count() == len(position["players"]) + 1
    page.locator("#you").select_option("1")
    page.locator("[data-action=play-friends]").click()
    page.locator("#links .seat-link").first.wait_for()
    assert page.locator("#links .seat-link").count() == len(position["players"]) + 1


def test_tile_is_laid_by_keyboard(server, opened):
    page = opened_page(opened, server)
    page.locator("#hex-name").fill("e14")
    page.locator("#hex-name").press("Enter")
    page.locator("#hex-panel [data-hex-shown='E14']").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "H2"
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('[name=tiles]').value.startsWith('E14 ')")
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"


@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_open_form_has_no_violations(server, opened, kind):
    if not AXE.exists():
        pytest.skip("no axe-core here: make scripts brings it where node is installed")
    page = opened_page(opened, server, kind)
    put(page, "players.0.name", "Ada")
    page.locator(".company > summary").first.click()
    page.locator(".company input[type=checkbox]").first.check()
    click_hex(page, "E14")
    page.locator("#books [data-faults]").wait_for()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN) == []


@pytest.mark.parametrize("name", ["18ruhr", "18do"])
def test_own_things_are_typed(server, opened, tmp_path, name):
    """What only one game has stands in fields of its own, with its faults at them, and goes into the game."""
    written = second_stock_rounds((name,))[name]
    file = tmp_path / "position.json"
    file.write_text(json.dumps(written), encoding="utf-8")
    page = opened(PHONE)
    page.goto(f"{server.address}/set-up/{name}")
    page.locator("main[data-checked]").wait_for()
    page.locator("#position-file").set_input_files(file)
    page.locator("[data-action=play-here]:enabled").wait_for()
    assert page.locator("#set-up textarea").count() == 0
    box = page.locator("[name^='own.'][name$='.markers'], [name^='own.becs.']").filter(visible=True)
    filled = next(each for each in box.all() if each.input_value())
    named, was = filled.get_attribute("name"), filled.input_value()
    filled.fill("99")
    page.locator(f"[data-field='{named}'] p.error, [data-field='own'] > p.error").first.wait_for()
    filled.fill(was)
    page.locator("[data-action=play-here]:enabled").wait_for()
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0
    if AXE.exists():
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert page.evaluate(RUN) == []
    page.locator("[data-action=play-here]:enabled").click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector("html[data-ready]")
    shown = page.context.request.get(f"{page.url}/position.json").json()
    assert {key: shown[key] for key in ("own", "aside", "bank")} == {
        key: written[key] for key in ("own", "aside", "bank")
    }


def test_introduction_game_is_typed(server, opened):
    """Chosen behind a form that was begun for another variant; who drew which railway, and what is left, is typed."""
    page = opened(DESKTOP)
    page.goto(f"{server.address}/set-up/18do")
    page.locator("main[data-checked]").wait_for()
    put(page, "players.0.name", "Ada")
    page.locator("#books [data-faults]").wait_for()
    page.locator("summary", has_text="Edition and variants").click()
    page.locator("select[name=variant-value]:has(option[value='\"introduction\"'])").select_option('"introduction"')
    page.locator("select[name='round.kind'] option[value=stock]").wait_for(state="detached")
    page.locator("main[data-checked]").wait_for()
    put(page, "players.1.name", "Bert")
    put(page, "round.set", "2")
    for seat, (company, stations) in enumerate({"BME": "I11:0", "KWE": "E21:0"}.items()):
        page.locator(f"[data-company='{company}'] > summary").click()
        put(page, f"companies.{company}.founded", "yes")
        page.locator(f"[data-company='{company}'] [data-founded]").wait_for()
        texts = {"director": str(seat), "treasury": "330", "floated": "yes", "operated": "yes", "stations": stations}
        for key, text in texts.items():
            put(page, f"companies.{company}.{key}", text)
        page.locator(f"[data-into='companies.{company}.trains'][data-train='2']").click()
    for kind, count in {"2": 4, "3": 5, "4": 3, "5": 2, "6": 3, "8": 6}.items():
        put(page, f"display.{kind}", str(count))
    page.locator("[data-action=play-here]:enabled").click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector("html[data-ready]")
    shown = page.context.request.get(f"{page.url}/position.json").json()
    assert shown["display"]["2"] == 4
    assert {each["id"]: (each["director"], each["treasury"]) for each in shown["companies"]} == {
        "BME": (0, 330),
        "KWE": (1, 330),
    }
    assert shown["to_act"] == [0]
