"""Records of games with a component set: the record carries the set, so that it replays where the set is not."""

from __future__ import annotations

import json

import pytest

import trajekt
from trajekt.engine.components.component_sets import component_set
from trajekt.records import RecordError, from_json, replay, to_json

SET = '[set]\ngame = "18ruhr"\nedition = 2\nname = "Ada"\nversion = "1"\n\n[privates.1]\nprice = 95  # seen\n'
NAMES = ["Ada", "Bert", "Cleo"]


def played(components=None):
    game = trajekt.new_game("18ruhr", NAMES, seed=4, components=components)
    for _ in range(12):
        game.play(game.choices()[0])
    return game


def test_record_carries_its_set():
    game = played(component_set(SET, "ada.toml"))
    again = from_json(to_json(game))
    assert again.ruleset.sheet.privates[1].price == 95
    assert again.ruleset.sheet.component_set == SET
    assert not again.other_components
    assert again == game
    assert list(replay(again)) == []


def test_record_of_ours_says_nothing_more():
    record = json.loads(to_json(played()))
    assert "component_set" not in record


def test_carried_set_goes_before_a_folder(tmp_path):
    (tmp_path / "18ruhr.toml").write_text("[privates.1]\nprice = 105\n", encoding="utf-8")
    data = to_json(played(component_set(SET, "ada.toml")))
    assert from_json(data, str(tmp_path)).ruleset.sheet.privates[1].price == 95


def test_sets_of_two_names_differ():
    one, other = (component_set(SET.replace("Ada", name), "x.toml") for name in ("Ada", "Bert"))
    assert played(one).ruleset is not played(other).ruleset


@pytest.mark.parametrize(
    "text",
    ["[set\n", SET.replace("18ruhr", "18rhl"), SET + "prise = 3\n", SET.replace("edition = 2", "edition = 1")],
)
def test_spoilt_set_is_told(text):
    record = json.loads(to_json(played(component_set(SET, "ada.toml"))))
    with pytest.raises(RecordError) as raised:
        from_json(json.dumps({**record, "component_set": text}).encode())
    assert raised.value.code == "bad_components"
    assert raised.value.sentence("de").startswith("Das Spielmaterial der Aufzeichnung")
