"""18DO: every action off the map that can be spelled, put to judge and engine, and held against what is offered."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any

from tests.judges.board import Undecided
from tests.judges.do_brewing import DoBrewing
from tests.judges.plain import action_of, fits, position_of, said, table_of
from tests.judges.tally import Tally
from trajekt.engine.actions import (
    Accept,
    BuyTrain,
    Decline,
    DiscardTrain,
    EndTurn,
    FoundCompany,
    Pass,
    PayOut,
    PlaceBid,
    Withhold,
)
from trajekt.engine.decisions import legal
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.games.do.actions import (
    AlignBottlingLine,
    BuyBec,
    BuyCertificate,
    BuyMarker,
    ChoosePlace,
    Deliver,
    DiscardBec,
    DiscardMarker,
    DisposeBec,
    ForcedSale,
    ForcePurchase,
    FoundByTrade,
    LoadTrain,
    OwnCertificate,
    SellAtFloat,
    SellCertificates,
    TakeEvent,
    TradeIn,
    UseEvent,
)

MOST = 50  # actions of a kind that are put to both in one position where the kind belongs
FEW = 4  # and elsewhere
HOMES = {  # where kinds of actions belong
    "bid": ("starting_round", "private_lot"),
    "found": ("stock_round",),
    "found by trade": ("stock_round",),
    "buy": ("stock_round",),
    "trade in": ("stock_round",),
    "sell": ("stock_round",),
    "sale at floating": ("float_sale",),
    "place": ("place_choice",),
    "train": ("company_turn",),
    "train of another": ("company_turn",),
    "discard": ("too_many_trains",),
    "give equipment up": ("too_many_becs",),
    "give a marker back": ("too_many_markers",),
    "marker": ("brewery_turn", "company_turn", "first_markers"),
}
EVENTS = ("brewery_turn", "advertise", "marketing")
SIZES = (10, 20, 30, 40)
BLOCKS = [each for n in range(5) for each in combinations_with_replacement((30, 20, 10), n)]
LETTERS = "GHIJKLMNOP"
Asked = tuple[str, Any, Callable[[], str]]


def ask(ruleset: Ruleset, state: State, tally: Tally, rng: random.Random) -> None:
    """What can be spelled off the map in a position, by the seat that it waits for; one time in ten by all."""
    position, options, sheet = position_of(state), dict(ruleset.options), table_of(ruleset)
    first = DoBrewing(sheet, position, options, 0).awaited()
    seats = range(len(state.players)) if rng.random() < 0.1 or first is None else (first,)
    known = {action for duty in ruleset.duties.values() for action in (rule.action for rule in duty.menu)}
    for seat in seats:
        judge = DoBrewing(sheet, position, options, seat)
        offers = legal(ruleset, state, (seat,))
        by_kind: dict[str, list[Asked]] = {}
        for each in spelled(judge):
            by_kind.setdefault(each[0], []).append(each)
        offered_now = {choice.action for choice in offers}
        for name, found in by_kind.items():
            most = (
                MOST
                if judge.top["type"] in HOMES.get(name, EVENTS if "event" in name else (judge.top["type"],))
                else FEW
            )
            likely = [each for each in found if each[1] in offered_now]
            some = found if len(found) <= most else [*rng.sample(found, most), *likely]
            for kind, action, verdict in some:
                theirs = said(ruleset, state, seat, action)
                try:
                    mine = verdict() if seat == first and type(action) in known else "not awaited"
                except Undecided:
                    tally.open[kind] += 1
                    continue
                tally.compare(kind, mine, theirs, (seat, action))
                offered = any(fits(choice, action) for choice in offers)
                tally.compare("offered", "" if offered else "not offered", theirs, (seat, action))
        tally.equal("offers stay", offers, legal(ruleset, state, (seat,)), judge.top["type"])


def spelled(judge: DoBrewing) -> Iterator[Asked]:
    """The actions of all kinds with the judge's verdicts, those of the moment in full, others by an example or two."""
    yield "leave", Pass(), partial(judge.leave, "pass")
    yield "leave", EndTurn(), partial(judge.leave, "end_turn")
    yield "pay or keep", PayOut(), judge.pay
    yield "pay or keep", Withhold(), judge.pay
    yield "answer", Accept(), judge.answer
    yield "answer", Decline(), judge.answer
    for number, amount in product(range(9), (-5, *range(0, 130, 5), 12, 37)):
        yield "bid", PlaceBid(number, amount), partial(judge.bid, number, amount)
    yield from of_papers(judge)
    yield from of_trains(judge)
    yield from of_breweries(judge)
    yield from of_markers(judge)


def of_papers(judge: DoBrewing) -> Iterator[Asked]:
    """Certificates: founding, buying, trading in, selling, deals, sales at floating and by force."""
    companies = [*judge.companies, "XYZ"] if judge.top["type"] == "stock_round" else ["CME", "DUB"]
    values = sorted({cell["price"] for row in judge.sheet["market"]["rows"] for cell in row if cell})
    for company, value in product(companies, (*values, 62)):
        yield "found", FoundCompany(company, value), partial(judge.found, company, value)
        yield "found by trade", FoundByTrade(company, value), partial(judge.found, company, value, trade=True)
    for company, source, size in product(companies, ("charter", "pool", "io"), SIZES):
        for back in (False, True):
            action = BuyCertificate(company, source, size, back)
            yield "buy", action, partial(judge.buy, company, source, size, back)
        yield "trade in", TradeIn(company, source, size), partial(judge.trade_in, company, source, size)
    for company, sizes in product(companies, BLOCKS):
        for back in range(-1, 3):
            action = SellCertificates(company, sizes, back)
            yield "sell", action, partial(judge.sell, company, sizes, back)
    for deal, size in product(("sell", "buy", "lend"), SIZES):
        yield "deal", OwnCertificate(deal, size), partial(judge.own_deal, deal, size)
    for sizes in BLOCKS:
        yield "sale at floating", SellAtFloat(sizes), partial(judge.float_sale, sizes)
    for size in SIZES:
        yield "forced sale", ForcedSale(size), partial(judge.forced_sale, size)
    for minor in ("", *(f"B{n}" for n in range(1, 9))):
        yield "place", ChoosePlace(minor), partial(judge.place, minor)


def of_trains(judge: DoBrewing) -> Iterator[Asked]:
    """All sources and types at printed prices, near what the treasury holds, and at prices between."""
    kinds = [*judge.sheet["trains"], "9"]
    name = judge.top.get("company") or judge.top.get("brewery") or ""
    treasury = judge.treasury(name) if name else 0
    printed = [judge.cost(kind) for kind in judge.sheet["trains"]]
    prices = sorted({0, 1, 2, treasury, treasury + 1, *printed, *range(7, 900, 97)})
    for source, kind in product(("display", "pool"), kinds):
        for price in prices:
            yield "train", BuyTrain(source, kind, price), partial(judge.buy_train, source, kind, price)
        yield "forced purchase", ForcePurchase(source, kind), partial(judge.force, source, kind)
    for company, found in judge.companies.items():
        for kind, price in product(dict.fromkeys((*found["trains"], "2")), prices):
            yield "train of another", BuyTrain(company, kind, price), partial(judge.buy_train, company, kind, price)
        for kind in judge.sheet["trains"]:
            yield "discard", DiscardTrain(company, kind), partial(judge.discard_train, company, kind)


def of_breweries(judge: DoBrewing) -> Iterator[Asked]:
    """Equipment: disposal, deliveries, loads, purchases with all help and exchanges, what is given up."""
    charters = judge.extra.get("charters", {})
    owned = sorted(bec["number"] for held in charters.values() for bec in held["becs"])
    mine = list(judge.becs())
    for number in (0, *owned):
        yield "dispose", DisposeBec(number), partial(judge.dispose, number)
        for brewery in charters:
            yield "give equipment up", DiscardBec(brewery, number), partial(judge.discard_bec, brewery, number)
    yield "deliver", Deliver(), judge.deliver
    if judge.top["type"] != "brewery_turn":
        yield "equipment", BuyBec("2"), partial(judge.buy_bec, "2")
        return
    for kind, helped in product((*judge.sheet["trains"], "1"), (False, True)):
        yield "equipment", BuyBec(kind, helped), partial(judge.buy_bec, kind, helped=helped)
        for number in (*mine, 99):
            for field in ("deal_in", "upgrade"):
                verdict = partial(judge.buy_bec, kind, helped=helped, **{field: number})
                yield "equipment for a piece", BuyBec(kind, helped, **{field: number}), verdict
    for company, found in judge.companies.items():
        for kind, cubes, number, count in product(dict.fromkeys(found["trains"]), (0, 1, 2), (*mine, 99), (0, 1, 2, 3)):
            for wagon, contract in product((False, True), (False, True)):
                action = LoadTrain(company, kind, cubes, number, count, wagon, contract)
                verdict = partial(judge.load, company, kind, cubes, number, count, wagon=wagon, contract=contract)
                yield "load", action, verdict


def of_markers(judge: DoBrewing) -> Iterator[Asked]:
    """Markers at all prices and from all companies, bottling lines, events with all that they may say."""
    charters = judge.extra.get("charters", {})
    codes = list(judge.own.get("markers", {}) or ("A1",))
    places = ["display", *charters, "CME", "B1"]
    held = [marker["code"] for held in charters.values() for marker in held["markers"]]
    prices = (14, 15, 29, 30, 45, 46, 49, 50, 60, 75, 80, 90, 91, 100, 119, 120, 150, 151, 180)
    for code, source, price in product(codes, places, prices):
        for back in dict.fromkeys(("", *held)):
            action = BuyMarker(code, source, price, back)
            yield "marker", action, partial(judge.buy_marker, code, source, price, back)
    becs = list(judge.becs())
    for code, source, target in product(codes, (0, *becs), (*becs, 99)):
        yield "align", AlignBottlingLine(code, source, target), partial(judge.align, code, source, target)
    for brewery, code in product(charters, (*codes, *LETTERS)):
        yield "give a marker back", DiscardMarker(brewery, code), partial(judge.discard_marker, brewery, code)
    for letter in LETTERS:
        yield "take an event", TakeEvent(letter), partial(judge.take_event, letter)
        for event in uses(letter, becs):
            yield f"event {letter}", event, partial(judge.use_event, action_of(event))


def uses(letter: str, becs: list[int]) -> Iterator[UseEvent]:
    """An event with each single thing that it may say, and some of two."""
    yield UseEvent(letter)
    for number in (*becs, 99):
        yield UseEvent(letter, bec=number)
        for count in range(1, 4):
            yield UseEvent(letter, bec=number, count=count)
            yield from (UseEvent(letter, bec=number, count=count, other=other) for other in becs)
    for segment, customers in product(range(1, 8), (0, 1)):
        yield UseEvent(letter, segment=segment, customers=customers)
    for sizes in BLOCKS[1:]:
        yield UseEvent(letter, sizes=sizes)
