"""18Ruhr: the judges of the rulebook and the engine agree in random games. A long run is `make judge`."""

from __future__ import annotations

import pytest

from tests.judges.ruhr_match import match


@pytest.mark.parametrize("seed", range(4))
def test_judges_and_engine_agree(seed):
    tally = match(seed)
    assert tally.faults == []
    assert tally.legal["lay"] > 10
