"""Undo by consent, stand-ins and new links that the others agree to: who is asked, when it lapses, what wins of two at once."""

from __future__ import annotations

import time

import pytest

from tests.server.friends import code, gathered
from tests.server.waiting import at_once
from trajekt.bots.bot import names
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.seats_panel import seats_panel
from trajekt.server.refusals import DeniedError
from trajekt.server.services import seats as seat_service
from trajekt.server.services.seats import ConsentAnswer, ConsentRequestBody
from trajekt.server.services.table_service import NewTable, UnreadableError
from trajekt.server.storage import consent_requests, seats
from trajekt.server.storage.entry_makers import CONSENT, INSTRUCTION, STAND_IN, Maker, MakerKind
from trajekt.server.storage.game_cache import StaleSubmissionError

FRIENDS = NewTable("18rhl", ("Ada", "Bert", "Cleo"), {"edition": 2, "fixed_seats": True}, 7, friends=True)
ADA, BERT, CLEO = Viewer(person="a", seats=(0,)), Viewer(person="b", seats=(1,)), Viewer(person="c", seats=(2,))


@pytest.fixture
def at(table):
    """A table of friends at which Ada and Bert have passed: its name and its position in memory."""
    id_ = table.open(FRIENDS).id
    for number, who in enumerate((ADA, BERT)):
        table.act(id_, b'{"number": %d, "action": {"kind": "pass"}}' % number, who)
    return id_, table.cache.get(id_)


def undo(number, to=None):
    return b'{"number": %d%s}' % (number, b"" if to is None else b', "to": %d' % to)


@pytest.fixture
def later(monkeypatch):
    """`later(seconds)`: so much time goes by."""
    real = time.time

    def passes(seconds):
        monkeypatch.setattr(time, "time", lambda: real() + seconds)

    return passes


# Undo ----------------------------------------------------------------------------------------------------------------


@pytest.mark.case("B94")
def test_undo_is_free_until_others_act(client):
    _, people = gathered(client)
    people["Ada"].passes(0)
    assert code(people["Bert"].post("undo", {"number": 1})) == (422, "nothing_to_undo")
    assert code(people["Bert"].post("undo", {"number": 1, "to": 0})) == (403, "needs_consent")
    assert people["Ada"].post("undo", {"number": 1}).json() == {"number": 2, "seat": 0, "kind": "undo"}
    people["Ada"].passes(2)
    people["Bert"].passes(3)
    refused = people["Ada"].post("undo", {"number": 4})
    assert code(refused) == (403, "needs_consent")
    assert refused.json()["error"]["seats"] == [1]
    assert people["Bert"].post("undo", {"number": 4}).json()["seat"] == 1  # his own is free still


@pytest.mark.case("B94")
def test_undone_players_must_consent(client):
    _, people = gathered(client)
    for number, name in enumerate(("Ada", "Bert", "Cleo")):
        people[name].passes(number)
    before = people["Ada"].get("record.json").json()
    asked = people["Ada"].post("consent-requests", {"kind": "undo", "number": 3})
    assert (asked.status_code, asked.json()["needs"]) == (201, [1, 2])
    assert asked.json()["lapses"] - time.time() == pytest.approx(24 * 3600, abs=60)
    assert "Ada asks to go back to entry 0." in people["Bert"].get("seats").text
    assert 'data-reply="yes"' in people["Cleo"].get("seats").text
    assert 'data-reply="yes"' not in people["watcher"].get("seats").text
    assert code(people["watcher"].post("consent-requests/1", {"yes": True})) == (403, "not_asked")
    assert people["Bert"].post("consent-requests/1", {"yes": True}).json() == {
        "outcome": "open",
        "missing": [2],
        "number": None,
    }
    assert people["Bert"].post("consent-requests/1", {"yes": True}).json()["missing"] == [2]  # twice is once
    assert people["Cleo"].post("consent-requests/1", {"yes": True}).json() == {
        "outcome": "done",
        "missing": [],
        "number": 4,
    }
    after = people["Ada"].get("record.json").json()
    assert after["entries"][:3] == before["entries"]
    assert "(by consent)" in people["Bert"].get("regions").text
    # who asked may take it back, nobody else
    assert code(people["Bert"].post("redo", {"number": 4})) == (422, "nothing_to_redo")
    assert people["Ada"].post("redo", {"number": 4}).json() == {"number": 5, "seat": 0, "kind": "redo"}


def test_one_refusal_ends_it(client):
    _, people = gathered(client)
    for number, name in enumerate(("Ada", "Bert", "Cleo")):
        people[name].passes(number)
    people["Ada"].post("consent-requests", {"kind": "undo", "number": 3})
    assert code(people["Ada"].post("consent-requests", {"kind": "undo", "number": 3})) == (409, "consent_request_open")
    assert people["Bert"].post("consent-requests/1", {"yes": False}).json()["outcome"] == "refused"
    assert code(people["Cleo"].post("consent-requests/1", {"yes": True})) == (409, "consent_request_over")
    assert people["Ada"].get("record.json").json()["entries"][-1]["number"] == 3
    assert people["Ada"].post("consent-requests", {"kind": "undo", "number": 3}).json()["consent_request"] == 2
    assert people["Ada"].post("consent-requests/2", {"yes": False}).json()["outcome"] == "withdrawn"


def test_request_lapses_when_game_moves(table, at):
    id_, cached = at
    seat_service.ask(table, cached, ADA, ConsentRequestBody("undo", 2))
    table.act(id_, b'{"number": 2, "action": {"kind": "pass"}}', CLEO)
    with pytest.raises(DeniedError) as over:
        seat_service.reply(table, cached, BERT, 1, ConsentAnswer(yes=True))
    assert (over.value.code, over.value.more["outcome"]) == ("consent_request_over", "lapsed")
    assert cached.game.number == 3
    assert consent_requests.stored(table.store, id_)[0].consents == ()  # it was not even counted
    assert seats_panel(table, cached, BERT).consent_requests == []
    assert seat_service.ask(table, cached, ADA, ConsentRequestBody("undo", 3)).number == 2


def test_consent_request_lapses_after_a_day(table, at, later):
    _, cached = at
    seat_service.ask(table, cached, ADA, ConsentRequestBody("undo", 2))
    later(consent_requests.TIME_OUT - 60)
    assert seats_panel(table, cached, BERT).consent_requests[0].asked
    later(consent_requests.TIME_OUT + 1)
    assert seats_panel(table, cached, BERT).consent_requests == []
    with pytest.raises(DeniedError) as over:
        seat_service.reply(table, cached, BERT, 1, ConsentAnswer(yes=True))
    assert over.value.code == "consent_request_over"


def test_permitted_action_needs_no_request(table, at):
    _, cached = at
    with pytest.raises(DeniedError) as no:
        seat_service.ask(table, cached, BERT, ConsentRequestBody("undo", 2))
    assert no.value.code == "no_need"
    with pytest.raises(StaleSubmissionError):
        seat_service.ask(table, cached, ADA, ConsentRequestBody("undo", 1))


def test_last_consents_together_undo_once(table, store):
    id_ = table.open(FRIENDS).id
    for number, who in enumerate((ADA, BERT, CLEO)):
        table.act(id_, b'{"number": %d, "action": {"kind": "pass"}}' % number, who)
    cached = table.cache.get(id_)
    seat_service.ask(table, cached, ADA, ConsentRequestBody("undo", 3))
    outcomes = at_once(
        *(
            lambda who=who: seat_service.reply(table, cached, who, 1, ConsentAnswer(yes=True))[0].outcome
            for who in (BERT, CLEO)
        )
    )
    assert outcomes.count("done") == 1, outcomes
    assert [row.kind for row in store.entries(id_, after=3)] == ["undo"]
    assert consent_requests.stored(store, id_, 1)[0].outcome == "done"


def test_bot_actions_need_no_consent(table, at):
    id_, cached = at
    cached.made_by[2] = INSTRUCTION
    assert table.undo_to(cached, ADA).asks == ()
    cached.made_by[2] = Maker(MakerKind.BOT, "steady")
    assert table.undo_to(cached, ADA).asks == ()
    cached.made_by[2] = STAND_IN
    assert table.undo_to(cached, ADA).asks == ()
    del cached.made_by[2]
    assert table.undo_to(cached, ADA).asks == (1,)
    assert table.undo(id_, undo(2), BERT).seat == 1


def test_automatic_actions_go_with_own_ones(table, at):
    id_, cached = at
    table.act(id_, b'{"number": 2, "action": {"kind": "pass"}}', CLEO, STAND_IN)
    assert table.undo_to(cached, BERT, 1).asks == ()  # his own goes too
    assert table.undo_to(cached, BERT, 2).asks == (2,)  # Cleo's alone
    assert table.undo_to(cached, Viewer(), 2).asks == (2,)
    assert table.undo_to(cached, Viewer(), 0).asks == (0, 1, 2)


def test_bot_actions_alone_stay(client, app):
    id_, people = gathered(client, bots={"Ada": "random"}, you="Bert", pause=30)
    entry = app.state.server.bots.move(id_)
    assert entry.seat == 0
    for name in ("Bert", "Cleo", "watcher"):
        for body in ({"number": 1}, {"number": 1, "to": 0}):
            assert code(people[name].post("undo", body)) == (422, "nothing_to_undo"), name


def test_instructed_bid_goes_with_its_cause(table, store):
    """An instruction acts anew in the position that comes of the undo; alone its deed is not taken back."""
    id_ = table.open(FRIENDS).id
    table.act(id_, b'{"number": 0, "action": {"kind": "pass"}}', ADA)
    table.act(id_, b'{"number": 1, "action": {"kind": "bid", "private": 2, "amount": 35}}', BERT, INSTRUCTION)
    assert table.undo_to(table.cache.get(id_), ADA).asks == ()
    assert table.undo_to(table.cache.get(id_), ADA, 1).asks == (1,)
    assert [row.by for row in store.entries(id_)] == [None, "instruction"]


def test_reason_for_undo_is_stored(table, store, at):
    id_, cached = at
    seat_service.ask(table, cached, ADA, ConsentRequestBody("undo", 2))
    _, entry = seat_service.reply(table, cached, BERT, 1, ConsentAnswer(yes=True))
    assert (entry.seat, entry.parent, cached.made_by[3]) == (0, 0, CONSENT)
    assert store.entries(id_)[-1].by == str(CONSENT)


def test_a_double_undo_acts_once(client):
    _, people = gathered(client)
    people["Ada"].passes(0)
    assert people["Ada"].post("undo", {"number": 1}).status_code == 200
    second = people["Ada"].post("undo", {"number": 1})
    assert code(second) == (409, "stale")
    assert second.json()["error"]["number"] == 2


# Absent players --------------------------------------------------------------------------------------------------------


def test_others_agree_on_a_stand_in(table, at, store, later):
    id_, cached = at
    for seat, person in ((1, "b"), (2, "c")):
        held(store, id_, seat, person)
    table.cache.invalidate(id_)
    asked = ConsentRequestBody("stand_in", 2, 2, "steady")
    with pytest.raises(DeniedError) as no:
        seat_service.ask(table, cached, ADA, asked)
    assert no.value.code == "is_here"
    later(seat_service.AWAY + 1)
    made = seat_service.ask(table, cached, ADA, asked)
    assert made.needs == (1,)
    assert seat_service.reply(table, cached, BERT, 1, ConsentAnswer(yes=True))[0].outcome == "done"
    assert seats.assignments_of(store, cached).stand_ins == {2: "steady"}
    seat_service.lend(table, cached, CLEO, 2, None)  # Cleo is back
    assert seats.assignments_of(store, cached).stand_ins == {}


def test_asker_chooses_the_named_bot(table, at, store, later):
    id_, cached = at
    for seat, person in ((1, "b"), (2, "c")):
        held(store, id_, seat, person)
    table.cache.invalidate(id_)
    later(seat_service.AWAY + 1)
    with pytest.raises(UnreadableError) as unknown:
        seat_service.ask(table, cached, ADA, ConsentRequestBody("stand_in", 2, 2, "chess"))
    assert unknown.value.path == "$.what"
    assert (
        seat_service.ask(table, cached, ADA, ConsentRequestBody("stand_in", 2, 2)).what == "caretaker"
    )  # who names none
    seat_service.reply(table, cached, ADA, 1, ConsentAnswer(yes=False))
    for number, kind in enumerate(names(), 2):
        seat_service.ask(table, cached, ADA, ConsentRequestBody("stand_in", 2, 2, kind))
        assert seats_panel(table, cached, BERT).consent_requests[0].bot == kind
        seat_service.reply(table, cached, BERT, number, ConsentAnswer(yes=True))
        assert seats.assignments_of(store, cached).stand_ins == {2: kind}
        seat_service.lend(table, cached, CLEO, 2, None)


def held(store, id_, seat, person):
    from trajekt.server.storage.schema import PEOPLE

    with store.begin() as connection:
        connection.execute(PEOPLE.insert().values(id=person, links=0, created=0.0))
    seats.hold(store, id_, seat, person)


def test_lone_asker_waits_a_day(table, store, later):
    id_ = table.open(FRIENDS).id
    cached = table.cache.get(id_)
    asked = ConsentRequestBody("stand_in", 0, 2, "random")
    later(seat_service.AWAY + 1)
    with pytest.raises(DeniedError) as no:
        seat_service.ask(table, cached, ADA, asked)
    assert no.value.code == "is_here"
    later(seat_service.AWAY_FROM_ALL + 1)
    assert seat_service.ask(table, cached, ADA, asked).outcome == "done"
    assert seats.assignments_of(store, cached).stand_ins == {2: "random"}


def test_lost_seat_gets_link_by_consent(table, at, store, later):
    id_, cached = at
    for seat, person in ((1, "b"), (2, "c")):
        held(store, id_, seat, person)
    table.cache.invalidate(id_)
    later(seat_service.AWAY + 1)
    seat_service.ask(table, cached, ADA, ConsentRequestBody("seat", 2, 2))
    with pytest.raises(DeniedError):
        seat_service.hand_over(table, cached, ADA, 2)
    assert seat_service.reply(table, cached, BERT, 1, ConsentAnswer(yes=True))[0].outcome == "agreed"
    with pytest.raises(DeniedError):
        seat_service.hand_over(table, cached, BERT, 2)  # Ada asked for it
    token = seat_service.hand_over(table, cached, ADA, 2)
    assert seats.assignments_of(store, cached).opens(token) == 2
    assert "c" not in seats.assignments_of(store, cached).holders
    with pytest.raises(DeniedError):
        seat_service.hand_over(table, cached, ADA, 2)


@pytest.mark.parametrize("kind", ["fly", "", "undo "])
def test_request_of_unknown_kind_is_unreadable(client, kind):
    _, people = gathered(client)
    assert code(people["Ada"].post("consent-requests", {"kind": kind, "number": 0})) == (400, "unreadable")


@pytest.mark.parametrize("number", ["0", "7", "x", "99999999999"])
def test_request_nobody_made_is_unknown(client, number):
    _, people = gathered(client)
    assert people["Ada"].post(f"consent-requests/{number}", {"yes": True}).status_code == 404


def test_requests_have_a_rate(at, table, later):
    """Asking and withdrawing without end fills no table, and what is settled is not read again."""
    id_, _ = at
    for _ in range(consent_requests.A_MINUTE):
        asked = consent_requests.ask(table.store, id_, "undo", 0, stands=2, target=0, needs=(1,))
        consent_requests.settle(table.store, asked, "withdrawn")
    with pytest.raises(DeniedError) as no:
        consent_requests.ask(table.store, id_, "undo", 0, stands=2, target=0, needs=(1,))
    assert (no.value.status, no.value.code) == (429, "text_often")
    assert consent_requests.stored(table.store, id_) == []
    later(61)
    assert consent_requests.ask(table.store, id_, "undo", 0, stands=2, target=0, needs=(1,)).number > 1
