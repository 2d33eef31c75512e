"""The order of rounds: a stock round, then as many operating rounds as the phase prescribes, until the game ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from trajekt.engine.ruleset import Draft, Duty
from trajekt.engine.state import Frame, State


class Rounds(Frame, frozen=True, tag="rounds"):
    """The bottom of the agenda. `number` counts stock rounds; of the set after it `done` of `planned` rounds are begun.

    `planned` is 0 while the stock round lasts: it is fixed when that ends (COMMON-SR-22).
    """

    number: int = 0
    planned: int = 0
    done: int = 0


def by_phase(state: State, _set: int) -> int:
    """As many operating rounds as the phase prescribes."""
    return state.current_phase.operating_rounds


@dataclass(frozen=True, slots=True)
class RoundsPolicy:
    """The opening of a game's rounds: `stock` pushes stock round `number`, `operating` round `done` of a set.

    `planned` tells how many rounds a set has, `sets` how many sets the game has (0: it ends otherwise).
    """

    stock: Callable[[Draft, int], None]
    operating: Callable[[Draft, int, int, int], None]
    planned: Callable[[State, int], int] = by_phase
    sets: int = 0


def run(draft: Draft, rounds: Rounds) -> None:
    """Open the next round, or end the game after the set in which, or after which, that was due (COMMON-END-01, -02).

    Nothing else ends it here, neither a price nor an empty display (COMMON-END-05).
    """
    policy = draft.ruleset.policy(RoundsPolicy)
    if rounds.number and not rounds.planned:
        rounds = replace(rounds, planned=policy.planned(draft.state, rounds.number))
    if rounds.done < rounds.planned:
        rounds = replace(rounds, done=rounds.done + 1)
        draft.replace_top(rounds)
        policy.operating(draft, rounds.number, rounds.done, rounds.planned)
    elif rounds.number and draft.state.ending:
        draft.end("bank")
    elif rounds.number and rounds.number == policy.sets:
        draft.end("rounds")
    else:
        draft.replace_top(Rounds(rounds.number + 1))
        policy.stock(draft, rounds.number + 1)


ROUNDS = Duty(Rounds, rule="COMMON-SR-22", run=run)
