"""The cards of companies, private companies, trains and players: all of every game, in both languages."""

from __future__ import annotations

import re

import pytest

from tests.builders.played_moments import played
from trajekt.engine.title import Title
from trajekt.game import new_game
from trajekt.i18n.sentences import Speaker, catalogue
from trajekt.server.presenters.cards import card

GAMES = ("18rhl", "18lra", "18ruhr", "18do")


def speaker_of(game, language):
    title: Title = game.title
    return Speaker(catalogue(language, "trajekt.server", title.package), game.state.sheet, game.state.names)


def pieces(game):
    state = game.state
    yield from (("company", company) for company in state.companies)
    yield from (("private", str(number)) for number in state.privates)
    yield from (("train", kind) for kind in state.sheet.trains)
    yield "word", "win"
    yield from (("player", str(seat)) for seat in range(len(state.names)))


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("name", GAMES)
def test_every_piece_has_its_card(name, language):
    game = new_game(name, ["Ada", "Bert", "Cleo"], seed=3)
    speaker = speaker_of(game, language)
    for kind, key in pieces(game):
        found = card(game, (), kind, key, speaker)
        said = " ".join([found.title, *(part for line in found.lines for part in line)])
        assert "‹" not in said, (kind, key, said)
        assert found.lines, (kind, key)
        assert all(text for _, text in found.lines)


def test_company_card_names_charter_and_runs(played_game):
    speaker = speaker_of(played_game, "en")
    ran = next(c.id for c in played_game.state.companies.values() if c.revenue)
    found = card(played_game, (), "company", ran, speaker)
    lines = dict(found.lines)
    assert {"home", "stations left", "floats at", "par value", "last revenue", "treasury"} <= set(lines)
    assert lines["last revenue"] == speaker.catalogue.money(played_game.state.companies[ran].revenue)
    assert len(re.findall(r'class="rt ', found.map)) >= 1
    assert found.runs


def test_private_card_tells_power_and_end():
    game = new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2}, seed=3)
    lines = dict(card(game, (), "private", "1", speaker_of(game, "en")).lines)
    assert "E14" in lines["power"]
    assert lines["pays"] == "5\u00a0M each operating round"
    assert lines["closes"] == "with the first 5-train"


def test_train_card_tells_first_sale():
    game = new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2}, seed=3)
    lines = dict(card(game, (), "train", "3", speaker_of(game, "en")).lines)
    assert "green" in lines["with the first one sold"]
    assert "6-train" in lines["ends"]


def test_unknown_pieces_are_no_cards(client, id_):
    for piece in ("company/XXX", "private/99", "train/77", "player/9", "ghost/1"):
        assert client.get(f"/t/{id_}/card/{piece}").status_code == 404
    assert "Prinz-Wilhelm-Bahn" in client.get(f"/t/{id_}/card/private/1").text


def test_names_on_table_open_cards(client, id_):
    page = client.get(f"/t/{id_}").text
    opened = re.findall(r'data-action="show-card"\s+data-card="([^"]+)"', page)
    assert {"player/0", "private/1", "train/2", "company/CME"} <= set(opened)
    for piece in set(opened):
        assert client.get(f"/t/{id_}/card/{piece}").status_code == 200


@pytest.fixture(scope="module")
def played_game():
    return played("18rhl", most=140)
