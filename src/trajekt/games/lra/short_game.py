"""The game of an hour: a reconstruction, since the rulebook mentions it and prints no rules (section 18.3).

Two corporations are dealt to each player; six cycles of a player round and a train round follow. House rules, off unless
chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from trajekt.engine.actions import BuyShare, Pass
from trajekt.engine.components.schema import CompanyId, Sheet, TrainKind
from trajekt.engine.decisions import can
from trajekt.engine.events import (
    CertificateMoved,
    DirectorChanged,
    Event,
    NumberDrawn,
    PrivateClosed,
    StatusSet,
    TrainMoved,
)
from trajekt.engine.frozen import put
from trajekt.engine.ruleset import Code, Draft, DrawNumber, Duty, Refusal, Rule, Ruleset, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, DISPLAY, IPO, Frame, Seat, State
from trajekt.games.lra import station_rules, track_rules
from trajekt.games.lra.kreisbahn import NOTES
from trajekt.games.lra.options import LraOptions
from trajekt.games.lra.route_rules import ROUTES
from trajekt.games.lra.setup import cover_home
from trajekt.rules import invariants, phases, running_and_dividends, stock_round, tile_laying
from trajekt.rules.directorship import DIRECTOR_FOLLOWS, DirectorsPolicy, directors_certificate, fewest_first
from trajekt.rules.ending_by_agreement import DECLINE_END, OFFER_END
from trajekt.rules.floating import UsedCompanies, founded, set_par, unsold_to
from trajekt.rules.floating import shares as shares_of
from trajekt.rules.game_end import BANK_BREAKS
from trajekt.rules.operating_round import (
    OPERATING_ROUND,
    PASS_STEP,
    TurnPolicy,
    TurnStep,
    company_turn,
    open_round,
    turn_of,
)
from trajekt.rules.private_companies import PowersPolicy
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.running_and_dividends import RUN, PayPolicy, by_routes, distribute
from trajekt.rules.setup import lay_homes
from trajekt.rules.stations import TURN_UP_HOMES
from trajekt.rules.tile_laying import LayingPolicy
from trajekt.rules.trains import BUY_TRAIN, TRAIN_OFFER, TRAINS, TrainPolicy
from trajekt.rules.turn_notes import Allowance

VERSION = 2
CYCLES = 6
TURNS = 2
"""So many turns has each player in a player round (LRA-SHO-03)."""

DEALT = 2
PAR, CAPITAL, CASH = 70, 350, 150
FIRST_TRAIN: TrainKind = "2"
ROSTER: tuple[TrainKind, ...] = ("3", "4")
"""The trains on display; there are no others (LRA-SHO-01)."""


class Boxed(Event, frozen=True, tag="boxed"):
    """Trains of a kind stay in the box."""

    train: TrainKind
    count: int


def box(state: State, event: Boxed) -> State:
    """The position without these trains."""
    depot = state.depot
    display = put(depot.display, event.train, depot.display[event.train] - event.count)
    return replace(state, depot=replace(depot, display=display, gone=(*depot.gone, *[event.train] * event.count)))


# Set-up --------------------------------------------------------------------------------------------------------------


def set_up(draft: Draft, draw: DrawNumber) -> None:
    """Cards are dealt, corporations begin with capital and a train, and the lowest card begins (LRA-SHO-02)."""
    for private in draft.sheet.privates:
        draft.emit(PrivateClosed(private, "set_up"))
    lay_homes(draft)
    cards = list(draft.sheet.companies)
    hands: dict[CompanyId, Seat] = {}
    for seat in range(len(draft.state.players)):
        draft.pay(BANK, seat, CASH, "set_up")
        for _ in range(DEALT):
            card = cards.pop(draw("order_cards", len(cards)))
            draft.emit(NumberDrawn(f"order_card:{card}", seat))
            hands[card] = seat
    for company in draft.sheet.companies:
        if company in hands:
            begin(draft, company, hands[company])
        else:
            cover_home(draft, company)
    for kind, train in draft.sheet.trains.items():
        left = draft.state.depot.display[kind]
        if left and (kind not in ROSTER or train.not_for_sale):
            draft.emit(Boxed(kind, left))
    lowest = next(company for company in draft.sheet.companies if company in hands)
    stock_round.give_priority(draft, hands[lowest])
    draft.push(Rounds())


def begin(draft: Draft, company: CompanyId, seat: Seat) -> None:
    """Found a corporation for nothing; it floats, and has 350 Mark and a 2-train."""
    number = directors_certificate(draft.state.companies[company])
    draft.emit(StatusSet(company, "founded"))
    draft.emit(DirectorChanged(company, seat, "set_up"))
    draft.emit(CertificateMoved(company, number, IPO, seat, "set_up"))
    set_par(draft, company, PAR, "set_up")
    draft.emit(StatusSet(company, "floated"))
    unsold_to(draft, company, CHARTER)
    draft.pay(BANK, company, CAPITAL, "capital")
    draft.emit(TrainMoved(FIRST_TRAIN, DISPLAY, company, "set_up"))


# Cycles --------------------------------------------------------------------------------------------------------------


class PlayerRound(Frame, frozen=True, tag="player_round"):
    """A player round: `seat` is to act, `turns` have been taken."""

    number: int
    seat: Seat
    turns: int = 0


def run_cycles(draft: Draft, cycles: Rounds) -> None:
    """Six times a player round and a train round, then the end (LRA-SHO-03, LRA-SHO-04)."""
    if cycles.number and not cycles.done:
        draft.replace_top(replace(cycles, planned=1, done=1))
        open_round(draft, cycles.number, 1, 1)
    elif cycles.number == CYCLES:
        draft.end("cycles")
    else:
        draft.replace_top(Rounds(cycles.number + 1))
        draft.push(PlayerRound(cycles.number + 1, draft.state.priority))


def run_player_round(draft: Draft, current: PlayerRound) -> None:
    """Twice round the table. Who can buy nothing is passed over."""
    if current.turns >= TURNS * len(draft.state.players):
        draft.pop()
    elif not can(draft.ruleset, draft.state, current.seat, (BuyShare,)):
        next_player(draft, skipped=("player_turn",))


def on_top(draft: Draft) -> PlayerRound:
    """The frame on top, which must be a player round."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, PlayerRound)
    return frame


def next_player(draft: Draft, skipped: tuple[str, ...] = ()) -> None:
    """Pass the turn on clockwise."""
    current = on_top(draft)
    seat = draft.state.clockwise(current.seat)[0]
    draft.replace_top(replace(current, seat=seat, turns=current.turns + 1), skipped)


@check("LRA-SHO-03")
def from_charter(view: View, action: BuyShare) -> Refusal | None:
    """Refuse shares from anywhere but the charters: there is no pool and no sale."""
    company = view.company(action.company)
    if action.source == CHARTER and stock_round.offered(company, CHARTER, action.percent) is not None:
        return None
    return refuse(Code.NONE_LIES_THERE, company=action.company, percent=action.percent, source=CHARTER)


def buy_options(view: View) -> Iterable[BuyShare]:
    """Every size on every charter."""
    for company in view.state.companies.values():
        for percent in sorted({company.certificates[n].percent for n in company.held(CHARTER)}):
            yield BuyShare(company.id, CHARTER, percent)


def buy(draft: Draft, action: BuyShare) -> None:
    """One share, paid to its corporation (LRA-SHO-03)."""
    number = stock_round.offered(draft.state.companies[action.company], CHARTER, action.percent)
    assert number is not None
    next_player(draft)
    draft.pay(draft.seat, action.company, shares_of(action.percent) * draft.state.price(action.company), "share")
    draft.emit(CertificateMoved(action.company, number, CHARTER, draft.seat, "share"))


def pass_turn(draft: Draft, _action: Pass) -> None:
    """Buy nothing."""
    next_player(draft)


BUY = Rule(
    BuyShare,
    buy_options,
    buy,
    needs=(stock_round.known_company, from_charter),
    checks=(stock_round.share_affordable, stock_round.certificate_limit),
)
PASS = Rule(Pass, lambda _view: (Pass(),), pass_turn)
CYCLE = Duty(Rounds, rule="LRA-SHO-03", run=run_cycles)
PLAYER_ROUND = Duty(
    PlayerRound, rule="LRA-SHO-03", who=lambda _state, current: (current.seat,), menu=(BUY, PASS), run=run_player_round
)


# Train rounds --------------------------------------------------------------------------------------------------------


def pay_everything(draft: Draft) -> None:
    """Pay everything out; the price moves by what is paid (LRA-SHO-03)."""
    turn = turn_of(draft.state)
    if turn.revenue:
        distribute(draft, turn.revenue)
    else:
        running_and_dividends.enter_pay(draft)


PAY = TurnStep("pay", enter=pay_everything)
LAYING = LayingPolicy(
    rights={"normal": tile_laying.Right(Allowance.NORMAL, track_rules.normal_open, tile_laying.city_or_new_track)},
    powers={},
    costs=(tile_laying.terrain, tile_laying.replaced),
    upgrade="COMMON-TRK-11",
    cites=track_rules.CITES,
)
OWN: dict[type[Event], Callable[[State, Any], State]] = {Boxed: box}


def build(sheet: Sheet, options: LraOptions) -> Ruleset:
    """The short game, listed in full."""
    turn: tuple[Rule[Any], ...] = (
        track_rules.LAY_TILE,
        station_rules.PLACE_STATION,
        running_and_dividends.RUN_TRAINS,
        BUY_TRAIN,
        PASS_STEP,
    )
    duties = (CYCLE, PLAYER_ROUND, OPERATING_ROUND, company_turn(*turn), TRAIN_OFFER)
    return Ruleset(
        name="18lra/short",
        version=VERSION,
        sheet=sheet,
        options=msgspec.to_builtins(options),
        notes=NOTES,
        set_up=set_up,
        duties={duty.frame: duty for duty in duties},
        reactions=(phases.PHASE_BEGINS, DIRECTOR_FOLLOWS, TURN_UP_HOMES, BANK_BREAKS),
        anytime=(OFFER_END, DECLINE_END),
        invariants=invariants.SHARED,
        own=OWN,
        policies=(
            DirectorsPolicy(fewest_first),
            UsedCompanies(founded),
            TurnPolicy((track_rules.TRACK, station_rules.STATION, RUN, PAY, TRAINS)),
            LAYING,
            PowersPolicy({}),
            station_rules.STATIONS,
            ROUTES,
            by_routes(ROUTES),
            PayPolicy(goes_under=True),
            TrainPolicy(duty=False),  # nobody is forced to buy (LRA-SHO-01),
        ),
    )
