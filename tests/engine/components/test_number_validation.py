"""Corrections of a sheet that are well formed and could not be played: each is a fault with its place."""

from __future__ import annotations

import pytest

from trajekt.engine.components.provenance import SheetError
from trajekt.registry import title

BROKEN = (
    ("draws.rows = []", "draws.rows"),
    ("privates.1 = false", "privates.1"),
    ("bonuses.rheingold = false", "bonuses.rheingold"),
    ("phases.green.train_limit = 0", "phases.green.train_limit"),
    ("privates.6.brings_percent = 10", "privates.6.brings_percent"),
    ("limits.pool_percent = 0", "limits.pool_percent"),
    ("limits.certificates = {3 = 0, 4 = 0, 5 = 0}", "limits.certificates.3"),
    ("trains.2.price = 0", "trains.2.price"),
    ("trains.2.reach = 0", "trains.2.reach"),
    ("trains.3.price = 50", "trains.3.price"),
    ('trains.6.available_on = "6"', "trains.6.available_on"),
    ('trains.6.available_on = "8"', "trains.6.available_on"),
    ('phases.green.started_by = "2"', "phases.green.started_by"),
    ('privates.1.code = "KEO"', "privates.1.code"),
    ('privates.2.tile = "1"', "privates.2.tile"),
    ('privates.2.hexes = ["A14"]', "privates.2.hexes"),
    ("companies.ADR.certificates = [[10, 8], [20, 1]]", "companies.ADR.certificates"),
    ("companies.ADR.station_costs = [0, 100, 60]", "companies.ADR.station_costs"),
    ("tiles.921.ferry_revenue = 90", "tiles.921.ferry_revenue"),
    ("bonuses.ferry.amount = 10", "bonuses.ferry.amount"),
    ('hexes.D5.stops = [{kind = "city", slots = 9}]', "hexes.D5.stops[0].slots"),
)


@pytest.mark.parametrize(("line", "place"), BROKEN)
def test_unplayable_component_is_a_fault(tmp_path, line, place):
    found = title("18rhl")
    (tmp_path / "18rhl.toml").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(SheetError) as error:
        found.sheet(found.options({"edition": 2}), str(tmp_path))
    assert place in {fault.key for fault in error.value.faults}, error.value


def test_stop_names_match_town_places():
    """Solingen lies west of Remscheid, Gelsenkirchen west of Herne; one town has one spelling."""
    rhl = title("18rhl").sheet(title("18rhl").options({}), None)
    assert rhl.hexes["G12"].names == ("Solingen", "Remscheid")
    assert rhl.hexes["C12"].names == ("Gelsenkirchen", "Herne")
    lra = title("18lra").sheet(title("18lra").options({}), None)
    assert "M.-Gladbach" in rhl.hexes["G6"].names
    assert lra.hexes["H8"].names == ("M.-Gladbach",)
