"""18Rhl and 18LRA: every action off the map that can be spelled, put to judge and engine, and held against what is offered."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

from tests.judges.board import Undecided, switched
from tests.judges.plain import Move, action_of, event_of, fits, position_of, said, table_of
from tests.judges.rhine_auction import RhineAuction
from tests.judges.rhine_forced import RhineForced
from tests.judges.rhine_shares import RhineShares
from tests.judges.site_rules import forced_judge, shares_judge
from tests.judges.tally import Tally
from trajekt.engine.actions import (
    AcceptOffer,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    ChooseForcedTrain,
    DeclareBankruptcy,
    DeclineOffer,
    EndTurn,
    FoundCompany,
    Pass,
    PayOut,
    PlaceBid,
    SellCharterShares,
    SellShares,
    SetPar,
    TakeLoan,
    Withhold,
)
from trajekt.engine.decisions import fold, legal
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.rules.stock_round import StockRound

PERCENTS = range(10, 101, 10)
PACKAGE = ("auction", "contest", "offer", "par_choice")
MOST = 500  # actions of one position that are put to both
Asked = tuple[str, Any, Callable[[], str]]


def ask(book: str, ruleset: Ruleset, state: State, tally: Tally, rng: random.Random, seats: Any = ()) -> None:
    """Everything that can be spelled in a position, by the seats that it waits for and by one that it does not."""
    position = position_of(state)
    top = position["agenda"][-1]["type"] if position["agenda"] else ""
    if top not in (*PACKAGE, "stock_round", "company_turn", "forced_purchase"):
        return
    for seat in seats or range(len(state.players)):
        offers = legal(ruleset, state, (seat,))
        every = list(spelled(book, ruleset, position, seat))
        for kind, action, verdict in every if len(every) <= MOST else rng.sample(every, MOST):
            theirs = said(ruleset, state, seat, action)
            try:
                tally.compare(kind, verdict(), theirs, (seat, action))
            except Undecided:
                tally.open[kind] += 1
            offered = any(fits(choice, action) for choice in offers)
            tally.compare("offered", "" if offered else "not offered", theirs, (seat, action))
        tally.equal("offers stay", offers, legal(ruleset, state, (seat,)), top)


def spelled(book: str, ruleset: Ruleset, position: Any, seat: int) -> Iterator[Asked]:
    """The actions of a moment with the judge's verdicts, to be asked for."""
    sheet, top = table_of(ruleset), position["agenda"][-1]
    if top["type"] in PACKAGE:
        yield from of_the_package(RhineAuction(sheet, position, book, seat))
    elif top["type"] == "stock_round":
        yield from of_a_stock_turn(shares_judge(sheet, position, book, seat))
    elif top["type"] == "forced_purchase":
        yield from of_a_purchase(forced_judge(sheet, position, book, seat))
    else:
        yield from of_a_turn(forced_judge(sheet, position, book, seat))
    if top["type"] != "stock_round":  # shares are for stock rounds
        judge = shares_judge(sheet, position, book, seat)
        yield "found", FoundCompany("BME", 70), partial(judge.found, "BME", 70)
        yield "buy a share", BuyShare("BME", "pool", 10), partial(judge.buy, "BME", "pool", 10)
        if top["type"] != "forced_purchase":
            for company in judge.companies:
                yield "sell", SellShares(company, 10), partial(judge.sell, company, 10)


def of_the_package(judge: RhineAuction) -> Iterator[Asked]:
    """Purchases, all bids in a span, passes, offers, pars."""
    cash = judge.position["players"][judge.seat]["cash"]
    for number in range(8):
        yield "buy a private company", BuyPrivate(number), partial(judge.buy, number)
    for number, amount in product(range(1, 7), (-5, 0, *range(18, 175, 1), *range(175, cash + 12, 5))):
        yield "bid", PlaceBid(number, amount), partial(judge.bid, number, amount)
    yield "leave an auction", Pass(), partial(judge.leave, "pass")
    yield "decline an offer", DeclineOffer(), partial(judge.leave, "decline_offer")
    yield "accept an offer", AcceptOffer(), judge.accept
    for company, par in product(("RhE", "BME"), range(40, 130, 5)):
        yield "par", SetPar(company, par), partial(judge.set_par, company, par)


def of_a_stock_turn(judge: RhineShares) -> Iterator[Asked]:
    """Companies, sources, percentages, pars, and papers by size."""
    companies = [*judge.sheet["companies"], "XYZ"]
    for company, par in product(companies, range(50, 125, 5)):
        yield "found", FoundCompany(company, par), partial(judge.found, company, par)
    for company, source, size in product(companies, ("io", "charter", "pool", "bank"), (10, 20, 30)):
        yield "buy a share", BuyShare(company, source, size), partial(judge.buy, company, source, size)
    for company, size in product(companies, PERCENTS):
        mixed = (
            company in judge.companies and len({p["percent"] for p in judge.companies[company]["certificates"][1:]}) > 1
        )
        for sizes in [(), *(of_sizes(size) if mixed else [(10,) * (size // 10)])]:
            yield "sell", SellShares(company, size, sizes), partial(judge.sell, company, size, sizes)
    yield "leave a stock turn", Pass(), partial(judge.leave, "pass")
    yield "leave a stock turn", EndTurn(), partial(judge.leave, "end_turn")


def of_sizes(total: int) -> Iterator[tuple[int, ...]]:
    """Papers of 20 and 10 per cent that come to a sum, and one row that does not."""
    for twenties in range(total // 20 + 1):
        yield (20,) * twenties + (10,) * ((total - 20 * twenties) // 10)
    yield (20,) * (total // 20 + 1)


def of_a_turn(judge: RhineForced) -> Iterator[Asked]:
    """All trains at their prices and near them, forced ones, and leaving the train step."""
    kinds, treasury = [*judge.sheet["trains"], "9"], judge.company["treasury"]
    prices = sorted({0, 1, 2, 50, treasury, treasury + 1, *(t["price"] for t in judge.sheet["trains"].values())})
    for source, kind, price in product(("display", "pool", *judge.companies), kinds, prices):
        yield "train", BuyTrain(source, kind, price), partial(judge.buy, source, kind, price)
    for source, kind in product(("display", "pool", *judge.companies), kinds):
        yield "forced train", ChooseForcedTrain(source, kind), partial(judge.choose, source, kind)
    yield "pay or keep", PayOut(), judge.pay
    yield "pay or keep", Withhold(), judge.pay
    if judge.top["step"] == "trains":
        yield "leave the train step", Pass(), judge.leave


def of_a_purchase(judge: RhineForced) -> Iterator[Asked]:
    """All sales of charter and director, loan, bankruptcy."""
    for count in range(-1, 9):
        yield "charter", SellCharterShares(count), partial(judge.sell_charter, count)
    for company, size in product([*judge.companies, "XYZ"], PERCENTS):
        for sizes in [(), *of_sizes(size)] if company == "MKB" else [()]:
            yield "forced sale", SellShares(company, size, sizes), partial(judge.sell, company, size, sizes)
    yield "loan", TakeLoan(), judge.loan
    yield "bankruptcy", DeclareBankruptcy(), judge.bankrupt


# What follows --------------------------------------------------------------------------------------------------------


def closing(ruleset: Ruleset, move: Move) -> tuple[Any, list[Any], Any] | None:
    """Where a stock round ends by a decision: the last position before, the events of its end, the position after them."""
    state = last = move.before
    events: list[Any] = []
    if in_round(state) is None:
        return None
    for event in move.decision.events:
        was, state = state, fold(ruleset, state, (event,))
        frame = in_round(state)
        if frame is not None and not frame.closed:
            last = state
        else:
            events.append(event_of(event))
        if in_round(was) is None:
            return position_of(last), events, position_of(state)
    return None


def in_round(state: State) -> StockRound | None:
    """The stock round of a position."""
    return next((frame for frame in state.agenda if isinstance(frame, StockRound)), None)


def followed(book: str, ruleset: Ruleset, move: Move, tally: Tally) -> None:
    """Who directs and what lies where after a purchase or sale; what is paid in a forced purchase."""
    action, before, after = action_of(move.action), position_of(move.before), position_of(move.decision.state)
    sheet, top, kind = table_of(ruleset), before["agenda"][-1]["type"], action_of(move.action)["kind"]
    if kind in ("sell_shares", "buy_share") and top in ("stock_round", "forced_purchase"):
        judge = shares_judge(sheet, before, book, move.seat)
        name, size = action["company"], action["percent"]
        if judge.companies[name]["director"] is None and kind == "buy_share":
            return  # what the bank runs, or nobody
        if kind == "sell_shares":
            mine = judge.after_sale(name, size, tuple(action["sizes"]))
        else:
            mine = judge.after_purchase(name, action["source"], size)
        floats = after["companies"][name]["floated"] and not before["companies"][name]["floated"]
        theirs = shares_judge(sheet, after, book, move.seat)
        lies = {place: sorted(papers, reverse=True) for place, papers in theirs.lying(name).items()}
        if floats or (name in {n for n, c in before["companies"].items() if c["due"]}):
            mine, lies = (mine[0], of_players(mine[1])), of_players(lies)
        tally.equal("papers and director", mine, (after["companies"][name]["director"], lies), move.action)
    events = [event_of(event) for event in move.decision.events]
    settling = (SellCharterShares, TakeLoan, SellShares) if top == "forced_purchase" else (ChooseForcedTrain,)
    if isinstance(move.action, settling):
        forced = forced_judge(sheet, before, book, move.seat)
        waits = bool(after["agenda"]) and after["agenda"][-1]["type"] == "forced_purchase"
        theirs_paid = (moved(before, events, forced.name), moved(before, events, move.seat), waits)
        tally.equal("paid in a forced purchase", forced.settled(kind, action), theirs_paid, move.action)
    if isinstance(move.action, DeclareBankruptcy) and book != "first":
        tally.equal("the optional end", ([], True), (list(after["agenda"]), bool(after["outcome"])), move.action)
    elif isinstance(move.action, DeclareBankruptcy):
        ruin(book, sheet, before, after, events, tally)


def moved(before: Any, events: list[Any], account: Any) -> int:
    """What an account holds after the payments for a train that was owed."""
    held = before["companies"][account]["treasury"] if isinstance(account, str) else before["players"][account]["cash"]
    for event in events:
        if event["event"] == "paid" and event["cause"] in ("sale", "forced", "train", "loan"):
            held += event["amount"] * ((event["target"] == account) - (event["source"] == account))
        if event["event"] == "train":
            return int(held)
    return int(held)


def ruin(book: str, sheet: Any, before: Any, after: Any, events: list[Any], tally: Tally) -> None:
    """What a bankruptcy leaves: directors and papers of all corporations, the debt of the one in turn, who pays on."""
    seat = next(event["seat"] for event in events if event["event"] == "bankrupt")
    judge = forced_judge(sheet, before, book, seat)
    mine, debt, left = judge.ruined()
    theirs = shares_judge(sheet, after, book, seat)
    for name, expected in mine.items():
        lies = {place: sorted(papers, reverse=True) for place, papers in theirs.lying(name).items()}
        tally.equal("after a bankruptcy", expected, (after["companies"][name]["director"], lies), name)
    tally.equal("cash of a bankrupt", 0, after["players"][seat]["cash"], seat)
    kept = [n for n, p in after["privates"].items() if p["owner"] == seat and p["open"]]
    tally.equal("private companies of a bankrupt", [], kept, seat)
    anew = switched(sheet, "compat")  # at the site sales come first, and who follows begins anew (CMP-35)
    fallen = [e for e in events if e["event"] == "price" and e["cause"] in ("sale", "forced")]
    if not anew:
        tally.equal("no price falls by a bankruptcy", [], fallen, seat)
    if not after["agenda"]:
        return
    debts = [e["amount"] for e in events if e["event"] == "debt" and e["company"] == judge.name][:1]
    tally.equal("debt of a corporation in receivership", [debt] if debt is not None else [], debts, judge.name)
    heir = mine[judge.name][0]
    if heir is not None:
        pays = [(e["source"], e["amount"]) for e in events if e["event"] == "paid" and e["cause"] == "forced"][:1]
        able = anew or left <= before["players"][heir]["cash"]
        tally.equal("the follower pays on", [(heir, left)] if able and left and not anew else [], pays, judge.name)
        waits = after["agenda"][-1]["type"] == "forced_purchase"
        tally.equal("the follower's purchase", not able, waits, judge.name)


def of_players(lies: Any) -> Any:
    """What lies with players alone."""
    return {place: papers for place, papers in lies.items() if isinstance(place, int)}
