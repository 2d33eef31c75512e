"""What a table of 18Rhl may choose, and what does not go together."""

from __future__ import annotations

import pytest

from trajekt.registry import title

TITLE = title("18rhl")


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"edition": 3}, "edition: 1 or 2"),
        ({"edition": 2, "compat": True}, "compat: edition 1 only"),
        ({"edition": 2, "promotion_tiles": True}, "promotion_tiles: edition 1 only"),
        ({"edition": 2, "ratingen": True}, "ratingen: edition 1 only"),
        ({"edition": 1, "optional_end": True}, "optional_end: edition 2 only"),
        ({"edition": 1, "link": "nowhere"}, "link: rules or record"),
        ({"edition": 1, "link": "record"}, "link: record with compat only"),
        ({"location": 10}, "location: 0 to 9"),
        ({"location": -1}, "location: 0 to 9"),
    ],
)
def test_what_does_not_go_together_said(chosen, said):
    with pytest.raises(ValueError, match=said):
        TITLE.options(chosen)


def test_all_faults_are_told_at_once():
    with pytest.raises(ValueError, match=r"compat: .*; ratingen: .*; location"):
        TITLE.options({"edition": 2, "compat": True, "ratingen": True, "location": 12})


@pytest.mark.rule("COMMON-VAR-01", "COMMON-VAR-02", "RHL-VAR-03")
@pytest.mark.parametrize("variant", ["optional_2_train", "lower_capital", "promotion_tiles", "ratingen"])
def test_variant_lies_over_the_sheet(variant):
    chosen = TITLE.options({"edition": 1, variant: True})
    assert chosen.variants == (variant,)
    assert TITLE.sheet(chosen, None).variants == (variant,)
    assert TITLE.options(TITLE.plain(chosen)) == chosen
