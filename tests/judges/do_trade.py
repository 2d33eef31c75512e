"""18DO judged from its draft rulebook: bids, stock rounds, founding, trade-ins, own deals, trains, forced purchases.

Sections 3.1, 5.3 to 5.5, 5.6.1.7 and 5.6.2.3.2, with the decisions for what the draft leaves open. Plain and slow; it knows a
sheet, a position, options and actions as plain values and imports nothing of the product. Every judge answers an empty text
where an action is legal, else a word for what is wrong.
"""

from __future__ import annotations

from tests.judges.certificates import baskets
from tests.judges.ledger import POOL, holdings, papers_held, percent

CHARTER, IPO = "charter", "io"
LIMITS = {3: 26, 4: 19, 5: 18}  # of the full game (5.5.3)
SHARES = {3: 70, 4: 60, 5: 60}
RAILWAY_LIMITS = {3: 17, 4: 13, 5: 10}  # of the Railway Game
TRAIN_LIMIT = {"2": 4, "3": 4, "4": 3, "5": 2, "6": 2, "8": 2}
COLOURS = ("yellow", "green", "brown", "grey")
OWN_TURNS = ("company_turn", "brewery_turn")
FIRST_TRAIN = ("CME", "BME", "RhE")
PASSABLE = ("first", "track", "station", "link", "trains")


class DoTrade:
    """One position of 18DO and the seat whose rights are asked. `options` are the table's."""

    def __init__(self, sheet, position, options, seat):
        self.sheet, self.position, self.options, self.seat = sheet, position, options, seat
        self.top = position["agenda"][-1] if position["agenda"] else {"type": "end"}
        self.companies, self.phase = position["companies"], position["phase"]
        self.extra = position["extra"] or {}
        self.cash = position["players"][seat]["cash"]
        self.own, self.game = sheet["own"], options["game"]

    # What there is

    def price(self, company):
        """The value of a corporation; 0 without a token."""
        space = self.position["markers"]["spaces"].get(company)
        return self.sheet["market"]["rows"][space[0] - 1][space[1] - 1]["price"] if space else 0

    def papers(self, company, place):
        """The sizes of the ordinary certificates at a place, in the order of the stack."""
        found = self.companies[company]["certificates"]
        return [paper["percent"] for paper in found if paper["holder"] == place and not paper["director"]]

    def chief(self, company):
        """The size of the director's certificate."""
        return next(p["percent"] for p in self.companies[company]["certificates"] if p["director"])

    def is_railway(self, company):
        return self.sheet["companies"][company]["own"]["kind"] == "railway"

    def is_minor(self, brewery):
        return brewery not in self.companies

    def minor(self):
        """The minor that the seat owns; empty for none."""
        found = [
            n for n, private in self.position["privates"].items() if private["owner"] == self.seat and private["open"]
        ]
        return f"B{found[0]}" if found and self.game in ("full", "expert") else ""

    def owner(self, company):
        """Who decides for a company."""
        if not self.is_minor(company):
            return self.companies[company]["director"]
        private = self.position["privates"][int(company[1:])]
        return private["owner"] if private["open"] else None

    def treasury(self, company):
        if self.is_minor(company):
            return self.position["aside"].get(company, 0)
        return self.companies[company]["treasury"]

    def phase_rules(self):
        return next(phase for phase in self.sheet["phases"] if phase["name"] == self.phase)

    def begun(self, phase):
        """Whether a phase has begun."""
        order = [each["name"] for each in self.sheet["phases"]]
        return order.index(self.phase) >= order.index(phase)

    def on_display(self):
        """The types of new cards on sale: the lowest that is left, and 8 beside 6 once two 6 have left (5.6.1.7.1)."""
        left, kinds = self.position["depot"]["display"], self.sheet["trains"]
        lowest = next((kind for kind in kinds if left[kind]), None)
        found = [lowest] if lowest else []
        gone = kinds["6"]["count"] - left["6"]
        if gone >= 2 and left["8"] and "8" not in found:
            found.append("8")
        return found

    def cost(self, kind):
        return self.sheet["trains"][kind]["price"]

    def awaited(self):
        """The seat that the position waits for; None for nobody."""
        top, kind = self.top, self.top["type"]
        if kind in ("stock_round", "starting_round"):
            return top["seat"]
        if kind == "private_lot":
            return top["seats"][0]
        if kind == "first_markers":
            return self.owner(top["minors"][0])
        if kind == "too_many_trains":
            return self.owner(top["companies"][0])
        if kind == "too_many_becs":
            return self.owner(top["breweries"][0])
        names = {"train_offer": "seller", "marker_offer": "seller", "load_offer": "company"}
        name = top.get(names.get(kind, "")) or top.get("brewery") or top.get("company")
        return self.owner(name) if name else None

    # Starting Round (5.3) and the auction of private breweries

    def bid(self, number, amount):
        """A token on a box of a minor above all others; in the Railway Game a bid in fives on the lot that is up."""
        if self.top["type"] == "private_lot":
            lot, bids = self.top, [b["amount"] for b in self.position["bids"] if b["private"] == self.top["private"]]
            least = max(bids) + 5 if bids else lot["price"]
            return "" if number == lot["private"] and least <= amount <= self.cash and amount % 5 == 0 else "bid"
        if self.top["type"] != "starting_round":
            return "time"
        private = self.position["privates"].get(number)
        if private is None or not private["open"] or amount not in (0, 5, 10, 15, 20, 25, 30):
            return "no such box"
        tokens = [bid["amount"] for bid in self.position["bids"] if bid["private"] == number]
        return "" if amount > max(tokens, default=-1) else "too low"

    # Limits (5.5.3)

    def limit(self):
        limits = LIMITS if self.game in ("full", "expert") else RAILWAY_LIMITS
        return limits[len(self.position["players"])]

    def surplus(self):
        return papers_held(self.position, self.seat) > self.limit()

    def _purchase(self, company, cost, *, more=True):
        if self.surplus():
            return "must sell"
        if [self.seat, company] in [list(pair) for pair in self.top["sold"]]:
            return "sold this round"
        if cost > self.cash:
            return "money"
        return "limit" if more and papers_held(self.position, self.seat) + 1 > self.limit() else ""

    # Buying and founding (5.5.1, 5.5.2)

    def buy(self, company, source, size, hand_in):
        """A certificate of the company stock, the top one, or any of the Pool; perhaps a 10 % goes back for it."""
        wrong = self._there(company, source, size)
        if wrong:
            return wrong
        if hand_in and (size <= 10 or 10 not in self.papers(company, self.seat)):
            return "nothing to hand in"
        wrong = self._purchase(company, self.price(company) * (size - 10 * hand_in) // 10, more=not hand_in)
        held = percent(self.position, company, self.seat) + size - 10 * hand_in
        return wrong or ("share limit" if held > SHARES[len(self.position["players"])] else "")

    def _there(self, company, source, size):
        if self.top["type"] != "stock_round" or company not in self.companies or source not in (CHARTER, POOL):
            return "time"
        if not self.companies[company]["founded"]:
            return "not founded"
        lying = self.papers(company, source)
        top = lying[:1] if source == CHARTER and self.options["stack_order"] else lying
        return "" if size in top else "none there"

    def found(self, company, par, *, trade=False):
        """A director's certificate at a coloured value of the present or an earlier phase; perhaps with the own minor."""
        if self.top["type"] != "stock_round" or company not in self.companies or self.companies[company]["founded"]:
            return "time"
        if trade and (self.top["number"] == 1 or self.phase == "2" or not self.minor() or self.is_railway(company)):
            return "no trade"
        if self.extra.get("bankrupt", {}).get(company, 0) > self.top["number"] or not self.available(company):
            return "not available"
        rows = self.own["start_values"]["railways" if self.is_railway(company) else "breweries"]
        colour = self.phase_rules()["tiles"][-1]
        until = COLOURS[: COLOURS.index(colour) + 1]
        if par not in [value for each in until for value in rows.get(each, [])]:
            return "value"
        return self._purchase(company, par * (self.chief(company) // 10 - trade), more=not trade)

    def available(self, company):
        """The DEEG after four railways have floated, DHB and HBB after it, breweries from phase 3 on (3.1, 3.2.2)."""
        if not self.is_railway(company):
            return self.phase != "2"
        past = self.extra.get("bankrupt", {}) if self.options["deeg_counts_bankrupt"] else {}
        if company == "DEEG":
            return sum(self.is_railway(c) and (s["floated"] or c in past) for c, s in self.companies.items()) >= 4
        return company not in ("DHB", "HBB") or self.companies["DEEG"]["founded"] or "DEEG" in past

    def trade_in(self, company, source, size):
        """The own minor for a certificate; what it is worth more is paid (5.5.4)."""
        wrong = self._there(company, source, size)
        if wrong:
            return wrong
        if self.top["number"] == 1 or self.phase == "2" or not self.minor() or self.is_railway(company):
            return "no trade"
        if source == POOL and size > 10 and self.options["pool_20_trade_in"] == "refused":
            return "only a 10 %"
        wrong = self._purchase(company, self.price(company) * (size - 10) // 10, more=False)
        held = percent(self.position, company, self.seat) + size
        return wrong or ("share limit" if held > SHARES[len(self.position["players"])] else "")

    # Selling (5.5.6, 5.5.7)

    def sell(self, company, sizes, back):
        """A block of certificates; for one of 20 % a 10 % may be taken back out of the Pool."""
        if self.top["type"] != "stock_round" or company not in self.companies or self.top["number"] == 1:
            return "time"
        if not sizes or list(sizes) != sorted(sizes, reverse=True) or not 0 <= back <= sizes.count(20):
            return "spelling"
        if not self.companies[company]["operated"]:
            return "not acted"
        if self.papers(company, POOL).count(10) < back:
            return "no 10 % in the pool"
        net = sum(sizes) - 10 * back
        if percent(self.position, company, POOL) + net > 50:
            return "pool"
        found = self.block(company, tuple(sizes), net)
        return found if isinstance(found, str) else ""

    def block(self, company, sizes, net):
        """Who follows as director and what he gives for it, `(None, ())` for nobody; a word where there is no such sale."""
        own, held = self.papers(company, self.seat), holdings(self.position, company)
        others = {seat: part for seat, part in held.items() if seat != self.seat}
        most = max(others.values(), default=0)
        if self.companies[company]["director"] == self.seat and most > held.get(self.seat, 0) - net:
            count = len(self.position["players"])
            ring = [(self.seat + step) % count for step in range(1, count)]
            follower = next(seat for seat in ring if others.get(seat) == most)
            if most < self.chief(company):
                return "nobody follows"
            for given in baskets(self.papers(company, follower), self.chief(company)):
                if among(sizes, [*own, *given]):
                    return follower, given
            return "papers"
        return (None, ()) if among(sizes, own) else "papers"

    def can_sell(self):
        """Whether anything may be sold."""
        for company in self.companies:
            for sizes in blocks_of(percent(self.position, company, self.seat)):
                if any(not self.sell(company, sizes, back) for back in range(sizes.count(20) + 1)):
                    return True
        return False

    # At floating (5.5.5)

    def float_sale(self, sizes):
        """Up to 20 % of the company stock, when it floats in brown or grey."""
        if self.top["type"] != "float_sale":
            return "time"
        name = self.top["company"]
        if (
            sum(sizes) > 20
            or list(sizes) != sorted(sizes, reverse=True)
            or not among(sizes, self.papers(name, CHARTER))
        ):
            return "papers"
        return "pool" if percent(self.position, name, POOL) + sum(sizes) > 50 else ""

    def place(self, minor):
        """A place of the brewery order kept for the corporation, or the last."""
        return "" if self.top["type"] == "place_choice" and minor in ("", *self.top["places"]) else "time"

    # A corporation's own deal (5.6.1, 5.6.2.1)

    def dealer(self):
        """The corporation in turn that has not dealt yet; empty for none."""
        name = self.top.get("company") or self.top.get("brewery") or ""
        done = self.top.get("used", ()) if self.top["type"] == "company_turn" else self.top.get("done", ())
        if self.top["type"] not in OWN_TURNS or self.is_minor(name) or "deal" in done or self.game == "introduction":
            return ""
        return name

    def own_deal(self, deal, size):
        """One certificate of the company stock into the Pool, or one out of it."""
        name = self.dealer()
        if not name or deal not in ("sell", "buy"):
            return "time"
        lying = self.papers(name, CHARTER if deal == "sell" else POOL)
        if deal == "sell" and self.options["own_sale"] == "top":
            lying = lying[:1]
        if size not in lying:
            return "none there"
        if deal == "sell":
            return "pool" if percent(self.position, name, POOL) + size > 50 else ""
        return "money" if self.price(name) * size // 10 > self.treasury(name) else ""

    # Trains (5.6.1.7)

    def first_purchase(self):
        """Whether a railway may buy before step 1 of its first turn (3.1)."""
        name = self.top["company"]
        if self.options["first_train"] == "never" or self.companies[name]["operated"] or name not in FIRST_TRAIN:
            return False
        return self.options["refounded_privileges"] == "as_new" or name not in self.extra.get("bankrupt", {})

    def pooled(self):
        """The trains of the Pool that the railway in turn may buy: those of others (5.6.1.7)."""
        own = self.options["pool_train_own"] == "allowed"
        return {kind for kind, of in self.extra.get("pooled", ()) if own or of != self.top["company"]}

    def lots(self):
        """Every train of the bank for the railway in turn."""
        return {("display", kind) for kind in self.on_display()} | {("pool", kind) for kind in self.pooled()}

    def buy_train(self, source, kind, price):
        """A new train, one of the Pool, or one of another railway."""
        if self.top["type"] != "company_turn" or kind not in self.sheet["trains"]:
            return "time"
        first = self.top["step"] == "first" and self.game != "introduction" and self.first_purchase()
        if self.top["step"] != "trains" and not (first and source == "display"):
            return "step"
        wrong = self._on_sale(source, kind, price)
        if wrong:
            return wrong
        if "wagon" in self.top["used"]:
            return "a wagon instead"
        had = [note for note in self.top["used"] if note.startswith("new:")]
        counted = source == "display" or (source == "pool" and self.options["pool_counts_as_purchase"])
        if counted and had and not (kind == "2" and len(had) < self.phase_rules()["own"].get("capex_purchases", 1)):
            return "bought already"
        name = self.top["company"]
        if price > self.treasury(name):
            return "money"
        return "limit" if self.counted_trains(name) >= TRAIN_LIMIT[self.phase] else ""

    def _on_sale(self, source, kind, price):
        if source in ("display", "pool"):
            return "" if (source, kind) in self.lots() and price == self.cost(kind) else "not on sale"
        seller = self.companies.get(source)
        if (
            seller is None
            or source == self.top["company"]
            or kind not in seller["trains"]
            or seller["director"] is None
        ):
            return "not there"
        loaded = sum(load["train"] == kind for load in self.extra.get("loads", {}).get(source, ()))
        if (self.phase == "8" and kind == "4") or seller["trains"].count(kind) <= loaded:
            return "loaded or on its last run"
        return "price" if price < 1 or f"declined:{source}:{kind}:{price}" in self.top["used"] else ""

    def counted_trains(self, name):
        """The trains that count for the limit; those on their last run by the table's choice."""
        trains = list(self.companies[name]["trains"])
        last = self.phase == "8" and not self.options["turned_counts_for_limit"]
        return len([kind for kind in trains if not (last and kind == "4")])

    def must_own(self):
        """Whether the railway in turn must get a train before it leaves (5.6.1.7.4)."""
        name = self.top["company"]
        if self.companies[name]["trains"]:
            return False
        if self.game == "introduction":
            return any(self.cost(kind) <= self.treasury(name) for _, kind in self.lots())
        return bool(self.lots())

    def discard_train(self, company, kind):
        """A train above the limit, of the railway that is asked."""
        if self.top["type"] != "too_many_trains" or company != self.top["companies"][0]:
            return "time"
        return "" if kind in self.companies[company]["trains"] else "not its train"

    # Forced purchases (5.6.1.7.4, 5.6.1.7.5, 5.6.2.3.2)

    def must_get_bec(self):
        """Whether the brewery corporation in turn must get equipment; `DoBrewing` knows."""
        return False

    def force(self, source, kind):
        """The cheapest new card, or a train of the Pool, where the treasury does not pay for either."""
        top = self.top
        if self.game == "introduction" or kind not in self.sheet["trains"]:
            return "time"
        railway = top["type"] == "company_turn" and top["step"] == "trains" and self.must_own()
        brewery = top["type"] == "brewery_turn" and not self.is_minor(top["brewery"]) and self.must_get_bec()
        if not railway and not brewery:
            return "no duty"
        name = top["company"] if railway else top["brewery"]
        new = sorted(self.on_display(), key=self.cost)[:1]
        lots = {("display", each) for each in new} | ({("pool", each) for each in self.pooled()} if railway else set())
        if (source, kind) not in lots:
            return "not among them"
        if any(self.cost(each) <= self.treasury(name) for each in (*new, kind)):
            return "treasury pays"
        room = 50 - percent(self.position, name, POOL)
        open_deal = railway and "deal" not in top["used"] and any(n <= room for n in self.papers(name, CHARTER))
        return "deal first" if open_deal else ""

    def forced_sale(self, size):
        """Company stock first, whatever the Pool holds; then the director's own while his cash falls short."""
        if self.top["type"] != "forced":
            return "time"
        name = self.top["company"]
        short = self.cost(self.top["kind"]) - self.treasury(name)
        if short <= 0:
            return "covered"
        stock = self.papers(name, CHARTER)
        if stock:
            return "" if size in stock else "company stock"
        if self.cash >= short:
            return "cash covers"
        held = holdings(self.position, name)
        rest = max((part for seat, part in held.items() if seat != self.seat), default=0)
        return "" if size in self.papers(name, self.seat) and size <= held[self.seat] - rest else "own"

    # Answers, income, leaving

    def answer(self):
        """The one who is asked says yes or no."""
        return "" if self.top["type"] in ("train_offer", "load_offer", "marker_offer") else "time"

    def pay(self):
        """The use of an income."""
        top = self.top
        if top["type"] == "brewery_turn":
            return "" if top["step"] == "income" and top["income"] else "step"
        return "" if top["type"] == "company_turn" and top["step"] == "pay" else "time"

    def leave(self, kind):
        """A pass, or the end of a turn in which something was sold."""
        top = self.top
        if top["type"] == "stock_round":
            if (kind == "end_turn") != bool(top["blocks"]):
                return "the other word"
            return "must sell" if self.surplus() and self.can_sell() else ""
        if kind != "pass":
            return "time"
        if top["type"] == "company_turn":
            if top["step"] not in PASSABLE:
                return "step"
            return "must own" if top["step"] == "trains" and self.must_own() else ""
        if top["type"] == "brewery_turn":
            return self.leave_brewery()
        return "" if top["type"] in ("private_lot", "first_markers", "advertise", "marketing") else "time"

    def leave_brewery(self):
        """The end of a brewery's turn; `DoBrewing` knows."""
        return "time"


def among(sizes, papers):
    """Whether papers of these sizes are among some."""
    return all(papers.count(size) >= list(sizes).count(size) for size in set(sizes))


def blocks_of(held):
    """Every block of certificates up to so many per cent, sizes from the largest."""
    for thirties in range(held // 30 + 1):
        for twenties in range((held - 30 * thirties) // 20 + 1):
            for tens in range((held - 30 * thirties - 20 * twenties) // 10 + 1):
                sizes = (30,) * thirties + (20,) * twenties + (10,) * tens
                if sizes:
                    yield sizes
