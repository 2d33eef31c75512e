"""Passage of a railway's trains in 18DO: stops filled by others, red destinations that only end routes (DO-TOK, DO-ROUTE)."""

from __future__ import annotations

from msgspec.structs import replace

from trajekt.engine.board.board import Board
from trajekt.engine.board.city_blocking import Destination, Passage
from trajekt.engine.board.track_graph import StopAt, StopRef
from trajekt.engine.components.schema import CompanyId
from trajekt.games.do.setup import home_hexes


def blocked_stops(board: Board, company: CompanyId) -> dict[StopRef, str]:
    """Stops whose spaces all hold stations of others; red destinations, the City and the harbour of the DHB never.

    DO-TOK-06, DO-TOK-07, DO-TOK-08. A home that lies face down is no station (DO-SETUP-11).
    """
    found = {}
    for stop in board.network.stops:
        if stop.stop.kind == "offboard" or not stop.stop.slots:
            continue
        here = [s for s in board.contents(stop.hex).stations if s.stop == stop.index and not s.asleep]
        if any(s.company == company or _never_blocks(board, s.company, stop) for s in here):
            continue
        if len(here) >= stop.stop.slots:
            found[stop.ref] = "DO-TOK-06"
    return found


def _never_blocks(board: Board, company: CompanyId, stop: StopAt) -> bool:
    own = board.sheet.companies[company].own
    return bool(own.get("home_never_blocks")) and stop.hex in home_hexes(board.sheet, company)


def passage(board: Board, company: CompanyId) -> Passage:
    """Red hexes end routes; those of one name are one destination (DO-ROUTE-05, DO-ROUTE-08, DO-ROUTE-11)."""
    offboard = [stop for stop in board.network.stops if stop.stop.kind == "offboard"]
    shared = {s.ref: Destination(s.stop.group, rule="DO-ROUTE-08") for s in offboard if s.stop.group}
    return Passage(
        blocked=blocked_stops(board, company), terminal=frozenset(stop.ref for stop in offboard), shared=shared
    )


def open_passage(board: Board, company: CompanyId) -> Passage:
    """The passage with nothing blocked: blocking is then judged for each train."""
    return replace(passage(board, company), blocked={})
