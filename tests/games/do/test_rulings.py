"""What a table can choose: every ruling with a key, its default, and what each other value changes."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.builders.do_positions import choices, corporation, late_display, opening, position, rules, stock, turn
from tests.builders.random_positions import act, refused, with_cash
from trajekt.engine.actions import BuyTrain, Pass
from trajekt.engine.state import CHARTER
from trajekt.games.do.actions import BuyCertificate, OwnCertificate, PlaceFreeToken
from trajekt.games.do.invariants import trains
from trajekt.games.do.options import SETTLED, VALUES, DoOptions
from trajekt.games.do.starting_round import by_cash
from trajekt.games.do.state import do_state
from trajekt.games.do.title import SWITCHED, TITLE
from trajekt.games.do.train_rules import limit
from trajekt.i18n.rule_texts import rule_texts, rulings
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound

RULINGS = Path(__file__).parents[3] / "docs" / "rulings.md"


def keys_of(sheet: Path) -> set[str]:
    """The keys of "Rulings at a glance"."""
    text = sheet.read_text(encoding="utf-8").partition("# Rulings at a glance")[2]
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {key for row in rows for key in re.findall(r"`(\w+)`", row)}


def test_every_ruling_is_option_or_settled(shared):
    known = {*VALUES} - {"edition", "game", "own_sale_fall"}
    assert keys_of(shared("rules/18do.md")) == known | SETTLED
    assert not known & SETTLED


def test_every_option_has_a_choice():
    assert [key for key, values in VALUES.items() if len(values) < 2] == ["edition"]


def test_settled_rulings_are_passed_over():
    assert TITLE.options({"city_hex": "E13", "own_sale": "top"}) == DoOptions(own_sale="top")


def test_first_value_default_and_others_refused():
    plain = msgspec.structs.asdict(DoOptions())
    for key, values in VALUES.items():
        assert plain[key] == values[0], key
        for value in values:
            assert not replace(DoOptions(), **{key: value}).faults(), (key, value)
        wrong = 99 if isinstance(values[0], int) else "other"
        with pytest.raises(ValueError, match=key):
            TITLE.options({key: wrong})


def test_switches_offer_every_other_value():
    offered = {v.option: v.values or (True,) for v in TITLE.variants}
    for key in SWITCHED:
        assert sorted(map(str, offered[key])) == sorted(map(str, VALUES[key][1:])), key


def test_rulings_page_tells_every_key():
    page = RULINGS.read_text(encoding="utf-8").partition("## 18DO")[2]
    rows = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert rows == set(SWITCHED)
    assert not [key for key in {*VALUES, *SETTLED} if f"`{key}`" not in page and key not in ("edition", "game")]


def test_every_ruling_has_its_text():
    texts = {language: rule_texts(TITLE.package, language) for language in ("en", "de")}
    listed = rulings(TITLE.package)
    assert len(listed) == len(set(listed)) > 40
    for language, known in texts.items():
        assert not [id_ for id_ in listed if not known.get(id_)], language


@pytest.mark.rule("DO-START-09")
def test_equal_cash_follows_the_ruling():
    state = with_cash(opening(3), Ada=340, Bert=300, Cleo=340)
    assert by_cash(state, DoOptions()) == (0, 2, 1)
    assert by_cash(state, DoOptions(cash_tie="last_card")) == (2, 0, 1)


@pytest.mark.rule("DO-SR-03")
@pytest.mark.parametrize(("value", "seat"), [("first", 2), ("left_of_first", 0)])
def test_nobody_buys_in_first_stock_round(value, seat):
    ruleset = rules(3, no_purchase_priority=value)
    state = replace(position(3, no_purchase_priority=value), agenda=(Rounds(1), StockRound(1, 2, order=(2, 1, 0))))
    for player in (2, 1, 0):
        state = act(ruleset, state, player, Pass()).state
    assert state.priority == seat


@pytest.mark.rule("DO-SR-10")
def test_the_stack_or_any_size():
    free = rules(4, stack_order=False)
    state = stock(corporation(position(4, phase="3"), "DAB", 80), 1)
    assert refused(rules(4), state, 1, BuyCertificate("DAB", CHARTER, 10)).code == "next_certificate"
    after = act(free, state, 1, BuyCertificate("DAB", CHARTER, 10)).state
    assert (after.companies["DAB"].percent(1), after.players[1].cash) == (10, 920)


@pytest.mark.rule("DO-FLOAT-06")
def test_no_token_for_the_kwe():
    none = rules(4, kwe_token="none")
    state = turn(corporation(position(4), "KWE", operated=False, trains=("2",)), "KWE", "first")
    assert choices(rules(4), state, 0, PlaceFreeToken)
    assert refused(none, state, 0, PlaceFreeToken("E19")).code == "used"


@pytest.mark.rule("DO-FLOAT-05")
def test_no_first_train():
    none = rules(4, first_train="never")
    state = turn(corporation(position(4), "CME", operated=False, treasury=300), "CME", "first")
    buy = BuyTrain("display", "2", 80)
    assert act(rules(4), state, 0, buy)
    assert refused(none, state, 0, buy).rule == "DO-FLOAT-05"
    extra = replace(do_state(state), pooled=(("2", "BME"),))
    pool = replace(state, extra=extra, depot=replace(state.depot, pool=("2",)))
    assert refused(rules(4), pool, 0, BuyTrain("pool", "2", 80)).rule == "DO-FLOAT-05"
    second = turn(corporation(position(4), "CME", treasury=300), "CME", "first")
    assert refused(rules(4), second, 0, buy).rule == "DO-FLOAT-05"


@pytest.mark.rule("DO-ORDER-05")
def test_any_own_certificate_or_top_one():
    state = turn(corporation(position(4, phase="3"), "DHB", 80, trains=("3",)), "DHB", "trains")
    for value, sizes in (("any", [10, 20]), ("top", [20])):
        sold = [a.percent for a in choices(rules(4, own_sale=value), state, 0, OwnCertificate) if a.deal == "sell"]
        assert sold == sizes, value
    full = turn(corporation(state, "DHB", 80, sizes={"pool": (10,) * 5}, treasury=80), "DHB", "trains")
    assert refused(rules(4), full, 0, OwnCertificate("sell", 10)).code == "pool_limit"
    assert act(rules(4), full, 0, OwnCertificate("buy", 10)).state.companies["DHB"].percent("pool") == 40


@pytest.mark.rule("DO-TRAIN-10")
def test_turned_trains_and_the_limit():
    state = corporation(position(4, phase="8"), "CME", trains=("4", "5"), treasury=900)
    buy = BuyTrain("display", "8", 800)
    state = turn(late_display(state), "CME", "trains")
    free = DoOptions(turned_counts_for_limit=False)
    assert refused(rules(4), state, 0, buy).code == "train_limit"
    after = act(rules(4, turned_counts_for_limit=False), state, 0, buy).state
    assert after.companies["CME"].trains == ("4", "5", "8")
    assert [list(trains(limit(o))(after)) for o in (DoOptions(), free)] == [["13: CME owns ('4', '5', '8')"], []]


@pytest.mark.rule("DO-ROUTE-01", "DO-TOK-03")
def test_others_differ_by_their_own_tests():
    """The rest stands with its rule: this test holds that none is forgotten."""
    here = Path(__file__).parent
    written = "".join(path.read_text(encoding="utf-8") for path in sorted(here.glob("test_*.py")))
    assert not [key for key in SWITCHED if f"{key}=" not in written]
