"""The other side of `load_test.py`: one process of players and open pages, in few instructions, since it shares the machine.

Every table has its script: the actions that were once played at it. A player submits the next one, and whoever holds a
page open is told by the event stream. After a lost connection a player sends the same submission again, as the page does:
an answer "stale" by exactly one says that it had been stored. Nothing here may forgive: what does not fit is a complaint.
"""

from __future__ import annotations

import asyncio
import random
import re
import sys
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from time import perf_counter
from urllib.parse import urlsplit

import msgspec

BACK = 0.05  # seconds before a player tries again to connect
RETRY = 3.0  # seconds after which a page comes back that was not told when, as in a browser
PATIENCE = 60.0  # seconds after which a server that does not answer has failed
OPENING = 240.0  # seconds in which all pages must be open
DOOR = 6  # pages that are opened at once
TAG = re.compile(rb'^."number":([0-9]+),"tag":"([0-9a-f]+)"')
OPENED = re.compile(rb'data-number="([0-9]+)".*id="version">[^<]*"tag": "([0-9a-f]+)"', re.DOTALL)
NEWS = re.compile(rb'^data: ."number":([0-9]+),"from":"([0-9a-f]+)","tag":"([0-9a-f]+)"')
GZIP = b"\x1f\x8b"
TWICE = 20  # every so-manieth action is sent twice at once, as by a double click


def unpacked(said: bytes) -> bytes:
    """A body as it was before it was compressed."""
    return zlib.decompress(said, zlib.MAX_WBITS | 32) if said[:2] == GZIP else said


class Spot(msgspec.Struct, frozen=True):
    """A table of the crowd: where it stands, the bodies of the actions to come, a token for each seat and one to watch."""

    id: str
    start: int
    script: str
    seats: tuple[str, ...]
    watch: str


class Order(msgspec.Struct, frozen=True):
    """What a process is to do. `fetch`: the share of pages that show what is new, from 0 to 1; the others are only told."""

    address: str
    spots: tuple[Spot, ...]
    scripts: dict[str, tuple[msgspec.Raw, ...]]
    pages: int
    rate: float
    seconds: float
    fetch: float = 1.0
    seed: int = 1


class Finding(msgspec.Struct):
    """What a process has seen; times in seconds."""

    answers: list[float] = msgspec.field(default_factory=list)
    tellings: list[float] = msgspec.field(default_factory=list)
    drawings: list[float] = msgspec.field(default_factory=list)
    """Until a page had all that it needs to show the newest move of which it was told."""
    fetched: list[int] = msgspec.field(default_factory=list)
    """Bytes on the wire of each answer to a page that asked what is new."""
    sent: list[int] = msgspec.field(default_factory=list)
    """Bytes of what pages were sent of the server's own accord."""
    acknowledged: int = 0
    doubled: int = 0
    """Double clicks of which exactly one was taken."""
    again: int = 0
    """Submissions that were sent again after a lost connection."""
    stored: int = 0
    """Of those, how many had been stored before the connection was lost."""
    late: int = 0
    """Actions that came due while every table waited for an answer."""
    lost_pages: int = 0
    complaints: list[str] = msgspec.field(default_factory=list)


@dataclass(frozen=True, slots=True)
class News:
    """What a stream says: a number alone, or with what leads from the version `start` to the version `tag`."""

    number: int
    start: str = "none"
    tag: str = ""
    size: int = 0


@dataclass(eq=False)
class Shown:
    """What an open page shows: up to which entry, in which version; and what it was told last."""

    number: int
    tag: str = ""
    news: News = News(0)
    asking: bool = False
    wish: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False)
class Wire:
    """A kept connection that takes one request after the other."""

    host: str
    port: int
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port, limit=2**20)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None

    async def ask(self, method: str, path: str, token: str, body: bytes = b"", more: str = "") -> tuple[int, bytes]:
        """The status and body of an answer. Raises `OSError` or `EOFError` where the connection breaks."""
        try:
            if self.writer is None:
                await self.open()
            assert self.reader is not None
            assert self.writer is not None
            self.writer.write(request(self.host, method, path, token, body, more))
            status, length = await head(self.reader)
            if length is not None:
                return status, await self.reader.readexactly(length)
            return status, await chunks(self.reader)
        except (OSError, EOFError, asyncio.CancelledError):
            self.close()
            raise


def request(host: str, method: str, path: str, token: str, body: bytes = b"", more: str = "") -> bytes:
    """A request as it goes over the wire."""
    kind = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n" if method == "POST" else ""
    said = f"{method} {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n{kind}{more}\r\n"
    return said.encode() + body


async def head(reader: asyncio.StreamReader) -> tuple[int, int | None]:
    """The status of an answer and the length of its body; None for one in chunks. Raises `EOFError` for half an answer."""
    lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
    length = next((int(line[15:]) for line in lines if line[:15].lower() == b"content-length:"), None)
    return int(lines[0][9:12]), length


async def chunks(reader: asyncio.StreamReader) -> bytes:
    """A body in chunks, whole."""
    whole = bytearray()
    while size := int(await reader.readline(), 16):
        whole += (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
    return bytes(whole)


@dataclass(eq=False)
class Crowd:
    """The players and pages of one process."""

    order: Order
    found: Finding = field(default_factory=Finding)
    at: dict[str, int] = field(default_factory=dict)
    """The number up to which every table is acknowledged."""
    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    """When the submission was sent that makes an entry, by table and number."""
    busy: set[str] = field(default_factory=set)
    idle: list[Wire] = field(default_factory=list)
    over: bool = False

    def __post_init__(self) -> None:
        split = urlsplit(self.order.address)
        self.host, self.port = split.hostname or "", split.port or 80
        self.at = {spot.id: spot.start for spot in self.order.spots}
        self.rng = random.Random(self.order.seed)
        self.door = asyncio.Semaphore(DOOR)

    def complain(self, text: str) -> None:
        """Note what does not fit."""
        self.found.complaints.append(text)

    # Pages -----------------------------------------------------------------------------------------------------------

    async def page(self, spot: Spot, token: str, actor: bool, ready: asyncio.Event) -> None:
        """Hold an event stream, reconnect when it breaks, note how long after a submission it tells of it."""
        shown = Shown(spot.start) if self.rng.random() < self.order.fetch else None
        fetcher = asyncio.create_task(self.fetcher(spot, token, shown)) if shown is not None else None
        told, path = spot.start, f"/t/{spot.id}/events" + ("?draw=yes" if shown is not None else "")
        if shown is not None:
            await self.opened(spot, token, shown)
        back = RETRY
        while not self.over:
            before = self.at[spot.id]
            try:
                reader, writer = await asyncio.open_connection(self.host, self.port, limit=2**20)
            except OSError:
                await asyncio.sleep(back)
                continue
            fresh = True
            try:
                writer.write(request(self.host, "GET", path, token))
                status, _ = await head(reader)
                if status != 200:
                    self.complain(f"{spot.id}: a page was answered {status}")
                    return
                back = await retry(reader)
                async for news in moves(reader):
                    number = news.number
                    if fresh and number < before:
                        self.complain(f"{spot.id}: stands at {number}, acknowledged was {before}")
                    if not (fresh or actor):
                        self.note(self.found.tellings, spot, told, number)
                    if shown is not None and number > shown.number:
                        self.hear(spot, shown, news)
                    told, fresh = max(told, number), False
                    ready.set()
            except (OSError, EOFError):
                pass
            finally:
                writer.close()
            if not self.over:
                self.found.lost_pages += 1
                await asyncio.sleep(back)
        if fetcher is not None:
            fetcher.cancel()

    async def opened(self, spot: Spot, token: str, shown: Shown) -> None:
        """Open the page of a table, as a browser does; the document tells its version."""
        async with self.door:
            wire = Wire(self.host, self.port)
            status, said = await wire.ask("GET", f"/t/{spot.id}", token, more="accept-encoding: gzip\r\n")
            wire.close()
        told = OPENED.search(unpacked(said))
        if status != 200 or told is None:
            self.complain(f"{spot.id}: the page was answered {status}")
        else:
            shown.number, shown.tag = int(told[1]), told[2].decode()

    def note(self, times: list[float], spot: Spot, before: int, number: int) -> None:
        """Note how long ago the entries behind `before` were sent in, up to a number."""
        now = perf_counter()
        times += [now - self.sent[spot.id, n] for n in range(before + 1, number + 1) if (spot.id, n) in self.sent]

    def hear(self, spot: Spot, shown: Shown, news: News) -> None:
        """Show what was sent, or wish for what is new."""
        if news.tag:
            self.found.sent.append(news.size)
        shown.news = news
        if not self.take(spot, shown):
            shown.wish.set()

    def take(self, spot: Spot, shown: Shown) -> bool:
        """Show what the server has sent, where it leads on from what is shown; not while an answer is awaited."""
        if shown.asking or shown.news.start != shown.tag:
            return False
        self.note(self.found.drawings, spot, shown.number, shown.news.number)
        shown.tag, shown.number = shown.news.tag, shown.news.number
        return True

    async def fetcher(self, spot: Spot, token: str, shown: Shown) -> None:
        """Fetch where what was sent does not fit: the whole at first, then what the page has not got, one fetch at a time."""
        wire = Wire(self.host, self.port)
        while True:
            await shown.wish.wait()
            shown.wish.clear()
            if shown.news.number <= shown.number or self.take(spot, shown):
                continue
            before, shown.asking = shown.number, True
            try:
                await self.fetch(spot, token, shown, wire)
            except (OSError, EOFError):
                shown.wish.set()
                await asyncio.sleep(BACK)
                continue
            finally:
                shown.asking = False
            self.note(self.found.drawings, spot, before, shown.number)
            shown.wish.set()  # something may have come in meanwhile

    async def fetch(self, spot: Spot, token: str, shown: Shown, wire: Wire) -> None:
        """Ask what is new to a page. Raises `OSError` or `EOFError` where the connection breaks."""
        path = f"/t/{spot.id}/regions?has={shown.tag}&shows={shown.number}"
        status, said = await wire.ask("GET", path, token, more="accept-encoding: gzip\r\n")
        self.found.fetched.append(len(said))
        tag = TAG.search(unpacked(said))
        if status != 200 or tag is None:
            self.complain(f"{spot.id}: regions were answered {status}")
        else:
            shown.number, shown.tag = int(tag[1]), tag[2].decode()

    # Players -----------------------------------------------------------------------------------------------------------

    async def act(self, spot: Spot, double: bool) -> None:
        """Submit the next action of a table until it is known to be stored."""
        number = self.at[spot.id]
        sent = msgspec.json.decode(self.order.scripts[spot.script][number])
        body = msgspec.json.encode({"number": number, **sent})
        token = spot.seats[sent["seat"]]
        began = self.sent[spot.id, number + 1] = perf_counter()
        try:
            if double:
                answers = await asyncio.gather(*(self.submit(spot, token, body) for _ in range(2)))
            else:
                answers = [await self.submit(spot, token, body)]
            self.found.answers.append(perf_counter() - began)
            self.judge(spot, number, answers)
        finally:
            self.busy.discard(spot.id)

    async def submit(self, spot: Spot, token: str, body: bytes) -> tuple[int, int, bool]:
        """The status of an answer, the number in it, and whether the submission had to be sent again."""
        again, began = False, perf_counter()
        while True:
            wire = self.idle.pop() if self.idle else Wire(self.host, self.port)
            try:
                status, said = await wire.ask("POST", f"/t/{spot.id}/actions", token, body)
            except (OSError, EOFError):
                if self.over or perf_counter() - began > PATIENCE:
                    return 0, 0, again
                if not again:
                    self.found.again += 1
                again = True
                await asyncio.sleep(BACK)
                continue
            self.idle.append(wire)
            answer = msgspec.json.decode(said)
            return status, int(answer.get("number") or answer.get("error", {}).get("number") or 0), again

    def judge(self, spot: Spot, number: int, answers: list[tuple[int, int, bool]]) -> None:
        """Exactly one of the submissions may have been taken."""
        taken = sum(status == 200 for status, _, _ in answers)
        after_loss = any(again for _, _, again in answers)
        stale = all(status == 200 or (status == 409 and now == number + 1) for status, now, _ in answers)
        if not stale or taken > 1 or (taken == 0 and not after_loss):
            self.complain(f"{spot.id}: entry {number + 1} was answered {answers}")
            return
        self.found.doubled += len(answers) > 1 and taken == 1
        self.found.stored += taken == 0
        self.found.acknowledged += 1
        self.at[spot.id] = number + 1

    # The whole -----------------------------------------------------------------------------------------------------------

    async def run(self) -> Finding:
        """Open the pages, play for the time ordered, compare what is stored with what was played."""
        ready, pages = [], []
        for spot in self.order.spots:
            for n, token in enumerate([*spot.seats, *[spot.watch] * self.order.pages][: self.order.pages]):
                ready.append(asyncio.Event())
                pages.append(asyncio.create_task(self.page(spot, token, n == 0, ready[-1])))
                await asyncio.sleep(0.002)
        await asyncio.wait_for(asyncio.gather(*(event.wait() for event in ready)), OPENING)
        self.found.fetched.clear()
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        await self.play()
        await asyncio.sleep(0.5)  # let the last tellings come in
        for spot in self.order.spots:
            await self.compare(spot)
        self.over = True
        for task in pages:
            task.cancel()
        await asyncio.gather(*pages, return_exceptions=True)
        return self.found

    async def play(self) -> None:
        """So many actions a second, at tables in turn, whether or not the server keeps up."""
        tasks, turn, spots = set[asyncio.Task[None]](), 0, list(self.order.spots)
        self.rng.shuffle(spots)
        began = perf_counter()
        for n in range(round(self.order.rate * self.order.seconds)):
            await asyncio.sleep(max(0.0, began + n / self.order.rate - perf_counter()))
            free = next((k for k in range(len(spots)) if self.free(spots[(turn + k) % len(spots)])), None)
            if free is None:
                self.found.late += 1
                continue
            turn += free + 1
            spot = spots[(turn - 1) % len(spots)]
            self.busy.add(spot.id)
            task = asyncio.create_task(self.act(spot, n % TWICE == TWICE - 1))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        for done in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(done, BaseException):
                self.complain(repr(done))

    def free(self, spot: Spot) -> bool:
        return spot.id not in self.busy and self.at[spot.id] < len(self.order.scripts[spot.script])

    async def compare(self, spot: Spot) -> None:
        """The record must have exactly the script up to the number acknowledged: nothing lost, nothing twice."""
        wire, began = Wire(self.host, self.port), perf_counter()
        while True:
            try:
                status, said = await wire.ask("GET", f"/t/{spot.id}/record.json", spot.watch)
                break
            except (OSError, EOFError):
                if perf_counter() - began > PATIENCE:
                    self.complain(f"{spot.id}: no record")
                    return
                await asyncio.sleep(BACK)
        wire.close()
        entries = msgspec.json.decode(said)["entries"] if status == 200 else []
        script = self.order.scripts[spot.script][: self.at[spot.id]]
        if [{"action": e.get("action"), "seat": e.get("seat")} for e in entries] != [
            msgspec.json.decode(each) for each in script
        ]:
            self.complain(
                f"{spot.id}: {len(entries)} entries stored, {len(script)} acknowledged, or others than were sent"
            )


async def retry(reader: asyncio.StreamReader) -> float:
    """Seconds after which a page is to come back where its stream breaks: the first line of a stream says it."""
    while line := await reader.readline():
        if line.startswith(b"retry:"):
            return int(line[6:]) / 1000
    raise EOFError("a stream that ends before it begins")


async def moves(reader: asyncio.StreamReader) -> AsyncIterator[News]:
    """What a stream says of moves, until it ends."""
    kind = b""
    while line := await reader.readline():
        if line.startswith(b"event:"):
            kind = line[6:].strip()
        elif line.startswith(b"data:") and kind == b"moved":
            yield News(int(line[5:]))
        elif line.startswith(b"data:") and kind == b"drawn":
            found = NEWS.match(line)
            if found is None:
                raise EOFError("a drawing without its tags")
            yield News(int(found[1]), found[2].decode(), found[3].decode(), len(line))


def main() -> None:
    """Read an order, do it, write the finding."""
    order = msgspec.json.decode(sys.stdin.readline(), type=Order)
    found = asyncio.run(Crowd(order).run())
    print(msgspec.json.encode(found).decode(), flush=True)


if __name__ == "__main__":
    main()
