"""The judges of 18Ruhr see each check that is missing in stock rounds, turns, forced purchases and Montan Rounds."""

from __future__ import annotations

import random
from functools import cache

import pytest

from tests.judges.broken import noticed
from tests.judges.plain import moves
from tests.judges.rhine_scattered import lawful
from tests.judges.ruhr_match import game_of, ruinous, ruleset_of
from tests.judges.ruhr_scattered import SCATTERED, scattered
from tests.judges.ruhr_spelled import ask
from trajekt.engine.actions import BuyShare, DeclareBankruptcy, FoundCompany, Pass, SellShares
from trajekt.engine.agenda import run
from trajekt.engine.ruleset import Draft
from trajekt.games.ruhr.actions import (
    BuildPmcLink,
    BuyEngine,
    BuyEngineFrom,
    ForceTrain,
    FoundMontan,
    MergeMine,
    RemovePrivate,
    ShareDeal,
)
from trajekt.games.ruhr.forced_purchase_funds import Shortage
from trajekt.games.ruhr.montan_round import Foundation, Merging
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.stock_round import StockRound

FRAMES = (StockRound, CompanyTurn, Shortage, MontanTurn, Foundation, Merging)
BROKEN = (
    (StockRound, SellShares, "has_operated"),
    (StockRound, SellShares, "pool_limit"),
    (StockRound, BuyShare, "not_sold_before"),
    (StockRound, BuyShare, "certificate_limit"),
    (StockRound, FoundCompany, "value_by_colour"),
    (StockRound, Pass, "within_limit_first"),
    (StockRound, RemovePrivate, "private_at_will"),
    (CompanyTurn, ForceTrain, "train_needed"),
    (CompanyTurn, ForceTrain, "treasury_short"),
    (CompanyTurn, ForceTrain, "within_means"),
    (CompanyTurn, ShareDeal, "deal_possible"),
    (Shortage, SellShares, "has_operated"),
    (Shortage, SellShares, "pool_limit"),
    (Shortage, SellShares, "keeps_office"),
    (Shortage, SellShares, "no_surplus"),
    (Shortage, DeclareBankruptcy, "nothing_to_sell"),
    (MontanTurn, BuildPmcLink, "joined_to_station"),
    (MontanTurn, BuyEngine, "engine_affordable"),
    (MontanTurn, BuyEngineFrom, "second_hand_price"),
    (MontanTurn, BuyEngineFrom, "has_link"),
    (Foundation, FoundMontan, "founder_pays"),
    (Merging, MergeMine, "may_merge"),
)


@cache
def positions():
    """Positions of one random game, and of positions dealt anew from it, by the frame on top: ruleset and state."""
    found = {frame: [] for frame in FRAMES}
    ruleset, rng = ruleset_of(8), random.Random(8)  # five players: they come to the limits
    for move in game_of(8, ruleset):
        top = move.before.agenda[-1]
        if type(top) in FRAMES:
            found[type(top)].append((ruleset, move.before))
        if not isinstance(top, SCATTERED) or rng.random() < 0.4:
            continue
        dealt = scattered(move.before, rng)
        if not lawful(ruleset, dealt):
            continue
        found[type(top)].append((ruleset, dealt))  # also where the step would be passed over
        draft = Draft(ruleset, dealt)
        run(draft)
        for each in moves(ruleset, len(dealt.players), rng.randrange(1_000), begin=draft.state, most=3, pick=ruinous):
            if type(each.before.agenda[-1]) in FRAMES:
                found[type(each.before.agenda[-1])].append((ruleset, each.before))
    return found


@pytest.mark.parametrize(("frame", "action", "check"), BROKEN)
def test_judges_see_what_is_missing(frame, action, check):
    assert noticed(ask, positions()[frame], frame, action, check)
