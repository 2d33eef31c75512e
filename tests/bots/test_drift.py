"""Options and checks are one source of truth: what is listed is accepted, what is accepted is listed.

One field of a listed action is changed at random; the changed action must be accepted exactly if it is a listed choice too.
Fields that a choice leaves free (routes) are judged when sent and are left alone.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from trajekt.bots.bot import RandomBot, next_action
from trajekt.engine.actions import Action, RunTrains
from trajekt.engine.decisions import Decision, decide, explain, legal, start
from trajekt.engine.digest import digest
from trajekt.engine.ruleset import Choice, Refusal
from trajekt.registry import title

NAMES = ("Ada", "Bert", "Cleo", "Dora")


def listed(choices: list[Choice], seat: int, action: Action) -> bool:
    """Whether an action is one of the choices, or lies in the open numbers of one."""
    for choice in choices:
        if choice.seat != seat or type(choice.action) is not type(action):
            continue
        fields = {name: getattr(action, name) for name in action.__struct_fields__}
        if all(
            fields[name] in choice.spans[name] if name in choice.spans else fields[name] == getattr(choice.action, name)
            for name in fields
        ):
            return True
    return False


def pools(sheet) -> dict[str, list[Any]]:
    """Values that a field of each name may take, sensible or not."""
    companies = list(sheet.companies)
    return {
        "company": companies,
        "private": [*sheet.privates, 9],
        "amount": [0, 5, 23, 60, 125, 200, 700],
        "par": [*sheet.market.par, 82],
        "percent": [10, 20, 30, 40, 50],
        "source": ["io", "charter", "pool", "display", *companies],
        "hex": list(sheet.hexes),
        "tile": list(sheet.tiles),
        "turn": list(range(6)),
        "allowance": ["normal", "second"],
        "stop": ["a", "b", "c"],
        "token": ["normal", "harbour"],
        "train": list(sheet.trains),
        "price": [1, 50, 100, 200, 300, 500, 600, 800],
        "count": [0, 1, 2, 5],
    }


def changed(action: Action, values: dict[str, list[Any]], rng: random.Random) -> Action | None:
    """The action with one field changed, None where it has none."""
    names = [name for name in action.__struct_fields__ if name in values]
    if not names:
        return None
    name = rng.choice(names)
    fields = {each: getattr(action, each) for each in action.__struct_fields__}
    fields[name] = rng.choice(values[name])
    return type(action)(**fields)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"edition": 1},
        {"edition": 2},
        {"edition": 1, "compat": True},
        {"edition": 1, "promotion_tiles": True, "ratingen": True},
        {"edition": 2, "optional_end": True, "lower_capital": True},
    ],
    ids=str,
)
def test_changed_action_is_accepted_when_listed(options):
    found = title("18rhl")
    chosen = found.options(options)
    ruleset = found.build(found.sheet(chosen, None), chosen)
    values = pools(ruleset.sheet)
    rng = random.Random(str(options))
    players = [RandomBot(rng) for _ in NAMES]
    state = start(ruleset, NAMES, 3).state
    tried = accepted = 0
    actions = 0
    while not state.outcome:
        actions += 1
        if actions % 5 == 0:
            before = digest(state)
            choices = legal(ruleset, state)
            for choice in rng.sample(choices, min(6, len(choices))):
                if isinstance(choice.action, RunTrains):
                    continue
                for _ in range(4):
                    other = changed(choice.action, values, rng)
                    if other is None:
                        continue
                    answer = decide(ruleset, state, choice.seat, other)
                    wanted = listed(choices, choice.seat, other)
                    assert isinstance(answer, Decision) == wanted, (actions, choice.seat, other, answer)
                    tried, accepted = tried + 1, accepted + wanted
            assert digest(state) == before  # INV-22: nothing that was tried has changed the position
        chosen_action = next_action(ruleset, state, players, rng)
        assert chosen_action is not None
        answer = decide(ruleset, state, *chosen_action)
        assert isinstance(answer, Decision)
        state = answer.state
    assert tried > 500
    assert accepted > 20


@pytest.mark.parametrize("edition", [1, 2])
def test_what_explained_without_objection_what_legal(edition):
    found = title("18rhl")
    chosen = found.options({"edition": edition})
    ruleset = found.build(found.sheet(chosen, None), chosen)
    rng = random.Random(edition)
    players = [RandomBot(rng) for _ in NAMES]
    state = start(ruleset, NAMES, 3).state
    compared = 0
    for number in range(600):
        if state.outcome:
            break
        if number % 40 == 0:
            for seat in range(len(NAMES)):
                free = [choice for choice, refusals in explain(ruleset, state, seat) if not refusals]
                assert free == legal(ruleset, state, (seat,))
                compared += len(free)
        chosen_action = next_action(ruleset, state, players, rng)
        assert chosen_action is not None
        answer = decide(ruleset, state, *chosen_action)
        assert not isinstance(answer, Refusal)
        state = answer.state
    assert compared > 50
