"""18Rhl as the public site plays it (`compat`), judged by the table of differences in the rule sheet (section 19).

The site plays the first edition but for what stands here by its CMP id. Plain and slow like the judges that it departs from; it
imports nothing of the product.
"""

from __future__ import annotations

from copy import deepcopy

from tests.judges.board import switched
from tests.judges.certificates import baskets, hand, swap
from tests.judges.ledger import POOL
from tests.judges.rhine_forced import RhineForced
from tests.judges.rhine_routes import METROPOLISES, RhineRoutes
from tests.judges.rhine_shares import RhineShares

HAULED_ON = {"D13", "E12", "E14", "F11", "F13", "G12", "G14", "H13", "I12", "I14", "J13", "K2", "K12"}
HAULED = {*"123456789", "23", "24", "25", "30", "55", "56", "57", "58", "69", "930", "934", "937"}  # the tiles of no. 3
APART = (("C14", "D15"), ("A4", "A6"))  # one destination for every train
SOUTH = ("L11", "L13")  # one destination for all trains but the 8
LIMESTONE = 30


def shares_judge(sheet, position, book, seat):
    """The judge of stock rounds of a table."""
    return (SiteShares if switched(sheet, "compat") else RhineShares)(sheet, position, book, seat)


def forced_judge(sheet, position, book, seat):
    """The judge of train steps and forced purchases of a table."""
    return (SiteForced if switched(sheet, "compat") else RhineForced)(sheet, position, book, seat)


def routes_judge(sheet, position, book):
    """The judge of track, stations and routes of a table."""
    return (SiteRoutes if switched(sheet, "compat") else RhineRoutes)(sheet, position, book)


class SitePapers:
    """Sales and directors at the site."""

    def sell_at_all(self, company, size):
        """A corporation may be sold again in a turn (CMP-17)."""
        top, self.top = self.top, {**self.top, "blocks": ()}
        wrong = super().sell_at_all(company, size)
        self.top = top
        return wrong

    def sell(self, company, size, sizes=()):
        """Papers are not named, and nobody need sell down to the limit at one go."""
        return self.sell_at_all(company, size) or ("papers are not named" if sizes else "")

    def offers(self, company, seat, papers):
        """The 20 % goes for the director's certificate if its owner has no more papers than are needed (CMP-39)."""
        chief = self.chief(company)["percent"]
        found = baskets(papers, chief)
        return found if len(papers) <= chief // 10 else found[::-1]

    def ways(self, company, size):
        """As many papers as make the sum go; what no exchange makes up is sold for change (CMP-46)."""
        found = super().ways(company, size)
        if found != "papers":
            return found if isinstance(found, str) else found[-1:]
        if self.companies[company]["director"] != self.seat:
            return found
        return [way[:3] for way in self.with_change(company, size)] or "papers"

    def with_change(self, company, size):
        """Papers for one share too many, who follows, what he gives, and what comes back out of the pool."""
        follower, chief = self.follower(company), self.chief(company)["percent"]
        for given in self.offers(company, follower, self.papers(company, follower)):
            for kept in baskets(self.papers(company, self.seat), size + 10 - chief):
                sold = tuple(sorted((*kept, *given), reverse=True))
                return [(sold, follower, given, min(*self.papers(company, POOL), *sold))]
        return []

    def after_sale(self, company, size, sizes=()):
        sold, follower, given = self.ways(company, size)[-1]
        lies, director = self.lying(company), self.companies[company]["director"]
        if follower is not None:
            swap(lies, director, follower, self.chief(company)["percent"], given)
            director = follower
        for paper in sold:
            hand(lies, self.seat, POOL, paper)
        if sum(sold) > size:
            hand(lies, POOL, self.seat, self.with_change(company, size)[0][3])
        return self.followed(company, director, lies)


class SiteShares(SitePapers, RhineShares):
    """Stock rounds at the site."""


class SiteForced(SitePapers, RhineForced):
    """Train steps, forced purchases and bankruptcies at the site."""

    def in_turn(self):
        """For what the bank runs anybody who is still in the game decides (CMP-36)."""
        step = self.top["type"] == "company_turn" and self.top["step"] == "trains"
        if step and self.company["director"] is None:
            return not self.position["players"][self.seat]["bankrupt"]
        return super().in_turn()

    def has_route(self):
        """A town is a second stop for the duty to own a train (CMP-44)."""
        if self._route is None:
            self._route = SiteRoutes(self.sheet, self.position, self.book).has_route(self.name)
        return self._route

    def _of_another(self, source, kind, price):
        """Trains are sold between corporations from the start (CMP-33), by debtors too, to what the bank runs none (CMP-36)."""
        seller = self.companies.get(source)
        if seller is None or source == self.name or kind not in seller["trains"] or seller["director"] is None:
            return "not there"
        if self.company["director"] is None:
            return "of the bank only"
        if price < 1:
            return "price"
        return "declined" if f"declined:{source}:{kind}:{price}" in self.turn["used"] else ""

    def leave(self, kind="pass"):
        """Nobody owes a train where the bank runs the corporation."""
        if self.company["director"] is None:
            return "" if self.in_turn() and kind == "pass" else "time"
        return super().leave(kind)

    def choose(self, source, kind):
        """Only the cheapest train of display and pool (CMP-34)."""
        wrong = super().choose(source, kind)
        if wrong in ("time", "no duty", "treasury pays"):
            return wrong
        least = min(self.cost(each) for _, each in self.on_sale())
        return "" if (source, kind) in self.on_sale() and self.cost(kind) == least else "not the cheapest"

    def sell(self, company, size, sizes=()):
        """No certificate more than needed; a director's certificate that goes whole is one of them (CMP-34, CMP-49)."""
        if not self.paying() or not self.lacking() or company not in self.companies:
            return "time"
        wrong = self._may_part(company, size)
        if wrong or sizes:
            return wrong or "papers are not named"
        sold, follower, _ = self.ways(company, size)[-1]
        chief = self.chief(company)["percent"]
        least = chief if follower is not None and size >= chief else min(sold)
        return "more than needed" if self.price(company) * (size - least) // 10 >= self.lacking() else ""

    def bankrupt(self):
        """When all sales together, each at the price that the one before has left, do not cover (CMP-35)."""
        if not self.paying() or not self.lacking():
            return "time"
        return "sales cover it" if not self.sold_out().lacking() else ""

    def sold_out(self):
        """The judge of the position after all sales, the largest first, of equals the first corporation's."""
        judge = SiteForced(self.sheet, deepcopy(self.position), self.book, self.seat)
        while True:
            blocks = [(n, c) for c in judge.companies for n in range(10, 101, 10) if not judge.sell(c, n)]
            if not blocks:
                return judge
            judge.sell_now(*max(blocks, key=lambda block: block[0]))
            judge = SiteForced(self.sheet, judge.position, self.book, self.seat)

    def sell_now(self, size, company):
        """The position after a sale, in place of the one before; certificates of a size are alike."""
        director, lies = self.after_sale(company, size)
        self.position["players"][self.seat]["cash"] += self.price(company) * size // 10
        self.companies[company]["director"] = director
        left = list(self.companies[company]["certificates"])
        for place, paper in [(place, paper) for place, papers in lies.items() for paper in papers]:
            free = next(p for p in left if p["percent"] == abs(paper) and p["director"] == (paper < 0))
            left = [p for p in left if p is not free]
            free["holder"] = place
        row, column = self.position["markers"]["spaces"][company]
        rows = self.sheet["market"]["rows"]
        if row < len(rows) and column <= len(rows[row]) and rows[row][column - 1]:
            self.position["markers"]["spaces"][company] = (row + 1, column)

    def ruined(self):
        """The sales come first; who follows begins anew under the same duty (CMP-35)."""
        return RhineForced.ruined(self.sold_out())


class SiteRoutes(RhineRoutes):
    """Track, stations and routes at the site."""

    towns_end = False  # whether towns may end a route, which is so for the duty to own a train alone

    # Lays

    def lay(self, turn, at, tile, rotation, allowance="normal"):
        """Nos. 2 and 4, used before the normal lay, use it up (CMP-21, CMP-23)."""
        spent = allowance == "normal" and {"private:2", "private:4"} & set(turn["lays"])
        return "laid already" if spent else super().lay(turn, at, tile, rotation, allowance)

    def _kept_from(self, turn, at):
        """No. 1 keeps E14 from the corporations of others until a tile lies there (CMP-20)."""
        if switched(self.sheet, "ratingen"):
            return super()._kept_from(turn, at)
        private = self.position["privates"][1]
        lies = self.board.contents(at)["tile"]
        kept = at == "E14" and not lies and private["open"] and private["owner"] != self.director(turn)
        return "kept" if kept else ""

    def power(self, turn, number, at, tile, rotation):
        """Also later in the turn, until a station is placed or a train bought (CMP-24); not by no. 1 (CMP-20)."""
        if number == 1 and not switched(self.sheet, "ratingen"):
            return "no such power"
        if turn["station"] or turn["bought"]:
            return "step"
        if number == 3 and tile not in HAULED:
            return "another tile"
        return super().power({**turn, "step": "track"}, number, at, tile, rotation)

    def _hauling(self, turn, at):
        """On the listed hexes (CMP-22)."""
        return self._kept_from(turn, at) or ("" if at in HAULED_ON else "not listed")

    def station(self, turn, at, letter, token="normal"):
        """On the hex of no. 4 or 2 also outside the step, as long as no train is bought (CMP-24, CMP-48)."""
        given = at in {grant["hex"] for grant in turn["grants"]} and not turn["bought"]
        step = "station" if given else turn["step"]
        return super().station({**turn, "step": step}, at, letter, token)

    # Routes

    @property
    def areas(self):
        return APART

    def _city(self, place):
        """Both places of a bank of a yellow metropolis may be visited (CMP-26); Hamburg and Berlin are two (CMP-27)."""
        at, _ = place
        if at in METROPOLISES and not self._has_ferry(at):
            return place
        return super()._city(place)

    def wrong(self, company, train, stops, steps):
        south = {at for at, _ in stops} & set(SOUTH)
        if train != "8" and len(south) > 1:
            return "Basel and Frankfurt"
        return super().wrong(company, train, stops, steps)

    def _ends_wrong(self, train, stops):
        if not self.towns_end or train == "8":
            return super()._ends_wrong(train, stops)
        kinds = [self.board.stop(place)["kind"] for place in stops]
        if "offboard" in kinds[1:-1]:
            return "through an end"
        return "too long" if self.counted(stops) > self.sheet["trains"][train]["reach"] else ""

    def counted(self, stops):
        ends = (stops[0], stops[-1]) if self.towns_end else ()
        return len(self.cities([p for p in stops if self.board.stop(p)["kind"] != "town" or p in ends]))

    def _special_wrong(self, train, stops):
        """L9 is closed to the express as red hexes are (CMP-28)."""
        closed = train == "8" and any(at == "L9" for at, _ in stops)
        return "another red hex" if closed else super()._special_wrong(train, stops)

    def _may_iron(self, company):
        """Whoever has stations at Roermond (CMP-29)."""
        return True

    def earns(self, company, train, stops, steps):
        """Limestone is worth 30 Mark (CMP-40)."""
        paid = super().earns(company, train, stops, steps)
        if train == "8" or not switched(self.sheet, "ratingen"):
            return paid
        stony = self.locations(stops, steps)[1] and any(at == "E12" for at, _ in stops)
        return paid - 40 + LIMESTONE if stony else paid

    def _best_of(self, paid):
        """The eight most valuable stops, the ends only by their value (CMP-30)."""
        return sorted(paid, reverse=True)[:8]

    def has_route(self, company):
        self.towns_end = True
        try:
            return super().has_route(company)
        finally:
            self.towns_end = False
