"""The judges of 18DO see each check that is missing in stock rounds, turns of railways and breweries, and auctions."""

from __future__ import annotations

import random
from functools import cache

import pytest

from tests.builders.do_positions import NAMES, tiles
from tests.judges.broken import noticed
from tests.judges.do_match import LINES, eager, ruleset_of
from tests.judges.do_spelled import ask
from tests.judges.plain import moves
from trajekt.engine.actions import BuyTrain, FoundCompany, Pass, PlaceBid
from trajekt.engine.decisions import start
from trajekt.games.do.actions import (
    BuyBec,
    BuyCertificate,
    BuyMarker,
    DisposeBec,
    FoundByTrade,
    LoadTrain,
    OwnCertificate,
    SellCertificates,
    TakeEvent,
    TradeIn,
)
from trajekt.games.do.frames import BreweryTurn, PrivateLot, StartingRound
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.stock_round import StockRound

BROKEN = (
    ("expert", StartingRound, PlaceBid, "above_all_tokens"),
    ("expert", StockRound, FoundCompany, "available_now"),
    ("expert", StockRound, FoundCompany, "founder_pays"),
    ("expert", StockRound, FoundByTrade, "no_minor"),
    ("expert", StockRound, TradeIn, "a_brewery"),
    ("expert", StockRound, BuyCertificate, "not_sold_before"),
    ("expert", StockRound, BuyCertificate, "can_hand_in"),
    ("expert", StockRound, SellCertificates, "has_acted"),
    ("expert", StockRound, SellCertificates, "pool_limit"),
    ("expert", CompanyTurn, BuyTrain, "purchases_left"),
    ("expert", CompanyTurn, BuyTrain, "treasury_pays"),
    ("expert", CompanyTurn, OwnCertificate, "once"),
    ("expert", BreweryTurn, DisposeBec, "may_dispose"),
    ("expert", BreweryTurn, BuyBec, "can_pay"),
    ("expert", BreweryTurn, BuyBec, "room_for_equipment"),
    ("expert", BreweryTurn, BuyMarker, "marker_price"),
    ("expert", BreweryTurn, TakeEvent, "may_take"),
    ("expert", BreweryTurn, LoadTrain, "squares_free"),
    ("expert", BreweryTurn, Pass, "income_used"),
    ("railway", PrivateLot, PlaceBid, "high_enough"),
    ("railway", PrivateLot, PlaceBid, "bidder_can_pay"),
    ("railway", StockRound, BuyCertificate, "within_share_limit"),
)


@cache
def positions(game):
    """Positions of two random games, one of the Expert Game with few cards, by the frame on top: ruleset and state."""
    found: dict = {}
    for seed in (1, 11):
        short = game == "expert" and seed == 11
        players = {"expert": 5 if short else 3, "railway": 3}[game]
        ruleset, rng = ruleset_of(players, game, short=short), random.Random(seed)
        begin = start(ruleset, NAMES[:players], seed).state
        begin = tiles(begin, **LINES) if short else begin
        for move in moves(ruleset, players, seed, begin=begin, pick=eager if short else None):
            if rng.random() < 0.5:
                found.setdefault(type(move.before.agenda[-1]), []).append((ruleset, move.before))
    return found


@pytest.mark.parametrize(("game", "frame", "action", "check"), BROKEN)
def test_judges_see_what_is_missing(game, frame, action, check):
    assert noticed(ask, positions(game)[frame], frame, action, check)
