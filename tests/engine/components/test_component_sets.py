"""Component sets: read with every fault named, laid over the sheet, written as differences, compared entry by entry."""

from __future__ import annotations

import tomllib

import pytest

from trajekt.engine.components.component_set_writing import set_text
from trajekt.engine.components.component_sets import (
    compared,
    component_set,
    difference,
    entry_at,
    fingerprint,
    overlaid,
    overtaken,
    whole_entries,
    with_entry,
    without_entry,
)
from trajekt.engine.components.editions import laid
from trajekt.engine.components.parsing import SheetReader, in_order
from trajekt.engine.components.provenance import SheetError
from trajekt.registry import names, title

HEAD = '[set]\ngame = "18ruhr"\nedition = 2\nname = "Ada\'s copy"\nversion = "3"\n'


def printed(game="18ruhr", edition=2):
    return title(game).printed(edition)


def faults(text, game="18ruhr"):
    with pytest.raises(SheetError) as raised:
        title(game).sheet(title(game).options({}), component_set(text, "ada.toml", game))
    return [str(fault) for fault in raised.value.faults]


class TestReading:
    def test_head_names_the_set(self):
        mine = component_set(HEAD + "[trains.2]\nprice = 110\n", "ada.toml")
        assert (mine.game, mine.edition, mine.name, mine.version) == ("18ruhr", 2, "Ada's copy", "3")
        assert mine.changes == {"trains": {"2": {"price": 110}}}

    def test_file_without_head_is_a_set(self):
        mine = component_set("[trains.2]\nprice = 110\n", "ada.toml", "18ruhr")
        assert (mine.game, mine.edition, mine.name) == ("18ruhr", 0, "ada")

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("[trains.2\n", "line 1"),
            ('game = "18Ruhr"\n', "whole sheet"),
            ("[set]\ngame = 3\n", "set.game"),
            ('[set]\ngame = "18ruhr"\nname = ""\n', "set.name"),
            ('[set]\ngame = "18ruhr"\nowner = "Ada"\n', "set.owner"),
            ("set = 3\n", "should be a table"),
            ("a = " + "[" * 30 + "]" * 30, "too deeply"),
            ("a" + ".a" * 20000 + " = 1", "too deeply"),
            ("# " + "x" * 70000, "larger than"),
            ("[hexes]\n" + "".join(f"A{n} = {{}}\n" for n in range(500)), "more than 400 entries"),
        ],
    )
    def test_bad_files_are_named(self, text, told):
        with pytest.raises(SheetError) as raised:
            component_set(text, "ada.toml", "18ruhr")
        assert told in str(raised.value)
        assert "ada.toml" in str(raised.value)

    def test_digest_covers_differences_alone(self):
        one = component_set(HEAD + "[trains.2]\nprice = 110\n", "ada.toml")
        renamed = component_set(HEAD.replace("Ada", "Bert") + '[trains.2]\nprice = 110\nnote = "seen"\n', "bert.toml")
        other = component_set(HEAD + "[trains.2]\nprice = 120\n", "ada.toml")
        assert one.digest == renamed.digest != other.digest


class TestLaidOver:
    def test_sheet_carries_its_set(self):
        mine = component_set(HEAD + "[trains.2]\nprice = 110\n", "ada.toml")
        sheet = title("18ruhr").sheet(title("18ruhr").options({}), mine)
        assert sheet.trains["2"].price == 110
        assert sheet.component_set == mine.text
        assert sheet.sources["trains.2"] == "O"
        assert title("18ruhr").sheet(title("18ruhr").options({}), mine) is sheet

    def test_new_train_stands_before_another(self):
        """A train of an owner's copy that we do not have comes where it is printed, and so may one of ours."""
        text = HEAD + '[trains."5+"]\nprice = 500\ncount = 1\nreach = 5\nbefore = "6"\n[trains.2]\nbefore = "2"\n'
        assert faults(text)[0].endswith("trains.2.before: names '2', which is not there")
        ours, reader = [*printed("18rhl")["trains"]], SheetReader("ada.toml")
        assert in_order("trains", ours, {ours[2]: ours[0], ours[1]: ""}, reader) == [ours[2], *ours[:2], *ours[3:]]
        assert not reader.faults

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("[trains.2]\nprise = 1\n", "trains.2.prise"),
            ("[phases.3]\nbefore = 'mauve'\n", "phases.3.before"),
            ("[hexes]\nJ7 = false\n", "J7"),
            ("[tiles.3]\ncount = 9\n", "totals.tiles.yellow"),
            ("[own.pmcs.3]\nhex = 'Z9'\n", "own.pmcs.3.hex"),
        ],
    )
    def test_faults_name_file_and_entry(self, text, told):
        assert any(told in line for line in faults(HEAD + text))

    def test_all_faults_are_told_at_once(self):
        told = faults(HEAD + "[trains.2]\nprise = 1\n[tiles.zzz]\ncount = 1\n[boats.1]\na = 1\n")
        assert {"trains.2.prise", "tiles.zzz.colour", "boats"} <= {line.split(": ")[1] for line in told}

    def test_other_game_and_edition_are_refused(self):
        assert "is a set for 18ruhr" in faults(HEAD, "18rhl")[0]
        assert "is of edition 1, not 2" in faults(HEAD.replace("edition = 2", "edition = 1"))[0]

    def test_old_sheets_carry_nothing(self):
        assert title("18ruhr").sheet(title("18ruhr").options({}), None).component_set == ""


class TestDifferences:
    @pytest.mark.parametrize("game", names())
    def test_every_entry_is_found_again(self, game):
        for edition in title(game).editions:
            table = printed(game, edition)
            paths = list(whole_entries(table))
            assert len(paths) > 190
            assert all(isinstance(entry_at(table, path), dict) for path in paths)

    def test_difference_laid_over_gives_the_other(self):
        before = {"name": "A", "revenue": {"yellow": 20, "brown": 40}, "own": {"x": 1}, "stops": [1]}
        after = {"name": "B", "revenue": {"yellow": 30}, "flag": False}
        assert laid(before, difference(before, after)) == after
        assert difference(before, before) == {}

    def test_truth_is_no_number(self):
        assert difference({"a": 1}, {"a": True}) == {"a": True}

    def test_entry_as_ours_is_kept(self):
        table = printed()
        changes = with_entry({}, table, ("hexes", "G6"), dict(table["hexes"]["G6"]))
        assert changes == {"hexes": {"G6": {"src": "O"}}}
        assert without_entry(changes, ("hexes", "G6")) == {}

    def test_removed_entry_is_taken_away(self):
        table = printed()
        changes = with_entry({}, table, ("tiles", "1"), None)
        assert changes == {"tiles": {"1": False}}
        assert "1" not in laid(table, changes)["tiles"]
        assert with_entry({}, table, ("tiles", "none"), None) == {}


class TestWriting:
    def changes(self, table):
        hex_ = {**table["hexes"]["G6"], "name": 'Bott"rop', "cost": 30, "label": "MT"}
        changes = with_entry({}, table, ("hexes", "G6"), hex_)
        mill = {**table["own"]["pmcs"]["3"], "start_money": 45}
        changes = with_entry(changes, table, ("own", "pmcs", "3"), mill)
        changes = with_entry(changes, table, ("own", "engines"), {**table["own"]["engines"], "lowest": 20})
        changes = with_entry(changes, table, ("tiles", "1"), None)
        wanted = {key: value for key, value in table["hexes"]["J7"].items() if key != "label"}
        changes = with_entry(changes, table, ("hexes", "J7"), wanted)
        rows = [*table["market"]["rows"][:-1], ["10p"]]
        changes = with_entry(changes, table, ("market",), {**table["market"], "rows": rows})
        return with_entry(changes, table, ("trains", "2"), dict(table["trains"]["2"]))

    def test_file_reads_back_alike(self):
        table = printed()
        changes = self.changes(table)
        text = set_text({"game": "18ruhr", "name": "Ada"}, changes, table)
        assert component_set(text, "x.toml").changes == changes
        assert (
            set_text({"game": "18ruhr", "name": "Ada"}, tomllib.loads(text) and component_set(text, "x").changes, table)
            == text
        )

    def test_differences_stand_beside_ours(self):
        table = printed()
        text = set_text({"game": "18ruhr", "name": "Ada"}, self.changes(table), table)
        ours = table["own"]["pmcs"]["3"]["start_money"]
        assert f"start_money = 45  # ours: {ours}" in text
        assert 'drop = ["label"]  # ours: {label = "E"}' in text
        assert "Wetter" not in text

    def test_unknown_parts_are_kept(self):
        changes = {"boats": {"1": {"a": [1.5, {"b": True}]}}, "loose": 3, "hexes": 5, "own": {"x": 1}}
        text = set_text({"game": "18ruhr", "name": "Ada"}, changes, printed())
        assert component_set(text, "x.toml").changes == changes


class TestOverAnotherVersion:
    def test_changed_entry_of_ours_is_named(self):
        table = printed()
        stated = [("trains", "2"), ("hexes", "G6"), ("tiles", "none"), ("market",)]
        over = {"/".join(path): fingerprint(table, path) for path in stated}
        changes = {"trains": {"2": {"price": 110}}, "hexes": {"G6": {"src": "O"}}, "tiles": {"none": {"count": 1}}}
        text = set_text({"game": "18ruhr", "name": "Ada", "over": over}, changes, table)
        mine = component_set(text, "ada.toml")
        assert (mine.changes, mine.over) == (changes, over)
        assert overtaken(mine, table) == []
        later = laid(table, {"hexes": {"G6": {"cost": 30}}, "market": {"par": [50]}, "trains": {"2": {"note": "x"}}})
        assert overtaken(mine, later) == [("hexes", "G6")]
        later = laid(table, {"tiles": {"none": {"colour": "yellow", "count": 2}}, "trains": {"2": False}})
        assert overtaken(mine, later) == [("trains", "2"), ("tiles", "none")]

    def test_fingerprints_are_texts(self):
        assert "set.over: should be a table of texts" in faults(HEAD + "over = 3\n")[0]
        assert "set.over: should be a table of texts" in faults(HEAD + "[set.over]\nmarket = 3\n")[0]

    @pytest.mark.parametrize("game", names())
    def test_every_entry_fits_into_a_set(self, game):
        for edition in title(game).editions:
            table = printed(game, edition)
            over = {"/".join(path): fingerprint(table, path) for path in whole_entries(table)}
            changes = {}
            for path in whole_entries(table):
                changes = with_entry(changes, table, path, entry_at(table, path))
            text = set_text({"game": game, "edition": edition, "name": "Ada", "over": over}, changes, table)
            assert overtaken(component_set(text, "ada.toml"), table) == []


class TestComparing:
    def test_two_sets_differ_by_entry(self):
        table = printed()
        one = component_set(HEAD + "[trains.2]\nprice = 110\n[trains.3]\nprice = 210\n", "a.toml")
        other = component_set(HEAD + "[trains.2]\nprice = 120\n[tiles]\n1 = false\n", "b.toml")
        found = {
            (".".join(each.entry), each.key): (each.before, each.after)
            for each in compared(overlaid(table, one), overlaid(table, other))
        }
        assert found["trains.2", "price"] == (110, 120)
        assert found["trains.3", "price"] == (210, table["trains"]["3"]["price"])
        assert found["tiles.1", ""][1] is None
        assert len(found) == 3

    def test_looking_makes_no_difference(self):
        seen = component_set(HEAD + '[hexes.G6]\nsrc = "O"\n', "a.toml")
        assert list(compared(printed(), overlaid(printed(), seen))) == []
