"""Measures the page: `python tools/page_speed.py ADDRESS [--record FILE]`, with a running server and Chromium.

Printed are the bytes of the start page, a new table and a long one, transferred (compressed, all requests of a first visit) and
raw; and, in milliseconds, for a step back, an undo and a move of another in a long table: the CPU time of the page's main
thread, the time from the press to the picture, and the longest task that blocked the page. CPU time does not depend on what
else the machine does, the others do. Without a record a game between random bots is played.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from trajekt.bots.bot import make_bot, next_move
from trajekt.game import new_game
from trajekt.records import to_json

NAMES = ("Ada", "Bert", "Cleo", "Dora")
REPEATS, SETTLE = 15, 400  # how often, and milliseconds of rest
WATCH = """() => {
  window.tasks = [];
  new PerformanceObserver((list) => { for (const each of list.getEntries()) window.tasks.push(each.duration); })
    .observe({ type: "longtask" });
}"""
"""Keeps the length of each task of more than 50 ms."""
DRAWN = """() => new Promise((done) =>
  document.addEventListener("regions", () => requestAnimationFrame(() => setTimeout(() => {
    const at = performance.timeOrigin + performance.now();
    setTimeout(() => done(at), 60);
  })), { once: true }))"""
"""The time at which the next change of the page is to be seen."""


def long_game(title: str, entries: int) -> bytes:
    """The record of a game between random bots, as far as so many entries; undone and played again where it ends before."""
    game = new_game(title, NAMES, {"fixed_seats": True}, 1)
    lots = random.Random(1)
    bots = [make_bot("random", lots) for _ in NAMES]
    while game.number < entries:
        found = None if game.finished else next_move(game.ruleset, game.state, bots, lots)
        if found is None:
            game.undo(0)
        else:
            game.play(found[1].action, found[0])
    return to_json(game)


def brought(address: str, record: bytes) -> str:
    """The address of a new table with the game of a record."""
    headers = {"content-type": "application/json"}
    asked = urllib.request.Request(f"{address}/tables/import", data=record, headers=headers)  # noqa: S310  one's own server
    with urllib.request.urlopen(asked) as answer:  # noqa: S310  as above
        return address + str(json.load(answer)["address"])


def weighed(browser: Browser, url: str) -> tuple[int, int, int]:
    """What a first visit of a page costs: bytes transferred, bytes raw, requests."""
    page = browser.new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    sent: list[float] = []
    raw: list[float] = []
    session.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    session.on("Network.dataReceived", lambda event: raw.append(event["dataLength"]))
    page.goto(url)
    page.wait_for_timeout(1500)
    page.close()
    return round(sum(sent)), round(sum(raw)), len(sent)


def cpu(session: CDPSession) -> float:
    """CPU time of the main thread so far, in milliseconds."""
    found = session.send("Performance.getMetrics")["metrics"]
    return 1000 * next(float(each["value"]) for each in found if each["name"] == "TaskDuration")


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of one change of the page: CPU time of its main thread, from the press to the picture, the longest task."""

    cpu: float
    wait: float
    task: float


def timed(page: Page, session: CDPSession, other: Page, keys: tuple[str, ...]) -> list[Cost]:
    """Cost of what each press of a key, here or in another window, changes in the page."""
    found = []
    for n in range(REPEATS):
        page.wait_for_timeout(SETTLE)
        before = cpu(session)
        page.evaluate(f"() => {{ window.tasks.length = 0; window.drawn = ({DRAWN})(); }}")
        pressed = 1000 * time.time()
        other.keyboard.press(keys[n % len(keys)])
        seen = page.evaluate("window.drawn")
        found.append(Cost(cpu(session) - before, seen - pressed, page.evaluate("Math.max(0, ...window.tasks)")))
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measures bytes and CPU time of the page.")
    parser.add_argument("address")
    parser.add_argument("--record", type=Path)
    parser.add_argument("--game", default="18rhl")
    parser.add_argument("--entries", type=int, default=1500)
    given = parser.parse_args()
    record = given.record.read_bytes() if given.record else long_game(given.game, given.entries)
    fresh = to_json(new_game(given.game, NAMES, {"fixed_seats": True}, 1))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        table = brought(given.address, record)
        for name, url in (
            ("start", given.address),
            ("new table", brought(given.address, fresh)),
            ("long table", table),
        ):
            sent, raw, requests = weighed(browser, url)
            sys.stdout.write(
                f"{name:12} {sent / 1000:7.1f} kB transferred  {raw / 1000:8.1f} kB raw  {requests} requests\n"
            )
        page, other = (browser.new_context(viewport={"width": 1440, "height": 900}).new_page() for _ in range(2))
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        for each in (page, other):
            each.goto(table)
            each.locator("html[data-ready=yes]").wait_for()
        steps = {
            "step back": (page, ("[",)),
            "undo, redo": (page, ("u", "y")),
            "another's move": (other, ("u", "y")),
        }
        for name, (presser, keys) in steps.items():
            page.goto(table)
            page.locator("html[data-ready=yes]").wait_for()
            page.evaluate(WATCH)
            found = timed(page, session, presser, keys)
            for what in ("cpu", "wait", "task"):
                values = [getattr(each, what) for each in found]
                middle, worst = statistics.median(values), max(values)
                sys.stdout.write(f"{name:16} {what:4}  median {middle:6.0f} ms, worst {worst:6.0f} ms\n")
        nodes = page.evaluate("document.querySelectorAll('*').length")
        sys.stdout.write(f"{nodes} elements in the page\n")
        browser.close()


if __name__ == "__main__":
    main()
