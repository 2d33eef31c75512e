"""The sentences of 18Ruhr: both languages, every reason, every action, every cause that a whole game shows."""

from __future__ import annotations

import random
import re

import pytest

from tests.builders.ruhr_positions import NAMES, rules
from tests.builders.ruhr_random_games import chosen
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import Decision, decide, legal, start
from trajekt.games.ruhr.refusals import Why
from trajekt.games.ruhr.title import TITLE
from trajekt.i18n.rule_texts import rule_texts
from trajekt.i18n.sentences import (
    CONTROL,
    LANGUAGES,
    Speaker,
    action_line,
    catalogue,
    choice_label,
    event_key,
    event_line,
)

GAME = "trajekt.games.ruhr"


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_actions_events_have_sentences(language):
    known = catalogue(language, GAME)
    assert not {f"refusal.{why}" for why in Why} - known.entries.keys()
    tags = {action.__struct_config__.tag for action in rules().actions}
    assert not {f"{family}.{tag}" for tag in tags for family in ("action", "choice")} - known.entries.keys()
    events = {event.__struct_config__.tag for event in rules().own}
    assert not {f"event.{tag}" for tag in events} - known.entries.keys()
    assert not {f"page.variant.{variant.option}" for variant in TITLE.variants} - known.entries.keys()
    values = {f"page.value.{variant.option}.{value}" for variant in TITLE.variants for value in variant.values}
    assert not values - known.entries.keys()


@pytest.mark.parametrize("seed", [1, 4])
def test_causes_have_own_sentences(seed):
    ruleset, rng = rules(scenario="hellweg"), random.Random(seed)
    opening = start(ruleset, NAMES[:3], seed)
    state, events = opening.state, list(opening.events)
    speakers = [Speaker(catalogue(language, GAME), state.sheet, state.names) for language in LANGUAGES]
    told = set()
    while not state.outcome:
        choices = legal(ruleset, state, awaited(ruleset, state))
        seat, action = chosen(choices, rng)
        for speaker in speakers:
            told |= {action_line(speaker, seat, action), choice_label(speaker, rng.choice(choices))}
        answer = decide(ruleset, state, seat, action)
        assert isinstance(answer, Decision)
        state = answer.state
        events += answer.events
    for event in events:
        if isinstance(event, CONTROL):
            continue
        key = event_key(speakers[0].catalogue, event)
        assert key in speakers[0].catalogue, event
        assert not getattr(event, "cause", "") or event.cause in key.split("."), event
        told |= {event_line(speaker, event) or "" for speaker in speakers}
    assert not [line for line in told if "‹" in line or "{" in line]
    assert len(told) > 300


def test_requirements_have_texts_in_both_languages(shared):
    heads = re.findall(
        r"^\*\*(RUHR-[A-Z]+-\d+)\*\*", shared("rules/18ruhr.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(heads) == 190
    for language in LANGUAGES:
        texts = rule_texts(GAME, language)
        assert [id_ for id_ in texts if id_.startswith("RUHR-")] == heads
        assert all(len(text) > 15 for text in texts.values())


def test_refusals_cite_rules_that_have_text():
    texts = rule_texts(GAME, "en")
    menus = [each for duty in rules().duties.values() for each in duty.menu]
    ids = {rule for each in menus for test in (*each.needs, *each.checks) for rule in test.rules}
    ids |= {duty.rule for duty in rules().duties.values()}
    assert not {id_ for id_ in ids if id_ not in texts}


def test_every_choice_of_title_is_option():
    for variant in TITLE.variants:
        for value in variant.values or (True,):
            chosen = TITLE.options({variant.option: value})
            assert TITLE.plain(chosen)[variant.option] == value
            assert TITLE.plain(TITLE.options({}))[variant.option] != value


def test_sheet_keys_are_default_choices(shared):
    table = shared("rules/18ruhr.md").read_text(encoding="utf-8").partition("| key | default |")[2]
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)`[^|]*\| ([^|]+)\|", table, re.MULTILINE)
    meant = {"yes": True, "no": False, "none": 0, "90": 90, "100": 100}
    plain = TITLE.plain(TITLE.options({}))
    choices = {
        v.option: list(v.values or (True,)) for v in TITLE.variants if v.option not in ("scenario", "pferdebahn")
    }
    assert len(rows) == 13
    decided = {"bank_refill": ("levy", "`counted`"), "pmc_final_value": ("paid", "`printed`")}  # above the sections
    rows = [(key, *decided.get(key, (default, others))) for key, default, others in rows]
    assert {key: plain[key] for key, _, _ in rows} == {key: meant.get(default, default) for key, default, _ in rows}
    named = {key: [meant.get(value, value) for value in re.findall(r"`(\w+)`", others)] for key, _, others in rows}
    assert choices == named
