"""What is refused says why, in both languages: every refusal of whole games and of actions that nobody would choose."""

from __future__ import annotations

import random
import re

import pytest

from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    at_table,
    in_phase,
    railway_turn,
    refused,
    rules,
    started,
    stations,
    stock_turn,
    with_cash,
)
from tests.judges.plain import moves
from trajekt.engine.actions import BuyShare, FoundCompany, LayTile
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import explain, refusal
from trajekt.games.ruhr.actions import BuildPmcLink, ForceTrain
from trajekt.games.ruhr.title import TITLE
from trajekt.i18n.sentences import LANGUAGES, Speaker, catalogue, gaps, refusal_line

RAW = re.compile(r"[{}‹›\[\]]|  |: ?[.,]|\b[a-z]+_[a-z_]+\b")


def said(state, no):
    """A refusal in both languages."""
    return [
        refusal_line(Speaker(catalogue(tongue, TITLE.package), state.sheet, state.names), no) for tongue in LANGUAGES
    ]


def fault(state, no):
    """What is wrong with a refusal or its sentences, empty where nothing is."""
    if not no.rule.startswith("RUHR-"):
        return f"{no.code} cites {no.rule}"
    for tongue, line in zip(LANGUAGES, said(state, no), strict=True):
        template = catalogue(tongue, TITLE.package).entries.get(f"refusal.{no.code}", "")
        wanted = gaps(re.sub(r"\[[^\]]*\]", "", template))
        if not template or wanted - no.args.keys() or RAW.search(line):
            return f"{no.code} ({tongue}): {line} {dict(no.args)}"
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_refusals_have_whole_sentences(seed):
    rng, faults, met = random.Random(seed), set(), set()
    for move in moves(rules(), 3 + seed, seed, most=400):
        state = move.before
        for seat in awaited(rules(), state):
            told = explain(rules(), state, seat)
            for _, noes in rng.sample(told, min(40, len(told))):
                met |= {no.code for no in noes}
                faults |= {fault(state, no) for no in noes}
        wild = refusal(rules(), state, rng.randrange(len(state.players)), move.action)
        faults.add("" if wild is None else fault(state, wild))
    assert faults == {""}
    assert len(met) > 15


def red(state):
    return refused(rules(), railway_turn(stations(state, "BME", "R9"), "BME"), ADA, LayTile("C2", "9", 0))


def test_sentences_that_once_said_too_little():
    state = started(in_phase(at_table(4), "6"), "BME", ADA, 70, treasury=40, Ada=50)
    rich = with_cash(railway_turn(stations(state, "BME", "R9"), "BME", "trains"), Ada=5000)
    opened = stock_turn(with_cash(at_table(4), Ada=500), ADA, 1)
    for no, words in (
        (
            refused(rules(), rich, ADA, ForceTrain("display", "8", 800)),
            ("while a type 6 is in the bank", "Solange eine 6"),
        ),
        (refused(rules(), railway_turn(state, "BME"), ADA, BuildPmcLink(6)), ("I10 Bochum", "I10 Bochum")),
        (refused(rules(), opened, ADA, FoundCompany("CME", 75)), ("50, 55, 60, 65, 70", "50, 55, 60, 65, 70")),
        (refused(rules(), opened, ADA, BuyShare("CME", "io", 10)), ("director certificate comes first", "Erst kommt")),
        (refused(rules(), opened, ADA, FoundCompany("DGEE", 60)), ("once KWE", "sobald die KWE")),
        (red(state), ("C2 Wesel", "C2 Wesel")),
        (refused(rules(), rich, ADA, ForceTrain("display", "6", 601)), (" is 600", " ist 600")),
        (refused(rules(), railway_turn(state, "BME"), ADA, BuildPmcLink(19)), ("19", "19")),
    ):
        for line, wanted in zip(said(state, no), words, strict=True):
            assert wanted in line
