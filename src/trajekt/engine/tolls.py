"""Tolls: a price on contested track, so that the best routes of all trains part of themselves.

Whoever runs over track with a toll earns so much less, and all tolls together are added to the sum of the best. For any
tolls that is an upper bound of what a set of routes on separate track earns: each toll is paid by one route at most.
`settled` looks for tolls that make the bound low, among a pool of good routes; how low it truly is, a search with these
tolls tells.

Tolls are whole eighths of a Mark, so that sums of them are exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

EIGHTHS = 8
ROUNDS = 120  # at most; a round costs some tens of microseconds to a millisecond
STILL = 12  # rounds without a lower bound before the steps get shorter

Route = tuple[int, int, int, object]  # revenue, mask, and what the search keeps besides


class Tolls:
    """Prices by bit of track in Mark; `total` is the sum of all."""

    def __init__(self, prices: Mapping[int, float]) -> None:
        self.prices = {bit: price for bit, price in prices.items() if price}
        self.total = sum(self.prices.values())
        self._charged = sum(self.prices)
        self._known: dict[int, float] = {0: 0}

    def of(self, mask: int) -> float:
        """What the track of a mask costs."""
        mask &= self._charged
        known = self._known.get(mask)
        if known is None:
            known = self._known[mask] = sum(price for bit, price in self.prices.items() if mask & bit)
        return known

    def __bool__(self) -> bool:
        return bool(self.prices)


FREE = Tolls({})


def settled(pools: Sequence[tuple[int, Sequence[Route]]], answer: int) -> Tolls:
    """Tolls with a low bound for routes out of these pools, each with the number of its trains.

    The method is that of subgradients: where more routes want a piece of track than the one that may have it, its toll rises;
    where none does, it falls. `answer` is what is earned already: the aim that sets the length of the steps.
    """
    market = _Market(pools)
    lowest, best = float("inf"), dict(market.prices)
    length, still = 0.7, 0
    for _ in range(ROUNDS):
        bound, wanted = market.wanted()
        if bound < lowest - 1e-6:
            lowest, best, still = bound, dict(market.prices), 0
            if lowest < answer + 1:
                break
        else:
            still += 1
            if still > STILL:
                length, still = length / 2, 0
        pull = {bit: -1 for bit in market.prices if bit not in wanted}
        pull |= {bit: count - 1 for bit, count in wanted.items() if count != 1}
        size = sum(each * each for each in pull.values())
        if not size:
            break
        market.move({bit: each * length * (bound - answer) / size for bit, each in pull.items()})
    return Tolls({bit: round(price * EIGHTHS) / EIGHTHS for bit, price in best.items()})


class _Market:
    """Routes, what each is worth less the tolls of the moment, and who uses which track."""

    def __init__(self, pools: Sequence[tuple[int, Sequence[Route]]]) -> None:
        self.worths = [float(route[0]) for _, pool in pools for route in pool]
        self.ranges: list[tuple[int, int, int]] = []
        first = 0
        for count, pool in pools:
            self.ranges.append((count, first, first + len(pool)))
            first += len(pool)
        self.users = _users(pools)
        self.ways: list[list[int]] = [[] for _ in self.worths]
        for bit, numbers in self.users.items():
            for number in numbers:
                self.ways[number].append(bit)
        self.prices: dict[int, float] = {}

    def wanted(self) -> tuple[float, dict[int, int]]:
        """The bound at these prices, and by how many of the best routes each piece of track is wanted."""
        bound = sum(self.prices.values())
        found: dict[int, int] = {}
        for count, start, end in self.ranges:
            worth = max(self.worths[start:end], default=0)
            if worth > 0:
                bound += count * worth
                for bit in self.ways[self.worths.index(worth, start, end)]:
                    found[bit] = found.get(bit, 0) + count
        return bound, found

    def move(self, steps: Mapping[int, float]) -> None:
        """Raise and lower prices, none below nothing."""
        for bit, step in steps.items():
            before = self.prices.get(bit, 0.0)
            price = max(0.0, before + step)
            if price == before:
                continue
            self.prices[bit] = price
            for number in self.users[bit]:
                self.worths[number] -= price - before
            if not price:
                del self.prices[bit]


def _users(pools: Sequence[tuple[int, Sequence[Route]]]) -> dict[int, list[int]]:
    """For each bit of track that several routes use their numbers; of bits with the same users one stands for all."""
    found: dict[int, list[int]] = {}
    number = 0
    for _, pool in pools:
        for route in pool:
            mask = route[1]
            while mask:
                low = mask & -mask
                mask ^= low
                found.setdefault(low, []).append(number)
            number += 1
    apart = {tuple(numbers): bit for bit, numbers in reversed(found.items()) if len(numbers) > 1}
    return {bit: list(numbers) for numbers, bit in apart.items()}
