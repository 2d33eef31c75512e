"""Instructions that are carried out while their owner is away: given in the page, which is then closed; the others play on."""

from __future__ import annotations

import random
import re

import httpx2
import msgspec
import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.new_tables import planning
from tests.server.friends import Friend
from tests.server.steady import fresh, in_stock_round, operating, seating, steady
from tests.server.waiting import until
from trajekt.bots.bot import next_action
from trajekt.engine.actions import FoundCompany, Pass, PlaceBid, RunTrains
from trajekt.records import from_json, to_json
from trajekt.round_label import round_of

SENT = {"content-type": "application/json"}
pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Evening:
    """A game brought as a table of friends: requests of every seat, and one page, that of the owner of an instruction."""

    def __init__(self, client, server, opened, game, seat, kind=DESKTOP) -> None:
        self.client = client
        made = (
            self.client.post("/tables/import?friends=0", content=to_json(game), headers=SENT).raise_for_status().json()
        )
        self.id, self.seat = made["id"], seat
        tokens = {link["seat"]: link["address"].partition("#")[2] for link in made["seats"]}
        self.friends = {n: Friend(self.client, self.id, token, n) for n, token in tokens.items()}
        self.page = opened(kind)
        self.page.goto(f"{server.address}/t/{self.id}#{tokens[seat]}")
        self.page.locator("html[data-ready=yes]").wait_for()
        self.touch = bool(self.page.evaluate("navigator.maxTouchPoints"))

    def form(self, task):
        """The form of a kind of instruction, opened."""
        if not self.page.locator("#new-order").is_visible():
            self.page.locator("[data-action=toggle-sidebar]:visible").first.click()
        if not self.page.locator("#new-order[open]").count():
            self.page.locator("#new-order summary").click()
        return self.page.locator(f"form[data-task={task}], form[data-order={task}]").first

    def give(self, form) -> str:
        """Send the form and close the page; answers the instruction in words."""
        form.locator("button[type=submit]").click()
        line = self.page.locator("#orders .orders li").first
        line.wait_for()
        said = line.locator("span").inner_text()
        self.page.close()
        return said

    def game(self):
        """The game as it stands on the server."""
        return from_json(self.friends[self.seat].get("record.json").content)

    def mine(self, since):
        """What was done for the owner since an entry."""
        return [entry.action for entry in self.game().entries[since:] if entry.seat == self.seat]

    def play(self, seat, action) -> None:
        number = self.game().number
        answer = self.friends[seat].post("actions", {"number": number, "seat": seat, "action": plain(action)})
        assert answer.status_code == 200, answer.text

    def acted(self, count, since):
        """Wait until so many deeds were done for the owner."""
        until(lambda: len(self.mine(since)) >= count, 30)
        return self.mine(since)

    def others(self, wanted, most=60) -> None:
        """Let bots act for the others until it is the owner's turn or something is so."""
        for _ in range(most):
            game = self.game()
            if wanted(game):
                return
            if self.seat in game.to_act:
                until(lambda n=game.number: self.game().number > n, 30)
                continue
            seat, action = next_action(game.ruleset, game.state, seating(game), random.Random(1))
            self.play(seat, action)
        raise AssertionError("it never came to that")


@pytest.fixture
def begun(server, opened):
    """Begin an evening at a moment of a game, with a page for a seat."""
    with httpx2.Client(base_url=server.address, timeout=60) as client:
        yield lambda *about: Evening(client, server, opened, *about)


def next_seat(game, seat):
    return game.state.clockwise(seat)[0]


def plain(action):
    return msgspec.json.decode(msgspec.json.encode(action))


def test_founds_then_passes(begun):
    """Found at 80, then pass: another's undo takes the pass back with his deed, and it is passed anew."""

    def able(game):
        return round_of(game.state).kind == "stock" and any(isinstance(c.action, FoundCompany) for c in game.choices())

    game = steady(in_stock_round(number=1), able)
    mine = game.to_act[0]
    wanted = next(c.action for c in game.choices(mine) if isinstance(c.action, FoundCompany))
    start = game.number
    evening = begun(game, mine)
    form = evening.form("found")
    form.locator("[name=company]").select_option(wanted.company)
    form.locator("[name=par]").select_option(str(wanted.par))
    form.locator("[name=then]").select_option("round")
    evening.give(form)
    assert evening.acted(1, start) == [wanted]
    rival = evening.game().to_act[0]
    other = next(n for n in evening.friends if n not in (mine, rival))
    evening.play(rival, Pass())
    evening.play(other, Pass())
    assert isinstance(evening.acted(2, start)[1], Pass)
    # who caused the pass takes his deed back, and the pass goes with it; done anew, it is passed anew
    here = evening.game().number
    assert evening.friends[other].post("undo", {"number": here}).status_code == 200
    undone = evening.game()
    assert undone.number == here + 1
    assert undone.to_act == (other,)
    evening.play(other, Pass())
    assert isinstance(evening.acted(3, start)[2], Pass)


def test_bids_up_to_limit(begun):
    game = fresh()
    mine, start = game.to_act[0], game.number
    first = next(c.action for c in game.choices(mine) if isinstance(c.action, PlaceBid))
    evening = begun(game, mine, PHONE)
    form = evening.form("bid")
    form.locator("[name=private]").select_option(str(first.private))
    form.locator("[name=most]").fill(str(first.amount + 10))
    evening.give(form)
    assert evening.acted(1, start) == [first]
    rival = evening.game().to_act[0]
    evening.play(rival, PlaceBid(first.private, first.amount + 5))
    evening.play(evening.game().to_act[0], Pass())
    assert evening.acted(2, start)[1] == PlaceBid(first.private, first.amount + 10)
    evening.play(rival, PlaceBid(first.private, first.amount + 15))
    evening.play(evening.game().to_act[0], Pass())
    assert evening.acted(3, start)[2] == Pass()


def test_buys_several_then_passes(begun):
    def able(game):
        kinds = [str(c.action.__struct_config__.tag) for c in game.choices(game.to_act[0])]
        return round_of(game.state).kind == "stock" and "buy_share" in kinds

    game = steady(in_stock_round(number=2), able)
    mine, start = game.to_act[0], game.number
    evening = begun(game, mine)
    form = evening.form("buy")
    value = form.locator("[name=what] option").first.get_attribute("value")
    form.locator("[name=what]").select_option(value)
    form.locator("[name=most]").fill("400")
    form.locator("input[value=several]").check()
    form.locator("[name=times]").fill("3")
    form.locator("[name=then]").select_option("once")
    evening.give(form)
    first = evening.acted(1, start)[0]
    assert str(first.__struct_config__.tag) == "buy_share"
    evening.others(lambda g: round_of(g.state).kind != "stock" or Pass() in evening.mine(start))
    done = evening.mine(start)
    bought = [each for each in done if not isinstance(each, Pass)]
    assert len(bought) <= 3
    assert all((each.company, each.percent) == (first.company, first.percent) for each in bought)


def test_sells_when_price_falls(begun):
    """Sell 20 % when it falls under a price: nothing is sold before another's sale moves the price."""

    def able(game):
        state = game.state
        if round_of(state).kind != "stock":
            return False
        rival = game.to_act[0]
        sales = [c.action for c in game.choices(rival) if str(c.action.__struct_config__.tag) == "sell_shares"]
        return any(state.companies[s.company].percent(next_seat(game, rival)) >= 20 for s in sales)

    game = steady(in_stock_round(number=2), able, most=3_000)
    rival, start = game.to_act[0], game.number
    mine = next_seat(game, rival)
    sale = next(
        c.action
        for c in game.choices(rival)
        if str(c.action.__struct_config__.tag) == "sell_shares"
        and game.state.companies[c.action.company].percent(mine) >= 20
    )
    price = game.state.price(sale.company)
    evening = begun(game, mine)
    form = evening.form("sell")
    value = next(
        each
        for each in form.locator("[name=what] option").evaluate_all("all => all.map((each) => each.value)")
        if f'"{sale.company}"' in each and "20" in each
    )
    form.locator("[name=what]").select_option(value)
    form.locator("[name=under]").fill(str(price))
    evening.give(form)
    assert not evening.mine(start)
    evening.play(rival, sale)
    evening.others(lambda g: bool(evening.mine(start)) or mine in g.to_act)
    sold = evening.acted(1, start)[0]
    assert (str(sold.__struct_config__.tag), sold.company) == ("sell_shares", sale.company)


def test_runs_and_pays_as_before(begun):
    """The same run and pay until something changes: a whole turn is done, and what changes ends it with its reason."""

    def before_turn(game):
        top = game.state.top
        ran = {
            e.company for entry in game.line() for e in entry.events if type(e).__name__ == "TrainsRan" and e.revenue
        }
        return getattr(top, "step", "") == "track" and top.company in ran

    game = steady(operating(), before_turn)
    company, mine, start = game.state.top.company, game.to_act[0], game.number
    evening = begun(game, mine)
    form = evening.form("run")
    named = form.locator("[name=order] option").evaluate_all("all => all.map((each) => each.value)")
    form.locator("[name=order]").select_option(next(each for each in named if f'"{company}"' in each))
    evening.give(form)
    until(lambda: getattr(evening.game().state.top, "company", "") != company or len(evening.mine(start)) > 2, 30)
    done = evening.mine(start)
    assert any(isinstance(each, RunTrains) for each in done)
    assert any(str(each.__struct_config__.tag) == "pay_out" for each in done)


def test_plan_is_carried_out_later(begun):
    """Lay this, run, pay: tried out of turn on a copy, handed over, done when the turn comes."""

    def somebody_elses(game):
        top, state = game.state.top, game.state
        if getattr(top, "step", "") != "track" or not game.to_act:
            return False
        later = [c for c in state.operating_order if state.companies[c].trains and state.companies[c].floated]
        return any(state.companies[c].director != game.to_act[0] and c not in operated(state) for c in later)

    def operated(state):
        return next(f.operated for f in reversed(state.agenda) if type(f).__name__ == "OperatingRound")

    game = steady(operating(), somebody_elses)
    state = game.state
    company = next(
        c
        for c in state.operating_order
        if state.companies[c].trains and c not in operated(state) and state.companies[c].director != game.to_act[0]
    )
    mine, start = state.companies[company].director, game.number
    evening = begun(game, mine)
    page = evening.page
    plan = planning(page)
    plan.locator("[data-action=open-plan]").click()
    plan.locator("form[data-plan=turn] [name=company]").select_option(company)
    plan.locator("form[data-plan=turn] button").click()
    plan.locator(f"#app[data-number='{start + 1}']").wait_for()
    request = plan.context.request
    laid = []
    for _ in range(12):
        shown = request.get(f"{plan.url}/state.json").json()
        choices = [each for each in shown["choices"] if each["seat"] == mine]
        if not choices or (laid and shown["number"] > start + 12):
            break
        kinds = [each["action"]["kind"] for each in choices]
        want = next(
            (k for k in ("lay_tile", "run_trains", "pay_out", "pass") if k in kinds and not (k == "lay_tile" and laid)),
            kinds[0],
        )
        # the last of a kind: the first lay may be one that whoever comes before makes himself
        action = next(each["action"] for each in reversed(choices) if each["action"]["kind"] == want)
        done = request.post(f"{plan.url}/actions", data={"number": shown["number"], "seat": mine, "action": action})
        assert done.ok, done.text()
        laid.append(action)
        if want == "pay_out":
            break
    assert [each["kind"] for each in laid if each["kind"] != "pass"] == ["lay_tile", "run_trains", "pay_out"]
    plan.close()
    page.locator("[data-action=toggle-menu]:visible").first.click()
    with page.expect_response(re.compile("orders/plan")) as given:
        page.locator("[data-action=use-plan]").click()
    assert given.value.ok
    page.close()
    evening.others(lambda g: any(str(a.__struct_config__.tag) == "pay_out" for a in evening.mine(start)))
    assert [plain(each) for each in evening.mine(start)][: len(laid)] == laid
