"""18Rhl and 18LRA judged from their rulebooks: who acts next while the package is sold and in stock rounds, and what follows.

A plain account of turns beside a whole game (first book 3, 15, 16; second 5): bids, auctions and falling offers with what
they cost, stock turns, the priority deal, capital and markers at the end of a round. It imports nothing of the product. A
player who can do nothing but pass is passed over, as the tables do.
"""

from __future__ import annotations

from tests.judges.board import switched
from tests.judges.ledger import IPO, POOL, percent
from tests.judges.rhine_auction import INCOMES, NO_LESS, PRICES
from tests.judges.rhine_shares import CHARTER, RhineShares
from tests.judges.site_rules import shares_judge

LATE = ("brown", "brown6", "grey")
ROUNDS = {"yellow": 1, "green": 2, "green4": 2, "brown": 3, "brown6": 3, "grey": 3}


class RhineOrder:
    """The turns of a game from its first position on. `faults` in plain words, `seen` how often what was looked at."""

    def __init__(self, sheet, position, book):
        self.sheet, self.book, self.prices = sheet, book, PRICES[book]
        self.count = len(position["players"])
        self.faults, self.seen = [], {}
        self.before = position
        self.cash = {seat: player["cash"] for seat, player in enumerate(position["players"])}
        self.owner = {int(n): p["owner"] for n, p in position["privates"].items() if p["owner"] is not None}
        self.bids, self.discount = {}, 0
        for bid in position["bids"]:
            self.bids.setdefault(bid["private"], {})[bid["seat"]] = bid["amount"]
        self.priority = position["priority"]
        self.seat, self.passes, self.buyer = self.priority, 0, None
        self.contest, self.offer, self.par, self.falling = None, None, None, False
        self.actor = self.priority  # who bought or bid last
        # corporations of the first book that wait for their capital
        self.due = [name for name, company in position["companies"].items() if company["due"]]
        last = position["marks"].get("floated", "").split()  # at the site in the order of floating, the RhE first
        self.due.sort(key=lambda name: last.index(name) if name in last else -1)
        top = position["agenda"][-1]
        if top["type"] == "auction":
            self.seat, self.passes, self.discount, self.buyer = (
                top[name] for name in ("seat", "passes", "discount", "buyer")
            )
            self.run_auction()

    def says(self, what, mine, theirs):
        """Hold an answer of the judge against the game's."""
        self.seen[what] = self.seen.get(what, 0) + 1
        if mine != theirs:
            self.faults.append(f"{what}: the judge has {mine}, the game {theirs}")

    def left(self, seat):
        """The seats still in the game, from the left of one on; that one comes last."""
        ring = [(seat + step) % self.count for step in range(1, self.count + 1)]
        players = self.before["players"]
        return [each for each in ring if not players[each]["bankrupt"] and not players[each]["outside"]]

    def see(self, seat, action, after, closing=None):
        """Follow one decision and hold what comes of it against the position after it.

        Where a stock round ends, `closing` is the last position before that, the events of the end, and the position after
        them; more rounds may follow in one decision, when nobody can do anything.
        """
        top = self.before["agenda"][-1]["type"] if self.before["agenda"] else ""
        if top in ("auction", "contest", "offer", "par_choice"):
            self.in_package(seat, action)
            self.compare_package(after)
            if closing and not switched(self.sheet, "investor"):  # nobody could buy a share
                self.round_ends(*closing)
        elif switched(self.sheet, "investor"):
            pass  # the Investor buys between two players: `rhine_investor` follows that
        elif top == "stock_round" and action["kind"] not in ("offer_end", "decline_end"):
            self.in_stock_round(seat, action, after, closing)
        self.before = after

    # The package (first book 3; second 5.1.1)

    def unsold(self):
        return [number for number in self.prices if number not in self.owner]

    def free(self, seat, but=0):
        return self.cash[seat] - sum(bids.get(seat, 0) for number, bids in self.bids.items() if number != but)

    def least(self, number):
        standing = self.bids.get(number, {}).values()
        if not standing and number in NO_LESS[self.book]:
            return self.prices[number]
        return max((self.prices[number], *standing)) + 5

    def can_raise(self, seat, number):
        return self.least(number) <= self.free(seat, number)

    def hands(self, number, seat, price):
        """A certificate to its buyer."""
        self.owner[number], self.buyer, self.discount = seat, seat, 0
        self.bids.pop(number, None)
        self.cash[seat] -= price
        if number == 6 and self.book == "first":
            self.par = seat

    def in_package(self, seat, action):
        """One action while the package is sold."""
        kind = action["kind"]
        if kind not in ("pass", "set_par", "offer_end", "decline_end"):
            self.actor = seat
        if kind in ("offer_end", "decline_end"):
            return
        if kind == "set_par":
            self.par = None
            self.due.append("RhE")
        elif self.contest is not None:
            self.in_contest(seat, action)
        elif self.offer is not None:
            self.in_offer(kind)
        elif kind == "pass":
            self.seat, self.passes = self.left(seat)[0], self.passes + 1
        else:
            if kind == "bid":
                self.bids.setdefault(action["private"], {})[seat] = action["amount"]
            else:
                self.hands(action["private"], seat, self.prices[action["private"]] - self.discount)
            self.seat, self.passes = self.left(seat)[0], 0
        self.run_auction()

    def in_contest(self, seat, action):
        number, seats = self.contest
        if action["kind"] == "pass":
            seats = [each for each in seats if each != seat]
        else:
            self.bids[number][seat] = action["amount"]
        self.contest = (number, seats)
        self.raiser = self.next_raiser(seat)

    def next_raiser(self, last):
        """The next clockwise of those who are in and do not hold the highest bid."""
        number, seats = self.contest
        bids = {seat: self.bids[number][seat] for seat in seats}
        if switched(self.sheet, "compat"):  # always the lowest bidder (CMP-12)
            return min(bids, key=bids.get)
        highest = max(bids, key=bids.get)
        return next((seat for seat in self.left(last) if seat in bids and seat != highest), highest)

    def in_offer(self, kind):
        number, price, seat, declined = self.offer
        if kind == "accept_offer":
            self.offer, self.falling = None, True
            self.hands(number, seat, price)
            self.seat, self.passes = self.left(seat)[0], 0
            return
        declined, seat = declined + 1, self.left(seat)[0]
        self.offer = (
            (number, price - 5, seat, 0) if declined == len(self.left(seat)) else (number, price, seat, declined)
        )

    def run_auction(self):
        """What goes on without anybody's choice, up to the next question."""
        for _ in range(10_000):
            if self.par is not None or not self.unsold():
                return
            if not self.step():
                return
        self.faults.append("the sale of the package does not come to an end")

    def step(self):
        """One thing that happens by itself; False where somebody is asked."""
        if self.contest is not None:
            number, seats = self.contest
            if len(seats) == 1:
                self.contest = None
                self.hands(number, seats[0], self.bids[number][seats[0]])
                return True
            if not self.can_raise(self.raiser, number):
                self.in_contest(self.raiser, {"kind": "pass"})
                return True
            return False
        if self.offer is not None:
            if self.offer[1] > self.free(self.offer[2]):
                self.in_offer("decline_offer")
                return True
            return False
        return self.step_of_turns()

    def step_of_turns(self):
        number = self.unsold()[0]
        bids = self.bids.get(number, {})
        if self.passes == len(self.left(self.seat)):
            self.passes = 0
            self.all_passed(number)
        elif len(bids) == 1:
            self.hands(number, *next(iter(bids.items())))
        elif bids:
            lowest = min(bids, key=bids.get)
            self.contest, self.raiser = (number, list(bids)), lowest
        elif self.prices[number] - self.discount <= 0:
            taker = self.seat
            self.hands(number, taker, 0)
            self.seat, self.passes = self.left(taker)[0], 0
        elif self.falling and number not in NO_LESS[self.book] and not switched(self.sheet, "offer_once"):
            self.offer = (number, self.prices[number] - 5, self.left(self.buyer)[0], 0)
        elif not self.can_act(number):
            self.seat, self.passes = self.left(self.seat)[0], self.passes + 1
        else:
            return False
        return True

    def can_act(self, number):
        if self.prices[number] - self.discount <= self.free(self.seat):
            return True
        return any(self.can_raise(self.seat, other) for other in self.unsold()[1:])

    def all_passed(self, number):
        if self.book == "first" and number == 1:
            self.discount += 5
            return
        for sold, owner in self.owner.items():
            self.cash[owner] += INCOMES[self.book][sold - 1]
        if self.book != "first" and number not in NO_LESS[self.book]:
            self.offer = (number, self.prices[number] - 5, self.seat, 0)

    def compare_package(self, after):
        """Owners, bids, cash, and who is asked what."""
        top = after["agenda"][-1]
        owners = {int(n): p["owner"] for n, p in after["privates"].items() if p["owner"] is not None}
        self.says("owners in the package", self.owner, owners)
        bids = {(n, seat): amount for n, found in self.bids.items() for seat, amount in found.items()}
        theirs = {(bid["private"], bid["seat"]): bid["amount"] for bid in after["bids"]}
        self.says("bids", bids, theirs)
        if top["type"] == "company_turn" or top.get("number", 1) > 1:  # nobody could buy a share
            return
        self.says("cash in the package", self.cash, {s: p["cash"] for s, p in enumerate(after["players"])})
        if self.par is not None:
            asked = ("par_choice", self.par)
        elif self.contest is not None:
            asked = ("contest", self.raiser, self.contest[0])
        elif self.offer is not None:
            asked = ("offer", self.offer[2], *self.offer[:2])
        elif self.unsold():
            asked = ("auction", self.seat)
        else:
            asked = self.shares_begin(after)
        names = {"contest": ("private",), "offer": ("private", "price")}.get(top["type"], ())
        self.says("asked in the package", asked, (top["type"], top.get("seat"), *(top[name] for name in names)))

    def shares_begin(self, after):
        """The first stock turn: in the second books left of the last buyer, who takes the priority deal (5.1.1)."""
        if self.book != "first":
            self.seat = self.priority = self.left(self.buyer)[0]
            self.says("priority deal after the package", self.priority, after["priority"])
        if switched(self.sheet, "investor"):
            return after["agenda"][-1]["type"], after["agenda"][-1].get("seat")
        if switched(
            self.sheet, "compat"
        ):  # a round of its own: then the richest, of equals whoever follows (CMP-10, -15)
            most = max(self.cash.values())
            rich = [seat for seat, cash in self.cash.items() if cash == most]
            self.seat = rich[0] if len(rich) == 1 else self.left(self.actor)[0]
            self.says("priority deal after the package", self.seat, after["priority"])
        self.seat, self.passes = self.next_able(after, self.seat, 0)
        return ("stock_round", self.seat)

    # Stock rounds (first book 15.2, 15.3; second 5)

    def in_stock_round(self, seat, action, after, closing):
        """One action of a stock turn."""
        top, kind = self.before["agenda"][-1], action["kind"]
        self.says("seat in the stock round", True, seat == top["seat"])
        self.buyer = top["buyer"] if self.book == "first" else None
        self.actor = seat if kind in ("sell_shares", "buy_share", "found") else top["actor"]
        passes = top["passes"]
        if kind == "sell_shares":
            passes, going = 0, seat
        else:
            if kind in ("buy_share", "found"):
                self.buyer = seat
            passes = top["passes"] + 1 if kind == "pass" else 0
            going = self.left(seat)[0]
        self.floating(action)
        first = (
            "marker_choice",
            "too_many_trains",
        )  # a new director of 18LRA chooses, or gives up a train for the GKB's
        if after["agenda"] and after["agenda"][-1]["type"] in first:
            return
        done = [action["company"]] if kind == "sell_shares" else []
        found, passes = self.next_able(closing[0] if closing else after, going, passes, done)
        ends = passes >= len(self.left(seat))
        self.says("end of the stock round", ends, closing is not None)
        if not ends:
            self.says("next in the stock round", ("stock_round", found), named(after))
        elif closing:
            self.round_ends(*closing)

    def next_able(self, after, seat, passes, done=()):
        """The next seat that can do something in a stock round, and how many have passed until then.

        `done` is what the player in turn has sold just now, so that his turn goes on.
        """
        base = next(f for f in self.before["agenda"] if f["type"] == "stock_round")
        pairs = [*(list(pair) for pair in base["sold"]), *([seat, name] for name in done)]
        blocks = [*base["blocks"], *done] if done else []
        for _ in range(2 * self.count):
            if passes >= len(self.left(seat)):
                break
            frame = {"type": "stock_round", "number": base["number"], "seat": seat, "sold": pairs, "blocks": blocks}
            if able(shares_judge(self.sheet, {**after, "agenda": [frame], "bids": []}, self.book, seat)):
                break
            passes = 0 if blocks else passes + 1
            seat, blocks = self.left(seat)[0], []
        return seat, passes

    def floating(self, action):
        """First book 16.4: what was bought from the initial offering counts; the capital waits for the end of the round."""
        if self.book != "first" or action["kind"] not in ("buy_share", "found"):
            return
        name = action["company"]
        size = action["percent"] if action["kind"] == "buy_share" else 20
        source = action.get("source", IPO)
        bought = 100 - percent(self.before, name, IPO) + (size if source == IPO else 0)
        at_once = switched(self.sheet, "compat") and self.before["phase"] in LATE  # CMP-42
        if not self.before["companies"][name]["floated"] and bought >= (60 if name == "MKB" else 50) and not at_once:
            self.due.append(name)

    def round_ends(self, last, events, after):
        """The priority deal, capital, markers, and how many operating rounds follow."""
        self.before = last
        cash = {seat: last["players"][seat]["cash"] for seat in range(self.count)}
        ring = self.left(self.before["priority"] if self.book != "first" or self.buyer is None else self.buyer)
        site = switched(self.sheet, "compat")
        self.says("priority deal", self.richest(cash) if site else max(ring, key=cash.get), after["priority"])
        order = self.operating_order()
        risen, capital = [], []
        for name in self.due if site else order:  # CMP-43
            if name in self.due:
                capital.append((name, 0) if site else self.capital(name))  # paid at once (CMP-16)
                if self.before["phase"] not in LATE or name == "RhE":
                    risen.append((name, "floated"))
        spaces = self.after_floats([name for name, _ in risen])
        for name in sorted(order, key=lambda n: spaces[n]):
            held = [p["holder"] for p in self.before["companies"][name]["certificates"]]
            if all(isinstance(holder, int) for holder in held):
                risen.append((name, "sold_out"))
        causes = ("floated", "sold_out", "capital") if self.book == "first" else ("sold_out",)
        closing = [e for e in events if e["event"] in ("price", "paid") and e["cause"] in causes]
        paid = [(e["target"], e["amount"]) for e in closing if e["event"] == "paid"]
        self.says("capital at the end of the round", [(n, c) for n, c in capital if c], paid)
        moved = [(e["company"], e["cause"]) for e in closing if e["event"] == "price"]
        self.says("markers at the end of the round", [r for r in risen if self.can_rise(r, spaces)], moved)
        if after["agenda"]:
            self.says("operating rounds of the set", ROUNDS[self.before["phase"]], after["agenda"][0]["planned"])
        if self.before["phase"] in LATE:
            for name in self.due:
                self.says("unsold certificates go to the pool", 0, percent(after, name, IPO))
        self.due = []

    def richest(self, cash):
        """CMP-15: most cash; of equals the one after the last to act, whoever that is, and where nobody acted the holder."""
        rich = [seat for seat in self.left(0) if cash[seat] == max(cash.values())]
        if len(rich) == 1:
            return rich[0]
        return self.before["priority"] if self.actor is None else self.left(self.actor)[0]

    def operating_order(self):
        """Corporations with a marker by price, then further right, then the marker above (first book 6.2; second 6)."""
        markers = self.before["markers"]
        shares = RhineShares(self.sheet, self.before, self.book, 0)
        places = {name: n for n, name in enumerate(markers["arrivals"])}
        return sorted(places, key=lambda n: (-shares.price(n), -markers["spaces"][n][1], places[n]))

    def after_floats(self, risen):
        """The place of each corporation in the order once floated ones have risen: `(-price, -column, arrival)`."""
        rows, found = self.sheet["market"]["rows"], {}
        for turn, name in enumerate(self.before["markers"]["arrivals"]):
            row, column = self.before["markers"]["spaces"][name]
            late = name in risen and self.higher(row, column)
            row -= 1 if late else 0
            arrival = (1, risen.index(name)) if late else (0, turn)
            found[name] = (-rows[row - 1][column - 1]["price"], -column, arrival, row, column)
        return found

    def higher(self, row, column):
        """Whether there is a space above."""
        rows = self.sheet["market"]["rows"]
        return row > 1 and column <= len(rows[row - 2]) and bool(rows[row - 2][column - 1])

    def can_rise(self, move, spaces):
        name, cause = move
        row, column = self.before["markers"]["spaces"][name] if cause == "floated" else spaces[name][3:]
        return self.higher(row, column)

    def capital(self, name):
        """First book 16.4: the starting value of all shares sold; in brown ten times the price, less what buyers have paid."""
        par = self.before["companies"][name]["par"]
        if name == "RhE":
            if switched(self.sheet, "rhe_price_paid"):
                return name, 0  # its treasury has what was paid for no. 6
            return name, 2 * par  # the director's certificate; what lies in the pool comes with the link (4.2)
        if self.before["phase"] in LATE:
            shares = RhineShares(self.sheet, self.before, self.book, 0)
            return name, 10 * shares.price(name) - self.before["companies"][name]["treasury"]
        return name, par * (6 if name == "MKB" else 5)


def named(position):
    """The frame on top and its seat."""
    top = position["agenda"][-1] if position["agenda"] else {"type": "end"}
    return top["type"], top.get("seat")


def able(judge):
    """Whether a player can buy, found or sell anything."""
    for name in judge.companies:
        chief = judge.companies[name]["founded"]
        if not chief and any(not judge.found(name, par) for par in judge.pars()):
            return True
        if chief:
            for source in (IPO, CHARTER, POOL):
                if any(not judge.buy(name, source, size) for size in (10, 20)):
                    return True
        if any(not judge.sell_at_all(name, size) for size in range(10, 101, 10)):
            return True
    return False
