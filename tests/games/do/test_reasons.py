"""Refusals of 18DO carry their reason, in both languages, without a gap left empty."""

from __future__ import annotations

import random
import re

import pytest

from tests.builders.do_breweries import turn as brewing
from tests.builders.do_expert import game as expert
from tests.builders.do_expert import large, small
from tests.builders.do_positions import (
    corporation,
    display,
    minor,
    opening,
    position,
    rules,
    stock,
    tiles,
    tokens,
    turn,
)
from tests.builders.random_positions import refused
from tests.judges.do_match import eager, ruleset_of
from tests.judges.plain import moves
from trajekt.engine.actions import BuyTrain, FoundCompany, LayTile, PlaceBid
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import explain, refusal
from trajekt.games.do.actions import (
    BuildRailwayLink,
    BuyBec,
    BuyCertificate,
    BuyMarker,
    ForcePurchase,
    OwnCertificate,
    SellCertificates,
    TakeEvent,
    TradeIn,
    UseEvent,
)
from trajekt.games.do.frames import NewTrain
from trajekt.games.do.refusals import WhyNot
from trajekt.games.do.title import TITLE
from trajekt.i18n.sentences import Speaker, catalogue, refusal_line
from trajekt.rules.turn_notes import Allowance, Once

FOUR, EXPERT = rules(4), expert()


def said(state, no, language="en"):
    return refusal_line(Speaker(catalogue(language, TITLE.package), state.sheet, state.names), no)


def shown(seat, state, action):
    return said(state, refused(FOUR, state, seat, action))


@pytest.mark.rule("DO-SR-09", "DO-SR-18", "DO-SR-20", "DO-SR-21")
def test_reasons_of_certificates_name_their_place():
    state = corporation(position(4, "3", 5000), "DAB", 80, 1, sizes={"Ada": (20,), "pool": (20,)})
    there = stock(state, 0)
    assert "of DAB to hand in" in shown(0, there, BuyCertificate("DAB", "pool", 20, hand_in=True))
    tens = {refused(FOUR, there, 0, BuyCertificate("DAB", "pool", 20, hand_in=True)).code}
    tens.add(refused(FOUR, there, 0, SellCertificates("DAB", (20,), back=1)).code)
    assert tens == {WhyNot.NO_TEN_TO_HAND_IN, WhyNot.TENS_IN_POOL}
    assert "take back from the pool: 0" in shown(0, there, SellCertificates("DAB", (20,), back=1))
    assert "20 % of DAB are yours" in shown(0, there, SellCertificates("DAB", (10,)))
    cme = corporation(position(4, "3", 5000), "CME", 80, 0, sizes={"Ada": (10,), "Bert": (10, 10)})
    assert "come to exactly 20\u00a0%: neither yours" in shown(0, stock(cme, 0), SellCertificates("CME", (20,)))


@pytest.mark.rule("DO-ORDER-05", "DO-FLOAT-04")
def test_corporation_lacks_certificates_not_player():
    held = corporation(position(4), "CME", 80, sizes={"Ada": (10,) * 6, "pool": (10,)})
    assert "CME owns no such certificates of its own: it has 10 %." in shown(
        0, turn(held, "CME"), OwnCertificate("sell", 20)
    )
    assert refused(FOUR, turn(held, "CME"), 0, OwnCertificate("buy", 20)).code == WhyNot.NOT_IN_THE_POOL
    assert "of CME lies in the pool" in shown(0, turn(held, "CME"), OwnCertificate("buy", 20))
    none = corporation(position(4), "CME", 80, sizes={"Ada": (10,) * 4, "Bert": (10,) * 4})
    assert shown(0, turn(none, "CME"), OwnCertificate("sell", 10)) == "CME owns no such certificates of its own."


@pytest.mark.rule("DO-TRADEIN-06", "DO-SR-33", "DO-LINK-03", "DO-X-02", "DO-X-32")
def test_what_comes_later_names_its_phase():
    state = stock(minor(corporation(position(4), "DUB", 80, 1), 0, "B7"), 0)
    early = refused(FOUR, state, 0, TradeIn("DUB", "charter", 10))
    assert (early.rule, said(state, early)) == ("DO-TRADEIN-06", "Not yet; from the green phase on.")
    assert "from the green phase on" in shown(0, stock(position(4), 0), FoundCompany("DAB", 65))
    linked = turn(tokens(corporation(position(4, "4"), "CME", 60, treasury=90), B6="K20"), "CME", "link")
    assert "from the brown phase on" in shown(0, linked, BuildRailwayLink("B6"))
    shop = small("2", step="buy", treasury=90)
    assert said(shop, refused(EXPERT, shop, 0, TakeEvent("P"))) == "Not yet; from the brown phase on."
    assert said(shop, refused(EXPERT, shop, 0, BuyMarker("A2", "display", 60))) == "Not yet; from the green phase on."


@pytest.mark.rule("DO-SR-10", "DO-SR-12", "DO-SR-15", "DO-START-02")
def test_reasons_of_the_stock_round():
    start = opening()
    lot = next(number for number, private in start.privates.items() if private.open)
    assert "0, 5, 10, 15, 20, 25, 30" in shown(0, start, PlaceBid(lot, 12))
    state = position(4, "3", 5000)
    assert "director's certificate" in shown(1, stock(state, 1), BuyCertificate("DUB", "charter", 10))
    dab = stock(corporation(state, "DAB", 80), 1)
    assert "20\u00a0%" in shown(1, dab, BuyCertificate("DAB", "charter", 10))
    most = stock(corporation(state, "CME", 60, 0, sizes={"Ada": (10,) * 4}), 0)
    assert "60\u00a0% of CME; this would make 70 %" in shown(0, most, BuyCertificate("CME", "charter", 10))
    alone = stock(corporation(state, "CME", 60, 0, sizes={"Ada": (10,)}), 0)
    assert "20\u00a0% needed" in shown(0, alone, SellCertificates("CME", (10, 10)))


@pytest.mark.rule("DO-SR-32", "DO-SETUP-05", "DO-SR-30", "DO-TRADEIN-01", "DO-SR-18")
def test_reasons_of_founding_and_sale_forms():
    state = stock(position(4, "3", 5000), 0)
    assert "once four railways have floated; so far it is 0" in shown(0, state, FoundCompany("DEEG", 60))
    assert "DHB is founded once DEEG has been" in shown(0, state, FoundCompany("DHB", 60))
    assert "no such thing in this game: HBB" in shown(0, state, FoundCompany("HBB", 60))
    cme = stock(corporation(position(4, "3", 5000), "CME", 60, 0, sizes={"Ada": (10,) * 4}), 0)
    assert "founded already" in shown(0, cme, FoundCompany("CME", 60))
    assert "the largest first" in shown(0, cme, SellCertificates("CME", (10, 20)))
    assert "at most 0 here" in shown(0, cme, SellCertificates("CME", (10,), 1))


@pytest.mark.rule("DO-LINK-01", "DO-LINK-05", "DO-FLOAT-06", "DO-ORDER-05", "DO-TRAIN-12")
def test_reasons_of_links_and_deals():
    cme = corporation(position(4, "3"), "CME", treasury=900, trains=("2",))
    assert "One tile a turn" in shown(0, turn(cme, "CME", "track", lays=(Allowance.NORMAL,)), LayTile("B6", "57", 0))
    assert "One link a turn" in shown(0, turn(cme, "CME", "link", used=(Once.LINK,)), BuildRailwayLink("B6"))
    trains = turn(cme, "CME", "trains", used=(Once.DEAL,))
    assert "it has been made" in shown(0, trains, OwnCertificate("sell", 10))
    assert "is a sale or a purchase" in shown(0, turn(cme, "CME", "trains"), OwnCertificate("lend", 10))
    assert "Nobody must buy here" in shown(0, trains, ForcePurchase("display", "3"))


@pytest.mark.rule("DO-TRK-13", "DO-LINK-02", "DO-TRAIN-02", "DO-BEC-10", "DO-BEC-14")
def test_reasons_of_railways_and_breweries():
    cme = tiles(corporation(position(4, "3"), "CME", treasury=900, trains=("2",)), B6="58K 1")
    assert "location token" in shown(0, turn(cme, "CME", "track"), LayTile("B6", "141K", 0))
    assert "no coal mine and no steel mill" in shown(0, turn(cme, "CME", "link"), BuildRailwayLink("B8"))
    new = display(turn(cme, "CME", "trains", used=(NewTrain("3"),)), t2=0, t3=4)
    assert "has bought its new train" in shown(0, new, BuyTrain("display", "3", 180))
    dub = corporation(position(4, "3"), "DUB", 80, 0, sizes={"Ada": (10, 10)}, treasury=500)
    buying = brewing(minor(dub, 1, "B4", 0, ("2",)), "DUB", "buy")
    assert "type 2" in shown(0, buying, BuyBec("3"))
    assert "Only the owner of a minor" in shown(0, display(buying, t2=0), BuyBec("3", help=True))


POOR = re.compile(r"[{}\[\]]|  | \.|: \.|‹|\bNone\b|of \.|von \.")
"""A gap that came out empty, doubled blanks, raw names."""


@pytest.mark.rule(
    "DO-X-01", "DO-X-06", "DO-X-11", "DO-X-20", "DO-X-21", "DO-X-24", "DO-X-26", "DO-X-28", "DO-X-29", "DO-X-30"
)
@pytest.mark.parametrize(
    ("state", "action", "english", "german"),
    [
        (
            small("2", step="buy", treasury=99),
            BuyMarker("Z9", "display", 30),
            "there are: A1, A2, A3",
            "es gibt: A1, A2, A3",
        ),
        (
            small("2", step="buy", treasury=99),
            BuyMarker("B2", "B7", 30),
            "holds Bottling line B2 itself",
            "hat Abfüllanlage B2 selbst",
        ),
        (small("2", step="buy"), TakeEvent("Q"), "there are the events: G, H", "es gibt die Ereignisse: G, H"),
        (small("2", event="G"), UseEvent("M", sizes=(10,)), "Investor (M), but G", "Geldgeber (M) nicht, sondern G"),
        (
            small("2", event="H"),
            UseEvent("H", bec=1),
            "at the start of a brewery round",
            "zu Beginn einer Brauereirunde",
        ),
        (small("2", event="G"), UseEvent("G", bec=1), "nothing else: nothing.", "wonach der Text fragt: nichts."),
        (small("3", "2", event="I"), UseEvent("I", bec=99), "there are types: 3, 2", "es gibt die Typen: 3, 2"),
        (
            small("2", step="income", event="K"),
            UseEvent("K", segment=3),
            "in this turn.",
            "in diesem Zug geliefert hat.",
        ),
        (large("3", event="M"), UseEvent("M"), "One or 2 certificates", "ein oder 2 Zertifikate"),
        (small("2", step="income", event="N"), UseEvent("N", bec=1, count=3), "named were 3", "genannt waren 3"),
        (small("3", step="income", event="O"), UseEvent("O", bec=99), "not turned aside", "nicht beiseite liegt"),
    ],
)
def test_reasons_of_markers_and_events(state, action, english, german):
    no = refused(EXPERT, state, 0, action)
    assert english in said(state, no)
    assert german in said(state, no, "de")


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_refusal_has_an_empty_gap(language, seed):
    """Everything that is refused on the way of random games, as the page would say it."""
    ruleset = ruleset_of(5 if seed == 2 else 3, "expert", short=seed == 2)
    say = catalogue(language, TITLE.package)
    rng, seen = random.Random(seed), set()
    for number, move in enumerate(moves(ruleset, 5 if seed == 2 else 3, seed, pick=eager if seed == 2 else None)):
        state = move.before
        if number % 5:
            continue
        speaker = Speaker(say, state.sheet, state.names)
        found = [no for seat in awaited(ruleset, state) for _, told in explain(ruleset, state, seat) for no in told]
        strange = rng.randrange(len(state.names))
        found += [no for no in [refusal(ruleset, state, strange, move.action)] if no is not None]
        for no in found:
            line = refusal_line(speaker, no)
            seen.add(no.code)
            assert not POOR.search(line), (line, no)
            of = state.sheet.companies.get(str(no.args.get("company")))
            assert of is None or of.own["kind"] == "railway" or "Eisenbahn-AG" not in line, no
    assert len(seen) > 12
