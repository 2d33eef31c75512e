"""Words in texts of the page: dotted, told by a card, and harmless whatever the text holds."""

from __future__ import annotations

import pytest

from trajekt.game import new_game
from trajekt.i18n.glossary import glossary_of
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.cards import card
from trajekt.server.presenters.glossary_words import dotted

GAME = new_game("18rhl", ("Ada", "Bert", "Cleo"), seed=1)


def test_what_stands_around_is_escaped():
    html = dotted("<b>treasury</b>", Viewer("en").catalogue())
    assert html.startswith("&lt;b&gt;<a ")
    assert html.endswith("&lt;/b&gt;")
    assert html.count("<a ") == 1


def test_only_texts_to_read_are_stops():
    say = Viewer("en").catalogue()
    assert "tabindex" in dotted("the treasury", say)
    assert "tabindex" not in dotted("the treasury", say, stop=True)


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_word_has_its_card(language):
    speaker = Viewer(language).speaker(GAME.title, GAME.state)
    words = glossary_of(speaker.catalogue).words
    for key, word in words.items():
        found = card(GAME, [], "word", key, speaker)
        assert found.told == word.told
        assert "#" not in found.title
    assert len(card(GAME, [], "word", "all", speaker).lines) == len(words)


def test_unknown_word_has_no_card():
    speaker = Viewer("en").speaker(GAME.title, GAME.state)
    with pytest.raises(KeyError):
        card(GAME, [], "word", "tavern", speaker)


def test_leader_stands_in_the_auctions_row():
    from trajekt.server.presenters.decision import now

    game = new_game("18rhl", ("Ada", "Bert", "Cleo"), {"edition": 2, "fixed_seats": True}, seed=1)
    game.play({"kind": "bid", "private": 3, "amount": 55}, 0)
    for seat, told in ((1, "Bids: Ada 55"), (0, "You lead: Ada 55")):
        while game.to_act != (seat,):
            game.play({"kind": "pass"}, game.to_act[0])
        speaker = Viewer("en").speaker(game.title, game.state)
        menu = now(game, game.choices(), speaker, (seat,)).menu
        notes = [row.note for group in menu.groups for row in (*group.rows, *group.refused) if row.key == "3"]
        assert any(told in note for note in notes), notes
