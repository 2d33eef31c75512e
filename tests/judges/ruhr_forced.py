"""18Ruhr judged from its rulebook: trains and cards that must be bought, and the fate of a bankrupt (9.1.1.3, 10.8.3 to 10.9).

Plain and slow; it knows a sheet, a position and actions as plain values and imports nothing of the product. Every judge
answers an empty text where an action is legal, else a word for what is wrong.
"""

from __future__ import annotations

from tests.judges.certificates import baskets, hand, tidy
from tests.judges.ledger import IPO, POOL, holdings, percent
from tests.judges.ruhr_actions import PERCENTS, RuhrActions
from tests.judges.ruhr_track import RuhrTrack

BANK = ("display", "pool")


class RuhrForced(RuhrActions):
    """One position in the turn of a corporation or in its forced purchase, and the seat whose rights are asked."""

    def __init__(self, sheet, position, options, seat):
        super().__init__(sheet, position, options, seat)
        turns = [frame for frame in position["agenda"] if frame["type"] in ("company_turn", "montan_turn")]
        self.turn = turns[-1] if turns else {"type": "none", "used": []}
        self.name = self.turn.get("company") or self.turn.get("works", "")
        self._route = None

    @property
    def company(self):
        return self.position["companies"][self.name]

    # The duty to own a train (10.8.3)

    def has_route(self):
        """Whether the railway could run a train; asked once."""
        if self._route is None:
            self._route = RuhrTrack(self.sheet, self.position, self.options).has_route(self.name)
        return self._route

    def lots(self):
        """Every train of the bank: `(source, type)`."""
        new = {("display", kind) for kind in self.on_offer()}
        return new | {("pool", kind) for kind in self.position["depot"]["pool"]}

    def printed(self, kind):
        return self.sheet["trains"][kind]["price"]

    def cheapest(self):
        """The lowest price of a train of the bank, 0 where there is none."""
        return min((self.printed(kind) for _, kind in self.lots()), default=0)

    def must_buy(self):
        """Whether the railway in turn must own a train, has none, and one is to be had."""
        return not self.company["trains"] and bool(self.lots()) and self.has_route()

    def leave_trains(self):
        """Leaving the last step of a railway's turn."""
        return "must buy" if self.must_buy() else ""

    # The choice (10.8.3, 10.8.4, 10.9)

    def choose(self, source, kind, price):
        """A train that the treasury cannot pay, of the bank at the printed price, of another railway at no more than it."""
        if self.top["type"] != "company_turn" or self.top["step"] != "trains":
            return "time"
        if self.company["trains"] or not self.has_route():
            return "no need"
        wrong = self._not_there(source, kind, price)
        if wrong:
            return wrong
        if price <= self.company["treasury"]:
            return "treasury pays"
        if f"declined:{source}:{kind}:{price}" in self.turn["used"]:
            return "declined"
        if source in BANK and price == self.cheapest():
            return ""
        return "" if price <= self.means() else "cannot raise"

    def _not_there(self, source, kind, price):
        if kind not in self.sheet["trains"]:
            return "no such train"
        if source in BANK:
            if (source, kind) not in self.lots() or price != self.printed(kind):
                return "not on sale"
            return "6 first" if source == "display" and self.too_early(kind) else ""
        seller = self.position["companies"].get(source)
        if seller is None or source == self.name or kind not in seller["trains"] or seller["director"] is None:
            return "not there"
        return "" if 1 <= price <= self.printed(kind) else "price"

    # The money: treasury, own deal, cash, certificates (10.8.3, 10.8.4)

    def open_deals(self):
        """The certificates that the corporation can still sell in its turn, by size, once each."""
        if "deal" in self.turn["used"] or (self.top["type"] == "shortage" and self.top["deal"]):
            return []
        room = 50 - percent(self.position, self.name, POOL) if self.options["deal_pool_limit"] else 100
        return sorted({size for size in self.papers(self.name, IPO) if size <= room})

    def means(self):
        """All that can be raised: the own deal comes first, then what the director has and may sell."""
        choices = [self.after_deal(size) for size in self.open_deals()] or [self]
        return max(later.company["treasury"] + later.cash + later.saleable() for later in choices)

    def saleable(self):
        """What the director's certificates bring, each corporation sold as one block."""
        most = 0
        for company in self.position["companies"]:
            most += max((self.cost(company, n) for n in PERCENTS if not self._may_part(company, n)), default=0)
        return most

    def after_deal(self, size):
        """The judge of the position after the own deal."""
        papers = moved(self.company["certificates"], [(IPO, POOL, size)])
        return self._changed(self.name, papers, treasury=self.cost(self.name, size), falls=True)

    def after_block(self, company, size, sizes=()):
        """The judge of the position after a forced sale."""
        ways, found = self.ways(company, size), self.position["companies"][company]
        sold, follower, given = next((way for way in ways if way[0] == tuple(sizes)), ways[0])
        moves = [(follower, self.seat, paper) for paper in given] + [(self.seat, POOL, paper) for paper in sold]
        if follower is not None:
            moves.append((self.seat, follower, -self.director_size(company)))
        papers = moved(found["certificates"], moves)
        return self._changed(company, papers, cash=self.cost(company, size), falls=found["director"] == self.seat)

    def _changed(self, company, papers, *, treasury=0, cash=0, falls=False):
        position = dict(self.position)
        companies = {**position["companies"], company: {**position["companies"][company], "certificates": papers}}
        companies[self.name] = {**companies[self.name], "treasury": companies[self.name]["treasury"] + treasury}
        players = [dict(player) for player in position["players"]]
        players[self.seat]["cash"] += cash
        spaces = dict(position["markers"]["spaces"])
        row, column = spaces[company]
        spaces[company] = [row, max(1, column - falls)]
        markers = {**position["markers"], "spaces": spaces}
        return RuhrForced(
            self.sheet,
            {**position, "companies": companies, "players": players, "markers": markers},
            self.options,
            self.seat,
        )

    def lacking(self):
        """What treasury and director lack together for the purchase under way."""
        return max(0, self.top["price"] - self.company["treasury"] - self.cash)

    def own_deal(self, deal, size):
        """In a forced purchase the corporation sells one of its certificates first; of several sizes the director picks."""
        return "" if deal == "sell" and size in self.open_deals() else "no such deal"

    def sell_own(self, company, size, sizes=()):
        """A director's own certificates: as many as needed, and the corporation in turn keeps him."""
        if self.top["type"] != "shortage" or company not in self.position["companies"]:
            return "time"
        if self.open_deals():
            return "deal first"
        if not self.lacking():
            return "cash covers"
        wrong = self._may_part(company, size) or self.named(company, size, sizes)
        if wrong:
            return wrong
        less = [n for n in PERCENTS if n < size and not self._may_part(company, n)]
        return "more than needed" if any(self.cost(company, n) >= self.lacking() for n in less) else ""

    def _may_part(self, company, size):
        found = self.position["companies"][company]
        if not found["operated"] and company != self.name:
            return "not operated"
        if percent(self.position, company, POOL) + size > 50:
            return "pool"
        ways = self.ways(company, size)
        if isinstance(ways, str):
            return ways
        if company != self.name:
            return ""
        held = holdings(self.position, company)
        left = held[self.seat] - size
        private = self.position["privates"][19]
        if company == "BME" and private["open"] and private["owner"] == self.seat:
            return "" if left >= self.director_size(company) else "leaves office"
        return "leaves office" if left < max((n for s, n in held.items() if s != self.seat), default=0) else ""

    def can_sell(self):
        """Whether any certificate of the director may be sold."""
        return any(not self._may_part(company, size) for company in self.position["companies"] for size in PERCENTS)

    def bankrupt(self):
        """Bankruptcy: only when nothing more can be sold (10.8.4)."""
        if self.top["type"] != "shortage" or self.open_deals() or not self.lacking():
            return "time"
        return "can still sell" if self.can_sell() else ""

    # What follows

    def settled(self, kind, action):
        """Treasury, cash, and whether the purchase is still open after a step of it; None where another train decides."""
        treasury, later = self.company["treasury"], self
        if kind in ("force_train", "accept"):
            price = action["price"] if kind == "force_train" else self.top["price"]
        elif kind == "develop":
            price = self.sheet["trains"][action["card"]]["own"]["development"]["price"]
        else:
            price = self.top["price"]
        if kind == "sell_shares":
            later = self.after_block(action["company"], action["percent"], action["sizes"])
        elif kind == "share_deal":
            later = self.after_deal(action["percent"])
        elif price > treasury and len(self.open_deals()) == 1:
            later = self.after_deal(self.open_deals()[0])
        treasury, cash = later.company["treasury"], later.cash
        waits = price > treasury and kind not in ("share_deal", "sell_shares") and len(self.open_deals()) > 1
        if not waits and price <= treasury + cash:
            return max(0, treasury - price), cash - max(0, price - treasury), False
        railway = kind != "develop" and self.turn["type"] == "company_turn"
        if not waits and railway and not later.can_sell() and price > self.cheapest():
            return None  # the cheapest train decides (10.9), and with none in the bank there is no duty
        return treasury, cash, True

    def ruined(self):
        """What a bankruptcy leaves (10.9): director and papers by corporation, what the bank gets, what is lacking."""
        found, cash = {}, self.cash
        for name, company in self.position["companies"].items():
            lies, director = self.lying(name), company["director"]
            for paper in list(lies.get(self.seat, ())):
                hand(lies, self.seat, POOL, paper)
                cash += self.cost(name, abs(paper))
            if director == self.seat:
                director = self.heir(name)
                if director is not None:
                    for paper in baskets(self.papers(name, director), self.director_size(name))[0]:
                        hand(lies, director, POOL, paper)
                    hand(lies, POOL, director, -self.director_size(name))
            found[name] = director, tidy(lies)
        owed = max(0, self._decisive() - self.company["treasury"])
        return found, max(0, cash - owed), max(0, owed - cash)

    def _decisive(self):
        """The price that is still asked: a successor takes no train of another railway, but the cheapest of the bank."""
        return self.top["price"] if self.top["source"] in BANK else self.cheapest()

    def heir(self, name):
        """The player with the most shares, as many as the director certificate at least (10.9 b)."""
        held = {
            s: n for s, n in holdings(self.position, name).items() if s != self.seat and n >= self.director_size(name)
        }
        return self.first_left(held, self.seat)


def moved(papers, moves):
    """Certificates after some have gone from a place to another, by size; the director certificate as a minus."""
    papers = [dict(paper) for paper in papers]
    for source, target, size in moves:
        fits = (
            p for p in papers if p["holder"] == source and p["percent"] == abs(size) and p["director"] == (size < 0)
        )
        next(fits)["holder"] = target
    return papers
