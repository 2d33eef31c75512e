"""What is wrong with a request is said in the language of who asks, with what would be right."""

from __future__ import annotations

import json

import pytest

from trajekt import new_game
from trajekt.positions import position_json

TABLE = {"game": "18rhl", "players": ["Ada", "Bert", "Cleo"]}
FOREIGN_POSITION = json.loads(position_json(new_game("18lra", ["Ada", "Bert", "Cleo"])))
FOREIGN_SET = '[set]\ngame = "18do"\nname = "Ours"\nversion = "1"\n'
FAULTY_SET = '[set]\ngame = "18rhl"\nname = "Ours"\nversion = "1"\nedition = "first"\n'
LATER_SET = '[set]\ngame = "18rhl"\nname = "Ours"\nversion = "1"\nedition = 9\n'


def said(client, path, sent, language):
    """Status, place and sentence of an answer."""
    answer = client.post(path, json=sent, headers={"accept-language": language})
    fault = answer.json()["error"]
    return answer.status_code, fault["path"], fault["message"]


@pytest.mark.parametrize(
    ("path", "sent", "place", "english", "german"),
    [
        (
            "/tables",
            TABLE | {"bots": {"0": "steady"}},
            "$.bots",
            'such as "Ada": "steady". Nobody is called 0; there are Ada, Bert, Cleo.',
            "Niemand heißt 0; es gibt Ada, Bert, Cleo.",
        ),
        (
            "/tables",
            TABLE | {"bots": {"Ada": "HAL"}},
            "$.bots",
            "There is no bot HAL; there are",
            "Einen Bot HAL gibt es nicht",
        ),
        (
            "/set-up/18rhl/file",
            FOREIGN_POSITION,
            "$.game",
            "This is a position of 18lra, not of 18rhl.",
            "Das ist eine Stellung von 18lra, nicht von 18rhl.",
        ),
        (
            "/workshop/18rhl",
            {"name": "Ours", "edition": 9},
            "$.edition",
            "There is no edition 9, only 1, 2.",
            "Eine Ausgabe 9 gibt es nicht, nur 1, 2.",
        ),
        ("/workshop/18rhl", {"text": LATER_SET}, "$.text", "no edition 9, only 1, 2", "Ausgabe 9 gibt es nicht"),
        (
            "/workshop/18rhl",
            {"text": FOREIGN_SET},
            "$.text",
            "is for 18do, not for 18rhl",
            "ist für 18do, nicht für 18rhl",
        ),
        ("/workshop/18rhl", {"text": FAULTY_SET}, "$.text", "should be a number", "muss eine Zahl sein"),
        (
            "/tables",
            TABLE | {"component_set": FAULTY_SET},
            "$.component_set",
            "should be a number",
            "muss eine Zahl sein",
        ),
    ],
)
def test_faults_are_told_in_both_languages(client, path, sent, place, english, german):
    for language, words in (("en", english), ("de", german)):
        status, where, message = said(client, path, sent, language)
        assert (status, where) == (400, place)
        assert words in message
