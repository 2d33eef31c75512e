"""The actions that only 18DO has: those of stock rounds and railways, then those of breweries and of the Expert Game.

Shared kinds serve where they fit: `Found` (without a trade-in), `Pass`, `EndTurn`, `LayTile`, `PlaceStation`, `RunTrains`,
`PayOut`, `Withhold`, `BuyTrain`, `Accept`, `Decline`, `DiscardTrain`, `PlaceBid` (a box of a minor). A brewery is never named
where it is the one whose turn it is; certificates are named by their size, equipment by its number in the game.
"""

from __future__ import annotations

from typing import ClassVar

from trajekt.engine.actions import Action
from trajekt.engine.components.schema import CompanyId, HexId, TrainKind

# Stock rounds and railways ------------------------------------------------------------------------------------------


class BuyCertificate(Action, frozen=True, tag="buy_certificate"):
    """Buy a certificate of `charter` (company stock) or `pool`; `hand_in`: a 10 % goes back for it (DO-SR-09)."""

    buys_share: ClassVar[bool] = True

    company: CompanyId
    source: str
    percent: int
    hand_in: bool = False


class SellCertificates(Action, frozen=True, tag="sell_certificates"):
    """Sell one block of certificates, sizes from the largest; for `back` of those of 20 % a 10 % is taken back (DO-SR-18)."""

    company: CompanyId
    sizes: tuple[int, ...]
    back: int = 0


class FoundByTrade(Action, frozen=True, tag="found_by_trade"):
    """Found a brewery corporation and trade the own minor in (DO-TRADEIN-01)."""

    company: CompanyId
    value: int


class TradeIn(Action, frozen=True, tag="trade_in"):
    """Trade the own minor in for a certificate of `charter` or `pool` (DO-TRADEIN-02, -03, -05)."""

    company: CompanyId
    source: str
    percent: int


class SellAtFloat(Action, frozen=True, tag="sell_at_float"):
    """Sell certificates of the company stock, sizes from the largest, when it floats; none: decline (DO-FLOAT-04)."""

    sizes: tuple[int, ...]


class ChoosePlace(Action, frozen=True, tag="choose_place"):
    """Take the place in the brewery order of a traded-in minor; empty: the last place (DO-FLOAT-03)."""

    minor: str


class OwnCertificate(Action, frozen=True, tag="own_certificate"):
    """A corporation's deal in own certificates: `sell` one, or `buy` one of the pool (DO-ORDER-05, DO-BREW-02)."""

    deal: str
    percent: int


class BuildRailwayLink(Action, frozen=True, tag="build_link"):
    """Build or extend the railway link of a mine or mill (DO-LINK-02, -03)."""

    hex: HexId


class PlaceFreeToken(Action, frozen=True, tag="place_free_token"):
    """Put the free location token on a coal mine (DO-FLOAT-06)."""

    hex: HexId


class ForcePurchase(Action, frozen=True, tag="force_purchase"):
    """Choose the card of a forced purchase, of `display` or `pool` (DO-FORCED-05, -07)."""

    source: str
    card: TrainKind


class ForcedSale(Action, frozen=True, tag="forced_sale"):
    """Sell one certificate in a forced purchase: of the company stock, then of the director's own (DO-FORCED-01)."""

    percent: int


# Breweries --------------------------------------------------------------------------------------------------------------


class DiscardBec(Action, frozen=True, tag="discard_bec"):
    """Give up equipment above a limit (DO-BEC-02, DO-TRADEIN-04)."""

    brewery: str
    number: int


class DisposeBec(Action, frozen=True, tag="dispose_bec"):
    """Dispose of one equipment at the start of the brewery's turn (DO-BEC-01)."""

    number: int


class LoadTrain(Action, frozen=True, tag="load_train"):
    """Load cubes on a train that bears `cubes` now, by squares of an equipment; the railway's director consents (DO-BREW-20).

    Expert Game: `wagon` by the beer wagon (DO-X-10), `contract` by the transport contract (DO-X-31).
    """

    company: CompanyId
    train: TrainKind
    cubes: int
    bec: int
    count: int
    wagon: bool = False
    contract: bool = False


class Deliver(Action, frozen=True, tag="deliver"):
    """End disposal and loading; the deliveries to Dortmund follow (DO-BREW-10)."""


class BuyBec(Action, frozen=True, tag="buy_bec"):
    """Buy equipment of a type from the display; `help`: the owner of a minor adds what its treasury lacks (DO-BEC-11).

    Expert Game: `deal_in` is the equipment handed in for it (DO-X-24), `upgrade` the used one that leaves (DO-X-25).
    """

    card: TrainKind
    help: bool = False
    deal_in: int = 0
    upgrade: int = 0


class BuyMarker(Action, frozen=True, tag="buy_marker"):
    """Buy a marker of the display or of a company; `back` is one that is given back for want of room (DO-X-03 to -06)."""

    code: str
    source: str
    price: int
    back: str = ""


class DiscardMarker(Action, frozen=True, tag="discard_marker"):
    """Give back a marker, or a special event, above the places of a charter (DO-X-07, DO-X-21)."""

    brewery: str
    code: str


class AlignBottlingLine(Action, frozen=True, tag="align_bottling_line"):
    """Align a bottling line, now at equipment `source`, to `target` (DO-X-09)."""

    code: str
    source: int
    target: int


class UseEvent(Action, frozen=True, tag="use_event"):
    """Use a special event; what it is used on as its letter asks (DO-X-22 to -31).

    G nothing; H `bec`; K `segment` and `customers` of the cube; L nothing; M `sizes`; O `bec`; N `bec` and the `count` of
    its squares, or two squares of which one is of the later equipment `other`.
    """

    letter: str
    bec: int = 0
    segment: int = 0
    customers: int = 0
    count: int = 0
    sizes: tuple[int, ...] = ()
    other: int = 0


class TakeEvent(Action, frozen=True, tag="take_event"):
    """Take a special event from the display, giving an own one back (DO-X-20, -21)."""

    letter: str


# The Railway Game -------------------------------------------------------------------------------------------------------


class Brew(Action, frozen=True, tag="brew"):
    """A private brewery of the director works for the railway in turn; its cubes go onto `train` (DO-TRG-07).

    Without a train: the one that pays for routes.
    """

    private: int
    train: TrainKind = ""
