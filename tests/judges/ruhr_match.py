"""18Ruhr: a random game in which the judges of the rulebook are asked beside the engine, position by position."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from tests.judges.board import Undecided
from tests.judges.map_questions import compare_runs, hexes_near
from tests.judges.plain import Move, action_of, bot_moves, event_of, moves, position_of, said, sheet_of
from tests.judges.rhine_scattered import lawful
from tests.judges.ruhr_books import RuhrBooks
from tests.judges.ruhr_scattered import SCATTERED, scattered
from tests.judges.ruhr_spelled import ask, followed
from tests.judges.ruhr_track import RuhrTrack
from tests.judges.ruhr_turns import RuhrTurns
from tests.judges.scarce import scarce
from tests.judges.tally import Tally
from trajekt.engine.actions import DeclareBankruptcy, LayTile, PlaceStation
from trajekt.engine.agenda import run
from trajekt.engine.ruleset import Choice, Draft, Ruleset
from trajekt.engine.state import State
from trajekt.games.ruhr.actions import BuildPmcLink, ForceTrain, UsePferdebahn
from trajekt.games.ruhr.title import TITLE
from trajekt.rules.operating_round import CompanyTurn

DEALT_ANEW = 0.25  # of the positions that are asked, so many are dealt anew as well
LAYS = 150  # lays asked in one position, most of them near what the railway reaches


def ruleset_of(seed: int, chosen: Mapping[str, Any] | None = None, *, lean: bool = False) -> Ruleset:
    """A table by its seed: with what is chosen, else the scenario by lot and one in three with some rulings the other way.

    A `lean` one has few trains and a small bank.
    """
    rng = random.Random(seed)
    drawn: dict[str, Any] = dict(chosen or {})
    if chosen is None and seed % 3 == 2:
        for variant in TITLE.variants:
            if variant.option != "scenario" and rng.random() < 0.4:
                drawn[variant.option] = rng.choice(variant.values or (True,))
    options = TITLE.options(drawn)
    sheet = TITLE.sheet(options, None)
    return TITLE.build(scarce(sheet, seed) if lean else sheet, options)


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
    lean: bool = False,
) -> Tally:
    """One whole game, in a `share` of whose positions all is asked; the accounts of turns and payments follow every move.

    With `stop` the game is played for so many decisions, and everything is asked in the position before the last of them.
    """
    ruleset, tally, rng = ruleset_of(seed, chosen, lean=lean), Tally(), random.Random(seed)
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
            ask(ruleset, move.before, tally, rng)
        if asks and rng.random() < DEALT_ANEW:
            by_chance(ruleset, move.before, tally, rng)
        followed(ruleset, move, tally)
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


def by_chance(ruleset: Ruleset, state: State, tally: Tally, rng: random.Random) -> None:
    """A position dealt anew from one of a stock round or of a turn, and a few moves on from it."""
    if not isinstance(state.agenda[-1], SCATTERED):
        return
    dealt = scattered(state, rng)
    if not lawful(ruleset, dealt):
        return
    ask(ruleset, dealt, tally, rng)  # also of a step that would be passed over
    draft = Draft(ruleset, dealt)
    run(draft)
    number = rng.randrange(1_000_000)
    for move in moves(ruleset, len(dealt.players), number, begin=draft.state, most=8, pick=ruinous):
        tally.positions += 1
        ask(ruleset, move.before, tally, rng)
        followed(ruleset, move, tally)


def ruinous(rng: random.Random, choices: list[Choice]) -> Choice:
    """Bankruptcy and forced purchases before all else, else a kind of action first."""
    forced = [c for c in choices if isinstance(c.action, ForceTrain | DeclareBankruptcy)]
    if forced and rng.random() < 0.8:
        return rng.choice(forced)
    kinds = sorted({type(choice.action).__name__ for choice in choices})
    kind = rng.choice(kinds)
    return rng.choice([choice for choice in choices if type(choice.action).__name__ == kind])


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
            compare_runs(ruleset, state, judge, turn["company"], tally)
    except Undecided:
        tally.open[turn["step"]] += 1


def lays(ruleset: Ruleset, state: State, seat: int, judge: RuhrTrack, tally: Tally, rng: random.Random) -> None:
    """Tiles in all turns on hexes near the railway's track, and some anywhere."""
    turn = judge.position["agenda"][-1]
    company = turn["company"]
    treasury = judge.position["companies"][company]["treasury"]
    near = hexes_near(judge, company, judge.reach(company))
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
