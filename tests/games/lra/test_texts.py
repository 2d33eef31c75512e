"""What 18LRA says: every event, choice and refusal of whole games in both languages, and a text for every rule."""

from __future__ import annotations

import random
import re

import pytest

from tests.builders.lra_positions import NAMES, ruleset
from trajekt.bots.bot import RandomBot, next_action
from trajekt.engine.decisions import awaited, decide, explain, legal, start
from trajekt.i18n.rule_texts import rule_texts
from trajekt.i18n.sentences import Speaker, action_line, catalogue, choice_label, event_line, refusal_line

GAME = "trajekt.games.lra"
LANGUAGES = ("en", "de")
OPEN = re.compile(r"[‹›{}]")


@pytest.mark.parametrize(
    "options, players", [({}, 4), ({"scenario": 2}, 3), ({"investor": True}, 2), ({"short_game": True}, 3)]
)
def test_everything_that_happens_has_a_sentence(options, players):
    rules, rng = ruleset(**options), random.Random(players)
    decision = start(rules, NAMES[:players], players)
    faults: set[str] = set()
    said = 0
    while not decision.state.outcome:
        state = decision.state
        speakers = [Speaker(catalogue(language, GAME), state.sheet, state.names) for language in LANGUAGES]
        lines = [event_line(speaker, event) for speaker in speakers for event in decision.events]
        if rng.random() < 0.1:
            for seat in awaited(rules, state):
                for choice in legal(rules, state, (seat,))[:30]:
                    lines += [choice_label(speaker, choice) for speaker in speakers]
                    lines += [action_line(speaker, seat, choice.action) for speaker in speakers]
                refusals = {refusal for _, found in explain(rules, state, seat)[:200] for refusal in map(repr, found)}
                assert len(refusals) < 200
                for _, found in explain(rules, state, seat)[:60]:
                    lines += [refusal_line(speaker, refusal) for speaker in speakers for refusal in found]
        said += len(lines)
        faults |= {line for line in lines if line and OPEN.search(line)}
        seat, action = next_action(rules, state, [RandomBot(rng)] * len(state.players), rng)
        decision = decide(rules, state, seat, action)
    assert not faults
    assert said > 500


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_of_game_have_texts(language, shared):
    sheet = shared("rules/18rhl-18lra.md").read_text(encoding="utf-8")
    ids = set(re.findall(r"^#### (LRA-[A-Z]+-\d+)", sheet, re.MULTILINE))
    texts = rule_texts(GAME, language)
    assert len(ids) == 44
    assert ids <= texts.keys()
    assert {rule for rule in texts if rule.startswith("LRA-")} == ids
    word = {"en": "Reconstruction", "de": "Rekonstruktion"}[language]
    assert all(word in texts[rule] for rule in ids if rule.startswith(("LRA-TWO", "LRA-SHO")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_reconstructions_are_marked_where_they_chosen(language):
    known = catalogue(language, GAME)
    word = {"en": "reconstruction", "de": "Rekonstruktion"}[language]
    for option in ("investor", "short_game"):
        assert word in known.text(f"page.variant.{option}")
        assert word in known.text(f"option.{option}")
