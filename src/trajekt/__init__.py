"""trajekt: the rules engine and the table for the Rhine-Ruhr family of 18xx railway games."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trajekt.game import Entry, Game, Refused, new_game
    from trajekt.records import RecordError, load, save

__version__ = "0.1.0"
__all__ = ["Entry", "Game", "RecordError", "Refused", "__version__", "load", "new_game", "save"]


def __getattr__(name: str) -> object:
    """The public names, read in when first asked for, so that `trajekt --help` need not wait for the engine."""
    if name in ("Entry", "Game", "Refused", "new_game"):
        import trajekt.game as home
    elif name in ("RecordError", "load", "save"):
        import trajekt.records as home  # type: ignore[no-redef]  # one of the two modules is read
    else:
        message = f"module 'trajekt' has no attribute {name!r}"
        raise AttributeError(message)
    globals().update({known: value for known, value in vars(home).items() if known in __all__})
    return globals()[name]
