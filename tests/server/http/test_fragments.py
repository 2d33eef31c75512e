"""A page that is sent only what it has not got shows the same as one that is opened anew: in each language, for each viewer."""

from __future__ import annotations

import json
import random
from itertools import chain
from statistics import median

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.friends import gathered
from tests.server.http.open_page import GAMES, Presence, drawn_anew
from trajekt.engine.actions import OfferEnd
from trajekt.server.presenters.fragments import changes, piece_of, plate_of, within


@pytest.fixture
def cached_game(client):
    return client.app.state.server.table.cache.get


@pytest.mark.parametrize("game", GAMES)
def test_assembled_page_equals_redrawn_one(client, cached_game, game):
    id_, people = gathered(client, game=game, options=GAMES[game])
    cached, rng = cached_game(id_), random.Random(3)
    looking = [Presence(friend, language) for friend in people.values() for language in ("en", "de")]
    by_seat = {friend.seat: friend for friend in people.values()}
    for turn in range(45):
        number = cached.game.number
        if turn % 15 == 14:
            done = by_seat[cached.game.entries[-1].seat].post("undo", {"number": number})
            assert done.status_code == 200 or done.json()["error"]["code"] == "needs_consent"
        else:
            choice = rng.choice([c for c in cached.game.choices() if not isinstance(c.action, OfferEnd)])
            action = msgspec.to_builtins(choice.action) | {name: span.low for name, span in choice.spans.items()}
            done = by_seat[choice.seat].post("actions", {"number": number, "seat": choice.seat, "action": action})
            assert done.status_code == 200, done.text
        for page in rng.sample(looking, 3):  # the others miss this one
            assert page.refresh() == drawn_anew(cached, page)
    for page in looking:
        past = f"&at={cached.game.number // 2}"
        assert page.refresh(past) == page.get(f"regions?{past}").text
        assert page.refresh() == drawn_anew(cached, page)
        assert median(page.sent) < page.sent[0] / 3, "most of it the page had"


@pytest.mark.parametrize("game", GAMES)
def test_opened_page_tells_its_pieces(client, game):
    """A page knows by the marks in its document what it was opened with and asks for nothing: marks stand between tags only."""
    id_, people = gathered(client, game=game, options=GAMES[game])
    page = Presence(people["Ada"], "en")
    document = client.get(f"/t/{id_}", headers=page.friend.headers | {"accept-language": "en"}).text
    told = json.loads(document.split('id="version">')[1].split("</script>")[0])
    pieces = document.split('\n<script type="application/json" id="version">')[0].split("<!---->")
    page.refresh()
    assert (told["tag"], told["pieces"], len(pieces)) == (page.tag, len(page.pieces), len(page.pieces))
    assert pieces[1:-1] == page.pieces[1:-1]
    assert all(piece.rfind("<") <= piece.rfind(">") for piece in pieces)


def test_readers_share_no_versions(client, cached_game):
    """A tag opens nothing: of a version that a stranger saw only its tag can be told, and the answer holds one's own alone."""
    id_, people = gathered(client)
    ada, bert = (Presence(people[name], "en") for name in ("Ada", "Bert"))
    ada.refresh()
    bert.tag, bert.pieces = ada.tag, ada.pieces
    assert bert.refresh() == drawn_anew(cached_game(id_), bert)
    assert 'data-seat="0"' in "".join(ada.pieces)
    assert client.get(f"/t/{id_}/regions?has={ada.tag}", headers={"authorization": "Bearer wrong"}).status_code == 401


def test_unknown_version_gets_whole_page(client):
    _, people = gathered(client)
    page = Presence(people["Bert"], "de")
    whole = page.refresh()
    for tag in ("", "0", "nothing", "%00", "é" * 400):
        page.tag, page.pieces = tag, []
        assert page.refresh() == whole


def versions(letters):
    return st.lists(st.lists(st.sampled_from(letters)).map(tuple), min_size=3, max_size=3).map(tuple)


@given(versions("abcd") | st.just((("a", "b"),)), versions("abcdef"))
def test_changes_lead_between_any_versions(old, new):
    had, made = list(chain.from_iterable(old)), []
    before, after = (tuple(plate_of(map(piece_of, plate)) for plate in version) for version in (old, new))
    for each in changes(tuple(plate.marks for plate in before), after, within):
        made += [each] if isinstance(each, str) else had[each[0] : each[1]]
    assert made == list(chain.from_iterable(new))
