#!/usr/bin/env python3
"""The table under coming and going: memory and open files of a real server while tables, pages and people come and leave.

    tools/churn_test.py --minutes 20

Each visitor opens a table, looks at its pages, leaves a stream open, plays, undoes, plans on a copy, reads the record in again,
signs up, and goes: the account is deleted, the table stays. Memory for live games is kept small (`--cache-mb`), so that it is
full long before the first third is over; what grows after it is a leak. Status 1 where the last third needs 5 per cent and
8 MB more memory, or 20 open files more, than the second.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent)]

import msgspec  # noqa: E402  after the path is set

from load_test import NAMES, ServerUnderTest, database, free_port, scripts  # noqa: E402  it lies beside this file

CACHE_MB = 32
MORE_MB, MORE_SHARE, MORE_FILES = 8, 1.05, 20


class Visitor:
    """A browser: it keeps its cookie and one connection."""

    def __init__(self, port: int, said: Counter[str]) -> None:
        self.wire = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.said, self.cookie = said, ""

    def ask(self, method: str, path: str, value: object | None = None, data: bytes | None = None) -> bytes:
        """One request; its status is counted, and a fault of the server is an error."""
        body = data if data is not None else json.dumps(value).encode() if value is not None else None
        headers = {"cookie": self.cookie} if self.cookie else {}
        if body is not None:
            headers["content-type"] = "application/json"
        self.wire.request(method, path, body, headers)
        answer = self.wire.getresponse()
        text = answer.read()
        self.said[str(answer.status)] += 1
        assert answer.status < 500, (method, path, text[:300])
        new = answer.headers.get("set-cookie", "")
        self.cookie = new.partition(";")[0] if new else self.cookie
        return text

    def close(self) -> None:
        self.wire.close()


def visit(port: int, games: dict[str, Any], rng: random.Random, said: Counter[str]) -> None:
    """Come, play a little, and go."""
    name = rng.choice(sorted(games))
    game = games[name]
    options = game.title.plain(game.options)
    new = {"game": game.title.id, "players": list(NAMES), "options": options, "seed": game.seed}
    visitor, watcher = Visitor(port, said), http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        visitor.ask("GET", "/")
        visitor.ask("POST", "/me", {"name": f"Visitor {rng.randrange(10**9)}", "passcode": "a long passcode"})
        table = "/t/" + json.loads(visitor.ask("POST", "/tables", new))["id"]
        visitor.ask("GET", table)
        watcher.request("GET", f"{table}/events?draw=yes")
        watcher.getresponse()
        for entry in game.entries[: rng.randrange(4, 30)]:
            action = msgspec.to_builtins(entry.action)
            visitor.ask("POST", f"{table}/actions", {"number": entry.number - 1, "seat": entry.seat, "action": action})
            visitor.ask("GET", f"{table}/regions?has=none")
        for part in ("charts", "print", "state.json", "beside", "key", "tiles"):
            visitor.ask("GET", f"{table}/{part}")
        record = visitor.ask("GET", f"{table}/record.json")
        visitor.ask("POST", "/tables/import", data=record)
        visitor.ask("POST", f"{table}/try", {})
        visitor.ask("GET", "/me")
        visitor.ask("POST", "/me/delete", {"passcode": "a long passcode"})
    finally:
        watcher.close()
        visitor.close()


def grown(samples: list[tuple[float, int, int]]) -> list[str]:
    """What the last third of the time needs more than the second."""
    third = len(samples) // 3
    middle, last = samples[third : 2 * third], samples[2 * third :]
    memory = [max(mb for _, mb, _ in part) for part in (middle, last)]
    files = [max(count for _, _, count in part) for part in (middle, last)]
    found = []
    if memory[1] > memory[0] * MORE_SHARE and memory[1] > memory[0] + MORE_MB:
        found.append(f"memory grew from {memory[0]} to {memory[1]} MB")
    if files[1] > files[0] + MORE_FILES:
        found.append(f"open files grew from {files[0]} to {files[1]}")
    return found


def main() -> int:
    """Churn, print a sample now and then, and judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--visitors", type=int, default=4, help="at once")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two visits of one")
    wanted = parser.parse_args()
    games, said, faults = scripts(1), Counter[str](), []
    end = time.monotonic() + 60 * wanted.minutes
    with database(None, postgres=False) as url:
        server = ServerUnderTest(url, free_port(), ("--cache-mb", str(CACHE_MB)))
        server.start()

        def come_and_go(seed: int) -> None:
            rng = random.Random(seed)
            while time.monotonic() < end and not faults:
                try:
                    visit(server.port, games, rng, said)
                except Exception as fault:  # noqa: BLE001  told at the end
                    faults.append(repr(fault))
                time.sleep(wanted.pause)

        crowd = [threading.Thread(target=come_and_go, args=(seed,)) for seed in range(wanted.visitors)]
        for thread in crowd:
            thread.start()
        samples = []
        while any(thread.is_alive() for thread in crowd):
            time.sleep(max(0.2, min(wanted.minutes, 20.0)))
            samples.append((time.monotonic() - end + 60 * wanted.minutes, server.memory(), server.open_files()))
            print(f"{samples[-1][0]:7.0f} s {samples[-1][1]:5d} MB {samples[-1][2]:4d} files {dict(said)}", flush=True)
        server.kill()
    faults += grown(samples)
    print("\n".join(faults) or "nothing grew")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
