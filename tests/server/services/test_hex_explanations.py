"""Why not: every tile of the supply is either offered on a hex or stands under the reason that refuses it there."""

from __future__ import annotations

import random

import pytest

from trajekt import new_game
from trajekt.bots.bot import make_bot, next_action
from trajekt.engine.actions import LayTile
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.services.hex_explanations import tile_refusals

GAMES = ("18rhl", "18lra", "18ruhr", "18do")


def laid(game):
    """The hexes on which a tile lies."""
    return [at for at in game.state.sheet.hexes if game.state.board.contents(at).tile]


def laying_track(game, lying=0):
    """A game played by chance until a tile can be laid while so many lie."""
    played, rng = new_game(game, ["Ada", "Bert", "Cleo"], seed=5), random.Random(5)
    players = [make_bot("random", rng)] * 3
    while len(laid(played)) < lying or not any(isinstance(choice.action, LayTile) for choice in played.choices()):
        seat, action = next_action(played.ruleset, played.state, players, rng)
        played.play(action, seat)
    return played


@pytest.mark.parametrize("game", GAMES)
def test_every_tile_is_offered_or_refused(game):
    played = laying_track(game)
    speaker = Viewer("en").speaker(played.title, played.state)
    offered = [choice.action for choice in played.choices() if isinstance(choice.action, LayTile)]
    at = offered[0].hex
    here = {action.tile for action in offered if action.hex == at}
    groups = tile_refusals(played, at, speaker)
    refused = [tile for tiles in groups.values() for tile in tiles]
    assert len(refused) == len(set(refused))
    assert set(refused) | here == {tile for tile, left in played.state.supply.items() if left}
    assert not set(refused) & here
    for line, rule in groups:
        assert rule
        assert "‹" not in line


def test_other_tiles_page_groups_them(client, id_):
    assert "Nothing to do here" in client.get(f"/t/{id_}/hex/K6/others").text  # the package is sold first
    assert client.get(f"/t/{id_}/hex/Z99/others").status_code == 404


@pytest.mark.parametrize(
    ("language", "said"), [("en", "; a green one comes next, from the green phase"), ("de", "ein grünes (ab: grüne")]
)
def test_wrong_colour_names_the_right_one(language, said):
    played = laying_track("18rhl", lying=1)
    groups = tile_refusals(played, laid(played)[0], Viewer(language).speaker(played.title, played.state))
    assert any(said in line for line, _ in groups), list(groups)
