"""Judges and engine agree where trains are few and the bank is small, so that much happens at once."""

from __future__ import annotations

import pytest

from tests.judges import rhine_games, ruhr_match

SHARE = 0.05  # of the positions, in which all is asked


@pytest.mark.parametrize("book", ["first", "second", "lra"])
def test_rhine_judges_agree_on_scarce_tables(book):
    ends = set()
    for seed in (0, 3):
        tally = rhine_games.match(book, seed, SHARE, {}, lean=True)
        assert tally.faults == [], seed
        ends.add(tally.positions)
    assert min(ends) > 100


def test_ruhr_judges_agree_on_scarce_tables():
    tally = ruhr_match.match(1, {}, SHARE, lean=True)
    assert tally.faults == []
    assert tally.positions > 100
