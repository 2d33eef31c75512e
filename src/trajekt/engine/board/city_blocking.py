"""Passage: what track alone does not say about where a company's trains may stop and pass.

The engine never works it out. A game makes it from board and company (`games/*/city_blocking.py`), because blocking changes
within a turn. Reach, judge and search all take it as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from trajekt.engine.board.board import Board
from trajekt.engine.board.track_graph import PieceRef, StopRef
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.memo import MemoTable


class Destination(msgspec.Struct, frozen=True):
    """Several stops that count as one. A route that visits two of them apart breaks `rule`; `code` says how."""

    name: str
    code: str = "same_stop_twice"
    rule: str = "COMMON-RTE-03"


class Passage(msgspec.Struct, frozen=True, dict=True):
    """The passage of one company over the board.

    `blocked` stops may end a route, and a route may not go in and out of them; the value is the id of the rule that blocks
    them. `blocked_ferries` likewise: such a ferry may be the first or last piece of a route and no other. `terminal` stops
    only end routes. `shut` stops are on no route at all (value: rule id). `shared` names the destination of stops that have
    more to them than themselves; a stop left out is its own destination.
    """

    blocked: Mapping[StopRef, str] = {}
    blocked_ferries: Mapping[PieceRef, str] = {}
    terminal: frozenset[StopRef] = frozenset()
    shut: Mapping[StopRef, str] = {}
    shared: Mapping[StopRef, Destination] = {}

    def destination(self, stop: StopRef) -> str:
        shared = self.shared.get(stop)
        return shared.name if shared else stop

    def may_pass(self, stop: StopRef) -> bool:
        """Tell whether a path may go in and out of a stop without a ferry."""
        return not (stop in self.blocked or stop in self.terminal or stop in self.shut)


_PASSAGES: MemoTable[Board, tuple[CompanyId, object], Passage] = MemoTable("passages")


def passage_of(board: Board, company: CompanyId, rule: Callable[[Board, CompanyId], Passage]) -> Passage:
    """The passage of a company by a game's rule; kept on the board, which never changes."""
    table = _PASSAGES.of(board)
    found = table.get((company, rule))
    if found is None:
        found = table[company, rule] = rule(board, company)
    return found
