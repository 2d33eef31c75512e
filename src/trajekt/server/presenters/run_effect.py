"""The good that a tile, a station or a train does: what the company's runs would earn with it, beside what they earn now."""

from __future__ import annotations

from trajekt.bots.track_valuation import earns, future_trains
from trajekt.engine.actions import Action, BuyTrain
from trajekt.engine.state import State
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker
from trajekt.rules.operating_round import current_turn
from trajekt.rules.referee_marks import books_only


def run_effect(game: Game, action: Action, after: State, speaker: Speaker) -> str:
    """A sentence on the runs that a tile, a station or a train makes possible; empty for other actions."""
    turn = current_turn(game.state)
    if turn is None or books_only(game.state):  # the track lies on a real board
        return ""
    if isinstance(action, BuyTrain):
        return train_effect(game, turn.company, action.train, speaker)
    if "hex" in action.__struct_fields__ and after.board is not game.state.board:
        return board_effect(game, turn.company, after, speaker)
    return ""


def train_effect(game: Game, company: str, train: str, speaker: Speaker) -> str:
    """Tell what a company would earn with one more train, on the track as it lies."""
    state, say = game.state, speaker.catalogue
    owned = state.companies[company].trains
    before = earns(game.ruleset, state, company, owned)
    then = earns(game.ruleset, state, company, (*owned, train))
    key = "train" if then > before else "train_none" if then else "train_no_run"
    return say.text(
        f"page.run_effect.{key}", company=speaker.company(company), gain=say.money(then - before), sum=say.money(then)
    )


def board_effect(game: Game, company: str, after: State, speaker: Speaker) -> str:
    """Tell what a company would earn on the board as it would be, with the trains owned or those to come."""
    state, say = game.state, speaker.catalogue
    owned = state.companies[company].trains
    for key, trains in (("now", owned), ("later", future_trains(state, company))):
        if not trains:
            continue
        before = earns(game.ruleset, state, company, trains)
        then = earns(game.ruleset, state, company, trains, after.board)
        if then > before:
            named = ", ".join(map(speaker.train, trains))
            return say.text(f"page.run_effect.{key}", gain=say.money(then - before), sum=say.money(then), trains=named)
    return say.text("page.run_effect.none")
