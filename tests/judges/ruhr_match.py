"""18Ruhr: a random game in which the judges of the rulebook are asked beside the engine, position by position."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from tests.judges.board import Undecided, arrivals
from tests.judges.plain import moves, position_of, sheet_of
from tests.judges.ruhr_track import RuhrTrack
from tests.judges.tally import Tally
from trajekt.engine.actions import LayTile, PlaceStation
from trajekt.engine.decisions import refusal
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.games.ruhr.actions import BuildPmcLink, UsePferdebahn
from trajekt.games.ruhr.title import TITLE
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.running_and_dividends import RunningPolicy

LAYS = 150  # lays asked in one position, most of them near what the railway reaches


def ruleset_of(seed: int) -> Ruleset:
    """A table by its seed: the scenario by lot, one in three with some rulings the other way."""
    lots = random.Random(seed)
    chosen: dict[str, Any] = {}
    if seed % 3 == 2:
        for variant in TITLE.variants:
            if variant.option != "scenario" and lots.random() < 0.4:
                chosen[variant.option] = lots.choice(variant.values or (True,))
    options = TITLE.options(chosen)
    return TITLE.build(TITLE.sheet(options, None), options)


def match(seed: int) -> Tally:
    """One whole random game; the number of players goes with the seed."""
    ruleset, tally, lots = ruleset_of(seed), Tally(), random.Random(seed)
    for move in moves(ruleset, 3 + seed % 4, seed):
        tally.positions += 1
        if isinstance(move.before.agenda[-1], CompanyTurn):
            railway_turn(ruleset, move.before, move.seat, tally, lots)
    return tally


def railway_turn(ruleset: Ruleset, state: State, seat: int, tally: Tally, lots: random.Random) -> None:
    """Everything that can be spelled in a railway's turn on the map."""
    position = position_of(state)
    judge = RuhrTrack(sheet_of(ruleset.sheet), position, dict(ruleset.options))
    turn = position["agenda"][-1]
    treasury = position["companies"][turn["company"]]["treasury"]
    try:
        if turn["step"] == "track":
            lays(ruleset, state, seat, judge, tally, lots)
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


def lays(ruleset: Ruleset, state: State, seat: int, judge: RuhrTrack, tally: Tally, lots: random.Random) -> None:
    """Tiles in all turns on hexes near the railway's track, and some anywhere."""
    turn = judge.position["agenda"][-1]
    company = turn["company"]
    treasury = judge.position["companies"][company]["treasury"]
    near = judge.hexes(company) | {at for at, _ in arrivals(judge.board, judge.reach(company))}
    near = sorted(near & judge.sheet["hexes"].keys())
    every, tiles = list(judge.sheet["hexes"]), list(judge.sheet["tiles"])
    for _ in range(LAYS):
        at = lots.choice(near if near and lots.random() < 0.85 else every)
        tile, rotation = lots.choice(tiles), lots.randrange(6)
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
