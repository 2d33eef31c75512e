"""Things made once and kept while they are used, under the values that they are made of: so they can never be out of date."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Keep values that were made, by key. At most twice `size` things are kept; those go that were not used for longest.

    `age` drops at once what was not used since it was last called.

    Threads may share it: two that look for the same at once may both make it.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._new: dict[Hashable, T] = {}
        self._old: dict[Hashable, T] = {}

    def __len__(self) -> int:
        return len(self._new) + len(self._old)

    def get(self, key: Hashable) -> T | None:
        """Return the value of a key, None where it is not known."""
        return self._new.get(key, self._old.get(key))

    def of(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, made where it is not known."""
        found = self._new.get(key)
        if found is None:
            found = self._old.pop(key, None)
            if found is None:
                found = make()
            if len(self._new) >= self.size:  # what was not asked for while as many others were is dropped
                self.age()
            self._new[key] = found
        return found

    def touch(self, key: Hashable) -> None:
        """Keep the value of a key, where it is known, as if it had been asked for."""
        if key in self._old:
            self._new[key] = self._old.pop(key)

    def age(self) -> None:
        """Drop what was not used since the last call; what was used since then stays until the next."""
        self._old, self._new = self._new, {}

    def clear(self) -> None:
        """Drop all."""
        self._old, self._new = {}, {}
