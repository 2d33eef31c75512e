"""Openings of games: the recorded game told by hand, and sums over several."""

from __future__ import annotations

import pytest

from tests.builders.played_moments import played
from trajekt.engine.events import PrivateMoved
from trajekt.import_18xx import read_export
from trajekt.review.openings import Founding, opening_of, tables_of

RECORDED = "recorded/18rhl-first-edition-2026.json"


@pytest.fixture(scope="module")
def recorded():
    from tests.conftest import shared_path

    return read_export(shared_path(RECORDED).read_bytes())


def test_recorded_package_as_its_log_says(recorded):
    opening = opening_of(recorded)
    assert [(lot.private, lot.seat, lot.price) for lot in opening.lots] == [
        (1, 0, 20), (2, 0, 30), (3, 1, 80), (4, 1, 85), (5, 0, 125), (6, 2, 140),
    ]  # fmt: skip
    assert {lot.seat: lot.place for lot in opening.lots} == {0: 1, 1: 3, 2: 2}


def test_recorded_companies_with_par_and_float(recorded):
    opening = opening_of(recorded)
    founded = {each.company: each for each in opening.foundings}
    assert len(founded) == 8
    assert founded["GVE"] == Founding("GVE", 80, "SR 1", "SR 1", 0, 1)
    assert all(each.floated for each in founded.values())


@pytest.mark.parametrize("name", ["18rhl", "18lra", "18ruhr", "18do"])
def test_every_certificate_has_its_price(name):
    game = played(name, most=250)
    moved = [event.private for entry in game.line() for event in entry.events if isinstance(event, PrivateMoved)]
    lots = opening_of(game).lots
    assert lots
    assert {lot.private for lot in lots} <= set(moved)
    assert all(lot.price > 0 for lot in lots)


def test_tables_sum_up_by_players(recorded):
    others = [opening_of(played("18rhl", seed, most=120)) for seed in (1, 2)]
    tables = tables_of([opening_of(recorded), *others])
    assert [(table.players, table.games) for table in tables] == [(4, 2), (3, 1)] or len(tables) == 2
    four = next(table for table in tables if table.players == 4)
    for row in four.lots:
        prices = [lot.price for each in others for lot in each.lots if lot.private == row.private]
        assert (row.games, row.least, row.most) == (len(prices), min(prices), max(prices))
    for company in four.companies:
        pars = [each.par for opening in others for each in opening.foundings if each.company == company.company]
        assert sum(company.pars.values()) == company.founded == len(pars)
