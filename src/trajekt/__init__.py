"""trajekt: the rules engine and the table for the Rhine-Ruhr family of 18xx railway games.

    >>> import trajekt
    >>> game = trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2, "fixed_seats": True}, seed=7)
    >>> game.play(game.choices()[0]).action
    BuyPrivate(private=1)
    >>> game.to_act
    (1,)

The names in `__all__` are public and stay: `docs/reference/library.md` describes each and says what is promised.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trajekt.engine.actions import Action
    from trajekt.engine.components.provenance import SheetError
    from trajekt.engine.routing.solver import BestRuns
    from trajekt.engine.ruleset import Choice, Refusal
    from trajekt.engine.state import State
    from trajekt.engine.title import Standing
    from trajekt.game import Entry, Game, Refused, new_game
    from trajekt.import_18xx import read_export
    from trajekt.records import RecordError, load, save
    from trajekt.registry import UnknownGameError

__version__ = "0.1.0"
HOMES = {
    "Action": "trajekt.engine.actions",
    "BestRuns": "trajekt.engine.routing.solver",
    "Choice": "trajekt.engine.ruleset",
    "Entry": "trajekt.game",
    "Game": "trajekt.game",
    "RecordError": "trajekt.records",
    "Refusal": "trajekt.engine.ruleset",
    "Refused": "trajekt.game",
    "SheetError": "trajekt.engine.components.provenance",
    "Standing": "trajekt.engine.title",
    "State": "trajekt.engine.state",
    "UnknownGameError": "trajekt.registry",
    "load": "trajekt.records",
    "new_game": "trajekt.game",
    "read_export": "trajekt.import_18xx",
    "save": "trajekt.records",
}
"""The public names and the modules where they are defined."""
MODULES = ("bots", "game_statistics", "json_schema", "positions", "records", "registry")
"""Modules that the documentation names as `trajekt.records` and so on."""
__all__ = [
    "Action", "BestRuns", "Choice", "Entry", "Game", "RecordError", "Refusal", "Refused", "SheetError", "Standing", "State",
    "UnknownGameError", "__version__", "load", "new_game", "read_export", "save",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """A public name or module, read in when first asked for, so that `trajekt --help` need not wait for the engine."""
    if name in MODULES:
        return import_module(f"trajekt.{name}")
    if name not in HOMES:
        message = f"module 'trajekt' has no attribute {name!r}"
        raise AttributeError(message)
    found = globals()[name] = getattr(import_module(HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    """The public names and modules, whether read in or not."""
    return sorted(
        {*globals(), *__all__, *MODULES} - {"HOMES", "MODULES", "TYPE_CHECKING", "annotations", "import_module"}
    )
