"""Stops and passage of a company's trains in 18LRA: blocked cities, fields that only end a route."""

from __future__ import annotations

from msgspec.structs import replace

from trajekt.engine.board.board import Board, HexContents
from trajekt.engine.board.city_blocking import Destination, Passage
from trajekt.engine.board.track_graph import StopRef, stop_ref
from trajekt.engine.components.schema import CompanyId, Stop


def strict_passage(board: Board, company: CompanyId) -> Passage:
    """Passage of the company if a route uses one stop of a hex (OQ-22)."""
    found = passage(board, company)
    stops = board.network.stops_in_hex
    alone = {
        lying.ref: Destination(lying.hex, "same_stop_twice", "COMMON-RTE-03")
        for lying in board.network.stops
        if len(stops[lying.hex]) > 1 and not lying.stop.group
    }
    return replace(found, shared={**alone, **found.shared})


def passage(board: Board, company: CompanyId) -> Passage:
    """Passage of the company (COMMON-TOK-05, COMMON-RTE-04, COMMON-RTE-08, LRA-RTE-10, LRA-TOK-09, LRA-TOK-15)."""
    shared: dict[StopRef, Destination] = {}
    for lying in board.network.stops:
        if lying.stop.group:
            shared[lying.ref] = Destination(lying.stop.group, "same_area", "LRA-RTE-10")
    blocked: dict[StopRef, str] = {}
    for at, contents in board.stationed.contents_by_hex.items():
        for index, stop in enumerate(board.face(at).stops):
            if stop.kind == "city" and full(stop, contents, index, company):
                blocked[stop_ref(at, index)] = "LRA-TOK-15" if stop.harbour_slots else "COMMON-RTE-04"
    return Passage(blocked, {}, board.network.offboards, {}, shared)


def full(stop: Stop, contents: HexContents, index: int, company: CompanyId) -> bool:
    """Tell whether all places of a city are others' stations: a harbour place is one of them, a home face down is none.

    COMMON-TOK-05, LRA-TOK-15, LRA-SET-09.
    """
    awake = [station.company for station in contents.stations if station.stop == index and not station.asleep]
    return company not in awake and len(awake) >= stop.slots + stop.harbour_slots > 0
