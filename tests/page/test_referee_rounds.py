"""Rounds of a real table through the page, with the books only and with the map, and the sums of the printed examples."""

from __future__ import annotations

import re

import pytest

from tests.builders.all_tables import TABLES
from tests.builders.dividend_examples import DIRECTOR, EXAMPLES, INCOME, OTHER, dividend_example
from tests.builders.real_tables import played
from tests.builders.real_tables import real_table as played_table
from tests.page.conftest import DESKTOP, PHONE
from tests.page.friends import sits
from tests.page.moments import open_moment
from tests.page.player_actions import Hands
from tests.server.processes import ServerProcess
from trajekt.records import from_json
from trajekt.round_label import round_of

pytestmark = [pytest.mark.browser]

GAMES = tuple(EXAMPLES)
MOST = 45
"""The decisions of a set of rounds at most, of those moments from which it is played here."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for all tables of this file."""
    made = ServerProcess(tmp_path_factory.mktemp("rounds") / "tables.db")
    made.start()
    yield made
    made.kill()


def state_of(page, server):
    table = page.locator("#app").get_attribute("data-table")
    return from_json(page.context.request.get(f"{server.address}/t/{table}/record.json").body()).state


def tell_income(hands: Hands, marks: int) -> None:
    field = hands.page.locator("#detail input[data-field=revenue]")
    field.fill(str(marks))
    hands.page.locator("#go", has_text=re.compile(rf"\b{marks}\b")).wait_for()
    hands.confirm()


def decide(hands: Hands, bought: set[str]) -> None:
    """Do what a table does most: buy one share each, tell an income, pay it out, pass; else the first choice of all."""
    page = hands.page
    player = page.locator("#now .under, #now .ask p").first.text_content() or ""
    if page.locator("#detail input[data-field=revenue]:visible").count():
        tell_income(hands, 60)
    elif hands.can("pay_out"):
        hands.choose("pay_out")
    elif hands.can("buy_share") and player not in bought:
        bought.add(player)
        hands.choose("buy_share")
    elif page.locator("#app[data-mode=run]").count() or page.locator("#go:not([disabled])").count():
        hands.confirm()
    elif page.locator("#action-form [data-choice]:visible").count():
        before = hands.number
        hands.press(page.locator("#action-form [data-choice]:visible").first)
        hands.settled(before)
        hands.log.append("quick")
    else:
        hands.press(page.locator("#action-form label:has(input[name=pick])").first)
        hands.confirm()


def play_rounds(hands: Hands) -> list[str]:
    """Play until an operating round that follows a stock round has ended; answers the rounds."""
    seen, bought = [hands.round], set[str]()
    for _ in range(MOST):
        decide(hands, bought)
        if hands.round != seen[-1]:
            seen.append(hands.round)
            if len(seen) > 2:
                break
    return seen


def before_stock_round_ends(name: str, mode: str):
    """A table in a stock round before which a company has run."""

    def there(game):
        companies = game.state.companies.values()
        ran = any(each.floated and each.trains and each.operated for each in companies)
        return ran and round_of(game.state).kind == "stock"

    game = played(played_table(name, mode=mode), there)
    assert there(game)
    return game


@pytest.mark.parametrize("name", GAMES)
def test_printed_dividend_is_paid(server, opened, name):
    game, company = dividend_example(name)
    page = opened(PHONE if name == "18rhl" else DESKTOP)
    open_moment(page, server, game)
    hands = Hands(page, touch=name == "18rhl")
    tell_income(hands, INCOME)
    hands.choose("pay_out")
    after, before = state_of(page, server), game.state
    director = before.companies[company].director
    paid = [now.cash - was.cash for now, was in zip(after.players, before.players, strict=True)]
    assert paid == [DIRECTOR if seat == director else OTHER for seat in range(len(paid))]
    assert after.companies[company].treasury - before.companies[company].treasury == EXAMPLES[name].treasury


@pytest.mark.parametrize("mode", ["books", "map"])
@pytest.mark.parametrize("name", GAMES)
def test_rounds_are_played_by_taps(server, opened, name, mode):
    game = before_stock_round_ends(name, mode)
    page = opened(DESKTOP)
    open_moment(page, server, game)
    hands = Hands(page)
    seen = play_rounds(hands)
    assert len(seen) > 2, (seen, hands.log)
    kinds = {
        type(entry.action).__name__
        for entry in from_json(page.context.request.get(page.url + "/record.json").body()).entries[game.number :]
    }
    assert kinds & ({"DeclareRun"} if mode == "books" else {"RunTrains", "Pass"})


def nearly_over(actions: int):
    """A short game of which only the books were kept, so many actions before its end."""
    short = next(table for table in TABLES if table[1].get("short_game"))
    game = played(played_table(*short), lambda _: False, seed=2)
    assert game.finished
    return game.at(len(game.line()) - actions)


def test_books_are_finished_online(server, opened):
    """A game begun as books only becomes a table of friends by the menu, and three screens play it to its end."""
    game = nearly_over(12)
    ada = opened(DESKTOP)
    open_moment(ada, server, game)
    ada.locator("[data-action=toggle-menu]:visible").first.click()
    ada.locator("dialog[open] a[href^='/?continue=']").click()
    shown = ada.locator("dialog#import[open]")
    shown.locator("[name=you]").select_option("0")
    shown.locator("[data-action=import-friends]").click()
    links = ada.locator("#links .seat-link input")
    links.nth(len(game.names)).wait_for()
    addresses = links.evaluate_all("all => all.map((each) => each.value)")
    ada.locator("#links .go").click()
    ada.wait_for_url(re.compile(r"/t/\w+$"))
    ada.locator("html[data-ready=yes]").wait_for()
    friends = [Hands(ada), *(sits(opened(PHONE), address) for address in addresses[1 : len(game.names)])]
    for _ in range(MOST):
        newest = max(hands.number for hands in friends)
        for hands in friends:
            hands.page.wait_for_function("n => Number(document.getElementById('app').dataset.number) >= n", arg=newest)
        acting = [hands for hands in friends if hands.page.locator("#action-form").count()]
        if not acting:
            break
        decide(acting[0], set())
    for hands in friends:
        hands.page.locator("h1.winner").first.wait_for(state="attached")
    record = from_json(ada.context.request.get(ada.url + "/record.json").body())
    assert record.finished
    assert record.entries[: game.number] == game.entries
