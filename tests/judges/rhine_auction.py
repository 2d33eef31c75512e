"""18Rhl and 18LRA judged from their rulebooks: what may be bought, bid, declined and set while the starting package is sold.

Written from the book of 2006 (sections 3 and 4) and those of 2022 (4.1, 5.1.1). Plain; it knows a sheet, a position, a seat
and actions as plain values and imports nothing of the product. Every judge answers an empty text where an action is legal.
"""

from __future__ import annotations

from tests.judges.board import switched

PRICES = {  # printed on the certificates
    "first": {1: 20, 2: 30, 3: 50, 4: 80, 5: 120, 6: 140},
    "second": {1: 20, 2: 30, 3: 50, 4: 80, 5: 120, 6: 140},
    "lra": {1: 20, 2: 40, 3: 50, 4: 60, 5: 80, 6: 100},
}
NO_LESS = {"first": (), "second": (6,), "lra": ()}  # a minimum bid: that price is a bid, and none lower is asked
INCOMES = {"first": (5, 0, 15, 20, 25, 0), "second": (5, 0, 15, 20, 25, 0), "lra": (5, 15, 15, 15, 20, 10)}


class RhineAuction:
    """One position while the package is sold, and the seat whose rights are asked."""

    def __init__(self, sheet, position, book, seat):
        self.sheet, self.position, self.book, self.seat = sheet, position, book, seat
        self.top = position["agenda"][-1]
        self.prices = PRICES[book]

    def unsold(self):
        """The numbers that nobody has bought, lowest first."""
        return sorted(int(n) for n, p in self.position["privates"].items() if p["owner"] is None and p["open"])

    def bids(self, number):
        """The bids that stand on a certificate, by seat."""
        return {bid["seat"]: bid["amount"] for bid in self.position["bids"] if bid["private"] == number}

    def free(self, but=0):
        """Cash that is not promised in bids on other certificates than one."""
        promised = (b["amount"] for b in self.position["bids"] if b["seat"] == self.seat and b["private"] != but)
        return self.position["players"][self.seat]["cash"] - sum(promised)

    def price(self):
        """What the lowest unsold certificate costs: no. 1 of the first book falls when all have passed."""
        return self.prices[self.unsold()[0]] - (self.top["discount"] if self.book == "first" else 0)

    def buy(self, number):
        """The lowest unsold certificate at its price."""
        if self.top["type"] != "auction" or self.top["seat"] != self.seat:
            return "time"
        if number != self.unsold()[0]:
            return "not for sale"
        return "money" if self.price() > self.free() else ""

    def bid(self, number, amount):
        """A bid on another certificate, or a raise in the auction of one."""
        if self.top["type"] not in ("auction", "contest") or self.top["seat"] != self.seat:
            return "time"
        if self.top["type"] == "contest" and number != self.top["private"]:
            return "another is under auction"
        if self.top["type"] == "auction" and number not in self.unsold()[1:]:
            return "not to bid on"
        if amount < self.least(number) or (self.book != "first" and (amount - self.least(number)) % 5):
            return "amount"
        return "money" if amount > self.free(number) else ""

    def least(self, number):
        """The lowest bid: 5 Mark above the printed price and every bid; a minimum bid is legal as it is."""
        standing = self.bids(number).values()
        if not standing and number in NO_LESS[self.book]:
            return self.prices[number]
        return max((self.prices[number], *standing)) + 5

    def leave(self, kind):
        """A pass in a turn or in an auction; declining an offer that costs something."""
        wanted = ("offer",) if kind == "decline_offer" else ("auction", "contest")
        if self.top["type"] not in wanted or self.top["seat"] != self.seat:
            return "time"
        if kind == "decline_offer":
            return "must take" if self.top["price"] <= 0 else ""
        free = self.top["type"] == "auction" and self.price() <= 0
        return "must take" if free else ""

    def accept(self):
        """The certificate that is offered at a falling price."""
        if self.top["type"] != "offer" or self.top["seat"] != self.seat:
            return "time"
        return "money" if self.top["price"] > self.free() else ""

    def set_par(self, company, par):
        """The par of the RhE, set by the buyer of no. 6 of the first book: any pink space (4.2, 5.1)."""
        if self.top["type"] != "par_choice" or self.top["seat"] != self.seat or company != "RhE":
            return "time"
        pink = {cell["price"] for row in self.sheet["market"]["rows"] for cell in row if cell and cell["par"]}
        if switched(self.sheet, "rhe_price_paid") or switched(self.sheet, "compat"):  # the published answer
            pink &= {70, 75, 80}
        return "" if par in pink else "no pink space"
