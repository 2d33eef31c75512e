"""Who acts when in 18DO, counted by hand: bids, stock rounds, sets of rounds, Railway Rounds and Brewery Rounds.

Written from the draft rulebook, sections 5.2 to 5.6. It imports nothing of the product.
"""

from __future__ import annotations

from tests.judges.do_account import Account, lists


class Schedule(Account):
    """The order of one game."""

    def __init__(self, sheet, position):
        super().__init__(sheet, position)
        position = lists(position)
        self.seats = len(position["players"])
        self.markers = position["markers"]
        self.companies = {name: dict(company) for name, company in position["companies"].items()}
        self.order = [slot["brewery"] for slot in position["extra"]["order"] if not slot["kept_for"]]
        self.bids = {bid["seat"]: (bid["private"], bid["amount"]) for bid in position["bids"]}
        self.acted = []
        self.railways = []
        self.due = None
        self.passes = 0
        self.last_actor = None
        self.first_order = list(range(self.seats))
        if position["agenda"][-1]["type"] == "stock_round":  # minors were dealt, no bids go before (5.3, option)
            cash = [player["cash"] for player in position["players"]]
            self.first_order.sort(key=lambda seat: (-cash[seat], seat))
            self.says(
                "order of the first stock round", self.first_order, position["agenda"][-1]["order"] or self.first_order
            )

    # Values -------------------------------------------------------------------------------------------------------------

    def on_price(self, event):
        company = event["company"]
        self.markers["spaces"][company] = event["space"]
        self.markers["arrivals"] = [c for c in self.markers["arrivals"] if c != company] + [company]

    def on_value_lost(self, event):
        self.markers["spaces"].pop(event["company"], None)

    def on_status(self, event):
        self.companies[event["company"]][event["status"]] = event["value"]

    def on_corporation_closed(self, event):
        self.companies[event["company"]].update(floated=False, founded=False)

    def on_brewery_order(self, event):
        self.order = [slot["brewery"] for slot in event["order"] if not slot["kept_for"]]

    def by_value(self):
        """Floated railways, the dearest first; on one space the one that came first (5.6.1.6)."""
        arrivals, row = self.markers["arrivals"], self.sheet["market"]["rows"][0]
        found = [
            n
            for n, c in self.companies.items()
            if c["floated"] and self.sheet["companies"][n]["own"]["kind"] == "railway"
        ]

        def place(name):
            space = self.markers["spaces"][name]
            return -row[space[1] - 1]["price"], arrivals.index(name)

        return sorted(found, key=place)

    # Bids -----------------------------------------------------------------------------------------------------------------

    def next_bidder(self, seat):
        """The next in order who has no token yet or is outbid on his box; None where all lie alone (5.3)."""
        for step in range(1, self.seats + 1):
            other = (seat + step) % self.seats
            mine = self.bids.get(other)
            if mine is None or any(b[0] == mine[0] and b[1] > mine[1] for b in self.bids.values()):
                return other
        return None

    # Rounds ---------------------------------------------------------------------------------------------------------------

    def pushed(self, frame):
        kind = frame["type"]
        if kind == "stock_round":
            self.passes, self.last_actor = 0, None
            self.first_order = frame["order"] or list(range(self.seats))
        elif kind == "operating_round":
            self.railways, self.acted = self.by_value(), []
            self.says("order of the Railway Round", self.railways, frame["order"])
        elif kind == "brewery_round":
            self.acted_breweries = []
            if frame["number"] == 1:
                self.says("rounds of a set", self.planned(), frame["of"])
        elif kind == "company_turn":
            due = [name for name in self.railways if name not in self.acted and self.companies[name]["floated"]]
            self.says("railway in turn", due[:1], [frame["company"]])
            self.acted.append(frame["company"])
        elif kind == "brewery_turn":
            due = [name for name in self.order if name not in self.acted_breweries]
            self.says("brewery in turn", due[:1], [frame["brewery"]])
            self.acted_breweries.append(frame["brewery"])

    def planned(self):
        """Operating rounds of the set that begins: by phase, or by its number."""
        ruling = self.ruling("or_per_set", "from_phase_6")
        if ruling == "published":
            return {"2": 1, "3": 2, "4": 2, "5": 2, "6": 3, "8": 3}[self.phase]
        if ruling == "from_set_4":
            return 3 if self.frame("rounds")["number"] >= 4 else 2
        return 3 if self.phase in ("6", "8") else 2

    def popped(self, frame):
        kind = frame["type"]
        if kind == "operating_round":
            left = [name for name in self.railways if name not in self.acted and self.companies[name]["floated"]]
            self.says("every railway has acted", [], left)
        elif kind == "brewery_round":
            self.says("every brewery has acted", [], [name for name in self.order if name not in self.acted_breweries])
        elif kind == "stock_round":
            self.says("all have passed in succession", self.seats, self.passes)
        elif kind == "starting_round":
            self.says("every bid lies alone", None, self.due)

    def next_seat(self, seat):
        """The next in a stock round: clockwise, in the first by the order that the players' money gave (5.3, 5.5)."""
        order = self.first_order
        return order[(order.index(seat) + 1) % len(order)]

    def turned(self, before, after, skipped):
        kind = after["type"]
        if kind == "stock_round" and not before["closed"]:
            if after["seat"] == before["seat"]:  # a sale, after which the turn goes on
                self.passes = after["passes"]
                return
            self.says("seat in the stock round", self.next_seat(before["seat"]), after["seat"])
            acted = before["seat"] == self.acting
            self.passes = 0 if acted else self.passes + 1
            self.says("passes in succession", self.passes, after["passes"])
            self.says("who is passed over without a note", False, not skipped and before["seat"] != self.decider)
            self.acting = self.decider = None

    # Decisions --------------------------------------------------------------------------------------------------------------

    acting = decider = None  # who acts in a stock round, and who decides, with a pass or without

    def decided(self, seat, action, position):
        """Somebody acts in a position: only who is in turn may, and a pass is one."""
        top = lists(position)["agenda"][-1]
        kind = top["type"]
        if kind in ("starting_round", "stock_round"):
            self.says("who acts", top["seat"], seat)
            self.decider = seat
            self.acting = None if action["kind"] == "pass" else seat
            if action["kind"] == "bid":
                self.says("bidder", seat if self.due is None else self.due, seat)
                self.bids[seat] = (action["private"], action["amount"])
                self.due = self.next_bidder(seat)
            if kind == "stock_round" and action["kind"] not in ("pass", "end_turn"):
                self.last_actor = seat
        elif kind == "company_turn":
            self.says("who acts", self.director(position, top["company"]), seat)
        elif kind == "brewery_turn":
            self.says("who acts", self.director(position, top["brewery"]), seat)

    def on_priority(self, event):
        if self.last_actor is not None:
            self.says("priority deal", (self.last_actor + 1) % self.seats, event["seat"])

    @staticmethod
    def director(position, company):
        """The director of a corporation, or the owner of a minor."""
        if company in position["companies"]:
            return position["companies"][company]["director"]
        return position["privates"].get(int(company[1:]), position["privates"].get(company[1:]))["owner"]

    def on_ended(self, event):
        rounds = self.frame("rounds")
        if event["reason"] == "rounds" and rounds is not None:
            self.says("sets played", self.sheet["own"]["round_track"]["sets"], rounds["number"])
