"""Tolls: a price on contested track, so that the best routes of all trains part of themselves.

Whoever runs over track with a toll earns so much less, and all tolls together are added to the sum of the best. For any
tolls that is an upper bound of what a set of routes on separate track earns: each toll is paid by one route at most.
`Market` finds the tolls that make the bound lowest among the routes that it knows; how low it truly is, a search with these
tolls tells.

The lowest bound is that of a linear programme: how much of each route to run, so that no track is run over more than once
and no train has more than one route. Its dual values are the tolls. The market solves it by the simplex method on a tableau
which has a row for a piece of track only once that is run over too often: of some hundred pieces a dozen matter.

Tolls are whole eighths of a Mark, so that sums of them are exact. The tableau's figures are not exact and need not be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

EIGHTHS = 8
TINY = 1e-7
SEVERAL = 12  # tolls whose middle is taken
SCARCE, AMOUNTS = 0.995, (0.985, 1.02)  # of each train, and of each piece of track
SCATTER = 0.618034
PIVOTS = 400  # at most for one settling; tolls that are not the best are still tolls

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


def rounded(prices: Mapping[int, float]) -> Tolls:
    """These prices in whole eighths, none below nothing."""
    return Tolls({bit: round(price * EIGHTHS) / EIGHTHS for bit, price in prices.items() if price > 0})


class Market:
    """The linear programme of the routes known. `trains`: how many there are of each kind, by its number.

    `rows` is the tableau: a row for each kind and for each piece of track in `priced`, with a column for each route and
    for what each row leaves unused (`slack`), and the right-hand side last. `basis` names the column of each row.
    """

    def __init__(self, trains: Sequence[int]) -> None:
        self.trains = trains
        self.routes: list[tuple[int, int]] = []  # kind and mask
        self.columns: list[int] = []  # of each route
        self.users: dict[int, list[int]] = {}  # by bit the numbers of the routes
        self.priced: dict[int, int] = {}  # bits of track with the number of their row
        size = len(trains)
        self.rows = [[*(float(n == m) for m in range(size)), float(count)] for n, count in enumerate(trains)]
        self.slack = list(range(size))
        self.basis = list(range(size))
        self.goal = [0.0] * (size + 1)  # what a column still adds; last, less what is earned

    def add(self, kind: int, route: Route) -> None:
        """A route more that may be run."""
        revenue, mask = route[0], route[1]
        wants = [kind, *(row for bit, row in self.priced.items() if bit & mask)]
        slack = [self.slack[row] for row in wants]
        for row in self.rows:
            row.insert(-1, sum(row[column] for column in slack))
        self.goal.insert(-1, revenue + sum(self.goal[column] for column in slack))
        number = len(self.routes)
        self.routes.append((kind, mask))
        self.columns.append(len(self.goal) - 2)
        while mask:
            low = mask & -mask
            mask ^= low
            self.users.setdefault(low, []).append(number)

    def settle(self) -> Tolls:
        """The tolls that are best for the routes known."""
        for _ in range(PIVOTS):
            if not (self._lift() or self._mend() or self._price()):
                break
        return rounded(self._prices())

    def middle(self) -> Tolls:
        """Tolls in the middle of several that are as good as the best, or nearly.

        Of many tolls that are equally good each leaves other routes in doubt, and those in the middle the fewest. One after
        another is the best where there is a little more or less of this and that track.
        """
        sums: dict[int, float] = {}
        least, most = AMOUNTS
        size = len(self.priced)
        for turn in range(SEVERAL):
            # scattered, the same every time
            shares = [(turn * size + n) * SCATTER % 1 for n in range(size)]
            # fewer trains, so that much is left to what trains are worth
            amounts = [count * SCARCE for count in self.trains]
            self._offer([*amounts, *(least + (most - least) * share for share in shares)])
            for bit, price in self._prices().items():
                sums[bit] = sums.get(bit, 0) + max(0, price) / SEVERAL
        self._offer([*self.trains, *(1 for _ in self.priced)])
        return rounded(sums)

    def _offer(self, amounts: Sequence[float]) -> None:
        """Solve it anew with so much of each train and each track."""
        for row in (*self.rows, self.goal):
            row[-1] = sum(row[column] * amount for column, amount in zip(self.slack, amounts, strict=True))
        for _ in range(PIVOTS):
            if not self._mend():
                break

    def _prices(self) -> dict[int, float]:
        return {bit: -self.goal[self.slack[row]] for bit, row in self.priced.items()}

    def _lift(self) -> bool:
        """A step that earns more: run more of a route."""
        if any(row[-1] < -TINY for row in self.rows):
            return False
        column = max(range(len(self.goal) - 1), key=self.goal.__getitem__)
        if self.goal[column] < TINY:
            return False
        ratios = [(row[-1] / row[column], n) for n, row in enumerate(self.rows) if row[column] > TINY]
        self._pivot(min(ratios)[1], column)
        return True

    def _mend(self) -> bool:
        """A step towards running no track too often, where that is so."""
        over = min(range(len(self.rows)), key=lambda n: self.rows[n][-1])
        row = self.rows[over]
        if row[-1] > -TINY:
            return False
        ratios = [(self.goal[n] / row[n], n) for n in range(len(row) - 1) if row[n] < -TINY]
        self._pivot(over, min(ratios)[1])
        return True

    def _price(self) -> bool:
        """A row for the track that is run over most, if that is more than once."""
        run: dict[int, float] = {}
        amount = {column: self.rows[n][-1] for n, column in enumerate(self.basis)}
        for number, column in enumerate(self.columns):
            much = amount.get(column, 0)
            if much > TINY:
                mask = self.routes[number][1]
                while mask:
                    low = mask & -mask
                    mask ^= low
                    run[low] = run.get(low, 0) + much
        worst = max(run, key=lambda bit: (run[bit], len(self.users[bit]), bit), default=0)
        if not worst or run[worst] < 1 + TINY:
            return False
        new = [0.0] * len(self.goal)
        for number in self.users[worst]:
            new[self.columns[number]] = 1.0
        new[-1] = 1.0
        for row, column in zip(self.rows, self.basis, strict=True):
            if new[column]:
                much = new[column]
                new = [a - much * b for a, b in zip(new, row, strict=True)]
        for row in (*self.rows, self.goal):
            row.insert(-1, 0.0)
        new.insert(-1, 1.0)
        self.priced[worst] = len(self.rows)
        self.slack.append(len(new) - 2)
        self.basis.append(len(new) - 2)
        self.rows.append(new)
        return True

    def _pivot(self, place: int, column: int) -> None:
        row = self.rows[place]
        scale = row[column]
        row = self.rows[place] = [each / scale for each in row]
        for n, other in enumerate(self.rows):
            much = other[column]
            if n != place and abs(much) > 1e-12:
                self.rows[n] = [a - much * b for a, b in zip(other, row, strict=True)]
        much = self.goal[column]
        self.goal = [a - much * b for a, b in zip(self.goal, row, strict=True)]
        self.basis[place] = column


def settled(pools: Iterable[tuple[int, Iterable[Route]]]) -> Tolls:
    """Tolls with the lowest bound for routes out of these pools, each with the number of its trains."""
    listed = list(pools)
    market = Market([count for count, _ in listed])
    for kind, (_, routes) in enumerate(listed):
        for route in routes:
            market.add(kind, route)
    return market.settle()
