"""trajekt: the rules engine and the table for the Rhine-Ruhr family of 18xx railway games."""

from trajekt.game import Entry, Game, Refused, new_game
from trajekt.records import RecordError, load, save

__version__ = "0.1.0"
__all__ = ["Entry", "Game", "RecordError", "Refused", "__version__", "load", "new_game", "save"]
