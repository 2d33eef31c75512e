"""The boards of 18Ruhr: what they show is what the rules say, in both languages."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    CLEO,
    at_table,
    in_phase,
    located,
    montan,
    opened,
    owning,
    rules,
    works_turn,
)
from trajekt.games.ruhr.montan_round import Foundation, Merging
from trajekt.games.ruhr.panels import boards
from trajekt.games.ruhr.starting_package import display, price_of_item
from trajekt.games.ruhr.state import ruhr_state
from trajekt.games.ruhr.theme import LOOK
from trajekt.i18n.sentences import catalogue
from trajekt.round_label import round_of
from trajekt.rules.round_sequence import Rounds

PACKAGE = "trajekt.games.ruhr"


def drawn(state, language="en", **options) -> dict[str, str]:
    return dict(boards(rules(**options), state, LOOK, catalogue(language, PACKAGE)))


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).replace("\u00a0", " ")


def card(state, works: str) -> str:
    html = drawn(state)["works"]
    return next(part for part in html.split("<article")[1:] if f'data-works="{works}"' in part).split("</article>")[0]


@pytest.mark.rule("RUHR-SR-02")
def test_package_shows_prices_in_columns():
    state = opened(3)
    html = drawn(state)["package"]
    columns = html.split("<ol")[1:]
    shown = [[int(n) for n in re.findall(r'data-item="(\d+)"', column)] for column in columns]
    assert shown == [list(column) for column in display(state)]
    for item in shown[0]:
        own = html.split(f'data-item="{item}"')[1].split("</li>")[0]
        assert f"<b>{price_of_item(state, item)}\u00a0M</b>" in own
    assert "package" not in drawn(at_sold(state))


def at_sold(state):
    privates = {n: replace(p, owner=ADA) for n, p in state.privates.items()}
    return replace(state, privates=privates)


@pytest.mark.rule("RUHR-DEV-07", "RUHR-DEV-08")
def test_unlinked_boxes_are_shut():
    state = owning(at_table(), markers="AAABBB", pmc7=BERT)
    html = card(state, "7")
    assert html.count("b-box on") == 3 + 2
    assert html.count("b-box shut sign") == 1 + 2
    assert "Waiting for a box: B" in html
    linked = card(located(state, pmc7=20), "7")
    assert (linked.count("b-box on"), linked.count("shut"), "Waiting" in linked) == (6, 0, False)
    assert ">20</text>" in linked


@pytest.mark.rule("RUHR-DEV-12")
def test_inactive_markers_are_struck():
    state = located(owning(in_phase(at_table(), "4"), markers="AAAB", pmc7=BERT), pmc7=10)
    html = card(state, "7")
    assert (html.count("b-box off"), html.count("b-box on")) == (3, 1)
    assert "Income 20 M" in plain(html)


@pytest.mark.rule("RUHR-MR-02", "RUHR-MR-08")
def test_cards_lie_in_order():
    state = replace(at_table(3), extra=replace(ruhr_state(at_table(3)), cards=(CLEO, ADA, BERT)))
    founding = boards(rules(), replace(state, agenda=(Foundation(1),)), LOOK, catalogue("en", PACKAGE))
    assert founding[0][0] == "montan"  # first while the round runs
    assert re.findall(r"</i>(\w+)</li>", founding[0][1]) == ["Cleo", "Ada", "Bert"]
    assert re.search(r'class="at"[^>]*><i>2</i>Ada', founding[0][1])
    assert {round_of(replace(state, agenda=(Rounds(4), f))).key for f in (Foundation(1), Merging(2))} == {"MR"}
    merging = drawn(replace(state, agenda=(Merging(2),)))["montan"]
    assert re.findall(r"</i>(\w+)</li>", merging) == ["Bert", "Ada", "Cleo"]


@pytest.mark.rule("RUHR-DEV-02", "RUHR-SWITCH-04")
def test_stack_tells_gain_of_next_card():
    state = owning(at_table(), markers="AA", engines=("W1",), pmc5=ADA)
    html = plain(drawn(state)["stack"])
    assert "2+2 14 left 100 60 2 × AB 40 W1" in html
    assert "BB +50" in html  # from 10 10 to 20 20 10 10, and the engine doubles a 20 in place of a 10
    with_turn = works_turn(montan(state, "RB", BERT, 60, 7, markers="AAABB"), "RB")
    assert card(with_turn, "RB").startswith(' class="b-works at"')


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_text_is_missing(language):
    state = montan(owning(opened(3), markers="AABB", pmc5=ADA), "RB", BERT, 60, 7, markers="AAABB")
    state = replace(state, extra=replace(ruhr_state(state), cards=(CLEO, ADA, BERT)))
    found = drawn(state, language)
    assert set(found) == {"package", "works", "stack", "montan"}
    assert "‹" not in "".join(found.values())
    assert all(f"board.{key}" in catalogue(language, PACKAGE) for key in found)


@pytest.mark.rule("RUHR-DEV-10", "RUHR-PMC-04")
def test_waiting_marker_makes_card_useless():
    state = in_phase(at_table(), "4")
    linked = located(owning(state, markers="AABBCC", pmc7=ADA), pmc7=10)
    assert "AAB +20" in plain(drawn(linked)["stack"])  # a D would bring 40, but is not for pMCs
    waits = owning(state, markers="AAABBB", pmc7=ADA)
    assert "would give" not in drawn(waits)["stack"]


def test_montan_company_shown_by_full_name():
    state = montan(at_table(), "RB", BERT, 60, 7, markers="AAABB")
    assert "Ruhrbergbau AG" in card(state, "RB")
    cards = replace(state, extra=replace(ruhr_state(state), cards=(CLEO, ADA, BERT)), agenda=(Foundation(0),))
    assert "Steinkohle AG" in drawn(cards)["montan"]


@pytest.mark.rule("RUHR-DEV-05")
def test_card_gain_follows_stage_x_ruling():
    state = montan(in_phase(at_table(), "8"), "RB", BERT, 60, 7, markers="AAAAABBBBCCC")
    assert "RB DDEX +190" in plain(drawn(state)["stack"])
    assert "RB DEXX +210" in plain(drawn(state, x_after_e=False)["stack"])
