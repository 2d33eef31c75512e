"""18Rhl and 18LRA judged from their rulebooks: founding, buying and selling in a stock round, and who directs afterwards.

Written from the book of 2006 (sections 3, 5, 15 and 16) and those of 2022 (4.2, 5). Plain and slow; it knows a sheet, a
position, a seat and actions as plain values and imports nothing of the product. Every judge answers an empty text where an
action is legal, else a word for what is wrong.
"""

from __future__ import annotations

from tests.judges.board import switched
from tests.judges.certificates import Certificates, baskets, swap, tidy
from tests.judges.ledger import IPO, POOL, holdings, papers_held, percent

CHARTER = "charter"
LIMITS = {
    "first": {3: 20, 4: 15, 5: 12, 6: 10},
    "second": {3: 20, 4: 15, 5: 12},
    "lra": {2: 14, 3: 14, 4: 15},  # two by the rule sheet alone (LRA-TWO-01)
}
TRAIN_LIMIT = {"yellow": 4, "green": 4, "green4": 3, "brown": 2, "brown6": 2, "grey": 2}
SCENARIOS = {  # the six corporations of three players in 18LRA (3.3)
    "1": ("RhE", "ADR", "CCE", "GVE", "CME", "KEG"),
    "2": ("BME", "ADR", "CCE", "GVE", "MKB", "KEG"),
    "3": ("BME", "ADR", "RhE", "CCE", "MKB", "CME"),
    "4": ("BME", "ADR", "RhE", "GVE", "MKB", "KEG"),
}


def train_limit(sheet, phase):
    """How many trains a corporation may own: by phase, in the short game three (LRA-SHO-03)."""
    return 3 if switched(sheet, "short_game") else TRAIN_LIMIT[phase]


def unnamed(ways, sizes):
    """Tell whether papers to be sold are not named where there is a choice, or are named where there is none."""
    return tuple(sizes) not in ([way[0] for way in ways] if len(ways) > 1 else [()])


class RhineShares(Certificates):
    """One position of 18Rhl or 18LRA and the seat whose rights are asked."""

    def __init__(self, sheet, position, book, seat):
        self.sheet, self.position, self.book, self.seat = sheet, position, book, seat
        self.top = position["agenda"][-1] if position["agenda"] else {"type": "end"}
        self.companies = position["companies"]
        self.limit = LIMITS[book][len(position["players"])]

    # What there is

    def price(self, company):
        """The price of one share; 0 without a marker."""
        space = self.position["markers"]["spaces"].get(company)
        return self.sheet["market"]["rows"][space[0] - 1][space[1] - 1]["price"] if space else 0

    def pars(self):
        """The prices of the pink spaces."""
        return {cell["price"] for row in self.sheet["market"]["rows"] for cell in row if cell and cell["par"]}

    def free(self):
        """Cash that is not promised in bids."""
        promised = sum(bid["amount"] for bid in self.position["bids"] if bid["seat"] == self.seat)
        return self.position["players"][self.seat]["cash"] - promised

    def chief(self, company):
        """The director's certificate."""
        return next(paper for paper in self.companies[company]["certificates"] if paper["director"])

    def acts(self):
        """Whether a stock round is on and this seat in turn."""
        return self.top["type"] == "stock_round" and self.top["seat"] == self.seat

    def has_sold(self, company):
        return [self.seat, company] in [list(pair) for pair in self.top["sold"]]

    # Buying and founding (first book 16.2, 16.3; second 5.1.2 to 5.1.4, 5.2.2)

    def found(self, company, par):
        """The director's certificate of a corporation at a par."""
        if not self.acts() or not self._in_play(company):
            return "time"
        if self.chief(company)["holder"] != IPO or self.companies[company]["founded"]:
            return "founded already"
        if par not in self.pars():
            return "no pink space"
        return self._purchase(company, par * self.chief(company)["percent"] // 10)

    def _in_play(self, company):
        scenario = self.position["marks"].get("scenario")
        used = SCENARIOS[scenario] if scenario and self.book == "lra" else self.companies
        return company in used and company in self.companies

    def buy(self, company, source, size):
        """One ordinary certificate: the top one of the initial offering, any of a charter or the pool."""
        if not self.acts() or company not in self.companies or source not in (IPO, CHARTER, POOL):
            return "time"
        if not self.companies[company]["founded"]:
            return "not founded"
        lying = self.papers(company, source)
        if self.chief(company)["holder"] == source == IPO:
            return "director's certificate first"
        if size not in (lying[:1] if source == IPO else lying):
            return "none there"
        return self._purchase(company, self.price(company) * size // 10)

    def _purchase(self, company, cost):
        if self.must_sell():
            return "must sell"
        if self.has_sold(company):
            return "sold this round"
        if cost > self.free():
            return "money"
        return "limit" if papers_held(self.position, self.seat) >= self.limit else ""

    def leave(self, kind):
        """A pass, or the end of a turn in which something was sold."""
        if not self.acts() or (kind == "end_turn") != bool(self.top["blocks"]):
            return "time"
        return "must sell" if self.must_sell() else ""

    # Selling (first book 5.4, 16.5; second 4.2.1, 5.2.1)

    def sell(self, company, size, sizes=()):
        """Certificates of one corporation to the pool; `sizes` are named where there is a choice, and only there."""
        wrong = self.sell_at_all(company, size)
        if wrong:
            return wrong
        ways = self.ways(company, size)
        if unnamed(ways, sizes):
            return "name the papers"
        over = papers_held(self.position, self.seat) - self.limit
        if over <= 0:
            return ""
        chosen = next((way for way in ways if way[0] == tuple(sizes)), ways[0])
        others = sum(self.most_papers(name) for name in self.companies if name != company)
        best = max(0, over - others - self.most_papers(company))
        return "not down to the limit" if over - others - self.fewer(company, chosen) > best else ""

    def sell_at_all(self, company, size):
        """Whether a block could be sold, its papers and the certificate limit aside."""
        if not self.acts() or company not in self.companies:
            return "time"
        if self.top["number"] == 1:
            return "first stock round"
        if company in self.top["blocks"]:
            return "sold this turn"
        acted = "operated" if self.book == "first" else "floated"
        if not self.companies[company][acted]:
            return acted
        if percent(self.position, company, POOL) + size > 50:
            return "pool"
        ways = self.ways(company, size)
        return ways if isinstance(ways, str) else ""

    def ways(self, company, size):
        """Each way to sell so much: the papers that go, who directs first because of it, what he gives for it; or a word."""
        own = self.papers(company, self.seat)
        held = percent(self.position, company, self.seat)
        if not 0 < size <= held:
            return "not held"
        plain = baskets(own, size)
        if plain:
            return [(papers, None, ()) for papers in plain]
        if self.companies[company]["director"] != self.seat:
            return "papers"
        chief = self.chief(company)["percent"]
        follower = self.follower(company)
        if follower is None or percent(self.position, company, follower) < chief:
            return "nobody follows"
        if percent(self.position, company, follower) <= held - size:
            return "stays director"
        for given in self.offers(company, follower, self.papers(company, follower)):
            found = baskets([*own, *given], size)
            if found:
                return [(papers, follower, given) for papers in found]
        return "papers"

    def offers(self, company, _seat, papers):
        """What a new director could give for the director's certificate, fewest papers first."""
        return baskets(papers, self.chief(company)["percent"])

    def follower(self, company):
        """Who holds most beside the director, among equals the first to the director's left."""
        held = holdings(self.position, company)
        return self.first_left({s: n for s, n in held.items() if s != self.companies[company]["director"]}, company)

    def first_left(self, held, company):
        """The seat with the most of some holdings, among equals the first to the director's left."""
        count, director = len(self.position["players"]), self.companies[company]["director"]
        most = max(held.values(), default=0)
        ring = [(director + step) % count for step in range(1, count + 1)]
        return next((seat for seat in ring if held.get(seat) == most > 0), None)

    def fewer(self, company, way):
        """By how many papers a way of selling lessens what the seller holds, who may lose his office by it."""
        sold, follower, given = way
        left = percent(self.position, company, self.seat) - sum(sold)
        if follower is None and self.companies[company]["director"] == self.seat:
            heir = self.follower(company)
            if heir is not None and percent(self.position, company, heir) > left:
                given = next(iter(self.offers(company, heir, self.papers(company, heir))), ())
        return len(sold) - (len(given) - 1 if given else 0)

    def most_papers(self, company):
        """The most papers by which a sale of one corporation could lessen what the seller holds in this turn."""
        found = [0]
        for size in range(10, 101, 10):
            if not self.sell_at_all(company, size):
                found += [self.fewer(company, way) for way in self.ways(company, size)]
        return max(found)

    def must_sell(self):
        """Above the certificate limit, and able to sell (first book 16.3; second 5.2.2)."""
        if papers_held(self.position, self.seat) <= self.limit:
            return False
        return any(not self.sell_at_all(c, size) for c in self.companies for size in range(10, 101, 10))

    # What lies where afterwards

    def followed(self, company, director, lies):
        """The directorship goes to whom holds more than the director (first book 5.4; second 4.2.1)."""
        held = {place: sum(map(abs, papers)) for place, papers in lies.items() if isinstance(place, int)}
        if director is None:
            return director, tidy(lies)
        others = {seat: part for seat, part in held.items() if seat != director}
        leader = self.first_left(others, company)
        if leader is not None and others[leader] > held.get(director, 0):
            offers = self.offers(company, leader, [p for p in lies[leader] if p > 0])
            if not offers:
                return director, tidy(lies)
            swap(lies, director, leader, self.chief(company)["percent"], offers[0])
            director = leader
        return director, tidy(lies)
