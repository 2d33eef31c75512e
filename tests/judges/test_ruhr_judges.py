"""18Ruhr: the judges of the rulebook and the engine agree in whole games. A long run is `make judge`."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judges.ruhr_match import match


@pytest.mark.parametrize("seed", [0, 2])
def test_judges_agree_in_random_game(seed):
    tally = match(seed, share=0.03)
    assert tally.faults == []
    assert tally.legal["offered"] > 50
    assert tally.legal["turns"] > 100


@pytest.mark.slow
def test_judges_agree_between_steady_players():
    tally = match(3, share=0.05)
    assert tally.faults == []
    assert tally.legal["payments and limits"] > 100


@pytest.mark.slow
@settings(max_examples=5)
@given(st.integers(0, 100_000).filter(lambda seed: seed % 4 != 3))
def test_judges_agree_in_any_game(seed):
    assert match(seed, share=0.02).faults == []
