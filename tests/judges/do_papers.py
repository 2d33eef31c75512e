"""Money, certificates and limits of 18DO worked out by hand: prices, dividends, values, directors, forced purchases.

Written from the draft rulebook, sections 5.5 and 5.6. It imports nothing of the product; every Mark and certificate is followed
by the second ledger (`ledger`), and what an action must have moved is worked out here from the position before it.
"""

from __future__ import annotations

from tests.judges.do_account import Account, lists
from tests.judges.ledger import BANK, POOL, Ledger, holdings, papers_held, percent

CHARTER = "charter"
ACQUIRE = ("buy_certificate", "found", "found_by_trade", "trade_in")


class Papers(Account):
    """The books of one game."""

    def __init__(self, sheet, position):
        super().__init__(sheet, position)
        self.ledger = Ledger(position)
        self.before = position
        self.paid, self.values, self.moved, self.lent = [], [], [], 0

    # Values ---------------------------------------------------------------------------------------------------------------

    def row(self, company):
        """The values of a corporation's row, from the lowest."""
        kind = self.sheet["companies"][company]["own"]["kind"]
        return [cell["price"] for cell in self.sheet["market"]["rows"][0 if kind == "railway" else 1] if cell]

    def value(self, position, company):
        return self.row(company)[position["markers"]["spaces"][company][1] - 1]

    def shifted(self, company, value, spaces):
        """The value so many spaces to the right, at most the last; 0 for "bankrupt"."""
        row = self.row(company)
        at = row.index(value) + spaces
        return 0 if at < 0 else row[min(at, len(row) - 1)]

    def minor(self, name):
        return name not in self.sheet["companies"]

    # Booking ----------------------------------------------------------------------------------------------------------------

    def decided(self, seat, action, position):
        """Somebody is about to act in a position."""
        self.before, self.seat, self.action = position, seat, action
        self.paid, self.values, self.moved, self.lent = [], [], [], 0

    def book(self, event):
        self.ledger.book(event)
        super().book(event)

    def on_corporation_closed(self, event):
        for number in event["dropped"]:  # it comes back with eight shares (5.5.9)
            self.ledger.papers[event["company"], number] = "removed"

    def on_equipment_taken(self, event):
        self.ledger.trains["display", event["kind"]] -= 1  # it shows its back from now on, and is no train

    def on_paid(self, event):
        self.paid.append((event["cause"], event["source"], event["target"], event["amount"]))

    def on_price(self, event):
        self.values.append((event["company"], self.row(event["company"])[event["space"][1] - 1]))

    def on_value_lost(self, event):
        self.values.append((event["company"], 0))

    def on_certificate(self, event):
        self.moved.append((event["cause"], event["company"], event["number"], event["source"], event["target"]))

    def on_lent(self, event):
        self.lent += event["amount"]

    def paid_for(self, *causes):
        return sorted((each[1:] for each in self.paid if each[0] in causes), key=str)

    # After a decision -------------------------------------------------------------------------------------------------------

    def settled(self, after):
        """Judge what the action has moved, and the position after it."""
        self.faults += self.ledger.faults
        self.ledger.faults = []
        self.says("ledger", [], self.ledger.differences(after))
        handler = getattr(self, "judge_" + self.action["kind"], None)
        if handler is not None:
            handler(lists(self.before), lists(after))
        self.limits(lists(after))

    def company_in_turn(self, position):
        top = position["agenda"][-1]
        return top.get("company") or top.get("brewery")

    # Income (5.6.1.5.3, 5.6.1.6, 5.6.2.2) ------------------------------------------------------------

    def judge_pay_out(self, before, _after):
        top = before["agenda"][-1]
        name = self.company_in_turn(before)
        earned = top["revenue"] if top["type"] == "company_turn" else top["income"]
        if self.minor(name):
            owner = before["privates"][name[1:]]["owner"]
            full = earned // 10 * 10
            mine = [(BANK, owner, full // 2), (BANK, "aside:" + name, earned - full // 2)]
            self.says("half of a minor's income", self.paying(mine), self.paid_for("half", "income"))
            return
        full = earned // 10 * 10
        shares = {seat: full * held // 100 for seat, held in holdings(before, name).items()}
        mine = [(BANK, seat, amount) for seat, amount in shares.items()]
        mine.append((BANK, name, full * percent(before, name, CHARTER) // 100))
        mine.append((BANK, name, earned - full))
        self.says("dividend", self.paying(mine), self.paid_for("dividend", "rest"))
        value = self.value(before, name)
        compared = full // 10 if self.ruling("dividend_compared", "total") == "share" else full
        spaces = 0 if compared < value else 1 if compared < 3 * value else 2
        self.says("value after a dividend", self.shifted(name, value, spaces), self.last_value(name, value))

    def judge_withhold(self, before, _after):
        top = before["agenda"][-1]
        name = self.company_in_turn(before)
        earned = top["revenue"] if top["type"] == "company_turn" else top["income"]
        account = "aside:" + name if self.minor(name) else name
        kept = [entry for entry in self.paid_for("withhold") if entry[1] == account]
        self.says("income kept", self.paying([(BANK, account, earned)]), kept)
        if not self.minor(name):
            value = self.value(before, name)
            self.says("value after nothing paid", self.shifted(name, value, -1), self.first_value(name, value))

    @staticmethod
    def paying(entries):
        return sorted((entry for entry in entries if entry[2]), key=str)

    def last_value(self, name, value):
        return next((new for company, new in reversed(self.values) if company == name), value)

    def first_value(self, name, value):
        return next((new for company, new in self.values if company == name), value)

    # Trading (5.5) ------------------------------------------------------------------------------------------------------------

    def judge_buy_certificate(self, before, after):
        action, name = self.action, self.action["company"]
        cost = self.value(before, name) * (action["percent"] - 10 * action["hand_in"]) // 10
        target = name if action["source"] == CHARTER else BANK
        self.says(
            "price of a certificate", [(self.seat, target, cost)], self.paid_for("share", "certificate", "shares")
        )
        gained = percent(after, name, self.seat) - percent(before, name, self.seat)
        self.says("shares gained", action["percent"] - 10 * action["hand_in"], gained)
        more = papers_held(after, self.seat) - papers_held(before, self.seat)
        if before["companies"][name]["director"] == after["companies"][name]["director"]:
            self.says("certificates more", 1 - action["hand_in"], more)
        self.says("value after a purchase", self.value(before, name), self.value(after, name))

    def judge_found(self, _before, after):
        name = self.action["company"]
        cost = self.action["par"] * after["companies"][name]["certificates"][0]["percent"] // 10
        self.says("price of founding", cost, after["companies"][name]["treasury"])
        self.says("founder directs", self.seat, after["companies"][name]["director"])
        self.says("start value", self.action["par"], self.value(after, name))

    def judge_sell_certificates(self, before, after):
        action, name = self.action, self.action["company"]
        sold = sum(action["sizes"]) - 10 * action["back"]
        value = self.value(before, name)
        self.says("proceeds", [(BANK, self.seat, value * sold // 10)], self.paid_for("share", "shares", "sale"))
        directed = before["companies"][name]["director"] == self.seat
        if not self.ruling("outgoing_director_moves_value", True):  # who sells himself out of office is none any more
            directed = directed and after["companies"][name]["director"] in (self.seat, None)
        fallen = self.shifted(name, value, -(sold // 10)) if directed else value
        here = self.value(after, name) if name in after["markers"]["spaces"] else 0
        row = self.row(name)
        if directed and row.index(value) < sold // 10:
            fallen = 0
        self.says("value after a sale", fallen, here)
        if here:
            self.says("shares sold", sold, percent(before, name, self.seat) - percent(after, name, self.seat))

    def judge_own_certificate(self, before, _after):
        name = self.company_in_turn(before)
        value, size = self.value(before, name), self.action["percent"]
        cost = value * size // 10
        mine = (BANK, name, cost) if self.action["deal"] == "sell" else (name, BANK, cost)
        self.says("own deal", [mine], self.paid_for("own_deal"))
        railway = self.sheet["companies"][name]["own"]["kind"] == "railway"
        by_ten = railway or self.ruling("own_sale_fall", "certificate") == "ten_percent"  # 5.6.2.1 against 5.5.6
        spaces = 0 if self.action["deal"] == "buy" else -(size // 10 if by_ten else 1)
        steps = [new for company, new in self.values if company == name][: abs(spaces)]
        self.says("value after an own deal", self.shifted(name, value, spaces), steps[-1] if steps else value)

    # What companies buy ------------------------------------------------------------

    def judge_buy_train(self, before, _after):
        action, name = self.action, self.company_in_turn(before)
        if action["source"] in ("display", POOL):
            price = self.sheet["trains"][action["train"]]["price"]
            self.says("price of a train", [(name, BANK, price)], self.paid_for("train"))

    def judge_buy_bec(self, before, _after):
        action, name = self.action, self.company_in_turn(before)
        price = self.sheet["trains"][action["card"]]["price"]
        if action["deal_in"]:
            held = before["extra"]["charters"][name]["becs"]
            price -= 20 * int(next(bec["kind"] for bec in held if bec["number"] == action["deal_in"]))
        account = "aside:" + name if self.minor(name) else name
        treasury = before["aside"].get(name, 0) if self.minor(name) else before["companies"][name]["treasury"]
        price = max(0, price)
        mine = [(account, BANK, min(price, treasury)), (self.seat, BANK, price - min(price, treasury))]
        self.says("price of equipment", self.paying(mine), self.paid_for("equipment", "equipment_help"))
        if price > treasury:
            self.says("help within the half", (True, True), (self.minor(name), 2 * (price - treasury) <= price))

    def judge_build_link(self, before, _after):
        self.says("price of a link", [(self.company_in_turn(before), BANK, 30)], self.paid_for("link"))

    def judge_station(self, before, _after):
        name = self.company_in_turn(before)
        cost = before["companies"][name]["stations"][0]
        self.says("price of a station", self.paying([(name, BANK, cost)]), self.paid_for("station"))

    judge_place_station = judge_station

    def judge_lay_tile(self, before, _after):
        name, at = self.company_in_turn(before), self.action["hex"]
        laid = before["board"].get(at, {"tile": ""})["tile"]
        cost = 0 if laid else self.sheet["hexes"][at]["cost"]
        self.says("cost of a tile", self.paying([(name, BANK, cost)]), self.paid_for("terrain", "tile", "track"))

    # Forced purchases (5.6.1.7.5, 5.6.2.3.2) ------------------------------------------------------------

    def judge_force_purchase(self, before, after):
        name = self.company_in_turn(before)
        price = self.sheet["trains"][self.action["card"]]["price"]
        self.says("no help while the treasury pays", True, before["companies"][name]["treasury"] < price)
        if self.action["source"] == "display":
            on_sale = [kind for kind, count in before["depot"]["display"].items() if count]
            self.says("the cheapest new card", on_sale[0], self.action["card"])
        self.ladder(before, after)

    def judge_forced_sale(self, before, after):
        self.ladder(before, after)

    def ladder(self, before, after):
        """Stock first, then cash, then own certificates, then credit; nothing more than is needed."""
        frame = next((f for f in before["agenda"] if f["type"] == "forced"), None)
        name = frame["company"] if frame else self.company_in_turn(before)
        card = frame["kind"] if frame else self.action["card"]
        price = self.sheet["trains"][card]["price"]
        seat = before["companies"][name]["director"]
        treasury, cash = before["companies"][name]["treasury"], before["players"][seat]["cash"]
        stock = percent(before, name, CHARTER)
        value, falls = self.value(before, name), iter([new for company, new in self.values if company == name])
        certificates = before["companies"][name]["certificates"]
        for cause, company, number, source, _target in self.moved:
            if cause != "forced" or company != name:
                continue
            size = certificates[number]["percent"]
            self.says("a forced sale is needed", True, treasury < price)
            if source == CHARTER:
                treasury, stock = treasury + value * size // 10, stock - size
            else:
                self.says("own certificates come last", (0, True), (stock, cash < price - treasury))
                cash += value * size // 10
            for _ in range(size // 10):
                value = next(falls, value) if value else 0
        if (
            name in after["companies"]
            and name in after["markers"]["spaces"]
            and not any(f["type"] == "forced" for f in after["agenda"])
        ):
            lacking = max(0, price - treasury)
            self.says(
                "the director pays",
                self.paying([(seat, name, min(lacking, cash))]),
                [p for p in self.paid_for("forced") if p[0] == seat],
            )
            self.says("credit", max(0, lacking - cash), self.lent)

    # Limits ------------------------------------------------------------

    def limits(self, position):
        """Limits that no decision may leave broken, and who must direct what (5.5.3, 5.5.6, 5.5.7, 5.6.1.7)."""
        count = len(position["players"])
        waiting = {frame["type"] for frame in position["agenda"]}
        if self.action["kind"] in ACQUIRE:
            most = (
                self.sheet["limits"]["certificates"][count]
                if count in self.sheet["limits"]["certificates"]
                else self.sheet["limits"]["certificates"][str(count)]
            )
            self.says("certificate limit", True, papers_held(position, self.seat) <= most)
            share = self.sheet["own"]["share_limit"]["percent"][str(count)]
            held = percent(position, self.action["company"], self.seat)
            self.says("share limit", True, held <= share)
        if self.action["kind"] in ("sell_certificates", "sell_at_float") or self.action.get("deal") == "sell":
            name = self.action.get("company") or next((c for _, c, *_ in self.moved), "")
            if name in position["markers"]["spaces"]:
                self.says("pool limit", True, percent(position, name, POOL) <= 50)
        phase = next(p for p in self.sheet["phases"] if p["name"] == position["phase"])
        for name, company in position["companies"].items():
            if "too_many_trains" not in waiting and len(company["trains"]) > phase["train_limit"]:
                self.faults.append(f"{name} owns {company['trains']} in phase {position['phase']}")
            if company["director"] is None:
                continue
            held = holdings(position, name)
            director = company["director"]
            if company["certificates"][0]["holder"] != director:
                self.faults.append(f"{name} is directed by {director} without the certificate")
            for seat, owned in held.items():
                if owned > held[director] and self.exchangeable(company, seat):
                    self.faults.append(f"{seat} holds {owned} % of {name}, its director {held[director]}")

    @staticmethod
    def exchangeable(company, seat):
        """Whether a player's certificates can be given for the director's certificate."""
        wanted = company["certificates"][0]["percent"]
        sums = {0}
        for paper in company["certificates"][1:]:
            if paper["holder"] == seat:
                sums |= {known + paper["percent"] for known in sums}
        return wanted in sums
