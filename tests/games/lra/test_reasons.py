"""Refusals of 18LRA carry their reason and what would be right, in both languages, under the rule that is broken."""

from __future__ import annotations

import pytest

from tests.builders.lra_positions import (
    ADA,
    CLEO,
    firm,
    in_stock_round,
    in_turn,
    opened,
    ruleset,
    with_station,
    with_tiles,
)
from tests.builders.random_positions import refused
from trajekt.engine.actions import FoundCompany, PlaceStation, UsePrivate
from trajekt.games.lra.title import TITLE
from trajekt.i18n.sentences import LANGUAGES, Speaker, catalogue, refusal_line


def said(rules, state, action) -> str:
    """The rule, then the sentence in German and English."""
    no = refused(rules, state, ADA, action)
    book = {tongue: Speaker(catalogue(tongue, TITLE.package), state.sheet, state.names) for tongue in LANGUAGES}
    return " | ".join((no.rule, *(refusal_line(book[tongue], no) for tongue in ("de", "en")))).replace("\u00a0", " ")


@pytest.mark.rule("COMMON-PRV-02")
@pytest.mark.parametrize(
    ("number", "german", "english"),
    [
        (1, "keine solche Sonderfunktion", "no power"),
        (2, "im Schritt „Bahnhöfe“", "in the step “stations”, for a harbour"),
        (3, "im Schritt „Bahnhöfe“", "in the step “stations”, for a harbour"),
    ],
)
def test_reasons_of_powers_without_tile(number, german, english):
    state = in_turn(firm(opened(), "BME", ADA), "BME")
    text = said(ruleset(), state, UsePrivate(number, "H8", "9", 0))
    assert text.startswith("COMMON-PRV-02")
    assert german in text
    assert english in text


@pytest.mark.rule("LRA-SET-09")
def test_reason_names_the_scenario():
    state = in_stock_round(opened(3, scenario=1), ADA)
    text = said(ruleset(scenario=1), state, FoundCompany("BME", 80))
    assert text == "LRA-SET-09 | BME ist nicht in diesem Szenario. | BME is not in this scenario."


@pytest.mark.rule("LRA-TOK-10")
def test_reason_says_that_harbour_token_fits():
    krefeld_to_uerdingen = {"F10": "L17 r0", "E11": "8 r4", "E13": "L31"}
    state = with_tiles(firm(firm(opened(phase="green"), "KEG", ADA), "CCE", CLEO), **krefeld_to_uerdingen)
    state = in_turn(with_station(state, "CCE", "E13"), "KEG", "station")
    text = said(ruleset(), state, PlaceStation("E13", "a"))
    assert text.startswith("LRA-TOK-10")
    assert "Hafen" in text
    assert "a harbour token fits" in text
