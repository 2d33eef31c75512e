"""18DO: the judge of the map and the engine agree in the Railway Game and the Introduction Game too."""

from __future__ import annotations

import pytest

from tests.judges.do_match import booked_match, other_match


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_introduction_game_agrees_with_judge(seed):
    tally = other_match("introduction", seed, share=0.1)
    assert tally.faults == []
    assert tally.legal["lay"] > 10
    assert tally.legal["income"] > 5


@pytest.mark.parametrize("seed", [0, 1])
def test_railway_game_agrees_with_judge(seed):
    tally = other_match("railway", seed, share=0.02)
    assert tally.faults == []
    assert tally.legal["lay"] > 100
    assert tally.legal["link"] > 50
    assert tally.legal["station"] > 5
    assert tally.legal["income"] > 50
    assert tally.legal["brew"] > 0


@pytest.mark.rule("DO-TRG-06", "DO-TRG-07")
@pytest.mark.parametrize("seed", [2, 5])
def test_rich_railway_game_agrees_with_judge(seed):
    tally = other_match("railway", seed, share=0.02, stop=700)
    assert tally.faults == []
    assert tally.legal["income"] > 1


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("game", ["introduction", "railway"])
def test_small_games_agree_with_account(game, seed):
    tally = booked_match(game, seed)
    assert tally.faults == []
    assert tally.legal["railway in turn"] > 15
    assert tally.legal["order of a round"] > 5
    assert game == "introduction" or {"priority deal", "seat in the stock round"} <= set(+tally.legal)
