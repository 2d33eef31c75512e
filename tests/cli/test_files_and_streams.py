"""The command and the system around it: files that cannot be written, full disks, closed pipes, other encodings, `-`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import trajekt
from trajekt import registry
from trajekt.cli import main
from trajekt.server.storage.backup_and_restore import replace_with

FULL = Path("/dev/full")


def run(*args, stdin=None):
    return CliRunner().invoke(main, [str(a) for a in args], input=stdin, catch_exceptions=False)


def process(*args, **more):
    """The command in a process of its own, with its output as bytes; coverage would write into that, so it is left out."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith("COV")}
    settings = {"env": {**plain, **more.pop("env", {})}, "stderr": subprocess.PIPE}
    return subprocess.run([sys.executable, "-m", "trajekt", *map(str, args)], check=False, **settings, **more)


@pytest.fixture
def game():
    made = trajekt.new_game("18rhl", ["Ada", "Bert", "\U0001f682"], {"edition": 2, "fixed_seats": True}, seed=1)
    for _ in range(5):
        made.play(made.choices()[0])
    return made


@pytest.fixture
def record(game, tmp_path):
    path = tmp_path / "game.json"
    trajekt.save(game, path)
    return path


class TestUnwritable:
    @pytest.mark.parametrize("part", ["map", "market"])
    def test_missing_folder_is_named(self, tmp_path, part):
        target = tmp_path / "nowhere" / "x.svg"
        done = run("draw", "18rhl", "--part", part, "-o", target)
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr == f"trajekt: {target}: cannot be written: no such folder\n"

    def test_place_under_a_file_is_named(self, record, tmp_path):
        done = run("draw", record, "-o", record / "x.svg")
        assert done.exit_code == 1
        assert done.stderr.endswith("cannot be written: not a directory\n")
        assert record.read_bytes().startswith(b"{")

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_closed_folder_is_named(self, tmp_path):
        closed = tmp_path / "closed"
        closed.mkdir(mode=0o500)
        done = run("draw", "18rhl", "-o", closed / "x.svg")
        assert done.exit_code == 1
        assert "cannot be written: permission denied" in done.stderr

    def test_library_error_leaves_no_file(self, game, tmp_path):
        with pytest.raises(FileNotFoundError) as caught:
            trajekt.save(game, tmp_path / "nowhere" / "x.json")
        assert caught.value.filename == str(tmp_path / "nowhere" / "x.json")
        (tmp_path / "taken.json").mkdir()
        with pytest.raises(OSError, match=r"taken\.json"):
            trajekt.save(game, tmp_path / "taken.json")
        assert [path.name for path in tmp_path.iterdir()] == ["taken.json"]


class TestPlacesThatAreNoFiles:
    def test_pipe_is_written_not_replaced(self, game, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            trajekt.save(game, pipe)
            assert os.read(reading, 10).startswith(b"{")
        finally:
            os.close(reading)
        assert pipe.is_fifo()

    def test_link_is_followed_not_replaced(self, game, tmp_path):
        (tmp_path / "link.json").symlink_to(tmp_path / "game.json")
        trajekt.save(game, tmp_path / "link.json")
        assert (tmp_path / "link.json").is_symlink()
        assert trajekt.load(tmp_path / "game.json").number == game.number

    def test_backup_into_pipe_leaves_pipe(self, tmp_path):
        pipe, rough = tmp_path / "pipe", tmp_path / "pipe.part"
        os.mkfifo(pipe)
        rough.write_bytes(b"rows")
        reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            replace_with(pipe, rough)
            assert os.read(reading, 10) == b"rows"
        finally:
            os.close(reading)
        assert (pipe.is_fifo(), rough.exists()) == (True, False)

    def test_restore_of_a_record_says_so(self, record, tmp_path):
        done = run("restore", record, "--db", tmp_path / "new.db")
        assert done.exit_code == 1
        assert done.stderr == "trajekt: game.json is no file of tables that this version knows\n"


class TestStreams:
    @pytest.mark.skipif(not FULL.exists(), reason="no /dev/full on this system")
    @pytest.mark.parametrize("words", [("games",), ("rules", "18rhl", "RHL-TRK-17"), ("draw", "18rhl", "-o", "-")])
    def test_full_disk_ends_in_a_sentence(self, words):
        with FULL.open("wb") as full:
            done = process(*words, stdout=full)
        assert done.returncode == 1
        assert done.stderr == b"trajekt: standard output: cannot be written: no space left on device\n"

    def test_closed_pipe_ends_without_a_word(self):
        read, write = os.pipe()
        os.close(read)
        try:
            done = process("rules", "18rhl", stdout=write)
        finally:
            os.close(write)
        assert (done.returncode, done.stderr) == (1, b"")

    @pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
    def test_unencodable_letter_prints_as_number(self, record, encoding):
        done = process("replay", record, stdout=subprocess.PIPE, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"\\U0001f682" in done.stdout

    def test_record_comes_by_standard_input(self, record):
        by_name, by_pipe = run("replay", record, "--json"), run("replay", "-", "--json", stdin=record.read_bytes())
        assert by_pipe.exit_code == 0
        assert by_pipe.stdout == by_name.stdout

    def test_broken_standard_input_is_called_so(self):
        done = run("replay", "-", stdin=b'{"trajekt": 1,')
        assert done.exit_code == 1
        assert done.stderr.startswith("trajekt: standard input: the file is torn: it ends in the middle, at line 1")

    def test_picture_goes_to_standard_output(self, record):
        done = run("draw", "-", "-o", "-", stdin=record.read_bytes())
        assert done.exit_code == 0
        assert done.stdout.startswith("<svg")

    def test_byte_order_mark_is_skipped(self, record):
        record.write_bytes(b"\xef\xbb\xbf" + record.read_bytes())
        assert run("replay", record).exit_code == 0

    def test_torn_export_is_called_torn(self, tmp_path):
        torn = tmp_path / "torn.json"
        torn.write_bytes(b'{"id": 1, "title": "18Rhl",\n "actions": [{"type": "pa')
        for words in (("replay", torn), ("import", torn, "-o", tmp_path / "x.json")):
            done = run(*words)
            assert done.exit_code == 1
            assert "torn.json: the file is torn: it ends in the middle, at line 2, column 26" in done.stderr


class TestModule:
    def test_module_is_the_command(self):
        done = process("--version", stdout=subprocess.PIPE)
        assert done.returncode == 0
        assert trajekt.__version__.encode() in done.stdout


class TestDatabase:
    @pytest.mark.parametrize("command", [("serve", "--no-browser"), ("backup", "x"), ("restore", "x")])
    def test_unknown_database_kind_is_usage_error(self, command):
        done = run(*command, "--db", "mysql://a@localhost/b")
        assert done.exit_code == 2
        assert "SQLite or PostgreSQL" in " ".join(done.stderr.split())

    def test_missing_driver_names_the_extra(self, monkeypatch):
        import importlib.util

        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
        done = run("serve", "--no-browser", "--db", "postgresql://localhost/b")
        assert done.exit_code == 1
        assert "pip install '.[postgres]'" in done.stderr


class TestStrangers:
    def test_broken_game_harms_no_other(self, monkeypatch):
        monkeypatch.setattr(registry, "broken", lambda: {"1830": "package1830 cannot be loaded: SyntaxError: no"})
        done = run("games")
        assert done.exit_code == 0
        assert "18ruhr" in done.stdout
        assert "trajekt: game 1830: package1830 cannot be loaded" in done.stderr
        assert "1830: package1830 cannot be loaded" in run("check").stdout

    def test_game_without_theme_is_not_drawn(self, monkeypatch, tmp_path):
        from dataclasses import replace

        bare = replace(registry.title("18rhl"), face=lambda: None)
        monkeypatch.setattr(registry, "title", lambda _name: bare)
        done = run("draw", "18rhl", "-o", tmp_path / "x.svg")
        assert done.exit_code == 1
        assert "has no face" in done.stderr


class TestArena:
    def test_results_and_ratings(self):
        done = run("arena", "18lra", "steady", "random", "random", "--games", 3, "--seed", 2)
        assert done.exit_code == 0, done.stderr
        games = [json.loads(line) for line in done.stdout.splitlines()]
        assert [game["kinds"] for game in games] == [
            ["steady", "random", "random"],
            ["random", "random", "steady"],
            ["random", "steady", "random"],
        ]
        assert "steady" in done.stderr

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("18lra", "steady", "nobody", "random"), "nobody"),
            (("18lra", "steady:x", "random", "random"), "steady:x"),
            (("18lra", "steady"), "for 1 players"),
            (("18xy", "random"), "no game '18xy'"),
        ],
    )
    def test_wrong_words_are_wrong_usage(self, words, said):
        done = run("arena", *words)
        assert done.exit_code == 2
        assert said in " ".join(done.stderr.split())

    def test_simulate_names_a_faulty_bot(self):
        done = run("simulate", "18lra", "--bot", "steady:x", "--games", 1)
        assert done.exit_code == 2
        assert "steady:x" in done.stderr
