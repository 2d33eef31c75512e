"""The games that are installed, found by the entry-point group `trajekt.registry`: a stranger's game needs no change here.

A package that cannot be read harms no other: it is left out of `names()`, and `broken()` says why. A name that one of our own
games has stays with it.
"""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from trajekt.engine.components.schema import Sheet
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.title import Title

GROUP = "trajekt.registry"


class UnknownGameError(ValueError):
    """Name of no installed game, or of one whose package cannot be read."""


FAILURES = (Exception, SystemExit)
"""Ways in which a stranger's package may fail; it fails alone."""


@cache
def _points() -> dict[str, EntryPoint]:
    """The entry points by name, sorted; of two packages with one name our own, else the first that is found."""
    points: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=GROUP), key=is_foreign):
        points.setdefault(point.name.lower().removeprefix("18"), point)
    return dict(sorted(points.items()))


def is_foreign(point: EntryPoint) -> bool:
    """Tell whether an entry point is of another package than this one."""
    return point.dist is None or point.dist.name != "trajekt"


@cache
def _read(name: str) -> Title | str:
    """The title of an entry point, or why it cannot be had. A stranger's has to have its components in every edition."""
    point = _points()[name]
    try:
        found = point.load()
        if not isinstance(found, Title):
            return f"{point.value} is no Title, but {type(found).__name__}"
        if is_foreign(point):
            for edition in found.editions:
                found.sheet(found.options({"edition": edition}), None)
    except FAILURES as fault:
        return f"{point.value} cannot be loaded: {type(fault).__name__}: {fault}"
    known = found.id.lower().removeprefix("18")
    return found if known == name else f"{point.value} has the id {found.id}, and is found by it alone, not by {name}"


def _all() -> dict[str, Title | str]:
    return {name: _read(name) for name in _points()}


def names() -> tuple[str, ...]:
    """The names of all games that are installed and can be read, sorted.

    >>> names()
    ('18do', '18lra', '18rhl', '18ruhr')
    """
    return tuple(found.id for found in _all().values() if isinstance(found, Title))


def broken() -> Mapping[str, str]:
    """Reasons why installed games cannot be read, by their names."""
    return {name: found for name, found in _all().items() if isinstance(found, str)}


def title(name: str) -> Title:
    """The game of a name, as `18rhl` or `rhl`, in any case. Raises `UnknownGameError`.

    >>> title("Rhl").name
    '18Rhl-Rhineland'
    """
    wanted = str(name).lower().removeprefix("18")
    found = _read(wanted) if wanted in _points() else f"there is none; installed are {', '.join(names()) or 'none'}"
    if isinstance(found, str):
        message = f"no game {name!r}: {found}"
        raise UnknownGameError(message)
    return found


def _built(game: str, options: Mapping[str, object], sheet: Sheet) -> Ruleset:
    """A ruleset again, from the plain values that it carries."""
    found = title(game)
    return found.ruleset(sheet, found.options(options))


def _reduce_title(found: Title) -> tuple[Callable[[str], Title], tuple[str]]:
    if found.id.removeprefix("18") not in _points() or title(found.id) is not found:
        message = f"{found!r} is not installed: only what can be found again by its name is pickled"
        raise pickle.PicklingError(message)
    return title, (found.id,)


def _reduce_ruleset(ruleset: Ruleset) -> tuple[Callable[..., Ruleset], tuple[object, ...]]:
    game = ruleset.name.partition("/")[0]
    if game.removeprefix("18") not in _points():
        message = f"{ruleset!r} is of no game that is installed"
        raise pickle.PicklingError(message)
    return _built, (game, dict(ruleset.options), ruleset.sheet)


# A title and its ruleset are made of functions; what goes to another process is the name and the choices.
copyreg.pickle(Title, _reduce_title)
copyreg.pickle(Ruleset, _reduce_ruleset)
