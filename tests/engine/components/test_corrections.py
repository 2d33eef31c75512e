"""An owner's corrections: what the code of a game reads by name neither goes nor becomes something else."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from trajekt.engine.components.corrections import check_corrections
from trajekt.engine.components.provenance import SheetError
from trajekt.registry import title

BROKEN = (
    ("18lra", 'phases.green.own = {opens = ["Q1"]}', "phases.green.own.opens"),
    ("18lra", 'companies.GVE.own.link_bonus.amount = "x"', "companies.GVE.own.link_bonus.amount"),
    ("18lra", "own.gkb.private = false", "own.gkb.private"),
    ("18lra", "bonuses.dalheim = false", "bonuses.dalheim"),
    ("18lra", "bonuses.ferry.amount = 10", "bonuses.ferry.amount"),
    ("18ruhr", "own.engines = false", "own.engines"),
    ("18ruhr", "own.scenarios.hellweg.active = []", "own.scenarios.hellweg.active"),
    ("18ruhr", "own.values.at_most = -5", "own.values.at_most"),
    ("18ruhr", 'companies.RB.own.industry = "glass"', "companies.RB.own.industry"),
    ("18do", "own.segments.3 = false", "own.segments.3"),
    ("18do", 'companies.KWE.own.kind = "x"', "companies.KWE.own.kind"),
    ("18do", 'own.bid_boxes.values = [0, "a"]', "own.bid_boxes.values[1]"),
    ("18do", "privates.1 = false", "privates.1"),
    ("18rhl", 'hexes.D5.terrain = "lava"', "hexes.D5.terrain"),
    ("18rhl", 'hexes.D5.icons = ["ZZZ"]', "hexes.D5.icons"),
    ("18rhl", 'hexes.D5.counts_for = "nothing"', "hexes.D5.counts_for"),
    ("18rhl", "hexes.D5.banks = [[0, 1], [3, 4]]", "hexes.D5.banks"),
    # mistyped keys: nothing would ever read them
    ("18ruhr", "own.pmcs.4.start_mony = 55", "own.pmcs.4.start_mony"),
    ("18ruhr", "own.pmcs.4.start_markers = {B = 1, Q = 1}", "own.pmcs.4.start_markers.Q"),
    ("18ruhr", "own.engines.lowst = 12", "own.engines.lowst"),
    ("18ruhr", "own.engnes.lowest = 12", "own.engnes"),
    ("18do", "own.markers.A1.prcie = 12", "own.markers.A1.prcie"),
    ("18lra", "own.harbours.E13.privat = 3", "own.harbours.E13.privat"),
    ("18rhl", "bonuses.ferry.amonut = 10", "bonuses.ferry.amonut"),
    ("18rhl", "bonuses.feery.per_ferry = 10", "bonuses.feery"),
)


CONTRADICTING = (
    ("18ruhr", 'own.pmcs.6.hex = "M12"', ("own.pmcs.6.hex", "hexes.I10.own.pmc", "privates.6.hexes")),
    ("18ruhr", "hexes.I10.own.pmc = 3", ("hexes.I10.own.pmc", "own.pmcs.6.hex")),
    ("18ruhr", 'privates.6.hexes = ["J3"]', ("privates.6.hexes", "own.pmcs.6.hex")),
    ("18ruhr", 'own.pmcs.6.industry = "coal"', ("own.pmcs.6.industry", "hexes.I10.own.industry", "hexes.I10.icons")),
    ("18ruhr", "own.scenarios.hellweg.active = [1, 3, 5, 6, 7, 9, 10, 19]", ("own.scenarios.hellweg.active",)),
    ("18ruhr", "own.package.privates.3 = [29]", ("own.package.privates.3",)),
    ("18do", 'hexes.A7.icons = ["S"]', ("own.places.coal_mines.hexes", "hexes.A7.icons")),
    ("18do", 'own.places.harbour.hexes = ["C7"]', ("own.places.harbour.hexes", "tiles.HF1.hexes")),
    ("18do", 'privates.1.code = "B9"', ("privates.1.code", "own.minors.B1")),
    ("18do", "own.cubes.3.stock = 9", ("own.cubes.3.total",)),
    ("18do", "own.start_values.railways.yellow = [55, 62]", ("own.start_values.railways.yellow",)),
    ("18lra", 'own.harbours.E13.hex = "E15"', ("own.harbours.E13.hex", "hexes.E13.icons", "privates.2.hexes")),
    ("18lra", 'own.harbours.H14.tile = "L28"', ("own.harbours.H14.tile", "privates.3.tile")),
    ("18lra", "own.harbours.H14.private = 9", ("own.harbours.H14.private",)),
    ("18lra", 'own.fields.venlo.hexes = ["D2", "E3"]', ("own.fields.venlo.hexes", "hexes.E1.joined")),
    ("18lra", 'privates.1.hexes = ["I5"]', ("privates.1.hexes", "bonuses.dalheim.hexes")),
    ("18lra", 'bonuses.iron_rhine.hexes = ["I1", "A15"]', ("hexes.B16.icons",)),
    ("18rhl", 'hexes.E12.terrain = ""', ("privates.3.hexes",)),
    ("18rhl", 'bonuses.iron_rhine.hexes = ["H1", "C14"]', ("hexes.D15.icons",)),
    ("18rhl", 'bonuses.ferry.hexes = ["D9", "F9"]', ("bonuses.rheingold.hexes", "privates.4.hexes")),
)


@pytest.mark.parametrize(("game", "line", "places"), CONTRADICTING)
def test_contradiction_is_told_at_each_place(tmp_path, game, line, places):
    found = title(game)
    (tmp_path / f"{game}.toml").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(SheetError) as error:
        found.sheet(found.options({}), str(tmp_path))
    assert set(places) <= {fault.key for fault in error.value.faults}, error.value


@pytest.mark.parametrize(("game", "line", "place"), BROKEN)
def test_lost_or_strange_piece_is_fault(tmp_path, game, line, place):
    found = title(game)
    (tmp_path / f"{game}.toml").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(SheetError) as error:
        found.sheet(found.options({}), str(tmp_path))
    assert place in {fault.key for fault in error.value.faults}, error.value


def without(values: Mapping, path: tuple[str, ...]) -> dict:
    """The values without one of them."""
    left = dict(values)
    if len(path) == 1:
        del left[path[0]]
    else:
        left[path[0]] = without(left[path[0]], path[1:])
    return left


def paths(values: Mapping, before: tuple[str, ...] = ()):
    """Every key with those on the way to it."""
    for key, value in values.items():
        yield (*before, key)
        if isinstance(value, Mapping):
            yield from paths(value, (*before, key))


@pytest.mark.parametrize("game", ["18rhl", "18lra", "18ruhr", "18do"])
def test_no_own_piece_can_be_lost(game):
    found = title(game)
    sheet = found.sheet(found.options({}), None)
    every = list(paths(sheet.own))
    assert bool(every) == (game != "18rhl")
    assert list(check_corrections(sheet, sheet)) == []
    for path in every:
        faults = check_corrections(sheet, replace(sheet, own=without(sheet.own, path)))
        assert [fault.key for fault in faults] == [".".join(("own", *path))], path


def with_stray_key(values: Mapping, path: tuple[str, ...]) -> dict:
    """The values with a key that nothing reads in one of their tables."""
    changed = dict(values)
    changed[path[0]] = with_stray_key(values[path[0]], path[1:]) if len(path) > 1 else {**values[path[0]], "zzz": 1}
    return changed


@pytest.mark.parametrize("game", ["18lra", "18ruhr", "18do"])
def test_every_stray_key_is_told(game):
    found = title(game)
    sheet = found.sheet(found.options({}), None)
    tables = [path for path in paths(sheet.own) if isinstance(_at(sheet.own, path), Mapping)]
    # a list of entries by name may grow: its new entry is judged by the pieces that it lacks
    lists = {path[:-1] for path in tables if len(path) > 1}
    assert len(tables) > len(lists) > 1
    for path in set(tables) - lists:
        faults = check_corrections(sheet, replace(sheet, own=with_stray_key(sheet.own, path)))
        assert ".".join(("own", *path, "zzz")) in {fault.key for fault in faults}, path


def _at(values: Mapping, path: tuple[str, ...]) -> object:
    for key in path:
        values = values[key]
    return values
