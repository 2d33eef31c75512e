"""18Ruhr: a random game in which the judges of the rulebook are asked beside the engine, position by position."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

import msgspec
from msgspec.structs import replace

from tests.judges.board import Undecided, arrivals
from tests.judges.plain import Move, action_of, bot_moves, event_of, moves, position_of, sheet_of
from tests.judges.ruhr_actions import STAGES, RuhrActions
from tests.judges.ruhr_books import RuhrBooks
from tests.judges.ruhr_track import RuhrTrack
from tests.judges.ruhr_turns import RuhrTurns
from tests.judges.tally import Tally
from trajekt.engine.actions import BuyShare, BuyTrain, FoundCompany, LayTile, PlaceStation, SellShares
from trajekt.engine.decisions import legal, refusal
from trajekt.engine.ruleset import Choice, Ruleset
from trajekt.engine.state import State
from trajekt.games.ruhr.actions import (
    BuildPmcLink,
    BuyEngine,
    BuyItem,
    Develop,
    FoundMontan,
    MergeMine,
    ShareDeal,
    UsePferdebahn,
)
from trajekt.games.ruhr.title import TITLE
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.running_and_dividends import RunningPolicy

LAYS = 150  # lays asked in one position, most of them near what the railway reaches


def ruleset_of(seed: int, chosen: Mapping[str, Any] | None = None) -> Ruleset:
    """A table by its seed: with what is chosen, else the scenario by lot and one in three with some rulings the other way."""
    rng = random.Random(seed)
    drawn: dict[str, Any] = dict(chosen or {})
    if chosen is None and seed % 3 == 2:
        for variant in TITLE.variants:
            if variant.option != "scenario" and rng.random() < 0.4:
                drawn[variant.option] = rng.choice(variant.values or (True,))
    options = TITLE.options(drawn)
    return TITLE.build(TITLE.sheet(options, None), options)


def game_of(seed: int, ruleset: Ruleset, players: int = 0) -> Iterator[Move]:
    """A whole game by its seed, which may give the number of players: one in four between `steady` players, else random."""
    players = players or 3 + seed // 4 % 4
    return bot_moves(ruleset, players, seed, "steady") if seed % 4 == 3 else moves(ruleset, players, seed)


def match(
    seed: int,
    chosen: Mapping[str, Any] | None = None,
    share: float = 1.0,
    *,
    players: int = 0,
    stop: int | None = None,
) -> Tally:
    """One whole game, in a `share` of whose positions all is asked; the accounts of turns and payments follow every move.

    With `stop` the game is played for so many decisions, and everything is asked in the position before the last of them.
    """
    ruleset, tally, rng = ruleset_of(seed, chosen), Tally(), random.Random(seed)
    sheet, options = sheet_of(ruleset.sheet), dict(ruleset.options)
    accounts: list[Any] = []
    for number, move in enumerate(game_of(seed, ruleset, players)):
        tally.positions += 1
        before, after = position_of(move.before), position_of(move.decision.state)
        if not accounts:
            accounts = [RuhrTurns(sheet, before, options), RuhrBooks(sheet, before, options)]
        asks = number == stop or rng.random() < share
        if asks and isinstance(move.before.agenda[-1], CompanyTurn):
            railway_turn(ruleset, move.before, move.seat, tally, rng)
        if asks:
            spelled(ruleset, move.before, move.seat, RuhrActions(sheet, before, options, move.seat), tally, rng)
        turns, books = accounts
        events = [event_of(event) for event in move.decision.events]
        turns.see(action_of(move.action), events, after)
        books.see(move.seat, action_of(move.action), events, after)
        if number == stop:
            break
    for name, account in zip(("turns", "payments and limits"), accounts, strict=True):
        tally.asked[name] = tally.legal[name] = account.counted
        tally.faults += [f"{name}: {fault}" for fault in account.faults]
    return tally


PRICES = (0, 1, 2, 50, 75, 99, 100, 200, 300, 500, 600, 800)
VALUES = (*range(40, 125, 5), 62)


def spelled(ruleset: Ruleset, state: State, seat: int, judge: RuhrActions, tally: Tally, rng: random.Random) -> None:
    """Every action that can be spelled besides those on the map: the judge, the engine, and what is offered must agree."""
    offers = legal(ruleset, state, (seat,))
    every = [(kind, action, verdict) for kind, action, verdict in spellings(judge)]
    for kind, action, verdict in every if len(every) < 400 else rng.sample(every, 400):
        theirs = said(ruleset, state, seat, action)
        tally.compare(kind, verdict(), theirs, action)
        offered = any(fits(choice, action) for choice in offers)
        tally.compare("offered", "" if offered else "not offered", theirs, action)


def fits(choice: Choice, action: Any) -> bool:
    """Whether an action is a choice, or one of the numbers that it leaves open."""
    if type(choice.action) is not type(action):
        return False
    wanted = replace(choice.action, **{name: getattr(action, name) for name in choice.spans})
    return wanted == action and all(getattr(action, name) in span for name, span in choice.spans.items())


def spellings(judge: RuhrActions) -> Iterator[tuple[str, Any, Callable[[], str]]]:
    """The actions of a moment with the judge's verdicts, to be asked for."""
    top, companies = judge.top["type"], list(judge.position["companies"])
    if top == "package":
        for item, value in product(range(24), (0, *VALUES)):
            yield "package", BuyItem(item, value), partial(judge.buy_item, item, value)
    if top == "stock_round":
        for company, source, size in product(companies, ("io", "pool", "charter"), (10, 20, 30)):
            yield "buy", BuyShare(company, source, size), partial(judge.buy_share, company, source, size)
        for company, par in product(companies, VALUES):
            yield "start", FoundCompany(company, par), partial(judge.found, company, par)
        for company, size in product(companies, range(10, 101, 10)):
            if company != "DGEE" and size % judge.sheet["companies"][company]["share"] == 0:
                yield "sell", SellShares(company, size), partial(judge.sell, company, size)
    if top == "montan_turn":
        for kind, counts in product(judge.sheet["trains"], product(range(5), repeat=6)):
            if 0 < sum(counts) < 5:
                stages = "".join(stage * n for stage, n in zip(STAGES, counts, strict=True))
                yield "develop", Develop(kind, stages), partial(judge.develop, kind, stages)
        for source, kind, scrap in product(("display", "pool"), judge.sheet["trains"], ("", "W1", "W2", "W3", "W4")):
            yield "engine", BuyEngine(source, kind, scrap), partial(judge.buy_engine, source, kind, scrap)
    if top == "foundation":
        for company, mine, value in product(companies, range(1, 19), range(50, 101, 10)):
            for extra, merged in (("", 0), ("buy", 0), *(("merge", m) for m in range(1, 19))):
                action = FoundMontan(company, mine, value, extra, merged)
                yield "found MONTAN", action, partial(judge.found_montan, company, mine, value, extra, merged)
    if top == "merging":
        for mine, company in product(range(1, 19), companies):
            yield "merge", MergeMine(mine, company), partial(judge.merge, mine, company)
    if top in ("company_turn", "montan_turn"):
        for deal, size in product(("sell", "buy"), (10, 20)):
            yield "deal", ShareDeal(deal, size), partial(judge.share_deal, deal, size)
    if top == "company_turn":
        for source, kind, price in product(("display", "pool", *companies), judge.sheet["trains"], PRICES):
            yield "train", BuyTrain(source, kind, price), partial(judge.buy_train, source, kind, price)


def railway_turn(ruleset: Ruleset, state: State, seat: int, tally: Tally, rng: random.Random) -> None:
    """Everything that can be spelled in a railway's turn on the map."""
    position = position_of(state)
    judge = RuhrTrack(sheet_of(ruleset.sheet), position, dict(ruleset.options))
    turn = position["agenda"][-1]
    treasury = position["companies"][turn["company"]]["treasury"]
    try:
        if turn["step"] == "track":
            lays(ruleset, state, seat, judge, tally, rng)
        for at in judge.sheet["hexes"]:
            if turn["step"] == "station":
                for stop in "ab":
                    mine = judge.station(turn, at, stop, treasury)
                    tally.compare("station", mine, said(ruleset, state, seat, PlaceStation(at, stop)), (at, stop))
        for mine in range(20):
            theirs = said(ruleset, state, seat, BuildPmcLink(mine))
            tally.compare("link", judge.link_by_railway(turn, mine, treasury), theirs, (mine, turn["step"]))
        pferdebahn(ruleset, state, seat, judge, tally)
        if turn["step"] == "run":
            runs(ruleset, state, judge, turn["company"], tally)
    except Undecided:
        tally.open[turn["step"]] += 1


def said(ruleset: Ruleset, state: State, seat: int, action: Any) -> str:
    """The engine's word on an action, empty where it is legal."""
    answer = refusal(ruleset, state, seat, action)
    return "" if answer is None else f"{answer.code} ({answer.rule})"


def lays(ruleset: Ruleset, state: State, seat: int, judge: RuhrTrack, tally: Tally, rng: random.Random) -> None:
    """Tiles in all turns on hexes near the railway's track, and some anywhere."""
    turn = judge.position["agenda"][-1]
    company = turn["company"]
    treasury = judge.position["companies"][company]["treasury"]
    near = judge.hexes(company) | {at for at, _ in arrivals(judge.board, judge.reach(company))}
    near = sorted(near & judge.sheet["hexes"].keys())
    every, tiles = list(judge.sheet["hexes"]), list(judge.sheet["tiles"])
    for _ in range(LAYS):
        at = rng.choice(near if near and rng.random() < 0.85 else every)
        tile, rotation = rng.choice(tiles), rng.randrange(6)
        theirs = said(ruleset, state, seat, LayTile(at, tile, rotation))
        tally.compare("lay", judge.lay(turn, at, tile, rotation, treasury), theirs, (at, tile, rotation))


def pferdebahn(ruleset: Ruleset, state: State, seat: int, judge: RuhrTrack, tally: Tally) -> None:
    """A link by each Pferdebahn that the player in turn owns."""
    for number in (21, 22):
        private = judge.position["privates"][number]
        if private["owner"] == seat and private["open"]:
            for mine in range(1, 19):
                theirs = said(ruleset, state, seat, UsePferdebahn(number, mine))
                tally.compare("Pferdebahn", judge.link_by_pferdebahn(mine), theirs, mine)


def runs(ruleset: Ruleset, state: State, judge: RuhrTrack, company: str, tally: Tally) -> None:
    """The income of the runs that the engine calls best, and the best that the judge finds."""
    policy = ruleset.policy(RunningPolicy)
    best = policy.best(state, company)
    earned = getattr(policy.judge(state, company, best), "revenue", None)
    tally.equal("income", judge.run(company, msgspec.to_builtins(best)), earned, company)
    tally.equal("best runs", judge.best(company), earned, company)
