"""Names and texts of people: what is kept, and what is refused with its reason."""

from __future__ import annotations

import pytest

from trajekt.server.user_text import TextError, checked_name, visible

ASTRONAUT, REZA = "\U0001f469\u200d\U0001f680 Ada", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"


@pytest.mark.parametrize("name", [ASTRONAUT, REZA, "Zoë", "李雷", "\u2764\ufe0f\u200d\U0001f525", "O'Neil-3"])
def test_names_of_all_scripts_are_kept(name):
    assert checked_name(f"  {name} ") == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("\u3164", "name_empty"),
        ("\u2800", "name_empty"),
        ("\u115f", "name_empty"),
        ("A\0", "name_character"),
        ("A\u202eB", "name_character"),
        ("A\u200b", "name_character"),
        ("A\u200d", "name_character"),
        ("A\ud800", "name_character"),
        ("", "name"),
        ("x" * 41, "name"),
    ],
)
def test_names_that_mislead_are_refused(name, code):
    with pytest.raises(TextError) as refused:
        checked_name(name)
    assert refused.value.code == code


def test_the_refused_character_is_named():
    with pytest.raises(TextError, match=r"U\+202E"):
        checked_name("A\u202eB")


def test_talk_keeps_joiners_and_loses_controls():
    assert visible(f"{ASTRONAUT} {REZA}") == f"{ASTRONAUT} {REZA}"
    assert visible("a\u202eb\0c\u200b\r\nd\u200d") == "abc\nd"


def test_names_are_composed(client):
    two = client.post("/tables", json={"game": "18rhl", "players": ["Zo\u00eb", "Zoe\u0308", "C"]})
    assert two.status_code == 400
    assert two.json()["error"]["message"] == "Every player needs a name of their own."


@pytest.mark.parametrize("name", ["\u3164", "A\0", "A\u202eB"])
def test_no_door_takes_an_invisible_name(client, name):
    assert client.post("/tables", json={"game": "18rhl", "players": [name, "B", "C"]}).status_code == 400
    assert client.post("/me", json={"name": name, "passcode": "secret"}).status_code == 400
