"""The master player: plays each of its plans on, with foundings and trains, and lays aside the worse half at each stage.

A plan is an idea for now and what plain judgement makes of it later, by all seats. Every par of a founding is a plan. The map
stays as it is, since the outlook of companies knows that revenue grows. What is imagined draws no chance: differences
between plans are those of the plans alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import msgspec

from trajekt.bots.bot import BotMove, MoveReason, open_to
from trajekt.bots.candidate_moves import Idea, after, ideas, judged
from trajekt.bots.evaluation import hints_of
from trajekt.bots.search import LIMIT, Moment, brisk, moment, value, weighed
from trajekt.engine.actions import Action, FoundCompany, Pass
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import decide
from trajekt.engine.ruleset import Refusal, Ruleset, View
from trajekt.engine.state import State
from trajekt.rules.round_sequence import Rounds

WIDE = 8  # plans that are played on at first
WORTH_FOUNDING = 20.0  # Mark that a founding must gain in an imagined game
STEPS = 400  # actions that are imagined at most in one stage


class PlayedPlan(msgspec.Struct):
    """An idea that is played on: the position reached, and the worth of the positions on the way, in Mark."""

    idea: Idea
    state: State
    worths: list[float]
    bonus: float

    @property
    def worth(self) -> float:
        """The mean worth, in Mark, with what judgement says of the idea itself."""
        return sum(self.worths) / max(1, len(self.worths)) + self.bonus


class MasterBot:
    """Plays plans on to the end of the operating round and of the set, the better half of them at the second stage.

    `seconds` of the processor's time, by `clock`, end a move that takes longer; else equal seeds play equal games everywhere.
    """

    def __init__(
        self,
        _rng: random.Random,
        wide: float = WIDE,
        seconds: float | None = LIMIT,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        self.wide = int(wide)
        self.seconds = seconds
        self.clock = clock

    def choose(self, view: View) -> BotMove | None:
        found = ideas(view)
        if not found:
            return None
        best, sure = found[0], hints_of(view.sheet.game).sure
        listed = [idea for idea in plans(found)[: self.wide] if idea.gain > best.gain - sure]
        if len(listed) < 2 or not any(weighed(view, idea) for idea in listed):
            return BotMove(best.action, best.reason)
        return self._halved(view, listed)

    def _halved(self, view: View, listed: list[Idea]) -> BotMove:
        """Play all plans to the next moment, keep the better half, and so on to the last moment or until time is up."""
        began, told = self.clock(), hints_of(view.sheet.game)
        running = []
        for idea in listed:
            state = after(view, idea.action)
            if state is not None:
                doubt = told.rough if idea is not listed[0] else 0.0
                running.append(PlayedPlan(idea, state, [], told.judged * idea.gain - doubt))
        for until in stages(view.state):
            reached = []
            for plan in running:
                if self.seconds is not None and self.clock() - began > self.seconds:
                    break
                plan.state = played_out(view.ruleset, plan.state, until)
                plan.worths.append(value(plan.state, view.seat))
                reached.append(plan)
            # those that time did not reach are worse by the stage before
            reached.sort(key=lambda plan: -plan.worth)
            running = reached[: max(2, len(running) // 2)] or running
        chosen = running[0]
        reason = chosen.idea.reason
        if chosen.idea is not listed[0]:
            values = {"amount": round(chosen.worth), **{k: v for k, v in reason.values.items() if k == "company"}}
            reason = MoveReason("bot.ahead", values)
        return BotMove(chosen.idea.action, reason)


def plans(found: list[Idea]) -> list[Idea]:
    """The best idea of each kind for each company, train and par: others of the same differ too little to be played on."""
    seen: dict[object, Idea] = {}
    for idea in found:
        told, action = idea.reason.values, idea.action
        par = action.par if isinstance(action, FoundCompany) else 0
        seen.setdefault((type(action), told.get("company"), told.get("train"), par), idea)
    return list(seen.values())


def stages(state: State) -> list[Moment]:
    """The moments to which plans are played: the end of the operating round, and of the set."""
    number = next((frame.number for frame in state.agenda if isinstance(frame, Rounds)), 0)
    return sorted({moment(state, 1), (number + 1, 0)})


def played_out(ruleset: Ruleset, state: State, until: Moment) -> State:
    """The position when a moment comes, played by plain judgement by all seats; that after `STEPS` actions where it is far."""
    for _ in range(STEPS):
        seats = awaited(ruleset, state)
        if not seats or moment(state) >= until:
            break
        view = View(ruleset, state, seats[0], state.agenda[-1])
        action = quick(view)
        answer = None if action is None else decide(ruleset, state, view.seat, action)
        if answer is None or isinstance(answer, Refusal):
            break
        state = answer.state
    return state


def quick(view: View) -> Action | None:
    """The best idea that changes no map: in a stock round a founding or the share with the best return, else as judged."""
    rules = open_to(view)
    passing = next((rule for rule in rules if rule.action is Pass), None)
    may_pass = passing is not None and passing.first_refusal(view, Pass()) is None
    if not may_pass or not any(rule.action.buys_share for rule in rules):
        return brisk(view)
    founding = next((rule for rule in rules if rule.action is FoundCompany), None)
    best = max(judged(view, founding), key=lambda idea: idea.gain, default=None) if founding is not None else None
    if best is not None and best.gain > WORTH_FOUNDING:
        return best.action
    return brisk(view)
