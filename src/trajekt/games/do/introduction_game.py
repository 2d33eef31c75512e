"""The Introduction Game, listed in full: a reconstruction, since the rulebook names it and prints no rules (DO-INTRO).

Each player runs one railway for ten rounds on the map and with the trains of the Railway Game; there are no shares.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from trajekt.engine.actions import BuyTrain, Pass
from trajekt.engine.components.schema import CompanyId, Sheet
from trajekt.engine.decisions import can
from trajekt.engine.events import DirectorChanged, NumberDrawn, StatusSet, TrainMoved
from trajekt.engine.ruleset import Code, Draft, DrawNumber, Duty, Refusal, Rule, Ruleset, View, check, refuse
from trajekt.engine.state import BANK, DISPLAY, GONE, State
from trajekt.games.do import (
    invariants,
    phases,
    railway_links,
    route_rules,
    running_and_dividends,
    station_rules,
    track_rules,
    train_rules,
)
from trajekt.games.do.components import introduction
from trajekt.games.do.events import OWN
from trajekt.games.do.frames import NOTES
from trajekt.games.do.hand_position import OWN_POSITION
from trajekt.games.do.options import DoOptions
from trajekt.games.do.setup import lay_homes
from trajekt.rules import tile_laying
from trajekt.rules.floating import UsedCompanies, founded
from trajekt.rules.operating_round import OPERATING_ROUND, OperatingRound, TurnPolicy, TurnStep, company_turn, turn_of
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.running_and_dividends import RUN_TRAINS
from trajekt.rules.stations import TURN_UP_HOMES
from trajekt.rules.trains import TOO_MANY_TRAINS, TRAIN_OFFER, price_of

VERSION = 2


def set_up(draft: Draft, draw: DrawNumber) -> None:
    """Each player draws a railway, with money of its own and all its tokens (DO-INTRO-01)."""
    cards = list(introduction(draft.sheet).companies)
    hands: list[CompanyId] = []
    for seat in range(len(draft.state.players)):
        hands.append(cards.pop(draw("railways", len(cards))))
        draft.emit(NumberDrawn(f"railway:{hands[seat]}", seat))
    lay_homes(draft, hands)
    for seat, company in enumerate(hands):
        draft.emit(StatusSet(company, "founded"))
        draft.emit(DirectorChanged(company, seat, "set_up"))
        draft.emit(StatusSet(company, "floated"))
        draft.pay(BANK, company, introduction(draft.sheet).treasury, "capital")
    draft.push(Rounds())


# Rounds --------------------------------------------------------------------------------------------------------------


def by_money(state: State) -> tuple[CompanyId, ...]:
    """The railways in play, most money first; on a tie in the order of the seats (DO-INTRO-02)."""
    playing = [company for company in state.companies.values() if company.floated]
    return tuple(c.id for c in sorted(playing, key=lambda c: (-c.treasury, c.director)))


def run_rounds(draft: Draft, rounds: Rounds) -> None:
    """Ten Railway Rounds, then the end (DO-INTRO-02, DO-INTRO-04). Between two of them a card leaves the display."""
    if rounds.number == introduction(draft.sheet).rounds:
        draft.end("rounds")
        return
    card = railway_links.next_card(draft.state)
    number = rounds.number + 1
    draft.replace_top(Rounds(number, planned=1, done=1))
    draft.push(OperatingRound(number, 1, 1, order=by_money(draft.state)))
    if rounds.number and card is not None:
        draft.emit(TrainMoved(card, DISPLAY, GONE, "round"))


TEN_ROUNDS = Duty(Rounds, rule="DO-INTRO-02", run=run_rounds)


# Turns ---------------------------------------------------------------------------------------------------------------


def enter_pay(draft: Draft) -> None:
    """Pay all income to the railway (DO-INTRO-02); trains on their last run leave."""
    turn = turn_of(draft.state)
    running_and_dividends.last_runs_over(draft, turn.company)
    draft.pay(BANK, turn.company, turn.revenue, "withhold")


@check("DO-INTRO-03", "DO-TRAIN-12")
def buys_if_it_can(view: View, _action: Pass) -> Refusal | None:
    """Refuse to pass with a railway that has no train and money for one; who cannot pay goes on without."""
    state, company = view.state, view.company(turn_of(view.state).company)
    for_sale = train_rules.trains_for_sale(view)
    if company.trains or all(price_of(state, kind) > company.treasury for _, kind in for_sale):
        return None
    return refuse(Code.MUST_BUY_TRAIN, company=company.id)


TRACK = TurnStep("track", waits=tile_laying.can_lay, passable=True)
PAY = TurnStep("pay", enter=enter_pay)
TRAINS = TurnStep(
    train_rules.TRAINS_STEP,
    waits=lambda view: can(view.ruleset, view.state, view.seat, (BuyTrain,)),
    passable=True,
    leave=buys_if_it_can,
)
TURN: tuple[Rule[Any], ...] = (
    track_rules.LAY_TILE,
    station_rules.PLACE_STATION,
    railway_links.BUILD_LINK_ALONE,
    RUN_TRAINS,
    train_rules.BUY_TRAIN,
    train_rules.PASS_STEP,
)
STEPS = (TRACK, station_rules.STATION, railway_links.LINK_STEP, running_and_dividends.RUN, PAY, TRAINS)
DUTIES = (TEN_ROUNDS, OPERATING_ROUND, company_turn(*TURN), TRAIN_OFFER, TOO_MANY_TRAINS)


def build(sheet: Sheet, chosen: DoOptions) -> Ruleset:
    """The ruleset that a table has chosen."""
    return Ruleset(
        name=f"18do/{chosen.game}",
        version=VERSION,
        sheet=sheet,
        options=msgspec.to_builtins(chosen),
        notes=NOTES,
        set_up=set_up,
        duties={duty.frame: duty for duty in DUTIES},
        reactions=(*phases.OF_RAILWAYS, phases.LIMIT_FALLS, train_rules.POOL_NOTED, TURN_UP_HOMES),
        policies=(
            chosen,
            UsedCompanies(founded),
            TurnPolicy(STEPS),
            track_rules.LAYING,
            station_rules.STATIONS,
            route_rules.ROUTES,
            running_and_dividends.policy(route_rules.ROUTES, chosen),
            replace(train_rules.limit(chosen), duty=False),  # nobody is forced to buy (DO-INTRO-03)
            OWN_POSITION,
        ),
        own=OWN,
        invariants=(*invariants.OF_INTRODUCTION, invariants.trains(train_rules.limit(chosen))),
    )
