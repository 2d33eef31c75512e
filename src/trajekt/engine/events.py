"""Shared events: what moved from where to where, and why. Events are the truth about a position and are stored.

Fields are added only with a default, a tag is never used again for something else, a meaning never changes. `cause` is a
word from a closed list (`CAUSES`); a sentence of the log is found by tag and cause. Control events move the agenda and
have no sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

import msgspec

from trajekt.engine.board.board import Reservation, Station
from trajekt.engine.components.schema import CompanyId, HexId, Space, TileId, TrainKind
from trajekt.engine.state import Account, Frame, Holder, Seat

F = TypeVar("F", bound=Frame)

CAUSES = frozenset(
    {
        "set_up", "income", "private", "bid", "share", "sale", "par", "capital", "set_aside", "link", "floated", "sold_out",
        "tile", "power", "station", "home", "dividend", "withhold", "no_revenue", "below_price", "train", "forced",
        "obsolete", "limit", "loan", "bankrupt", "receivership", "debt", "exchange", "brought", "phase", "used", "merged",
        "first_turn", "round", "bonus", "package", "start", "half", "rest", "trade_in", "idle", "no_demand", "equipment",
        "disposal", "own_deal", "free", "export", "delivery", "clearing", "opened", "credit", "float_sale",
        "development", "engine", "railway_link", "deal", "levy", "closed",
        "founded", "will",
    }
)  # fmt: skip


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=True, gc=False):
    """The common base that gives every event its tag. Events are part of no cycle, so no search for garbage looks at them."""


class Seated(Event, frozen=True, tag="seated"):
    """The players' names clockwise from the holder of the priority deal."""

    names: tuple[str, ...]


class NumberDrawn(Event, frozen=True, tag="drawn"):
    """A value drawn from the game's seed at set-up: the row of a table."""

    table: str
    number: int


class Paid(Event, frozen=True, tag="paid"):
    """Money went from one account to another, in Mark."""

    source: Account
    target: Account
    amount: int
    cause: str


class CertificateMoved(Event, frozen=True, tag="certificate"):
    """Certificate `number` of a company went from one place to another."""

    company: CompanyId
    number: int
    source: Holder
    target: Holder
    cause: str


class DirectorChanged(Event, frozen=True, tag="director"):
    """Another director of a company, or none."""

    company: CompanyId
    seat: Seat | None
    cause: str = ""


class ParSet(Event, frozen=True, tag="par"):
    """The par of a company, in Mark, is fixed."""

    company: CompanyId
    par: int


class PriceMoved(Event, frozen=True, tag="price"):
    """A marker came to lie at the bottom of the stack of `space`; the same space means: under the others there."""

    company: CompanyId
    space: Space
    cause: str


class StatusSet(Event, frozen=True, tag="status"):
    """A fact of a company began or ended: `founded`, `floated`, `operated`, `receivership` or `due`."""

    company: CompanyId
    status: str
    value: bool = True


class TrainMoved(Event, frozen=True, tag="train"):
    """A train went from `display`, `pool` or a company to a company, `pool` or `gone`."""

    train: TrainKind
    source: str
    target: str
    cause: str


class PhaseBegan(Event, frozen=True, tag="phase"):
    """A phase of the sheet began."""

    phase: str


class TileLaid(Event, frozen=True, tag="tile"):
    """A tile laid on a hex in a rotation; the tile that lay there went back to the supply. Stations as they lie now."""

    hex: HexId
    tile: TileId
    rotation: int = msgspec.field(name="turn")
    company: CompanyId
    stations: tuple[Station, ...] = ()
    reservations: tuple[Reservation, ...] = msgspec.field(default=(), name="kept")
    cause: str = "tile"


class StationPlaced(Event, frozen=True, tag="station"):
    """A company built a station with its unused token `token` (its place in the row, from 0)."""

    hex: HexId
    station: Station
    token: int
    cause: str = "station"


class StationsSet(Event, frozen=True, tag="stations"):
    """The stations and reserved places of a hex as they lie now: homes at set-up, homes turned up, blanks."""

    hex: HexId
    stations: tuple[Station, ...]
    reservations: tuple[Reservation, ...] = msgspec.field(default=(), name="kept")


class TokensSet(Event, frozen=True, tag="tokens"):
    """The unused station tokens of a company, by cost."""

    company: CompanyId
    stations: tuple[int, ...]


class IconPlaced(Event, frozen=True, tag="icon"):
    """A location token came to lie on a hex."""

    hex: HexId
    icon: str


class PrivateMoved(Event, frozen=True, tag="private"):
    """A certificate of the starting package has an owner."""

    private: int
    seat: Seat


class PrivateUsed(Event, frozen=True, tag="private_used"):
    """The power of a private company is used up."""

    private: int


class PrivateClosed(Event, frozen=True, tag="private_closed"):
    """The closing of a private company, without value."""

    private: int
    cause: str


class BidPlaced(Event, frozen=True, tag="bid"):
    """A standing bid; it replaces the bidder's former one on the same certificate."""

    private: int
    seat: Seat
    amount: int


class BidsEnded(Event, frozen=True, tag="bids_ended"):
    """The release of all bids on a certificate."""

    private: int


class PriorityMoved(Event, frozen=True, tag="priority"):
    """The seat with the priority deal from now on."""

    seat: Seat


class TrainsRan(Event, frozen=True, tag="ran"):
    """A company's revenue of the turn in Mark, and how it came about: per run its train, track, terms."""

    company: CompanyId
    revenue: int
    runs: tuple[Mapping[str, object], ...] = ()


class LoanTaken(Event, frozen=True, tag="lent"):
    """A loan of `amount` Mark more to a player; twice as much is deducted at the end (COMMON-FOR-07)."""

    seat: Seat
    amount: int


class DebtSet(Event, frozen=True, tag="debt"):
    """A company's debt to the bank, in Mark (RHL-BKR-03)."""

    company: CompanyId
    amount: int


class Bankrupted(Event, frozen=True, tag="bankrupt"):
    """A player gone from the game, bankrupt."""

    seat: Seat


class FlagSet(Event, frozen=True, tag="mark"):
    """A small public fact of one game; an empty value takes it away."""

    name: str
    value: str


class EndingAgreed(Event, frozen=True, tag="peace"):
    """The seats that agree to end the game now."""

    seats: tuple[Seat, ...]


class EndTriggered(Event, frozen=True, tag="end_triggered"):
    """A bank that could not pay in full in an operating round (`or`) or a stock round (`sr`) (COMMON-END-01, -02)."""

    when: str


class GameEnded(Event, frozen=True, tag="ended"):
    """The end of the game; the agenda is empty."""

    reason: str


class FramePushed(Event, Generic[F], frozen=True, tag="pushed"):
    """A frame came to lie on top of the agenda."""

    frame: F


class FramePopped(Event, frozen=True, tag="popped"):
    """The frame on top taken away, since it is done."""


class TopReplaced(Event, Generic[F], frozen=True, tag="turned"):
    """The frame on top with other values. `skipped` names steps that nobody could use."""

    frame: F
    skipped: tuple[str, ...] = ()


class FrameRemoved(Event, frozen=True, tag="purged"):
    """Frame number `at` of the agenda, from 0 at the bottom, is gone before it was done."""

    at: int


SHARED: tuple[type[Event], ...] = (
    Seated, NumberDrawn, Paid, CertificateMoved, DirectorChanged, ParSet, PriceMoved, StatusSet, TrainMoved, PhaseBegan,
    TileLaid, StationPlaced, StationsSet, TokensSet, IconPlaced, PrivateMoved, PrivateUsed, PrivateClosed, BidPlaced,
    BidsEnded, PriorityMoved, TrainsRan, LoanTaken, DebtSet, Bankrupted, FlagSet, EndingAgreed, EndTriggered,
    GameEnded, FramePopped, FrameRemoved,
)  # fmt: skip
"""Every shared event but the two that carry frames, whose union belongs to the ruleset."""
