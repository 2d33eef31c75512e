"""Invariants of a whole game (section 22 of the rule sheets): events checked one by one against the position before each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trajekt.engine import events as e
from trajekt.engine.components.schema import FIRST_STOP
from trajekt.engine.evolve import evolve
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import BANK, Frame, State
from trajekt.rules import stock_market
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.trains import needs_train

STEPS = (stock_market.above, stock_market.below, stock_market.left_of, stock_market.right_of)
FREE = frozenset({"par", "set_up", "merged"})
"""Causes by which a marker may come to a space from anywhere."""
EXCHANGED = frozenset({"exchange", "receivership", "bankrupt"})
"""Causes by which a certificate may come to somebody who is at the limit."""


def faults(ruleset: Ruleset, state: State, happened: Iterable[e.Event]) -> Iterator[str]:
    """The violations in a row of events that begins at `state`."""
    watch = _Watch(ruleset)
    for event in happened:
        yield from watch.look(state, event)
        state = evolve(state, event, ruleset.own)


class _Watch:
    """The facts to be remembered from one event to the next."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.built = 0
        self.linked: Counter[str] = Counter()
        self.dividend: Counter[Any] = Counter()
        self.withheld = 0

    def look(self, state: State, event: e.Event) -> Iterator[str]:
        if isinstance(event, e.PriceMoved):
            yield from one_step(state, event)
        elif isinstance(event, e.Paid):
            yield from self.paid(event)
        elif isinstance(event, e.TrainsRan):
            yield from terms(event)
        elif isinstance(event, e.PhaseBegan):
            yield from forward(state, event)
        elif isinstance(event, e.StationPlaced):
            self.built += event.cause != "home"
            if self.built > 1:
                yield f"INV-13: {event.station.company} builds a second station"
        elif isinstance(event, e.TileLaid):
            yield from track_stays(state, event)
        elif isinstance(event, e.CertificateMoved):
            yield from within_limit(state, event)
        elif isinstance(event, e.FramePushed | e.TopReplaced):
            yield from self.framed(state, event.frame)
        elif isinstance(event, e.FramePopped):
            yield from self.left(state)

    def paid(self, event: e.Paid) -> Iterator[str]:
        if event.amount <= 0:
            yield f"INV-25: {event}"
        if event.cause == "dividend":
            self.dividend[event.target] += event.amount
        if event.cause == "withhold":
            self.withheld += event.amount
        if event.cause == "link" and event.target != BANK:  # money that waited for a link, not the price of one
            self.linked[str(event.target)] += 1
            if self.linked[str(event.target)] > 1:
                yield f"INV-27: a link pays twice: {event}"

    def begin(self) -> None:
        """Begin a turn: nothing of the one before it counts."""
        self.built = 0
        self.withheld = 0
        self.dividend.clear()

    def framed(self, state: State, frame: Frame) -> Iterator[str]:
        top = state.top
        # turns may be laid down all at once: each begins by its first step
        first = isinstance(top, CompanyTurn) and not top.step
        if isinstance(frame, CompanyTurn) and (first or not frame.step):
            self.begin()
        if isinstance(frame, OperatingRound) and len(set(frame.operated)) != len(frame.operated):
            yield f"INV-19: {frame.operated}"
        if isinstance(frame, CompanyTurn) and self.dividend:
            yield from self.shared(state, frame)
            self.dividend.clear()

    def shared(self, state: State, turn: CompanyTurn) -> Iterator[str]:
        """INV-18: every share of a player and of the company itself was paid a tenth, no other."""
        company = state.companies[turn.company]
        due: Counter[Any] = Counter()
        paid = turn.revenue - self.withheld  # one train's income may be kept beside the rest (LRA-DIV-04)
        due.update({seat: paid * percent // 100 for seat, percent in company.shareholders.items()})
        own = sum(c.percent for c in company.certificates if c.holder in ("io", "charter"))
        due[company.id] = paid * own // 100
        if +due != +self.dividend:
            yield f"INV-18: {turn.company} pays {dict(self.dividend)} of {turn.revenue}"

    def left(self, state: State) -> Iterator[str]:
        """INV-20: a turn ends with a train, or without a route, or with nothing on offer."""
        turn = state.top
        if not isinstance(turn, CompanyTurn) or state.companies[turn.company].director is None:
            return
        if needs_train(self.ruleset, state, turn.company):
            yield f"INV-20: {turn.company} ends its turn without a train"


def one_step(state: State, event: e.PriceMoved) -> Iterator[str]:
    """INV-09: a marker moves by one space, or goes under the others on its own."""
    start = state.markers.spaces.get(event.company)
    if start is None or event.cause in FREE:
        return
    sheet = state.sheet.market
    if event.space != start and event.space not in {step(sheet, start) for step in STEPS}:
        yield f"INV-09: {event.company} from {start} to {event.space} by {event.cause}"


def within_limit(state: State, event: e.CertificateMoved) -> Iterator[str]:
    """INV-07: nobody comes above the limit but by an exchange for a director's certificate."""
    seat = event.target
    if not isinstance(seat, int) or event.cause in EXCHANGED or state.players[seat].outside:
        return
    limit = state.sheet.limits.certificates[len(state.players)]
    if state.certificate_count(seat) >= limit:
        yield f"INV-07: seat {seat} takes a certificate of {event.company} above the limit of {limit}"


def track_stays(state: State, event: e.TileLaid) -> Iterator[str]:
    """INV-11, INV-28: track never disappears but under a tile that a private company brings, nor does a link of an area."""
    sheet = state.sheet
    before, after = state.board.face(event.hex), sheet.rotated[event.tile, event.rotation]
    if event.tile in {private.tile for private in sheet.privates.values()}:
        return
    if not before.edges <= after.edges:
        yield f"INV-11: {event.tile} on {event.hex} ends track at {sorted(before.edges - after.edges)}"
    plain = {piece for piece in before.track if piece.a < FIRST_STOP and piece.b < FIRST_STOP}
    if not plain <= after.pieces:
        yield f"INV-11: {event.tile} on {event.hex} takes away track"
    for name, area in sheet.areas.items():
        lost = [
            way.from_edge
            for way in area.entrances
            if way.from_hex == event.hex and way.from_edge in before.edges and way.from_edge not in after.edges
        ]
        if lost:
            yield f"INV-28: {name} loses links at {event.hex}: {lost}"


def forward(state: State, event: e.PhaseBegan) -> Iterator[str]:
    """INV-15: a phase never goes back."""
    phases = [phase.name for phase in state.sheet.phases]
    if phases.index(event.phase) <= phases.index(state.phase):
        yield f"INV-15: {event.phase} after {state.phase}"


def terms(event: e.TrainsRan) -> Iterator[str]:
    """INV-16, INV-17, INV-25: no track twice; the revenue is the sum of its routes, each the sum of its terms, all in tens."""
    if event.revenue % 10:
        yield f"INV-25: {event.company} earns {event.revenue}"
    if sum(_amount(run, "revenue") for run in event.runs) != event.revenue:
        yield f"INV-16: {event.company} earns {event.revenue} by other routes"
    track = [ref for run in event.runs for ref in _texts(run, "track")]
    if len(set(track)) < len(track):
        yield f"INV-17: {event.company} uses track twice: {sorted(track)}"
    for run in event.runs:
        parts = [_amount(each, "amount") for name in ("stops", "bonuses") for each in _list(run, name)]
        if sum(parts) != _amount(run, "revenue"):
            yield f"INV-16: {event.company}: {run}"


def _amount(table: Mapping[str, object], name: str) -> int:
    value = table[name]
    assert isinstance(value, int)
    return value


def _list(table: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    value = table[name]
    assert isinstance(value, list | tuple)
    return list(value)


def _texts(table: Mapping[str, object], name: str) -> list[str]:
    value = table.get(name, ())
    assert isinstance(value, list | tuple)
    return [str(each) for each in value]
