"""Texts of requirements: every one in both languages, none of them unknown to the rule sheet."""

from __future__ import annotations

import re

import pytest

from trajekt.i18n.rule_texts import SHARED, parsed, rule_text, rule_texts, source_line, sources
from trajekt.i18n.sentences import catalogue

GAME = "trajekt.games.rhl"
HEAD = re.compile(r"^#### ((?:COMMON|RHL)-[A-Z]+-\d+) · ([^·\n]*)", re.MULTILINE)


def test_languages_have_requirements_in_same_order():
    assert list(rule_texts(GAME, "en")) == list(rule_texts(GAME, "de"))


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_requirement_of_game_has_text(shared, language):
    heads = HEAD.findall(shared("rules/18rhl-18lra.md").read_text(encoding="utf-8"))
    wanted = {id_ for id_, rulesets in heads if {"R1", "R2"} & set(re.findall(r"R\d", rulesets))}
    assert len(wanted) > 190
    assert set(rule_texts(GAME, language)) == wanted


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_text_empty_or_repeated(language):
    texts = rule_texts(GAME, language)
    assert all(len(text) > 30 for text in texts.values())
    assert set(rule_texts(SHARED, language)) == {id_ for id_ in texts if id_.startswith("COMMON-")}


def test_text_is_found_by_its_id():
    assert "Rhine" in rule_text(GAME, "en", "RHL-TRK-16")
    assert "Rhein" in rule_text(GAME, "de", "RHL-TRK-16")
    assert rule_text(GAME, "en", "RHL-TRK" + "-999") == ""


def test_texts_are_read_by_their_headings():
    assert parsed("# Title\n\nabout\n\n## A-B-1\n\nOne\ntwo.\n\n## A-B-02\n\nThree.\n") == {
        "A-B-1": "One\ntwo.",
        "A-B-02": "Three.",
    }


@pytest.mark.parametrize("game", ["rhl", "lra", "ruhr", "do"])
def test_each_rule_names_its_source(game):
    package = f"trajekt.games.{game}"
    assert set(rule_texts(package, "en")) <= set(sources(package))


def test_sources_are_those_of_rule_sheet(shared):
    heads = re.findall(
        r"^#### ((?:COMMON|RHL|LRA)-[A-Z]+-\d+) · [^·\n]* · ([^\n\"]+)$",
        shared("rules/18rhl-18lra.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    known = {**sources(GAME), **sources("trajekt.games.lra")}
    assert len(heads) > 230
    assert [(rule, known.get(rule)) for rule, where in heads] == heads


def test_a_source_is_told_in_words():
    assert source_line(catalogue("en"), GAME, "COMMON-TRK-02") == "First edition 14; Second edition in German 6.3"
    assert source_line(catalogue("de"), "trajekt.games.ruhr", "RUHR-SETUP-01") == "Regelheft 2.1"
    assert source_line(catalogue("en"), "trajekt.games.ruhr", "RUHR-PHASE-03") == "Decided here"
    assert source_line(catalogue("en"), GAME, "RHL-TRK" + "-999") == ""
