"""A real table of 18DO while only its books are kept: the sum of the beer on the trains, which no board shows."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import loaded
from tests.builders.real_tables import at_run, real_table
from trajekt.rules.operating_round import turn_of
from trajekt.rules.referee import IncomeParts


def parts_of(game, state, company):
    found = game.ruleset.policy(IncomeParts)
    return [(part.rule, part.values["train"], part.amount, part.most) for part in found.of(state, company)]


@pytest.mark.rule("DO-BEERTRANSPORT-03")
def test_loaded_beer_is_summed():
    game = at_run(real_table("18do"))
    company = turn_of(game.state).company
    assert parts_of(game, game.state, company) == []
    state = loaded(game.state, company, ("5", 2), ("8", 3))
    assert parts_of(game, state, company) == [
        ("DO-BEERTRANSPORT-03", "5", 80, 100),
        ("DO-BEERTRANSPORT-03", "8", 120, 150),
    ]


@pytest.mark.rule("DO-TRG-06")
def test_squares_of_railway_game_are_summed():
    game = at_run(real_table("18do", {"game": "railway"}))
    company = turn_of(game.state).company
    held = replace(game.state.companies[company], trains=("2", "6"))
    state = replace(game.state, companies={**game.state.companies, company: held})
    assert parts_of(game, state, company) == [("DO-TRG-06", "6", 80, 100)]
