"""Whole tables as a file: what one database has, another has after it, of whatever kind and whatever earlier schema."""

from __future__ import annotations

import gzip
import json

import msgspec
import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from starlette.testclient import TestClient

from tests.server.friends import gathered
from tests.server.rows import rows
from tests.server.storage.rows import entry, game_row
from trajekt.cli import main
from trajekt.server.http.app import create_app
from trajekt.server.storage.backup_and_restore import ArchiveError, taken_in, written
from trajekt.server.storage.database import connect, revision_of, upgrade
from trajekt.server.storage.store import Store


@pytest.fixture
def opened():
    """Databases that are opened by their address and closed behind the test."""
    engines = []

    def open_(address):
        engines.append(connect(address))
        return engines[-1]

    yield open_
    for engine in engines:
        engine.dispose()


@pytest.fixture
def played(store):
    """A table of friends at which something has happened, and a table at one screen."""
    with TestClient(create_app(store), base_url="http://testserver") as client:
        id_, people = gathered(client)
        first = client.app.state.server.table.cache.get(id_).game.to_act[0]
        friend = next(each for each in people.values() if each.seat == first)
        assert friend.play(0, kind="bid", private=2, amount=friend_bid(client, id_)).status_code == 200
        assert friend.post("talk", {"text": "Good evening"}).status_code < 300
        assert friend.post("notes", {"text": "Buy the ferry"}).status_code < 300
        names = ("Uta", "Veit", "Willi")
        one = client.post("/tables", json={"game": "18lra", "players": names}).json()["id"]
    return id_, one


def friend_bid(client, id_):
    """The least bid on the second certificate."""
    game = client.app.state.server.table.cache.get(id_).game
    return min(
        c.action.amount for c in game.choices() if getattr(c.action, "private", 0) == 2 and hasattr(c.action, "amount")
    )


def test_another_database_has_everything_afterwards(store, played, tmp_path, opened):
    assert written(store.engine, tmp_path / "all.gz") == 2
    other = opened(f"sqlite:///{tmp_path / 'other.db'}")
    assert taken_in(other, tmp_path / "all.gz") == 2
    before, after = rows(store.engine), rows(other)
    assert before == after
    assert before["talk"]
    assert before["notes"]
    assert len(before["entries"]) == 1
    again = Store(f"sqlite:///{tmp_path / 'other.db'}")
    with TestClient(create_app(again), base_url="http://testserver") as client:
        assert client.get(f"/t/{played[1]}/record.json").status_code == 200
    again.close()


def test_one_table_joins_other_database(store, played, tmp_path):
    assert written(store.engine, tmp_path / "one.gz", [played[0]]) == 1
    other = Store(f"sqlite:///{tmp_path / 'other.db'}")
    other.migrate()
    other.create(game_row("elsewhere"), (entry(1),))
    assert taken_in(other.engine, tmp_path / "one.gz") == 1
    found = rows(other.engine)
    assert {row["id"] for row in found["games"]} == {"elsewhere", played[0]}
    assert found["seats"] == rows(store.engine)["seats"]
    assert {row["person"] for row in found["holders"]} <= {row["id"] for row in found["people"]}
    with pytest.raises(ArchiveError, match="is there already"):
        taken_in(other.engine, tmp_path / "one.gz")
    assert rows(other.engine) == found
    other.close()


def test_absent_table_leaves_no_file(store, tmp_path):
    with pytest.raises(ArchiveError, match="no table nobody"):
        written(store.engine, tmp_path / "none.gz", ["nobody"])
    assert list(tmp_path.glob("none*")) == []


@pytest.mark.parametrize("revision", ["0001", "0002", "0003", "0004", "0005"])
def test_earlier_schemas_are_taken_in(tmp_path, revision, opened):
    """A database of that time with a game in it; its file and the database itself come up to date."""
    old = opened(f"sqlite:///{tmp_path / 'old.db'}")
    upgrade(old, revision)
    known = sa.MetaData()
    known.reflect(old)
    row = msgspec.structs.asdict(game_row("game"))
    columns = known.tables["games"].c
    values = {name: value for name, value in row.items() if name in columns} | {"number": 1}
    action = {"game": "game", **msgspec.structs.asdict(entry(1))}
    with old.begin() as connection:
        connection.execute(columns.id.table.insert().values(values))
        there = known.tables["entries"]
        connection.execute(there.insert().values({k: v for k, v in action.items() if k in there.c}))
    head = {"format": "trajekt-tables", "version": 1, "revision": revision, "games": 1}
    lines = [head]
    with old.connect() as connection:
        for name in ("games", "entries"):
            found = connection.execute(sa.select(known.tables[name])).mappings()
            lines += [{"table": name, "row": dict(each)} for each in found]
    (tmp_path / "old.gz").write_bytes(gzip.compress("\n".join(json.dumps(line) for line in lines).encode()))
    new = opened(f"sqlite:///{tmp_path / 'new.db'}")
    assert taken_in(new, tmp_path / "old.gz") == 1
    upgrade(old)
    assert rows(new) == rows(old)
    assert revision_of(new) == revision_of(old)
    assert len(rows(new)["entries"]) == 1


def test_torn_file_changes_nothing(store, played, tmp_path, opened):
    file = tmp_path / "all.gz"
    written(store.engine, file)
    whole = file.read_bytes()
    other = opened(f"sqlite:///{tmp_path / 'other.db'}")
    upgrade(other)
    empty = rows(other)
    later = gzip.compress(b'{"format":"trajekt-tables","version":1,"revision":"9999","games":0}\n')
    foreign = gzip.compress(b'{"format":"other","version":1,"revision":"0001","games":0}\n')
    unknown = gzip.compress(gzip.decompress(whole).splitlines()[0] + b'\n{"table":"wine","row":{"id":1}}\n')
    torn = gzip.compress(gzip.decompress(whole)[:-20])
    for bad in (whole[: len(whole) // 2], b"no archive", gzip.compress(b""), later, foreign, unknown, torn):
        file.write_bytes(bad)
        with pytest.raises(ArchiveError, match=r"all\.gz"):
            taken_in(other, file)
        assert rows(other) == empty


def test_commands_back_up_and_restore(store, played, url, tmp_path, opened):
    run = CliRunner().invoke
    file, target = tmp_path / "tables.gz", f"sqlite:///{tmp_path / 'target.db'}"
    done = run(main, ["backup", str(file), "--db", url])
    assert (done.exit_code, done.stderr.split()[0]) == (0, "2")
    assert run(main, ["restore", str(file), "--db", target]).exit_code == 0
    assert rows(opened(target)) == rows(store.engine)
    again = run(main, ["restore", str(file), "--db", target])
    assert (again.exit_code, "is there already" in again.stderr) == (1, True)
    missing = run(main, ["backup", str(file), "--db", f"sqlite:///{tmp_path / 'nowhere.db'}"])
    assert (missing.exit_code, "no database" in missing.stderr) == (1, True)
    assert not (tmp_path / "nowhere.db").exists()
    nobody = run(main, ["backup", str(file), "--db", url, "--table", "nobody"])
    assert (nobody.exit_code, "no table nobody" in nobody.stderr) == (1, True)


@pytest.mark.slow
def test_tables_move_to_postgresql_and_back(store, played, emptied, tmp_path, opened):
    written(store.engine, tmp_path / "all.gz")
    there = opened(emptied)
    assert taken_in(there, tmp_path / "all.gz") == 2
    assert rows(there) == rows(store.engine)
    assert written(there, tmp_path / "back.gz") == 2
    there.dispose()
    back = opened(f"sqlite:///{tmp_path / 'back.db'}")
    taken_in(back, tmp_path / "back.gz")
    assert rows(back) == rows(store.engine)


def test_hostile_archive_ends_in_sentence(store, played, tmp_path):
    """Rows that no backup has: a schema of their own, and numbers that no column holds."""
    file = tmp_path / "all.gz"
    written(store.engine, file)
    rest = gzip.decompress(file.read_bytes()).splitlines()
    other = connect(f"sqlite:///{tmp_path / 'other.db'}")
    upgrade(other)
    empty = rows(other)
    schema = {"table": "alembic_version", "row": {"version_num": "nonsense"}}
    big = json.loads(next(line for line in rest if b'"entries"' in line))
    big["row"]["seat"] = 10**30
    for line in (schema, big):
        file.write_bytes(gzip.compress(b"\n".join([rest[0], json.dumps(line).encode()])))
        done = CliRunner().invoke(main, ["restore", str(file), "--db", str(tmp_path / "other.db")])
        assert (done.exit_code, done.stderr.count("\n"), "Traceback" in done.stderr) == (1, 1, False)
        assert rows(other) == empty


def test_rows_are_restored_in_blocks(store, tmp_path):
    """A statement for each row would take a minute and a half for a thousand tables."""
    for n in range(40):
        store.create(game_row(f"t{n}"), tuple(entry(k) for k in range(1, 31)))
    written(store.engine, tmp_path / "all.gz")
    target = connect(f"sqlite:///{tmp_path / 'other.db'}")
    inserts = []

    def note(_connection, _cursor, statement, *_rest):
        if statement.startswith("INSERT"):
            inserts.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        assert taken_in(target, tmp_path / "all.gz") == 40
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
    assert len(rows(target)["entries"]) == 1200
    assert len(inserts) < 60


def test_backup_reads_rows_in_blocks(store, tmp_path):
    """Else the driver of PostgreSQL holds a whole table in memory."""
    store.create(game_row("one"), (entry(1),))
    streamed = {}

    def note(_connection, _cursor, statement, _parameters, context, _many):
        for name in ("games", "entries", "people"):
            if f"FROM {name}" in statement and "ORDER BY" in statement:
                streamed[name] = context.execution_options.get("yield_per")

    sa.event.listen(store.engine, "before_cursor_execute", note)
    written(store.engine, tmp_path / "all.gz")
    assert set(streamed) == {"games", "entries", "people"}
    assert all(0 < size <= 10_000 for size in streamed.values())


def test_torn_file_leaves_no_database(tmp_path):
    (tmp_path / "README.md").write_text("no backup")
    done = CliRunner().invoke(main, ["restore", str(tmp_path / "README.md"), "--db", str(tmp_path / "left.db")])
    assert (done.exit_code, "README.md" in done.stderr) == (1, True)
    assert list(tmp_path.glob("left*")) == []


def test_nightly_backup_is_silent(store, url, tmp_path):
    store.create(game_row("one"), (entry(1),))
    told = CliRunner().invoke(main, ["backup", str(tmp_path / "b.gz"), "--db", url])
    silent = CliRunner().invoke(main, ["backup", str(tmp_path / "b.gz"), "--db", url, "--quiet"])
    assert told.stderr.startswith("1 table in ")
    assert (silent.exit_code, silent.output, silent.stderr) == (0, "", "")
