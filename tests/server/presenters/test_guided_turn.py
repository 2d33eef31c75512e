"""The guided table of each game: it plays by today's rules, its guide knows every step, and it ends with a share bought."""

from __future__ import annotations

import random

import pytest

from trajekt.bots.bot import make_bot, next_move
from trajekt.registry import names, title
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.guided_turn import advice, buys, guided_of, played

GAMES = names()
MOST = 60  # moves of all until the newcomer has bought


def shown(game, language="en"):
    return advice(game, Viewer(language).speaker(game.title, game.state))


def followed(game_id, kind):
    """The guided table from its beginning, the newcomer played by a bot; what the guide says while he is asked."""
    guided = guided_of(title(game_id).package)
    game, rng = played(guided), random.Random(1)
    players = [make_bot(kind if seat == guided.seat else "steady", rng) for seat in range(len(guided.players))]
    said = []
    for _ in range(MOST):
        now = shown(game)
        if now.done:
            return game, guided, said
        if guided.seat in game.to_act:
            said.append(now.text)
        seat, move = next_move(game.ruleset, game.state, players, rng)
        game.play(move.action, seat)
    pytest.fail(f"no share in {MOST} moves")


@pytest.mark.parametrize("game", GAMES)
def test_guided_table_begins_with_track(game):
    guided = guided_of(title(game).package)
    now = played(guided)
    assert now.number == len(guided.actions)
    assert list(now.to_act) == [guided.seat]
    assert "lay_tile" in {choice.action.__struct_config__.tag for choice in now.choices()}
    assert now.names[guided.seat] in shown(now).text
    assert not shown(now).gain


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_guide_leads_from_run_to_share(game):
    at_end, guided, said = followed(game, "steady")
    run, pay, stock = (Viewer().catalogue().text(f"page.guide.{key}") for key in ("run", "pay", "stock"))
    assert [text for text in said if text in (run, pay)] == [run, pay]
    assert said[-1] == stock
    assert buys(at_end, at_end.line()[-1])
    assert at_end.line()[-1].seat == guided.seat
    assert shown(at_end).gain[0] in "+−"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_any_order_reaches_the_end(game):
    followed(game, "random")


def test_only_own_purchase_counts():
    guided = guided_of(title("18rhl").package)
    game = played(guided)
    assert not any(buys(game, entry) for entry in game.line() if "run_trains" in entry.action.__struct_config__.tag)
    bought = [entry for entry in game.line() if buys(game, entry)]
    assert {entry.seat for entry in bought} == {0, 1, 2}
    assert not shown(game).done
