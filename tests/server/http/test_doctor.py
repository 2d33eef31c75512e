"""What `trajekt doctor` finds: broken set-ups, each with its sentence, and a good one without a fault."""

from __future__ import annotations

import json
import smtplib
import time
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from tests.server.conftest import OPTIONS, PLAYERS
from trajekt.cli import main
from trajekt.server.http import doctor
from trajekt.server.http.doctor import FAULT, FOREIGN, GOOD, WARNING, Setup
from trajekt.server.storage.file_lock import lock_of
from trajekt.server.storage.schema import GAMES
from trajekt.server.storage.store import Store

MAIL = {"smtp": "smtp://name:hidden@mail.example", "mail_from": "t@play.example", "address": "https://play.example"}


@pytest.fixture
def database(tmp_path):
    """A database with its schema, by its address."""
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    store = Store(url)
    store.migrate()
    yield url
    store.close()


def found(findings):
    """Findings by subject."""
    return {each.subject: each for each in findings}


def test_a_good_database_has_no_fault(database):
    about = found(doctor.of_database(database))
    assert FAULT not in {each.state for each in about.values()}
    assert about["writing"].state == GOOD
    assert about["server"].state == WARNING  # none runs
    assert "GB free" in about["disk"].text


def test_database_readable_by_all_is_told(database, tmp_path):
    (tmp_path / "tables.db").chmod(0o644)
    assert "chmod 600" in found(doctor.of_database(database))["rights"].mend


def test_unreachable_database_is_a_fault():
    about = found(doctor.of_database("postgresql://u:hidden@127.0.0.1:1/x"))["database"]
    assert about.state == FAULT
    assert "hidden" not in about.text


def test_a_later_schema_is_a_fault(database):
    store = Store(database)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    store.close()
    assert "9999" in found(doctor.of_database(database))["database"].text


def test_a_running_server_is_seen(database):
    store = Store(database)
    lock = lock_of(store.engine)
    lock.take("http://localhost:8018/")
    try:
        about = found(doctor.of_database(database))["server"]
    finally:
        lock.release()
        store.close()
    assert (about.state, "localhost:8018" in about.text) == (GOOD, True)


def test_clock_set_back_is_a_fault(client, store):
    client.post("/tables", json={"game": "18rhl", "players": PLAYERS, "options": OPTIONS})
    assert doctor.of_clock(store).state == GOOD
    with store.begin() as connection:
        connection.execute(sa.update(GAMES).values(changed=time.time() + 86400))
    assert doctor.of_clock(store).state == FAULT


def test_size_counts_unwritten_log(tmp_path):
    file = tmp_path / "tables.db"
    file.write_bytes(bytes(100))
    assert doctor.bytes_stored(file) == 100
    (tmp_path / "tables.db-wal").write_bytes(bytes(50))
    assert doctor.bytes_stored(file) == 150


def test_a_full_disk_is_a_fault(database, monkeypatch):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _at: SimpleNamespace(free=10 * 2**20))
    assert found(doctor.of_database(database))["disk"].state == FAULT


@pytest.mark.parametrize(
    ("seen", "subject", "state"),
    [
        ({"host": "play.example", "scheme": "https", "address": "198.51.100.7"}, "proxy: client", GOOD),
        ({"host": "127.0.0.1:8018", "scheme": "https", "address": "198.51.100.7"}, "proxy: Host", FAULT),
        ({"host": "play.example", "scheme": "http", "address": "198.51.100.7"}, "proxy: scheme", FAULT),
        ({"host": "play.example", "scheme": "https", "address": FOREIGN}, "proxy: client", FAULT),
        ({"host": "play.example", "scheme": "https", "address": "127.0.0.1"}, "proxy: client", WARNING),
    ],
)
def test_missing_proxy_header_is_named(monkeypatch, seen, subject, state):
    monkeypatch.setattr(doctor, "_asked", lambda _url, _headers: (seen, {}))
    assert found(doctor.of_address("https://play.example"))[subject].state == state


def test_address_leading_nowhere_is_a_fault():
    about = found(doctor.of_address("http://127.0.0.1:9"))["address"]
    assert (about.state, "does not answer" in about.text) == (FAULT, True)


def test_server_tells_how_requests_arrive(client):
    seen = client.get("/health/request", headers={"host": "localhost:8018"}).json()
    assert seen == {"host": "localhost:8018", "scheme": "http", "address": seen["address"]}


def test_letters_are_tried_with_server_answer():
    def refused(_server, _letter, _to):
        raise smtplib.SMTPAuthenticationError(535, b"wrong name")

    sent = []
    setup = Setup("", **MAIL, letter_to="host@example.org")
    assert "wrong name" in found(doctor.of_mail(setup, refused))["letters"].text
    assert found(doctor.of_mail(setup, lambda *words: sent.append(words)))["letters"].state == GOOD
    assert sent[0][2] == "host@example.org"
    assert "hidden" not in repr(found(doctor.of_mail(setup, refused)))
    assert found(doctor.of_mail(Setup("", mail_from="t@play.example")))["letters"].state == FAULT


def test_command_ends_by_its_findings(database):
    good = CliRunner().invoke(main, ["doctor", "--db", database, "--json"])
    assert good.exit_code == 0
    assert {"program", "database", "limits", "address", "letters"} <= {
        each["subject"] for each in json.loads(good.stdout)
    }
    bad = CliRunner().invoke(main, ["doctor", "--db", database, "--mail-from", "t@play.example"])
    assert (bad.exit_code, "--mail-from without --smtp" in bad.output) == (1, True)
