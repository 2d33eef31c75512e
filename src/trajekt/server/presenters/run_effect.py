"""The good that a tile, a station or a train does: what the company's runs would earn with it, beside what they earn now."""

from __future__ import annotations

from trajekt.bots.track_valuation import future_trains, same_runs, setting_with
from trajekt.engine.actions import Action, BuyTrain
from trajekt.engine.board.board import Board
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.memo import MemoTable
from trajekt.engine.routing.solver import best_runs
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker
from trajekt.rules.operating_round import current_turn
from trajekt.rules.referee_marks import books_only
from trajekt.rules.trains import of_the_bank

EXPANSIONS = (
    3_000  # of the search, for one figure: on nearly all boards enough to prove it the best, at most some 0.1 s
)
_BEST: MemoTable[Board, object, int] = MemoTable("best runs shown")


def run_effect(game: Game, action: Action, after: State, speaker: Speaker) -> str:
    """A sentence on the runs that a tile, a station or a train makes possible; empty for other actions."""
    turn = current_turn(game.state)
    if turn is None or books_only(game.state):  # the track lies on a real board
        return ""
    if isinstance(action, BuyTrain):
        return train_effect(game.ruleset, game.state, turn.company, action.train, speaker)
    if "hex" in action.__struct_fields__ and after.board is not game.state.board:
        return board_effect(game.ruleset, game.state, turn.company, after.board, speaker)
    return ""


def would_earn(
    ruleset: Ruleset, state: State, company: CompanyId, trains: tuple[TrainKind, ...], board: Board | None = None
) -> int:
    """The most, in Mark, that a company would run for with these trains; on another board if one is given.

    A player reads it as a fact, so it is looked for as runs are, not guessed as bots do, who let one train after another
    take what is best for it.
    """
    setting = setting_with(ruleset, state, company, trains, board)
    if setting is None:
        return 0
    return _BEST.get(setting.board, same_runs(setting), lambda: best_runs(setting, expansions=EXPANSIONS).revenue)


def train_effect(ruleset: Ruleset, state: State, company: CompanyId, train: TrainKind, speaker: Speaker) -> str:
    """Tell what a company would earn with one more train, on the track as it lies."""
    say = speaker.catalogue
    owned = state.companies[company].trains
    before = would_earn(ruleset, state, company, owned)
    then = would_earn(ruleset, state, company, (*owned, train))
    key = "train" if then > before else "train_none" if then else "train_no_run"
    return say.text(
        f"page.run_effect.{key}", company=speaker.company(company), gain=say.money(then - before), sum=say.money(then)
    )


def board_effect(ruleset: Ruleset, state: State, company: CompanyId, board: Board, speaker: Speaker) -> str:
    """Tell what a company would earn on the board as it would be, with the trains owned or those to come."""
    say = speaker.catalogue
    owned = state.companies[company].trains
    first = () if owned else tuple(kind for _, kind in of_the_bank(state))[:1]  # a company without a train may buy this
    for key, trains in (("now", owned), ("later", first), ("later", future_trains(state, company))):
        if not trains:
            continue
        before = would_earn(ruleset, state, company, trains)
        then = would_earn(ruleset, state, company, trains, board)
        if then > before:
            named = ", ".join(map(speaker.train, trains))
            return say.text(f"page.run_effect.{key}", gain=say.money(then - before), sum=say.money(then), trains=named)
    return say.text("page.run_effect.none")
