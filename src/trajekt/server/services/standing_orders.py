"""Instructions in advance: what a player wants done when his turn comes, and when it ends.

Each is a value; `judge` looks at the log since it was given and says whether it waits, acts or has ended. It acts only by a
choice that the rules accept at that moment, so no duty can be passed over; on any doubt it ends and gives the turn back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from trajekt.engine.actions import Action, Pass
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import Decision, decide, legal, refusal
from trajekt.engine.events import BidPlaced, Event, Paid, PrivateMoved
from trajekt.engine.state import CHARTER, IPO, POOL, Seat, State
from trajekt.game import ACTION, UNDO, Entry, Game
from trajekt.round_label import Round, frame_name, round_of
from trajekt.rules.operating_round import steps_of
from trajekt.rules.stock_round import StockRound
from trajekt.server.services.standing_order_context import (
    Fire,
    Sight,
    Verdict,
    Wait,
    cannot,
    director_of,
    own_turns,
    turn_at,
)
from trajekt.server.services.standing_order_tasks import check_tasks, do_tasks, round_of_turn
from trajekt.server.storage.standing_orders import (
    AnyOrder,
    Buy,
    DiscardFirst,
    Ended,
    Given,
    PassSteps,
    PassUntil,
    TaskList,
)

SOURCES = (IPO, CHARTER, POOL)
STEPS_AT_ONCE = 12  # names in one instruction


# Giving ------------------------------------------------------------------------------------------------------------------


def give(game: Game, seat: Seat, order: AnyOrder) -> Given:
    """An instruction bound to where the game stands. Raises `DeniedError` where it could do nothing."""
    state = game.state
    if game.finished or state.players[seat].bankrupt:
        raise cannot("over")
    match order:
        case PassUntil():
            return Given(seat, order, game.number, *_round_to_pass(game))
        case Buy():
            _check_offer(state, order)
            return Given(seat, order, game.number, _stock_round(state), TRADE)
        case PassSteps():
            if director_of(game, order.company) != seat:
                raise cannot("not_director", order.company)
            known = passable_steps(game, order.company)
            if not order.steps or len(order.steps) > STEPS_AT_ONCE or not set(order.steps) <= set(known):
                raise cannot("no_step")
        case DiscardFirst():
            _check_director(state, seat, order.company)
            if not order.trains or not set(order.trains) <= set(state.companies[order.company].trains):
                raise cannot("no_train", order.company)
        case TaskList():
            check_tasks(game, seat, order)
            return Given(seat, order, game.number, round_of_turn(game, order))
    return Given(seat, order, game.number)


TRADE = str(StockRound.__struct_config__.tag)


def _stock_round(state: State) -> str:
    """The stock round that is on, else the next one, by its short name."""
    here = round_of(state)
    if here.kind == "stock":
        return here.key
    return f"SR {here.set + 1}" if here.kind == "operating" else "SR 1"


def _round_to_pass(game: Game) -> tuple[str, str]:
    """The round in which a pass ends a turn: the one that is on, else the next stock round."""
    state = game.state
    for frame in reversed(state.agenda):
        # a round in turns counts the passes that end it, or is a phase of a round of the game's own
        turns = frame.round_kind or "passes" in frame.__struct_fields__
        if turns and any(rule.action is Pass for rule in game.ruleset.duties[type(frame)].menu):
            return round_of(state).key, frame_name(frame)
    return _stock_round(state), TRADE


def passable_steps(game: Game, company: str) -> tuple[str, ...]:
    """The steps of a company's turn that may be passed."""
    own = own_turns(game)
    if own is not None and company in own.works(game.state):
        return own.passable
    return tuple(step.name for step in steps_of(game.ruleset) if step.passable)


def in_turns(game: Game, seat: Seat) -> list[str]:
    """The companies, and whatever else has turns in steps, for which a seat decides."""
    own = own_turns(game)
    works = list(own.works(game.state)) if own is not None else []
    return [name for name in dict.fromkeys((*game.state.companies, *works)) if director_of(game, name) == seat]


def _check_director(state: State, seat: Seat, company: CompanyId) -> None:
    if company not in state.companies or state.companies[company].director != seat:
        raise cannot("not_director", company)


def _check_offer(state: State, order: Buy) -> None:
    if order.company not in state.companies or (order.source, order.percent) not in offered(state, order.company):
        raise cannot("not_offered", order.company)
    if order.until == "floated" and state.companies[order.company].floated:
        raise cannot("floated", order.company)
    if order.most < 1:
        raise cannot("no_price")


def offered(state: State, company: CompanyId) -> list[tuple[str, int]]:
    """The certificates of a founded company that lie where they can be bought, as source and per cent, each kind once."""
    found = state.companies[company]
    if not found.founded and not state.price(company):
        return []
    lying = {(str(c.holder), c.percent) for c in found.certificates if c.holder in SOURCES and not c.director}
    return sorted(lying, key=lambda each: (SOURCES.index(each[0]), each[1]))


# Judging -----------------------------------------------------------------------------------------------------------------


def judge(sight: Sight, given: Given) -> Verdict:
    """Tell whether an instruction waits, acts or has ended; nothing but the log decides, so every process answers alike."""
    game = sight.game
    undone = _taken_back(sight, given)
    if undone is not None:
        return Ended("undo", undone.number)
    if game.finished or game.state.players[given.seat].bankrupt:
        return Ended("over")
    match given.order:
        case PassUntil():
            return _pass_until(sight, given, given.order)
        case Buy():
            return _buy(sight, given, given.order)
        case PassSteps():
            return _pass_steps(sight, given, given.order)
        case DiscardFirst():
            return _discard_first(sight, given, given.order)
        case TaskList():
            return do_tasks(sight, given, given.order)


def _taken_back(sight: Sight, given: Given) -> Entry | None:
    """The undo that ends an instruction: the position it rests on is gone, or the very decision that it made is open again.

    What it did goes with the deed that caused it, and it holds on: then the game stands before that deed, not at its decision.
    """
    game, rests_on = sight.game, sight.game.line(given.number)
    for entry in game.entries[given.number :]:
        if entry.kind == ACTION:
            continue
        line = game.line(entry.number)
        if line[: len(rests_on)] != rests_on:
            return entry
        standing = {each.number for each in line}
        for made in game.entries[given.number : entry.number]:
            mine = made.seat == given.seat and made.number in sight.automatic and made.number not in standing
            if mine and game.line(made.parent) == line and judge(sight.before(made), given) == Fire(_acted(made)):
                return entry
    return None


def lives_again(sight: Sight, given: Given) -> bool:
    """Tell whether an instruction that had ended holds again: what ended it was undone, and nothing that stands ends it."""
    game = sight.game
    undone = any(entry.kind == UNDO for entry in game.entries[given.number :])
    if not undone or isinstance(judge(sight, given), Ended):
        return False
    standing = (given.number, *(entry.number for entry in sight.since(given)))
    return not any(isinstance(judge(Sight(game.at(number), sight.automatic), given), Ended) for number in standing)


def _acted(entry: Entry) -> Action:
    assert entry.action is not None
    return entry.action


def _in_round(sight: Sight, given: Given) -> Verdict | None:
    """Wait before the round of an instruction, end after it; None while it is on."""
    rounds, wanted = [round_of(state) for state in sight.positions(given)], Round.read(given.round)
    if rounds[-1] == wanted:
        if _lies(sight.game.state_at(given.number), given.frame) and not _lies(sight.game.state, given.frame):
            return Ended("round")  # an auction is over before its round is
        mine = next((e for e in sight.by_hand(given) if round_of(sight.game.state_at(e.parent)) == wanted), None)
        return Ended("acted", mine.number) if mine is not None else None
    if wanted in rounds or rounds[-1].is_after(wanted):
        return Ended("round")
    return Wait()


def _lies(state: State, frame: str) -> bool:
    """Tell whether a kind of frame is on the agenda."""
    return any(frame_name(each) == frame for each in state.agenda)


def _asked(game: Game, seat: Seat, frame: str) -> bool:
    """Tell whether the seat is awaited in a kind of decision."""
    return frame_name(game.state.top) == frame and seat in game.to_act


def _pass_until(sight: Sight, given: Given, order: PassUntil) -> Verdict:
    elsewhere = _in_round(sight, given)
    if elsewhere is not None:
        return elsewhere
    game = sight.game
    for entry in sight.since(given):
        if entry.seat == given.seat or round_of(game.state_at(entry.parent)) != Round.read(given.round):
            continue
        touched = order.until == "mine" and concerns(game.state_at(entry.parent), given.seat, entry.events)
        if touched or (order.until == "any" and not isinstance(entry.action, Pass)):
            return Ended("concern", entry.number)
    if not _asked(game, given.seat, given.frame):
        return Wait()
    return _passing(game, given.seat)


def _passing(game: Game, seat: Seat) -> Verdict:
    """Pass, unless a duty forbids it."""
    return Fire(Pass()) if refusal(game.ruleset, game.state, seat, Pass()) is None else Ended("duty")


def concerns(state: State, seat: Seat, events: Sequence[Event]) -> bool:
    """Tell whether an action touched a company of which a seat holds shares or is director, or a certificate it bids for."""
    mine = {c.id for c in state.companies.values() if c.director == seat or seat in c.shareholders}
    bids = {bid.private for bid in state.bids if bid.seat == seat}
    for event in events:
        if isinstance(event, BidPlaced | PrivateMoved):
            if event.private in bids:
                return True
        elif getattr(event, "company", None) in mine:
            return True
    return False


def _buy(sight: Sight, given: Given, order: Buy) -> Verdict:
    elsewhere = _in_round(sight, given)
    if elsewhere is not None:
        return elsewhere
    game = sight.game
    state = game.state
    done = [e for e in sight.since(given) if e.seat == given.seat and _buys(e.action, order)]
    if done and order.until == "once":
        return Ended("done", done[-1].number)
    if order.until == "floated" and state.companies[order.company].floated:
        return Ended("floated")
    if (order.source, order.percent) not in offered(state, order.company):
        return Ended("gone")
    if not _asked(game, given.seat, given.frame):
        return Wait()
    for choice in legal(game.ruleset, state, (given.seat,)):
        if _buys(choice.action, order):
            answer = decide(game.ruleset, state, given.seat, choice.action)
            if not isinstance(answer, Decision):
                continue
            cost = sum(e.amount for e in answer.events if isinstance(e, Paid) and e.source == given.seat)
            return Fire(choice.action) if cost <= order.most else Ended("dear")
    return Ended("impossible")


def _buys(action: Action | None, order: Buy) -> bool:
    """Tell whether an action, of whatever game, is the plain purchase that an instruction means."""
    if action is None:
        return False
    fields: dict[str, Any] = msgspec.to_builtins(action)
    wanted = {"company": order.company, "source": order.source, "percent": order.percent}
    more = set(fields) - {"kind", *wanted}
    kind = str(fields["kind"])
    return (
        kind.startswith("buy_")
        and all(fields.get(k) == v for k, v in wanted.items())
        and not any(map(fields.get, more))
    )


def _pass_steps(sight: Sight, given: Given, order: PassSteps) -> Verdict:
    game = sight.game
    if director_of(game, order.company) != given.seat:
        return Ended("director")
    turns = [turn_at(game, state.agenda) for state in sight.positions(given)]
    if turns[-1][0] != order.company:
        return Ended("turn_over") if any(company == order.company for company, _ in turns) else Wait()
    for entry in sight.by_hand(given):
        company, step = turn_at(game, game.state_at(entry.parent).agenda)
        if company == order.company and step in order.steps:
            return Ended("acted", entry.number)
    if turn_at(game, game.state.agenda[-1:])[1] not in order.steps or given.seat not in game.to_act:
        return Wait()
    return _passing(game, given.seat)


def _discard_first(sight: Sight, given: Given, order: DiscardFirst) -> Verdict:
    game = sight.game
    company = game.state.companies[order.company]
    if company.director != given.seat:
        return Ended("director")
    left = [train for train in order.trains if train in company.trains]
    if not left:
        return Ended("no_train")
    if given.seat not in game.to_act:
        return Wait()
    choices = [choice.action for choice in legal(game.ruleset, game.state, (given.seat,))]
    for train in left:
        for action in choices:
            fields = msgspec.to_builtins(action)
            if fields["kind"] == "discard_train" and fields["company"] == order.company and fields["train"] == train:
                return Fire(action)
    return Wait()
