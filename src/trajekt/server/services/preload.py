"""Getting ready in one thread: every game is loaded, and every type that is read has been looked at, before threads read.

What `msgspec` finds out about a type it finds out when it first meets it, and it is not safe for two threads to be the
first: a server started under load died of that.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from trajekt.registry import names, title


@cache
def warm() -> int:
    """Load the games and meet all their types; answers how many. A second call does nothing."""
    for name in names():
        title(name)
    met = 0
    for kind in kinds(msgspec.Struct):
        if kind.__module__.startswith("trajekt."):
            try:
                msgspec.json.Decoder(kind)
            except (TypeError, NameError):  # a type that is never read
                continue
            met += 1
    return met


def kinds(root: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """All subclasses, and theirs."""
    for kind in root.__subclasses__():
        yield kind
        yield from kinds(kind)
