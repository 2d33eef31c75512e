"""Component sets in the store, and tables that are played with one: the table keeps a copy of its own."""

from __future__ import annotations

import pytest

from trajekt.engine.components.component_sets import set_of
from trajekt.records import from_json
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.refusals import DeniedError
from trajekt.server.services.table_service import NewTable, TableService, UnreadableError
from trajekt.server.storage import backup_and_restore, component_sets
from trajekt.server.storage.accounts import data_of
from trajekt.server.storage.deletion import delete_person
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.store import Store

SET = '[set]\ngame = "18ruhr"\nedition = 2\nname = "Ada"\nversion = "4"\n\n[privates.1]\nprice = 95\n'
NAMES = ("Ada", "Bert", "Cleo")


@pytest.fixture
def ada(table):
    return Accounts(table.cache).welcome()[0].id


@pytest.fixture
def kept(store, ada):
    return component_sets.add(store, ada, "18ruhr", SET)


def price(game):
    return game.ruleset.sheet.privates[1].price


def test_set_is_its_owners_alone(store, ada, kept, table):
    other = Accounts(table.cache).welcome()[0].id
    assert component_sets.find(store, ada, kept).text == SET
    assert component_sets.find(store, other, kept) is None
    assert component_sets.delete(store, other, kept) is False
    assert [each.id for each in component_sets.of_person(store, ada, "18ruhr")] == [kept]
    assert component_sets.of_person(store, ada, "18rhl") == []


def test_later_change_of_two_is_refused(store, ada, kept):
    component_sets.change(store, ada, kept, SET, SET + "# once\n")
    with pytest.raises(DeniedError) as raised:
        component_sets.change(store, ada, kept, SET, SET + "# twice\n")
    assert (raised.value.status, raised.value.code) == (409, "set_moved")
    assert component_sets.find(store, ada, kept).text == SET + "# once\n"


def test_number_of_sets_is_bounded(store, ada, monkeypatch):
    monkeypatch.setattr(component_sets, "MOST", 2)
    for _ in range(2):
        component_sets.add(store, ada, "18ruhr", SET)
    with pytest.raises(DeniedError) as raised:
        component_sets.add(store, ada, "18ruhr", SET)
    assert raised.value.code == "too_many_sets"


def test_table_is_played_with_a_set(table, ada, kept):
    with_set = table.create(NewTable("18ruhr", NAMES, seed=1, component_set=kept), ada)
    ours = table.create(NewTable("18ruhr", NAMES, seed=1))
    assert price(table.cache.get(with_set).game) == 95
    assert price(table.cache.get(ours).game) != 95
    assert set_of(table.cache.get(with_set).game.ruleset.sheet).version == "4"


def test_table_outlives_its_set(table, store, ada, kept):
    id_ = table.create(NewTable("18ruhr", NAMES, seed=1, component_set=kept), ada)
    component_sets.delete(store, ada, kept)
    fresh = TableService(GameCache(store))
    assert price(fresh.cache.get(id_).game) == 95
    assert price(from_json(fresh.record(id_))) == 95


def test_only_the_owner_chooses(table, ada, kept):
    other = Accounts(table.cache).welcome()[0].id
    for person in (other, ""):
        with pytest.raises(UnreadableError) as raised:
            table.create(NewTable("18ruhr", NAMES, component_set=kept), person)
        assert raised.value.code == "no_set"


@pytest.mark.parametrize(
    "text", [SET + "prise = 1\n", "[set\n", SET.replace("18ruhr", "18rhl"), SET.replace("= 2", "= 1")]
)
def test_faulty_set_makes_no_table(table, store, text):
    with pytest.raises(UnreadableError) as raised:
        table.create(NewTable("18ruhr", NAMES, component_set=text))
    assert raised.value.code == "set_faults"
    assert store.games() == []


def test_file_itself_makes_a_table(table):
    assert price(table.cache.get(table.create(NewTable("18ruhr", NAMES, component_set=SET))).game) == 95


def test_backup_carries_sets_and_tables(table, store, ada, kept, tmp_path):
    id_ = table.create(NewTable("18ruhr", NAMES, seed=1, component_set=kept), ada)
    backup_and_restore.written(store.engine, tmp_path / "all.gz")
    other = Store(f"sqlite:///{tmp_path / 'other.db'}")
    other.migrate()
    backup_and_restore.taken_in(other.engine, tmp_path / "all.gz")
    assert price(GameCache(other).get(id_).game) == 95
    assert component_sets.find(other, ada, kept).text == SET
    other.close()


def test_sets_go_with_their_owner(store, ada, kept):
    assert [each["id"] for each in data_of(store, ada)["component_sets"]] == [kept]
    delete_person(store, ada)
    assert component_sets.of_person(store, ada) == []
