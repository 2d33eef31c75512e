"""Judges and engine agree in whole games with each variant and each ruling that a table can choose."""

from __future__ import annotations

import pytest

from tests.judges import do_match, rhine_games, ruhr_match
from tests.judges.tally import Tally
from trajekt.games.do.options import VALUES
from trajekt.games.ruhr.title import TITLE as RUHR

BOOKS = ("first", "second", "lra")
OF_BOOKS = [
    (book, {variant.option: (variant.values or (True,))[-1]})
    for book in BOOKS
    for variant in rhine_games.switches(book)
]
OF_RUHR = [{variant.option: value} for variant in RUHR.variants for value in variant.values or (True,)]
OF_DO = [
    {name: value} for name, values in VALUES.items() if name not in ("edition", "game") for value in values[1:]
] + [{"beginners": True}]


@pytest.mark.slow
@pytest.mark.parametrize(("book", "chosen"), OF_BOOKS, ids=str)
def test_rhine_judges_know_switch(book, chosen):
    for seed in (1, 2):
        assert rhine_games.match(book, seed, 0.05, chosen).faults == [], seed


@pytest.mark.slow
@pytest.mark.parametrize("chosen", OF_RUHR, ids=str)
def test_ruhr_judges_know_switch(chosen):
    assert ruhr_match.match(0, chosen, share=0.03).faults == []


@pytest.mark.slow
@pytest.mark.parametrize("chosen", OF_DO, ids=str)
def test_dortmund_judges_know_switch(chosen):
    for seed in (1, 2):
        assert do_match.match(seed, chosen).faults == [], seed
    assert do_match.booked_match("railway", 0, chosen if "beginners" not in chosen else None).faults == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_short_game_is_judged(players):
    assert rhine_games.match("lra", 0, 0.05, {"short_game": True}, players=players).faults == []


def test_rules_of_site_are_judged():
    whole = Tally()
    for seed in (1, 2):
        found = rhine_games.match("first", seed, 0.15, {"compat": True})
        assert found.faults == [], seed
        whole.add(found)
    assert whole.legal["bid"] > 100
    assert whole.legal["priority deal after the package"] == 2
    assert {"lay", "sell", "train", "forced sale", "best runs", "priority deal", "power 3"} <= set(whole.asked)


def test_judges_know_every_switch():
    known = {variant.option for book in BOOKS for variant in rhine_games.switches(book)}
    assert {"investor", "short_game", "ratingen", "optional_end", "one_stop_a_hex", "compat"} <= known


def test_seeds_draw_each_switch():
    for book in BOOKS:
        wanted = {variant.option for variant in rhine_games.switches(book)}
        seeds = range(2, 4 * len(wanted), 4)
        drawn = [dict(rhine_games.ruleset_of(book, seed).options) for seed in seeds]
        plain = dict(rhine_games.ruleset_of(book, 0).options)
        assert wanted <= {name for options in drawn for name, value in options.items() if value != plain[name]}
