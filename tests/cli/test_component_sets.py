"""`trajekt components`: a file to begin with, faults, differences and pictures of an owner's set."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from trajekt.cli import main
from trajekt.registry import names


def run(*args, stdin=None):
    return CliRunner().invoke(main, ["components", *(str(a) for a in args)], input=stdin, catch_exceptions=False)


@pytest.fixture
def owned(tmp_path):
    file = tmp_path / "ada.toml"
    file.write_text('[set]\ngame = "18ruhr"\nname = "Ada"\n[trains.2]\nprice = 110\n', encoding="utf-8")
    return file


@pytest.mark.parametrize("game", names())
def test_new_file_differs_in_nothing(game, tmp_path):
    file = tmp_path / "mine.toml"
    assert run("new", game, "-o", file).exit_code == 0
    assert 'name = "mine"' in file.read_text(encoding="utf-8")
    assert run("check", file).exit_code == 0
    done = run("diff", game, file)
    assert (done.exit_code, done.stdout) == (0, "")


def test_begun_file_reads_uncommented(tmp_path):
    file = tmp_path / "mine.toml"
    run("new", "18ruhr", "-o", file)
    head, _, rest = file.read_text(encoding="utf-8").partition("\n[set]")
    file.write_text("[set]" + rest.replace("\n# ", "\n"), encoding="utf-8")
    assert head.startswith("# Components")
    assert run("check", file).exit_code == 0
    assert run("diff", "18ruhr", file).exit_code == 0


def test_our_change_is_no_fault(owned):
    owned.write_text(
        '[set]\ngame = "18ruhr"\nname = "Ada"\n[set.over]\n"trains/2" = "00000000"\n[trains.2]\nprice = 110\n',
        encoding="utf-8",
    )
    done = run("check", owned)
    assert done.exit_code == 0
    assert "trains.2: our sheet has changed here since the set stated it" in done.output


def test_differences_name_entry_and_key(owned):
    done = run("diff", "18ruhr", owned)
    assert (done.exit_code, done.stdout) == (1, "trains.2.price: 100 -> 110\n")
    found = json.loads(run("diff", owned, "18ruhr", "--json").stdout)
    assert found == [{"entry": "trains.2", "key": "price", "a": 110, "b": 100}]


def test_sets_of_two_games_are_told(owned):
    done = run("diff", "18rhl", owned)
    assert done.exit_code == 1
    assert "18Rhl-Rhineland" in done.stderr


def test_fault_of_a_set_is_named(owned):
    owned.write_text(owned.read_text(encoding="utf-8") + "prise = 1\n", encoding="utf-8")
    done = run("check", owned)
    assert done.exit_code == 1
    assert "ada.toml: trains.2.prise" in done.stdout


def test_taking_away_nothing_is_told(owned):
    owned.write_text('[set]\ngame = "18ruhr"\nname = "Ada"\n[hexes]\nQ99 = false\n', encoding="utf-8")
    assert run("check", owned).stdout.endswith("ada.toml: hexes.Q99: there is none\n")


@pytest.mark.parametrize("text", ["edition = 9", 'owner = "Ada"'])
def test_bad_head_is_named(owned, text):
    owned.write_text(f'[set]\ngame = "18ruhr"\nname = "Ada"\n{text}\n', encoding="utf-8")
    done = run("check", owned)
    assert done.exit_code == 1
    assert f"set.{text.partition(' ')[0]}" in done.stdout


def test_pictures_show_the_set(owned, tmp_path):
    owned.write_text('[set]\ngame = "18ruhr"\nname = "Ada"\n[hexes.G6]\nname = "Bottropp"\n', encoding="utf-8")
    assert run("draw", owned, "-o", tmp_path / "map.svg").exit_code == 0
    assert "Bottropp" in (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert run("draw", owned, "-o", tmp_path / "all.html").exit_code == 0
    page = (tmp_path / "all.html").read_text(encoding="utf-8")
    assert page.count("<svg xmlns") == 4


def test_set_comes_by_standard_input(owned, tmp_path):
    text = owned.read_text(encoding="utf-8")
    assert run("check", "-", stdin=text).exit_code == 0
    assert run("diff", "18ruhr", "-", stdin=text).stdout == "trains.2.price: 100 -> 110\n"
    assert run("draw", "-", "-o", tmp_path / "map.svg", stdin=text).exit_code == 0
    wrong = run("check", "-", stdin=text + "prise = 1\n")
    assert wrong.exit_code == 1
    assert "trains.2.prise" in wrong.stdout
    bare = run("check", "-", stdin="[trains.2]\nprice = 110\n")
    assert bare.stdout.startswith("standard input: is laid over no game")
    assert run("check", "-", "--game", "18ruhr", stdin="[trains.2]\nprice = 110\n").exit_code == 0
