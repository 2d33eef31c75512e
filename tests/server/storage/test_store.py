"""The store: one entry after the other, nothing twice, nothing torn, the schema by migration."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa

from tests.server.databases import ON_BOTH
from tests.server.storage.rows import entry, game_row
from tests.server.waiting import at_once
from trajekt.server.storage.database import connect, upgrade
from trajekt.server.storage.schema import META
from trajekt.server.storage.store import StaleError, Store


@ON_BOTH
def test_entries_come_back_in_order(store):
    store.create(game_row())
    for number in (1, 2, 3):
        store.append("one", entry(number), moment=f"SR {number}", finished=False)
    assert [row.number for row in store.entries("one")] == [1, 2, 3]
    assert [row.number for row in store.entries("one", after=2)] == [3]
    row = store.game("one")
    assert (row.number, row.moment, row.finished) == (3, "SR 3", False)
    assert row.changed >= row.created > 0


@ON_BOTH
def test_late_entry_is_refused(store):
    store.create(game_row())
    store.append("one", entry(1), moment="", finished=False)
    with pytest.raises(StaleError) as stale:
        store.append("one", entry(1), moment="", finished=False)
    assert stale.value.number == 1
    with pytest.raises(StaleError):
        store.append("one", entry(3), moment="", finished=False)
    assert [row.number for row in store.entries("one")] == [1]


@ON_BOTH
def test_no_entry_without_a_game(store):
    with pytest.raises(KeyError):
        store.append("none", entry(1), moment="", finished=False)
    assert store.entries("none") == []


@ON_BOTH
def test_failed_entry_leaves_the_number(store):
    store.create(game_row())
    with store.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO entries VALUES ('one', 1, 0, 0, 'action', '', '', 1, 0, NULL, NULL)")
    with pytest.raises(sa.exc.IntegrityError):
        store.append("one", entry(1), moment="SR 1", finished=False)
    assert store.game("one").number == 0


@ON_BOTH
def test_one_writer_at_a_number_wins(store):
    store.create(game_row())
    won: list[int] = []

    def write() -> None:
        for number in range(1, 11):
            try:
                store.append("one", entry(number), moment="", finished=False)
                won.append(number)
            except StaleError:
                continue

    at_once(*[write] * 4)
    assert sorted(won) == sorted(set(won))
    numbers = [row.number for row in store.entries("one")]
    assert numbers == list(range(1, len(won) + 1))
    assert store.game("one").number == len(won) == 10


@ON_BOTH
def test_game_and_entries_are_stored_together(store):
    store.create(game_row(), (entry(1), entry(2)))
    assert store.game("one").number == 2
    with pytest.raises(sa.exc.IntegrityError):
        store.create(game_row("two"), (entry(1), entry(1)))
    assert store.game("two") is None


@ON_BOTH
def test_newest_games_come_first(store):
    for name in ("a", "b", "c"):
        store.create(game_row(name))
    store.append("a", entry(1), moment="", finished=False)
    assert store.games()[0].id == "a"
    assert {row.set_up for row in store.games()} == {""}


def test_migrations_make_the_used_schema(url):
    engine = connect(url)
    upgrade(engine)
    inspector = sa.inspect(engine)
    for table in META.sorted_tables:
        found = {column["name"]: column for column in inspector.get_columns(table.name)}
        assert set(found) == {column.name for column in table.columns}
        for column in table.columns:
            assert found[column.name]["nullable"] == column.nullable, column
        assert inspector.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key]
    engine.dispose()


def test_broken_migration_leaves_nothing(url, monkeypatch):
    engine = connect(url)
    real = sa.Connection.execute

    def dies(self, statement, *args, **kwargs):
        if "alembic_version" in str(statement) and "INSERT" in str(statement):
            raise KeyboardInterrupt
        return real(self, statement, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(sa.Connection, "execute", dies)
        with pytest.raises(KeyboardInterrupt):
            upgrade(engine)
    assert "games" not in sa.inspect(engine).get_table_names()
    upgrade(engine)
    assert "games" in sa.inspect(engine).get_table_names()
    engine.dispose()


def test_old_file_is_migrated_again(store, url):
    store.create(game_row(), (entry(1),))
    store.close()
    again = Store(url)
    again.migrate()
    assert again.game("one").number == 1
    again.close()


def test_sqlite_writes_ahead_and_keeps_references(store, url):
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    path = url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path)) as raw, raw:
        assert raw.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)
    raw.close()


def test_connection_at_work_is_closed_later(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    with store.engine.connect() as connection:
        raw = connection.connection.dbapi_connection
        store.close()  # while somebody still reads
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        raw.execute("SELECT 1")


def test_connection_handed_back_is_used_again(store):
    with store.engine.connect() as connection:
        raw = connection.connection.dbapi_connection
    with store.engine.connect() as connection:
        assert connection.connection.dbapi_connection is raw
