"""18Rhl and 18LRA judged from their rulebooks: payments, moves of markers, directors, limits and the order of turns.

A second ledger follows every Mark, certificate and train; each payment must be the amount that the books name for its cause
(first book 11 to 16; second 4.2, 5, 6.2.4 to 6.3). It imports nothing of the product.
"""

from __future__ import annotations

from tests.judges.board import switched
from tests.judges.ledger import ASIDE, BANK, IPO, POOL, Ledger, holdings, papers_held, percent
from tests.judges.rhine_shares import train_limit

OBSOLETE = {"4": "2", "6": "3", "8": "4"}
LIMITS = {
    "first": {3: 20, 4: 15, 5: 12, 6: 10},
    "second": {3: 20, 4: 15, 5: 12},
    "lra": {2: 14, 3: 14, 4: 15},  # two by the rule sheet alone (LRA-TWO-01)
}
INCOMES = {"first": (5, 0, 15, 20, 25, 0), "second": (5, 0, 15, 20, 25, 0), "lra": (5, 15, 15, 15, 20, 10)}
MOVES = {"dividend": (1, "right"), "withhold": (1, "left"), "no_revenue": (1, "left"), "sale": (1, "down")}
BACK = {"sale": "train", "withhold": "debt", "dividend": "debt"}
"""What comes back to the bank in one action, by what it is paid after: the train that a sale covers, the debt of an income."""
HELP = ("loan", "receivership", "forced")
MOVES |= {"forced": (1, "down"), "sold_out": (1, "up"), "floated": (1, "up"), "below_price": (0, "")}


class RhineBooks:
    """The books of a game from a position on; `faults` in plain words, `seen` how often what was looked at."""

    def __init__(self, sheet, position, book):
        self.sheet, self.book = sheet, book
        self.ledger = Ledger(position)
        self.total = self.ledger.total
        self.faults, self.seen = [], {}
        self.before = position
        self.spaces = dict(position["markers"]["spaces"])
        self.arrivals = list(position["markers"]["arrivals"])
        self.floated = {name for name, c in position["companies"].items() if c["floated"]}
        self.acted = []

    def says(self, what, mine, theirs):
        """Hold an answer of the judge against the game's."""
        self.seen[what] = self.seen.get(what, 0) + 1
        if mine != theirs:
            self.faults.append(f"{what}: the judge has {mine}, the game {theirs}")

    # The stock market (first book 12, 15.3, 16.6; second 5.2.1, 6.2.5)

    def cell(self, row, column):
        rows = self.sheet["market"]["rows"]
        there = 1 <= row <= len(rows) and 1 <= column <= len(rows[row - 1])
        return rows[row - 1][column - 1] if there else None

    def price(self, company):
        return self.cell(*self.spaces[company])["price"]

    def moved(self, space, way):
        """The space after one move; a move that cannot be made one way is made the other, or not at all."""
        row, column = space
        ways = {
            "right": ((row, column + 1), (row - 1, column)),
            "left": ((row, column - 1), (row + 1, column)),
            "up": ((row - 1, column),),
            "down": ((row + 1, column),),
        }
        return next((to for to in ways.get(way, ()) if self.cell(*to)), (row, column))

    def on_price(self, event):
        name, space = event["company"], tuple(event["space"])
        if event["cause"] in MOVES:
            way = MOVES[event["cause"]][1]
            self.says(f"marker: {event['cause']}", self.moved(self.spaces[name], way), space)
        elif event["cause"] == "par":
            self.says("par on a par space", True, bool(self.cell(*space)["par"]))
        self.spaces[name] = space
        self.arrivals = [each for each in self.arrivals if each != name] + [name]

    def on_status(self, event):
        if event["status"] == "floated":
            (self.floated.add if event["value"] else self.floated.discard)(event["company"])

    # Who acts (first book 6.2; second 6)

    def on_pushed(self, event):
        frame = event["frame"]
        if frame["type"] == "operating_round":
            self.acted = []
        if frame["type"] == "company_turn":
            waiting = [name for name in self.spaces if name in self.floated and name not in self.acted]
            waiting.sort(key=lambda n: (-self.price(n), -self.spaces[n][1], self.arrivals.index(n)))
            self.says("corporation in turn", waiting[:1], [frame["company"]])
            self.acted.append(frame["company"])

    # One decision

    def see(self, seat, action, events, after):
        """Book a decision and hold the books against the position after it."""
        self.seat, self.action, self.events = seat, action, events
        self.first = {name: self.price(name) for name in self.spaces}
        for event in events:
            self.ledger.book(event)
            handler = getattr(self, f"on_{event['event']}", None)
            if handler is not None:
                handler(event)
        self.faults += self.ledger.faults
        self.ledger.faults = []
        self.says("ledger", [], self.ledger.differences(after))
        self.says("all money", self.total, self.ledger.total)
        self.says("markers", self.spaces, {n: tuple(s) for n, s in after["markers"]["spaces"].items()})
        self.private_incomes()
        self.railway_of_the_package(after)
        self.bank_runs_out(after)
        judge = getattr(self, f"judge_{action['kind']}", None)
        if judge is not None:
            judge(after)
        self.limits(after)
        self.before = after

    def paid(self, *causes):
        """The payments of this decision for these causes, sorted."""
        found = [
            (e["source"], e["target"], e["amount"])
            for e in self.events
            if e["event"] == "paid" and e["cause"] in causes
        ]
        return sorted(found, key=str)

    @staticmethod
    def paying(*entries):
        return sorted((entry for entry in entries if entry[2]), key=str)

    def private_incomes(self):
        """Every open private company pays its owner as an operating round begins (first book 4.1; second 4.1)."""
        got = [entry for entry in self.paid("private") if entry[0] == BANK]
        if not got:
            return
        owners = {n: p["owner"] for n, p in self.before["privates"].items() if p["open"] and p["owner"] is not None}
        owners |= {e["private"]: e["seat"] for e in self.events if e["event"] == "private"}
        closed = {e["private"] for e in self.events if e["event"] == "private_closed"}
        owners = {n: owner for n, owner in owners.items() if n not in closed}
        incomes = self.paying(*((BANK, owner, INCOMES[self.book][int(n) - 1]) for n, owner in owners.items()))
        rounds = max(1, len(got) // max(1, len(incomes)))  # players without money may let several begin at once
        self.says("income of private companies", sorted(incomes * rounds, key=str), got)

    # The RhE, which comes with the package (first book 4.2, 5.3, 16.4; German second 4.1.1)

    def railway_of_the_package(self, after):
        """Its capital, its certificates, and the money that lies at Düren until Köln and Aachen are linked."""
        if self.book == "lra":
            return
        sold = [e["seat"] for e in self.events if e["event"] == "private" and e["private"] == 6]
        to_rhe = [(e["source"], e["amount"]) for e in self.events if e["event"] == "paid" and e["target"] == "RhE"]
        if sold and self.book == "second":
            self.says("capital of the RhE", [(sold[0], 140)], [p for p in to_rhe if p[0] == sold[0]])
            self.says(
                "certificates of the RhE", (30, 50), (percent(after, "RhE", POOL), percent(after, "RhE", "charter"))
            )
            self.says("value of the RhE", 75, self.price("RhE"))
            self.says("money for the link", 210, self.ledger.money.get(ASIDE + "RhE", 0))
        if sold and (switched(self.sheet, "rhe_price_paid") or switched(self.sheet, "compat")):
            paid = self.before["players"][sold[0]]["cash"] - self.ledger.money[sold[0]]
            self.says(
                "price of no. 6 in the treasury", [paid], [amount for source, amount in to_rhe if source == sold[0]]
            )
        linked = sum(e["amount"] for e in self.events if e["event"] == "paid" and e["source"] == ASIDE + "RhE")
        if linked:
            aside = self.before["aside"]["RhE"]
            par = self.before["companies"]["RhE"]["par"] or 70
            self.says("the link pays three starting values", (3 * par, aside), (linked, linked))

    def judge_set_par(self, after):
        par = self.action["par"]
        waits = [] if switched(self.sheet, "compat") else [(BANK, ASIDE + "RhE", 3 * par)]  # CMP-13
        self.says("money for the link", waits, self.paid("set_aside"))
        self.says("three certificates of the RhE in the pool", 30, percent(after, "RhE", POOL))

    # The end (first book 17.1, 17.2; second 7.1, 7.2)

    def bank_runs_out(self, after):
        """The end is due once the bank cannot pay what it is not paid back in the same action."""
        if self.before["ending"] or switched(self.sheet, "compat"):
            return
        turns = [frame["company"] for frame in self.before["agenda"] if frame["type"] == "company_turn"]
        payments = [event for event in self.events if event["event"] == "paid"]
        bank, out = self.before["bank"], False
        for place, payment in enumerate(payments):
            bank += payment["amount"] * ((payment["target"] == BANK) - (payment["source"] == BANK))
            if payment["source"] != BANK or payment["cause"] in HELP:
                continue
            cause = BACK.get(payment["cause"]) if payment["cause"] == "sale" or payment["target"] in turns else None
            later = (
                e for e in payments[place:] if e["target"] == BANK and e["source"] in turns and e["cause"] == cause
            )
            out = out or bank + sum(e["amount"] for e in later) < 0
        self.says("the bank runs out", out, bool(after["ending"]))

    def scored(self, position, rows):
        """Cash and certificates at their prices, less twice what was lent; who is bankrupt comes last."""
        worth = {}
        for seat, player in enumerate(position["players"]):
            if player["outside"]:
                continue
            shares = sum(
                self.price(name) * holdings(position, name).get(seat, 0) // 10
                for name in position["companies"]
                if name in self.spaces
            )
            worth[seat] = (player["bankrupt"], shares + player["cash"] - 2 * player["loans"])
        self.says("score", {seat: total for seat, (_, total) in worth.items()}, {r["seat"]: r["total"] for r in rows})
        ranks = {
            seat: 1 + sum((broke, -total) < (mine[0], -mine[1]) for broke, total in worth.values())
            for seat, mine in worth.items()
        }
        self.says("places", ranks, {r["seat"]: r["rank"] for r in rows})

    def turn(self):
        return next((f for f in reversed(self.before["agenda"]) if f["type"] == "company_turn"), None)

    # Income (first book 11.1, 12; second 6.2.4, 6.2.5)

    def judge_pay_out(self, after):
        turn = self.turn()
        name, earned = turn["company"], turn["revenue"]
        shares = [(BANK, seat, earned * held // 100) for seat, held in holdings(self.before, name).items()]
        own = percent(self.before, name, IPO if self.book == "first" else "charter")
        self.says("dividend", self.paying(*shares, (BANK, name, earned * own // 100)), self.paid("dividend"))
        way = "right" if earned >= self.first[name] else ""
        self.says(
            "marker after a dividend",
            self.moved(self.before["markers"]["spaces"][name], way),
            self.spaces_of(name, "dividend"),
        )

    def judge_withhold(self, after):
        turn = self.turn()
        name = turn["company"]
        self.says("income kept", self.paying((BANK, name, turn["revenue"])), self.paid("withhold"))
        self.says(
            "marker after nothing paid",
            self.moved(self.before["markers"]["spaces"][name], "left"),
            self.spaces_of(name, "withhold"),
        )

    def spaces_of(self, name, cause):
        """Where a marker went for a cause in this decision; where it was without such a move."""
        went = [
            tuple(e["space"])
            for e in self.events
            if e["event"] == "price" and e["company"] == name and e["cause"] == cause
        ]
        return went[0] if went else tuple(self.before["markers"]["spaces"][name])

    # Shares (first book 16; second 5)

    def judge_buy_share(self, after):
        name, size = self.action["company"], self.action["percent"]
        cost = self.first[name] * size // 10
        floated = self.before["companies"][name]["floated"]
        target = name if floated and self.action["source"] != POOL else BANK
        self.says("price of a certificate", [(self.seat, target, cost)], self.paid("share"))
        free = after["players"][self.seat]["outside"]  # the Investor has no limit
        most = LIMITS[self.book][len(after["players"])]
        self.says("certificate limit", True, free or papers_held(after, self.seat) <= most)
        self.floats(name, after)

    def floats(self, name, after):
        """Floating at half of the shares, the MKB at 60 %; counted from what was bought (first book 16.4; second 5.1.5)."""
        if self.before["companies"][name]["floated"]:
            return
        at_end = self.book == "first" and not switched(self.sheet, "compat")
        left = percent(after, name, IPO) if at_end else None
        more = self.action["percent"] if self.action["source"] == IPO else 0
        bought = 100 - left if left is not None else 100 - percent(self.before, name, IPO) + more
        needed = 60 if name == "MKB" else 50
        self.says("floating", bought >= needed, after["companies"][name]["floated"])
        if switched(self.sheet, "compat") and bought >= needed:  # paid at once (CMP-16, CMP-42)
            late = self.before["phase"] in ("brown", "brown6", "grey")
            par = self.before["companies"][name]["par"]
            self.says("capital", [(BANK, name, par * (10 if late else bought // 10))], self.paid("capital"))
            there = percent(self.before, name, POOL) if late else 0
            self.says("unsold certificates", there + 100 - bought, percent(after, name, POOL if late else IPO))
        if self.book != "first" and bought >= needed:
            brown = self.before["phase"] in ("brown", "brown6", "grey")
            capital = self.first[name] * (10 if brown else bought // 10)
            self.says("capital", [(BANK, name, capital)], self.paid("capital"))
            self.says(
                "marker of a floated corporation",
                self.moved(self.before["markers"]["spaces"][name], "up"),
                self.spaces_of(name, "floated"),
            )
            self.says("unsold certificates", 100 - bought, percent(after, name, POOL if brown else "charter"))

    def judge_found(self, after):
        name, par = self.action["company"], self.action["par"]
        cost = par * after["companies"][name]["certificates"][0]["percent"] // 10
        self.says("price of founding", [(self.seat, BANK, cost)], self.paid("par"))
        self.says("founder directs", self.seat, after["companies"][name]["director"])
        self.says("certificate limit", True, papers_held(after, self.seat) <= LIMITS[self.book][len(after["players"])])

    def judge_sell_shares(self, after):
        name, size = self.action["company"], self.action["percent"]
        self.says("proceeds", [(BANK, self.seat, self.first[name] * size // 10)], self.paid("sale")[:1])
        self.says(
            "marker after a sale",
            self.moved(self.before["markers"]["spaces"][name], "down"),
            self.spaces_of(name, "sale"),
        )
        self.says("pool limit", True, percent(after, name, POOL) <= 50)

    # What corporations buy (6.2.6, first book 13)

    def judge_buy_train(self, after):
        name, source, kind = self.turn()["company"], self.action["source"], self.action["train"]
        if source not in ("display", POOL):
            return
        # what follows in the decision may be the purchase that the bank makes for a corporation that it runs (first book 13.3)
        self.says("price of a train", [(name, BANK, self.sheet["trains"][kind]["price"])], self.paid("train")[:1])
        sold = self.before["depot"]["sold"]
        if source == "display" and kind in OBSOLETE and kind not in sold and not switched(self.sheet, "short_game"):
            old = OBSOLETE[kind] if kind != "8" or "8" in self.sheet["trains"] else ""
            owned = [name for name, c in after["companies"].items() if old in c["trains"]]
            self.says("obsolete trains are gone", ([], False), (owned, old in after["depot"]["pool"]))

    def limits(self, after):
        """Train limits, the pool, directors: nobody holds more than the director, who holds the director's certificate."""
        waiting = any(frame["type"] == "too_many_trains" for frame in after["agenda"])
        broke = any(player["bankrupt"] for player in after["players"])
        for name, company in after["companies"].items():
            if not waiting:
                self.says("train limit", True, len(company["trains"]) <= train_limit(self.sheet, after["phase"]))
            if not broke:
                self.says("half in the pool", True, percent(after, name, POOL) <= 50)
            if company["director"] is not None:
                held = holdings(after, name)
                self.says("directed by the most", held[company["director"]], max(held.values()))
                papers = [p["holder"] for p in company["certificates"] if p["director"]]
                self.says("director's certificate", [company["director"]], papers)
