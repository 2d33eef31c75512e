"""A whole player, made known by an entry point: see docs/guide/write-a-bot.md."""

import random

from trajekt.bots.bot import BotMove, MoveReason, legal_of, numbered, open_to
from trajekt.bots.evaluation import prospects
from trajekt.engine.decisions import decide
from trajekt.engine.ruleset import Refusal, View


class MyBot:
    """Tries some legal actions on copies of the position and takes the one after which it stands best."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, view: View) -> BotMove | None:
        actions = [
            numbered(option, lambda span: span.low)  # an open number (a bid, a price) at its least
            for rule in open_to(view)
            for option in legal_of(rule, view)
        ]
        if not actions:
            return None
        if len(actions) > 20:
            actions = self.rng.sample(actions, 20)
        return BotMove(max(actions, key=lambda action: self.worth(view, action)), MoveReason("bot.move"))

    def worth(self, view: View, action) -> float:
        answer = decide(view.ruleset, view.state, view.seat, action)
        return -1e9 if isinstance(answer, Refusal) else prospects(answer.state, view.seat)
