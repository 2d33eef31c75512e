"""`trajekt review`: sentences for people, JSON for programs, files and folders, what cannot be read."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from tests.builders.played_moments import played
from trajekt.bots import executors
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


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """A game of few entries."""
    file = tmp_path_factory.mktemp("few") / "few.json"
    save(played("18rhl", most=44), file)
    return file


def test_sentences_say_how_sure_they_are(folder):
    done = run("review", "--proofs-only", folder / "one.json")
    assert done.exit_code == 0
    lines = [line for line in done.output.splitlines() if line.startswith("  ")]
    assert {line.split()[0] for line in lines} <= {"✓", "≈", "·"}
    assert any(line.split()[0] == "✓" and "runs" in line for line in lines)
    assert "Fahrten" in run("review", "--runs-only", "--language", "de", folder / "one.json").output


def test_document_has_runs_and_findings(folder):
    done = run("review", "--json", "--runs-only", folder / "one.json")
    document = json.loads(done.stdout)
    assert (document["review"], document["game"], document["lays"]) == (5, "18rhl", [])
    assert all(each["best"] >= each["taken"] for each in document["runs"])
    assert len(document["findings"]) == 4
    assert document["deeds"] == []


def test_estimates_have_sign_and_error(few):
    done = run("review", "--all", few)
    estimated = [line for line in done.output.splitlines() if line.startswith("  ≈")]
    assert all(line.split()[0] == "≈" for line in done.output.splitlines() if "±" in line)
    assert any("decisions on shares" in line for line in estimated)
    document = json.loads(run("review", "--json", few).stdout)
    assert all({"deed", "other", "more", "error", "draws"} <= set(each) for each in document["deeds"])
    assert "≈" not in run("review", "--proofs-only", few).output


def test_games_go_to_the_executor(few, monkeypatch):
    asked = []

    def executor(jobs, cluster):
        asked.append((jobs, cluster))
        return executors.HERE

    monkeypatch.setattr(executors, "executor", executor)
    run("review", "--runs-only", "--jobs", "0", "--cluster", "tcp://a:1", few)
    assert asked == [(0, "tcp://a:1")]


def test_folder_is_reviewed_file_by_file(folder):
    done = run("review", "--runs-only", "--all", folder)
    assert done.exit_code == 1
    assert "one.json: 18rhl/" in done.output
    assert "two.json: 18lra" in done.output
    assert "torn.json:" in done.output
    assert "1 of 3 files could not be reviewed" in done.output


def test_kept_reviews_are_not_made_again(few, folder, tmp_path, monkeypatch):
    from trajekt.review import game_review

    made = run("review", "--runs-only", "--keep", tmp_path / "kept", few).output
    (torn,) = (tmp_path / "kept").iterdir()
    with monkeypatch.context() as patch:
        patch.setattr(game_review, "review_of", None)
        assert run("review", "--runs-only", "--keep", tmp_path / "kept", few).output == made
    run("review", "--proofs-only", "--keep", tmp_path / "kept", few)
    run("review", "--runs-only", "--keep", tmp_path / "kept", folder / "one.json")
    assert len(list((tmp_path / "kept").iterdir())) == 3
    torn.write_bytes(torn.read_bytes()[:50])
    assert run("review", "--runs-only", "--keep", tmp_path / "kept", few).output == made


def test_empty_folder_says_so(tmp_path):
    done = run("review", tmp_path)
    assert (done.exit_code, "no games" in done.output) == (1, True)


def test_openings_of_a_folder(folder):
    done = run("openings", folder)
    assert done.exit_code == 0
    assert "18rhl/2, 4 players: 1 games" in done.output
    assert "torn.json:" in done.output
    assert not set("●█") & set(done.output)
    document = json.loads(run("openings", "--json", folder / "one.json").stdout)
    assert [(each["ruleset"], each["games"]) for each in document] == [("18rhl/2", 1)]


def test_charts_draw_the_figures(folder):
    (table,) = json.loads(run("openings", "--json", folder / "one.json").stdout)
    lines = run("openings", "--charts", folder / "one.json").output.splitlines()
    spans = [line for line in lines if "●" in line]
    assert len(spans) == len(table["lots"])
    highest = max(lot["most"] for lot in table["lots"])
    for lot, line in zip(table["lots"], spans, strict=True):
        assert line.index("●") - 4 == round(48 * lot["middle"] / highest)
    bars = [line.split() for line in lines if "█" in line]
    drawn = [(int(bar[0]), len(bar[2]), int(bar[3])) for bar in bars]
    assert drawn == [(int(par), 48, 1) for each in table["companies"] for par in each["pars"]]
