"""The sentences of 18DO: both languages, every reason, action and event of its games, and the texts of its rules."""

from __future__ import annotations

import random
import re

import pytest

from tests.builders.do_positions import NAMES
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import Decision, decide, legal
from trajekt.engine.ruleset import Choice
from trajekt.game import new_game
from trajekt.games.do.actions import ChoosePlace, SellAtFloat
from trajekt.games.do.refusals import WhyNot
from trajekt.games.do.title import TITLE
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
from trajekt.records import from_json, replay, to_json

GAME = "trajekt.games.do"
GAMES = {"full": 4, "expert": 4, "railway": 4, "introduction": 3}


def table(game, seed=1):
    return new_game("18do", NAMES[: GAMES[game]], {"game": game}, seed=seed)


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_actions_events_have_sentences(language):
    known = catalogue(language, GAME).entries.keys()
    assert not {f"refusal.{why}" for why in WhyNot} - known
    rulesets = [table(game).ruleset for game in GAMES]
    tags = {action.__struct_config__.tag for ruleset in rulesets for action in ruleset.actions}
    assert not {f"{family}.{tag}" for tag in tags for family in ("action", "choice")} - known
    assert not {f"event.{event.__struct_config__.tag}" for ruleset in rulesets for event in ruleset.own} - known
    assert not {f"page.variant.{variant.option}" for variant in TITLE.variants} - known
    assert (
        not {f"page.value.{variant.option}.{value}" for variant in TITLE.variants for value in variant.values} - known
    )


def test_taking_nothing_says_so():
    position = table("full")
    german = Speaker(catalogue("de", GAME), position.state.sheet, position.names)
    labels = [
        choice_label(german, Choice(0, action))
        for action in (SellAtFloat(()), SellAtFloat((20, 10, 10)), ChoosePlace(""), ChoosePlace("B6"))
    ]
    assert labels == [
        "Nichts verkaufen",
        "Eigenbestand verkaufen: 20\u00a0% + 2 × 10\u00a0%",
        "Letzter Platz",
        f"Platz von {german.place('B6')}",
    ]
    assert german.place("B6") != "B6"


@pytest.mark.parametrize("game", GAMES)
def test_whole_game_is_told_and_replayed(game):
    rng = random.Random(3)
    played = table(game, 3)
    speakers = [Speaker(catalogue(language, GAME), played.state.sheet, played.names) for language in LANGUAGES]
    told, keys = set(), set()
    for _ in range(500):
        if played.finished:
            break
        choices = legal(played.ruleset, played.state, awaited(played.ruleset, played.state))
        choice = rng.choice(choices)
        for speaker in speakers:
            told |= {action_line(speaker, choice.seat, choice.action), choice_label(speaker, rng.choice(choices))}
        answer = decide(played.ruleset, played.state, choice.seat, choice.action)
        assert isinstance(answer, Decision)
        played.play(choice.action, choice.seat)
    for event in (*played.opening.events, *(event for entry in played.entries for event in entry.events)):
        if isinstance(event, CONTROL):
            continue
        key = event_key(speakers[0].catalogue, event)
        assert key in speakers[0].catalogue, event
        keys.add(key)
        told |= {event_line(speaker, event) or "" for speaker in speakers}
    assert not [line for line in told if "‹" in line or "{" in line]
    assert len(keys) > 15
    again = from_json(to_json(played))
    assert again.state == played.state
    assert not list(replay(again))


def test_requirements_have_texts_in_both_languages(shared):
    text = shared("rules/18do.md").read_text(encoding="utf-8")
    ids = re.findall(r"^\*\*(DO-[A-Z]+-\d+)\*\*", text, re.MULTILINE)
    assert len(ids) == 260
    for language in LANGUAGES:
        texts = rule_texts(GAME, language)
        assert not [id_ for id_ in ids if not texts.get(id_)], language
        assert not [id_ for id_ in texts if id_.startswith("DO-") and id_ not in ids], language


def test_refusals_cite_rules_that_have_text():
    texts = rule_texts(GAME, "en")
    duties = [duty for game in GAMES for duty in table(game).ruleset.duties.values()]
    menus = [each for duty in duties for each in duty.menu]
    ids = {rule for each in menus for test in (*each.needs, *each.checks) for rule in test.rules}
    ids |= {duty.rule for duty in duties}
    assert not {id_ for id_ in ids if id_.startswith(("DO-", "COMMON-")) and id_ not in texts}
