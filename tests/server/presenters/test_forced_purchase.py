"""A purchase that must be made tells its sum: price, treasury, what the director adds, what is missing."""

from __future__ import annotations

import re

import pytest

from tests.builders.played_moments import played
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.decision import now

FORCED = {"choose_forced_train", "force_train", "force_purchase"}


def forced_moments(title: str, seed: int, kind: str):
    """The positions of a game in which a train must be bought that the treasury cannot pay."""
    game = played(title, seed, kind, 900)
    for number in range(game.number):
        state = game.state_at(number)
        begun = state.top is not None and state.top.amount_due(state)
        if begun or getattr(state.top, "step", "") == "trains":
            moment = game.at(number)
            if begun or {c.action.__struct_config__.tag for c in moment.choices()} & FORCED:
                yield moment


def amounts(decision) -> list[int]:
    return [int(re.sub(r"[^\d−-]", "", line.amount).replace("−", "-")) for line in decision.sums]


@pytest.mark.parametrize(
    ("title", "seed", "kind"),
    [("18rhl", 2, "random"), ("18lra", 7, "random"), ("18ruhr", 3, "random"), ("18do", 1, "steady")],
)
def test_forced_purchase_tells_its_sum(title, seed, kind):
    seen = ways = 0
    for moment in forced_moments(title, seed, kind):
        seat = moment.to_act[0]
        decision = now(moment, moment.choices(), Viewer("en").speaker(moment.title, moment.state), [seat])
        price, treasury, added, missing = amounts(decision)
        assert price + treasury + added == missing >= 0
        assert price > 0 >= max(treasury, added)
        assert "must" in decision.question
        chips = [chip for group in decision.menu.groups for row in group.rows for chip in row.chips]
        selling = [chip for chip in (*chips, *decision.menu.cards) if chip.kind.startswith("sell")]
        for chip in selling:
            assert "then missing" in chip.sentence or "then paid" in chip.sentence, (moment.number, chip.sentence)
        seen += 1
        ways += len(selling)
    assert seen
    assert ways or title == "18do"  # there bots come to the choice of the train, with nothing to sell before it
