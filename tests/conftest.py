"""Marks, profiles and the few fixtures that every test may use. See README.md beside this file for the map."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import started_processes

PROJECT = Path(__file__).resolve().parent.parent
SHARED = PROJECT.parent / "shared"
"""The rule sheets, component sheets and the recorded game, which lie beside the project on some machines only."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

MARKS = (
    "rule(id, ...): the requirement of the rule sheets that this test holds",
    "case(id, ...): the case from play (cases.md) that this test holds",
    "slow: takes more than about two seconds; left out by `make check`",
    "browser: drives the page in a real Chromium; left out by `make check`",
    "flaky(reruns): tried again where it fails, by pytest-rerunfailures; told as RERUN",
)

os.environ["TRAJEKT_LANGUAGE"] = "en"  # whatever the locale of the machine, in its processes too

settings.register_profile("quick", max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "ci", max_examples=100, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_configure(config: pytest.Config) -> None:
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    started_processes.begin()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test in a browser that fails is tried once more: a browser may be killed, or starved by the rest of the machine.

    The run tells it as RERUN at its end. One that is told so twice is a race of the page or of the test, to be mended.
    """
    for item in items:
        if item.get_closest_marker("browser") and "FAR_SERVER" not in os.environ:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """A run after which a server or a database goes on by itself has failed."""
    if hasattr(session.config, "workerinput"):
        return  # the others may still be at work
    if left := started_processes.end():
        sys.stderr.write(f"\nprocesses of the tests were left, and are killed: {left}\n")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def shared_path(name: str) -> Path:
    """The file or folder `name` under ../shared; the test that asks is skipped where it is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip("needs a file of ../shared, which is no part of the project")
    return path


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of this project."""
    return PROJECT


@pytest.fixture
def shared():
    """`shared("recorded/x.json")`: the path under ../shared, or a skip."""
    return shared_path


@pytest.fixture
def reference_sheet(shared):
    """`reference_sheet("18rhl")`: the reference sheet of a game as it is written, or a skip."""
    yaml = pytest.importorskip("yaml", reason="no PyYAML here: it comes with the developers' tools")

    def read(game: str) -> dict[str, Any]:
        return yaml.safe_load(shared(f"reference/{game}/sheet.yaml").read_text(encoding="utf-8"))

    return read


@pytest.fixture
def server(tmp_path):
    """A real server process on a database of its own."""
    from tests.server.processes import ServerProcess

    made = ServerProcess(tmp_path / "tables.db")
    made.start()
    yield made
    made.kill()


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The program of a Chromium for Playwright's `executable_path`; `CHROMIUM` names another one."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    if Path(own).exists():
        return own
    pytest.skip("no Chromium here: install one (Debian: apt-get install chromium) or name it in CHROMIUM")
