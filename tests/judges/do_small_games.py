"""Who acts when, and where every Mark goes, in the Railway Game and the Introduction Game of 18DO, counted by hand.

Both are reconstructions: what is judged stands in the rule sheet (DO-TRG, DO-INTRO). It imports nothing of the product.
"""

from __future__ import annotations

from tests.judges.do_account import Account, lists
from tests.judges.ledger import BANK, Ledger

STEP, LINK = 5, 30  # Mark


class SmallGame(Account):
    """What both games share: the ledger, the order of railways, the director in turn."""

    def __init__(self, sheet, position):
        super().__init__(sheet, lists(position))
        self.ledger = Ledger(position)
        self.before = lists(position)
        self.railways, self.acted = [], []
        self.start, self.paid = self.ledger.total, []

    def decided(self, seat, action, position):
        """Somebody acts: in a railway's turn its director."""
        self.before, self.paid = lists(position), []
        top = self.before["agenda"][-1]
        if top["type"] == "company_turn":
            self.says("who acts", self.before["companies"][top["company"]]["director"], seat)

    def book(self, event):
        self.ledger.book(event)
        super().book(event)

    def on_paid(self, event):
        self.paid.append(event)
        if event["cause"] == "link":
            self.says("price of a link", LINK, event["amount"])

    def settled(self, position):
        """The books after a decision: every account, and all money together."""
        self.faults += self.ledger.differences(position)
        self.faults += self.ledger.faults
        self.says("money of the game", self.start, self.ledger.total)
        self.before = lists(position)

    def floated(self):
        return [name for name, company in self.before["companies"].items() if company["floated"]]

    def turn(self, company):
        """A railway begins its turn: the next of the round that has floated."""
        self.says("railway in turn", [name for name in self.railways if name not in self.acted][:1], [company])
        self.acted.append(company)


class Introduction(SmallGame):
    """Ten rounds, most money first; a card leaves between two; nobody has shares (DO-INTRO-02)."""

    rounds, left = 0, 0

    def __init__(self, sheet, position):
        super().__init__(sheet, position)
        self.earned = {}
        for frame in self.agenda:  # the first round has begun before the first question
            self.pushed(frame)

    def pushed(self, frame):
        if frame["type"] == "operating_round":
            self.rounds += 1
            seat = {name: self.before["companies"][name]["director"] for name in self.floated()}
            self.railways = sorted(seat, key=lambda name: (-self.ledger.money[name], seat[name]))
            self.acted = []
            self.says("order of a round", self.railways, frame["order"])
        elif frame["type"] == "company_turn":
            self.turn(frame["company"])

    def popped(self, frame):
        if frame["type"] == "operating_round":
            self.says("every railway has acted", len(self.railways), len(self.acted))

    def on_ran(self, event):
        self.earned[event["company"]] = event["revenue"]  # a railway that cannot run may follow in the same decision

    def on_train(self, event):
        if event["cause"] == "round":
            self.left += 1
            lowest = next(kind for (place, kind), n in self.ledger.trains.items() if place == "display" and n >= 0)
            self.says("a card between two rounds", True, self.rounds > 1 and bool(lowest))

    def settled(self, position):
        earned = [p for p in self.paid if p["cause"] == "withhold"]
        for payment in earned:
            name = payment["target"]
            booked = payment["source"], payment["amount"]
            self.says("income stays with the railway", (BANK, self.earned.get(name)), booked)
        super().settled(position)

    def on_ended(self, _event):
        self.says("rounds played", 10, self.rounds)


class Railway(SmallGame):
    """The auction of private breweries, the order by value, and rounds by phase (DO-TRG-01 to -03)."""

    def __init__(self, sheet, position):
        super().__init__(sheet, position)
        prices = sorted((private["price"], int(number)) for number, private in sheet["privates"].items())
        self.lots = [[number, price] for price, number in prices]
        self.seats = list(range(len(position["players"])))
        self.first = 0
        self.bidding, self.bid, self.bidder = list(self.seats), 0, 0
        self.spaces, self.arrivals, self.up = {}, [], set()
        self.priority, self.last_actor, self.acting = position["priority"], None, None
        self.passes = 0

    def around(self, first):
        return self.seats[first:] + self.seats[:first]

    def decided(self, seat, action, position):
        super().decided(seat, action, position)
        if self.before["agenda"][-1]["type"] == "stock_round":
            self.says("who acts in a stock round", self.before["agenda"][-1]["seat"], seat)
            self.acting = None if action["kind"] == "pass" else seat
            if action["kind"] not in ("pass", "end_turn"):
                self.last_actor = seat
        if self.before["agenda"][-1]["type"] != "private_lot":
            return
        self.nobody_who_cannot(position)
        self.says("who bids", self.bidding[:1], [seat])
        lot = self.before["agenda"][-1]
        self.says("lot and its price", self.lots[0], [lot["private"], lot["price"]])
        if action["kind"] == "pass":
            self.bidding.pop(0)
        else:
            low = self.bid + STEP if self.bid else self.lots[0][1]
            self.says("bid high enough", True, low <= action["amount"] <= position["players"][seat]["cash"])
            self.says("bid in fives", 0, action["amount"] % STEP)
            self.bid, self.bidder = action["amount"], seat
            self.bidding.append(self.bidding.pop(0))

    def nobody_who_cannot(self, position):
        """Who cannot pay the least bid leaves unasked; a lot without bidders goes to the end, 5 Mark cheaper."""
        while self.lots:
            number, price = self.lots[0]
            low = self.bid + STEP if self.bid else price
            if not self.bidding:
                self.lots.append([number, price - STEP])
                self.lots.pop(0)
                self.bidding = self.around(self.first)
            elif len(self.bidding) > 1 or not self.bid:
                if position["players"][self.bidding[0]]["cash"] >= low:
                    return
                self.bidding.pop(0)
            else:
                return

    def on_private(self, event):
        number = event["private"]
        while self.lots and self.lots[0][0] != number:  # lots that nobody could or would bid on
            self.lots.append([self.lots[0][0], self.lots.pop(0)[1] - STEP])
            self.bidding = self.around(self.first)
        self.says("lot sold", [number], [lot[0] for lot in self.lots[:1]])
        price = self.bid if self.lots.pop(0)[1] > 0 else 0
        self.says("buyer", self.bidder if self.bid else self.first, event["seat"])
        rich = [s for s in self.bidding if s != self.bidder and self.before["players"][s]["cash"] >= self.bid + STEP]
        self.says("nobody left who could bid more", [], rich if self.bid else [])
        self.says("price of a private brewery", price, sum(p["amount"] for p in self.paid if p["cause"] == "package"))
        self.paid = []
        self.first = (event["seat"] + 1) % len(self.seats)
        self.bidding, self.bid = self.around(self.first), 0

    # Rounds -----------------------------------------------------------------------------------------------------------

    def value(self, name):
        row, column = self.spaces[name]
        return self.sheet["market"]["rows"][row - 1][column - 1]["price"]

    def on_price(self, event):
        self.spaces = {**self.spaces, event["company"]: event["space"]}
        self.arrivals = [name for name in self.arrivals if name != event["company"]] + [event["company"]]

    def on_corporation_closed(self, event):
        self.spaces = {name: space for name, space in self.spaces.items() if name != event["company"]}

    def on_status(self, event):
        if event["status"] == "floated":
            self.up = (self.up | {event["company"]}) if event["value"] else self.up - {event["company"]}

    def pushed(self, frame):
        kind = frame["type"]
        if kind == "operating_round":
            playing = [name for name in self.up if name in self.spaces]
            self.railways = sorted(playing, key=lambda n: (-self.value(n), -self.spaces[n][1], self.arrivals.index(n)))
            self.acted = []
            self.says("order of a round", self.railways, frame["order"])
            if frame["number"] == 1:
                planned = next(p for p in self.sheet["phases"] if p["name"] == self.phase)["operating_rounds"]
                self.says("rounds of a set", planned, frame["of"])
        elif kind == "company_turn":
            self.railways = [name for name in self.railways if name in self.spaces]
            self.turn(frame["company"])
        elif kind == "stock_round":
            self.stock_round(frame)

    # Stock rounds (5.4, 5.5) --------------------------------------------------------------------------------------------

    def stock_round(self, frame):
        """The richest begins the first, the holder of the Priority Deal the others."""
        self.passes, self.last_actor = 0, None
        if frame["number"] == 1:
            cash = [self.ledger.money[seat] for seat in self.seats]
            self.says("the richest begins", True, cash[frame["seat"]] == max(cash))
            self.says("every lot is sold", [], self.lots)
        else:
            self.says("the priority deal begins", self.priority, frame["seat"])

    def turned(self, before, after, skipped):
        super().turned(before, after, skipped)
        if after["type"] != "stock_round" or before["closed"]:
            return
        if after["seat"] == before["seat"]:  # a sale, after which the turn goes on
            self.passes = after["passes"]
            return
        self.says("seat in the stock round", (before["seat"] + 1) % len(self.seats), after["seat"])
        self.passes = 0 if before["seat"] == self.acting else self.passes + 1
        self.says("passes in succession", self.passes, after["passes"])
        self.acting = None

    def popped(self, frame):
        super().popped(frame)
        if frame["type"] == "stock_round":
            self.says("all have passed in succession", len(self.seats), self.passes)

    def on_priority(self, event):
        if self.last_actor is not None:
            self.says("priority deal", (self.last_actor + 1) % len(self.seats), event["seat"])
        self.priority = event["seat"]
