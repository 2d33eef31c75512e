"""Texts of requirements: every one in both languages, none of them unknown to the rule sheet."""

from __future__ import annotations

import re

import pytest

from trajekt.show.rulebook import SHARED, parsed, rule_text, rule_texts

GAME = "trajekt.games.rhl"
HEAD = re.compile(r"^#### ((?:COMMON|RHL)-[A-Z]+-\d+) · ([^·\n]*)", re.MULTILINE)


def test_both_languages_have_the_same_requirements_in_the_same_order():
    assert list(rule_texts(GAME, "en")) == list(rule_texts(GAME, "de"))


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_requirement_of_the_game_has_a_text(shared, language):
    heads = HEAD.findall(shared("rules/18rhl-18lra.md").read_text(encoding="utf-8"))
    wanted = {id_ for id_, rulesets in heads if {"R1", "R2"} & set(re.findall(r"R\d", rulesets))}
    assert len(wanted) > 190
    assert set(rule_texts(GAME, language)) == wanted


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_text_is_empty_and_shared_ones_are_shared(language):
    texts = rule_texts(GAME, language)
    assert all(len(text) > 30 for text in texts.values())
    assert set(rule_texts(SHARED, language)) == {id_ for id_ in texts if id_.startswith("COMMON-")}


def test_a_text_is_found_by_its_id():
    assert "Rhine" in rule_text(GAME, "en", "RHL-TRK-16")
    assert "Rhein" in rule_text(GAME, "de", "RHL-TRK-16")
    assert rule_text(GAME, "en", "RHL-TRK" + "-999") == ""


def test_texts_are_read_by_their_headings():
    assert parsed("# Title\n\nabout\n\n## A-B-1\n\nOne\ntwo.\n\n## A-B-02\n\nThree.\n") == {
        "A-B-1": "One\ntwo.",
        "A-B-02": "Three.",
    }
