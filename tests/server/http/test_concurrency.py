"""Actions go before drawings: what is drawn for open pages waits a little while an action is carried out."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from tests.server.friends import gathered
from tests.server.http.open_page import Following, told
from trajekt.server.http import concurrency
from trajekt.server.http.concurrency import ActionsFirst


@pytest.fixture
def under_way():
    """The precedence of an action that is under way, and what lets it end."""
    actions, begun, end = ActionsFirst(), Event(), Event()

    def work():
        begun.set()
        end.wait()

    thread = Thread(target=actions.carry_out, args=(work,))
    thread.start()
    begun.wait()
    yield actions, end
    end.set()
    thread.join()


def test_drawing_waits_for_an_action(under_way, monkeypatch):
    monkeypatch.setattr(concurrency, "GIVE_WAY", 60.0)
    (actions, end), order = under_way, []
    drawing = Thread(target=lambda: (actions.give_way(), order.append("drawn")))
    drawing.start()
    order.append("acted")
    end.set()
    drawing.join()
    assert order == ["acted", "drawn"]


def test_long_action_holds_no_drawing(under_way, monkeypatch):
    monkeypatch.setattr(concurrency, "GIVE_WAY", 0.0)
    actions, _ = under_way
    actions.give_way()
    assert actions.under_way == 1


def test_failing_action_holds_nothing(monkeypatch):
    monkeypatch.setattr(concurrency, "GIVE_WAY", 60.0)
    actions = ActionsFirst()
    with pytest.raises(ZeroDivisionError):
        actions.carry_out(lambda: 1 / 0)
    actions.give_way()
    assert actions.under_way == 0


def test_action_goes_before_each_drawing(client, monkeypatch):
    """Before each reader's pages, so that a table of many readers is no long wait."""
    id_, people = gathered(client)
    pages = [Following(friend) for friend in people.values()]
    for page in pages:
        page.refresh()
    gone_before = []
    monkeypatch.setattr(client.app.state.server.actions, "give_way", lambda: gone_before.append(True))
    told(client, id_, pages)
    assert len(gone_before) == len(pages)


def test_action_counts_while_stored(client, monkeypatch):
    server = client.app.state.server
    _, people = gathered(client)
    seen, append = [], server.table.cache.store.append

    def stored(*values, **more):
        seen.append(server.actions.under_way)
        return append(*values, **more)

    monkeypatch.setattr(server.table.cache.store, "append", stored)
    assert people["Ada"].play(0, kind="bid", private=2, amount=35).status_code == 200
    assert (seen, server.actions.under_way) == ([1], 0)
