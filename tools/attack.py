#!/usr/bin/env python3
"""One hostile address: all that a stranger may try at a server, each as fast as it is let (`tools/load_test.py --attack`).

    tools/attack.py http://127.0.0.1:8018 --seconds 60
    tools/attack.py http://127.0.0.1:8018 --ways pages,searches

It comes from 127.0.0.2, which is counted as a stranger's address. It says how often it was let in and turned away, by way.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlsplit

FROM = ("127.0.0.2", 0)
PAUSE = (
    0.02  # seconds between two requests of a way, so that the attacker takes less of a shared machine than the server
)
TABLE = {"game": "18rhl", "players": ["A", "B", "C"]}
JUNK = b'{"x":[' + b"{}," * (4 * 2**20 // 3 - 10) + b"0]}"
HALVES, STREAMS = 350, 250


@dataclass
class Attack:
    """The attacked server, and what came of each way."""

    host: str
    port: int
    until: float
    table: str = ""
    said: Counter[str] = field(default_factory=Counter)

    def going(self) -> bool:
        return time.monotonic() < self.until

    def ask(self, way: str, method: str, path: str, body: bytes | None = None) -> bytes:
        """One request; its status is counted."""
        line = http.client.HTTPConnection(self.host, self.port, timeout=30, source_address=FROM)
        try:
            line.request(method, path, body, {"Content-Type": "application/json"} if body is not None else {})
            answer = line.getresponse()
            data = answer.read()
            self.said[f"{way} {answer.status}"] += 1
        except (OSError, http.client.HTTPException):
            self.said[f"{way} cut off"] += 1
            return b""
        finally:
            line.close()
        if answer.status == 429:
            time.sleep(0.2)
        return data

    def post(self, way: str, path: str, value: object) -> bytes:
        return self.ask(way, "POST", path, json.dumps(value).encode())

    # The ways: one request each, again and again ----------------------------------------------------------------------

    def tables(self) -> None:
        self.post("tables", "/tables", TABLE)

    def copies(self) -> None:
        self.post("copies", f"/t/{self.table}/try", {})

    def imports(self) -> None:
        self.ask("imports", "POST", "/tables/import", JUNK)

    def pages(self) -> None:
        self.ask("pages", "GET", f"/t/{self.table}")

    def start_page(self) -> None:
        self.ask("start page", "GET", "/")

    def prints(self) -> None:
        self.ask("print", "GET", f"/t/{self.table}/print")

    def searches(self) -> None:
        self.post("searches", f"/t/{self.table}/better", {"number": 0})

    def guesses(self) -> None:
        self.post("guesses", "/me/in", {"name": f"name {time.monotonic_ns()}", "passcode": "wrong"})

    def unreadable(self) -> None:
        self.ask("unreadable", "POST", f"/t/{self.table}/actions", b"[" * 60_000)

    def halves(self) -> None:
        """Requests whose headers never end, held as long as the server lets."""
        with self.held(HALVES, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ") as lines:
            while self.going() and lines:
                time.sleep(1)
                for line in list(lines):
                    try:
                        line.send(b"x")
                    except OSError:
                        lines.remove(line)
                        self.said["halves cut off"] += 1

    def streams(self) -> None:
        """Event streams that nobody reads."""
        with self.held(STREAMS, f"GET /t/{self.table}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()):
            while self.going():
                time.sleep(0.5)

    @contextlib.contextmanager
    def held(self, count: int, words: bytes) -> Iterator[list[socket.socket]]:
        """Many connections that have said the same, closed at the end."""
        lines: list[socket.socket] = []
        try:
            for _ in range(count):
                with contextlib.suppress(OSError):
                    lines.append(socket.create_connection((self.host, self.port), 5, FROM))
                    lines[-1].sendall(words)
            yield lines
        finally:
            for line in lines:
                line.close()

    def run(self, way: Callable[[], None]) -> None:
        while self.going():
            way()
            time.sleep(PAUSE)


WAYS = (
    Attack.tables, Attack.copies, Attack.imports, Attack.pages, Attack.start_page, Attack.prints, Attack.searches,
    Attack.guesses, Attack.unreadable, Attack.halves, Attack.streams,
)  # fmt: skip


def attack(address: str, seconds: float, names: Collection[str]) -> dict[str, int]:
    """Attack a server by the ways named, at once; answers how often each had which answer."""
    parts = urlsplit(address)
    made = Attack(parts.hostname or "127.0.0.1", parts.port or 80, time.monotonic() + seconds)
    made.table = json.loads(made.post("tables", "/tables", TABLE))["id"]
    threads = [threading.Thread(target=made.run, args=(partial(way, made),)) for way in WAYS if way.__name__ in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return dict(sorted(made.said.items()))


def main() -> None:
    """Attack, and write the answers as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument(
        "--ways", default=",".join(way.__name__ for way in WAYS), help="which, with commas between (all)"
    )
    wanted = parser.parse_args()
    print(json.dumps(attack(wanted.address, wanted.seconds, wanted.ways.split(","))))


if __name__ == "__main__":
    main()
