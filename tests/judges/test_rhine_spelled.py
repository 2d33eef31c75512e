"""The judges of 18Rhl and 18LRA see each check that is missing in auctions, stock rounds and purchases of trains."""

from __future__ import annotations

import random
from functools import cache

import pytest

from tests.judges.broken import without
from tests.judges.plain import moves
from tests.judges.rhine_games import game_of, ruinous, ruleset_of
from tests.judges.rhine_scattered import lawful, scattered
from tests.judges.rhine_spelled import ask
from tests.judges.tally import Tally
from trajekt.engine.actions import (
    BuyPrivate,
    BuyShare,
    BuyTrain,
    ChooseForcedTrain,
    DeclareBankruptcy,
    FoundCompany,
    Pass,
    PlaceBid,
    SellCharterShares,
    SellShares,
)
from trajekt.engine.agenda import run
from trajekt.engine.ruleset import Draft
from trajekt.rules.auction import Auction, Contest
from trajekt.rules.forced_purchase import ForcedPurchase
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.stock_round import StockRound

BROKEN = (
    ("first", Auction, BuyPrivate, "for_sale_now"),
    ("lra", Auction, BuyPrivate, "private_affordable"),
    ("second", Auction, PlaceBid, "in_steps"),
    ("second", Auction, PlaceBid, "high_enough"),
    ("lra", Contest, PlaceBid, "bid_affordable"),
    ("first", StockRound, SellShares, "operated"),
    ("second", StockRound, SellShares, "floated"),
    ("second", StockRound, SellShares, "not_first_round"),
    ("lra", StockRound, SellShares, "one_block"),
    ("first", StockRound, SellShares, "pool_limit"),
    ("lra", StockRound, SellShares, "sells_down"),
    ("second", StockRound, SellShares, "can_part"),
    ("first", StockRound, BuyShare, "not_sold_before"),
    ("lra", StockRound, BuyShare, "certificate_limit"),
    ("second", StockRound, BuyShare, "share_affordable"),
    ("lra", StockRound, FoundCompany, "in_scenario"),
    ("lra", StockRound, Pass, "within_limit_first"),
    ("first", CompanyTurn, BuyTrain, "treasury_pays"),
    ("second", CompanyTurn, BuyTrain, "room_for_train"),
    ("first", CompanyTurn, ChooseForcedTrain, "treasury_too_small"),
    ("lra", CompanyTurn, ChooseForcedTrain, "among_forced"),
    ("second", ForcedPurchase, SellCharterShares, "exact_block"),
    ("second", ForcedPurchase, SellShares, "no_change_of_director"),
    ("first", ForcedPurchase, SellShares, "no_more_than_needed"),
    ("site", StockRound, SellShares, "operated"),
    ("site", CompanyTurn, ChooseForcedTrain, "among_forced"),
    ("site", ForcedPurchase, SellShares, "no_certificate_than_needed"),
    ("site", ForcedPurchase, DeclareBankruptcy, "sales_do_not_suffice"),
)


def book_of(table):
    """The book by which a table is judged: what the public site plays is the first edition with differences."""
    return "first" if table == "site" else table


def table_for(table, seed):
    """The rules of a book, or of the public site."""
    return ruleset_of(book_of(table), seed, {"compat": True} if table == "site" else None)


@cache
def positions(book):
    """Positions of one game, and of positions dealt anew from it, by the frame on top: ruleset, state, seat in turn."""
    found = {frame: [] for frame in (Auction, Contest, StockRound, CompanyTurn, ForcedPurchase)}
    seed = {"first": 1, "second": 7, "lra": 7, "site": 1}[book]  # three players: they come to the limits
    ruleset, rng = table_for(book, seed), random.Random(seed)
    book = book_of(book)
    for move in game_of(book, seed, ruleset):
        top = move.before.agenda[-1]
        if not isinstance(top, Auction | StockRound) and getattr(top, "step", "") != "trains":
            continue
        for _ in range(6 if isinstance(top, Auction) else rng.random() < 0.5):
            dealt = scattered(book, move.before, rng)
            if not lawful(ruleset, dealt):
                continue
            if isinstance(top, CompanyTurn):  # also where the step would be passed over
                found[CompanyTurn].append((ruleset, dealt, dealt.companies[top.company].director or 0))
            draft = Draft(ruleset, dealt)
            run(draft)
            number = rng.randrange(1_000_000)
            for each in moves(ruleset, len(dealt.players), number, begin=draft.state, most=5, pick=ruinous):
                if type(each.before.agenda[-1]) in found:
                    found[type(each.before.agenda[-1])].append((ruleset, each.before, each.seat))
    return found


@pytest.mark.parametrize(("book", "frame", "action", "check"), BROKEN)
def test_judges_see_what_is_missing(book, frame, action, check):
    rng = random.Random(4)
    for ruleset, state, seat in rng.sample(positions(book)[frame], len(positions(book)[frame])):
        tally = Tally()
        ask(book_of(book), without(ruleset, frame, action, check), state, tally, rng, (seat,))
        if tally.faults:
            return
    raise AssertionError(check)
