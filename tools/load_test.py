"""The table under load: the real server, a crowd of players and open pages beside it, and hard kills if wanted.

    tools/load_test.py                          200 tables, 800 pages, 50 actions a second for two minutes
    tools/load_test.py --kill 10                the same, the server killed by SIGKILL ten times on the way
    tools/load_test.py --lobby                  with a thousand open tables, ten thousand finished games and their visitors
    tools/load_test.py --postgres               on a PostgreSQL of its own

Every table is one of friends, in mid-game at a place of its own, with the seats' tokens; the games are played beforehand.
An action counts as answered when its answer is read, a page as told when its event stream has the number, and as drawn when
it has what it had not got of the new position: sent by the stream, or fetched where that does not fit, as at first. Status 1 if
an action was lost or doubled; figures beyond their aims are marked and change no status, since they depend on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PROJECT / "src"), str(PROJECT), str(PROJECT / "tools")]

import msgspec  # noqa: E402  after the path is set

from load_clients import Finding, Order, Spot  # noqa: E402  it lies beside this file
from load_lobby import furnish  # noqa: E402  it lies beside this file

AIMS = {
    "answered, median": 50.0,
    "answered, p99": 250.0,
    "told, p99": 500.0,
    "drawn, p99": 500.0,
}  # milliseconds (issue 6, part 9)
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (("18rhl", {"edition": 2}), ("18lra", {}), ("18ruhr", {}), ("18do", {}))
NAMES = ("Ada", "Bert", "Cleo")
LONGEST = 500  # actions of a script
BYTECODE = str(Path(tempfile.gettempdir()) / "trajekt-load-bytecode")
START = 60.0  # seconds in which a server must answer


def played(game: str, options: dict[str, Any], seed: int) -> Any:
    """A game of three bots at random, up to `LONGEST` actions."""
    from trajekt import new_game
    from trajekt.bots.bot import make_bot, next_move

    made = new_game(game, NAMES, options, seed)
    players = [make_bot("random", random.Random(seed * 10 + seat)) for seat in range(len(NAMES))]
    rng = random.Random(seed)
    while not made.finished and made.number < LONGEST:
        found = next_move(made.ruleset, made.state, players, rng)
        if found is None:
            break
        made.play(found[1].action, found[0])
    return made


def scripts(seeds: int = 2) -> dict[str, Any]:
    """Games played, by name."""
    return {f"{game} {seed}": played(game, options, seed) for seed in range(1, seeds + 1) for game, options in GAMES}


def furnished(url: str, tables: int, games: dict[str, Any], ahead: int, entries: int | None = None) -> list[Spot]:
    """Tables of friends stored in a fresh database, each in mid-game with at least `ahead` actions to come, or after so many
    `entries`.
    """
    from trajekt.round_label import round_key
    from trajekt.server.storage.game_cache import game_row, row_of
    from trajekt.server.storage.seats import open_seats
    from trajekt.server.storage.secret_tokens import digest, new_token
    from trajekt.server.storage.store import Store

    store = Store(url)
    store.migrate()
    rng, spots = random.Random(1), []
    long_enough = [name for name, game in games.items() if game.number > ahead]
    assert long_enough, f"no game has {ahead} actions: fewer seconds, a smaller rate or more tables"
    rows = {name: tuple(row_of(entry) for entry in games[name].entries) for name in long_enough}
    for n in range(tables):
        name = long_enough[n % len(long_enough)]
        game, watch, id_ = games[name], new_token(), f"load{n:06}"
        start = rng.randrange(game.number - ahead) if entries is None else entries
        row = game_row(id_, game.at(start))
        moment = round_key(game.state_at(start))
        store.create(msgspec.structs.replace(row, watch_hash=digest(watch), moment=moment), rows[name][:start])
        seats = open_seats(store, id_, tuple(range(len(NAMES))))
        spots.append(Spot(id_, start, name, tuple(seats[seat] for seat in sorted(seats)), watch))
    store.close()
    return spots


def free_port() -> int:
    """A port that nobody listens on, below those that a client is given: else a client that tries again and again while the
    server is down may come to be connected with itself, and keeps the port.
    """
    for port in random.Random().sample(range(15_000, 30_000), 50):
        with socket.socket() as found:
            try:
                found.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


@dataclass(eq=False)
class ServerUnderTest:
    """`trajekt serve`, started and killed as a whole group of processes."""

    url: str
    port: int
    options: tuple[str, ...] = ()
    """More words of `trajekt serve`."""
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> float:
        """Start it; answers the seconds until it answers."""
        began = time.perf_counter()
        code = "from trajekt.cli import main; main()"
        wanted = ["serve", "--port", str(self.port), "--db", self.url, "--no-browser", *self.options]
        # as where it is installed, the server finds its bytecode: to compile it takes longer than the rest of a start
        environment = {**os.environ, "PYTHONPATH": str(PROJECT / "src"), "PYTHONPYCACHEPREFIX": BYTECODE}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *wanted], env=environment, stdout=subprocess.DEVNULL, start_new_session=True
        )
        while time.perf_counter() - began < START:
            assert self.process.poll() is None, "the server has ended"
            try:
                with socket.create_connection(("127.0.0.1", self.port), 2) as wire:
                    wire.sendall(b"GET /static/icon.svg HTTP/1.0\r\n\r\n")
                    if wire.recv(64).startswith(b"HTTP/1.1 200"):
                        return time.perf_counter() - began
            except OSError:
                time.sleep(0.02)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """End every process of the server at once, without a chance to tidy up."""
        if self.process is not None:
            with suppress(ProcessLookupError):  # it has ended by itself
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def told_by_the_system(self, name: str) -> str:
        """A file of Linux about the server's first process; OSError on other systems."""
        assert self.process is not None
        return Path(f"/proc/{self.process.pid}/{name}").read_text()

    def cpu(self) -> float:
        """Seconds of processor time that the server's first process has used, where the system tells."""
        try:
            fields = self.told_by_the_system("stat").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Megabytes that the server's first process holds, 0 where the system does not tell."""
        try:
            lines = self.told_by_the_system("status").splitlines()
        except OSError:
            return 0
        return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS")), 0)

    def open_files(self) -> int:
        """The number of file descriptors that the server's first process holds, 0 where the system does not tell."""
        assert self.process is not None
        with suppress(OSError):
            return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))
        return 0


@contextmanager
def database(wanted: str | None, postgres: bool) -> Iterator[str]:
    """The database named, a PostgreSQL of our own, or an SQLite file in a temporary folder."""
    if wanted is not None:
        yield wanted
        return
    with tempfile.TemporaryDirectory(prefix="load-") as folder:
        if not postgres:
            yield f"sqlite:///{folder}/tables.db"
            return
        from tests.server.postgres import cluster

        with cluster(Path(folder), fsync=True) as address:
            yield address


def tell(process: subprocess.Popen[str], line: str) -> None:
    """Send a line to a process of players and pages."""
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()


def heard(process: subprocess.Popen[str]) -> str:
    """The next line that it says."""
    assert process.stdout is not None
    return process.stdout.readline()


@contextmanager
def crowds(orders: Sequence[Order]) -> Iterator[list[subprocess.Popen[str]]]:
    """The processes of players and pages, each with its order, all pages open."""
    made = [
        subprocess.Popen(
            [sys.executable, str(PROJECT / "tools" / "load_clients.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(PROJECT / "src")},
        )
        for _ in orders
    ]
    try:
        for process, order in zip(made, orders, strict=True):
            tell(process, msgspec.json.encode(order).decode())
        for process in made:
            assert heard(process).strip() == "ready", "the pages cannot be opened"
        yield made
    finally:
        for process in made:
            process.kill()
            process.communicate()


@contextmanager
def beside(script: str, address: str, seconds: float, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A process of a script that visits or attacks a server for so many seconds and then says what came of it."""
    words = [sys.executable, str(Path(__file__).with_name(script)), address, "--seconds", str(seconds), *more]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def joined(found: Sequence[Finding]) -> Finding:
    """The findings of all processes as one."""
    whole = Finding()
    for each in found:
        for name in whole.__struct_fields__:
            setattr(whole, name, getattr(whole, name) + getattr(each, name))
    return whole


def at(values: Sequence[float], share: float) -> float:
    """The value below which a share of all lies, in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def orders_of(wanted: argparse.Namespace, address: str, spots: Sequence[Spot], games: dict[str, Any]) -> list[Order]:
    """The tables dealt out to the client processes."""
    bodies = {
        name: tuple(
            msgspec.Raw(msgspec.json.encode({"action": entry.action, "seat": entry.seat})) for entry in game.entries
        )
        for name, game in games.items()
    }
    pages, n = max(1, wanted.pages // wanted.tables), wanted.clients
    return [
        Order(address, tuple(spots[k::n]), bodies, pages, wanted.rate / n, wanted.seconds, wanted.fetch, seed=k)
        for k in range(n)
    ]


def run(wanted: argparse.Namespace) -> dict[str, Any]:
    """The whole: furnish, start, play, kill, compare."""
    games = scripts(1 if wanted.tables < 20 else 2)
    ahead = int(2 * wanted.rate * wanted.seconds / wanted.tables) + 10
    with ExitStack() as stack:
        url = stack.enter_context(database(wanted.db, wanted.postgres))
        spots = furnished(url, wanted.tables, games, ahead)
        if wanted.lobby:
            furnish(url)
        server = ServerUnderTest(url, free_port())
        stack.callback(server.kill)
        server.start()
        before = os.getloadavg()[0]
        made = stack.enter_context(crowds(orders_of(wanted, server.address, spots, games)))
        began, worked = time.perf_counter(), server.cpu()
        for process in made:
            tell(process, "go")
        hostile, visitors = (
            stack.enter_context(beside(script, server.address, wanted.seconds, *more)) if asked else None
            for script, asked, more in (
                ("attack.py", wanted.attack, ("--ways", wanted.attack) if wanted.attack != "all" else ()),
                ("load_lobby.py", wanted.lobby, ()),
            )
        )
        back = []
        for n in range(wanted.kill):
            due = began + (n + 1) * wanted.seconds / (wanted.kill + 1)
            time.sleep(max(0.0, due - time.perf_counter()))
            server.kill()
            back.append(server.start())
        time.sleep(max(0.0, began + wanted.seconds - time.perf_counter()))
        worked, memory = server.cpu() - worked, server.memory()
        turned = {} if hostile is None else json.loads(hostile.communicate(timeout=120)[0])
        visited = {} if visitors is None else json.loads(visitors.communicate(timeout=120)[0])
        found = joined([msgspec.json.decode(heard(process), type=Finding) for process in made])
    return {
        "database": "PostgreSQL" if not url.startswith("sqlite") else "SQLite",
        "tables": wanted.tables,
        "pages": len(spots) * max(1, wanted.pages // wanted.tables),
        "seconds": wanted.seconds,
        "load average": [round(before, 2), round(os.getloadavg()[0], 2)],
        "actions": found.acknowledged,
        "actions a second": round(found.acknowledged / wanted.seconds, 1),
        "late": found.late,
        "double clicks": found.doubled,
        "complaints": found.complaints,
        "attack": turned,
        "visits": {
            kind: {"number": len(took), "median": at(took, 0.5), "p99": at(took, 0.99), "worst": at(took, 1.0)}
            for kind, took in sorted(visited.items())
        },
        "answered": len(found.answers),
        "answered, median": at(found.answers, 0.5),
        "answered, p99": at(found.answers, 0.99),
        "answered, worst": at(found.answers, 1.0),
        "told": len(found.tellings),
        "told, median": at(found.tellings, 0.5),
        "told, p99": at(found.tellings, 0.99),
        "told, worst": at(found.tellings, 1.0),
        "drawn": len(found.drawings),
        "drawn, median": at(found.drawings, 0.5),
        "drawn, p99": at(found.drawings, 0.99),
        "drawn, worst": at(found.drawings, 1.0),
        "sent": len(found.sent),
        "bytes sent": round(sum(found.sent) / max(1, len(found.sent))),
        "fetched": len(found.fetched),
        "bytes a fetch": round(sum(found.fetched) / max(1, len(found.fetched))),
        "server busy": None if wanted.kill else round(worked / wanted.seconds, 2),
        "ms of processor an action": None if wanted.kill else round(1000 * worked / max(1, found.acknowledged), 1),
        "server MB": memory,
        "kills": wanted.kill,
        "back after": [round(seconds, 2) for seconds in back],
        "sent again": found.again,
        "stored unheard": found.stored,
        "pages reconnected": found.lost_pages,
    }


def show(said: dict[str, Any]) -> None:
    """The result for people: figure, aim, and how much of the aim is used."""
    print(f"{said['tables']} tables, {said['pages']} pages, {said['database']}")
    print(f"load average of the machine {said['load average'][0]} before, {said['load average'][1]} after\n")
    print(f"{'':<26}{'figure':>12}{'aim':>10}{'of aim':>10}")
    timed = [name for name in said if name.endswith(("median", "p99", "worst")) and said[name.partition(",")[0]] != 0]
    for name in timed:
        aim = AIMS.get(name)
        ratio = (
            "" if aim is None or said["kills"] else f"{said[name] / aim:>9.0%}{'' if said[name] <= aim else '  BEYOND'}"
        )
        print(f"{name:<26}{said[name]:>9.1f} ms{'' if aim is None else f'{aim:>7.0f} ms':>10} {ratio}")
    names = ["actions", "actions a second", "late", "double clicks", "told", "drawn"]
    names += ["sent", "bytes sent", "fetched", "bytes a fetch"]
    names += ["server busy", "ms of processor an action", "server MB"]
    names += ["kills", "back after", "sent again", "stored unheard", "pages reconnected"] if said["kills"] else []
    for name in names:
        print(f"{name:<26}{said[name]!s:>12}")
    for kind, took in said["visits"].items():
        figures = "  ".join(f"{name} {took[name]:.1f} ms" for name in ("median", "p99", "worst"))
        print(f"  {kind:<22}{took['number']:>6}  {figures}")
    for name, count in said["attack"].items():
        print(f"  attack, {name:<16}{count:>12}")
    print(f"{'lost or doubled':<26}{len(said['complaints']):>12}")
    for text in said["complaints"][:20]:
        print(f"  {text}")


def main() -> int:
    """Measure; status 1 if anything was lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--pages", type=int, default=800, help="open pages in all, dealt evenly to the tables")
    parser.add_argument("--rate", type=float, default=50.0, help="actions a second in all")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--kill", type=int, default=0, metavar="N", help="kill the server hard N times on the way")
    parser.add_argument(
        "--attack",
        nargs="?",
        const="all",
        metavar="WAYS",
        help="attack from one other address meanwhile (`tools/attack.py`)",
    )
    parser.add_argument(
        "--lobby", action="store_true", help="a thousand open tables, ten thousand finished games, and their visitors"
    )
    parser.add_argument("--clients", type=int, default=1, help="processes of players and pages")
    parser.add_argument(
        "--fetch", type=float, default=1.0, help="share of pages that show what is new; the others are only told"
    )
    parser.add_argument("--postgres", action="store_true", help="start a PostgreSQL of its own in a temporary folder")
    parser.add_argument("--db", default=None, metavar="URL", help="an EMPTY database to use")
    parser.add_argument("--json", action="store_true", help="one document on standard output")
    wanted = parser.parse_args()
    said = run(wanted)
    if wanted.json:
        print(msgspec.json.format(msgspec.json.encode(said), indent=2).decode())
    else:
        show(said)
    return 1 if said["complaints"] or said["actions"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
