"""Players are found by name, give reasons in both languages, keep their companies alive, and tell no player from another."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tests.builders.bot_rulesets import ruleset_of
from trajekt.bots import arena, search
from trajekt.bots import candidate_moves as judging
from trajekt.bots.bot import (
    Bot,
    BotMove,
    MoveReason,
    UnknownBotError,
    legal_of,
    make_bot,
    names,
    next_move,
    numbered,
    open_to,
)
from trajekt.bots.candidate_moves import JUDGES, ideas
from trajekt.bots.reasons import sentence, speaker
from trajekt.bots.search import SearchBot, moment, played_on, weighed
from trajekt.bots.simulation import GamePlan, GameResult, play_out
from trajekt.bots.steady import SteadyBot
from trajekt.engine.actions import BuyShare, BuyTrain, FoundCompany, Pass, RunTrains
from trajekt.engine.bot_hints import BotHints
from trajekt.engine.decisions import Decision, decide, refusal, start
from trajekt.engine.digest import digest
from trajekt.engine.ruleset import Span, View
from trajekt.game import new_game
from trajekt.games.do.actions import BuyCertificate, TradeIn
from trajekt.i18n.sentences import gaps, read_entries
from trajekt.registry import title

BOTS = Path(__file__).parents[2] / "src" / "trajekt" / "bots"


def positions(edition, kinds, seed, most):
    """The positions of a game with who moves and how."""
    ruleset, rng = ruleset_of(edition), random.Random(seed)
    players = [make_bot(kind, rng) for kind in kinds]
    state = start(ruleset, ("Ada", "Bert", "Cleo"), seed).state
    for _ in range(most):
        found = next_move(ruleset, state, players, rng)
        if found is None:
            return
        yield ruleset, state, *found
        answer = decide(ruleset, state, found[0], found[1].action)
        assert isinstance(answer, Decision), answer
        state = answer.state


def test_players_of_package_found_by_name():
    assert {"random", "steady", "search"} <= set(names())
    assert isinstance(make_bot("steady", random.Random(1)), SteadyBot)
    looking = make_bot("search:2", random.Random(1))
    assert isinstance(looking, SearchBot)
    assert looking.rounds == 2


def test_an_unknown_player_is_named():
    with pytest.raises(UnknownBotError, match="nobody"):
        make_bot("nobody", random.Random(1))


class Careful:
    """A player as a reader of the docs would write one: passes when it may, else takes the first legal choice."""

    def __init__(self, rng):
        self.rng = rng

    def choose(self, view: View) -> BotMove | None:
        actions = [numbered(o, lambda span: span.low) for rule in open_to(view) for o in legal_of(rule, view)]
        passing = [action for action in actions if isinstance(action, Pass)]
        chosen = next(iter(passing or actions), None)
        return None if chosen is None else BotMove(chosen, MoveReason("bot.move"))


def test_player_is_any_class_with_choose():
    rng = random.Random(4)
    careful: Bot = Careful(rng)
    ruleset = ruleset_of()
    state = start(ruleset, ("Ada", "Bert", "Cleo"), 4).state
    for _ in range(120):
        seat, move = next_move(ruleset, state, [careful, SteadyBot(rng), SteadyBot(rng)], rng)
        answer = decide(ruleset, state, seat, move.action)
        assert isinstance(answer, Decision)
        state = answer.state
    assert all(p.owner is not None or not p.open for p in state.privates.values())


@pytest.mark.slow
@pytest.mark.parametrize("edition", [1, 2])
def test_moves_of_steady_are_legal_sentences(edition):
    found, said = title("18rhl"), set()
    for ruleset, state, seat, move in positions(edition, ("steady", "steady", "random"), 9, 350):
        assert refusal(ruleset, state, seat, move.action) is None
        for language in ("en", "de"):
            line = sentence(speaker(found, state.sheet, state.names, language), move.reason)
            assert line, move.reason
            assert line.endswith(".")
            assert "‹" not in line, move.reason
            assert "{" not in line, move.reason
        said.add(move.reason.key)
    assert {"bot.run", "bot.pay_out", "bot.lay_now", "bot.first_train", "bot.buy_share"} <= said


def test_sentences_match_those_of_bots():
    english, german = read_entries("trajekt.bots", "en"), read_entries("trajekt.bots", "de")
    used = {key for file in BOTS.glob("*.py") for key in re.findall(r'"(bot\.\w+)"', file.read_text(encoding="utf-8"))}
    assert set(english) == set(german) == used
    for key, text in english.items():
        assert gaps(text) == gaps(german[key]), key


def test_ideas_come_best_first():
    for ruleset, state, seat, move in positions(2, ("steady", "steady", "steady"), 3, 120):
        found = ideas(View(ruleset, state, seat, state.agenda[-1]))
        assert [idea.gain for idea in found] == sorted((idea.gain for idea in found), reverse=True)
        assert any(idea.action == move.action for idea in found)
    untold = {"Withdraw", "OfferEnd", "DeclineEnd", "SetPar", "SellCharterShares", "TakeLoan"}
    shared = {a.__name__ for a in ruleset_of(1).actions} | {a.__name__ for a in ruleset_of(2).actions}
    assert shared - {a.__name__ for a in JUDGES} <= untold


@pytest.mark.slow
def test_running_company_of_steady_owns_train():
    """It never lets a company with money for a train and a route stand still."""
    idle = runs = 0
    for _, state, seat, move in positions(2, ("steady", "random", "random"), 12, 900):
        turn = state.agenda[-1]
        if seat != 0 and state.names[seat] != state.names[0]:
            continue
        if isinstance(move.action, RunTrains):
            runs += 1
        if isinstance(move.action, Pass) and getattr(turn, "step", "") == "trains":
            company = state.companies[turn.company]
            idle += not company.trains and company.treasury >= 400
    assert runs > 5
    assert idle == 0


@pytest.mark.slow
def test_equal_seeds_play_equal_moves():
    kinds = ("steady", "random", "search")
    one, two = ([move for *_, move in positions(2, kinds, 5, 130)] for _ in range(2))
    assert one == two
    assert len(one) == 130


@pytest.mark.slow
def test_games_of_steady_break_no_book():
    for edition in (1, 2):
        outcome = play_out(GamePlan("18rhl", 0, 8, 3, {"edition": edition}, ("steady",)))
        assert outcome.violations == ()
        assert outcome.finished


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize("game", ["18lra", "18ruhr", "18do"])
def test_steady_plays_sisters_to_end_too(game):
    """Actions that no judgement knows are judged by the position after them; nobody passes or offers for ever."""
    found = title(game)
    outcome = play_out(GamePlan(found.id, 0, 5, 3, {"edition": min(found.editions)}, ("steady",), checked=False))
    assert outcome.violations == ()
    assert outcome.finished


@pytest.mark.slow
def test_steady_beats_random():
    for plan in arena.schedule("18rhl", ["steady", "random", "random"], 6, 70):
        result = arena.result_of(play_out(plan))
        assert result.wins[result.kinds.index("steady")] == 1.0


def test_search_stops_looking_when_time_up():
    ticks = iter(range(10_000))
    hasty = SearchBot(random.Random(1), rounds=1, seconds=0.5, clock=lambda: float(next(ticks)))
    for ruleset, state, seat, _ in positions(2, ("steady", "steady", "steady"), 3, 60):
        move = hasty.choose(View(ruleset, state, seat, state.agenda[-1]))
        assert refusal(ruleset, state, seat, move.action) is None
    assert next(ticks) < 400


def test_imagined_game_leaves_position_alone():
    for ruleset, state, _seat, _move in positions(2, ("steady", "steady", "steady"), 3, 120):
        last = ruleset, state
    ruleset, state = last
    ahead = played_on(ruleset, state, moment(state, 1))
    assert moment(ahead) == moment(state, 1)
    assert ahead != state
    assert ahead.board.contents_by_hex.keys() == state.board.contents_by_hex.keys()


def test_number_is_handed_to_spans_only():
    from trajekt.engine.ruleset import Option

    assert numbered(Option(BuyTrain("X", "2", 1), {"price": Span(3, 9)}), lambda span: span.high).price == 9
    assert numbered(Pass(), lambda span: span.high) == Pass()


def test_openings_are_played_in_every_seating():
    plans = arena.schedule("18rhl", ["steady", "random", "random"], 12, 1)
    by_opening: dict[int, set[tuple[str, ...]]] = {}
    for plan in plans:
        by_opening.setdefault(plan.seed, set()).add(plan.kinds)
    assert [len(seatings) for seatings in by_opening.values()] == [3, 3, 3, 3]
    assert {plan.options["edition"] for plan in plans} == {1, 2}


def test_drawn_openings_begin_alike():
    """The first actions are drawn, alike in each seating and otherwise in the next opening; the rest is the bots' own."""
    plans = arena.schedule("18rhl", ["steady", "random", "random"], 6, 1, edition=2, drawn=8)
    assert {plan.drawn for plan in plans} == {8}
    lines = []
    for plan in plans:
        made = []

        def told(state, made=made):
            made.append(digest(state))

        play_out(plan, told)
        lines.append(made)
    first, second = lines[:3], lines[3:]
    for opening in (first, second):
        assert len({tuple(line[:9]) for line in opening}) == 1
        assert len({line[40] for line in opening}) == 3
    assert first[0][8] != second[0][8]


@pytest.mark.parametrize(("totals", "told"), [((3, 1, 2), True), ((9, 1, 2), False)])
def test_games_that_went_alike_are_told(monkeypatch, capsys, totals, told):
    ends = [(3, 1, 2), totals]

    def simulate(plans, _where):
        return [GameResult(plan, 9, True, "bank", end, 0.1) for plan, end in zip(plans, ends, strict=True)]

    monkeypatch.setattr(arena, "schedule", lambda *_, **__: [GamePlan("18rhl", n, n, 3, {}) for n in range(2)])
    monkeypatch.setattr(arena, "simulate", simulate)
    assert arena.main(["18rhl", "random"]) == 0
    assert ("1 of 2 games went like another" in capsys.readouterr().err) == told


def test_arena_for_tables_that_game_knows():
    with pytest.raises(ValueError, match="for 9 players"):
        arena.schedule("18rhl", ["random"] * 9, 1, 1)


def results(*totals):
    return [arena.ArenaResult(n, n, 2, ("a", "b", "b"), each, 1, "bank", 0.0) for n, each in enumerate(totals)]


def test_ratings_follow_who_ends_above_whom():
    found = arena.ratings(results((3, 1, 2), (9, 1, 2), (3, 1, 2), (1, 2, 3)))
    assert [each.kind for each in found] == ["a", "b"]
    assert found[0].wins == 3
    assert found[0].share == pytest.approx(4 / 3, abs=0.01)
    assert found[0].rating > found[1].rating == 0
    assert found[0].error > 0


def test_a_shared_win_is_shared():
    (result,) = results((5, 5, 1))
    assert result.wins == (0.5, 0.5, 0.0)


def test_ratings_of_equals_are_equal():
    found = arena.ratings(results((2, 1, 1), (1, 2, 2)))
    assert found[0].rating == pytest.approx(found[1].rating, abs=0.1)


def test_the_command_prints_results_and_ratings(capsys):
    assert arena.main(["18rhl", "random", "random", "random", "--games", "1", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    assert '"kinds":["random","random","random"]' in out
    assert "1 games" in err


class Failing:
    """A stranger's bot that fails when it is asked."""

    def __init__(self, fault):
        self.fault = fault

    def __call__(self, _rng):
        return self

    def choose(self, _view):
        if isinstance(self.fault, BaseException):
            raise self.fault
        return self.fault


@pytest.mark.parametrize("fault", [RuntimeError("no idea"), SystemExit(3), None, 5])
def test_failing_bot_spoils_no_run(capsys, monkeypatch, fault):
    from trajekt.bots import bot

    real = bot._made_by
    monkeypatch.setattr(bot, "_made_by", lambda name: Failing(fault) if name == "failing" else real(name))
    plans = arena.schedule("18lra", ["failing", "random", "random"], 1, 3)
    whole = arena.schedule("18lra", ["random", "random", "random"], 1, 3)
    monkeypatch.setattr(arena, "schedule", lambda *_, **__: [*plans, *whole])
    assert arena.main(["18lra", "failing", "random", "random"]) == 1
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1
    assert "came to no end: " in err
    assert "1 games" in err


def test_steady_buys_businesses_of_package():
    found = title("18ruhr")
    chosen = found.options({"scenario": "hellweg"})
    ruleset, rng = found.build(found.sheet(chosen, None), chosen), random.Random(3)
    state = start(ruleset, ("Ada", "Bert", "Cleo"), 3).state
    players = [make_bot("steady", rng) for _ in range(3)]
    buyers = set()
    for _ in range(3):
        seat, move = next_move(ruleset, state, players, rng)
        best = ideas(View(ruleset, state, seat, state.agenda[-1]))[0]
        assert type(best.action) not in JUDGES  # a kind that nobody has written a judgement for
        assert best.gain > 1.0  # not only because somebody has to begin
        buyers.add(seat)
        answer = decide(ruleset, state, seat, move.action)
        assert isinstance(answer, Decision)
        state = answer.state
    assert buyers == {0, 1, 2}
    assert sum(p.owner is not None for p in state.privates.values()) == 3


class Looking:
    """A game of two ideas, the second of which ends better by so much than the first, as it is imagined."""

    def __init__(self, monkeypatch, lead):
        self.state = start(ruleset_of(), ("Ada", "Bert", "Cleo"), 1).state
        self.view = View(ruleset_of(), self.state, 0, self.state.agenda[-1])
        worth = {"first": 1000.0, "second": 1000.0 + lead}
        monkeypatch.setattr(search, "after", lambda _view, action: action)
        monkeypatch.setattr(search, "played_on", lambda _ruleset, state, _until: state)
        monkeypatch.setattr(search, "value", lambda state, _seat: worth[state])

    def chosen(self):
        found = [
            judging.Idea(1.0, "first", MoveReason("bot.move")),
            judging.Idea(0.0, "second", MoveReason("bot.move")),
        ]
        return SearchBot(random.Random(1), seconds=None)._ahead(self.view, found, 1).action


@pytest.mark.parametrize(("lead", "taken"), [(0.5, "first"), (1.5, "second")])
def test_expected_gain_counts_beside_imagined(monkeypatch, lead, taken):
    """The first idea gains 1 Mark more as it is judged."""
    assert Looking(monkeypatch, lead).chosen() == taken


def test_imagined_ends_of_rounds_count_alike(monkeypatch):
    """The second moment is played on to from the first, and both count alike."""
    worth = {"now, 1": 100.0, "now, 1, 2": 500.0}
    monkeypatch.setattr(search, "played_on", lambda _ruleset, state, until: f"{state}, {until}")
    monkeypatch.setattr(search, "value", lambda state, _seat: worth[state])
    assert search.ahead(None, "now", 0, [1]) == 100.0
    assert search.ahead(None, "now", 0, [1, 2]) == 300.0


@pytest.mark.parametrize(("game", "rounds"), [("18rhl", 2), ("18lra", 2), ("18do", 2), ("18ruhr", 1)])
def test_game_says_how_far_to_look(monkeypatch, game, rounds):
    found = title(game)
    chosen = found.options({})
    ruleset, far = found.build(found.sheet(chosen, None), chosen), []
    state = start(ruleset, ("Ada", "Bert", "Cleo"), 1).state
    two = [judging.Idea(1.0, Pass(), MoveReason("bot.buy_share", {"company": name})) for name in ("A", "B")]
    monkeypatch.setattr(search, "ideas", lambda _view: two)
    monkeypatch.setattr(SearchBot, "_ahead", lambda _self, _view, _listed, rounds: far.append(rounds))
    SearchBot(random.Random(1)).choose(View(ruleset, state, 0, state.agenda[-1]))
    SearchBot(random.Random(1), 3.0).choose(View(ruleset, state, 0, state.agenda[-1]))
    SearchBot(random.Random(1), 0).choose(View(ruleset, state, 0, state.agenda[-1]))  # never looks
    assert far == [rounds, 3]


@pytest.mark.parametrize(
    ("told", "played"),
    [
        (BotHints(wide=2, sure=500.0), ["A", "B"]),
        (BotHints(wide=9, sure=500.0), ["A", "B", "C"]),
        (BotHints(wide=9, sure=50.0), ["A", "B"]),
        (BotHints(wide=9, sure=5.0), None),  # the first is sure to be the best
    ],
)
def test_hints_limit_ideas_played_out(monkeypatch, told, played):
    state = start(ruleset_of(), ("Ada", "Bert", "Cleo"), 1).state
    gains = {"A": 200.0, "B": 190.0, "C": 0.0}
    found = [judging.Idea(gain, Pass(), MoveReason("bot.buy_share", {"company": name})) for name, gain in gains.items()]
    looked = []
    monkeypatch.setattr(search, "ideas", lambda _view: found)
    monkeypatch.setattr(search, "hints_of", lambda _game: told)
    monkeypatch.setattr(SearchBot, "_ahead", lambda _self, _view, listed, _rounds: looked.append(listed))
    SearchBot(random.Random(1)).choose(View(ruleset_of(), state, 0, state.agenda[-1]))
    assert [[idea.reason.values["company"] for idea in listed] for listed in looked] == ([played] if played else [])


def test_game_says_how_rough_it_is(monkeypatch):
    monkeypatch.setattr(search, "hints_of", lambda _game: BotHints(rough=20.0, judged=0.0))
    assert Looking(monkeypatch, 20.5).chosen() == "second"
    assert Looking(monkeypatch, 19.5).chosen() == "first"


def test_game_s_share_purchase_is_one():
    assert [kind.buys_share for kind in (BuyShare, BuyCertificate, TradeIn, FoundCompany, BuyTrain)] == [
        True,
        True,
        *[False] * 3,
    ]
    rng = random.Random(7)
    game = new_game("18do", ("Ada", "Bert", "Cleo"), {"fixed_seats": True}, 7)
    players = [make_bot("steady", rng) for _ in range(3)]
    told = []
    while not told:
        seat, move = next_move(game.ruleset, game.state, players, rng)
        if isinstance(move.action, BuyCertificate):
            told = [i for i in ideas(View(game.ruleset, game.state, seat, game.state.top)) if i.action == move.action]
        game.play(move.action, seat)
    assert told[0].reason.key == "bot.buy_share"
    assert told[0].reason.values["company"] == told[0].action.company
    assert weighed(View(game.ruleset, game.state, seat, game.state.top), told[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "seed"),
    [({"edition": 1, "fixed_seats": True}, 1), ({"edition": 2, "fixed_seats": True}, 1), ({}, 0)],
    ids=["first edition", "second edition", "a train of a new kind is what is wanted"],
)
def test_steady_spends_idle_money_on_colours(options, seed):
    """No railway runs by the tiles of the first phase for ever: who has the money buys the last trains that hold it up."""
    game, rng = new_game("18rhl", ("Ada", "Bert", "Cleo"), options, seed), random.Random(seed)
    players = [make_bot("steady", rng) for _ in range(3)]
    first = game.state.phase
    while game.state.phase == first and game.number < 320:
        seat, move = next_move(game.ruleset, game.state, players, rng)
        game.play(move.action, seat)
    assert game.state.phase != first
