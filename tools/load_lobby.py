#!/usr/bin/env python3
"""Visitors of a lobby of a thousand open tables and of ten thousand finished games (`tools/load_test.py --lobby`).

    tools/load_lobby.py http://127.0.0.1:8018 --seconds 60

Some look at pages at a steady rate; others leave the lobby open and read its list again whenever it has changed, as the page
does; one sits down and leaves. It says how long each kind of answer took, in seconds.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from urllib.parse import urlsplit

OPEN_TABLES, FINISHED = 1_000, 10_000
PLACES = {
    "lobby": ("/lobby", "/lobby?game=18do&pace=week", "/lobby?seats=3&page=9"),
    "lobby as JSON": ("/lobby.json", "/lobby.json?game=18rhl&language=de"),
    "games": ("/games", "/games?player=Player+7", "/games?game=18lra&since=1970-01-02&page=20"),
    "start page": ("/",),
}
RATE = 8.0  # pages a second in all
PAGES = 40  # that leave the lobby open
CHURN = 2.0  # seconds between two changes of the lobby
SETTLE = 0.5, 2.0  # seconds after a change in which an open page reads the list again
TITLES = ("18rhl", "18lra", "18ruhr", "18do")


def furnish(url: str) -> None:
    """Store open tables and finished games in a database that is migrated."""
    from trajekt.server.storage.schema import GAMES, OPEN_SEATS, PEOPLE, RESULTS
    from trajekt.server.storage.schema import OPEN_TABLES as TABLES
    from trajekt.server.storage.store import Store

    rng, now, store = random.Random(1), time.time(), Store(url)
    people = [{"id": f"visitor{n}", "links": 0, "created": now, "banned": False} for n in range(OPEN_TABLES)]
    tables, seats, games, results = [], [], [], []
    for n in range(OPEN_TABLES):
        id_, at = f"open{n:012}", now - n
        tables.append(
            {
                "id": id_, "title": TITLES[n % 4], "options": "{}", "least": 3, "most": 4 + n % 2, "pace": (0, 3, 7)[n % 3],
                "language": ("de", "en", "")[n % 3], "sentence": "Newcomers welcome, we explain as we go " * 2, "listed": True,
                "accounts": False, "host": f"visitor{n}", "taken": 1, "revision": 0, "created": at, "changed": now,
                "game": None,
            }
        )  # fmt: skip
        seats.append({"open_table": id_, "person": f"visitor{n}", "name": f"Host {n}", "language": "de", "since": at})
    for n in range(FINISHED):
        id_, names = f"done{n:06}", [f"Player {rng.randrange(500)}" for _ in range(3 + n % 3)]
        games.append(
            {
                "id": id_, "title": TITLES[n % 4], "options": "{}", "names": json.dumps(names), "seed": n, "ruleset": "",
                "components": "", "set_up": "[]", "number": 400, "moment": "", "finished": True, "created": now - 60.0 * n,
                "changed": now - 60.0 * n, "revision": 0, "awaited": "", "hidden": False,
            }
        )  # fmt: skip
        results += [
            {
                "game": id_, "seat": seat, "title": TITLES[n % 4], "players": len(names), "name": name,
                "folded": name.casefold(), "bot": None, "total": rng.randrange(1000, 9000), "rank": seat + 1,
            }
            for seat, name in enumerate(names)
        ]  # fmt: skip
    with store.begin() as connection:
        for table, rows in (
            (PEOPLE, people),
            (TABLES, tables),
            (OPEN_SEATS, seats),
            (GAMES, games),
            (RESULTS, results),
        ):
            connection.execute(table.insert(), rows)
    store.close()


@dataclass
class Visitors:
    """Visitors of a server, and how long each kind of answer took."""

    host: str
    port: int
    until: float
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    changes: int = 0

    def going(self) -> bool:
        return time.monotonic() < self.until

    def ask(self, kind: str, path: str, body: object = None, cookie: str = "") -> str:
        """One request; answers the cookie that it sets."""
        began = time.perf_counter()
        line = http.client.HTTPConnection(self.host, self.port, timeout=90)
        headers = {"Accept-Language": "de", **({"Cookie": cookie} if cookie else {})}
        try:
            if body is None:
                line.request("GET", path, headers=headers)
            else:
                line.request("POST", path, json.dumps(body), headers | {"Content-Type": "application/json"})
            answer = line.getresponse()
            answer.read()
        finally:
            line.close()
        assert answer.status < 400, (path, answer.status)
        self.took[kind].append(time.perf_counter() - began)
        return (answer.getheader("set-cookie") or "").partition(";")[0]

    def look(self, seed: int, rate: float) -> None:
        """Look at one page after the other."""
        rng = random.Random(seed)
        while self.going():
            time.sleep(rng.expovariate(rate))
            kind = rng.choice(list(PLACES))
            self.ask(kind, rng.choice(PLACES[kind]))

    def stay(self, seed: int) -> None:
        """Leave the lobby open: read its list again after each change."""
        rng = random.Random(seed)
        line = http.client.HTTPConnection(self.host, self.port, timeout=max(self.until - time.monotonic(), 0.1) + 5)
        line.request("GET", "/lobby/events")
        stream = line.getresponse()
        due = 0.0
        while self.going():
            if stream.readline().startswith(b"event: changed") and time.monotonic() > due:
                wait = rng.uniform(*SETTLE)
                due = time.monotonic() + wait
                time.sleep(wait)
                self.ask("list of an open page", "/lobby/list")
        line.close()

    def sit(self) -> None:
        """Sit down and leave again, so that the lobby changes."""
        cookie, n = "", 0
        while self.going():
            time.sleep(CHURN)
            place = f"/lobby/open{n % OPEN_TABLES:012}"
            cookie = self.ask("sat down", f"{place}/sit", {"name": "Churn"}, cookie) or cookie
            time.sleep(CHURN)
            self.ask("left", f"{place}/leave", {}, cookie)
            n, self.changes = n + 7, self.changes + 2


def visit(address: str, seconds: float) -> dict[str, list[float]]:
    """Visit a server; answers the seconds of each kind of answer."""
    parts = urlsplit(address)
    first = Visitors(parts.hostname or "127.0.0.1", parts.port or 80, 0.0)
    for kind, paths in PLACES.items():  # what a process draws once and keeps
        first.ask(kind, paths[0])
    made = Visitors(parts.hostname or "127.0.0.1", parts.port or 80, time.monotonic() + seconds)
    works = (
        [(made.look, (n, RATE / 4)) for n in range(4)] + [(made.stay, (n,)) for n in range(PAGES)] + [(made.sit, ())]
    )
    threads = [threading.Thread(target=work, args=words, daemon=True) for work, words in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 30)
    return dict(made.took)


def main() -> None:
    """Visit, and write the times as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--seconds", type=float, default=60.0)
    wanted = parser.parse_args()
    print(json.dumps(visit(wanted.address, wanted.seconds)))


if __name__ == "__main__":
    main()
