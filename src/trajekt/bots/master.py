"""The master player: plays each of its plans on, with foundings and trains, and lays aside the worse half at each stage.

A plan is an idea for now and what plain judgement makes of it later, by all seats. Every par of a founding is a plan. The map
stays as it is, since the outlook of companies knows that revenue grows. What is imagined draws no chance: differences
between plans are those of the plans alone. What a position is worth is learned from games; where a game has no such weights,
the master plays as `search`, which has been the stronger of the two there.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import msgspec

from trajekt.bots.bot import BotMove, open_to
from trajekt.bots.candidate_moves import SALES, Idea, after, ideas, judged
from trajekt.bots.evaluation import hints_of
from trajekt.bots.search import LIMIT, Moment, SearchBot, brisk, looked_ahead, moment, played_on, varied, weighed
from trajekt.bots.seat_facts import lead, total, value_of
from trajekt.bots.share_sales import given_away
from trajekt.engine.actions import Action, FoundCompany, Pass, SellShares
from trajekt.engine.ruleset import View
from trajekt.engine.state import State
from trajekt.rules.round_sequence import Rounds

WIDE = 8  # plans that are played on at first
WORTH_FOUNDING = 20.0  # Mark that a founding must gain in an imagined game
FIRST_TRAINS = frozenset({"bot.first_train", "bot.first_train_to_come"})
JUDGED = 0.3  # part of the gain that judgement expects that counts beside a learned worth
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
        rng: random.Random,
        wide: float = WIDE,
        seconds: float | None = LIMIT,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        self.wide = int(wide)
        self.seconds = seconds
        self.clock = clock
        self.otherwise = SearchBot(rng, seconds=seconds, clock=clock)

    def choose(self, view: View) -> BotMove | None:
        if value_of(view.sheet.game) is None:
            return self.otherwise.choose(view)
        found = ideas(view)
        if not found:
            return None
        best, sure = found[0], hints_of(view.sheet.game).sure
        listed = [idea for idea in varied(found, par_of)[: self.wide] if idea.gain > best.gain - sure]
        if any(idea.gain > 0 and idea.reason.key in FIRST_TRAINS for idea in listed):
            # a weight may lead astray where games taught it nothing: nobody they were learned from stays without a train
            listed = [idea for idea in listed if not isinstance(idea.action, Pass)]
        listed = [idea for idea in listed if not rash(view, idea)] or listed[:1]
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
                running.append(PlayedPlan(idea, state, [], JUDGED * idea.gain - doubt))
        for until in stages(view.state):
            reached = []
            for plan in running:
                if self.seconds is not None and self.clock() - began > self.seconds:
                    break
                plan.state = played_on(view.ruleset, plan.state, until, STEPS, quick)
                plan.worths.append(lead(view.ruleset, plan.state, view.seat))
                reached.append(plan)
            # those that time did not reach are worse by the stage before
            reached.sort(key=lambda plan: -plan.worth)
            running = reached[: max(2, len(running) // 2)] or running
        chosen = running[0]
        if chosen.idea is listed[0]:
            return BotMove(chosen.idea.action, chosen.idea.reason)
        return looked_ahead(chosen.idea, total(view.ruleset, chosen.state, view.seat))


def rash(view: View, idea: Idea) -> bool:
    """Tell whether an idea founds what cannot float, or sells so much of a safe company that pays that another may take it."""
    if isinstance(idea.action, FoundCompany):
        return idea.gain < 0
    if idea.reason.key not in SALES or not isinstance(idea.action, SellShares):
        return False
    state = after(view, idea.action)
    return state is not None and given_away(view, state, idea.action.company)


def par_of(action: Action) -> int:
    """The par of a founding, in Mark; 0 for all else. Every par is a plan of its own."""
    return action.par if isinstance(action, FoundCompany) else 0


def stages(state: State) -> list[Moment]:
    """The moments to which plans are played: the end of the operating round, and of the set."""
    number = next((frame.number for frame in state.agenda if isinstance(frame, Rounds)), 0)
    return sorted({moment(state, 1), (number + 1, 0)})


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
