"""18Ruhr: every action off the map that can be spelled, put to judge and engine, and held against what is offered."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any

from tests.judges.plain import Move, action_of, event_of, fits, position_of, said, sheet_of
from tests.judges.ruhr_actions import PERCENTS, STAGES
from tests.judges.ruhr_choices import RuhrChoices
from tests.judges.ruhr_forced import RuhrForced
from tests.judges.tally import Tally
from trajekt.engine.actions import (
    Accept,
    BuyShare,
    BuyTrain,
    DeclareBankruptcy,
    Decline,
    DiscardTrain,
    EndTurn,
    FoundCompany,
    Pass,
    PayOut,
    SellShares,
    Withhold,
)
from trajekt.engine.decisions import legal
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.games.ruhr.actions import (
    BuildPmcLink,
    BuyEngine,
    BuyEngineFrom,
    BuyItem,
    Develop,
    ForceTrain,
    FoundMontan,
    KeepEngines,
    MergeMine,
    RemovePrivate,
    ScrapEngine,
    ShareDeal,
    UsePferdebahn,
)

MOST = 60  # actions of a kind that are put to both in one position
VALUES = (*range(40, 125, 5), 62)
ENGINES = ("W1", "W2", "W3", "W4")
SCRAPS = ("", *ENGINES)
TURNS = ("company_turn", "montan_turn")
CAUSES = ("sale", "forced", "train", "deal", "development")
Asked = tuple[str, Any, Callable[[], str]]


def ask(ruleset: Ruleset, state: State, tally: Tally, rng: random.Random) -> None:
    """What can be spelled off the map in a position, by the seat that it waits for; one time in ten by all."""
    position, options, sheet = position_of(state), dict(ruleset.options), sheet_of(ruleset.sheet)
    first = RuhrChoices(sheet, position, options, 0).awaited()
    for seat in range(len(state.players)) if rng.random() < 0.1 else (first,):
        judge = RuhrChoices(sheet, position, options, seat)
        awaited = judge.awaited() == seat
        offers = legal(ruleset, state, (seat,))
        by_kind: dict[str, list[Asked]] = {}
        for each in spelled(judge):
            by_kind.setdefault(each[0], []).append(each)
        for found in by_kind.values():
            for kind, action, verdict in found if len(found) <= MOST else rng.sample(found, MOST):
                theirs = said(ruleset, state, seat, action)
                tally.compare(kind, verdict() if awaited else "not awaited", theirs, (seat, action))
                offered = any(fits(choice, action) for choice in offers)
                tally.compare("offered", "" if offered else "not offered", theirs, (seat, action))
        for choice in offers:  # what is offered is likely legal: put it to the judge as well
            for kind, action, verdict in by_kind.get(kind_of(choice.action), []):
                if choice.action == action:
                    tally.compare(kind, verdict() if awaited else "not awaited", "", (seat, action))
        tally.equal("offers stay", offers, legal(ruleset, state, (seat,)), judge.top["type"])


def kind_of(action: Any) -> str:
    """Under which question an offered action is asked again; only those of which there are many."""
    kinds = {Develop: "develop", FoundMontan: "found MONTAN", BuyEngineFrom: "engine of second hand"}
    return kinds.get(type(action), "")


def spelled(judge: RuhrChoices) -> Iterator[Asked]:
    """The actions of all kinds with the judge's verdicts, those of the moment in full, others by an example or two."""
    yield from leaving(judge)
    yield from papers(judge)
    yield from of_trains(judge)
    if judge.top["type"] == "package":
        for item, value in product(range(24), (0, *VALUES)):
            yield "package", BuyItem(item, value), partial(judge.buy_item, item, value)
    if judge.top["type"] in ("foundation", "merging"):
        yield from of_a_montan_round(judge)
    if judge.top["type"] in ("montan_turn", "too_many_engines"):
        yield from of_works(judge)


def leaving(judge: RuhrChoices) -> Iterator[Asked]:
    """Passes, income, answers, bankruptcy."""
    yield "leave", Pass(), partial(judge.leave, "pass")
    yield "leave", EndTurn(), partial(judge.leave, "end_turn")
    yield "pay or keep", PayOut(), partial(judge.pay, out=True)
    yield "pay or keep", Withhold(), partial(judge.pay, out=False)
    yield "answer", Accept(), judge.answer
    yield "answer", Decline(), judge.answer
    yield "bankruptcy", DeclareBankruptcy(), judge.bankrupt
    for number in (0, 7, 19, 20, 21, 22):
        yield "remove a private company", RemovePrivate(number), partial(judge.remove_private, number)


def of_sizes(total: int) -> Iterator[tuple[int, ...]]:
    """No papers named; papers of 20 and 10 per cent that come to a sum; one row that does not."""
    yield ()
    for twenties in range(total // 20 + 1):
        yield (20,) * twenties + (10,) * ((total - 20 * twenties) // 10)
    yield (20,) * (total // 20 + 1)


def papers(judge: RuhrChoices) -> Iterator[Asked]:
    """Certificates: founding, buying, selling, also in a forced purchase, and a corporation's own deal."""
    companies, top = [*judge.position["companies"], "XYZ"], judge.top["type"]
    round_on, forced = top == "stock_round", top == "shortage"
    for company, source, size in product(companies if round_on else ("CME",), ("io", "pool", "charter"), (10, 20, 30)):
        yield "buy", BuyShare(company, source, size), partial(judge.buy_share, company, source, size)
    for company, par in product(companies if round_on else ("CME",), VALUES):
        yield "start", FoundCompany(company, par), partial(judge.found, company, par)
    verdict = judge.sell_own if forced else judge.sell
    for company, size in product(companies if round_on or forced else ("BME",), PERCENTS):
        for sizes in of_sizes(size) if company == "DGEE" else ((), (10,) * (size // 10)):
            action = SellShares(company, size, sizes)
            yield "forced sale" if forced else "sell", action, partial(verdict, company, size, sizes)
    deal_by = judge.own_deal if forced else judge.share_deal
    for deal, size in product(("sell", "buy", "lend"), (10, 20, 30)):
        yield "deal", ShareDeal(deal, size), partial(deal_by, deal, size)


def of_trains(judge: RuhrChoices) -> Iterator[Asked]:
    """All sources and types, at printed prices, near what the treasury holds, and at every tenth price between."""
    if judge.top["type"] == "too_many_trains":
        for company, kind in product(judge.position["companies"], judge.sheet["trains"]):
            yield "discard", DiscardTrain(company, kind), partial(judge.discard, company, kind)
    if judge.top["type"] not in ("company_turn", "shortage"):
        return
    treasury, kinds = judge.company["treasury"], [*judge.sheet["trains"], "9"]
    printed = [judge.printed(kind) for kind in judge.sheet["trains"]]
    prices = sorted({0, 1, 2, treasury, treasury + 1, *printed, *(p + 1 for p in printed), *range(7, 900, 97)})
    for source, kind, price in product(("display", "pool"), kinds, prices):
        yield "train of the bank", BuyTrain(source, kind, price), partial(judge.buy_train, source, kind, price)
        yield "forced train of the bank", ForceTrain(source, kind, price), partial(judge.choose, source, kind, price)
    for name, company in judge.position["companies"].items():
        for kind, price in product(dict.fromkeys((*company["trains"], "2")), prices):
            yield "train of another", BuyTrain(name, kind, price), partial(judge.buy_train, name, kind, price)
            yield "forced train of another", ForceTrain(name, kind, price), partial(judge.choose, name, kind, price)


def of_a_montan_round(judge: RuhrChoices) -> Iterator[Asked]:
    """Foundings at all values with all second certificates, and mergers."""
    companies = list(judge.position["companies"])
    for company, mine, value in product(companies, range(1, 19), range(50, 101, 10)):
        for extra, merged in (("", 0), ("buy", 0), *(("merge", m) for m in range(1, 19))):
            action = FoundMontan(company, mine, value, extra, merged)
            yield "found MONTAN", action, partial(judge.found_montan, company, mine, value, extra, merged)
    for mine, company in product(range(1, 19), companies):
        yield "merge", MergeMine(mine, company), partial(judge.merge, mine, company)


def of_works(judge: RuhrChoices) -> Iterator[Asked]:
    """Markers, engines of the bank and of railways, links, engines given up."""
    if judge.top["type"] == "montan_turn":
        for kind, counts in product(judge.sheet["trains"], product(range(5), repeat=6)):
            if 0 < sum(counts) < 5:
                stages = "".join(stage * n for stage, n in zip(STAGES, counts, strict=True))
                yield "develop", Develop(kind, stages), partial(judge.develop, kind, stages)
        for source, kind, scrap in product(("display", "pool", "bank"), judge.sheet["trains"], SCRAPS):
            yield "engine", BuyEngine(source, kind, scrap), partial(judge.buy_engine, source, kind, scrap)
        grey = [train["own"]["engine"]["price"] * 3 // 2 for train in judge.sheet["trains"].values()]
        prices = sorted({9, 10, 11, 12, 30, *grey, *(price + 1 for price in grey)})
        sellers = {name: (*company["trains"], "2") for name, company in judge.position["companies"].items()}
        for name, kinds in sellers.items():
            for kind, price, scrap in product(dict.fromkeys(kinds), prices, SCRAPS):
                action = BuyEngineFrom(name, kind, price, scrap)
                yield "engine of second hand", action, partial(judge.engine_from, name, kind, price, scrap)
        for mine in range(20):
            yield "own link", BuildPmcLink(mine), partial(judge.own_link, mine)
        for private, mine in product((20, 21, 22), range(1, 19)):
            yield "Pferdebahn", UsePferdebahn(private, mine), partial(judge.pferdebahn, private, mine)
    for engine in ENGINES:
        yield "scrap", ScrapEngine(engine), partial(judge.scrap, engine)
    for count in range(4):
        for engines in combinations_with_replacement(ENGINES, count):
            yield "keep engines", KeepEngines(engines), partial(judge.keep, engines)


# What follows --------------------------------------------------------------------------------------------------------


def followed(ruleset: Ruleset, move: Move, tally: Tally) -> None:
    """Who directs and what lies where after a purchase or sale; what is paid in a forced purchase; what a ruin leaves."""
    action, before, after = action_of(move.action), position_of(move.before), position_of(move.decision.state)
    events, kind = [event_of(event) for event in move.decision.events], action["kind"]
    judge = RuhrForced(sheet_of(ruleset.sheet), before, dict(ruleset.options), move.seat)
    if judge.top["type"] == "train_ask":  # the seller answers, the buyer's director pays
        judge = RuhrForced(judge.sheet, before, judge.options, judge.company["director"])
    settles = any(e["event"] in ("montan_settled", "private_closed", "bankrupt", "montan_closed") for e in events)
    if kind in ("sell_shares", "buy_share") and not settles:
        name = action["company"]
        if kind == "sell_shares":
            mine = judge.after_sale(name, action["percent"], tuple(action["sizes"]))
        else:
            mine = judge.after_purchase(name, action["source"], action["percent"])
        floats = after["companies"][name]["floated"] and not before["companies"][name]["floated"]
        tally.equal(
            "papers and director", kept_by(mine, floats), kept_by(lies_in(judge, after, name), floats), move.action
        )
    asked = judge.top["type"] == "train_ask" and kind == "accept"
    poor = kind == "develop" and judge.works()[4] < judge.sheet["trains"][action["card"]]["own"]["development"]["price"]
    buys = kind == "force_train" and (action["source"] in ("display", "pool") or not any_ask(after))
    if asked or poor or buys or (judge.top["type"] == "shortage" and kind in ("sell_shares", "share_deal")):
        mine = judge.settled(kind, action)
        if mine is not None:
            waits = bool(after["agenda"]) and after["agenda"][-1]["type"] == "shortage"
            theirs = (moved(before, events, judge.name), moved(before, events, judge.seat), waits)
            tally.equal("paid in a forced purchase", mine, theirs, move.action)
    if kind == "declare_bankruptcy":
        ruin(judge, after, events, tally)


def kept_by(found: Any, floats: bool) -> Any:
    """Who directs and what lies where; with players alone where the rest moved by floating."""
    director, lies = found
    return director, {place: sizes for place, sizes in lies.items() if isinstance(place, int) or not floats}


def lies_in(judge: RuhrForced, position: Any, name: str) -> Any:
    """Who directs a corporation and what lies where in a later position."""
    later = RuhrForced(judge.sheet, position, judge.options, judge.seat) if position["agenda"] else None
    if later is None:
        later = RuhrForced(judge.sheet, {**position, "agenda": judge.position["agenda"]}, judge.options, judge.seat)
    lies = {place: sorted(sizes, reverse=True) for place, sizes in later.lying(name).items()}
    return position["companies"][name]["director"], lies


def any_ask(position: Any) -> bool:
    """Whether a railway's director is asked for a train."""
    return bool(position["agenda"]) and position["agenda"][-1]["type"] == "train_ask"


def moved(before: Any, events: list[Any], account: Any) -> int:
    """What an account holds once the train or card that was owed has moved."""
    held = before["companies"][account]["treasury"] if isinstance(account, str) else before["players"][account]["cash"]
    for event in events:
        if event["event"] == "train":
            break
        if event["event"] == "paid" and event["cause"] in CAUSES:
            held += event["amount"] * ((event["target"] == account) - (event["source"] == account))
    return int(held)


def ruin(judge: RuhrForced, after: Any, events: list[Any], tally: Tally) -> None:
    """What a bankruptcy leaves: directors and papers, the markers, the money, and who pays on."""
    mine, rest, left = judge.ruined()
    spaces = judge.position["markers"]["spaces"]
    own = [
        name
        for name, found in judge.position["companies"].items()
        if found["director"] == judge.seat and spaces[name][1] > 1
    ]
    later = [e for e in events if e["event"] == "montan_closed"]
    for name, expected in mine.items():
        if not later:
            tally.equal("after a bankruptcy", expected, lies_in(judge, after, name), name)
    fallen = sorted(e["company"] for e in events if e["event"] == "price" and e["cause"] == "bankrupt")
    tally.equal("markers that fall by a bankruptcy", sorted(own), fallen, judge.seat)
    paid = sum(
        e["amount"] for e in events if e["event"] == "paid" and (e["source"], e["cause"]) == (judge.seat, "bankrupt")
    )
    tally.equal("what the bank gets of a bankrupt", rest, paid, judge.seat)
    tally.equal("cash of a bankrupt", 0, after["players"][judge.seat]["cash"], judge.seat)
    owned = [n for n, p in after["privates"].items() if p["owner"] == judge.seat and p["open"]]
    tally.equal("private companies of a bankrupt", [], owned, judge.seat)
    heir = mine[judge.name][0]
    playing = sum(not player["bankrupt"] for player in after["players"])
    if playing == 1 or not after["agenda"]:
        return
    if heir is None:
        debts = [e["amount"] for e in events if e["event"] == "debt" and e["company"] == judge.name][:1]
        tally.equal("loan after a bankruptcy", [judge.company["debt"] + left] if left else [], debts, judge.name)
        return
    pays = [e["amount"] for e in events if e["event"] == "paid" and (e["source"], e["cause"]) == (heir, "forced")][:1]
    able = left <= judge.position["players"][heir]["cash"]
    tally.equal("the follower pays on", [left] if able and left else [], pays, judge.name)
    waits = after["agenda"][-1]["type"] == "shortage"
    tally.equal("the follower's purchase", not able, waits, judge.name)
