#!/usr/bin/env python3
"""What grows with the number of tables: *My tables* of a busy person, a backup of many tables, and its restore beside play.

    tools/scale_test.py                         a person with 500 tables; 1,000 tables of 200 entries saved and taken in
    tools/scale_test.py --postgres              taken in on a PostgreSQL of its own, beside a server on which somebody plays

On SQLite a restore beside a running server is refused, so the server is stopped for it there. Times are those of the processor,
and beside them those of the clock, which depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]

import msgspec  # noqa: E402  after the path is set

from load_test import NAMES, PROJECT, ServerUnderTest, at, database, free_port, furnished, scripts  # noqa: E402  beside this file

ENTRIES = 200  # of each table that is saved
LOOKS = 20  # at *My tables*
PAUSE = 0.1  # seconds between two actions of who plays meanwhile


class Client:
    """A browser: it keeps its cookie."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""

    def ask(self, method: str, path: str, value: object | None = None) -> bytes:
        """One request that must succeed; who is told to wait a little does so."""
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"cookie": self.cookie} if self.cookie else {}
        if value is not None:
            headers["content-type"] = "application/json"
        wire.request(method, path, None if value is None else msgspec.json.encode(value), headers)
        answer = wire.getresponse()
        said = answer.read()
        wire.close()
        if answer.status == 429:
            time.sleep(float(answer.headers["retry-after"]))
            return self.ask(method, path, value)
        assert answer.status < 400, (method, path, said[:200])
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0] or self.cookie
        return said


def my_tables(server: ServerUnderTest, count: int) -> tuple[int, float]:
    """The tables listed of somebody who has so many, and the processor time of the server for a look, in milliseconds."""
    client = Client(server.port)
    client.ask("POST", "/me", {"name": "Busy", "passcode": "a long passcode"})
    new = {"game": "18rhl", "players": list(NAMES), "friends": True, "you": NAMES[0]}
    for _ in range(count):
        client.ask("POST", "/tables", new)
    page = client.ask("GET", "/me")
    before = server.cpu()
    for _ in range(LOOKS):
        client.ask("GET", "/me")
    return page.count(b'href="/t/'), 1000 * (server.cpu() - before) / LOOKS


def command(*words: str) -> tuple[float, float]:
    """Processor time and time of a command of ours, in seconds."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    run = [sys.executable, "-c", "from trajekt.cli import main; main()", *words]
    subprocess.run(run, check=True, env={**os.environ, "PYTHONPATH": str(PROJECT / "src")}, stdout=subprocess.DEVNULL)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - began


@contextmanager
def played(server: ServerUnderTest) -> Iterator[list[float]]:
    """Somebody plays meanwhile; the list has the seconds until each action was answered."""
    client, took, over = Client(server.port), list[float](), threading.Event()
    table = msgspec.json.decode(client.ask("POST", "/tables", {"game": "18rhl", "players": list(NAMES)}))["address"]

    def play() -> None:
        for number in itertools.count():
            if over.wait(PAUSE):
                return
            began = time.perf_counter()
            way, sent = ("undo", {}) if number % 2 else ("redo", {})
            if number == 0:
                way, sent = "actions", {"action": {"kind": "bid", "private": 2, "amount": 35}}
            client.ask("POST", f"{table}/{way}", {"number": number, **sent})
            took.append(time.perf_counter() - began)

    player = threading.Thread(target=play)
    player.start()
    try:
        yield took
    finally:
        over.set()
        player.join()


def main() -> int:
    """Measure and tell; status 1 where something fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mine", type=int, default=500, help="tables of the busy person")
    parser.add_argument("--tables", type=int, default=1000, help="tables that are saved and taken in")
    parser.add_argument("--postgres", action="store_true", help="take them in on a PostgreSQL of its own, beside play")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, database(None, postgres=wanted.postgres) as url:
        server = ServerUnderTest(url, free_port())
        server.start()
        try:
            listed, each = my_tables(server, wanted.mine)
            print(f"my tables: {listed} listed, {each:.1f} ms of processor time", flush=True)
            full, file = f"sqlite:///{folder}/full.db", f"{folder}/backup.gz"
            games = {name: game for name, game in scripts(1).items() if game.number > ENTRIES}
            furnished(full, wanted.tables, games, 1, ENTRIES)
            spent, whole = command("backup", file, "--db", full)
            print(
                f"backup of {wanted.tables} tables with {ENTRIES} entries: {spent:.1f} s of processor time, {whole:.1f} s"
            )
            if not wanted.postgres:
                server.kill()
                spent, whole = command("restore", file, "--db", url)
                print(f"restored: {spent:.1f} s of processor time, {whole:.1f} s")
                return 0
            with played(server) as alone:
                time.sleep(5)
            with played(server) as beside:
                spent, whole = command("restore", file, "--db", url)
            print(f"restored beside play: {spent:.1f} s of processor time, {whole:.1f} s")
            for what, took in (("before", alone), ("beside it", beside)):
                print(
                    f"actions {what}: {len(took)}, {at(took, 0.5):.0f} ms in the median, {at(took, 1.0):.0f} ms at worst"
                )
        finally:
            server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
