"""18LRA played through the page: from the package of three players with a scenario into the green phase."""

from __future__ import annotations

import random
import re

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.new_tables import new_table
from tests.page.player_actions import Hands
from trajekt.bots.bot import RandomBot, next_action
from trajekt.engine.actions import PlaceStation
from trajekt.game import new_game
from trajekt.games.lra.emigrant_camp import MarkerChoice
from trajekt.records import to_json
from trajekt.rules.operating_round import CompanyTurn

NAMES = ("Ada", "Bert", "Cleo", "Dora")

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def phase(page) -> str:
    return (page.locator(".ph").first.text_content() or "").strip()


@pytest.mark.rule("LRA-SET-09")
@pytest.mark.parametrize(
    ("kind", "green"), [(DESKTOP, "green phase"), (PHONE, "grüne Phase")], ids=["desktop", "phone"]
)
def test_game_reaches_the_green_phase(server, opened, kind, green):
    page = opened(kind)
    hands = new_table(page, server, "18lra", seed=7, scenario="1")
    assert page.locator("#map-view .hex[data-hex='C11'] .home.asleep").count() == 1  # a blank covers MKB's home
    for _ in range(260):
        if phase(page) == green:
            break
        hands.play_on()
    assert phase(page) == green, (hands.round, hands.log[-8:])
    assert not any(re.search(r"\b(BME|MKB)\b", words) for words in hands.log)  # not in scenario 1


def moment(wanted, players: int = 4, **options) -> bytes:
    """The record of a game played at random up to a moment."""
    for seed in range(3, 30):
        game, rng = new_game("18lra", NAMES[:players], options, seed), random.Random(seed)
        while not game.finished:
            if wanted(game):
                return to_json(game)
            seat, action = next_action(game.ruleset, game.state, [RandomBot(rng)] * players, rng)
            game.play(action, seat)
    raise AssertionError("no such moment")


def brought(page, server, record: bytes) -> Hands:
    """A table from a record."""
    headers = {"Content-Type": "application/json", "Origin": server.address}
    answer = page.request.post(server.address + "/tables/import", data=record, headers=headers)
    page.goto(server.address + answer.json()["address"])
    page.locator("html[data-ready=yes]").wait_for()
    return Hands(page)


@pytest.mark.rule("LRA-PRV-21", "LRA-PRV-22")
def test_kreisbahn_owner_is_asked_at_once(server, opened):
    page = opened()
    hands = brought(page, server, moment(lambda game: game.state.top == MarkerChoice("gkb")))
    assert page.locator("#map-view .hex[data-hex='A1'] .station").count() == 1
    hands.choose("assign_gkb")
    assert "2+4" in (page.locator("#log").text_content() or "")
    assert page.locator("#app").get_attribute("data-number") == str(hands.number)


@pytest.mark.rule("LRA-TOK-10", "LRA-TOK-12")
def test_harbour_station_is_built(server, opened):
    def harbour(game) -> bool:
        top = game.state.top
        if not isinstance(top, CompanyTurn) or top.step != "station":
            return False
        return any(isinstance(c.action, PlaceStation) and c.action.token == "harbour" for c in game.choices())

    page = opened()
    hands = brought(page, server, moment(harbour))
    where = next(at for at in ("B12", "B14", "E13", "H14") if at in hands.lit())
    hands.pick_hex(where)
    pick = page.locator("#hexbox label", has=page.locator("input[value*='harbour']"))
    assert "harbour" in (pick.text_content() or "")
    hands.press(pick)
    assert "Harbour station" in hands.confirm()
    assert "harbour station" in (page.locator("#log").text_content() or "")
    assert page.locator(f"#map-view .hex[data-hex='{where}'] circle.kind").count() == 1
