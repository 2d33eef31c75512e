"""Listed routes of one kind of train, as the choice of one route for each train looks at them."""

from __future__ import annotations

from collections.abc import Sequence

from trajekt.engine.routing.enumeration import Found
from trajekt.engine.routing.tolls import Tolls

SHORT = 64  # routes up to which a list is looked through rather than indexed


def first_bit(mask: int) -> int:
    """The place of the lowest bit."""
    return (mask & -mask).bit_length() - 1


class Listed:
    """Routes of one kind of train in order, what each earns less tolls, and which of them use some track, as bits by place."""

    def __init__(self, routes: list[Found], tolls: Tolls) -> None:
        self.routes = routes
        self.worths = [found[0] - tolls.of(found[1]) for found in routes]
        self._users: dict[int, int] = {}
        self._taken: dict[int, int] = {}

    def room(self, mask: int) -> bool:
        """Whether one of the routes uses none of this track."""
        return self.taken(mask).bit_count() < len(self.routes)

    def taken(self, mask: int) -> int:
        """The routes that use any of this track."""
        known = self._taken.get(mask)
        if known is None:
            known = self._taken[mask] = self._short(mask) if len(self.routes) <= SHORT else self._long(mask)
        return known

    def _short(self, mask: int) -> int:
        return sum(1 << place for place, found in enumerate(self.routes) if found[1] & mask)

    def _long(self, mask: int) -> int:
        users = self._users
        if not users:
            users.update(users_of(self.routes))
        result = 0
        while mask:
            low = mask & -mask
            mask ^= low
            result |= users.get(low, 0)
        return result


def users_of(listed: Sequence[Found]) -> dict[int, int]:
    """For each bit of track the routes that use it, as a bit mask over the list."""
    size = len(listed) // 8 + 1
    found: dict[int, bytearray] = {}
    for place, each in enumerate(listed):
        byte, bit, mask = place >> 3, 1 << (place & 7), each[1]
        while mask:
            low = mask & -mask
            mask ^= low
            row = found.get(low)
            if row is None:
                row = found[low] = bytearray(size)
            row[byte] |= bit
    return {low: int.from_bytes(row, "little") for low, row in found.items()}


def most(lists: Sequence[Listed], free: Sequence[int], first: int) -> float:
    """The most that the trains from number `first` on can earn less tolls, each with the best route that is free to it."""
    return sum(max(0, lists[m].worths[first_bit(free[m])]) for m in range(first, len(lists)) if free[m])
