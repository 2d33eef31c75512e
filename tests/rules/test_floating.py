"""Which companies are in a game as it was set up; those that can never be founded are shown nowhere."""

from __future__ import annotations

import pytest

from trajekt.game import new_game
from trajekt.rules.floating import in_game
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.info_panels import companies

PLAYERS = ("Ada", "Bert", "Cleo", "Dora")
LRA = ("ADR", "BME", "CCE", "CME", "GVE", "KEG", "MKB", "RhE")


@pytest.mark.parametrize(
    ("name", "players", "options", "missing"),
    [
        pytest.param("18lra", 3, {"scenario": 1}, 2, marks=pytest.mark.rule("LRA-SET-09")),
        pytest.param("18lra", 2, {"scenario": 2, "investor": True}, 2, marks=pytest.mark.rule("LRA-TWO-01")),
        ("18lra", 3, {"short_game": True}, 2),
        ("18lra", 4, {}, 0),
        ("18do", 3, {"game": "introduction"}, 4),
        ("18do", 3, {"game": "railway"}, 0),
        ("18do", 3, {}, 0),
        ("18ruhr", 3, {}, 0),
        ("18rhl", 3, {"edition": 2}, 0),
    ],
)
def test_hopeless_foundings_are_not_listed(name, players, options, missing):
    game = new_game(name, PLAYERS[:players], options, 1)
    used = in_game(game.ruleset, game.state)
    assert len(used) == len(game.state.companies) - missing
    speaker = Viewer("en").speaker(game.title, game.state)
    assert {row.id for row in companies(game.state, speaker, used=used)} == set(used)
    assert len(companies(game.state, speaker)) == len(game.state.companies)


def test_scenario_corporations_may_be_founded():
    game = new_game("18lra", PLAYERS[:3], {"scenario": 1}, 1)
    used = in_game(game.ruleset, game.state)
    found = next(
        rule for duty in game.ruleset.duties.values() for rule in duty.menu if rule.action.__name__ == "FoundCompany"
    )
    scenario_check = next(need for need in found.needs if need.name == "in_scenario")
    from trajekt.engine.ruleset import View

    view = View(game.ruleset, game.state, 0, game.state.top)
    may = [c for c in LRA if scenario_check(view, found.action(c, 0)) is None]
    assert tuple(may) == used
