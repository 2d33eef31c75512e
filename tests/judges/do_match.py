"""18DO: random games in which all judges of the draft are asked beside the engine, position by position."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tests.builders.do_positions import NAMES, SHEET, tiles
from tests.judges.board import Undecided
from tests.judges.do_beer import Beer
from tests.judges.do_papers import Papers
from tests.judges.do_railway import DoRailway
from tests.judges.do_schedule import Schedule
from tests.judges.do_small_games import Introduction, Railway
from tests.judges.do_spelled import ask
from tests.judges.do_track import DoTrack
from tests.judges.map_questions import compare_runs, hexes_near
from tests.judges.plain import Move, action_of, event_of, moves, position_of, said, table_of
from tests.judges.tally import Tally
from trajekt.engine.actions import Accept, BuyTrain, Decline, LayTile, PlaceStation
from trajekt.engine.components.loader import load
from trajekt.engine.decisions import start
from trajekt.engine.frozen import FrozenDict
from trajekt.engine.ruleset import Choice, Ruleset
from trajekt.engine.state import State
from trajekt.games.do.actions import Brew, BuildRailwayLink, BuyBec, DisposeBec, LoadTrain, TakeEvent, UseEvent
from trajekt.games.do.options import VALUES, DoOptions
from trajekt.games.do.ruleset import build
from trajekt.rules.operating_round import CompanyTurn

SHARE = 0.1  # of the positions, in which everything off the map is asked
RICH = 1_500  # Mark of each player
LAYS = 60  # lays asked in one position, most of them near what the railway reaches
SHORT = Path(__file__).with_name("do_short.toml")
"""Few cards and much money: random players reach the late phases, in which beer travels and purchases are forced."""

LINES = {"E19": "4K 1", "E17": "8 2", "D14": "8 4", "F14": "9 2", "G15": "8 0", "H14": "8 1", "H12": "58K 4"}
"""Track from the City to two red destinations, on which trains carry beer."""


Chosen = Mapping[str, Any] | None


@cache
def _ruleset(players: int, game: str, short: bool, chosen: tuple[tuple[str, Any], ...]) -> Ruleset:
    options = DoOptions(**{"players": players, "fixed_seats": True, "game": game, **dict(chosen)})
    overlay = (SHORT,) if short else ()
    return build(load(SHEET, "1", options.variants, *overlay), options)


def ruleset_of(players: int, game: str, *, short: bool, chosen: Chosen = None) -> Ruleset:
    """A table with the defaults of the rulings or what is chosen; with few cards where it shall be `short`."""
    return _ruleset(players, game, short, tuple(sorted((chosen or {}).items())))


def drawn(seed: int) -> dict[str, Any]:
    """Rulings by a seed: the defaults, in one game of three some the other way."""
    if seed % 3 != 1:
        return {}
    rng = random.Random(seed)
    rulings = {name: values[1:] for name, values in VALUES.items() if len(values) > 1 and name != "game"}
    always = sorted(rulings)[seed // 3 % len(rulings)]
    return {name: rng.choice(values) for name, values in rulings.items() if name == always or rng.random() < 0.15}


def eager(rng: random.Random, choices: list[Choice]) -> Choice:
    """Buying, loading and consenting before all else, so that cards leave and trains carry beer."""
    wanted = [c for c in choices if isinstance(c.action, LoadTrain | Accept | BuyTrain | BuyBec | UseEvent | TakeEvent)]
    calm = [c for c in choices if not isinstance(c.action, DisposeBec | Decline)]
    return rng.choice(wanted or calm or choices)


def match(
    seed: int,
    chosen: Chosen = None,
    share: float = SHARE,
    *,
    table: tuple[str, bool, int] | None = None,
    stop: int | None = None,
) -> Tally:
    """One whole random game: full and Expert in turn, every third with few cards, players by the seed.

    In a `share` of its positions everything off the map that can be spelled is asked as well.
    A `table` is asked for by game, few cards or not, number of players; with `stop` so many decisions are played.
    """
    short = seed % 3 == 2
    by_seed = (("full", "expert")[seed % 2], short, 5 if short else (3, 4, 5)[seed // 2 % 3])
    game, short, players = table or by_seed
    options = drawn(seed) if chosen is None else chosen
    ruleset, tally, rng = ruleset_of(players, game, short=short, chosen=options), Tally(), random.Random(seed)
    asking = random.Random(seed)
    begin = start(ruleset, NAMES[:players], seed).state
    played = moves(
        ruleset, players, seed, begin=tiles(begin, **LINES) if short else begin, pick=eager if short else None
    )
    judges: tuple[Beer, Schedule, Papers] | None = None
    for move in islice(played, stop):
        tally.positions += 1
        if judges is None:
            sheet, position = table_of(ruleset), position_of(move.before)
            judges = Beer(sheet, position), Schedule(sheet, position), Papers(sheet, position)
        followed(judges, move)
        tally.faults += [
            f"{type(judge).__name__}, {move.action}: {fault}" for judge in judges for fault in judge.faults
        ]
        if tally.faults:
            break
        if isinstance(move.before.agenda[-1], CompanyTurn):
            railway_turn(ruleset, move.before, move.seat, tally, rng)
        if asking.random() < share:
            ask(ruleset, move.before, tally, asking)
    for judge in judges or ():
        for kind, count in judge.seen.items():
            tally.asked[kind] += count
            tally.legal[kind] += count
    return tally


def other_match(
    game: str, seed: int, chosen: Chosen = None, share: float = SHARE, *, players: int = 0, stop: int | None = None
) -> Tally:
    """A random Railway or Introduction Game: lays, stations, links and runs on the map.

    In a `share` of its positions everything off the map that can be spelled is asked as well. One Railway Game of three is
    rich, so that trains carry beer.
    """
    players = players or (2 + seed % 3 if game == "introduction" else 3 + seed % 3)
    ruleset, tally, rng = ruleset_of(players, game, short=False, chosen=chosen), Tally(), random.Random(seed)
    asking, begin, pick = random.Random(seed), start(ruleset, NAMES[:players], seed).state, None
    if game == "railway" and seed % 3 == 2:
        begin, pick = tiles(rich(begin), **LINES), eager
    for move in islice(moves(ruleset, players, seed, begin=begin, pick=pick), stop):
        tally.positions += 1
        if asking.random() < share:
            ask(ruleset, move.before, tally, asking)
        if isinstance(move.before.agenda[-1], CompanyTurn):
            railway_turn(ruleset, move.before, move.seat, tally, rng)
    return tally


def rich(state: State) -> State:
    """A Railway Game with few cards and much money at its start."""
    players = tuple(replace(player, cash=RICH) for player in state.players)
    bank = state.bank + sum(player.cash for player in state.players) - RICH * len(players)
    display = FrozenDict({**state.depot.display, **dict.fromkeys("2345", 1)})
    return replace(state, players=players, bank=bank, depot=replace(state.depot, display=display))


def followed(judges: tuple[Beer, Schedule, Papers], move: Move) -> None:
    """One decision booked by the three accounts."""
    beer, schedule, papers = judges
    before, after, action = position_of(move.before), position_of(move.decision.state), action_of(move.action)
    schedule.decided(move.seat, action, before)
    papers.decided(move.seat, action, before)
    for each in move.decision.events:
        event = event_of(each)
        for judge in judges:
            judge.book(event)
    beer.compare(after)
    papers.settled(after)


def railway_turn(ruleset: Ruleset, state: State, seat: int, tally: Tally, rng: random.Random) -> None:
    """Everything that can be spelled in a railway's turn on the map, and what its runs earn."""
    position, game = position_of(state), ruleset.options["game"]
    table = table_of(ruleset)
    judge = DoRailway(table, position) if game == "railway" else DoTrack(table, position)
    turn = position["agenda"][-1]
    company = turn["company"]
    treasury = position["companies"][company]["treasury"]
    try:
        if turn["step"] == "track":
            lays(ruleset, state, seat, judge, tally, rng)
        if turn["step"] == "station":
            for at in judge.sheet["hexes"]:
                theirs = said(ruleset, state, seat, PlaceStation(at, "a"))
                tally.compare("station", judge.station(turn, at, treasury), theirs, at)
        if turn["step"] == "link":
            for at in judge.sheet["hexes"]:
                theirs = said(ruleset, state, seat, BuildRailwayLink(at))
                tally.compare("link", judge.link(turn, at, treasury), theirs, at)
        loads = (position["extra"] or {"loads": {}})["loads"]  # nothing of its own has happened in some games
        if turn["step"] == "run" and isinstance(judge, DoRailway):
            for private, train in product(range(7), ("", *judge.sheet["trains"])):
                theirs = said(ruleset, state, seat, Brew(private, train))
                tally.compare("brew", judge.brew(turn, seat, private, train), theirs, (private, train))
        if turn["step"] == "run" and (isinstance(judge, DoRailway) or not loads.get(company)):
            compare_runs(ruleset, state, judge, company, tally, best=not loads.get(company))
    except Undecided:
        tally.open[turn["step"]] += 1


def lays(ruleset: Ruleset, state: State, seat: int, judge: DoTrack, tally: Tally, rng: random.Random) -> None:
    """Tiles in all turns on hexes near the railway's track, and some anywhere."""
    turn = judge.position["agenda"][-1]
    company = turn["company"]
    treasury = judge.position["companies"][company]["treasury"]
    near = hexes_near(judge, company, judge.reach(company))
    every, kinds = list(judge.sheet["hexes"]), list(judge.sheet["tiles"])
    for _ in range(LAYS):
        at = rng.choice(near if near and rng.random() < 0.85 else every)
        labels = judge.sheet["hexes"][at]["face"]["labels"]
        alike = [tile for tile in kinds if judge.sheet["tiles"][tile]["face"]["labels"] == labels]
        tile, rotation = rng.choice(alike if alike and rng.random() < 0.7 else kinds), rng.randrange(6)
        theirs = said(ruleset, state, seat, LayTile(at, tile, rotation))
        tally.compare("lay", judge.lay(turn, at, tile, rotation, treasury), theirs, (at, tile, rotation))


def booked_match(game: str, seed: int, chosen: Chosen = None, *, players: int = 0, stop: int | None = None) -> Tally:
    """A whole random Railway or Introduction Game beside its account: money, order of turns, the auction."""
    players = players or (2 + seed % 3 if game == "introduction" else 3 + seed % 3)
    ruleset, tally, judge = ruleset_of(players, game, short=False, chosen=chosen), Tally(), None
    for move in islice(moves(ruleset, players, seed), stop):
        tally.positions += 1
        if judge is None:
            kind = Introduction if game == "introduction" else Railway
            judge = kind(table_of(ruleset), position_of(move.before))
        judge.decided(move.seat, action_of(move.action), position_of(move.before))
        for event in move.decision.events:
            judge.book(event_of(event))
        judge.settled(position_of(move.decision.state))
        tally.faults += [f"{move.action}: {fault}" for fault in judge.faults]
        if tally.faults:
            break
    for kind_of, count in judge.seen.items() if judge else ():
        tally.asked[kind_of] += count
        tally.legal[kind_of] += count
    return tally
