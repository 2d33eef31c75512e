"""Judges and engine agree in games drawn at random, and a case in which they part shrinks (long run: `make judge`)."""

from __future__ import annotations

from hypothesis import given, settings

from tests.judges import drawn_match
from tests.judges.drawn_games import Case, cases
from tests.judges.tally import Tally


@settings(max_examples=8)
@given(cases())
def test_judges_agree_in_drawn_games(case):
    assert case.play().faults == []


def test_disagreement_shrinks_to_small_case(monkeypatch):
    def play(case):
        """Part judge and engine wherever the stations of Minden and Münster are exchanged, from the tenth decision on."""
        parted = case.stop >= 10 and ("minden_closes_hamburg", True) in case.options
        return Tally(positions=case.stop, faults=["closed"] if parted else [])

    monkeypatch.setattr(Case, "play", play)
    monkeypatch.setattr(drawn_match, "EXAMPLES", 3000)
    smallest = "Case(game='first', players=3, options=(('minden_closes_hamburg', True),), seed=0, stop=10)"
    assert drawn_match.match(1).faults == [f"{smallest}: closed"]
