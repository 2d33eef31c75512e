"""The good that a tile does: what the company's runs would earn with it, beside what they earn now."""

from __future__ import annotations

from trajekt.bots.track_valuation import earns, future_trains
from trajekt.engine.actions import Action
from trajekt.engine.state import State
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker
from trajekt.rules.operating_round import current_turn


def tile_effect(game: Game, action: Action, after: State, speaker: Speaker) -> str:
    """A sentence on the runs that a tile makes possible, with the trains owned or those to come; empty for other actions."""
    state, say, turn = game.state, speaker.catalogue, current_turn(game.state)
    if turn is None or not getattr(action, "tile", "") or after.board is state.board:
        return ""
    owned = state.companies[turn.company].trains
    for key, trains in (("now", owned), ("later", future_trains(state, turn.company))):
        if not trains:
            continue
        before = earns(game.ruleset, state, turn.company, trains)
        then = earns(game.ruleset, state, turn.company, trains, after.board)
        if then > before:
            named = ", ".join(map(speaker.train, trains))
            return say.text(f"page.tile_effect.{key}", gain=say.money(then - before), sum=say.money(then), trains=named)
    return say.text("page.tile_effect.none")
