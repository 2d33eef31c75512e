"""Use cases on a table: acting, stale and wrong submissions, undo and redo, import and export, coming back from the store."""

from __future__ import annotations

import json

import msgspec
import pytest

from tests.server.waiting import at_once
from trajekt.engine.digest import digest
from trajekt.game import Refused
from trajekt.records import from_json
from trajekt.server.services.table_service import NewTable, NothingToUndoError, TableService, UnreadableError
from trajekt.server.storage.game_cache import GameCache, StaleSubmissionError, UnknownTableError

PASS = {"kind": "pass"}


def sent(number: int, action: dict, **more: object) -> bytes:
    return json.dumps({"number": number, "action": action, **more}).encode()


def bid(private: int, amount: int) -> dict:
    return {"kind": "bid", "private": private, "amount": amount}


def state_of(table: TableService, id_: str):
    return table.cache.get(id_).game.state


def test_action_is_stored_before_its_answer(table, game_id):
    done = table.act(game_id, sent(0, bid(2, 35)))
    assert (done.number, done.seat) == (1, 0)
    rows = table.store.entries(game_id)
    assert [row.number for row in rows] == [1]
    assert json.loads(rows[0].action) == bid(2, 35)
    assert state_of(table, game_id).committed_to_bids(0) == 35


def test_table_comes_back_unchanged(table, game_id):
    table.act(game_id, sent(0, bid(2, 35)))
    table.act(game_id, sent(1, bid(3, 55)))
    table.undo(game_id, b'{"number": 2}')
    other = TableService(GameCache(table.store))
    again, here = other.cache.get(game_id).game, table.cache.get(game_id).game
    assert again.entries == here.entries
    assert digest(again.state) == digest(here.state)
    assert again.redo().parent == 2


def test_stale_submission_learns_what_happened(table, game_id):
    table.act(game_id, sent(0, bid(2, 35)))
    before = state_of(table, game_id)
    with pytest.raises(StaleSubmissionError) as stale:
        table.act(game_id, sent(0, bid(3, 55), seat=0))
    assert (stale.value.number, [e.number for e in stale.value.entries]) == (1, [1])
    assert state_of(table, game_id) is before
    assert table.store.game(game_id).number == 1


def test_future_number_is_stale_too(table, game_id):
    with pytest.raises(StaleSubmissionError) as stale:
        table.act(game_id, sent(5, PASS))
    assert stale.value.entries == ()


@pytest.mark.case("B94")
def test_second_click_is_stale(table, game_id):
    def click() -> str:
        try:
            table.act(game_id, sent(0, {"kind": "buy_private", "private": 1}, seat=0))
        except StaleSubmissionError:
            return "stale"
        return "done"

    assert sorted(at_once(*[click] * 4)) == ["done", "stale", "stale", "stale"]
    assert state_of(table, game_id).players[0].cash == 600 - 20


def test_another_process_is_caught_up_with(table, game_id):
    other = TableService(GameCache(table.store))
    table.cache.get(game_id)
    other.act(game_id, sent(0, bid(2, 35)))
    with pytest.raises(StaleSubmissionError) as stale:
        table.act(game_id, sent(0, PASS))
    assert [e.number for e in stale.value.entries] == [1]
    assert table.act(game_id, sent(1, PASS)).number == 2
    assert table.store.game(game_id).number == 2


@pytest.mark.rule("COMMON-AUC-05")
def test_refused_action_changes_nothing(table, game_id):
    before = digest(state_of(table, game_id))
    with pytest.raises(Refused) as refused:
        table.act(game_id, sent(0, bid(2, 31)))
    assert refused.value.refusal.rule == "COMMON-AUC-05"
    assert digest(state_of(table, game_id)) == before
    assert table.store.game(game_id).number == 0


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b"{", "$"),
        (b"\xff\xfe", "$"),
        (b"[]", "$"),
        (b'{"number": 0}', "$"),
        (b'{"number": "0", "action": {"kind": "pass"}}', "$.number"),
        (b'{"number": 0, "action": {"kind": "fly"}}', "$.action.kind"),
        (b'{"number": 0, "action": {"kind": "bid", "private": 2}}', "$.action"),
        (b'{"number": 0, "action": {"kind": "bid", "private": 2, "amount": "x"}}', "$.action.amount"),
        (b'{"number": 0, "action": {"kind": "pass", "extra": 1}}', "$.action"),
        (b'{"number": 0, "action": {"kind": "pass"}, "seat": 3}', "$.seat"),
        (b'{"number": 0, "action": {"kind": "pass"}, "seat": -1}', "$.seat"),
        (b'{"number": 0, "action": null}', "$.action"),
    ],
)
def test_what_cannot_be_read_says_where(table, game_id, body, path):
    with pytest.raises(UnreadableError) as fault:
        table.act(game_id, body)
    assert fault.value.path == path
    assert table.store.game(game_id).number == 0


def test_endless_nesting_is_unreadable(table, game_id):
    with pytest.raises(UnreadableError) as fault:
        table.act(game_id, b'{"number": 0, "action": ' + b"[" * 5000 + b"]" * 5000 + b"}")
    assert fault.value.path in ("$", "$.action")  # from Python 3.13 on the outer part is read
    assert table.store.game(game_id).number == 0


def test_changed_types_are_unreadable_or_refused(table, game_id):
    wrong: list[object] = [None, True, -1, 10**30, 1.5, "", "x" * 1000, [], {}]
    for name in ("kind", "private", "amount"):
        for value in wrong:
            with pytest.raises((UnreadableError, Refused)):
                table.act(game_id, sent(0, bid(2, 35) | {name: value}))
    assert table.store.game(game_id).number == 0


def test_undo_and_redo_lose_nothing(table, game_id):
    table.act(game_id, sent(0, bid(2, 35)))
    after = digest(state_of(table, game_id))
    table.undo(game_id, b'{"number": 1}')
    assert state_of(table, game_id).committed_to_bids(0) == 0
    table.redo(game_id, b'{"number": 2}')
    assert digest(state_of(table, game_id)) == after
    assert [(row.kind, row.parent) for row in table.store.entries(game_id)] == [("action", 0), ("undo", 0), ("redo", 1)]


def test_undo_and_redo_have_ends(table, game_id):
    with pytest.raises(NothingToUndoError, match="nothing_to_undo"):
        table.undo(game_id, b'{"number": 0}')
    with pytest.raises(NothingToUndoError, match="nothing_to_redo"):
        table.redo(game_id, b'{"number": 0}')
    with pytest.raises(NothingToUndoError):
        table.undo(game_id, b'{"number": 0, "to": 9}')


def test_a_stale_undo_takes_nothing_back(table, game_id):
    table.act(game_id, sent(0, bid(2, 35)))
    with pytest.raises(StaleSubmissionError):
        table.undo(game_id, b'{"number": 0}')
    assert state_of(table, game_id).committed_to_bids(0) == 35


def test_record_goes_out_and_in(table, game_id):
    table.act(game_id, sent(0, bid(2, 35)))
    table.act(game_id, sent(1, PASS))
    table.undo(game_id, b'{"number": 2}')
    data = table.record(game_id)
    twin = table.import_record(data)
    assert twin != game_id
    assert table.cache.get(twin).game.entries == table.cache.get(game_id).game.entries
    assert table.record(twin) == data
    assert from_json(data).number == 3


@pytest.mark.parametrize(
    "spoil",
    [
        lambda r: r | {"digest": "0" * 64},
        lambda r: r | {"game": "18nowhere"},
        lambda r: r | {"trajekt": 99},
        lambda r: r | {"entries": [*r["entries"], r["entries"][0]]},
        lambda r: r | {"entries": [r["entries"][0] | {"action": {"kind": "fly"}}]},
        lambda r: r | {"options": {"edition": 7}},
        lambda r: {k: v for k, v in r.items() if k != "players"},
        lambda r: [r],
    ],
)
def test_a_broken_record_is_refused_whole(table, game_id, spoil):
    table.act(game_id, sent(0, bid(2, 35)))
    record = json.loads(table.record(game_id))
    with pytest.raises(UnreadableError):
        table.import_record(msgspec.json.encode(spoil(record)))
    assert len(table.store.games()) == 1


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        (NewTable("18rhl", ("Ada", "Bert")), "$"),
        (NewTable("18rhl", ("Ada", "Bert", "Cleo", "Dora", "Emil", "Fritz")), "$"),
        (NewTable("18rhl", ("Ada", "Ada ", "Cleo")), "$.players[1]"),
        (NewTable("18rhl", ("Ada", "", "Cleo")), "$.players[1]"),
        (NewTable("18rhl", ("Ada", "B" * 41, "Cleo")), "$.players[1]"),
        (NewTable("18rhl", ("Ada", "Be\x07rt", "Cleo")), "$.players[1]"),
        (NewTable("18nowhere", ("Ada", "Bert", "Cleo")), "$"),
        (NewTable("18rhl", ("Ada", "Bert", "Cleo"), {"edition": 3}), "$"),
        (NewTable("18rhl", ("Ada", "Bert", "Cleo"), {"colour": "red"}), "$"),
        (NewTable("18rhl", ("Ada", "Bert", "Cleo"), {}, -1), "$.seed"),
        (NewTable("18rhl", ("Ada", "Bert", "Cleo"), {}, 2**40), "$.seed"),
    ],
)
def test_impossible_table_is_refused(table, wanted, path):
    with pytest.raises(UnreadableError) as fault:
        table.create(wanted)
    assert fault.value.path == path
    assert table.store.games() == []


def test_same_seed_makes_same_table(table):
    made = [table.create(NewTable("18rhl", ("Ada", "Bert", "Cleo"), {"edition": 1}, 11)) for _ in range(2)]
    first, second = (state_of(table, id_) for id_ in made)
    assert digest(first) == digest(second)


def test_an_unknown_table_is_unknown(table):
    for action in (table.act, table.undo, table.redo):
        with pytest.raises(UnknownTableError):
            action("nobody", b'{"number": 0, "action": {"kind": "pass"}}')


def test_cold_games_make_room(store):
    table = TableService(GameCache(store, capacity=2_000_000))
    made = [table.create(NewTable("18rhl", ("Ada", "Bert", "Cleo"), {"fixed_seats": True}, n)) for n in range(3)]
    for id_ in made:
        table.act(id_, sent(0, bid(2, 35)))
    assert len(table.cache._recent) == 2
    assert state_of(table, made[0]).committed_to_bids(0) == 35
    assert table.act(made[0], sent(1, PASS)).number == 2
