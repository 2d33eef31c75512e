"""The agenda of 18DO: frames of stock rounds and railways, then those of breweries and the Expert Game.

A set of operating rounds is `Rounds`; each of them begins with a `BreweryRound` pushed, and upon it the shared
`OperatingRound`, which is the Railway Round. A railway's turn is the shared `CompanyTurn` with the steps `first`, `track`,
`station`, `link`, `run`, `pay`, `trains`; what is done once in it stands in `CompanyTurn.used`, and a `NewTrain` for each
card of the display bought.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec

from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.frame_notes import Detail, Note
from trajekt.engine.state import Frame, Seat, State
from trajekt.rules import turn_notes
from trajekt.rules.trains import price_of

# Stock rounds and railways ------------------------------------------------------------------------------------------


class StartingRound(Frame, frozen=True, tag="starting_round"):
    """The bids for minors: `seat` is to place or move his token (`State.bids`) (DO-START-01, -03)."""

    seat: Seat


class FloatSale(Frame, frozen=True, tag="float_sale"):
    """A corporation floated in the brown or grey phase: its director may sell company stock (DO-FLOAT-04)."""

    company: CompanyId


class PlaceChoice(Frame, frozen=True, tag="place_choice"):
    """A brewery corporation floated: its director chooses among places left by traded-in minors (DO-FLOAT-03)."""

    company: CompanyId
    places: tuple[str, ...]


class LinkDemand(Frame, frozen=True, tag="link_demand"):
    """The card of a link has left the display and its phase has begun: its cubes are still to be added (DO-LINK-06, -08)."""

    kind: TrainKind
    odd: bool


class Forced(Frame, frozen=True, tag="forced"):
    """Forced purchase of a card that a corporation's treasury cannot pay: `goal` is `train` or `bec` (DO-FORCED-01)."""

    company: CompanyId
    goal: str
    source: str
    kind: TrainKind

    def amount_due(self, state: State, /) -> int:
        """Return the price of the card."""
        return price_of(state, self.kind)


class TooManyBecs(Frame, frozen=True, tag="too_many_becs"):
    """Breweries that may be above their limit of equipment, in the order in which they choose (DO-BEC-02, DO-TRADEIN-04).

    Pushed when a phase begins and after a trade-in.
    """

    breweries: tuple[str, ...]


# Breweries --------------------------------------------------------------------------------------------------------------


class BreweryRound(Frame, frozen=True, tag="brewery_round"):
    """Brewery round `set`.`number` of `of`: `acted` have begun their turn; `stage` tells what of its frame is done."""

    round_kind: ClassVar[str] = "BR"
    set: int
    number: int
    of: int
    acted: tuple[str, ...] = ()
    stage: str = ""


class NewTrain(Detail, word="new"):
    """A train bought from the display, by its type (DO-TRAIN-02)."""

    kind: TrainKind


class SetAside(Detail, word="aside"):
    """A piece that was turned aside to be handed in, by its number (DO-X-24)."""

    bec: int


class WagonUsed(Detail, word="wagon"):
    """A square that a beer wagon used, by the equipment (DO-X-10)."""

    bec: int


class ContractUsed(Detail, word="contract"):
    """The railway that the transport contract holds for in this turn (DO-X-31)."""

    company: CompanyId


class RefusedLoad(Detail, word="refused"):
    """A load that the director of a railway refused: on a train that bears `cubes`, `count` more (DO-BREW-22)."""

    company: CompanyId
    train: TrainKind
    cubes: int
    count: int


NOTES = (*turn_notes.SHARED, NewTrain, SetAside, WagonUsed, ContractUsed, RefusedLoad)
"""The kinds of notes in the frames of this game."""


class Delivered(Detail):
    """A cube that a brewery delivered: the segment and customers of its field."""

    segment: int
    customers: int


class Used(msgspec.Struct, frozen=True, gc=False):
    """Squares of an equipment used in a turn: for Dortmund and for export; `sold` are the fields delivered to, by count."""

    bec: int
    dortmund: int = 0
    export: int = 0


class BreweryTurn(Frame, frozen=True, tag="brewery_turn"):
    """The turn of a brewery.

    `becs` were there at step 2, with what was `used` of them; `delivered` are the cubes as they were delivered; `income` in
    Mark, `bought` counts cards, `done` is what else was done that is done once.
    """

    brewery: str
    step: str = ""
    becs: tuple[int, ...] = ()
    used: tuple[Used, ...] = ()
    delivered: tuple[Delivered, ...] = ()
    income: int = 0
    bought: int = 0
    markers: int = 0
    done: tuple[Note, ...] = ()

    def acting(self) -> str:
        return self.brewery


def delivered_fields(turn: BreweryTurn) -> list[tuple[int, int]]:
    """The fields that a brewery delivered to in its turn, each once, as segment and customers."""
    return sorted({(each.segment, each.customers) for each in turn.delivered})


class LoadOffer(Frame, frozen=True, tag="load_offer"):
    """A brewery asks the director of a railway to carry beer (DO-BREW-22)."""

    brewery: str
    company: CompanyId
    train: TrainKind
    cubes: int
    bec: int
    count: int
    wagon: bool = False


class MarkerOffer(Frame, frozen=True, tag="marker_offer"):
    """A company offers `price` Mark for a marker of another, whose owner consents or not (DO-X-06, DO-X-11)."""

    buyer: str
    seller: str
    code: str
    price: int
    back: str = ""


class FirstMarkers(Frame, frozen=True, tag="first_markers"):
    """Before the first stock round: the minors whose owners may still buy a marker, in order of numbers (DO-X-13)."""

    minors: tuple[str, ...]


class TooManyMarkers(Frame, frozen=True, tag="too_many_markers"):
    """A trade-in overfilled the marker places, or brought a second event, of a brewery corporation (DO-X-07, DO-X-21).

    `events` are the two of which one goes back to the display.
    """

    brewery: CompanyId
    events: tuple[str, ...] = ()


class Advertise(Frame, frozen=True, tag="advertise"):
    """At the start of a brewery round: the brewery that holds Advertising may use it (DO-X-23)."""

    brewery: str


class Marketing(Frame, frozen=True, tag="marketing"):
    """After the new brewery order: the brewery that holds Marketing may go one place forward (DO-X-27)."""

    brewery: str


# The Railway Game -------------------------------------------------------------------------------------------------------


class PrivateLot(Frame, frozen=True, tag="private_lot"):
    """The auction of a private brewery from `price` Mark on, which `first` began (DO-TRG-02).

    `seats` are still in it, the first of them to bid or leave; `later` are the lots that follow, with their prices.
    """

    private: int
    price: int
    first: Seat
    seats: tuple[Seat, ...]
    later: tuple[tuple[int, int], ...] = ()
