"""Starting and stopping: ports, databases, and a server killed in the middle of play that has lost nothing."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest
import uvicorn

from tests import started_processes
from tests.server.loops import run
from tests.server.waiting import until
from trajekt.records import from_json
from trajekt.server.http.connections import AT_ONCE, BoundedProtocol, TellingServer
from trajekt.server.http.serve import ServeError, data_folder, default_url, free_socket, serve

TABLE = {"game": "18rhl", "players": ["Ada", "Bert", "Cleo"], "options": {"edition": 2, "fixed_seats": True}, "seed": 7}


def bid(number: int) -> dict:
    """The three seats bid in turn, each raising what the last one bid."""
    return {"number": number, "seat": number % 3, "action": {"kind": "bid", "private": 2, "amount": 35 + 5 * number}}


@pytest.mark.slow
def test_killed_server_has_every_acknowledged_action(server):
    with httpx2.Client(base_url=server.address) as client:
        id_ = client.post("/tables", json=TABLE).json()["id"]
    for round_ in range(3):
        acknowledged = [httpx2.get(f"{server.address}/t/{id_}/record.json").content.count(b'"parent"')]
        first = acknowledged[0]

        def play(first: int = first, acknowledged: list[int] = acknowledged) -> None:
            with httpx2.Client(base_url=server.address) as client:
                for number in range(first, first + 25):
                    try:
                        answer = client.post(f"/t/{id_}/actions", json=bid(number))
                    except httpx2.TransportError:
                        return
                    assert answer.status_code == 200, answer.text
                    acknowledged.append(answer.json()["number"])

        player = threading.Thread(target=play)
        player.start()
        while len(acknowledged) < 2 + round_ and player.is_alive():
            time.sleep(0.01)
        server.kill()
        player.join()
        server.start()
        data = httpx2.get(f"{server.address}/t/{id_}/record.json").content
        game = from_json(data)
        assert acknowledged[-1] <= game.number <= acknowledged[-1] + 1, "one may be stored and not yet acknowledged"
        assert len(acknowledged) > 1
        assert [e.number for e in game.entries] == list(range(1, game.number + 1))


HOLES = """
from pathlib import Path
from trajekt.server.http.serve import share_heaps

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

share_heaps()
bytearray(b"x" * 4_000_000).clear()
before, blocks, between = resident(), [], []
for _ in range(10):
    blocks.append(b"x" * 4_000_000)
    between.append(bytes(50_000))
blocks.clear()
print(resident() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells the memory so")
def test_large_blocks_are_given_back():
    """Whole pages and files that came in leave no holes: under an attack memory stays where it was."""
    done = subprocess.run([sys.executable, "-c", HOLES], capture_output=True, text=True, check=True, env=os.environ)
    assert int(done.stdout) < 10_000_000


def answers(address: str) -> bool:
    try:
        return httpx2.get(address, timeout=5).status_code == 200
    except httpx2.TransportError:
        return False


@pytest.mark.slow
def test_start_and_stop_are_told(tmp_path):
    """The journal has the lines at once, not when a buffer is full."""
    words = ["serve", "--no-browser", "--port", "0", "--db", str(tmp_path / "tables.db")]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with (tmp_path / "journal").open("wb") as journal:
        process = subprocess.Popen(
            [sys.executable, "-m", "trajekt", *words], stdout=journal, stderr=journal, env=environment
        )
    started_processes.note(process.pid)
    try:
        begun = until(lambda: re.search(r"(http://localhost:\d+/)", (tmp_path / "journal").read_text()), 60)
        until(lambda: answers(begun[1] + "static/icon.svg"), 60)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)
    said = (tmp_path / "journal").read_text()
    assert "The table is at http://localhost:" in said
    assert re.search(r"trajekt \S+, Python \S+, schema \d{4}, letters: off", said)
    assert said.rstrip().endswith("stopped")


@pytest.mark.slow
def test_stop_is_quick_with_open_page(server):
    with httpx2.Client(base_url=server.address) as client:
        id_ = client.post("/tables", json=TABLE).json()["id"]
        with client.stream("GET", f"/t/{id_}/events") as stream:
            lines = stream.iter_lines()
            assert next(line for line in lines if line.startswith("data:")) == "data: 0"
            httpx2.post(f"{server.address}/t/{id_}/actions", json=bid(0))
            assert next(line for line in lines if line.startswith("id:")) == "id: 1"
            before = time.monotonic()
            server.stop()
            assert time.monotonic() - before < 10
    said = server.said.read_text()
    assert said.rstrip().endswith("stopped")
    assert "ERROR" not in said, "an open page is no fault"


def test_crowd_waits_for_a_starting_server():
    limit = Path("/proc/sys/net/core/somaxconn")
    count = min(600, int(limit.read_text()) if limit.exists() else 100)
    with free_socket("127.0.0.1", 0) as listening, ExitStack() as crowd:
        for _ in range(count):  # nobody answers yet: who finds no room is let alone for 1, 3, 7, ... seconds
            crowd.enter_context(socket.create_connection(listening.getsockname(), 5))


async def taken_by_turn(count):
    """How many of `count` connections that wait are taken in each turn of the event loop."""
    turn, taken = 0, Counter()

    class Counted(BoundedProtocol):
        def connection_made(self, transport):
            taken[turn] += 1
            super().connection_made(transport)

    async def unasked(_scope, _receive, _send):
        raise AssertionError

    with free_socket("127.0.0.1", 0) as listening, ExitStack() as crowd:
        server = TellingServer(uvicorn.Config(unasked, http=Counted, lifespan="off", log_config=None), print, count)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:  # noqa: ASYNC110  uvicorn has no event for it
            await asyncio.sleep(0)
        for _ in range(count):  # this keeps the loop, so that all of them wait
            crowd.enter_context(socket.create_connection(listening.getsockname(), 5))
        while taken.total() < count:
            turn += 1
            await asyncio.sleep(0)
        server.should_exit = True
        await serving
    return taken.values()


def test_connections_are_taken_few_at_once():
    taken = run(taken_by_turn(100))
    assert max(taken) <= AT_ONCE, "who opens hundreds at once keeps nobody's requests waiting"
    assert sum(taken) == 100


def test_taken_port_yields_the_next():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with free_socket("127.0.0.1", port) as found:
            assert port < found.getsockname()[1] < port + 20


@pytest.mark.parametrize(
    ("host", "port"), [("203.0.113.1", 8018), ("127.0.0.1", 70000), ("no.such.host.invalid", 8018)]
)
def test_unusable_listening_place_is_named(host, port):
    with pytest.raises(ServeError):
        free_socket(host, port)


@pytest.mark.parametrize("url", ["sqlite:////proc/none/x.db", "strange://host/db", "postgresql+nodriver://x/y"])
def test_unopenable_database_is_named(url):
    with pytest.raises(ServeError, match="cannot open the database"):
        serve(port=0, db=url, browser=False, say=lambda _line: None)


def test_file_that_is_no_database_named(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("no database " * 200)
    with pytest.raises(ServeError, match="cannot open the database"):
        serve(port=0, db=f"sqlite:///{path}", browser=False, say=lambda _line: None)
    assert path.read_text().startswith("no database")


def test_user_games_lie_in_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("TRAJEKT_DATA", str(tmp_path / "here"))
    assert data_folder() == tmp_path / "here"
    assert default_url() == f"sqlite:///{(tmp_path / 'here' / 'tables.db').as_posix()}"
    monkeypatch.delenv("TRAJEKT_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert data_folder() == tmp_path / "trajekt"
