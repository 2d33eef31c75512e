"""The command: what it prints, its JSON, its exit status."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

from trajekt.cli import main

RECORDED = "recorded/18rhl-first-edition-2026.json"


def run(*args):
    return CliRunner().invoke(main, [str(a) for a in args], catch_exceptions=False)


@pytest.fixture(scope="module")
def recorded():
    from tests.conftest import shared_path

    return shared_path(RECORDED)


@pytest.fixture(scope="module")
def record(recorded, tmp_path_factory):
    """The recorded game as a record of ours."""
    path = tmp_path_factory.mktemp("records") / "game.json"
    assert run("import", recorded, "-o", path).exit_code == 0
    return path


class TestHelp:
    COMMANDS = (
        "serve",
        "games",
        "replay",
        "import",
        "export",
        "position",
        "runs",
        "simulate",
        "check",
        "draw",
        "rules",
    )

    def test_every_command_is_listed(self):
        shown = run("--help").output
        assert all(f"\n  {name} " in shown for name in self.COMMANDS)

    @pytest.mark.parametrize("name", COMMANDS)
    def test_every_command_explains_itself(self, name):
        done = run(name, "--help")
        assert done.exit_code == 0
        assert len(done.output.splitlines()) > 4

    @pytest.mark.parametrize(
        ("name", "options"),
        [
            ("serve", ["--host", "--port", "--db", "--no-browser"]),
            ("replay", ["--until", "--json"]),
            ("import", ["-o"]),
            ("runs", ["--at", "--corporation", "--fix", "--json"]),
            ("simulate", ["--players", "--games", "--seed", "--jobs", "--bot", "--json", "--lines"]),
            ("draw", ["--at", "-o"]),
            ("rules", ["--effective"]),
        ],
    )
    def test_the_options_are_the_promised_ones(self, name, options):
        shown = run(name, "--help").output
        assert [o for o in options if o not in shown] == []


class TestUsage:
    @pytest.mark.parametrize(
        "args",
        [
            ("nonsense",),
            ("games", "--nope"),
            ("replay",),
            ("replay", "no-such-file.json"),
            ("simulate", "18nix"),
            ("simulate", "18rhl", "--players", "9"),
            ("simulate", "18rhl", "--bot", "random,nobody"),
            ("rules", "18nix"),
            ("draw", "18rhl"),
            ("draw", "18rhl", "--edition", "9", "-o", "-"),
            ("rules", "18rhl", "--edition", "0"),
            ("serve", "--port", "many"),
        ],
    )
    def test_wrong_usage_ends_with_2(self, args):
        assert run(*args).exit_code == 2


def test_games_listed_with_components_known():
    done = run("games")
    assert done.exit_code == 0
    assert "18rhl" in done.output
    assert "edition 1: 3 to 6 players" in done.output
    assert "edition 2: 3 to 5 players" in done.output
    assert "public record" in done.output
    assert "optional_2_train" in done.output


class TestServe:
    def test_the_options_are_handed_over(self, monkeypatch):
        import sys
        import types

        from trajekt.server.http.serve import ServeOptions

        seen = []
        module = types.ModuleType("trajekt.server.http.serve")
        module.serve = lambda *args, **more: seen.append((*args, more))
        module.ServeError, module.ServeOptions = OSError, ServeOptions
        monkeypatch.setitem(sys.modules, "trajekt.server.http.serve", module)
        assert run("serve", "--host", "0.0.0.0", "--port", "9", "--db", "sqlite:///x", "--no-browser").exit_code == 0
        assert run("serve").exit_code == 0
        assert seen[0][:4] == ("0.0.0.0", 9, "sqlite:///x", False)
        assert (seen[0][4]["options"], seen[0][4]["strict_port"]) == (ServeOptions(), True)
        assert (seen[1][3], seen[1][4]["strict_port"]) == (True, False)
        monkeypatch.setenv("TRAJEKT_SMTP", "smtps://a:b@mail.example")
        monkeypatch.setenv("TRAJEKT_DB", "games.db")
        letters = ("--mail-from", "t@play.example", "--address", "https://play.example", "--private-hooks", "--metrics")
        days = ("--keep-days", "7", "--open-days", "3")
        assert (
            run(
                "serve",
                *letters,
                "--name",
                "play2.example",
                *days,
                "--cache-mb",
                "64",
                "--ratings",
                "--review-minutes",
                "0",
            ).exit_code
            == 0
        )
        assert seen[2][2] == "games.db"
        assert seen[2][4]["options"] == ServeOptions(
            smtp="smtps://a:b@mail.example",
            mail_from="t@play.example",
            address="https://play.example",
            private_hooks=True,
            metrics=True,
            hosts=("play2.example",),
            keep_days=7,
            open_days=3,
            ratings=True,
            review_minutes=0,
            cache_mb=64,
        )

    def test_unusable_port_is_told(self, monkeypatch):
        from trajekt.server.http import serve as table

        def taken(*_args, **_options):
            raise table.ServeError("ports 1 to 20 are taken")

        monkeypatch.setattr(table, "serve", taken)
        done = run("serve", "--port", 1)
        assert done.exit_code == 1
        assert "ports 1 to 20 are taken" in done.stderr


class TestReplay:
    def test_an_export_as_json(self, recorded):
        done = run("replay", recorded, "--json")
        assert done.exit_code == 0
        plain = json.loads(done.stdout)
        assert set(plain) == {
            "game", "ruleset", "actions", "finished", "end_reason", "standings", "bank", "corporations",
        }  # fmt: skip
        assert (plain["game"], plain["finished"], plain["end_reason"]) == ("18rhl", True, "bank")
        assert plain["standings"] == [
            {"player": "Player 1", "cash": 5464, "shares": 4475, "total": 9939},
            {"player": "Player 3", "cash": 5235, "shares": 3880, "total": 9115},
            {"player": "Player 2", "cash": 5164, "shares": 3565, "total": 8729},
        ]
        assert plain["corporations"]["BME"] == {"price": 135, "treasury": 536, "trains": ["5", "6"]}
        assert plain["bank"] == -8016

    def test_a_record_gives_the_same(self, recorded, record):
        assert json.loads(run("replay", record, "--json").stdout) == json.loads(
            run("replay", recorded, "--json").stdout
        )

    def test_entries_undone_count_too(self, recorded):
        before = json.loads(run("replay", recorded, "--until", 15, "--json").stdout)
        undone = json.loads(run("replay", recorded, "--until", 16, "--json").stdout)
        assert (before["actions"], undone["actions"]) == (15, 14)
        assert not undone["finished"]

    def test_people_get_the_standings(self, recorded):
        done = run("replay", recorded, "--until", 100)
        assert done.exit_code == 0
        assert "not ended" in done.output

    def test_refused_action_names_its_rule(self, recorded, tmp_path):
        plain = json.loads(recorded.read_text(encoding="utf-8"))
        plain["actions"][35]["price"] = 90
        wrong = tmp_path / "wrong.json"
        wrong.write_text(json.dumps(plain), encoding="utf-8")
        done = run("replay", wrong, "--json")
        assert done.exit_code == 1
        error = json.loads(done.stdout)["error"]
        assert set(error) == {"action", "rule", "message"}
        assert (error["action"], error["rule"]) == (36, "COMMON-TRN-01")
        assert "36" in done.stderr
        german = run("replay", wrong, "--language", "de")
        assert "kostet 100" in german.stderr
        assert german.stdout == ""

    def test_changed_record_is_refused(self, record, tmp_path):
        plain = json.loads(record.read_text(encoding="utf-8"))
        next(e for e in plain["entries"][40]["events"] + plain["entries"][41]["events"] if e["event"] == "paid")[
            "amount"
        ] += 1
        torn = tmp_path / "torn.json"
        torn.write_text(json.dumps(plain), encoding="utf-8")
        done = run("replay", torn, "--json")
        assert done.exit_code == 1
        assert "error" in json.loads(done.stdout)

    def test_differently_decided_action_is_named(self, record, tmp_path, monkeypatch):
        from trajekt import records

        monkeypatch.setattr(records, "replay", lambda _game: iter([records.Difference(7, None)]))
        done = run("replay", record, "--json")
        assert done.exit_code == 1
        assert json.loads(done.stdout)["error"]["action"] == 7

    def test_no_game_at_all(self, tmp_path):
        other = tmp_path / "other.json"
        other.write_text("[1, 2, 3]", encoding="utf-8")
        done = run("replay", other)
        assert done.exit_code == 1
        assert "no trajekt record" in done.stderr

    def test_beyond_the_end(self, record):
        done = run("replay", record, "--until", 9999)
        assert done.exit_code == 1
        assert "there is no entry 9999" in done.stderr


class TestImport:
    def test_only_exports_are_imported(self, record, tmp_path):
        done = run("import", record, "-o", tmp_path / "out.json")
        assert done.exit_code == 1
        assert "no 18xx.games export" in done.stderr
        assert not (tmp_path / "out.json").exists()

    def test_record_has_ruleset_compat(self, record):
        plain = json.loads(record.read_text(encoding="utf-8"))
        assert (plain["game"], plain["ruleset"]) == ("18rhl", "18rhl/compat")


class TestRuns:
    def test_runs_print_as_json(self, recorded):
        done = run("runs", recorded, "--at", 593, "--corporation", "DEE", "--json")
        assert done.exit_code == 0
        plain = json.loads(done.stdout)
        assert set(plain) == {"corporation", "revenue", "proved", "seconds", "routes"}
        assert plain["proved"] is True
        assert plain["revenue"] >= 760
        assert plain["revenue"] == sum(route["revenue"] for route in plain["routes"])
        assert all({"train", "revenue", "stops", "track"} <= set(route) for route in plain["routes"])

    def test_company_in_turn_is_the_default(self, recorded):
        assert json.loads(run("runs", recorded, "--at", 61, "--json").stdout)["corporation"] == "RhE"

    def test_companies_go_by_both_letter_codes(self, recorded):
        for name in ("KKK", "KEG", "mkb"):
            assert (
                json.loads(run("runs", recorded, "--at", 600, "--corporation", name, "--json").stdout)["corporation"]
                == "MKB"
            )

    def test_runs_need_an_operating_company(self, recorded):
        assert run("runs", recorded, "--at", 3).exit_code == 2
        assert run("runs", recorded, "--at", 3, "--corporation", "XYZ").exit_code == 2

    @pytest.mark.rule("COMMON-RTE-11")
    def test_fixed_runs_stay_others_are_best(self, recorded):
        at = ("runs", recorded, "--at", 593, "--corporation", "DEE", "--json")
        best = json.loads(run(*at).stdout)
        assert len(best["routes"]) > 1
        for route in best["routes"]:
            same = json.loads(run(*at, "--fix", f"{route['train']} {' '.join(route['track'])}").stdout)
            assert (same["revenue"], same["routes"][0]["track"]) == (best["revenue"], route["track"])

    @pytest.mark.rule("COMMON-RTE-01")
    @pytest.mark.parametrize("fixed", ["9 K6:4a", "", "pays"])
    def test_illegal_fixed_run_names_its_rule(self, recorded, fixed):
        done = run("runs", recorded, "--at", 593, "--corporation", "DEE", "--fix", fixed)
        assert done.exit_code == 1
        assert "COMMON-RTE-01" in done.output + done.stderr

    def test_runs_print_for_people(self, recorded):
        done = run("runs", recorded, "--at", 600, "--corporation", "DEE")
        assert "proved" in done.output
        assert "6-train" in done.output


class TestSimulate:
    def test_games_print_as_json(self):
        done = run("simulate", "18rhl", "--players", 3, "--games", 1, "--seed", 3, "--json")
        assert done.exit_code == 0, done.stderr
        plain = json.loads(done.stdout)
        assert set(plain) == {
            "games", "finished", "actions", "seconds", "actions_per_second", "games_per_second", "violations",
        }  # fmt: skip
        assert (plain["games"], plain["finished"], plain["violations"]) == (1, 1, [])
        assert plain["actions"] > 100

    def test_all_cores_print_the_same_lines(self):
        asked = "simulate", "18rhl", "--players", 3, "--games", 2, "--seed", 3, "--bot", "random", "--lines"
        one, all_ = (run(*asked, "--jobs", jobs) for jobs in (1, 0))
        assert (one.exit_code, all_.exit_code) == (0, 0), one.stderr
        games = [[json.loads(line) for line in done.stdout.splitlines()] for done in (one, all_)]
        assert [game["number"] for game in games[0]] == [0, 1]
        assert all(game["finished"] and len(game["totals"]) == 3 and not game["violations"] for game in games[0])
        for game in (*games[0], *games[1]):
            assert game.pop("seconds") > 0
        assert games[0] == games[1]

    def test_violation_is_shown_with_status_1(self, monkeypatch):
        from trajekt.bots import simulation as sim

        plan = sim.GamePlan("18rhl", 0, 5, 3, {"edition": 2})
        found = sim.Violation(0, 5, 3, {"edition": 2}, 17, "INV-01: 5 M too much")
        outcome = sim.GameResult(plan, 17, False, "", (0, 0, 0), 0.1, (found,))
        monkeypatch.setattr(sim, "simulate", lambda _plans, _jobs: iter([outcome]))
        done = run("simulate", "18rhl", "--games", 1)
        assert done.exit_code == 1
        assert "INV-01: 5 M too much" in done.stderr
        assert "seed 5" in done.stderr


class TestCheck:
    def test_shipped_components_have_no_faults(self):
        done = run("check", "18lra")
        assert (done.exit_code, done.stderr.strip()) == (0, "no faults")

    def test_where_entries_come_from_is_listed(self):
        shown = run("check", "18lra").stdout
        assert shown.startswith("18lra, edition 1")
        assert "tiles        85 public record, 3 reconstructed" in shown

    def test_fault_names_file_and_entry(self, project, tmp_path):
        text = (project / "src/trajekt/games/rhl/sheet.toml").read_text(encoding="utf-8")
        wrong = tmp_path / "sheet.toml"
        wrong.write_text(text.replace('obsolete_on = "4"', 'obsolete_on = "44"'), encoding="utf-8")
        done = run("check", wrong)
        assert done.exit_code == 1
        assert "sheet.toml: trains.2" in done.stdout
        assert "44" in done.stdout

    def test_a_file_that_does_not_exist(self):
        done = run("check", "no-such.toml")
        assert done.exit_code == 1
        assert "cannot be read" in done.stdout


class TestDraw:
    @pytest.mark.parametrize("part", ["map", "tiles", "market", "charters"])
    def test_every_part_is_a_picture(self, part, tmp_path):
        out = tmp_path / "out.svg"
        assert run("draw", "18rhl", "--part", part, "-o", out).exit_code == 0
        root = ET.fromstring(out.read_text(encoding="utf-8"))
        assert root.tag.endswith("svg")
        assert len(list(root.iter())) > 50

    def test_a_position_shows_what_lies_there(self, recorded, tmp_path):
        early, late = tmp_path / "early.svg", tmp_path / "late.svg"
        assert run("draw", recorded, "--at", 20, "-o", early).exit_code == 0
        assert run("draw", recorded, "--at", 500, "-o", late).exit_code == 0
        assert late.read_text(encoding="utf-8") != early.read_text(encoding="utf-8")

    def test_a_game_has_no_entries(self, tmp_path):
        assert run("draw", "18rhl", "--at", 5, "-o", tmp_path / "x.svg").exit_code == 2


class TestRules:
    def test_one_in_either_language(self):
        assert "Rhine" in run("rules", "18rhl", "RHL-TRK-16").output
        german = run("rules", "18rhl", "rhl-trk-16", "--language", "de").output
        assert german.startswith("RHL-TRK-16 (")
        assert "Rhein" in german
        assert "Erste Ausgabe" in german

    def test_rules_print_a_group(self):
        done = run("rules", "18rhl", "COMMON-DIR")
        assert done.output.count("COMMON-DIR" + "-0") >= 6

    def test_an_unknown_one(self):
        done = run("rules", "18rhl", "RHL-XYZ" + "-1")
        assert done.exit_code == 1
        assert "no requirement" in done.stderr

    def test_the_ruleset_as_composed(self):
        second = run("rules", "18rhl", "--effective").output
        first = run("rules", "18rhl", "--effective", "--edition", 1).output
        assert second.startswith("18rhl/2 ")
        assert first.startswith("18rhl/1 ")
        assert "check pool_limit (COMMON-SR-10)" in second
        assert "take_loan" in second
        assert "take_loan" not in first
        assert " at 0x" not in second + first


def test_the_help_waits_for_click_alone():
    """No timing (that is `make bench`): neither the engine nor the server nor rich is loaded before a command runs."""
    import subprocess
    import sys

    code = "import sys\nimport trajekt.cli\nprint(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "click" in loaded
    heavy = ("trajekt.engine", "trajekt.game", "trajekt.server", "msgspec", "rich", "starlette", "sqlalchemy")
    assert not [name for name in loaded if name.startswith(heavy)]


class TestImportDifferences:
    """Exports of 18xx.games that part from the rules, or differ in a way that is known by name."""

    FOLDER = Path(__file__).parents[1] / "replays" / "site_exports"

    def test_known_difference_is_noted(self, tmp_path):
        done = run("import", self.FOLDER / "02-run-routes-empty.json", "-o", tmp_path / "out.json")
        assert done.exit_code == 0
        assert "entry 50: ADR's run without a route is for a step that does not wait here" in done.stderr
        assert "(CMP-06)" in done.stderr

    def test_split_file_names_entry_and_remedy(self, tmp_path):
        done = run("import", self.FOLDER / "15-stale-graph-k4.json", "-o", tmp_path / "out.json")
        assert done.exit_code == 1
        assert "entry 276: lay_tile is refused: The way to K4 is blocked" in done.stderr
        assert "--so-far writes" in done.stderr
        assert not (tmp_path / "out.json").exists()

    def test_game_so_far_is_written(self, tmp_path):
        from trajekt.records import load

        out = tmp_path / "out.json"
        done = run("import", "--so-far", self.FOLDER / "15-stale-graph-k4.json", "-o", out)
        assert done.exit_code == 0
        assert "entry 276" in done.stderr
        assert load(out).number > 200

    def test_export_is_the_way_back(self, tmp_path):
        from trajekt.records import load

        there, back = tmp_path / "there.json", tmp_path / "back.json"
        assert run("import", self.FOLDER / "06-order-of-floating.json", "-o", there).exit_code == 0
        assert run("export", there, "-o", back).exit_code == 0
        again = tmp_path / "again.json"
        assert run("import", back, "-o", again).exit_code == 0
        assert load(again).state == load(there).state

    def test_other_games_have_no_such_form(self, tmp_path):
        import trajekt

        other = tmp_path / "other.json"
        trajekt.save(trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2}, seed=1), other)
        done = run("export", other, "-o", tmp_path / "x.json")
        assert done.exit_code == 1
        assert "only 18Rhl under compat can be written in its form" in done.stderr
