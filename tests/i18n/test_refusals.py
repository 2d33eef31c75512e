"""Every refusal of random games as a sentence: no gap left empty, no raw name, no rule of another game or edition."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path

import msgspec
import pytest

import trajekt
from tests.builders.all_tables import TABLES
from trajekt.engine.actions import Action, DeclineOffer, EndTurn, OfferEnd, Pass
from trajekt.engine.decisions import explain, refusal
from trajekt.engine.ruleset import Code, Refusal
from trajekt.games.do.refusals import WhyNot
from trajekt.games.ruhr.refusals import Why
from trajekt.i18n.rule_texts import rule_texts
from trajekt.i18n.sentences import LANGUAGES, Speaker, catalogue, formed_values, parts_of, refusal_line
from trajekt.registry import title

WITH_CARDS = ("18ruhr", {"optional_cards": True, "bank_refill": "counted"}, 4)
STEPS = 900
OTHER_EDITION = {1: ("*Second edition", "*Zweite Ausgabe"), 2: ("*First edition", "*Erste Ausgabe")}


def faults_of(package: str, edition: int, speaker: Speaker, no: Refusal) -> list[str]:
    """What is wrong with the sentence of a refusal, in plain words."""
    said, language = refusal_line(speaker, no), speaker.catalogue.language
    template = speaker.catalogue.entries.get(f"refusal.{no.code}", "")
    values = formed_values(speaker, no.args)
    out = []
    if not template or "‹" in said:
        out.append("no sentence")
    for pieces, wanted in parts_of(template):
        empty = [name for name in pieces[1::2] if not wanted and not values.get(name)]
        out += [f"gap {name} is empty" for name in empty]
    if re.search(r"\s\s|[{}]|: \.|\(\)| [.,;]", said):
        out.append("doubled blank or empty part")
    if re.search(r"[a-z]_[a-z]", said):
        out.append("raw name")
    text = rule_texts(package, language).get(no.rule)
    if text is None:
        out.append("the rule has no text in this game")
    elif package.endswith(".rhl") and text.startswith(OTHER_EDITION[edition]):
        out.append("the rule is of the other edition")
    return [f"{no.code} {no.rule} {dict(no.args)} {language}: {fault}: {said}" for fault in out]


def changed(rng: random.Random, action: Action) -> Action:
    """An action with one field changed, mostly to what cannot be."""
    fields = msgspec.structs.asdict(action)
    if not fields:
        return action
    name = rng.choice(sorted(fields))
    value = fields[name]
    if isinstance(value, bool) or not isinstance(value, int | str):
        return action
    if isinstance(value, int):
        return msgspec.structs.replace(action, **{name: value + rng.choice((-10, -1, 1, 5, 37))})
    return msgspec.structs.replace(action, **{name: rng.choice(("Z99", "9", "ADR", "5", "io"))})


@pytest.mark.parametrize(
    ("game", "options", "players"), (*TABLES, WITH_CARDS), ids=lambda v: str(v) if not isinstance(v, int) else None
)
def test_every_refusal_is_a_whole_sentence(game, options, players):
    found = title(game)
    played = trajekt.new_game(game, [f"P{n}" for n in range(players)], {**options, "fixed_seats": True}, seed=5)
    edition = getattr(played.options, "edition", 1)
    rules, rng = played.ruleset, random.Random(5)
    speakers = [Speaker(catalogue(tongue, found.package), played.state.sheet, played.names) for tongue in LANGUAGES]
    seen: set[tuple[object, ...]] = set()
    wrong: dict[tuple[str, str], str] = {}
    kinds: dict[type[Action], Action] = {}
    for step in range(STEPS):
        if not played.to_act:
            break
        choices = [c for seat in played.to_act for c in played.choices(seat)]
        told = []
        if step % 9 == 0:
            told += [
                no for seat in played.to_act for _, against in explain(rules, played.state, seat) for no in against
            ]
        kinds.update({type(c.action): c.action for c in choices})
        for action in list(kinds.values()):
            for seat in range(len(played.names)):
                no = refusal(rules, played.state, seat, changed(rng, action))
                told += [no] if no is not None else []
        for no in told:
            if (key := (no.code, no.rule, *sorted(no.args.items()))) in seen:
                continue
            seen.add(key)
            for speaker in speakers:
                for fault in faults_of(found.package, edition, speaker, no):
                    wrong.setdefault((no.code, no.rule), fault)
        going = [choice for choice in choices if not isinstance(choice.action, OfferEnd)]
        weights = [1 if isinstance(choice.action, Pass | EndTurn | DeclineOffer) else 4 for choice in going]
        choice = rng.choices(going, weights)[0]
        played.play(choice.action, choice.seat)
    assert len(seen) > 30
    assert not wrong, "\n".join(wrong.values())


@pytest.mark.parametrize("reasons", [Code, WhyNot, Why], ids=lambda kind: kind.__name__)
def test_each_reason_stands_in_a_test(reasons):
    """Who adds a reason meets it in a test, by its name or its code."""
    told = "\n".join(file.read_text(encoding="utf-8") for file in Path(__file__).parents[1].rglob("*.py"))
    named = set(re.findall(rf"\b{reasons.__name__}\.([A-Z_0-9]+)\b", told)) | set(
        re.findall(r"[\"']([a-z_0-9]+)[\"']", told)
    )
    assert [why.name for why in reasons if why.name not in named and str(why) not in named] == []


SUMS = {
    "UNAFFORDABLE": {"cash", "money", "treasury", "most"},
    "CERTIFICATE_LIMIT": {"held"},
    "MUST_SELL": {"held", "count"},
}


def test_sums_say_what_one_has():
    """Who is told that something costs too much, or is one too many, is told what he has beside it."""
    silent = []
    for path in sorted((Path(trajekt.__file__).parent).glob("**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Attribute):
                wanted = SUMS.get(node.args[0].attr)
                given = {keyword.arg for keyword in node.keywords}
                if wanted and isinstance(node.func, ast.Name) and node.func.id == "refuse" and not wanted & given:
                    silent.append(f"{path.name}:{node.lineno}")
    assert silent == []
