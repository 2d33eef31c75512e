"""Memos: answers that follow from a frozen value alone, worked out when first asked for and stored with the value.

Three forms, one for each shape of question: `memo` for a method without arguments, `memo_function` for a function of one
value, `MemoTable` for answers by key. All of them live in the value's `__dict__` and go when it goes; the class must have one
(`dict=True` for msgspec structs). An answer worked out twice by two threads does no harm, it comes out alike: that is why
`functools.cached_property` will not do, which up to Python 3.11 holds one lock for all values of a class while it works.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")
Owner = TypeVar("Owner")
Key = TypeVar("Key")
Value = TypeVar("Value")

UNKNOWN: Any = object()  # stands for an answer that has not been worked out


class memo(Generic[T]):  # noqa: N801  it stands where a decorator stands
    """Decorate a method without arguments: its answer becomes an attribute of the value when first read."""

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


def memo_function(work: Callable[[Owner], Value]) -> Callable[[Owner], Value]:
    """Decorate a function of one frozen value: the answer is stored with that value."""
    name = f"{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def answer(owner: Owner) -> Value:
        known = owner.__dict__
        if name not in known:
            known[name] = work(owner)
        found: Value = known[name]
        return found

    return answer


class MemoTable(Generic[Owner, Key, Value]):
    """A table of answers by key that each owner stores for itself; a module makes one for each of its questions.

    >>> class Sheet: pass
    >>> squares: MemoTable[Sheet, int, int] = MemoTable("squares")
    >>> sheet = Sheet()
    >>> squares.of(sheet).get(3) is None
    True
    >>> squares.get(sheet, 3, lambda: 3 * 3)
    9
    >>> squares.of(sheet)
    {3: 9}
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def of(self, owner: Owner) -> dict[Key, Value]:
        """The table of one owner, empty at first."""
        table: dict[Key, Value] = owner.__dict__.setdefault(self.name, {})
        return table

    def get(self, owner: Owner, key: Key, work: Callable[[], Value]) -> Value:
        """The answer for a key, worked out where it is not known yet."""
        table: dict[Key, Any] = self.of(owner)
        found: Value = table.get(key, UNKNOWN)
        if found is UNKNOWN:
            found = table[key] = work()
        return found
