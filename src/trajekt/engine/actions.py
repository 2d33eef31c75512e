"""Shared actions: what somebody wants, as small frozen values with a stable JSON form.

Canonical form: what has no order is a count or a sorted tuple, what is interchangeable is named by kind and place. Field
names are the same in JSON; `kind` is the tag. An action carries no seat: who acts is said beside it.
"""

from __future__ import annotations

from typing import ClassVar, TypeAlias

import msgspec

from trajekt.engine.components.schema import CompanyId, HexId, TileId, TrainKind
from trajekt.engine.routing.runs import Run


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=True):
    """The common base that gives every action its tag. `buys_share` marks the kinds that buy a share of a company."""

    buys_share: ClassVar[bool] = False


class Pass(Action, frozen=True, tag="pass"):
    """Pass in an auction or a stock round, or leave an optional step of a company's turn."""


class BuyPrivate(Action, frozen=True, tag="buy_private"):
    """Buy the lowest unsold certificate of the starting package at its current price (COMMON-AUC-02)."""

    private: int


class PlaceBid(Action, frozen=True, tag="bid"):
    """Bid `amount` Mark on another certificate, or raise in its auction (COMMON-AUC-05, -07)."""

    private: int
    amount: int


class AcceptOffer(Action, frozen=True, tag="accept_offer"):
    """Take the certificate offered at a reduced price (COMMON-AUC-11)."""


class DeclineOffer(Action, frozen=True, tag="decline_offer"):
    """Decline the certificate offered at a reduced price."""


class SetPar(Action, frozen=True, tag="set_par"):
    """Name the par of a company whose director's certificate was bought in the package (RHL-AUC-14)."""

    company: CompanyId
    par: int


class FoundCompany(Action, frozen=True, tag="found"):
    """Buy a director's certificate and choose the par, in Mark (COMMON-SR-08)."""

    company: CompanyId
    par: int


class BuyShare(Action, frozen=True, tag="buy_share"):
    """Buy one certificate of `percent` from `source`: `io`, `charter` or `pool` (COMMON-SR-04, -06)."""

    buys_share: ClassVar[bool] = True

    company: CompanyId
    source: str
    percent: int


class SellShares(Action, frozen=True, tag="sell_shares"):
    """Sell `percent` of one company as one block (COMMON-SR-13, -14).

    Where the seller's papers come to the sum in several ways, `sizes` are the per cent of those that go, larger ones first.
    """

    company: CompanyId
    percent: int
    sizes: tuple[int, ...] = ()


class EndTurn(Action, frozen=True, tag="end_turn"):
    """End a stock turn in which something was sold and nothing bought."""


class LayTile(Action, frozen=True, tag="lay_tile"):
    """Lay a tile; `allowance` is the right used: `normal`, or another of the game's own (COMMON-TRK-01)."""

    hex: HexId
    tile: TileId
    rotation: int = msgspec.field(name="turn")
    allowance: str = "normal"


class UsePrivate(Action, frozen=True, tag="use_private"):
    """Use the power of a private company to lay a tile (COMMON-PRV-02)."""

    private: int
    hex: HexId
    tile: TileId
    rotation: int = msgspec.field(name="turn")


class PlaceStation(Action, frozen=True, tag="place_station"):
    """Build a station on a stop of a hex (`a`, `b`, ...); `token` is `normal`, or another kind of the game's own."""

    hex: HexId
    stop: str
    token: str = "normal"


class RunTrains(Action, frozen=True, tag="run_trains"):
    """Run trains: one `Run` for each train that runs, sorted by train and track (COMMON-RTE-01)."""

    runs: tuple[Run, ...]


class PayOut(Action, frozen=True, tag="pay_out"):
    """Pay the whole revenue to the shares (COMMON-DIV-01)."""


class Withhold(Action, frozen=True, tag="withhold"):
    """Keep the whole revenue in the treasury (COMMON-DIV-01)."""


class BuyTrain(Action, frozen=True, tag="buy_train"):
    """Buy a train of `source`: `display`, `pool`, or a company; `price` in Mark (COMMON-TRN-01).

    From a company of another director this is an offer, which that director accepts or declines (COMMON-TRN-05).
    """

    source: str
    train: TrainKind
    price: int


class Accept(Action, frozen=True, tag="accept"):
    """Consent to what the frame on top asks."""


class Decline(Action, frozen=True, tag="decline"):
    """Refuse consent to what the frame on top asks."""


class ChooseForcedTrain(Action, frozen=True, tag="choose_forced_train"):
    """Choose the train of a forced purchase, from `display` or `pool` (RHL-FOR-01, COMMON-FOR-03)."""

    source: str
    train: TrainKind


class SellCharterShares(Action, frozen=True, tag="sell_charter_shares"):
    """Sell certificates lying on the charter, as many as are needed (COMMON-FOR-04)."""

    count: int


class TakeLoan(Action, frozen=True, tag="take_loan"):
    """Borrow exactly what is missing from the bank (COMMON-FOR-07)."""


class DeclareBankruptcy(Action, frozen=True, tag="declare_bankruptcy"):
    """Declare that the price cannot be paid (RHL-BKR-01, COMMON-VAR-04)."""


class DiscardTrain(Action, frozen=True, tag="discard_train"):
    """Give up a train of a company above the limit (COMMON-TRN-09)."""

    company: CompanyId
    train: TrainKind


class OfferEnd(Action, frozen=True, tag="offer_end"):
    """Offer, or agree, to end the game at once (COMMON-END-06)."""


class DeclineEnd(Action, frozen=True, tag="decline_end"):
    """Decline the offer to end the game at once."""


Actions: TypeAlias = tuple[type[Action], ...]
