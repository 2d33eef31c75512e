"""The games that are installed, found by the entry-point group `trajekt.registry`: a stranger's game needs no change here."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from trajekt.engine.title import Title

GROUP = "trajekt.registry"


class UnknownGameError(ValueError):
    """No installed game has this name."""


@cache
def names() -> tuple[str, ...]:
    """The names of all installed games, sorted."""
    return tuple(sorted(point.name for point in entry_points(group=GROUP)))


@cache
def title(name: str) -> Title:
    """The game of a name, as `18rhl` or `rhl`, in any case."""
    wanted = name.lower().removeprefix("18")
    for point in entry_points(group=GROUP):
        if point.name.lower().removeprefix("18") == wanted:
            found = point.load()
            assert isinstance(found, Title), point
            return found
    message = f"no game {name!r}; installed: {', '.join(names()) or 'none'}"
    raise UnknownGameError(message)
