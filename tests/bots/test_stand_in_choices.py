"""What is left out of the options for whoever looks for something legal: never anything legal, and the order stays."""

from __future__ import annotations

import random

import pytest

from trajekt.bots.bot import make_bot, next_move
from trajekt.bots.simulation import tables
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import Decision, decide, open_rules, start
from trajekt.engine.ruleset import Option, View
from trajekt.registry import title

EACH = 4  # positions looked at: every fourth of a game


def judged(rule, view, options):
    found = (option.action if isinstance(option, Option) else option for option in options)
    return [action for action in found if rule.first_refusal(view, action) is None]


def positions(game, edition, seed):
    """The positions of a random game."""
    found = title(game)
    options, count = next(table for table in tables(found) if table[0].get("edition") == edition and table[1] > 2)
    chosen = found.seated(found.options(options), count)
    ruleset = found.build(found.sheet(chosen, None), chosen)
    rng = random.Random(seed)
    players = [make_bot("random", rng) for _ in range(count)]
    state = start(ruleset, [f"P{n}" for n in range(count)], seed, shuffle=not found.fixed_seats(chosen)).state
    while not state.outcome:
        yield ruleset, state
        seat, move = next_move(ruleset, state, players, rng)
        answer = decide(ruleset, state, seat, move.action)
        assert isinstance(answer, Decision)
        state = answer.state


@pytest.mark.parametrize("game", ["18rhl", "18lra", "18do", "18ruhr"])
def test_the_likely_options_lack_nothing_legal(game):
    seen = set()
    for edition in sorted(title(game).editions):
        for number, (ruleset, state) in enumerate(positions(game, edition, 3)):
            if number % EACH:
                continue
            for seat in awaited(ruleset, state):
                view = View(ruleset, state, seat, state.agenda[-1])
                for rule in open_rules(ruleset, state):
                    if rule.likely is not None:
                        seen.add(rule.action.__name__)
                        assert judged(rule, view, rule.likely(view)) == judged(rule, view, rule.options(view))
    assert "LayTile" in seen
