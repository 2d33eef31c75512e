"""Rules beside the game: one rule, the whole list, and what differs from the box."""

from __future__ import annotations

import re

import pytest

from trajekt.i18n.rule_texts import rule_texts, rulings
from trajekt.registry import names, title
from trajekt.server.presenters.rules_pages import marked_up

GERMAN = {"accept-language": "de"}


def test_rule_is_read_in_both_languages(client):
    english = client.get("/rules/18rhl/RHL-SET-02").text
    german = client.get("/rules/18rhl/RHL-SET-02", headers=GERMAN).text
    assert "9,000 M" in english
    assert "9.000 M" in german
    assert "RHL-SET-02" in german


def test_unwritten_rule_says_so(client):
    answer = client.get("/rules/18rhl/RHL-NONE")
    assert answer.status_code == 200
    assert "There is no text for" in answer.text


@pytest.mark.parametrize("game", names())
def test_the_list_has_every_rule_once(client, game):
    found = title(game)
    page = client.get(f"/rules/{found.id}").text
    ids = re.findall(r'<article id="([^"]+)"', page)
    assert sorted(ids) == sorted(
        rule_texts(found.package, "en")
    )  # a rule of one game stands beside the shared ones of its chapter
    assert "‹" not in page


@pytest.mark.parametrize("game", names())
def test_differences_have_components_and_rulings(client, game):
    found = title(game)
    for headers in ({}, GERMAN):
        page = client.get(f"/box/{found.id}", headers=headers).text
        assert "‹" not in page
        assert page.count("<article>") == len(
            [r for r in rulings(found.package) if r in rule_texts(found.package, "en")]
        )
        assert '<table class="origins">' in page


def test_reconstructed_parts_are_counted(client):
    row = re.search(r'<tr class="guess">.*?Stock market.*?</tr>', client.get("/box/18lra").text, re.DOTALL)
    assert row is not None
    assert re.findall(r"<td>(.*?)</td>", row.group().rpartition("Stock market")[2]) == ["·", "·", "1"]


def test_rulings_of_18rhl_have_both_languages():
    for language in ("en", "de"):
        texts = rule_texts("trajekt.games.rhl", language)
        assert [rule for rule in rulings("trajekt.games.rhl") if rule not in texts] == []


def test_rulings_list_is_the_documents(project):
    part = (project / "docs" / "rulings.md").read_text(encoding="utf-8").partition("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("|")]
    written = set(re.findall(r"[A-Z]+(?:-[A-Z]+)+-\d+", "\n".join(rows)))
    assert set(rulings("trajekt.games.rhl")) == written


@pytest.mark.parametrize("game", ["18rhl", "18lra", "18ruhr", "18do"])
def test_rules_begin_with_a_primer(client, game):
    """How to play stands before the first requirement, with a picture of each kind of round."""
    for headers in ({}, GERMAN):
        page = client.get(f"/rules/{game}", headers=headers).text
        primer, _, rest = page.partition('id="find"')
        assert primer.count("primer-picture") == 2
        assert primer.count("<h3>") == 4
        assert "‹" not in primer
        assert "<article" not in primer
        assert "<article" in rest


def test_unknown_games_have_no_rules(client):
    assert client.get("/rules/18xx").status_code == 404
    assert client.get("/box/18xx").status_code == 404


def test_rule_text_never_becomes_markup():
    made = marked_up("A <b>bold</b> *word*, see RHL-SET-02.\n\n- one\n- two", "/rules/18rhl")
    assert "&lt;b&gt;" in made
    assert "<em>word</em>" in made
    assert 'href="/rules/18rhl#RHL-SET-02"' in made
    assert made.count("<li>") == 2


def test_map_refusal_links_to_its_rule(client, id_):
    page = client.get(f"/t/{id_}/hex/C2").text
    for rule in re.findall(r'data-rule-id="([^"]+)"', page):
        assert f'href="/rules/18rhl#{rule}"' in page
