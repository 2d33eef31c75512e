"""The text of a page in pieces: each is drawn once for what it shows, and a page is sent those that it has not got.

A template marks a piece with `{% call piece("name", value, ...) %}`. The piece is kept under its name, the language and these
values, so it must show nothing else; `{{ cut }}` parts text that is always drawn. A page names the version that it has by a tag
and is answered with new pieces and with ranges of its own. A tag is made of the text alone: a process that was started
meanwhile draws the position that a page shows once more, and where the tag is the page's it goes on from there. Any other
version that is not known is answered with the whole: nobody is ever shown what is out of date.

What a page is sent of its own accord leads from the version that was last drawn for its viewer; a page that has another asks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import chain
from threading import Lock
from typing import NamedTuple

import jinja2
import msgspec
from markupsafe import Markup

from trajekt.rendering.drawing_cache import Kept
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.storage.cached_game import CachedGame, PerGame

MARK = 8  # bytes of the hash of a piece
CUT, INSET = "\x1e", "\x1f"  # between two pieces, and before the number of one that is kept; neither is ever sent
BETWEEN = "<!---->"
"""A comment, which may stand wherever a piece begins: between two tags, or in their text."""
DRAWN, VERSIONS, MODELS, STEPS = 150, 16, 2, 20
"""Sizes of the caches of a table: so many plates, versions, models and steps at least, and twice as many at most, for pages
that look at the past; of positions that were the newest only the last few are kept (`FragmentCache.begin`).
"""
POSITIONS, LAGGING = 2, 16
"""Of so many positions drawn one after the other all is kept at least, and of twice as many at most; the version that a
viewer was shown last is kept for so many positions.
"""


class MarkedText(NamedTuple):
    """A piece with its hash of `MARK` bytes, the same in every process."""

    text: str
    mark: bytes


PIECES: Kept[MarkedText] = Kept(5_000)
"""Every piece once, since tables of a game share much of what they show: so many at least, and twice as many at most."""


class Plate(NamedTuple):
    """Pieces that are drawn again as a whole, with their hashes: all that is kept of what a page was shown before."""

    pieces: tuple[str, ...]
    marks: bytes
    """`MARK` bytes for each piece, the same in every process."""


Version = tuple[Plate, ...]
"""A page by plates. A template has always the same number of them."""
Marks = tuple[bytes, ...]
"""The hashes of a version, by plate."""
Changes = list[str | list[int]]


@dataclass(eq=False)
class FragmentCache:
    """Cache for the pages of one table. Who draws holds the lock, so that the next finds what is drawn already."""

    drawn: Kept[Plate] = field(default_factory=lambda: Kept(DRAWN))
    versions: Kept[Marks] = field(default_factory=lambda: Kept(VERSIONS))
    steps: Kept[Changes] = field(default_factory=lambda: Kept(STEPS))
    """Steps by which one plate becomes another: most viewers see the same plates."""
    models: Kept[object] = field(default_factory=lambda: Kept(MODELS))
    """Models that everybody is shown of a position, by numbers and language."""
    latest: dict[Viewer, tuple[str, int]] = field(default_factory=dict)
    """The tag of what was last drawn of the newest position, and that position, by viewer."""
    lock: Lock = field(default_factory=Lock)
    newest: int = 0
    """The newest position that was drawn."""
    positions: int = 0
    """Positions drawn as the newest since the caches were aged."""

    def begin(self, number: int) -> None:
        """Take note that a page is drawn while the game stands at entry `number`; what only older positions show is dropped."""
        if number == self.newest:
            return
        self.newest = number
        self.models.clear()
        self.positions += 1
        if self.positions == POSITIONS:
            self.positions = 0
            for tag, drawn in self.latest.values():
                if number - drawn <= LAGGING:
                    self.versions.touch(tag)
            for kept in (self.drawn, self.versions, self.steps):
                kept.age()

    def sent(self, viewer: Viewer) -> str:
        """The tag of the version that a viewer was last shown of the newest position, empty where there is none."""
        return self.latest.get(viewer, ("", 0))[0]


FRAGMENTS = PerGame[FragmentCache]()


def fragments_of(cached: CachedGame) -> FragmentCache:
    """The press of a table."""
    return FRAGMENTS.get(cached, FragmentCache)


def seen_by(viewer: Viewer) -> Viewer:
    """A viewer as far as the pieces depend on who it is: the theme is a matter of the style sheet."""
    return replace(viewer, theme="")


def piece_of(text: str) -> MarkedText:
    """A text with its hash."""
    return MarkedText(text, blake2b(text.encode(), digest_size=MARK).digest())


def kept_piece(text: str) -> MarkedText:
    """The one piece that is kept of a text."""
    return PIECES.of(text, lambda: piece_of(text))


def plate_of(pieces: Iterable[MarkedText]) -> Plate:
    """A plate of these pieces."""
    made = tuple(pieces)
    return Plate(tuple(piece.text for piece in made), b"".join([piece.mark for piece in made]))


def joined(plates: Iterable[Plate]) -> Plate:
    """One plate of the pieces of several; their hashes are known."""
    made = tuple(plates)
    return Plate(tuple(texts_of(made)), b"".join(plate.marks for plate in made))


def plate(press: FragmentCache, name: str, language: str, values: object, draw: Callable[[], Iterable[str]]) -> Plate:
    """Return what is drawn of these values, drawn now if it is not kept. A template sets it in by `{{ inset(plate) }}`."""
    return kept_plate(press, name, language, values, lambda: plate_of(map(kept_piece, draw())))


def kept_plate(press: FragmentCache, name: str, language: str, values: object, make: Callable[[], Plate]) -> Plate:
    """Return the plate of these values, made now if it is not kept."""
    key = name, language, blake2b(msgspec.json.encode(values), digest_size=16).digest()
    return press.drawn.of(key, make)


def printed(press: FragmentCache, template: jinja2.Template, model: Mapping[str, object], language: str) -> Version:
    """A template in pieces, filled with a model."""
    insets: list[Plate] = []

    def inset(plate: Plate) -> Markup:
        insets.append(plate)
        return Markup(f"{CUT}{INSET}{len(insets) - 1}{CUT}")  # noqa: S704  a number

    def piece(name: str, *values: object, caller: Callable[[], str]) -> Markup:
        return inset(kept_plate(press, name, language, values, lambda: joined(plates(caller(), kept_piece))))

    def plates(text: str, made_of: Callable[[str], MarkedText] = piece_of) -> Iterator[Plate]:
        """Return what is set in, and what is drawn every time before, between and after."""
        loose: list[MarkedText] = []
        for each in str.split(text, CUT):  # plain text, where `text` is Markup
            if each.startswith(INSET):
                yield plate_of(loose)
                yield insets[int(each[1:])]
                loose = []
            elif each:
                loose.append(made_of(each))
        yield plate_of(loose)

    cut = Markup(CUT)  # noqa: S704  no text at all
    return tuple(plates(template.render({**model, "piece": piece, "inset": inset, "cut": cut})))


def texts_of(plates: Iterable[Plate]) -> Iterator[str]:
    """All pieces of some plates."""
    return chain.from_iterable(plate.pieces for plate in plates)


def whole(version: Version) -> str:
    """The text of a version."""
    return "".join(texts_of(version))


def marked(version: Version) -> tuple[str, int]:
    """The text of a version with a mark between its pieces, by which a page tells what it was opened with; and their number."""
    pieces = tuple(texts_of(version))
    return BETWEEN.join(pieces), len(pieces)


def tagged(press: FragmentCache, version: Version) -> str:
    """The tag of a version, which is known by it from now on."""
    marks = tuple(plate.marks for plate in version)
    tag = blake2b(b"".join(marks), digest_size=MARK).hexdigest()
    press.versions.of(tag, lambda: marks)
    return tag


def news(press: FragmentCache, has: str, version: Version) -> tuple[str, Changes]:
    """The tag of a version, and how a page comes by it from the version that it has."""
    tag = tagged(press, version)

    def step(old: bytes, new: Plate) -> Changes:
        return press.steps.of((old, new.marks), lambda: within(old, new))

    return tag, changes(press.versions.get(has) or (b"",) * len(version), version, step)


def changes(old: Marks, new: Version, step: Callable[[bytes, Plate], Changes]) -> Changes:
    """Return how `new` is put together: pieces that are not in `old`, and ranges `[from, to]` of those that are.

    Plates are compared one by one, `step` says how one of them changes, and pieces are counted through the whole of `old`.
    """
    out: Changes = []
    start = 0
    if len(old) != len(new):  # of another template
        old = (b"",) * len(new)
    for before, after in zip(old, new, strict=True):
        count = len(before) // MARK
        for each in step(before, after) if before != after.marks else [[0, count]] if before else []:
            if isinstance(each, str):
                out.append(each)
            elif out and isinstance(out[-1], list) and out[-1][1] == start + each[0]:
                out[-1] = [out[-1][0], start + each[1]]
            else:
                out.append([start + each[0], start + each[1]])
        start += count
    return out


def as_json(value: Mapping[str, object]) -> bytes:
    """The JSON of what a page is sent; `msgspec` would leave a second copy of each text in the text that is kept."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def within(old: bytes, new: Plate) -> Changes:
    """Return how one plate becomes another."""
    had, marks = memoryview(old).cast("q"), memoryview(new.marks).cast("q")
    where = {mark: n for n, mark in enumerate(had)}
    out: Changes = []
    last: list[int] | None = None
    for mark, text in zip(marks, new.pieces, strict=True):
        if last is not None and last[1] < len(had) and had[last[1]] == mark:
            last[1] += 1
            continue
        at = where.get(mark)
        last = None if at is None else [at, at + 1]
        out.append(text if last is None else last)
    return out
