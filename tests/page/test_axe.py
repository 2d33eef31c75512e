"""axe-core finds nothing on any kind of page, and on each the theme can be chosen."""

from __future__ import annotations

from contextlib import closing

import httpx2
import pytest

from tests.builders.played_moments import one_of_each_step, played
from tests.builders.real_tables import at_run, real_table
from tests.page.axe import AXE, RUN
from tests.page.conftest import DESKTOP, PHONE
from tests.page.kept_entries import queue
from tests.page.moments import open_moment
from tests.page.new_tables import planning
from tests.server.processes import ServerProcess
from trajekt.records import to_json
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.http.host_pages import NAMES
from trajekt.server.http.openapi import all_routes
from trajekt.server.notifications.notification_settings import mail_token, quiet_token
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.store import Store

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NO_PAGES = {
    "/games.json", "/health", "/health/request", "/lobby.json", "/lobby/events", "/lobby/list", "/lobby/{id}/events",
    "/lobby/{id}/seats", "/lobby/{id}/table.json", "/look/{game}.css", "/manifest.webmanifest", "/me/data.json", "/me/push",
    "/metrics", "/openapi.json", "/puzzles/today", "/ratings.json", "/rules/{game}/{rule}", "/service_worker.js",
    "/t/{id}/18xx.json", "/t/{id}/beside", "/t/{id}/card/{kind}/{key}", "/t/{id}/charts", "/t/{id}/entries.json",
    "/t/{id}/events", "/t/{id}/ghosts", "/t/{id}/hex/{hex}", "/t/{id}/hex/{hex}/others", "/t/{id}/hex/{hex}/rotations",
    "/t/{id}/hint", "/t/{id}/key", "/t/{id}/last-runs/{company}", "/t/{id}/log/{batch}", "/t/{id}/plan",
    "/t/{id}/plan/run", "/t/{id}/position.json",
    "/t/{id}/record.json", "/t/{id}/regions", "/t/{id}/review.json", "/t/{id}/review/progress", "/t/{id}/seats",
    "/t/{id}/seats/menu", "/t/{id}/state.json", "/t/{id}/statistics.csv", "/t/{id}/statistics.json", "/t/{id}/tiles",
    "/workshop/{game}/sets.json", "/workshop/{game}/{set}/entry", "/workshop/{game}/{set}/set.toml",
}  # fmt: skip
"""Addresses of data, of streams, and of parts of a page."""
OWN_PAGES = {"/workshop/{game}/{set}", "/workshop/{game}/{set}/compare"}
"""Pages that only their owner is shown; they are looked at where they are used (`test_workshop`)."""
KINDS = [DESKTOP, PHONE, DESKTOP | {"color_scheme": "dark"}]


@pytest.fixture
def checked(opened):
    if not AXE.exists():
        pytest.skip("no axe-core here: make scripts brings it where node is installed")

    def check(page, where="") -> None:
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert (where, page.evaluate(RUN)) == (where, [])

    return check


@pytest.fixture
def whole_server(tmp_path):
    """A server with everything that a host may turn on: ratings, and pages of the host's own."""
    for name in NAMES:
        (tmp_path / f"{name}.txt").write_text("# The house\n\nOne line.\n", encoding="utf-8")
    made = ServerProcess(tmp_path / "tables.db", ratings=True, pages=str(tmp_path))
    made.start()
    yield made
    made.kill()


def addresses(server) -> dict[str, str]:
    """One page of each kind, by its route."""
    offer = {"game": "18rhl", "most": 3, "least": 3, "name": "Ada"}
    sent = {"content-type": "application/json"}
    with httpx2.Client(base_url=server.address, timeout=60) as client:
        open_table = client.post("/lobby", json=offer).raise_for_status().json()["address"]
        guided = client.post("/tables/guided/18rhl", json={}).raise_for_status().json()["address"]
        ended = client.post("/tables/import", content=to_json(played("18rhl")), headers=sent).json()["address"]
    table = guided.removeprefix("/t/")
    with closing(Store(server.url)) as store:
        accounts = Accounts(GameCache(store))
        mail, quiet = mail_token(accounts, table, 0, "ada@example.org"), quiet_token(accounts, table, 0)
    return {
        "/": "/",
        "/about/{name}": f"/about/{NAMES[0]}",
        "/box/{game}": "/box/18do",
        "/games": "/games",
        "/lobby": "/lobby",
        "/lobby/new": "/lobby/new?game=18ruhr",
        "/lobby/{id}": open_table,
        "/mail/{id}/{token}": f"/mail/{table}/{mail}",
        "/me": "/me",
        "/me/in": "/me/in",
        "/offline": "/offline",
        "/puzzles": "/puzzles",
        "/puzzles/{game}/{number}": "/puzzles/18rhl/4",
        "/quiet/{id}/{token}": f"/quiet/{table}/{quiet}",
        "/ratings": "/ratings",
        "/rules/{game}": "/rules/18rhl",
        "/t/{id}": guided,
        "/t/{id}/print": f"{guided}/print",
        "/t/{id}/review": f"{ended}/review",
        "/t/{id}/sit": f"{guided}/sit",
        "/t/{id}/watch": f"{guided}/watch",
        "/set-up/{game}": "/set-up/18rhl",
        "/workshop/{game}": "/workshop/18ruhr",
    }


def test_every_route_is_page_or_data(whole_server):
    found = {route.path for route in all_routes() if "GET" in (route.methods or ())}
    assert found - NO_PAGES - OWN_PAGES == set(addresses(whole_server))
    assert found >= NO_PAGES


@pytest.mark.parametrize("kind", KINDS, ids=["desktop", "phone", "dark"])
def test_pages_have_no_violations(whole_server, opened, checked, kind):
    page = opened(kind)
    for address in (*addresses(whole_server).values(), "/t/unknown"):
        page.goto(whole_server.address + address)
        page.locator("main").first.wait_for()
        checked(page, address)


def test_theme_is_chosen_everywhere(whole_server, opened):
    page, seen = opened(DESKTOP), 0
    for address in addresses(whole_server).values():
        page.goto(whole_server.address + address)
        page.locator("main").first.wait_for()
        for theme in ("dark", "light") if page.locator("[data-theme-choice=dark]:visible").count() else ():
            page.locator(f"[data-theme-choice={theme}]:visible").click()
            page.locator(f"html[data-theme={theme}] [data-theme-choice={theme}][aria-pressed=true]").first.wait_for()
            seen += 1
    assert seen >= 30  # all pages but the few that a letter or a printer leads to


@pytest.mark.parametrize("mode", ["books", "map"])
@pytest.mark.parametrize("kind", KINDS, ids=["desktop", "phone", "dark"])
def test_real_table_has_no_violations(server, opened, checked, kind, mode):
    page = opened(kind)
    for moment in (real_table("18rhl", mode=mode), at_run(real_table("18rhl", mode=mode))):
        open_moment(page, server, moment)
        checked(page)
    if mode == "map":
        page.locator(".referee summary").click()
        page.locator(".turn-pick").first.wait_for()
        checked(page, "entry")


def test_plan_has_no_violations(two, checked):
    for page in two:
        plan = planning(page)
        plan.locator("[data-action=open-plan]").click()
        plan.locator("form[data-plan=found] button").click()
        plan.locator("form[data-plan=turn]").wait_for()
        plan.locator(".turn-pick").first.wait_for()
        checked(plan, "plan")


@pytest.mark.parametrize("kind", KINDS, ids=["desktop", "phone", "dark"])
@pytest.mark.parametrize("game", ["18rhl", "18do"])
def test_each_step_has_no_violations(server, opened, checked, game, kind):
    page = opened(kind)
    for moment in one_of_each_step(game).values():
        open_moment(page, server, moment)
        checked(page)
    page.goto(page.url.split("?")[0] + "/print")
    checked(page)


@pytest.mark.parametrize("kind", KINDS, ids=["desktop", "phone", "dark"])
def test_kept_entries_have_no_violations(server, opened, checked, kind):
    """What is told at a real table while there is no connection lies in a queue of its own."""
    page = opened(kind)
    open_moment(page, server, at_run(real_table("18rhl"), treasury=60))
    page.context.set_offline(True)
    queue(page, "declare_track", cost=20)
    queue(page, "declare_run", revenue=70)
    checked(page, "kept")
