"""The library as a programmer meets it: names, types, copies, what is frozen, records that always load again."""

from __future__ import annotations

import copy
import json
import pickle
import random
import subprocess
import sys

import msgspec
import pytest

import trajekt
from trajekt import registry
from trajekt.bots import bot
from trajekt.bots.bot import RandomBot, next_action
from trajekt.engine.actions import OfferEnd
from trajekt.engine.digest import digest
from trajekt.engine.player_names import likeness
from trajekt.records import from_json, to_json
from trajekt.rules.operating_round import current_turn

NAMES = ["Ada", "Bert", "Cleo"]
GAMES = ("18rhl", "18lra", "18ruhr", "18do")


def new(game="18rhl", **more):
    return trajekt.new_game(game, NAMES, {"fixed_seats": True} if game == "18rhl" else {}, seed=3, **more)


def played(game="18rhl", actions=12):
    made = new(game)
    for _ in range(actions):
        made.play(made.choices()[-1])
    return made


class TestPackage:
    def test_public_names_are_listed_before_use(self):
        code = "import trajekt; print(*sorted(set(trajekt.__all__) - set(dir(trajekt)))); print(trajekt.new_game)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[0] == ""

    def test_public_names_exist(self):
        for name in trajekt.__all__:
            assert getattr(trajekt, name) is not None
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            _ = trajekt.nothing

    def test_documented_modules_need_no_import(self):
        code = "import trajekt; print(trajekt.registry.names()[0], trajekt.records.FORMAT, trajekt.positions.__name__)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == "18do 1 trajekt.positions\n"

    def test_types_say_what_comes_back(self):
        from trajekt.game import Game, new_game

        assert Game.best_runs.__annotations__["return"] == "BestRuns"
        assert Game.__init__.__annotations__["options"] == "TableOptions"
        for function in (
            *(each for each in vars(Game).values() if callable(each)),
            new_game,
            trajekt.load,
            trajekt.save,
        ):
            assert "Any" not in getattr(function, "__annotations__", {}).values(), function

    @pytest.mark.parametrize("game", GAMES)
    def test_what_is_shown_stays_short(self, game):
        made = new(game)
        for value in (made, made.state, made.state.board, made.ruleset, made.ruleset.sheet, made.title):
            assert len(repr(value)) < 120, type(value)


class TestCopies:
    @pytest.mark.parametrize("game", GAMES)
    @pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
    def test_copy_goes_on_alike(self, game, copied):
        made = played(game)
        twin = copied(made)
        assert twin == made
        for one in (made, twin):
            one.play(one.choices()[0])
        assert twin == made
        assert digest(twin.state) == digest(made.state)
        made.undo()
        assert twin != made, "each goes on by itself"

    def test_same_set_up_is_equal(self):
        assert new() == new()
        assert new() != trajekt.new_game("18rhl", NAMES, {"fixed_seats": True}, seed=4)
        assert new() != new("18lra")
        assert new() != 5
        with pytest.raises(TypeError, match="unhashable"):
            hash(new())

    @pytest.mark.parametrize("game", GAMES)
    def test_ruleset_is_pickled_by_its_choices(self, game):
        rules = new(game).ruleset
        again = pickle.loads(pickle.dumps(rules))
        assert again == rules == new(game).ruleset
        assert hash(again) == hash(rules)
        assert copy.deepcopy(rules) is rules
        assert again != trajekt.new_game("18rhl", NAMES, {"edition": 1, "fixed_seats": True}).ruleset

    def test_other_components_make_another_ruleset(self, tmp_path):
        other = tmp_path / "18rhl.toml"
        other.write_text('[trains."2"]\nprice = 90\n', encoding="utf-8")
        rules = trajekt.new_game("18rhl", NAMES, components=str(other)).ruleset
        again = pickle.loads(pickle.dumps(rules))
        assert again == rules != new().ruleset
        assert again.sheet.digest == rules.sheet.digest

    def test_title_is_pickled_by_its_name(self):
        title = registry.title("18lra")
        assert pickle.loads(pickle.dumps(title)) is title
        assert copy.deepcopy(title) is title

    def test_stranger_title_says_why_not(self):
        from dataclasses import replace

        from tests.builders.toy_game import toy

        with pytest.raises(pickle.PicklingError, match="not installed"):
            pickle.dumps(replace(registry.title("18lra"), id="18toy"))
        with pytest.raises(pickle.PicklingError, match="no game that is installed"):
            pickle.dumps(toy())


class TestFrozen:
    @pytest.mark.parametrize("game", GAMES)
    def test_no_column_of_a_position_changes(self, game):
        made = played(game, 6)
        for value in (made.state, made.state.markers, made.state.depot, made.state.board, made.state.sheet):
            for name in value.__struct_fields__:
                column = getattr(value, name)
                if isinstance(column, dict):
                    with pytest.raises(TypeError, match="never changes"):
                        column["x"] = None
                    with pytest.raises(TypeError, match="never changes"):
                        column.clear()

    def test_log_and_head_are_read_only(self):
        made = played()
        assert isinstance(made.entries, tuple)
        for name in ("entries", "head", "state", "number", "names", "seed", "options", "ruleset", "title", "opening"):
            with pytest.raises(AttributeError):
                setattr(made, name, None)


class TestSetUp:
    @pytest.mark.parametrize("players", [[1, 2, 3], "ABC", b"ABC", ["Ada", None, "Cleo"], {*NAMES}, None, 5])
    def test_players_are_texts(self, players):
        with pytest.raises(ValueError, match="list of names"):
            trajekt.new_game("18rhl", players)

    @pytest.mark.parametrize("other", ["A", " A", "a", "A\u200b", "\u200dA", "A\u3164"])
    def test_names_look_different(self, other):
        with pytest.raises(ValueError, match="look the same"):
            trajekt.new_game("18rhl", ["A", "B", other])

    def test_composed_accents_make_one_name(self):
        with pytest.raises(ValueError, match="look the same"):
            trajekt.new_game("18rhl", ["Ren\u00e9", "B", "Rene\u0301"])
        assert likeness("Stra\u00dfe") == likeness("STRASSE")

    @pytest.mark.parametrize("name", ["", "  ", "\u200b", "\u3164", "\u2800", "\u115f", "\n"])
    def test_names_show_something(self, name):
        with pytest.raises(ValueError, match="shows something"):
            trajekt.new_game("18rhl", ["A", "B", name])

    @pytest.mark.parametrize(
        "name", ["\U0001f469\u200d\U0001f680 Ada", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "李"]
    )
    def test_names_of_all_scripts_are_kept(self, name):
        made = trajekt.new_game("18rhl", ["A", "B", name])
        assert name in made.names
        assert from_json(to_json(made)) == made

    def test_half_characters_cannot_be_written(self):
        with pytest.raises(ValueError, match="half a character"):
            trajekt.new_game("18rhl", ["A", "B", "\ud83d"])

    @pytest.mark.parametrize("seed", ["x", 1.5, True, 2**64, -(2**63) - 1])
    def test_seed_is_a_whole_number(self, seed):
        with pytest.raises(ValueError, match="seed"):
            trajekt.new_game("18rhl", NAMES, seed=seed)

    @pytest.mark.parametrize("seed", [0, -1, 2**63 - 1, -(2**63)])
    def test_every_seed_loads_again(self, seed):
        made = trajekt.new_game("18rhl", NAMES, seed=seed)
        assert from_json(to_json(made)) == made

    @pytest.mark.parametrize("options", [{"edition": "2"}, {"edtion": 2}, {"edition": 3}, {1: 2}, {"ratingen": 1}])
    def test_wrong_options_are_value_errors(self, options):
        with pytest.raises(ValueError, match=r"edition|edtion|ratingen|str"):
            trajekt.new_game("18rhl", NAMES, options)

    @pytest.mark.parametrize("options", ["edition", [("edition", 2)], 5])
    def test_options_are_names_with_values(self, options):
        with pytest.raises(ValueError, match="names with their values"):
            trajekt.new_game("18rhl", NAMES, options)

    def test_components_may_begin_with_bom(self, tmp_path):
        own = tmp_path / "18rhl.toml"
        own.write_bytes(b'\xef\xbb\xbf[trains."2"]\nprice = 90\n')
        assert new(components=str(own)).ruleset.sheet.trains["2"].price == 90

    def test_unknown_game_names_those_to_type(self):
        with pytest.raises(ValueError, match="18do, 18lra, 18rhl, 18ruhr"):
            trajekt.new_game("1830", NAMES)


class TestChoices:
    @pytest.mark.parametrize("game", GAMES)
    def test_offers_to_end_stand_apart(self, game):
        made = new(game)
        for _ in range(20):
            choices = made.choices()
            assert {choice.seat for choice in choices} <= set(made.to_act)
            assert choices
            assert not any(isinstance(choice.action, OfferEnd) for choice in choices)
            made.play(choices[0])

    @pytest.mark.rule("COMMON-END-06")
    def test_agreement_is_among_the_anytime_choices(self):
        made = new()
        assert [(c.seat, type(c.action)) for c in made.anytime_choices()] == [(seat, OfferEnd) for seat in range(3)]
        made.play(made.anytime_choices(2)[0])
        assert len(made.anytime_choices(2)) == 1, "to take it back"
        for seat in (0, 1):
            made.play(next(c for c in made.anytime_choices(seat) if isinstance(c.action, OfferEnd)))
        assert made.finished
        assert made.anytime_choices() == made.choices() == []

    def test_choice_is_played_by_its_seat(self):
        made = new()
        made.play(made.anytime_choices(1)[0])
        assert made.entries[-1].seat == 1
        assert made.why_not(made.choices()[0]) is None

    @pytest.mark.parametrize("seat", [99, -1, True, "Ada", 1.0])
    def test_missing_seat_is_told(self, seat):
        made = new()
        for ask in (made.choices, made.anytime_choices, made.explain, lambda s: made.play({"kind": "pass"}, s)):
            with pytest.raises(ValueError, match="no seat"):
                ask(seat)
        assert made.number == 0

    @pytest.mark.parametrize("number", [-1, 1, 99, "x", 0.0, False])
    def test_missing_entry_is_told(self, number):
        made = new()
        for ask in (made.state_at, made.at, made.line):
            with pytest.raises(ValueError, match=f"no entry {number!r}; the log has 0"):
                ask(number)

    def test_missing_company_is_told(self):
        with pytest.raises(ValueError, match="no company 'XXX'; there are"):
            new().best_runs("XXX")


class TestRecords:
    @pytest.mark.parametrize("game", GAMES)
    def test_byte_order_mark_is_skipped(self, game):
        made = played(game)
        assert from_json(b"\xef\xbb\xbf" + to_json(made)) == made

    def test_torn_file_names_the_place(self):
        data = to_json(played())
        for cut in (1, 20, len(data) // 2, len(data) - 2):
            with pytest.raises(trajekt.RecordError, match=r"torn: it ends in the middle, at line \d+, column \d+"):
                from_json(data[:cut])

    def test_broken_file_names_the_place(self):
        with pytest.raises(trajekt.RecordError, match="at line 2, column 2"):
            from_json(b'{"trajekt": 1,\n x}')
        with pytest.raises(trajekt.RecordError, match="UTF-8"):
            from_json(b'{"trajekt": "\xff"}')
        with pytest.raises(trajekt.RecordError, match="nested"):
            from_json(b"[" * 100_000)

    def test_export_is_told_apart(self):
        with pytest.raises(trajekt.RecordError, match=r"export of 18xx\.games"):
            from_json(b'{"title": "18Rhl", "actions": [], "players": []}')

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"version": 999}, "version 999 of 18rhl/2; this trajekt knows version"),
            ({"ruleset": "18rhl/compat"}, "says ruleset 18rhl/compat, but its options are those of 18rhl/2"),
            ({"players": ["Ada"]}, "18rhl/2 is for 3 to 5 players, the record names 1"),
            ({"trajekt": 2}, "reads up to 1"),
            ({"game": "1830"}, "no game '1830'"),
            ({"options": {"edition": 7}}, "edition: 1 or 2"),
        ],
    )
    def test_record_of_another_version_is_refused(self, change, said):
        record = json.loads(to_json(new()))
        with pytest.raises(trajekt.RecordError, match=said):
            from_json(json.dumps(record | change).encode())

    def test_entry_of_later_version_is_refused(self):
        record = json.loads(to_json(played()))
        record["entries"][3]["version"] = 999
        with pytest.raises(trajekt.RecordError, match="version 999"):
            from_json(json.dumps(record).encode())

    def test_unreadable_action_is_a_value_error(self):
        with pytest.raises(ValueError, match="kind"):
            new().play({"kind": "fly"})
        for nothing in (object(), None, 5, "pass", {}):
            with pytest.raises(msgspec.ValidationError):
                new().play(nothing)
        assert issubclass(msgspec.ValidationError, ValueError)


class TestRegistry:
    @pytest.fixture
    def with_strangers(self, tmp_path, monkeypatch):
        """Packages of others that fail, each in a way of its own, or take a name that one of ours has."""
        info = tmp_path / "strangers-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1\n")
        (tmp_path / "stranger_raises.py").write_text("raise RuntimeError('half installed')\n")
        (tmp_path / "stranger_ends.py").write_text("raise SystemExit(3)\n")
        (tmp_path / "stranger_titles.py").write_text(
            "from dataclasses import replace\nfrom trajekt.games.lra.title import TITLE\n"
            "def no_sheet(*_): raise OSError('no such sheet')\n"
            "BARE = replace(TITLE, id='18bare', sheet=no_sheet)\nMISNAMED = replace(TITLE, id='18other')\n"
        )
        titles = ["broken = stranger_raises:TITLE", "odd = json:dumps", "gone = no_such_module:TITLE"]
        titles += ["ends = stranger_ends:TITLE", "bare = stranger_titles:BARE", "called = stranger_titles:MISNAMED"]
        titles += ["rhl = json:dumps", "18do = stranger_ends:TITLE"]
        bots = ["ends = stranger_ends:Bot", "odd = json:loads", "steady = stranger_ends:Bot"]
        lines = ["[trajekt.registry]", *titles, "[trajekt.bots]", *bots]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        monkeypatch.syspath_prepend(tmp_path)
        caches = (registry._points, registry._read, bot._made_by, bot.names)
        for cached in caches:
            cached.cache_clear()
        yield
        for cached in caches:
            cached.cache_clear()

    @pytest.mark.usefixtures("with_strangers")
    def test_broken_package_harms_no_other(self):
        assert registry.names() == ("18do", "18lra", "18rhl", "18ruhr")
        broken = registry.broken()
        assert sorted(broken) == ["bare", "broken", "called", "ends", "gone", "odd"]
        assert "half installed" in broken["broken"]
        assert "is no Title" in broken["odd"]
        assert "no such sheet" in broken["bare"]
        assert "has the id 18other" in broken["called"]
        assert "SystemExit" in broken["ends"]
        assert trajekt.new_game("18rhl", NAMES).number == 0
        with pytest.raises(ValueError, match="cannot be loaded: RuntimeError: half installed"):
            trajekt.new_game("broken", NAMES)

    @pytest.mark.usefixtures("with_strangers")
    def test_broken_bot_is_an_unknown_bot(self):
        for kind, said in (
            ("ends", "SystemExit: 3"),
            ("odd", "TypeError"),
            ("nobody", "no bot 'nobody'; installed are"),
        ):
            with pytest.raises(bot.UnknownBotError, match=said):
                bot.make_bot(kind, random.Random(1))
        assert type(bot.make_bot("steady", random.Random(1))).__name__ == "SteadyBot"


@pytest.fixture(scope="module")
def running():
    """A random game up to a company that runs two trains."""
    game, chance = trajekt.new_game("18rhl", ("Ada", "Bert", "Cleo"), {"edition": 2}, 3), random.Random(3)
    bots = [RandomBot(chance) for _ in game.names]
    while not game.finished:
        seat, action = next_action(game.ruleset, game.state, bots, chance)
        if action.__struct_config__.tag == "run_trains" and len(action.runs) > 1:
            return game, current_turn(game.state).company
        game.play(action, seat)
    raise AssertionError("no company ever ran two trains")


class TestBestRunsAroundFixedOnes:
    @pytest.mark.rule("COMMON-RTE-11")
    def test_fixed_runs_are_among_them(self, running):
        game, company = running
        best = game.best_runs(company)
        for run in best.runs:
            around = game.best_runs(company, fixed=[run])
            assert around.runs[0] == run
            assert (around.revenue, around.proved) == (best.revenue, True)
        everything = game.best_runs(company, fixed=best.runs)
        assert (everything.runs, everything.revenue) == (best.runs, best.revenue)

    @pytest.mark.rule("COMMON-RTE-01")
    def test_illegal_fixed_runs_are_refused(self, running):
        game, company = running
        run = game.best_runs(company).runs[0]
        with pytest.raises(trajekt.Refused) as refused:
            game.best_runs(company, fixed=[run, run, run, run, run])
        assert refused.value.refusal.rule.startswith("COMMON-RTE")
