"""A dictionary that nobody changes: the columns of a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A dictionary whose entries stay. It reads, compares and is encoded as any other; every change is a TypeError.

    >>> FrozenDict({"ADR": 100})["ADR"]
    100
    """

    __slots__ = ()

    def _refuse(self, *_args: object, **_values: object) -> NoReturn:
        message = "a position never changes; playing an action makes the next one"
        raise TypeError(message)

    __setitem__ = __delitem__ = __ior__ = clear = update = pop = popitem = setdefault = _refuse

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[dict[K, V]]]:
        return FrozenDict, (dict(self),)

    def __copy__(self) -> FrozenDict[K, V]:
        return self


def put(column: Mapping[K, V], key: K, value: V) -> FrozenDict[K, V]:
    """A copy of a column with one entry set."""
    changed = FrozenDict(column)
    dict.__setitem__(changed, key, value)
    return changed


def without(column: Mapping[K, V], key: K) -> FrozenDict[K, V]:
    """A copy of a column without one entry, if it is there."""
    return FrozenDict({known: value for known, value in column.items() if known != key})
