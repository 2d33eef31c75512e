"""18Ruhr judged from its rulebook: payments, moves of markers, directors and limits (3 to 5, 10.6 to 10.9, 13 to 15).

A second ledger follows the game from event to event; each payment must be the amount that the rulebook names for its cause.
It imports nothing of the product.
"""

from __future__ import annotations

from tests.judges.ledger import BANK, IPO, POOL, Ledger, holdings, papers_held, percent

LIMITS = {3: 25, 4: 18, 5: 15, 6: 12}
TRAIN_LIMIT = {"2": 4, "3": 4, "4": 3, "5": 2, "6": 2, "8": 2}
STAGES = "ABCDEX"
TURNED = {"2": "", "3": "", "4": "A", "5": "AB", "6": "AB", "8": "ABC"}
FALLS = ("withhold", "no_revenue", "deal", "sale", "floated", "bankrupt")


class RuhrBooks:
    """The books of a game from a position on; `faults` in plain words, `counted` what was looked at."""

    def __init__(self, sheet, position, options):
        self.sheet, self.options = sheet, options
        self.ledger = Ledger(position)
        self.faults, self.counted = [], 0
        self.row = [cell["price"] for cell in sheet["market"]["rows"][0]]
        self.total = self.ledger.total
        self.due_privates = None
        self._take(position)

    def _take(self, position):
        self.position = position
        self.spaces = {c: column for c, (_, column) in position["markers"]["spaces"].items()}
        self.agenda = list(position["agenda"])
        self.phase = position["phase"]
        self.debts = {name: company["debt"] for name, company in position["companies"].items()}
        self.stations = {name: list(company["stations"]) for name, company in position["companies"].items()}
        self.privates = {n: dict(private) for n, private in position["privates"].items()}
        self.status = {name: dict(company) for name, company in position["companies"].items()}
        self.par = {name: company["par"] for name, company in position["companies"].items()}

        works = position["extra"]["works"]
        self.markers = {name: list(held["markers"]) for name, held in works.items()}
        self.engines = {name: len(held["engines"]) for name, held in works.items()}
        marks = {at: [i for i in contents["icons"] if i.startswith("L")] for at, contents in position["board"].items()}
        self.linked = {
            number: int(marks[pmc["hex"]][0][1:]) > 0
            for number, pmc in self.sheet["own"]["pmcs"].items()
            if marks.get(pmc["hex"])
        }

    def price(self, company):
        """The value of a corporation now."""
        return self.row[self.spaces[company] - 1]

    def share(self, company):
        return self.sheet["companies"][company]["share"]

    def wrong(self, said):
        self.faults.append(said)

    def expect(self, what, event, wanted):
        """A payment must be one of these amounts."""
        self.counted += 1
        wanted = wanted if isinstance(wanted, tuple | list | set) else (wanted,)
        if event["amount"] not in wanted:
            self.wrong(
                f"{what}: {event['amount']} Mark from {event['source']} to {event['target']}, it should be {wanted}"
            )

    # One decision

    def see(self, seat, action, events, after):
        """Book a decision and hold the books against the position after it."""
        self.seat, self.action, self.before, self.after = seat, action, self.position, after
        self.first_values = {c: self.price(c) for c in self.spaces}
        self.dividend, self.events = [], events
        for number, event in enumerate(events):
            self.number = number
            kind = event["event"]
            if kind == "paid":
                getattr(self, f"pay_{event['cause']}", self.pay_other)(event)
            self.ledger.book(event)
            getattr(self, f"on_{kind}", lambda _event: None)(event)
        self.faults += self.ledger.faults
        self.ledger.faults = []
        if self.dividend:
            self.dividends()
        self.faults += self.ledger.differences(after)
        if self.ledger.total != self.total:
            self.wrong(f"there are {self.ledger.total} Mark in the game, there were {self.total}")
        self._limits(action, after)
        self._take(after)

    def on_price(self, event):
        column, name, cause = event["space"][1], event["company"], event["cause"]
        before = self.spaces.get(name)
        self.spaces[name] = column
        self.counted += 1
        if cause in FALLS and column != max(1, before - 1):
            self.wrong(f"{name} goes from box {before} to {column} for {cause}")
        if cause == "dividend" and column != min(len(self.row), before + 1):
            self.wrong(f"{name} goes from box {before} to {column} for a dividend")

    def on_markers(self, event):
        for name, sign in ((event["source"], -1), (event["target"], 1)):
            if name not in ("supply", "removed"):
                held = self.markers.setdefault(name, [0] * 6)
                for stage in event["stages"]:
                    held[STAGES.index(stage)] += sign

    def on_engine(self, event):
        for name, sign in ((event["source"], -1), (event["target"], 1)):
            self.engines[name] = self.engines.get(name, 0) + sign

    def on_location(self, event):
        self.linked[str(event["mine"])] = event["value"] > 0

    def on_earned(self, event):
        """Active markers on boxes, and each engine the next highest of them once more (7.2, 9.3)."""
        name, held = event["works"], self.markers.get(event["works"], [0] * 6)
        pmc = self.sheet["own"]["pmcs"].get(name)
        boxes = pmc["boxes"] if pmc else self.sheet["companies"][name]["own"]["boxes"]
        signs = pmc["track_sign"] if pmc and not self.linked.get(name) else {}
        earned = []
        for stage, count in zip(STAGES, held, strict=True):
            lying = min(count, boxes.get(stage, 0) - signs.get(stage, 0))
            if stage not in TURNED[self.phase]:
                earned += [self.sheet["own"]["stages"][stage]["income"]] * lying
        earned.sort(reverse=True)
        wanted = sum(earned) + sum(earned[: self.engines.get(name, 0)])
        self.counted += 1
        if event["revenue"] != wanted:
            self.wrong(f"{name} earns {event['revenue']} with {held}, it should be {wanted}")

    def on_montan_settled(self, event):
        """Two certificates stay in the IPO of what was founded in phase 4, none of a later one (13.3.2)."""
        name = event["company"]
        lay = self.before["companies"][name]["certificates"]
        start = sum(paper["holder"] == IPO for paper in lay)
        if self.action["kind"] == "buy_share" and self.action["company"] == name and self.action["source"] == IPO:
            start -= 1
        early = self.before["extra"]["montan"][name]["phase"] == "4"
        left = sum(self.ledger.papers[name, number] == IPO for number in range(len(lay)))
        value = self.first_values[name]
        box = self.row.index(value)
        going = start - min(start, 2) if early else start
        after = self.row[max(0, box - going)]
        wanted = max(0, start - 2) * value + (0 if early else min(start, 2) * after)
        paid = sum(
            e["amount"] for e in self.events if e["event"] == "paid" and e["cause"] == "capital" and e["target"] == name
        )
        self.counted += 1
        if left != start - going or paid != wanted:
            self.wrong(f"{name} keeps {left} of {start} certificates in the IPO and gets {paid}, it should be {wanted}")

    def on_phase(self, event):
        self.phase = event["phase"]

    def on_debt(self, event):
        self.debts[event["company"]] = event["amount"]

    def on_station(self, event):
        del self.stations[event["station"]["company"]][event["token"]]

    def on_private(self, event):
        self.privates[event["private"]]["owner"] = event["seat"]

    def on_private_closed(self, event):
        self.privates[event["private"]]["open"] = False

    def on_status(self, event):
        self.status[event["company"]][event["status"]] = event["value"]

    def on_par(self, event):
        self.par[event["company"]] = event["par"]

    def on_pushed(self, event):
        frame = event["frame"]
        self.agenda.append(frame)
        if frame["type"] == "operating_round":
            owed = [(p["owner"], self.sheet["privates"][n]["revenue"]) for n, p in self.privates.items() if p["open"]]
            self.due_privates = sorted((o, r) for o, r in owed if o is not None and r)
        elif frame["type"] in ("montan_turn", "company_turn") and self.due_privates:
            self.wrong(f"privates are not paid: {self.due_privates}")
            self.due_privates = None

    def on_popped(self, _event):
        self.agenda.pop()

    def on_purged(self, event):
        del self.agenda[event["at"]]

    def on_turned(self, event):
        self.agenda[-1] = event["frame"]

    # Payments by cause

    def pay_other(self, event):
        self.counted += 1
        if event["cause"] not in (
            "set_up",
            "receivership",
            "debt",
            "bankrupt",
            "forced",
            "link",
            "closed",
            "phase",
            "merged",
        ):
            self.wrong(f"nobody knows a payment for {event['cause']}")
        if event["cause"] == "debt" and event["amount"] > self.debts[event["source"]]:
            self.wrong(f"{event['source']} repays more than it owes")

    def pay_package(self, event):
        item = self.action["item"]
        column = next(c for c in self.before["extra"]["columns"] if item in c)
        lying = [
            i for i in column if self.before["privates"][i]["owner"] is None and self.before["privates"][i]["open"]
        ]
        self.expect("package", event, self.sheet["privates"][item]["price"] + 5 * lying.index(item))

    def pay_start(self, event):
        self.expect("START", event, self.sheet["own"]["pmcs"][str(self.action["item"])]["start_money"])

    def pay_set_aside(self, event):
        self.expect("investors", event, 3 * self.action["value"])

    def pay_private(self, event):
        pair = (event["target"], event["amount"])
        self.counted += 1
        if pair in (self.due_privates or []):
            self.due_privates.remove(pair)
        else:
            self.wrong(f"a private pays {pair}")

    def pay_par(self, event):
        if self.action["kind"] == "found_montan":
            self.expect("director certificate of a MONTAN", event, self.action["value"])
            return
        self.expect("director certificate", event, 2 * self.action["par"])
        if event["target"] != BANK:
            self.wrong("a director certificate is paid to the bank")

    def pay_share(self, event):
        if self.action["kind"] != "buy_share":
            self.expect("certificate of the founder", event, self.price(event["target"]))
            return
        name = self.action["company"]
        self.expect("certificate", event, self.price(name) * self.action["percent"] // self.share(name))
        charter = self.status[name]["floated"] and not self.status[name]["receivership"]
        payee = name if self.action["source"] == IPO and charter else BANK
        if event["target"] != payee:
            self.wrong(f"a certificate of {name} is paid to {event['target']}, not {payee}")

    def pay_sale(self, event):
        name = self.action["company"]
        price = self.price(name)
        frame = self.before["agenda"][-1]
        if frame["type"] == "stock_round" and name in frame["blocks"]:
            price = frame["prices"][frame["blocks"].index(name)]
        self.expect("sale", event, price * self.action["percent"] // self.share(name))

    def pay_dividend(self, event):
        self.dividend.append(event)

    def dividends(self):
        """Each certificate its part of the income; the IPO's to the treasury, the pool's to nobody (10.6.2, 7.2)."""
        turn = self.before["agenda"][-1]
        name = turn.get("company") or turn["works"]
        paid = {}
        for event in self.dividend:
            paid[event["target"]] = paid.get(event["target"], 0) + event["amount"]
        wanted = {}
        for paper in self.before["companies"][name]["certificates"]:
            place = name if paper["holder"] == IPO else paper["holder"]
            if place != POOL:
                wanted[place] = wanted.get(place, 0) + turn["revenue"] * paper["percent"] // 100
        self.counted += 1
        if paid != {place: mark for place, mark in wanted.items() if mark}:
            self.wrong(f"{name} pays {paid}, it should be {wanted}")
        value = self.first_values[name]
        most = 2 if turn["type"] == "company_turn" else 1
        ups = sum(e["event"] == "price" and e["cause"] == "dividend" and e["company"] == name for e in self.events)
        start = self.before["markers"]["spaces"][name][1]
        if ups != min(most, turn["revenue"] // value) and start + ups <= len(self.row):
            self.wrong(f"{name} rises {ups} boxes for {turn['revenue']} at {value}")

    def pay_income(self, event):
        turn = self.before["agenda"][-1] if self.action["kind"] in ("pay_out", "withhold") else self.agenda[-1]
        revenue = turn["revenue"]
        half = revenue // 2 if isinstance(event["target"], int) else revenue - revenue // 2
        self.expect("income of a pMC", event, half if self.action["kind"] == "pay_out" else revenue)

    def pay_withhold(self, event):
        turn = next(f for f in reversed(self.agenda) if f["type"] in ("company_turn", "montan_turn"))
        before = next((f for f in reversed(self.before["agenda"]) if f["type"] == turn["type"]), turn)
        self.expect("kept income", event, {turn["revenue"], before["revenue"]})

    def pay_tile(self, event):
        self.expect("terrain", event, self.sheet["hexes"][self.action["hex"]]["cost"])

    def pay_station(self, event):
        self.expect("station", event, self.stations[event["source"]][0])

    def pay_railway_link(self, event):
        self.expect("link", event, 30)

    def pay_train(self, event):
        if event["target"] == BANK:
            self.expect("train", event, {train["price"] for train in self.sheet["trains"].values()})
        follows = self._next("train")
        if follows and event["target"] == BANK:
            self.expect("train", event, self.sheet["trains"][follows["train"]]["price"])

    def pay_development(self, event):
        card = self._next("train")
        self.expect("development", event, self.sheet["trains"][card["train"]]["own"]["development"]["price"])

    def pay_engine(self, event):
        card = self._next("train")
        printed = self.sheet["trains"][card["train"]]["own"]["engine"]["price"]
        if event["target"] == BANK:
            self.expect("engine", event, printed)
        elif not 10 <= event["amount"] <= printed * 3 // 2:
            self.wrong(f"{event['amount']} Mark for a second-hand engine of {printed}")

    def pay_deal(self, event):
        name = event["target"] if event["source"] == BANK else event["source"]
        paper = self._next("certificate")
        size = self.position["companies"][name]["certificates"][paper["number"]]["percent"]
        self.expect("own certificate", event, self.price(name) * size // self.share(name))

    def pay_levy(self, event):
        playing = sum(not player["bankrupt"] for player in self.before["players"])
        part = 600 // playing
        if event["amount"] > part or (event["amount"] < part and self.ledger.money[event["source"]] != event["amount"]):
            self.wrong(f"a levy of {event['amount']} of {part}")

    def pay_capital(self, event):
        """What floating brings (13.3): what was sold, or ten times the starting value; MONTAN certificates at their value."""
        name = event["target"]
        held = self.ledger.papers
        company = self.sheet["companies"][name]
        left = sum(p for n, p in enumerate(company["certificates"]) if held[name, n] == IPO)
        if not company["homes"]:
            self.expect("MONTAN certificates", event, {self.price(name) * n for n in range(1, 6)})
            return
        late = self.phase in ("5", "6", "8")
        investors = company["pool_percent"] if self.privates[19]["owner"] is not None else 0
        sold = 100 if late else 100 - left - (investors if name == "BME" else 0)
        self.expect("capital", event, sold // 10 * self.par[name])

    def _next(self, kind):
        """The next event of a kind in this decision."""
        return next((e for e in self.events[self.number :] if e["event"] == kind), None)

    # Limits and directors

    def _limits(self, action, after):
        top = after["agenda"][-1]["type"] if after["agenda"] else ""
        for name, company in after["companies"].items():
            self._director(name, company, after)
            if top != "too_many_trains" and len(company["trains"]) > TRAIN_LIMIT[after["phase"]]:
                self.wrong(f"{name} owns {company['trains']} in phase {after['phase']}")
        if action["kind"] in ("buy_item", "buy_share", "found", "found_montan") and self._more(action, after):
            held, most = papers_held(after, self.seat), LIMITS[len(after["players"])]
            if held > most:
                self.wrong(f"seat {self.seat} holds {held} of {most} papers after {action['kind']}")
        if action["kind"] in ("sell_shares", "share_deal"):
            name = action.get("company") or self._acting()
            over = percent(after, name, POOL) > 50 and percent(self.before, name, POOL) < percent(after, name, POOL)
            if over and not self._new_in_pool(after) and self.options["deal_pool_limit"]:
                self.wrong(f"{percent(after, name, POOL)} % of {name} lie in the pool")

    def _more(self, action, after):
        return papers_held(after, self.seat) > papers_held(self.before, self.seat)

    def _new_in_pool(self, after):
        return any(e["event"] in ("bankrupt", "montan_settled") for e in self.events)

    def _acting(self):
        frame = self.before["agenda"][-1]
        return frame.get("company") or frame["works"]

    def _director(self, name, company, after):
        """The holder of the director certificate holds as much as any other, but under Private BME (5.3, 4.1.1)."""
        chief = next(p["holder"] for p in company["certificates"] if p["director"])
        director = company["director"]
        if director is not None and chief != director:
            self.wrong(f"seat {director} directs {name}, the certificate lies with {chief}")
        if director is None and isinstance(chief, int):
            self.wrong(f"seat {chief} holds the director certificate of {name} and does not direct it")
        held = holdings(after, name)
        kept = name == "BME" and after["privates"][19]["open"]
        if director is not None and max(held.values()) > held[director] and not kept:
            self.wrong(f"seat {director} directs {name} with {held[director]} % of {held}")
