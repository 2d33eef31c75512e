"""Rounds and their names: what is stored as `OR 7.2` is the round again when it is read."""

from __future__ import annotations

import pytest

from trajekt.round_label import Round


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("SR 3", Round("stock", 3)),
        ("OR 12.2", Round("operating", 12, 2)),
        ("package", Round("package")),
        ("end", Round("end")),
        ("BR", Round("BR")),
        ("BR 3.2", Round("BR", 3, 2)),
        ("MR", Round("MR")),
    ],
)
def test_stored_name_reads_back(key, found):
    assert Round.read(key) == found
    assert found.key == key


def test_number_of_rounds_is_no_identity():
    assert Round("operating", 7, 2, of=3) == Round.read("OR 7.2")
    assert Round("operating", 7, 2, of=3).of == 3


@pytest.mark.parametrize(
    ("here", "there", "after"),
    [
        ("SR 3", "SR 2", True),
        ("OR 2.1", "SR 2", True),
        ("OR 10.1", "SR 9", True),
        ("SR 2", "SR 2", False),
        ("OR 1.3", "SR 2", False),
        ("SR 1", "SR 2", False),
        ("end", "SR 2", False),
        ("BR 3.1", "SR 2", False),
        ("OR 2.2", "OR 2.1", False),
    ],
)
def test_order_after_stock_rounds(here, there, after):
    assert Round.read(here).is_after(Round.read(there)) is after
