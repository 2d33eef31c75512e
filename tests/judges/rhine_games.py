"""18Rhl and 18LRA: games in which the judges of the rulebooks are asked beside the engine, position by position."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from tests.judges.board import Undecided
from tests.judges.map_questions import compare_runs, hexes_near
from tests.judges.plain import Move, action_of, bot_moves, event_of, moves, position_of, said, table_of
from tests.judges.rhine_books import RhineBooks
from tests.judges.rhine_investor import investor_of, purchase
from tests.judges.rhine_order import RhineOrder
from tests.judges.rhine_routes import RhineRoutes
from tests.judges.rhine_scattered import lawful, scattered
from tests.judges.rhine_spelled import ask, closing, followed
from tests.judges.scarce import scarce
from tests.judges.site_rules import routes_judge
from tests.judges.tally import Tally
from trajekt.engine.actions import (
    AcceptOffer,
    ChooseForcedTrain,
    DeclareBankruptcy,
    Decline,
    LayTile,
    OfferEnd,
    Pass,
    PlaceStation,
    SellShares,
    UsePrivate,
)
from trajekt.engine.agenda import run
from trajekt.engine.decisions import Decision, fold, legal
from trajekt.engine.events import Paid
from trajekt.engine.ruleset import Choice, Draft, Ruleset
from trajekt.engine.state import State
from trajekt.engine.title import Variant
from trajekt.games.lra.title import TITLE as LRA
from trajekt.games.rhl.title import TITLE as RHL
from trajekt.rules.auction import Auction
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.stock_round import StockRound

OFFERED = 12  # of the lays that are offered, so many are put to the judge
SCATTERED = 0.25  # of the positions of stock rounds and train steps that are asked, so many are dealt anew
LAYS = 60  # lays asked in one position, most of them near what the corporation reaches


PLAYERS = {"investor": (2,), "short_game": (2, 3, 4)}
"""For how many players games with these switches are, where that differs."""

ALONE = (*PLAYERS, "compat")
"""Switches that a drawn table has by themselves: house rules, and the public site's."""


def switches(book: str) -> list[Variant]:
    """The variants and rulings of a book that its judges know."""
    edition = 2 if book == "second" else 1
    title = LRA if book == "lra" else RHL
    return [v for v in title.variants if edition in v.editions]


def ruleset_of(book: str, seed: int, chosen: Mapping[str, Any] | None = None, *, lean: bool = False) -> Ruleset:
    """A table of a book: with what is chosen, else the defaults, and every fourth with one or more switches the other way.

    A `lean` one has few trains and a small bank.
    """
    options: dict[str, Any] = {} if book == "lra" else {"edition": 1 if book == "first" else 2}
    if chosen is None and seed % 4 == 2:
        known, rng = switches(book), random.Random(seed)
        always = known[seed // 4 % len(known)]
        together = [v for v in known if v.option not in ALONE and v is not always]
        others = [v for v in together if always.option not in ALONE and rng.random() < 0.2]
        chosen = {each.option: rng.choice(each.values or (True,)) for each in (always, *others)}
    title = LRA if book == "lra" else RHL
    table = title.options(options | dict(chosen or {}))
    sheet = title.sheet(table, None)
    return title.build(scarce(sheet, seed) if lean else sheet, table)


def players_of(book: str, options: Mapping[str, Any]) -> tuple[int, ...]:
    """For how many players a game with some options is."""
    counts = next((PLAYERS[option] for option in PLAYERS if options.get(option)), None)
    return counts or {"first": (3, 4, 5, 6), "second": (3, 4, 5), "lra": (3, 4)}[book]


def game_of(book: str, seed: int, ruleset: Ruleset, count: int = 0) -> Iterator[Move]:
    """A whole game by its seed, which may give the number of players: one in three between `steady` players, else random."""
    players = players_of(book, ruleset.options)
    count = count or players[seed // 3 % len(players)]
    return bot_moves(ruleset, count, seed, "steady") if seed % 3 == 2 else moves(ruleset, count, seed, pick=busy)


def turns_apart(ruleset: Ruleset, move: Move) -> Iterator[Move]:
    """A decision without the purchases that the Investor made after it, and then each of these alone."""
    state, begun = move.before, move.before
    part: list[Any] = []
    for event in move.decision.events:
        bought = isinstance(event, Paid) and event.cause == "share" and event.source == len(state.players) - 1
        if bought and state.players[-1].outside:
            yield replace(move, before=begun, decision=Decision(tuple(part), state))
            begun, part = state, []
        state = fold(ruleset, state, (event,))
        part.append(event)
    yield replace(move, before=begun, decision=Decision(tuple(part), state))


def of_the_investor(ruleset: Ruleset, turn: Move, books: RhineBooks, tally: Tally) -> None:
    """One purchase by the Investor: the one that its rule orders, paid and booked like any other."""
    before, events = position_of(turn.before), [event_of(event) for event in turn.decision.events]
    seat = investor_of(before)
    taken = next(e for e in events if e["event"] == "certificate" and e["target"] == seat and e["cause"] == "share")
    size = before["companies"][taken["company"]]["certificates"][taken["number"]]["percent"]
    found = (taken["company"], taken["source"], size)
    tally.equal("the Investor buys", purchase(table_of(ruleset), before), found, turn.before.agenda[-1])
    action = {"kind": "buy_share", "company": found[0], "source": found[1], "percent": size}
    books.see(seat, action, events, position_of(turn.decision.state))


def run_by_nobody(state: State) -> bool:
    """Whether the turn is that of a corporation of the Investor, whose manager these judges do not know."""
    turns = [frame for frame in state.agenda if isinstance(frame, CompanyTurn)]
    director = state.companies[turns[-1].company].director if turns else None
    return director is not None and state.players[director].outside


def busy(rng: random.Random, choices: list[Choice]) -> Choice:
    """A kind of action first, then one of that kind; the end by agreement is rare, so are sales and leaving a step."""
    rare = {OfferEnd: 0.004, Pass: 0.35, SellShares: 0.4, Decline: 0.4, AcceptOffer: 0.8}
    by_kind: dict[str, list[Choice]] = {}
    for choice in choices:
        by_kind.setdefault(type(choice.action).__name__, []).append(choice)
    weights = [rare.get(type(found[0].action), 1.0) for found in by_kind.values()]
    return rng.choice(rng.choices(list(by_kind.values()), weights)[0])


def match(
    book: str,
    seed: int,
    share: float = 1.0,
    chosen: Mapping[str, Any] | None = None,
    *,
    players: int = 0,
    stop: int | None = None,
    lean: bool = False,
) -> Tally:
    """One whole game; in a `share` of its positions everything that can be spelled is asked, the accounts follow every move.

    With `stop` the game is played for so many decisions, and everything is asked in the position before the last of them.
    """
    ruleset, tally, rng = ruleset_of(book, seed, chosen, lean=lean), Tally(), random.Random(seed)
    sheet = table_of(ruleset)
    accounts: list[Any] = []
    for number, whole in enumerate(game_of(book, seed, ruleset, players)):
        tally.positions += 1
        move, *more = turns_apart(ruleset, whole)
        before, after, action = position_of(move.before), position_of(move.decision.state), action_of(move.action)
        accounts = accounts or [RhineBooks(sheet, before, book), RhineOrder(sheet, before, book)]
        books, order = accounts
        books.see(move.seat, action, [event_of(event) for event in move.decision.events], after)
        order.see(move.seat, action, after, closing(ruleset, move))
        if not run_by_nobody(move.before):
            followed(book, ruleset, move, tally)
        for turn in more:
            of_the_investor(ruleset, turn, books, tally)
        for account in accounts:
            tally.faults += [f"{type(account).__name__}, {move.action}: {fault}" for fault in account.faults]
            account.faults.clear()
        if (number == stop or rng.random() < share) and not run_by_nobody(move.before):
            ask(book, ruleset, move.before, tally, rng, (move.seat,) if rng.random() < 0.9 else ())
            if isinstance(move.before.agenda[-1], CompanyTurn):
                company_turn(book, ruleset, move.before, tally, rng)
        if number == stop:
            break
        if move.before.players[-1].outside:
            continue  # nothing is dealt to a holder who is no player
        if rng.random() < (2 if isinstance(move.before.agenda[-1], Auction) else SCATTERED) * share:
            by_chance(book, ruleset, move.before, tally, rng)
    if accounts and not whole.decision.state.agenda:
        title = LRA if book == "lra" else RHL
        rows = [msgspec.to_builtins(row) for row in title.standings(whole.decision.state)]
        accounts[0].scored(position_of(whole.decision.state), rows)
        tally.faults += [f"the end: {fault}" for fault in accounts[0].faults]
    for account in accounts:
        for what, count in account.seen.items():
            tally.asked[what] += count
            tally.legal[what] += count
    return tally


def by_chance(book: str, ruleset: Ruleset, state: State, tally: Tally, rng: random.Random) -> None:
    """A position dealt anew from one of an auction, a stock round or a train step, and a few moves on from it."""
    top = state.agenda[-1]
    if not (isinstance(top, Auction | StockRound) or (isinstance(top, CompanyTurn) and top.step == "trains")):
        return
    dealt = scattered(book, state, rng)
    if not lawful(ruleset, dealt):
        return
    ask(book, ruleset, dealt, tally, rng)  # also of a step that would be passed over
    draft = Draft(ruleset, dealt)
    run(draft)  # who can do nothing is passed over
    order = RhineOrder(table_of(ruleset), position_of(dealt), book)
    if isinstance(top, Auction):
        order.compare_package(position_of(draft.state))
    order.before = position_of(draft.state)
    number = rng.randrange(1_000_000)
    for move in moves(ruleset, len(dealt.players), number, begin=draft.state, most=8, pick=ruinous):
        tally.positions += 1
        ask(book, ruleset, move.before, tally, rng, (move.seat,) if rng.random() < 0.9 else ())
        followed(book, ruleset, move, tally)
        order.see(move.seat, action_of(move.action), position_of(move.decision.state), closing(ruleset, move))
        tally.faults += [f"RhineOrder by chance, {move.action}: {fault}" for fault in order.faults]
        if order.faults:
            return


def ruinous(rng: random.Random, choices: list[Choice]) -> Choice:
    """Bankruptcy and forced purchases before all else, else a kind of action first."""
    forced = [c for c in choices if isinstance(c.action, ChooseForcedTrain | DeclareBankruptcy)]
    return rng.choice(forced) if forced and rng.random() < 0.8 else busy(rng, choices)


def company_turn(book: str, ruleset: Ruleset, state: State, tally: Tally, rng: random.Random) -> None:
    """Everything that can be spelled on the map in a corporation's turn."""
    position = position_of(state)
    judge = routes_judge(table_of(ruleset), position, book)
    turn = position["agenda"][-1]
    seat = position["companies"][turn["company"]]["director"]
    if seat is None:  # the bank runs it
        return
    asks = {"track": ("lay", lays), "station": ("station normal", stations), "run": ("best runs", runs)}
    steps = [turn["step"]]
    if ruleset.options.get("compat") and turn["step"] != "track":
        # powers, and the place they give, also later (CMP-24)
        steps += ["track", *(["station"] if turn["grants"] and turn["step"] != "station" else [])]
    for step in steps:
        if step not in asks:
            continue
        kind, ask = asks[step]
        try:
            ask(ruleset, state, seat, judge, tally, rng)
        except Undecided:
            tally.open[kind] += 1


def lays(ruleset: Ruleset, state: State, seat: int, judge: RhineRoutes, tally: Tally, rng: random.Random) -> None:
    """Tiles in all turns, most on hexes near the corporation's track, by every allowance and every private company."""
    turn = judge.position["agenda"][-1]
    near = hexes_near(judge, turn["company"], judge.steps(turn["company"]))
    every, tiles = list(judge.sheet["hexes"]), list(judge.sheet["tiles"])
    allowances = ("normal", "normal", "normal", "yellow", "gkb") if judge.book == "lra" else ("normal",)
    own = [n for n, private in judge.position["privates"].items() if private["owner"] == seat and private["open"]]
    special = ("E14", "E8", "I10", "F9", "D9", "H8", "I7", "F11", "K2", "F13", "D13")
    offered = [c.action for c in legal(ruleset, state, (seat,)) if isinstance(c.action, LayTile | UsePrivate)]
    for action in rng.sample(offered, min(len(offered), OFFERED)):
        by, lay = getattr(action, "private", 0), (action.hex, action.tile, action.rotation)
        mine = judge.power(turn, by, *lay) if by else judge.lay(turn, *lay, getattr(action, "allowance", "normal"))
        tally.compare("offered lay", mine, "", action)
    for _ in range(LAYS):
        at = rng.choice(near if near and rng.random() < 0.8 else every)
        tile, rotation = _likely(judge, at, tiles, rng), rng.randrange(6)
        if rng.random() < 0.3:
            number = rng.choice(own or list(judge.position["privates"]))
            at = rng.choice([h for h in special if h in judge.sheet["hexes"]])
            tile = "935" if number == 2 and judge.book != "lra" else _likely(judge, at, tiles, rng)
            theirs = said(ruleset, state, seat, UsePrivate(number, at, tile, rotation))
            mine = judge.power(turn, number, at, tile, rotation)
            tally.compare(f"power {number}", mine, theirs, (turn, number, at, tile, rotation))
            continue
        allowance = rng.choice(allowances)
        theirs = said(ruleset, state, seat, LayTile(at, tile, rotation, allowance))
        mine = judge.lay(turn, at, tile, rotation, allowance)
        tally.compare("lay" if allowance == "normal" else f"lay {allowance}", mine, theirs, (turn, at, tile, rotation))


def _likely(judge: RhineRoutes, at: str, tiles: list[str], rng: random.Random) -> str:
    """A tile, mostly one with the letters of the hex and as many stops as it shows."""
    face = judge.board.face(at)
    alike = [
        tile
        for tile in tiles
        if set(judge.sheet["tiles"][tile]["face"]["labels"]) & set(face["labels"])
        or (not face["labels"] and len(judge.sheet["tiles"][tile]["face"]["stops"]) <= len(face["stops"]))
    ]
    return rng.choice(alike if alike and rng.random() < 0.8 else tiles)


def stations(ruleset: Ruleset, state: State, seat: int, judge: RhineRoutes, tally: Tally, _lots: random.Random) -> None:
    """Stations of every kind on every stop of the map."""
    turn = judge.position["agenda"][-1]
    tokens = ("normal", "harbour", "turned") if judge.book == "lra" else ("normal",)
    for at in judge.sheet["hexes"]:
        for letter in "abc"[: max(1, len(judge.board.face(at)["stops"]))]:
            for token in tokens:
                theirs = said(ruleset, state, seat, PlaceStation(at, letter, token))
                mine = judge.station(turn, at, letter, token)
                tally.compare(f"station {token}", mine, theirs, (turn, at, letter))


def runs(ruleset: Ruleset, state: State, _seat: int, judge: RhineRoutes, tally: Tally, _lots: random.Random) -> None:
    """The income of the runs that the engine calls best, and the best that the judge finds."""
    compare_runs(ruleset, state, judge, judge.position["agenda"][-1]["company"], tally)
