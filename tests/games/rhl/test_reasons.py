"""Refusals of 18Rhl carry their reason and what would be right, in both languages, under the rule that is broken."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, refused
from tests.builders.rhl_forced import after_choice, poor
from tests.builders.rhl_positions import ruleset as laying
from tests.builders.rhl_positions import table
from tests.builders.rhl_privates import use
from tests.builders.rhl_track import lay
from tests.builders.rhl_trading import ADA, BERT, firm, trading
from tests.builders.rhl_trading import ruleset as stocks
from tests.builders.rhl_turns import company, in_turn, unsold, with_depot
from tests.builders.rhl_turns import ruleset as turns
from tests.builders.route_boards import board, judge, only, run, setting
from trajekt.engine.actions import BuyShare, BuyTrain, FoundCompany, PlaceStation, SellShares, TakeLoan, UsePrivate
from trajekt.engine.components.schema import Sheet
from trajekt.engine.ruleset import Refusal, Ruleset
from trajekt.engine.state import IPO, State
from trajekt.games.rhl.title import TITLE
from trajekt.i18n.sentences import LANGUAGES, Speaker, catalogue, refusal_line
from trajekt.rules.running_and_dividends import refused as of_route


def sentences(sheet: Sheet, names: tuple[str, ...], no: Refusal) -> str:
    """The rule, then the sentence in German and English."""
    book = {tongue: Speaker(catalogue(tongue, TITLE.package), sheet, names) for tongue in LANGUAGES}
    return " | ".join((no.rule, *(refusal_line(book[tongue], no) for tongue in ("de", "en")))).replace("\u00a0", " ")


def said(ruleset: Ruleset, state: State, action) -> str:
    return sentences(state.sheet, state.names, refused(ruleset, state, 0, action))


@pytest.mark.parametrize(
    ("rules", "action", "rule", "german", "english"),
    [
        ("R1", use("3 F11 #23 r1"), "RHL-PRV-10", "kein Berg", "No mountain is to be seen on F11"),
        ("R2", use("3 F11 #23 r1"), "RHL-PRV-11", "kein Berg", "No mountain is to be seen on F11"),
        ("R1", use("2 E6 #935 r0"), "RHL-PRV-08", "gilt nur für E8", "for E8 alone"),
        ("R2", use("2 E6 #935 r0"), "RHL-PRV-09", "gilt nur für E8", "for E8 alone"),
        ("R2", use("2 E8 #1 r0"), "RHL-PRV-09", "legt nur #935", "lays #935 alone"),
        ("R1", use("1 F11 #9 r0"), "RHL-PRV-07", "gilt nur für E14", "for E14 alone"),
        ("R2", use("4 A2 #9 r0"), "RHL-PRV-12", "gilt nur für I10, F9, D9", "for I10, F9, D9 alone"),
        ("R2", UsePrivate(5, "E14", "9", 2), "COMMON-PRV-02", "keine solche Sonderfunktion", "no power"),
        ("R1", lay("E10 #201 r0"), "COMMON-TRK-07", "#201 auf E10", "#201 on E10"),
        ("R2", lay("E10 #201 r0"), "COMMON-TRK-07", "#201 auf E10", "#201 on E10"),
        ("R2", lay("C14 #8 r0"), "COMMON-TRK-04", "nie etwas gelegt", "Nothing is ever laid"),
    ],
)
def test_reasons_of_track_and_powers(rules, action, rule, german, english):
    state = table(
        rules, "DEE", phase="green", tiles="F11 9 r1", stations="DEE F9:b", privates=dict.fromkeys(range(1, 6), 0)
    )
    text = said(laying(rules), state, action)
    assert text.startswith(rule)
    assert german in text
    assert english in text


@pytest.mark.rule("COMMON-TOK-01", "COMMON-TOK-02")
def test_reasons_of_stations():
    state = table("R1", "CME", tiles="G10 #2 r2; H11 #8 r0", stations="CME I10:c", step="station")
    text = said(laying("R1"), state, PlaceStation("I10", "a"))
    assert text.startswith("COMMON-TOK-02")
    assert "schon einen Bahnhof" in text
    assert "one a hex" in text


@pytest.mark.rule("COMMON-SR-04", "COMMON-SR-08", "RHL-SR-05")
@pytest.mark.parametrize(("edition", "rule"), [("1", "RHL-SR-05"), ("2", "COMMON-SR-04")])
def test_reasons_of_the_stock_round(edition, rule):
    state = trading(edition)
    unfounded = said(stocks(edition), state, BuyShare("ADR", IPO, 10))
    assert unfounded.startswith(rule)
    assert "noch nicht gegründet" in unfounded
    assert "director's certificate of ADR comes first" in unfounded
    assert "60, 65, 70, 75, 80, 90, 100" in said(stocks(edition), state, FoundCompany("BME", 72))
    again = said(stocks(edition), firm(state, "BME", (3, 3), director=BERT), FoundCompany("BME", 75))
    assert again.startswith("COMMON-SR-08")
    assert "BME ist schon gegründet" in again
    assert "founded already" in again


@pytest.mark.rule("COMMON-SR-04", "COMMON-SR-14")
def test_reasons_name_certificate_and_block():
    founded = act(stocks("2"), trading("2"), ADA, FoundCompany("MKB", 80)).state
    next_one = said(stocks("2"), replace(founded, agenda=trading("2").agenda), BuyShare("MKB", IPO, 10))
    assert next_one.startswith("COMMON-SR-04")
    assert "20 %" in next_one
    sold = firm(trading("2"), "GVE", (3, 3), director=BERT, Ada=30)
    sold = act(stocks("2"), sold, ADA, SellShares("GVE", 10)).state
    assert "one block a turn" in said(stocks("2"), sold, SellShares("GVE", 10))


@pytest.mark.rule("COMMON-TRN-01", "COMMON-TRN-02", "RHL-TRN-03", "RHL-FOR-01", "COMMON-FOR-03")
def test_reasons_of_trains_and_forced_purchases():
    depot = {"2": 2, "3": 4, "4": 3, "5": 3, "6": 6, "8": 4}
    for edition in (1, 2):
        state = with_depot(unsold(edition), depot, sold=("2",))
        state = company(
            company(state, "ADR", director=0, treasury=900, trains=("2",)), "BME", director=1, trains=("2",)
        )
        state = in_turn(state, "ADR", "trains")
        early = said(turns(edition), state, BuyTrain("display", "3", 200))
        assert early.startswith("COMMON-TRN-02")
        assert "last 2-train must be sold first" in early
        assert "kostet 100 M" in said(turns(edition), state, BuyTrain("display", "2", 90))
        other = said(turns(edition), state, BuyTrain("BME", "2", 0))
        expected = ("RHL-TRN-03", "once the first 3-train") if edition == 1 else ("COMMON-TRN-01", "at least 1 M")
        assert all(part in other for part in expected)
    charter = after_choice(turns(2), poor(2, 1000, 230, Ada=50, charter=50))
    for action in (TakeLoan(), SellShares("ADR", 10)):
        assert "certificates on the charter of ADR are sold first" in said(turns(2), charter, action)
    forced = after_choice(turns(1), poor(1, 0, 230, Ada=50))
    assert said(turns(1), forced, BuyTrain("display", "5", 500)).startswith("RHL-FOR-01")


@pytest.mark.rule("COMMON-RTE-07", "COMMON-RTE-11")
def test_reasons_of_routes_count_from_one():
    on = board("R2", "K4 #4 r1; K2 #4 r1", "RhE K6:a")
    text = "K6:a K4:a"
    where = setting("R2", on, "RhE", "2", "2")
    fault = only(f for f in judge(where, (run(on, "2", text), run(on, "2", text))))
    no = of_route(fault)
    assert (no.rule, no.args["run"], no.args["other"]) == ("COMMON-RTE-11", 2, 1)
