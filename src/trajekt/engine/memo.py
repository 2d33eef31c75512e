"""A fact: what follows from a frozen value alone, worked out when first asked for and kept with the value.

`functools.cached_property` says the same, but up to Python 3.11 it holds one lock for all values of a kind while it works:
whoever asks of one board would wait for who asks of another. A fact worked out twice does no harm, it comes out alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class memo(Generic[T]):  # noqa: N801  it stands where a decorator stands
    """Makes a fact of a method without arguments; the class must have a `__dict__`."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self.work = work
        self.name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, whose: None, kind: type) -> Self: ...

    @overload
    def __get__(self, whose: object, kind: type) -> T: ...

    def __get__(self, whose: object | None, kind: type) -> Self | T:
        if whose is None:
            return self
        # the next to ask finds it in the value's own dictionary and does not come here
        found = whose.__dict__[self.name] = self.work(whose)
        return found
