"""`--components`: an owner's file is laid over ours and checked the same way; a record knows what it was played with."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import trajekt
from trajekt.cli import main

NAMES = ["Ada", "Bert", "Cleo"]


def run(*args):
    return CliRunner().invoke(main, [str(a) for a in args], catch_exceptions=False)


@pytest.fixture
def owned(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "18rhl.toml").write_text('[trains."2"]\nprice = 90\n', encoding="utf-8")
    return folder


def test_a_record_tells_of_other_components(tmp_path, owned):
    game = trajekt.new_game("18rhl", NAMES, seed=1, components=str(owned))
    assert game.ruleset.sheet.trains["2"].price == 90
    trajekt.save(game, tmp_path / "game.json")
    own = run("replay", tmp_path / "game.json", "--components", owned)
    assert own.exit_code == 0
    assert "other components" not in own.stderr
    assert "other components" in run("replay", tmp_path / "game.json").stderr


@pytest.mark.parametrize("command", [("simulate", "18rhl", "--games", 1), ("draw", "18rhl", "-o", "map.svg")])
def test_fault_names_file_and_entry(owned, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (owned / "18rhl.toml").write_text('[trains."2"]\nprise = 90\n', encoding="utf-8")
    done = run(*command, "--components", owned)
    assert done.exit_code == 1
    assert "18rhl.toml" in done.stderr
    assert "trains.2" in done.stderr


def test_folder_without_this_game_changes_nothing(owned):
    (owned / "18rhl.toml").rename(owned / "18lra.toml")
    game = trajekt.new_game("18rhl", NAMES, seed=1, components=str(owned))
    assert not game.other_components
    assert game.ruleset.sheet.trains["2"].price == 100


@pytest.mark.parametrize("command", [("serve", "--no-browser"), ("simulate", "18rhl", "--games", 1)])
def test_misnamed_file_is_told(owned, command):
    (owned / "18rurh.toml").write_text('[trains."2"]\nprice = 90\n', encoding="utf-8")
    done = run(*command, "--components", owned)
    assert done.exit_code == 2
    assert "18rurh.toml" in done.stderr


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("serve", "--no-browser"), "name the folder"),
        (("simulate", "18lra", "--games", 1), "is laid over 18rhl, not over 18lra"),
    ],
)
def test_file_of_another_game_is_refused(owned, command, told):
    done = run(*command, "--components", owned / "18rhl.toml")
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("game", "text", "private", "price"),
    [
        ("18ruhr", "[privates.1]\nprice = 95\n[trains.2]\nprice = 110\n", 1, 95),
        ("18lra", "[privates.2]\nprice = 45\n[trains.2]\nprice = 110\n", 2, 45),
        ("18do", "[privates.2]\nprice = 85\n[trains.2]\nprice = 110\n", 2, 85),
    ],
)
def test_owner_replaces_reconstructed_data(owned, game, text, private, price):
    (owned / f"{game}.toml").write_text(text, encoding="utf-8")
    ours = trajekt.new_game(game, NAMES, seed=1)
    theirs = trajekt.new_game(game, NAMES, seed=1, components=str(owned))
    before, after = ours.ruleset.sheet, theirs.ruleset.sheet
    assert before.privates[private].price != after.privates[private].price == price
    assert after.trains["2"].price == 110
    assert before.digest != after.digest
    untouched = [number for number in before.privates if number != private]
    assert [before.privates[n] for n in untouched] == [after.privates[n] for n in untouched]
    assert theirs.choices()


class TestCheckOfOwnersFiles:
    def test_folder_of_good_files_passes(self, owned):
        done = CliRunner().invoke(main, ["check", str(owned)])
        assert (done.exit_code, done.stderr) == (0, "no faults\n")

    def test_misnamed_file_is_told(self, owned):
        (owned / "18rhl.toml").rename(owned / "18rurh.toml")
        done = CliRunner().invoke(main, ["check", str(owned)])
        assert done.exit_code == 1
        assert "18rurh.toml: is laid over no game by its name" in done.stdout

    def test_only_fault_is_that_of_overlay(self, owned):
        (owned / "18rhl.toml").write_text('[trains."2"]\nprise = 90\n', encoding="utf-8")
        done = CliRunner().invoke(main, ["check", str(owned / "18rhl.toml")])
        assert done.exit_code == 1
        assert all("prise" in line for line in done.stdout.splitlines())

    def test_game_is_named_for_a_file(self, owned):
        file = (owned / "18rhl.toml").rename(owned / "mine.toml")
        assert CliRunner().invoke(main, ["check", str(file)]).exit_code == 1
        assert CliRunner().invoke(main, ["check", str(file), "--game", "18rhl"]).exit_code == 0

    def test_folder_without_files_is_told(self, tmp_path):
        done = CliRunner().invoke(main, ["check", str(tmp_path)])
        assert done.exit_code == 1
        assert "no files of components" in done.stderr
