"""18Rhl and 18LRA judged from their rulebooks: buying trains, the duty to own one, forced purchases and bankruptcy.

Written from the book of 2006 (section 13) and those of 2022 (6.2.6). Plain and slow; it imports nothing of the product. Every
judge answers an empty text where an action is legal, else a word for what is wrong.
"""

from __future__ import annotations

from tests.judges.board import switched
from tests.judges.certificates import hand, tidy
from tests.judges.ledger import DISPLAY, POOL, holdings, percent
from tests.judges.rhine_routes import RhineRoutes
from tests.judges.rhine_shares import CHARTER, RhineShares, train_limit, unnamed

FREE = "2+4"  # the train of the GKB: owned for good, and no train in the sense of the duty (4.1.2)


class RhineForced(RhineShares):
    """One position in a corporation's train step or its forced purchase, and the seat whose rights are asked."""

    def __init__(self, sheet, position, book, seat):
        super().__init__(sheet, position, book, seat)
        self.turn = next((f for f in reversed(position["agenda"]) if f["type"] == "company_turn"), None)
        self.name = self.turn["company"] if self.turn else ""
        self._route = None

    @property
    def company(self):
        return self.companies[self.name]

    def in_turn(self):
        """Whether this seat directs the corporation that may buy trains now."""
        step = self.top["type"] == "company_turn" and self.top["step"] == "trains"
        return step and self.company["director"] == self.seat

    # Trains on sale (first book 13.1; second 6.2.6)

    def on_display(self):
        """New types on sale: the lowest that is left; 6 once a 5, 8 once a 6 is sold."""
        left, sold = self.position["depot"]["display"], self.position["depot"]["sold"]
        kinds = [kind for kind in self.sheet["trains"] if kind != FREE and left.get(kind)]
        early = [kind for kind, after in (("6", "5"), ("8", "6")) if kind in kinds and after in sold]
        return set(kinds[:1] + early)

    def on_sale(self):
        """Every train of the bank, as `(source, type)`."""
        new = {(DISPLAY, kind) for kind in self.on_display()}
        return new | {(POOL, kind) for kind in self.position["depot"]["pool"]}

    def cost(self, kind):
        return self.sheet["trains"][kind]["price"]

    def has_route(self):
        """Whether the corporation could run a train; asked once."""
        if self._route is None:
            self._route = RhineRoutes(self.sheet, self.position, self.book).has_route(self.name)
        return self._route

    def must_buy(self):
        """Whether a train is owed: none owned, a route there, a train to be had."""
        if switched(self.sheet, "short_game"):  # nobody is forced to anything there
            return False
        owned = [kind for kind in self.company["trains"] if kind != FREE]
        return not owned and bool(self.on_sale()) and self.has_route()

    def can_pay(self):
        """Whether the treasury pays for a train of the bank."""
        return any(self.cost(kind) <= self.company["treasury"] for _, kind in self.on_sale())

    def buy(self, source, kind, price):
        """A train of the bank at the printed price, or of another corporation at one of at least 1 Mark."""
        if not self.in_turn() or self.turn["forced"] or kind not in self.sheet["trains"] or kind == FREE:
            return "time"
        if source in (DISPLAY, POOL):
            if (source, kind) not in self.on_sale() or price != self.cost(kind):
                return "not on sale"
        else:
            wrong = self._of_another(source, kind, price)
            if wrong:
                return wrong
        if price > self.company["treasury"]:
            return "money"
        return "limit" if len(self.company["trains"]) >= train_limit(self.sheet, self.position["phase"]) else ""

    def _of_another(self, source, kind, price):
        seller = self.companies.get(source)
        if seller is None or source == self.name or kind not in seller["trains"] or seller["director"] is None:
            return "not there"
        if self.book == "first" and "3" not in self.position["depot"]["sold"]:
            return "no 3-train yet"
        if self.book == "first" and seller["debt"]:
            return "it owes the bank"
        if price < 1:
            return "price"
        return "declined" if f"declined:{source}:{kind}:{price}" in self.turn["used"] else ""

    def pay(self):
        """The income is paid out or kept in the step after the run, where there is any (6.2.4)."""
        step = self.top["type"] == "company_turn" and self.top["step"] == "pay"
        return "" if step and self.company["director"] == self.seat else "time"

    def leave(self, kind="pass"):
        """Leaving the train step: not while a train is owed."""
        if not self.in_turn() or kind != "pass":
            return "time"
        return "must buy" if self.must_buy() else ""

    # Forced purchase (first book 13.2; second 6.2.6.2)

    def choose(self, source, kind):
        """The train of a forced purchase: the cheapest new one, or one of the pool."""
        if not self.in_turn():
            return "time"
        if not self.must_buy():
            return "no duty"
        if self.can_pay():
            return "treasury pays"
        new = self.on_display()
        cheapest = min(new, key=self.cost) if new else None
        rng = self.on_sale() - {(DISPLAY, other) for other in new if other != cheapest}
        return "" if (source, kind) in rng else "not among them"

    def owed(self):
        """What the treasury lacks for the train that was chosen."""
        return max(0, self.cost(self.top["train"]) - self.top["credit"] - self.company["treasury"])

    def lacking(self):
        """What treasury and director lack together."""
        return max(0, self.owed() - self.position["players"][self.company["director"]]["cash"])

    def own_block(self):
        """How many certificates of its charter a corporation sells: no more than needed, as far as the pool takes them."""
        lies, room = self.papers(self.name, CHARTER), 50 - percent(self.position, self.name, POOL)
        count = 0
        while count < len(lies) and self.price(self.name) * sum(lies[:count]) // 10 < self.owed():
            if sum(lies[: count + 1]) > room:
                break
            count += 1
        return 0 if self.book == "first" else count

    def paying(self):
        """Whether this seat must find the money now."""
        return self.top["type"] == "forced_purchase" and self.company["director"] == self.seat

    def sell_charter(self, count):
        """The corporation's own certificates come first; so many as are needed and no fewer."""
        if not self.paying() or not self.own_block():
            return "time"
        return "" if count == self.own_block() else "count"

    def sell(self, company, size, sizes=()):
        """A director's own certificates: no more than needed, and no director changes (first book: of the one in turn)."""
        if not self.paying() or self.own_block() or not self.lacking() or company not in self.companies:
            return "time"
        wrong = self._may_part(company, size)
        if wrong:
            return wrong
        ways = self.ways(company, size)
        if unnamed(ways, sizes):
            return "name the papers"
        for less in range(10, size, 10):
            if not self._may_part(company, less) and self.price(company) * less // 10 >= self.lacking():
                return "more than needed"
        return ""

    def _may_part(self, company, size):
        found = self.companies[company]
        if self.book == "first":
            if not found["operated"] and company != self.name:
                return "not operated"
        elif not found["floated"]:
            return "not floated"
        if percent(self.position, company, POOL) + size > 50:
            return "pool"
        ways = self.ways(company, size)
        if isinstance(ways, str):
            return ways
        kept = self.book != "first" or company == self.name
        if kept and found["director"] == self.seat:
            held = holdings(self.position, company)
            others = [part for seat, part in held.items() if seat != self.seat]
            if held[self.seat] - size < max(others, default=0):
                return "changes the director"
        return ""

    def can_sell(self):
        """Whether anything of the director's own may be sold."""
        return any(
            not self.sell(c, n, way)
            for c in self.companies
            for n in range(10, 101, 10)
            for way in self.spelled_ways(c, n)
        )

    def spelled_ways(self, company, size):
        """The ways in which the sale of a block may be spelled: without papers, and with each choice of them."""
        ways = self.ways(company, size)
        return [(), *(() if isinstance(ways, str) else (way[0] for way in ways))]

    def loan(self):
        """A loan of what is missing, in the second books, beside or after sales."""
        ready = self.paying() and self.loans() and not self.own_block() and self.lacking()
        return "" if ready else "time"

    def loans(self):
        """Whether there are loans: in the second books, but for their optional end (8.3)."""
        return self.book != "first" and not switched(self.sheet, "optional_end")

    def bankrupt(self):
        """First book 13.2, and the optional end of the second: when all that may be sold is sold."""
        if not self.paying() or self.loans() or self.own_block() or not self.lacking():
            return "time"
        return "can still sell" if self.can_sell() else ""

    # What follows

    def settled(self, kind, action):
        """The treasury, the director's cash, and whether the purchase is still open, after an action of it."""
        cash, treasury = self.position["players"][self.seat]["cash"], self.company["treasury"]
        train = action["train"] if kind == "choose_forced_train" else self.top["train"]
        due = self.cost(train) - (0 if kind == "choose_forced_train" else self.top["credit"])
        sold_all = kind != "choose_forced_train"
        if kind == "sell_charter_shares":
            lies = self.papers(self.name, CHARTER)[: action["count"]]
            treasury += self.price(self.name) * sum(lies) // 10
        elif kind == "sell_shares":
            cash += self.price(action["company"]) * action["percent"] // 10
        elif kind == "take_loan":
            treasury += self.lacking()
        owed = max(0, due - treasury)
        if not sold_all and self.book != "first":
            lies, room = self.papers(self.name, CHARTER), 50 - percent(self.position, self.name, POOL)
            if owed and lies and lies[0] <= room:
                return treasury, cash, True
        if owed > cash:
            return treasury, cash, True
        return treasury + owed - due, cash - owed, False

    def ruined(self):
        """First book 13.3: who directs what afterwards, where its papers lie, and what is still owed for the train.

        By corporation `(director, papers by place)`; then the debt of the one in turn, None where somebody follows.
        """
        found, debt = {}, None
        for name, company in self.companies.items():
            lies, director = self.lying(name), company["director"]
            for paper in list(lies.get(self.seat, ())):
                hand(lies, self.seat, POOL, paper)
            if director == self.seat:
                director = self.heir(name)
                if director is not None:
                    chief = self.chief(name)["percent"]
                    for paper in self.offers(name, director, self.papers(name, director))[0]:
                        hand(lies, director, POOL, paper)
                    hand(lies, POOL, director, -chief)
            found[name] = director, tidy(lies)
        left = max(0, self.owed() - self.position["players"][self.seat]["cash"])
        if found[self.name][0] is None:
            debt = self.company["debt"] + left + 100
        return found, debt, left

    def heir(self, name):
        """The player with the most shares, 20 per cent at least; of equals the first to the bankrupt's left."""
        held = {s: n for s, n in holdings(self.position, name).items() if s != self.seat and n >= 20}
        return self.first_left(held, name)
