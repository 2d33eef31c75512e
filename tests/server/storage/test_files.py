"""Files of the server: one server for a database, readable by its owner, and no password in a line that is printed."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from trajekt import new_game
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.http.serve import (
    ServeError,
    checked_address,
    data_folder,
    free_socket,
    mail_server_option,
    open_store,
)
from trajekt.server.storage.backup_and_restore import ArchiveError, taken_in, written
from trajekt.server.storage.database import (
    MIGRATIONS,
    DatabaseError,
    known_revisions,
    newest_revision,
    shown,
    upgrade,
    url_of,
)
from trajekt.server.storage.file_lock import lock_of
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.store import Store


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_second_server_learns_of_the_first(store):
    first, second = lock_of(store.engine), lock_of(store.engine)
    first.take("http://localhost:8018/")
    with pytest.raises(DatabaseError, match="http://localhost:8018/"):
        second.take("elsewhere")
    first.release()
    second.take("elsewhere")
    second.release()


def test_running_server_prevents_restoring(store, tmp_path):
    GameCache(store).create("one", new_game("18rhl", ("A", "B", "C"), {}, 1))
    written(store.engine, tmp_path / "b.gz")
    lock = lock_of(store.engine)
    lock.take("http://localhost:8018/")
    with pytest.raises(DatabaseError, match="runs on this database"):
        taken_in(store.engine, tmp_path / "b.gz")
    lock.release()


def test_files_are_the_owners_alone(tmp_path):
    folder = tmp_path / "data"
    store = Store(f"sqlite:///{folder / 'tables.db'}")
    store.migrate()
    written(store.engine, tmp_path / "b.gz")
    assert [mode(folder), mode(folder / "tables.db"), mode(tmp_path / "b.gz")] == [0o700, 0o600, 0o600]
    assert {mode(path) for path in folder.iterdir()} == {0o600}
    store.close()


def test_failed_backup_leaves_nothing(store, tmp_path):
    target = tmp_path / "no" / "b.gz"
    with pytest.raises(ArchiveError, match="cannot be written"):
        written(store.engine, target)
    assert list(tmp_path.glob("**/*.part")) == []


def test_no_password_is_shown(monkeypatch):
    secret = "postgresql://u:SECRET@127.0.0.1:1/x"
    assert "SECRET" not in shown(secret)
    said = []
    with pytest.raises(ServeError) as refused:
        open_store(secret, said.append, wait=2)
    assert "SECRET" not in " ".join([str(refused.value), *said])
    assert said
    monkeypatch.undo()


def test_addresses_of_databases_are_read_kindly(tmp_path):
    assert url_of("postgres://u@h/x").drivername == url_of("postgresql://u@h/x").drivername == "postgresql+psycopg"
    assert url_of(str(tmp_path / "t.db")).database == str(tmp_path / "t.db")


def test_a_later_schema_is_a_sentence(store):
    with store.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseError, match=f"schema 9999, this one knows {newest_revision()}"):
        upgrade(store.engine)
    with pytest.raises(ServeError, match="later version"):
        open_store(store.url, lambda _line: None)


def test_newest_schema_needs_no_alembic(store):
    """Loading it takes as long as the rest of a start."""
    code = (
        "import sys; from trajekt.server.storage.store import Store; "
        f"Store({store.url!r}).migrate(); print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False"


def test_files_of_migrations_name_their_revisions():
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    directory = ScriptDirectory.from_config(config)
    assert known_revisions() == sorted(script.revision for script in directory.walk_revisions())
    assert newest_revision() == directory.get_current_head()


@pytest.mark.parametrize(
    "address", ["play.example", "ftp://x y/z", "nonsense", "https://", "http://a b", "https://x/?y"]
)
def test_unusable_link_address_is_refused(address):
    with pytest.raises(ServeError, match="no address"):
        checked_address(address)


def test_a_final_slash_is_cut():
    assert checked_address("https://play.example/") == "https://play.example"


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        ((None, "t@play.example", "https://play.example"), "--smtp"),
        (("smtp://mail.example", None, "https://play.example"), "--mail-from"),
        (("smtp://mail.example", "t@play.example", ""), "--address"),
    ],
)
def test_half_mail_setting_is_refused(options, missing):
    with pytest.raises(ServeError, match=missing):
        mail_server_option(*options)


def test_named_port_is_that_port():
    with free_socket("127.0.0.1", 0) as taken, pytest.raises(ServeError, match="taken"):
        free_socket("127.0.0.1", taken.getsockname()[1], tries=1)


def test_restored_namesake_keeps_the_seats(tmp_path):
    stores = [Store(str(tmp_path / name)) for name in ("one.db", "two.db")]
    people = []
    for store in stores:
        store.migrate()
        people.append(Accounts(GameCache(store)).welcome(name="Anna", folded="anna", passcode_hash="x")[0].id)
    GameCache(stores[0]).create("one", new_game("18rhl", ("A", "B", "C"), {}, 1), "hash", people[0])
    written(stores[0].engine, tmp_path / "b.gz")
    assert taken_in(stores[1].engine, tmp_path / "b.gz") == 1
    assert stores[1].game("one").host == people[0]
    with stores[1].engine.connect() as connection:
        names = dict(connection.execute(sa.text("SELECT id, name FROM people")).all())
    assert names == {people[0]: None, people[1]: "Anna"}
    for store in stores:
        store.close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root makes files for another user")
def test_roots_files_belong_to_folder_owner(store, tmp_path):
    """A restore as root must leave files that the server's user can write."""
    GameCache(store).create("one", new_game("18rhl", ("A", "B", "C"), {}, 1))
    written(store.engine, tmp_path / "b.gz")
    folder = tmp_path / "trajekt"
    folder.mkdir()
    os.chown(folder, 23018, 23018)
    target = Store(str(folder / "tables.db"))
    assert taken_in(target.engine, tmp_path / "b.gz") == 1
    assert {(path.stat().st_uid, path.stat().st_gid) for path in folder.iterdir()} == {(23018, 23018)}
    target.close()


@pytest.mark.parametrize(("right", "word"), [(os.R_OK, "read"), (os.W_OK, "written")])
def test_database_of_another_ends_the_start(tmp_path, monkeypatch, right, word):
    store = Store(str(tmp_path / "tables.db"))
    store.migrate()
    store.close()
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, how: how != right and access(path, how))
    monkeypatch.setattr(Path, "owner", lambda _file: "ada")
    with pytest.raises(ServeError, match=rf"tables\.db cannot be {word} by this user \(it belongs to ada\)"):
        open_store(str(tmp_path / "tables.db"), lambda _line: None)


def test_missing_home_is_a_sentence(monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("TRAJEKT_DATA", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(ServeError, match=r"--db.*TRAJEKT_DATA"):
        data_folder()
