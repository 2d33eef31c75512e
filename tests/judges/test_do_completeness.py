"""Everything that can be spelled in 18DO is offered where it is accepted, and nowhere else, also after a refusal."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest
from msgspec.structs import replace

from tests.judges.do_match import eager, ruleset_of
from tests.judges.plain import moves
from trajekt.engine.actions import BuyTrain, FoundCompany, Pass, PayOut, PlaceBid, PlaceStation, Withhold
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import legal, refusal
from trajekt.games.do.actions import (
    BuildRailwayLink,
    BuyBec,
    BuyCertificate,
    BuyMarker,
    Deliver,
    DisposeBec,
    ForcedSale,
    ForcePurchase,
    FoundByTrade,
    LoadTrain,
    OwnCertificate,
    SellCertificates,
    TakeEvent,
    TradeIn,
    UseEvent,
)
from trajekt.games.do.state import do_state

PERCENTS = (10, 20, 30, 40)
PRICES = (1, 2, 50, 60, 79, 80, 100, 150, 151, 180, 300, 450, 630, 800)


def spelled(state):
    """Actions of all kinds but lays and runs, with every corporation, size, price and card, and with some numbers."""
    sheet = state.sheet
    kinds, companies, sources = tuple(sheet.trains), tuple(state.companies), ("charter", "pool", "io")
    values = sorted({cell.price for row in sheet.market.rows for cell in row if cell})
    yield from (Pass(), PayOut(), Withhold(), Deliver())
    yield from (PlaceBid(number, amount) for number in state.privates for amount in (0, 5, 7, 15, 30, 35))
    yield from (FoundCompany(c, v) for c, v in product(companies, values))
    yield from (FoundByTrade(c, v) for c, v in product(companies, values))
    for company, source, percent in product(companies, sources, PERCENTS):
        yield from (BuyCertificate(company, source, percent, hand_in) for hand_in in (False, True))
        yield TradeIn(company, source, percent)
    sizes = [each for n in (1, 2, 3) for each in combinations_with_replacement((30, 20, 10), n)]
    yield from (SellCertificates(c, s, back) for c, s, back in product(companies, sizes, (0, 1)))
    yield from (OwnCertificate(deal, percent) for deal, percent in product(("sell", "buy"), PERCENTS))
    yield from (ForcePurchase(source, kind) for source, kind in product(("display", "pool"), kinds))
    yield from (ForcedSale(percent) for percent in PERCENTS)
    yield from (BuyTrain(s, k, p) for s, k, p in product(("display", "pool", *companies), kinds, PRICES))
    yield from (BuildRailwayLink(at) for at in sheet.hexes)
    yield from (PlaceStation(at, "a") for at in sheet.hexes)
    becs = sorted(bec.number for held in do_state(state).charters.values() for bec in held.becs)
    yield from (DisposeBec(number) for number in becs)
    yield from (BuyBec(kind, help_) for kind, help_ in product(kinds, (False, True)))
    for letter in "GHIJKLMNOP":
        yield TakeEvent(letter)
        yield UseEvent(letter)
        yield from (UseEvent(letter, bec=number) for number in becs)
    yield from (UseEvent("N", bec=n, count=c) for n, c in product(becs, (1, 2, 3)))
    yield from (UseEvent("N", bec=n, count=2, other=other) for n, other in product(becs, becs))
    yield from (UseEvent("K", segment=s, customers=c) for s, c in product(range(1, 7), (0, 1)))
    yield from (UseEvent("M", sizes=each) for each in sizes)
    for company in companies:
        for kind, cubes, number, count in product(state.companies[company].trains, (0, 1), becs, (1, 2, 3)):
            yield LoadTrain(company, kind, cubes, number, count)
    places = ("display", *do_state(state).charters)
    yield from (BuyMarker(code, at, price) for code, at, price in product(do_state(state).markers, places, PRICES))


def offered(ruleset, state, seat, action, choices):
    """Whether a choice covers an action: as it stands, or with a number within a span."""
    for choice in choices:
        if choice.seat == seat and type(choice.action) is type(action):
            numbers = {name: getattr(action, name) for name in choice.spans}
            if replace(choice.action, **numbers) == action and all(
                n in choice.spans[name] for name, n in numbers.items()
            ):
                return True
    return False


@pytest.mark.rule("DO-BREW-22", "DO-X-06", "DO-SR-10", "DO-SR-18", "DO-X-29", "DO-FORCED-05", "COMMON-TRN-05")
@pytest.mark.parametrize(("game", "short", "seed"), [("full", False, 4), ("expert", False, 5), ("expert", True, 6)])
def test_offered_if_and_only_if_accepted(game, short, seed):
    players = 5 if short else 3
    ruleset, kinds = ruleset_of(players, game, short=short), set()
    for number, move in enumerate(moves(ruleset, players, seed, pick=eager if short else None)):
        if number % 6:
            continue
        state = move.before
        for seat in awaited(ruleset, state):
            choices = legal(ruleset, state, (seat,))
            for action in dict.fromkeys(spelled(state)):
                accepted = refusal(ruleset, state, seat, action) is None
                assert accepted == offered(ruleset, state, seat, action, choices), action
                if accepted:
                    kinds.add(type(action))
    assert len(kinds) > 9
