"""The dividend of the rulebooks' worked examples at a real table: 150 Mark, 40 per cent the director's, 10 each two others'."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.builders.real_tables import SELDOM, filled, real_table
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.state import POOL
from trajekt.game import Game
from trajekt.i18n.sentences import tag_of
from trajekt.rules.operating_round import current_turn

INCOME, DIRECTOR, OTHER = 150, 60, 15
"""The income of the example and what the director and each of the two others receive, in Mark."""


@dataclass(frozen=True)
class Example:
    """A printed example: per cent in the pool, Mark into the treasury, and the first seed that leads to such holdings."""

    pool: int
    treasury: int
    seed: int


EXAMPLES = {
    "18rhl": Example(10, 45, 23),  # R v1 9, R v2 6.2.4
    "18lra": Example(10, 45, 2),  # R 6.2.4
    "18ruhr": Example(30, 15, 88),  # R 10.6
    "18do": Example(30, 15, 81),  # R 5.6.1.5.3
}


def example_of(game: Game, pool: int) -> CompanyId | None:
    """The company that is about to tell its income with the holdings of the example; None where there is none."""
    turn = current_turn(game.state)
    if turn is None or game.state.top is not turn or turn.step != "run":
        return None
    company = game.state.companies[turn.company]
    if company.director is None or not company.trains:
        return None
    held = sorted(company.percent(seat) for seat in range(len(game.names)))
    fits = held == [10, 10, 40] and company.percent(company.director) == 40 and company.percent(POOL) == pool
    return company.id if fits else None


def dividend_example(name: str) -> tuple[Game, CompanyId]:
    """A table that keeps its books, at the printed example, and the company; it is sought by chance from the known seed on."""
    wanted = EXAMPLES[name]
    for seed in (wanted.seed, *range(1, 400)):
        game, rng = real_table(name), random.Random(seed)
        for _ in range(260):
            company = example_of(game, wanted.pool)
            if company is not None:
                return game, company
            if not game.to_act:
                break
            _buy_or_pass(game, rng)
    raise AssertionError(name)


def _buy_or_pass(game: Game, rng: random.Random) -> None:
    """Play a choice by chance, shares before all others."""
    choices = game.choices()
    usual = [each for each in choices if tag_of(each.action) not in {*SELDOM, "sell_shares"} - {"buy_train"}]
    shares = [each for each in usual if tag_of(each.action) in {"buy_share", "found", "set_par"}]
    if shares and rng.random() < 0.6:
        choice = rng.choice(shares)
    else:
        choice = rng.choice((usual or choices) if rng.random() < 0.9 else choices)
    action = filled(rng, choice)
    if game.why_not(action, choice.seat) is None:
        game.play(action, choice.seat)
