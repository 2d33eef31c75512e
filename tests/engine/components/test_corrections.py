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
)


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
