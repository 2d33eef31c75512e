"""The form of an entry: every printed entry of every game comes back from its form as it was; what is typed is read."""

from __future__ import annotations

import pytest

from trajekt.engine.components.component_sets import entry_at, whole_entries
from trajekt.engine.components.editions import NOTHING
from trajekt.registry import names, title
from trajekt.server.presenters.entry_form import EntryError, form_of, read_form


def table():
    return title("18ruhr").printed(2)


def typed(path, changes, printed=None):
    printed = printed or table()
    ours = entry_at(printed, path)
    texts = {field.name: field.text for field in form_of(path, ours, ours, printed)}
    return read_form(path, texts | changes, ours, ours, printed)


@pytest.mark.parametrize("game", names())
def test_untouched_form_changes_nothing(game):
    for edition in title(game).editions:
        printed = title(game).printed(edition)
        for path in whole_entries(printed):
            ours = {key: value for key, value in entry_at(printed, path).items() if key != "src"}
            assert typed(path, {}, printed) == ours, path


@pytest.mark.parametrize(
    ("path", "changes", "key", "value"),
    [
        (("hexes", "G6"), {"name": "Bottropp", "cost": "30"}, "cost", 30),
        (("hexes", "G4"), {"name": "Sterkrade"}, "name", "Sterkrade"),
        (("hexes", "O2"), {"stops.0.revenue": "yellow 30, brown 50"}, "stops", None),
        (("hexes", "J7"), {"track": "1-a, 4-a, 0-a"}, "track", [[1, "a"], [4, "a"], [0, "a"]]),
        (("hexes", "J7"), {"label": ""}, "label", NOTHING),
        (("hexes", "J7"), {"own.pmc": "3"}, "own", {"pmc": 3, "industry": "steel"}),
        (("tiles", "7"), {"count": "6"}, "count", 6),
        (("tiles", "7"), {"final": "yes"}, "final", True),
        (("trains", "2"), {"price": "110"}, "price", 110),
        (("companies", "EH"), {"station_costs": "0, 40, 60"}, "station_costs", [0, 40, 60]),
        (("own", "pmcs", "3"), {"boxes": "A 5, B 3, C 2"}, "boxes", {"A": 5, "B": 3, "C": 2}),
        (("limits",), {"pool_percent": "40"}, "pool_percent", 40),
    ],
)
def test_typed_text_becomes_a_value(path, changes, key, value):
    found = typed(path, changes).get(key, NOTHING)
    assert found == value if value is not None else found[0]["revenue"] == {"yellow": 30, "brown": 50}


def test_stop_is_added_and_taken():
    path = ("hexes", "G6")
    more = typed(path, {"stops.1.kind": "town", "stops.1.revenue": "10"})
    assert more["stops"][1] == {"kind": "town", "revenue": 10}
    assert typed(path, {"stops.0.kind": ""}).get("stops") is None


def test_several_stops_are_added_at_once():
    printed = title("18ruhr").printed(2)
    ours = entry_at(printed, ("hexes", "B9"))
    texts = {
        "stops.0.kind": "town",
        "stops.0.at": "1",
        "stops.1.kind": "city",
        "stops.2.kind": "town",
        "stops.3.kind": "",
    }
    entry = read_form(("hexes", "B9"), texts, ours, ours, printed)
    assert entry["stops"] == [{"kind": "town", "at": 1}, {"kind": "city"}, {"kind": "town"}]


def test_cell_of_the_market_is_read():
    rows = table()["market"]["rows"]
    found = typed(("market",), {"rows.0.0": "77p"})["rows"]
    assert found[0][0] == "77p"
    assert found[1:] == rows[1:]


@pytest.mark.parametrize(
    ("path", "changes", "kind"),
    [
        (("trains", "2"), {"price": "dear"}, "number"),
        (("hexes", "J7"), {"track": "1-9"}, "track"),
        (("hexes", "O2"), {"stops.0.revenue": "yellow"}, "amounts"),
        (("companies", "EH"), {"certificates": "[[20, 1"}, "toml"),
    ],
)
def test_text_that_is_no_value(path, changes, kind):
    with pytest.raises(EntryError) as raised:
        typed(path, changes)
    assert (raised.value.place, raised.value.kind) == (next(iter(changes)), kind)
