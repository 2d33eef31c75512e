"""A corporation whose token entered "bankrupt" closes at once; later it may be founded again (DO-BANKR)."""

from __future__ import annotations

from trajekt.engine.board.board import Station
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import CertificateMoved, StationsSet, TokensSet, TrainMoved
from trajekt.engine.ruleset import Draft, Reaction
from trajekt.engine.state import BANK, GONE, IPO, Frame
from trajekt.games.do.beer_deliveries import drop_advertised
from trajekt.games.do.beer_places import BeerBox, LoadedTrain
from trajekt.games.do.capital_expenditure_markers import all_back
from trajekt.games.do.components import is_railway
from trajekt.games.do.events import BecsMoved, BeerMoved, CorporationClosed, OrderSet, ValueLost
from trajekt.games.do.frames import BreweryTurn, FloatSale, Forced, PlaceChoice
from trajekt.games.do.setup import home_hexes
from trajekt.games.do.special_events_in_use import events_back
from trajekt.games.do.state import REMOVED, charter, do_state
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.round_sequence import Rounds

DROPPED = 2  # 10 % certificates that leave the game when a brewery corporation may be founded again


def close(draft: Draft, event: ValueLost) -> None:
    """Certificates without compensation, treasury, cards, stations; what is laid on the map else stays (DO-BANKR-02, -06)."""
    name = event.company
    company = draft.state.companies[name]
    draft.pay(name, BANK, company.treasury, "bankrupt")
    for load in do_state(draft.state).loads.get(name, ()):
        draft.emit(BeerMoved(LoadedTrain(name, load.train, load.cubes), BeerBox.STOCK, load.cubes, "bankrupt"))
    for train in company.trains:
        draft.emit(TrainMoved(train, name, GONE, "bankrupt"))
    give_back_charter(draft, name)
    if is_railway(draft.sheet, name):
        take_stations(draft, name)
    slots = tuple(s for s in do_state(draft.state).order if name not in (s.brewery, s.reserved_for))
    if slots != do_state(draft.state).order:
        draft.emit(OrderSet(slots, "bankrupt"))
    for number, certificate in enumerate(company.certificates):
        if certificate.holder not in (IPO, REMOVED):
            draft.emit(CertificateMoved(name, number, certificate.holder, IPO, "bankrupt"))
    draft.emit(CorporationClosed(name, next_stock_round(draft), dropped(draft, name)))

    def its_own(frame: Frame) -> bool:
        if isinstance(frame, BreweryTurn):
            return frame.brewery == name
        return isinstance(frame, CompanyTurn | Forced | FloatSale | PlaceChoice) and frame.company == name

    draft.purge(its_own)


def give_back_charter(draft: Draft, name: str) -> None:
    """Equipment leaves the game, markers and events go back to the display, an advertised cube to Stock (DO-X-07, DO-X-21).

    What it has used in its turn comes back too, for that turn is over.
    """
    all_back(draft, name)
    events_back(draft, name)
    advertised = do_state(draft.state).advertised
    if advertised is not None and advertised.brewery == name:
        drop_advertised(draft)
    becs = tuple(bec.number for bec in charter(draft.state, name).becs)
    if becs:
        draft.emit(BecsMoved(name, REMOVED, becs, "bankrupt"))


def take_stations(draft: Draft, name: CompanyId) -> None:
    """Take the stations out of the game but the home, which lies face down again; the next costs as the first (DO-BANKR-04)."""
    costs = draft.sheet.companies[name].station_costs[1:]
    left = len(draft.state.companies[name].stations)
    homes = home_hexes(draft.sheet, name)
    for at, contents in draft.state.board.contents_by_hex.items():
        if any(s.company == name for s in contents.stations):
            others = tuple(s for s in contents.stations if s.company != name)
            home = tuple(
                Station(name, s.stop, asleep=True) for s in contents.stations if s.company == name and at in homes
            )
            draft.emit(StationsSet(at, (*others, *home), contents.reservations))
    draft.emit(TokensSet(name, costs[:left]))


def next_stock_round(draft: Draft) -> int:
    """The stock round from which on it may be founded again (DO-BANKR-03)."""
    rounds = draft.state.agenda[0]
    assert isinstance(rounds, Rounds)
    return rounds.number + 1


def dropped(draft: Draft, name: CompanyId) -> tuple[int, ...]:
    """The two 10 % deepest in the stack of a brewery corporation leave the game, once for good (DO-BANKR-05)."""
    if is_railway(draft.sheet, name):
        return ()
    tens = [n for n, c in enumerate(draft.state.companies[name].certificates) if c.percent == 10 and not c.director]
    return tuple(tens[-DROPPED:])


BANKRUPT = Reaction(ValueLost, ("DO-BANKR-01", "DO-BANKR-02"), close)
