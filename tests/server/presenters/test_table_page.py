"""What the page is told: choices sorted and greyed with their reason, effects of an action, panels, the log, other games."""

from __future__ import annotations

import re
from itertools import pairwise

import msgspec
import pytest

from tests.builders import toy_game
from trajekt.engine.decisions import Decision, decide, legal
from trajekt.engine.events import Paid
from trajekt.engine.ruleset import Choice
from trajekt.engine.state import BANK
from trajekt.game import new_game
from trajekt.i18n.sentences import Speaker
from trajekt.i18n.spoken import stop_name
from trajekt.round_label import Round, round_key, round_of, steps_now
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters import game_log, info_panels
from trajekt.server.presenters.choice_groups import menu
from trajekt.server.presenters.decision import now
from trajekt.server.presenters.outcome_preview import effects_of
from trajekt.server.storage.cached_game import CachedGame

SEATS = (0, 1, 2)


def fresh(edition: int = 2):
    return new_game("18rhl", ("Ada", "Bert", "Cleo"), {"edition": edition, "fixed_seats": True}, 7)


def speaker(game, language: str = "en") -> Speaker:
    return Viewer(language).speaker(game.title, game.state)


def kind(choice) -> str:
    return choice.action.__struct_config__.tag


def play_to(game, wanted, most: int = 300):
    """Play the first sensible choice until `wanted(game)`."""
    order = ("buy_private", "set_par", "buy_share", "found", "run_trains", "pay_out", "buy_train", "lay_tile", "pass")
    for _ in range(most):
        if wanted(game):
            return game
        sensible = [c for c in game.choices() if kind(c) in order and not c.spans]
        choice = min(sensible, key=lambda c: order.index(kind(c)))
        game.play(choice.action, choice.seat)
    raise AssertionError("never result to it")


def every_chip(found):
    rows = [row for group in found.groups for row in (*group.rows, *group.refused)]
    return [
        *found.cards,
        *found.quick,
        *found.aside,
        *([found.runs] if found.runs else ()),
        *(c for r in rows for c in r.chips),
    ]


@pytest.mark.parametrize("edition", [1, 2])
def test_menu_matches_the_engine_throughout(edition):
    game = fresh(edition)

    def compared(game) -> bool:
        choices = game.choices()
        found = menu(game, game.state, choices, speaker(game), SEATS)
        pressed = {(c.seat, c.action) for c in every_chip(found) if not c.refused}
        off_map = {
            (c.seat, msgspec.json.encode(c.action).decode()) for c in choices if "hex" not in c.action.__struct_fields__
        }
        assert pressed == off_map
        assert set(found.hexes) == {c.action.hex for c in choices if "hex" in c.action.__struct_fields__}
        return round_of(game.state).key == "OR 2.1"

    play_to(game, compared)


def test_greyed_choice_is_refused_likewise():
    game = play_to(fresh(), lambda g: any(kind(c) == "found" for c in g.choices()))
    found = menu(game, game.state, game.choices(), speaker(game), SEATS)
    grey = [chip for chip in every_chip(found) if chip.refused]
    assert grey
    for chip in grey:
        refusal = game.why_not(msgspec.json.decode(chip.action), chip.seat)
        assert refusal is not None
        assert refusal.rule == chip.rule
        assert chip.refused.strip()
        assert "‹" not in chip.refused


def test_other_seats_choices_are_left_out():
    game = fresh()
    found = menu(game, game.state, game.choices(), speaker(game), (1,))
    assert {chip.seat for chip in every_chip(found)} <= {1}
    assert not found.groups


class Stranger:
    """A game of which the page knows nothing but its rules."""

    ruleset = toy_game.toy()


@pytest.mark.parametrize(
    ("frames", "words"),
    [
        ((toy_game.Floor(0),), {"Pass", "Call round", "Sell out X"}),
        ((toy_game.Turn("X"),), {"Pass", "Link", "Sell out X"}),
        ((toy_game.TooMany(("X", "Y")),), {"X: discard 2-train", "X: discard 5-train"}),
    ],
)
def test_unknown_game_gets_labelled_buttons(frames, words):
    state = toy_game.table(3, *frames, trains={"X": ("2", "5", "2"), "Y": ("2", "2")})
    choices = legal(Stranger.ruleset, state)
    say = Speaker(Viewer("en").catalogue(), state.sheet, state.names)
    found = menu(Stranger, state, choices, say, SEATS)
    pressed = [chip for chip in every_chip(found) if not chip.refused]
    assert {(c.seat, c.action) for c in pressed} == {(c.seat, msgspec.json.encode(c.action).decode()) for c in choices}
    assert {chip.label for chip in pressed} >= words
    assert "‹" not in "".join(chip.label + chip.sentence for chip in pressed)


def test_effects_are_the_actions_alone():
    game = play_to(fresh(), lambda g: any(kind(c) == "pay_out" for c in g.choices()))
    state = game.state
    choice = next(c for c in game.choices() if kind(c) == "pay_out")
    decision = decide(game.ruleset, state, choice.seat, choice.action)
    assert isinstance(decision, Decision)
    effects = effects_of(game, state, decision)
    paid = sum(c.delta for c in (*effects.cash, *effects.treasuries))
    turn = state.agenda[-1]
    assert paid == turn.revenue
    assert [p.company for p in effects.prices] == [turn.company]
    assert effects.prices[0].after >= effects.prices[0].before
    worth = {s.seat: s.total for s in game.title.standings(state)}
    assert all(c.before == worth[c.seat] for c in effects.worth)


def test_now_names_step_and_decider():
    game = play_to(fresh(), lambda g: any(kind(c) == "lay_tile" for c in g.choices()))
    view = now(game, game.choices(), speaker(game), SEATS)
    company = game.state.companies[view.company]
    assert view.mode == "map"
    assert view.seat == company.director
    assert game.state.names[company.director] in view.question
    assert steps_now(game, game.state)[0].state == "at"
    german = now(game, game.choices(), speaker(game, "de"), SEATS)
    assert german.question != view.question
    assert "‹" not in view.question + view.under + german.question + german.under


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_position_can_be_described(language):
    game = fresh()

    def told(game) -> bool:
        view = now(game, game.choices(), speaker(game, language), SEATS)
        texts = [
            view.question,
            view.under,
            *(c.label for c in every_chip(view.menu)),
            *(c.sentence for c in every_chip(view.menu)),
        ]
        assert "‹" not in " ".join(texts)
        return round_of(game.state).key == "SR 2"

    play_to(game, told)
    cached = CachedGame("x", game)
    lines = game_log.log(cached, game.number, speaker(game, language))
    assert [line.number for line in lines] == list(range(1, game.number + 1))
    assert "‹" not in " ".join(line.text + line.small for line in lines)
    assert [line.round for line in lines if line.round][:1] == [{"en": "SR 1", "de": "AR 1"}[language]]


def test_owner_incomes_are_one_sum():
    game = play_to(fresh(), lambda g: round_of(g.state).key == "OR 1.1")
    incomes = [e for e in game.entries[-1].events if isinstance(e, Paid) and e.cause == "private" and e.source == BANK]
    small = game_log.entry_text(game, game.entries[-1], speaker(game))[1].split("; ")
    told = [line for line in small if "private companies" in line]
    assert len(incomes) > len(told) == len({e.target for e in incomes})
    assert sum(int(re.search(r"receives (\d+)", line)[1]) for line in told) == sum(e.amount for e in incomes)


def test_undone_entries_are_logged_and_marked():
    game = fresh()
    game.play({"kind": "buy_private", "private": 1})
    game.undo()
    game.play({"kind": "pass"})
    lines = game_log.log(CachedGame("x", game), game.number, speaker(game))
    assert [(line.kind, line.stands) for line in lines] == [("action", False), ("undo", True), ("action", True)]


def test_time_line_covers_entries_once():
    game = play_to(fresh(), lambda g: round_of(g.state).key == "SR 2")
    parts = game_log.stretches(CachedGame("x", game), game.number, Viewer("en").catalogue())
    assert parts[0].left == 0
    for before, after in pairwise(parts):
        assert after.left == pytest.approx(before.left + before.width)
    assert parts[-1].left + parts[-1].width == pytest.approx(100)
    assert [part.stock for part in parts[:2]] == [True, False]


def test_long_round_names_keep_apart(monkeypatch):
    rounds = [Round("package")] * 8
    for n in range(1, 13):
        rounds += [Round("stock", n)] * 5 + [Round("operating", n, 1)] * 5
    monkeypatch.setattr(game_log, "rounds_of", lambda _cached: rounds)
    named = [part for part in game_log.stretches(CachedGame("x", fresh()), 200, Viewer("en").catalogue()) if part.name]
    assert len(named) > 4
    for before, after in pairwise(named):
        assert before.left + len(before.name) < after.left  # a letter of 6 px on a line of 600


def test_the_sheet_shows_each_share_once():
    game = play_to(fresh(), lambda g: round_of(g.state).key == "OR 1.1")
    rows = info_panels.companies(game.state, speaker(game))
    assert [row.id for row in rows][: len(game.state.operating_order)] == list(game.state.operating_order)
    for row in rows:
        assert sum(share.percent for share in row.shares) == sum(
            c.percent for c in game.state.companies[row.id].certificates
        )
        assert sum(share.director for share in row.shares) <= 1
    columns = info_panels.players(game.state, game.title, speaker(game))
    assert [c.cash for c in columns] == [f"{p.cash:,}" for p in game.state.players]
    assert [c.seat for c in columns] == [0, 1, 2]


def test_coming_phases_follow_the_sheet():
    game = fresh()
    lines = info_panels.coming(game.state, speaker(game))
    assert lines[0] == "First 3-train: green tiles; 2 operating rounds."


def test_round_has_a_neutral_label():
    game = fresh()
    assert round_key(game.state) == "SR 1"
    assert steps_now(game, game.state) == ()


def test_a_finished_game_shows_its_ranking(client):
    game = fresh()
    names = {"offer_end"}
    for seat in SEATS:
        choice = next(Choice(seat, c.action) for c in game.anytime_choices(seat) if kind(c) in names)
        game.play(choice.action, seat)
    assert game.finished
    client.app.state.server.table.cache.create("ended", game)
    page = client.get("/t/ended").text
    assert "The game is over" in page
    assert 'class="ranking"' in page
    assert 'id="action-form"' not in page


def test_stop_has_the_name_beside_it():
    state = fresh().state
    named = {
        ref: stop_name(state.board, ref)
        for ref in ("F9:a", "F9:b", "F9:c", "I10:a", "F13:b", "G12:a", "G12:b", "K6:a", "J3:a", "Z9:a")
    }
    assert named == {
        "F9:a": "Neuss", "F9:b": "Düsseldorf", "F9:c": "Düsseldorf", "I10:a": "Köln", "F13:b": "Barmen",
        "G12:a": "Solingen", "G12:b": "Remscheid", "K6:a": "Düren", "J3:a": "J3", "Z9:a": "Z9",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("at", "tile", "turn", "names"),
    [("G12", "938", turn, {"Remscheid", "Solingen"}) for turn in range(6)]
    + [("F9", "927", 0, {"Neuss/Düsseldorf"}), ("F9", "921", 0, {"Neuss", "Düsseldorf"})],
)
def test_upgraded_names_match_one_stop_each(at, tile, turn, names):
    from trajekt.engine.board.board import HexContents

    board = fresh().state.board
    laid = board.with_contents(at, HexContents(tile, turn))
    count = len(laid.face(at).stops)
    assert {stop_name(laid, f"{at}:{'abc'[n]}") for n in range(count)} == names
