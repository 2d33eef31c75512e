"""18DO as the library, the command and the table see it."""

from __future__ import annotations

import msgspec

from trajekt.engine.options import components, reader
from trajekt.engine.title import Title, Variant
from trajekt.games.do.bot_hints import HINTS
from trajekt.games.do.observation import own_facts
from trajekt.games.do.options import EXPERT, INTRODUCTION, RAILWAY, SETTLED, VALUES, DoOptions
from trajekt.games.do.panels import boards
from trajekt.games.do.repeated_entries import repeated_entries
from trajekt.games.do.ruleset import build
from trajekt.games.do.scoring import standings
from trajekt.games.do.theme import LOOK
from trajekt.rules.running_and_dividends import RunningPolicy

PACKAGE = "trajekt.games.do"
SWITCHED = tuple(name for name, values in VALUES.items() if len(values) > 1 and name != "game")
"""The rulings that a table can switch."""


def seated(options: DoOptions, players: int) -> DoOptions:
    """The options with the number of players, which decides which pieces take part (DO-SETUP-03, -05).

    A record keeps them so. Raises ValueError where the game is not for so many (DO-SETUP-01).
    """
    chosen = msgspec.structs.replace(options, players=players)
    if faults := chosen.faults():
        raise ValueError("; ".join(faults))
    return chosen


def others(ruling: str) -> tuple[int | str, ...]:
    """The values of a ruling beside its default; none for one that is off unless chosen."""
    first, *rest = VALUES[ruling]
    return () if first is False else tuple(value for value in rest if isinstance(value, int | str))


TITLE = Title(
    id="18do",
    name="18DO-Dortmund",
    package=PACKAGE,
    editions={1: (3, 5)},
    variants=(
        Variant("game", (1,), values=(EXPERT, RAILWAY, INTRODUCTION), players_of={INTRODUCTION: (2, 4)}),
        Variant("beginners", (1,)),
        *(Variant(ruling, (1,), values=others(ruling)) for ruling in SWITCHED),
    ),
    options=reader(DoOptions, SETTLED),
    plain=msgspec.to_builtins,
    sheet=components(PACKAGE, "18do", repeated_entries),
    build=build,
    fixed_seats=lambda options: options.fixed_seats,
    referee=True,
    standings=standings,
    best_runs=lambda ruleset, *asked: ruleset.policy(RunningPolicy).search(*asked),
    face=lambda: LOOK,
    seated=seated,
    boards=boards,
    bot_hints=HINTS,
    own_facts=own_facts,
)
