"""`trajekt review`: sentences for people, JSON for programs, files and folders, what cannot be read."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from tests.builders.played_moments import played
from trajekt.cli import main
from trajekt.records import save


def run(*args):
    return CliRunner().invoke(main, [str(a) for a in args], catch_exceptions=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two short games and a file that is none."""
    at = tmp_path_factory.mktemp("games")
    save(played("18rhl", most=120), at / "one.json")
    save(played("18lra", most=120), at / "two.json")
    (at / "torn.json").write_text("{", encoding="utf-8")
    return at


def test_sentences_say_how_sure_they_are(folder):
    done = run("review", folder / "one.json")
    assert done.exit_code == 0
    lines = [line for line in done.output.splitlines() if line.startswith("  ")]
    assert {line.split()[0] for line in lines} <= {"✓", "≈", "·"}
    assert any(line.split()[0] == "✓" and "runs" in line for line in lines)
    assert "Fahrten" in run("review", "--language", "de", folder / "one.json").output


def test_document_has_runs_and_findings(folder):
    done = run("review", "--json", "--runs-only", folder / "one.json")
    document = json.loads(done.stdout)
    assert (document["review"], document["game"], document["lays"]) == (1, "18rhl", [])
    assert all(each["best"] >= each["taken"] for each in document["runs"])
    assert len(document["findings"]) == 4


def test_folder_is_reviewed_file_by_file(folder):
    done = run("review", "--runs-only", "--all", folder)
    assert done.exit_code == 1
    assert "one.json: 18rhl/" in done.output
    assert "two.json: 18lra" in done.output
    assert "torn.json:" in done.output
    assert "1 of 3 files could not be reviewed" in done.output


def test_empty_folder_says_so(tmp_path):
    done = run("review", tmp_path)
    assert (done.exit_code, "no games" in done.output) == (1, True)


def test_openings_of_a_folder(folder):
    done = run("openings", folder)
    assert done.exit_code == 0
    assert "18rhl/2, 4 players: 1 games" in done.output
    assert "torn.json:" in done.output
    document = json.loads(run("openings", "--json", folder / "one.json").stdout)
    assert [(each["ruleset"], each["games"]) for each in document] == [("18rhl/2", 1)]
