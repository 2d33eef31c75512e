"""`Game` and records on the made-up game: undo, redo, branches, try-out, a rule mended in mid-game (hard case 10)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.builders.toy_game import CALL, DUTIES, PASS, CallRound, Floor, toy
from tests.builders.toy_title import title
from tests.server.steady import fresh, steady
from trajekt import new_game, records
from trajekt.bots.bot import make_bot, next_move
from trajekt.engine.actions import LayTile, Pass
from trajekt.engine.codec import encode
from trajekt.engine.decisions import legal, start
from trajekt.engine.digest import digest
from trajekt.engine.events import TileLaid
from trajekt.engine.ruleset import Code, Ruleset, check, refuse
from trajekt.engine.state import State
from trajekt.game import REDO, SPACING, UNDO, Game, Refused
from trajekt.records import RecordError


def game(ruleset: Ruleset | None = None) -> Game:
    rules = ruleset or toy()
    names = ("Ada", "Bert", "Cleo")
    return Game(title(rules), rules, {}, names, 5, start(rules, names, 5, shuffle=False))


def turn(state: State) -> int:
    floor = state.agenda[-1]
    assert isinstance(floor, Floor)
    return floor.turn


def play_any(table: Game, count: int) -> None:
    for n in range(count):
        choices = table.choices()
        table.play(choices[n % len(choices)])


class TestPositions:
    def test_old_positions_are_folded_again(self) -> None:
        table = new_game("18rhl", ("Ada", "Bert", "Cleo"), {}, 3)
        seen = [digest(table.state)]
        for n in range(3 * SPACING):
            play_any(table, 1) if n % 7 != 3 else table.undo()
            seen.append(digest(table.state))
        numbers = range(len(seen))
        assert [digest(table.state_at(n)) for n in numbers] == seen
        assert [digest(table.state_at(n)) for n in reversed(numbers)] == seen[::-1]
        assert [digest(table.at(n).state) for n in numbers] == seen
        assert len(table._states) < 2 * SPACING

    def test_undo_leads_to_old_positions(self) -> None:
        table = new_game("18rhl", ("Ada", "Bert", "Cleo"), {}, 3)
        first = table.state
        play_any(table, 3 * SPACING)
        last = table.state
        table.undo(to=5)
        assert digest(table.state) == digest(table.at(5).state)
        table.redo()
        assert table.state == last
        table.undo(to=0)
        assert table.state == first

    def test_the_board_lies_since_a_deed(self) -> None:
        table = steady(fresh(), lambda g: any(isinstance(c.action, LayTile) for c in g.choices()))
        before, since = table.state.board, table.board_since(table.head)
        table.play(next(c for c in table.choices() if isinstance(c.action, LayTile)))
        assert table.state.board != before
        assert table.board_since(table.head) == table.head
        table.undo()
        assert table.board_since(table.head) == since
        with pytest.raises(ValueError, match="no entry"):
            table.board_since(table.head + 1)


def test_decoded_events_share_their_words() -> None:
    table = steady(fresh(), lambda g: any(isinstance(c.action, LayTile) for c in g.choices()))
    entry = table.play(next(c for c in table.choices() if isinstance(c.action, LayTile)))
    one, two = (table.codec.event_list(encode(entry.events)) for _ in range(2))
    assert one == two == entry.events
    hexes = [[event.hex for event in events if isinstance(event, TileLaid)] for events in (one, two)]
    assert hexes[0][0] is hexes[1][0]


class TestPlay:
    def test_actions_are_read_from_plain_values(self) -> None:
        one, two = game(), game()
        one.play({"kind": "pass"})
        two.play(Pass())
        assert one.entries == two.entries
        assert digest(one.state) == digest(two.state)

    def test_unreadable_action_names_its_place(self) -> None:
        with pytest.raises(msgspec.ValidationError, match=r"company"):
            game().play({"kind": "sell_out"})
        with pytest.raises(msgspec.ValidationError, match="nothing"):
            game().play({"kind": "nothing"})

    def test_a_refusal_changes_nothing(self) -> None:
        table = game()
        before = table.state
        wrong = (table.to_act[0] + 1) % 3
        with pytest.raises(Refused) as caught:
            table.play(Pass(), wrong)
        assert caught.value.refusal.code == Code.NOT_YOUR_TURN
        assert caught.value.refusal.rule == "DO-SR-01"
        assert table.state is before
        assert table.entries == ()
        assert table.why_not(Pass(), wrong) == caught.value.refusal
        assert table.why_not(Pass()) is None


@pytest.mark.case("B94")
class TestUndo:
    def test_undo_and_redo_restore_the_position(self) -> None:
        table = game()
        first = turn(table.state)
        table.play(Pass())
        table.play(Pass())
        full = digest(table.state)
        assert table.undo().kind == UNDO
        assert turn(table.state) == (first + 1) % 3
        table.undo()
        assert turn(table.state) == first
        assert table.line() == []
        table.redo()
        assert table.redo().kind == REDO
        assert digest(table.state) == full
        assert [e.number for e in table.line()] == [1, 2]
        assert table.number == 6, "numbers never run backwards"

    def test_action_ends_the_redo(self) -> None:
        table = game()
        table.play(Pass())
        table.undo()
        table.play(CallRound())
        with pytest.raises(ValueError, match="nothing to redo"):
            table.redo()

    def test_nothing_to_undo(self) -> None:
        with pytest.raises(ValueError, match="nothing has been done"):
            game().undo()

    def test_undo_to_an_entry(self) -> None:
        table = game()
        for _ in range(2):
            table.play(Pass())
        table.undo(to=0)
        assert table.state == table.opening.state
        table.redo()
        assert len(table.line()) == 2
        with pytest.raises(ValueError, match="does not stand"):
            table.undo(to=17)

    def test_undo_after_redo_and_undo_again(self) -> None:
        table = game()
        table.play(Pass())
        table.undo()
        table.redo()
        table.undo()
        assert table.state == table.opening.state
        table.redo()
        assert len(table.line()) == 1

    def test_earlier_position_opens_a_board(self) -> None:
        table = game()
        table.play(Pass())
        table.play(Pass())
        board = table.at(1)
        assert board.state is table.state_at(1)
        board.play(CallRound())
        assert table.number == 2, "trying out does not touch the game"
        with pytest.raises(ValueError, match="no entry 9"):
            table.at(9)


def played() -> Game:
    table = game()
    table.play(Pass())
    table.undo()
    table.play(Pass())
    table.play(CallRound())
    return table


@pytest.fixture
def toy_title(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "title", lambda _name: title(toy()))


@pytest.mark.usefixtures("toy_title")
class TestRecords:
    def test_a_record_is_read_back(self, tmp_path: Path) -> None:
        table = played()
        records.save(table, tmp_path / "game.json")
        assert (tmp_path / "game.json").read_bytes() == records.to_json(table)
        again = records.load(tmp_path / "game.json")
        assert again.entries == table.entries
        assert again.state == table.state
        assert list(records.replay(again)) == []

    def test_a_torn_file_is_told(self) -> None:
        data = records.to_json(played())
        with pytest.raises(RecordError, match=r"torn: it ends in the middle, at line \d+"):
            records.from_json(data[: len(data) // 2])

    @pytest.mark.parametrize(
        ("where", "value", "told"),
        [
            (("entries", 1, "parent"), 7, "entry 2"),
            (("entries", 0, "events"), [{"event": "paid"}], "entry 1"),
            (("entries", 2, "action"), {"kind": "fly"}, "entry 3"),
            (("entries", 2, "kind"), "fly", "entry 3"),
            (("set_up",), [{"event": "paid", "source": 9, "target": "bank", "amount": 1, "cause": "x"}], "set-up"),
            (("digest",), "00", "last position"),
            (("trajekt",), 99, "format 99"),
            (("colour",), 1, "no trajekt record"),
        ],
    )
    def test_a_changed_file_is_told(self, where: tuple[Any, ...], value: object, told: str) -> None:
        data = msgspec.json.decode(records.to_json(played()))
        place = data
        for key in where[:-1]:
            place = place[key]
        place[where[-1]] = value
        with pytest.raises(RecordError, match=told):
            records.from_json(msgspec.json.encode(data))

    def test_mended_rule_breaks_no_record(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The mended rules refuse an old action: the record still reads, and `replay` names the first difference."""

        @check("RUHR-SR-05")
        def never(_view: object, _action: object) -> Any:
            return refuse(Code.NOT_IN_RULESET)

        stricter = CALL.derive(added=(never,))
        duties: Mapping[Any, Any] = {**DUTIES, Floor: replace(DUTIES[Floor], menu=(PASS, stricter))}
        mended = replace_duties(toy(version=2), duties)
        monkeypatch.setattr(records, "title", lambda _name: title(mended))
        table = played()
        again = records.from_json(records.to_json(table))
        assert again.state == table.state
        differences = list(records.replay(again))
        assert [(d.entry, d.refusal and d.refusal.rule) for d in differences] == [(4, "RUHR-SR-05")]


def replace_duties(ruleset: Ruleset, duties: Mapping[Any, Any]) -> Ruleset:
    return Ruleset(
        ruleset.name, ruleset.version, ruleset.sheet, ruleset.options, ruleset.set_up, duties, ruleset.reactions
    )


class TestLog:
    def test_log_tells_actions_in_both_languages(self) -> None:
        from trajekt import new_game

        played = new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2, "fixed_seats": True}, seed=7)
        played.play({"kind": "buy_private", "private": 1})
        played.play({"kind": "pass"})
        played.undo()
        assert played.log("en")[-3:] == [
            "Ada buys Prinz-Wilhelm-Bahn for 20\u00a0M",
            "  Ada owns Prinz-Wilhelm-Bahn",
            "  Ada pays 20\u00a0M for the certificate",
        ]
        assert played.log("de")[0] == "Sitzordnung: Ada, Bert, Cleo"
        assert "‹" not in "".join(played.log("de"))
        with pytest.raises(ValueError, match="no language"):
            played.log("fr")


@pytest.mark.parametrize("name", ["18rhl", "18lra"])
def test_anytime_choices_are_legal_ones(name):
    """They are found without what else is legal, as pages ask for both."""
    table, rng = new_game(name, ["Ada", "Bert", "Cleo"], {"fixed_seats": True}, seed=3), random.Random(3)
    bots, kinds = [make_bot("random", rng)] * 3, {rule.action for rule in table.ruleset.anytime}
    found = 0
    for _ in range(150):
        offers = table.anytime_choices()
        assert offers == [each for each in legal(table.ruleset, table.state) if type(each.action) in kinds]
        found += len(offers)
        seat, move = next_move(table.ruleset, table.state, bots, rng)
        table.play(move.action, seat)
    assert found
