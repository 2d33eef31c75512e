"""The clock in words and figures, for the sidebar and the panel of players."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from trajekt.engine.state import Seat
from trajekt.engine.title import Standing
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker
from trajekt.server.services.clock import ClockView, clock_view, final_standings
from trajekt.server.services.table_service import TableService, people
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.clock_settings import ClockSettings


def span(seconds: float) -> str:
    """A time as `1:42:10`, with days before it where there are some; below zero with a minus."""
    whole = int(abs(seconds))
    days, rest = divmod(whole, 24 * 3600)
    text = f"{rest // 3600}:{rest // 60 % 60:02}:{rest % 60:02}"
    return ("−" if seconds < 0 else "") + (f"{days} d {text}" if days else text)


def budget(seconds: int) -> str:
    """A budget in the largest unit in which it is whole: `3 d`, `48 h`, `5 min`."""
    for unit, name in ((24 * 3600, "d"), (3600, "h"), (60, "min")):
        if seconds and seconds % unit == 0:
            return f"{seconds // unit}\u00a0{name}"
    return f"{seconds}\u00a0s"


@dataclass(frozen=True, slots=True)
class ClockLine:
    """A player's clock: seconds left, and everything in words."""

    seat: Seat
    name: str
    left: int
    shown: str
    used: str
    granted: str
    running: bool
    over: bool
    fine: str


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A player's place when the penalties of the clock are taken off."""

    rank: int
    name: str
    total: str


@dataclass(frozen=True, slots=True)
class ClockPanel:
    """The clock as pages show it, `read` at a time from which on the browser lets it run; `key` changes with what the page must
    draw anew.
    """

    players: Sequence[ClockLine]
    read: float
    key: str
    stopped: bool
    wishing: Sequence[str]
    missing: Sequence[str]
    settings: ClockSettings
    rule: str
    penalty: str
    result: Sequence[ResultLine]


def clock_panel(
    table: TableService, cached: CachedGame, speaker: Speaker, now: float | None = None
) -> ClockPanel | None:
    """The clock as pages show it, None without one: as it stands `now`, or as it stood when anything last happened to it."""
    view = clock_view(table.store, cached, people(table.store, cached), now)
    return None if view is None else _panel(table, cached, view, speaker)


def result_of(table: TableService, cached: CachedGame, game: Game) -> Sequence[Standing]:
    """The result of a table whose game has ended, the penalties of its clock taken off."""
    return final_standings(game, clock_view(table.store, cached, people(table.store, cached), time.time()))


def _panel(table: TableService, cached: CachedGame, view: ClockView, speaker: Speaker) -> ClockPanel:
    say = speaker.catalogue
    chosen = view.settings
    missing = people(table.store, cached) - view.wishing
    fined = cached.game.finished and any(reading.fine for reading in view.readings)
    result = final_standings(cached.game, view) if fined else ()
    return ClockPanel(
        players=[
            ClockLine(
                seat=r.seat,
                name=speaker.seat(r.seat),
                left=round(r.left),
                shown=span(r.left),
                used=span(r.used),
                granted=span(r.granted),
                running=r.running,
                over=r.left < 0,
                fine=say.money(r.fine) if r.fine else "",
            )
            for r in view.readings
        ],
        read=round(view.read, 1),
        key=f"{view.stopped} {chosen.game} {chosen.stock} {chosen.operating} {chosen.penalty} {chosen.rate}",
        stopped=view.stopped,
        wishing=[speaker.seat(seat) for seat in sorted(view.wishing)],
        missing=[speaker.seat(seat) for seat in sorted(missing)],
        settings=chosen,
        rule=say.text(
            "page.clock.rule",
            game=budget(chosen.game),
            stock=budget(chosen.stock) if chosen.stock else "",
            operating=budget(chosen.operating) if chosen.operating else "",
        ),
        penalty=say.text(f"page.clock.penalty.{chosen.penalty}", rate=say.money(chosen.rate)),
        result=[ResultLine(s.rank, s.name, say.money(s.total)) for s in result],
    )
