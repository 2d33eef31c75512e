"""Start a game, decide an action, list and explain what is legal, fold events: the whole engine behind five functions.

All are pure: a refusal or an answer comes back and nothing else changes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from trajekt.engine.actions import Action
from trajekt.engine.agenda import awaited, duty_of, run, settle
from trajekt.engine.events import Event, Seated
from trajekt.engine.evolve import evolve
from trajekt.engine.ruleset import Choice, Code, Draft, Option, Refusal, Rule, Ruleset, View, refuse
from trajekt.engine.state import Seat, State, blank_state


@dataclass(frozen=True, slots=True)
class Decision:
    """The events that an accepted action caused, and the position after it."""

    events: tuple[Event, ...]
    state: State


NOTHING_DRAWN: Mapping[str, int] = MappingProxyType({})


def start(
    ruleset: Ruleset, names: Sequence[str], seed: int, *, shuffle: bool = True, drawn: Mapping[str, int] = NOTHING_DRAWN
) -> Decision:
    """Set a game up: seats by lot (COMMON-SET-05) unless the order is fixed, then the game's own set-up.

    Every value drawn from `seed` becomes an event, so a record needs no generator to be folded. `drawn` are numbers by table
    that have been drawn already, where the set-up lay on a real table.
    """
    low, high = ruleset.sheet.players
    if not low <= len(names) <= high:
        message = f"{ruleset.name} is for {low} to {high} players, not {len(names)}"
        raise ValueError(message)
    rng = random.Random(seed)  # noqa: S311  a game's dice, no secret
    draft = Draft(ruleset, blank_state(ruleset.sheet, tuple(names)))
    seated = list(names)
    if shuffle:
        rng.shuffle(seated)
    draft.emit(Seated(tuple(seated)))
    ruleset.set_up(
        draft, lambda name, count: drawn[name] - 1 if 1 <= drawn.get(name, 0) <= count else rng.randrange(count)
    )
    settle(draft, 0)
    run(draft)
    return Decision(tuple(draft.events), draft.state)


def blank_of(ruleset: Ruleset, names: Sequence[str]) -> State:
    """The position before the first event of set-up, to fold a record from."""
    return blank_state(ruleset.sheet, tuple(names))


def fold(ruleset: Ruleset, state: State, events: Iterable[Event]) -> State:
    """The position after events that are known to be true."""
    for event in events:
        state = evolve(state, event, ruleset.own)
    return state


def open_rules(ruleset: Ruleset, state: State) -> tuple[Rule[Any], ...]:
    """The rules of the frame on top and those open at any time; none once the game has ended."""
    duty = duty_of(ruleset, state)
    return () if duty is None else (*duty.menu, *ruleset.anytime)


def actors(ruleset: Ruleset, state: State, rule: Rule[Any]) -> Sequence[Seat]:
    """The seats that may use a rule now."""
    if rule.actors is not None:
        return rule.actors(state, state.agenda[-1])
    return awaited(ruleset, state)


def judge(ruleset: Ruleset, state: State, seat: Seat, action: Action) -> Refusal | Rule[Any]:
    """The rule that accepts an action, or the refusal."""
    duty = duty_of(ruleset, state)
    if duty is None:
        return refuse(Code.GAME_OVER, "COMMON-END-04")
    rule = next((r for r in (*duty.menu, *ruleset.anytime) if r.action is type(action)), None)
    if rule is None and type(action) not in ruleset.actions:
        return refuse(Code.NOT_IN_RULESET, duty.rule)
    seats = awaited(ruleset, state) if rule is None else actors(ruleset, state, rule)
    if seat not in seats:
        code, id_ = duty.not_your_turn or (Code.NOT_YOUR_TURN, duty.rule)
        return refuse(code, id_, **({"seat": seats[0]} if len(seats) == 1 else {}))
    if rule is None:
        return refuse(Code.WRONG_STEP, duty.rule)
    return rule.first_refusal(View(ruleset, state, seat, state.agenda[-1]), action) or rule


def refusal(ruleset: Ruleset, state: State, seat: Seat, action: Action) -> Refusal | None:
    """Refusal of an action now; None where it is legal."""
    verdict = judge(ruleset, state, seat, action)
    return verdict if isinstance(verdict, Refusal) else None


def decide(ruleset: Ruleset, state: State, seat: Seat, action: Action) -> Refusal | Decision:
    """Judge an action and carry it out with all that follows, up to the next decision."""
    verdict = judge(ruleset, state, seat, action)
    return verdict if isinstance(verdict, Refusal) else carry_out(ruleset, state, seat, verdict, action)


def carry_out(ruleset: Ruleset, state: State, seat: Seat, rule: Rule[Any], action: Action) -> Decision:
    """Carry an action out by the rule that has accepted it in this very position, with all that follows."""
    draft = Draft(ruleset, state, seat)
    rule.effect(draft, action)
    settle(draft, 0)
    run(draft)
    return Decision(tuple(draft.events), draft.state)


def candidates(
    ruleset: Ruleset, state: State, seat: Seat, rules: Iterable[Rule[Any]] | None = None, *, likely: bool = False
) -> Iterator[tuple[Rule[Any], View, Choice]]:
    """Every candidate of every rule open to a seat, or of these open `rules` alone, judged or not.

    `likely`: without what can only be refused.
    """
    if not state.agenda:
        return
    view = View(ruleset, state, seat, state.agenda[-1])
    for rule in open_rules(ruleset, state) if rules is None else rules:
        if seat not in actors(ruleset, state, rule):
            continue
        for option in rule.plausible_options(view) if likely else rule.options(view):
            if isinstance(option, Option):
                yield rule, view, Choice(seat, option.action, option.spans, option.free)
            else:
                yield rule, view, Choice(seat, option)


def legal(ruleset: Ruleset, state: State, seats: Sequence[Seat] | None = None, *, beside: bool = True) -> list[Choice]:
    """Every legal choice of the given seats (default: of all): options through the checks that judge an action.

    `beside`: with what may be done at any time besides what is awaited (`Ruleset.anytime`).
    """
    chosen = range(len(state.players)) if seats is None else seats
    return [
        choice
        for seat in chosen
        for rule, view, choice in candidates(ruleset, state, seat, likely=True)
        if (beside or rule not in ruleset.anytime) and rule.first_refusal(view, choice.action) is None
    ]


def anytime(ruleset: Ruleset, state: State, seats: Sequence[Seat] | None = None) -> list[Choice]:
    """The legal choices of what may be done at any time, by the given seats (default: by all)."""
    if not state.agenda:
        return []
    kinds = {rule.action for rule in ruleset.anytime}
    rules = [rule for rule in open_rules(ruleset, state) if rule.action in kinds]
    return [
        choice
        for seat in (range(len(state.players)) if seats is None else seats)
        for rule, view, choice in candidates(ruleset, state, seat, rules, likely=True)
        if rule.first_refusal(view, choice.action) is None
    ]


def can(ruleset: Ruleset, state: State, seat: Seat, kinds: tuple[type[Action], ...]) -> bool:
    """Tell whether a seat has any legal action of these kinds; stops at the first, and asks first for purchases of shares.

    Who can do anything in a stock round can mostly buy, and whether he can is sooner told than whether he can sell.
    """
    view = View(ruleset, state, seat, state.agenda[-1])
    rules = [rule for rule in open_rules(ruleset, state) if rule.action in kinds]
    for rule in sorted(rules, key=lambda rule: not rule.action.buys_share):
        for option in rule.plausible_options(view):
            action = option.action if isinstance(option, Option) else option
            if rule.first_refusal(view, action) is None:
                return True
    return False


def explain(ruleset: Ruleset, state: State, seat: Seat) -> list[tuple[Choice, tuple[Refusal, ...]]]:
    """Every candidate of a seat with all that speaks against it, for greyed buttons and "why not?"."""
    return [(choice, rule.refusals(view, choice.action)) for rule, view, choice in candidates(ruleset, state, seat)]
