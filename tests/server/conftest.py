"""A store in a temporary file, a table on it, and a client of the application."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from tests.server.postgres import cluster, programs
from tests.server.processes import ServerProcess
from trajekt.server.http.app import create_app
from trajekt.server.http.rate_limit import Limits, Rate
from trajekt.server.services.table_service import NewTable, TableService
from trajekt.server.storage.database import connect
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.store import Store

PLAYERS = ("Ada", "Bert", "Cleo")
OPTIONS = {"edition": 2, "fixed_seats": True}


@pytest.fixture(autouse=True)
def connections_closed(tmp_path):
    """Close what a test has opened in its folder: a pool that is forgotten leaves it to chance, and Python 3.13 complains.

    A connection that a thread is still at is left to it: closed under its hands it would end the process.
    """
    engines: set[sa.Engine] = set()

    def remember(connection):
        if Path(connection.engine.url.database or "").is_relative_to(tmp_path):
            engines.add(connection.engine)

    sa.event.listen(sa.Engine, "engine_connect", remember)
    yield
    sa.event.remove(sa.Engine, "engine_connect", remember)
    for engine in engines:
        engine.dispose()


@pytest.fixture
def url(request, tmp_path):
    """A database with nothing in it: a file, or the PostgreSQL for a test that is parametrized `ON_BOTH`."""
    if getattr(request, "param", "sqlite") == "postgresql":
        return request.getfixturevalue("emptied")
    return f"sqlite:///{tmp_path / 'tables.db'}"


@pytest.fixture
def store(url):
    made = Store(url)
    made.migrate()
    yield made
    made.close()


@pytest.fixture(scope="session")
def database():
    """The address of a PostgreSQL that runs for these tests alone."""
    pytest.importorskip("psycopg", reason="no psycopg here: pip install '.[postgres]'")
    if programs() is None:
        pytest.skip("no PostgreSQL here (Debian: apt-get install postgresql)")
    # a short name: that of a socket has a limit; and under /tmp, where user `postgres` may go
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        with cluster(folder) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def emptied(database):
    """The PostgreSQL with nothing in it; a file of tests whose `url` this is has its `store` there."""
    engine = connect(database)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    engine.dispose()
    return database


@pytest.fixture
def two(store, url):
    """A table of friends, and the two processes that serve it."""
    twin = Store(url)
    here, there = TableService(GameCache(store)), TableService(GameCache(twin))
    id_ = here.open(NewTable("18rhl", PLAYERS, OPTIONS, 7, friends=True)).id
    there.cache.get(id_)
    yield id_, here, there
    twin.close()


@pytest.fixture
def servers(store, url, tmp_path):
    """Two real servers on the database of `store`."""
    made = ServerProcess(tmp_path / "here"), ServerProcess(tmp_path / "there")
    try:
        for each in made:
            each.url = url
            each.start()
        yield made
    finally:
        for each in made:
            each.kill()


@pytest.fixture
def table(store):
    return TableService(GameCache(store))


@pytest.fixture
def game_id(table):
    return table.create(NewTable("18rhl", PLAYERS, OPTIONS, 7))


@pytest.fixture
def app(store):
    return create_app(store, limits=Limits(processor=Rate(burst=1000, again=100)))  # no test waits for its share


@pytest.fixture
def client(app):
    with TestClient(app) as made:
        yield made


@pytest.fixture
def device(app, client):
    """`device()`: another browser at the application that runs for `client`."""
    return lambda: TestClient(app)


@pytest.fixture
def id_(client):
    return client.post("/tables", json={"game": "18rhl", "players": PLAYERS, "options": OPTIONS, "seed": 7}).json()[
        "id"
    ]
