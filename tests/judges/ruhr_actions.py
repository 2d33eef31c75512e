"""18Ruhr judged from its rulebook: what may be bought, sold, developed, founded and merged (sections 3, 8, 9, 10.8, 12 and 14).

Plain and slow; it knows a sheet, a position and actions as plain values and imports nothing of the product. Every judge
answers an empty text where an action is legal, else a word for what is wrong.
"""

from __future__ import annotations

from itertools import product

from tests.judges.certificates import Certificates, baskets, hand, swap, tidy
from tests.judges.ledger import IPO, POOL, holdings, papers_held, percent

STAGES = "ABCDEX"
PERCENTS = range(10, 101, 10)
LIMITS = {3: 25, 4: 18, 5: 15, 6: 12}
TRAIN_LIMIT = {"2": 4, "3": 4, "4": 3, "5": 2, "6": 2, "8": 2}
COLOUR = {"2": "yellow", "3": "green", "4": "green", "5": "brown", "6": "brown", "8": "grey"}
TURNED = {"2": "", "3": "", "4": "A", "5": "AB", "6": "AB", "8": "ABC"}
STARTING = {"yellow": (50, 70), "green": (50, 80), "brown": (50, 100), "grey": (50, 100)}
PASSIVE = {"green": [50, 60, 70], "brown": [70, 80], "grey": [80, 90, 100]}


def counts_of(stages):
    """Markers by stage."""
    return [stages.count(stage) for stage in STAGES]


class RuhrActions(Certificates):
    """One position of 18Ruhr and a seat that acts in it. `options` are the table's."""

    def __init__(self, sheet, position, options, seat):
        self.sheet, self.position, self.options, self.seat = sheet, position, options, seat
        self.extra, self.phase = position["extra"], position["phase"]
        self.top = position["agenda"][-1]
        self.cash = position["players"][seat]["cash"]
        self.row = [cell["price"] for cell in sheet["market"]["rows"][0]]
        self.own = sheet["own"]

    def awaited(self):
        """The seat that the position waits for; None for nobody."""
        kind, top = self.top["type"], self.top
        if kind in ("package", "stock_round"):
            return top["seat"]
        if kind in ("foundation", "merging"):
            return self.extra["cards"][top["at"]]
        if kind == "montan_turn" and top["works"].isdecimal():
            return self.position["privates"][int(top["works"])]["owner"]
        if kind == "too_many_trains":
            return self.position["companies"][top["companies"][0]]["director"]
        name = top["works"] if kind == "montan_turn" else top.get("seller") or top.get("company")
        return self.position["companies"][name]["director"] if name else None

    # What there is

    def price(self, company):
        return self.row[self.position["markers"]["spaces"][company][1] - 1]

    def cost(self, company, size):
        return self.price(company) * size // self.sheet["companies"][company]["share"]

    def papers(self, company, place):
        """The sizes of the normal certificates at a place."""
        found = self.position["companies"][company]["certificates"]
        return [paper["percent"] for paper in found if paper["holder"] == place and not paper["director"]]

    def is_montan(self, company):
        return not self.sheet["companies"][company]["homes"]

    def on_offer(self):
        """The types of new cards on sale: the lowest that is left, and the 8 beside the 6 once a 6 is sold (8, 10.8.1)."""
        left = self.position["depot"]["display"]
        kinds = list(self.sheet["trains"])
        lowest = next((kind for kind in kinds if left[kind]), None)
        found = [lowest] if lowest else []
        if "6" in self.position["depot"]["sold"] and left["8"] and "8" not in found:
            found.append("8")
        return found

    def phase_after(self, kind):
        """The phase once a new card of a type is bought."""
        kinds = list(self.sheet["trains"])
        return max(self.phase, kind, key=kinds.index)

    # Certificates

    def at_limit(self, more):
        return papers_held(self.position, self.seat) + more > LIMITS[len(self.position["players"])]

    def must_sell(self):
        """Whether he is over the limit and could sell something (14.3)."""
        if not self.at_limit(0):
            return False
        return any(not self.sell_at_all(company, size) for company in self.position["companies"] for size in PERCENTS)

    def buy_item(self, item, value):
        """An item of the Starting Package (3.1, 4.1.1)."""
        if self.top["type"] != "package":
            return "time"
        columns = [
            [
                i
                for i in column
                if self.position["privates"][i]["owner"] is None and self.position["privates"][i]["open"]
            ]
            for column in self.extra["columns"]
        ]
        found = next((column for column in columns if item in column), None)
        if found is None:
            return "not there"
        if value not in ([50, 55, 60, 65, 70] if item == 19 else [0]):
            return "value"
        if self.sheet["privates"][item]["price"] + 5 * found.index(item) > self.cash:
            return "money"
        return "limit" if self.at_limit(2 if item == 19 else 1) else ""

    def buy_share(self, company, source, size):
        """One certificate of IPO or pool (14.2)."""
        if self.top["type"] != "stock_round" or company not in self.position["companies"]:
            return "time"
        if not self.position["companies"][company]["founded"] or source not in (IPO, POOL):
            return "not started"
        if size not in self.papers(company, source):
            return "not there"
        return self._purchase(company, self.cost(company, size))

    def _purchase(self, company, cost):
        if self.must_sell():
            return "must sell"
        if [self.seat, company] in [list(pair) for pair in self.top["sold"]]:
            return "sold this round"
        if cost > self.cash:
            return "money"
        return "limit" if self.at_limit(1) else ""

    def found(self, company, par):
        """A railway's director certificate (14.2, 5.5)."""
        if self.top["type"] != "stock_round" or company not in self.position["companies"] or self.is_montan(company):
            return "time"
        if (
            -self.director_size(company) not in self.lying(company).get(IPO, ())
            or self.position["companies"][company]["founded"]
        ):
            return "started"
        low, high = STARTING[COLOUR[self.phase]]
        if par not in self.row or not low <= par <= high:
            return "value"
        if company == "DGEE" and not self.position["companies"]["KWE"]["operated"]:
            return "KWE first"
        return self._purchase(company, 2 * par)

    def sell(self, company, size, sizes=()):
        """Certificates to the pool in a stock round (14.4, 5.3); `sizes` are named where there is a choice, and only there."""
        wrong = self.sell_at_all(company, size)
        return wrong or self.named(company, size, sizes)

    def sell_at_all(self, company, size):
        """Whether a block could be sold, the spelling of its papers aside."""
        if self.top["type"] != "stock_round" or self.top["number"] == 1 or company not in self.position["companies"]:
            return "time"
        if not self.position["companies"][company]["operated"]:
            return "not operated"
        if percent(self.position, company, POOL) + size > 50:
            return "pool"
        ways = self.ways(company, size)
        return ways if isinstance(ways, str) else ""

    def named(self, company, size, sizes):
        """Whether the papers of a sale are named where the seller has a choice of them, and nowhere else."""
        ways = self.ways(company, size)
        if isinstance(ways, str):
            return ways
        right = [way[0] for way in ways] if len(ways) > 1 else [()]
        return "" if tuple(sizes) in right else "name the papers"

    def ways(self, company, size):
        """Each choice of papers for a sale, as `(papers, follower, what he gives)`, or a word for why there is none (5.3)."""
        held, own = percent(self.position, company, self.seat), self.papers(company, self.seat)
        if not 0 < size <= held:
            return "not held"
        plain = baskets(own, size)
        if plain:
            return [(papers, None, ()) for papers in plain]
        if self.position["companies"][company]["director"] != self.seat:
            return "papers"
        chief, others = self.director_size(company), holdings(self.position, company)
        follower = self.first_left({seat: part for seat, part in others.items() if seat != self.seat}, self.seat)
        if follower is None or others[follower] < chief or others[follower] <= held - size:
            return "nobody follows"
        for given in baskets(self.papers(company, follower), chief):
            found = baskets([*own, *given], size)
            if found:
                return [(papers, follower, given) for papers in found]
        return "papers"

    def first_left(self, held, seat):
        """Who has the most of some holdings, among equals the first to the left of a seat; None for nothing."""
        count, most = len(self.position["players"]), max(held.values(), default=0)
        ring = [(seat + step) % count for step in range(1, count + 1)]
        return next((other for other in ring if held.get(other) == most > 0), None)

    # What lies where afterwards

    def followed(self, company, director, lies):
        """The directorship goes to whom holds more (5.3), but not the BME's under its private company (4.1.1)."""
        held = {place: sum(map(abs, papers)) for place, papers in lies.items() if isinstance(place, int)}
        chief = self.director_size(company)
        if director is None:  # the bank runs it until a player holds enough
            if any(part >= chief for part in held.values()) and -chief in lies.get(POOL, ()):
                director = max(held, key=lambda seat: held[seat])
                for paper in baskets([p for p in lies[director] if p > 0], chief)[0]:
                    hand(lies, director, POOL, paper)
                hand(lies, POOL, director, -chief)
            return director, tidy(lies)
        owner = self.position["privates"][19]["owner"] if self.position["privates"][19]["open"] else None
        if company == "BME" and owner is not None and held.get(owner, 0) >= chief:
            return director, tidy(lies)
        leader = self.first_left({seat: part for seat, part in held.items() if seat != director}, director)
        if leader is not None and held[leader] > held.get(director, 0):
            swap(lies, director, leader, chief, baskets([p for p in lies[leader] if p > 0], chief)[0])
            director = leader
        return director, tidy(lies)

    # Markers and engines

    def works(self):
        """The Montan company in turn: its name, charter, markers, engines, treasury, industry."""
        name = self.top["works"]
        held = self.extra["works"].get(name, {"markers": [0] * 6, "engines": []})
        if name.isdecimal():
            printed = self.own["pmcs"][name]
            return name, printed, list(held["markers"]), list(held["engines"]), self.position["aside"].get(name, 0)
        printed = self.sheet["companies"][name]["own"]
        return name, printed, list(held["markers"]), list(held["engines"]), self.position["companies"][name]["treasury"]

    def linked(self, name):
        if not name.isdecimal():
            return True
        at = self.own["pmcs"][name]["hex"]
        marks = [icon for icon in self.position["board"].get(at, {"icons": []})["icons"] if icon.startswith("L")]
        return bool(marks) and int(marks[0][1:]) > 0

    def boxes(self, name, printed):
        """The boxes by stage that markers may lie on now (9.1.1.2 a)."""
        signs = {} if self.linked(name) else printed.get("track_sign", {})
        return [printed["boxes"].get(stage, 0) - signs.get(stage, 0) for stage in STAGES]

    def supply(self, industry):
        """The markers of an industry that nobody has (Game Material List)."""
        left = [self.own["stages"][stage]["markers"] for stage in STAGES]
        for name, held in self.extra["works"].items():
            its = self.own["pmcs"][name] if name.isdecimal() else self.sheet["companies"][name]["own"]
            if its["industry"] == industry:
                left = [n - m for n, m in zip(left, held["markers"], strict=True)]
        removed = self.extra["removed"].get(industry, [0] * 6)
        return [n - m for n, m in zip(left, removed, strict=True)]

    def active(self, markers, phase):
        return any(n for stage, n in zip(STAGES, markers, strict=True) if stage not in TURNED[phase])

    def in_order(self, markers):
        """At most five A, and no more of a stage than of the one before (9.1.1.1 c, d)."""
        last = 6 if self.options["x_after_e"] else 5
        return markers[0] <= 5 and all(markers[n] <= markers[n - 1] for n in range(1, last))

    def takes(self, kind):
        """Every row of markers that may be taken with a card, money aside (9.1)."""
        name, printed, held, _, _ = self.works()
        blue = self.sheet["trains"][kind]["own"]["development"]
        pmc = name.isdecimal()
        room, left = self.boxes(name, printed), self.supply(printed["industry"])
        if pmc and any(h > r for h, r in zip(held, room, strict=True)):
            return []  # markers wait in the treasury (9.1.1.2 g)
        found = []
        for counts in product(range(blue["squares"] + 1), repeat=6):
            if not 0 < sum(counts) <= blue["squares"]:
                continue
            if any(
                n and (s not in blue["stages"] or (pmc and s in "DEX")) for s, n in zip(STAGES, counts, strict=True)
            ):
                continue
            after = [h + n for h, n in zip(held, counts, strict=True)]
            if any(n > m for n, m in zip(counts, left, strict=True)) or not self.in_order(after):
                continue
            if not pmc and any(a > r for a, r in zip(after, room, strict=True)):
                continue
            found.append((counts, after))
        if pmc:
            return [counts for counts, _ in found]
        later = self.phase_after(kind)
        good = [pair for pair in found if self.active(pair[1], later)]
        if good or not self.active(held, self.phase):
            found = good
        most = max((sum(counts) for counts, _ in found), default=0)
        return [counts for counts, _ in found if sum(counts) == most]

    def in_need(self, treasury=None):
        """Whether a MONTAN corporation without an active marker must develop now, or would with a treasury (9.1.1.3 e)."""
        name, _, held, _, there = self.works()
        treasury = there if treasury is None else treasury
        if name.isdecimal() or self.active(held, self.phase) or "card" in self.top["used"]:
            return False
        helping = (kind for kind in self.on_offer() if self.takes(kind))
        return any(self._blue(kind) <= treasury or not self.too_early(kind) for kind in helping)

    def _blue(self, kind):
        return self.sheet["trains"][kind]["own"]["development"]["price"]

    def too_early(self, kind):
        return kind == "8" and "6" in self.on_offer()

    def last_turned(self, kind, counts):
        """Whether a card would turn the last active marker though some development within its means keeps one."""
        name, _, held, _, treasury = self.works()
        if name.isdecimal() or not self.active(held, self.phase):
            return False
        after = [h + n for h, n in zip(held, counts, strict=True)]
        if self.active(after, self.phase_after(kind)):
            return False
        return any(
            self._blue(other) <= treasury
            and self.active([h + n for h, n in zip(held, row, strict=True)], self.phase_after(other))
            for other in self.on_offer()
            for row in self.takes(other)
        )

    def develop(self, kind, stages):
        """A card for markers (9.1)."""
        if self.top["type"] != "montan_turn" or self.top["step"] != "activity" or "activity" in self.top["used"]:
            return "time"
        if kind not in self.on_offer():
            return "card"
        counts = tuple(counts_of(stages))
        if counts not in self.takes(kind):
            return "markers"
        if self.last_turned(kind, counts):
            return "last active"
        treasury = self.works()[4]
        if self._blue(kind) <= treasury:
            return ""
        return "" if self.in_need() and not self.too_early(kind) else "money"

    def buy_engine(self, source, kind, scrap):
        """A card as a switch engine (9.3)."""
        if self.top["type"] != "montan_turn" or self.top["step"] != "activity" or "activity" in self.top["used"]:
            return "time"
        if kind not in {"display": self.on_offer(), "pool": self.position["depot"]["pool"]}.get(source, []):
            return "card"
        name, _, _, _, treasury = self.works()
        if self.in_need() or not self.linked(name):
            return "need or link"
        grey = self.sheet["trains"][kind]["own"]["engine"]
        wrong = self.no_place(grey["type"], scrap)
        if wrong:
            return wrong
        if source == "display" and self.last_turned(kind, (0,) * 6):
            return "last active"
        return "money" if grey["price"] > treasury else ""

    def engine_room(self, name):
        """The boxes for engines: one of a pMC, of a MONTAN corporation a second only with two locations (9.3)."""
        if name.isdecimal():
            return 1
        return min(self.sheet["companies"][name]["own"]["engines"], max(1, len(self.extra["montan"][name]["mines"])))

    def no_place(self, engine, scrap):
        """Whether an engine is missing in the supply, or a box for it, or another is scrapped for nothing."""
        name, _, _, engines, _ = self.works()
        used = sum(list(held["engines"]).count(engine) for held in self.extra["works"].values())
        left = 4 - used - list(self.extra["scrapped"]).count(engine)
        if left + (scrap == engine) < 1:
            return "no engine"
        room = self.engine_room(name)
        if scrap and (scrap not in engines or len(engines) < room):
            return "scrap"
        return "room" if not scrap and len(engines) >= room else ""

    # Montan Round

    def found_montan(self, company, mine, value, extra, merged):
        """A MONTAN corporation from a pMC (12.1)."""
        if self.top["type"] != "foundation" or not self.is_montan(company) or mine not in range(1, 19):
            return "time"
        chief = next(p for p in self.position["companies"][company]["certificates"] if p["director"])
        industry = self.sheet["companies"][company]["own"]["industry"]
        status = self.extra["mines"][mine]
        if chief["holder"] != IPO or self.own["pmcs"][str(mine)]["industry"] != industry:
            return "corporation"
        if status not in ("active", "passive") or not self.linked(str(mine)):
            return "mine"
        active = status == "active"
        held = self.extra["works"].get(str(mine), {"markers": [0] * 6})["markers"]
        if active and (self.position["privates"][mine]["owner"] != self.seat or sum(held) + 1 < 5):
            return "owner or markers"
        if value not in ([min(100, 10 * (sum(held) + 1))] if active else self.passive_values()):
            return "value"
        if extra not in ("", "buy", "merge") or bool(merged) != (extra == "merge"):
            return "extra"
        if extra == "merge" and (merged == mine or self._strange(merged, industry)):
            return "merged"
        more = (not active) + (extra == "buy")
        if more * value > self.cash:
            return "money"
        return "limit" if more and self.at_limit(more) else ""

    def passive_values(self):
        third = self.options["brown_third_value"]
        colour = COLOUR[self.phase]
        return PASSIVE[colour] + ([third] if colour == "brown" and third else [])

    def _strange(self, mine, industry):
        """Whether a pMC is not an own active one of an industry."""
        if mine not in range(1, 19) or self.extra["mines"][mine] != "active":
            return True
        return (
            self.position["privates"][mine]["owner"] != self.seat or self.own["pmcs"][str(mine)]["industry"] != industry
        )

    def merge(self, mine, company):
        """An own pMC into a MONTAN corporation (12.2)."""
        if self.top["type"] != "merging" or not self.is_montan(company):
            return "time"
        found = self.extra["montan"].get(company)
        if found is None or found["closed"] or self._strange(mine, self.sheet["companies"][company]["own"]["industry"]):
            return "corporation or mine"
        if not self.papers(company, IPO):
            return "no certificate"
        return "" if len(found["mines"]) < self.sheet["companies"][company]["own"]["locations"] else "no circle"

    # A corporation's own deal, and trains

    def share_deal(self, deal, size):
        """Once in its turn a corporation sells one of its certificates or buys one back (7.2, 7.3)."""
        name = self.top.get("company") or self.top.get("works", "")
        if self.top["type"] not in ("company_turn", "montan_turn") or name.isdecimal() or "deal" in self.top["used"]:
            return "time"
        if size not in self.papers(name, {"sell": IPO, "buy": POOL}.get(deal, "")):
            return "not there"
        if deal == "sell":
            over = percent(self.position, name, POOL) + size > 50
            return "pool" if over and self.options["deal_pool_limit"] else ""
        left = self.position["companies"][name]["treasury"] - self.cost(name, size)
        if left < 0:
            return "money"
        montan = self.top["type"] == "montan_turn"
        return "need" if montan and self.in_need() and not self.in_need(left) else ""

    def buy_train(self, source, kind, price):
        """A train of the bank at the printed price, of the pool, or of another railway at a price agreed on (10.8.1)."""
        if self.top["type"] != "company_turn" or self.top["step"] != "trains":
            return "time"
        company = self.position["companies"][self.top["company"]]
        bank = {"display": self.on_offer(), "pool": self.position["depot"]["pool"]}
        if source in bank:
            if kind not in bank[source] or price != self.sheet["trains"][kind]["price"]:
                return "not there"
        else:
            seller = self.position["companies"].get(source)
            if seller is None or source == company["id"] or kind not in seller["trains"] or seller["director"] is None:
                return "not there"
            if price < 1 or f"declined:{source}:{kind}:{price}" in self.top["used"]:
                return "price"
        if price > company["treasury"]:
            return "money"
        return "limit" if len(company["trains"]) >= TRAIN_LIMIT[self.phase] else ""
