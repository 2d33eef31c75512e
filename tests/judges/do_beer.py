"""The beer of 18DO followed by hand: deliveries, loading, clearing, idle equipment, the brewery order, incomes of breweries.

Written from the draft rulebook, sections 5.6.1.3.3, 5.6.2 and 8. It imports nothing of the product: it opens its own account
of cubes and equipment with a position, books events, works out what each step must give, and says where the game differs.
"""

from __future__ import annotations

from copy import deepcopy

from tests.judges.do_account import Account, lists

REGULAR, NEW = 0, 1
SEGMENTS = ("1", "2", "3", "4", "5", "6")


def strongest(becs):
    """Equipment in the order of delivery: the highest type first, of equals the one that was there first."""
    return sorted(becs, key=lambda bec: (-int(bec["kind"]), bec["number"]))


class Beer(Account):
    """The account of one game. `faults` lists what the rulebook would have otherwise, in plain words."""

    def __init__(self, sheet, position):
        super().__init__(sheet, position)
        position = lists(position)
        extra = position["extra"]
        self.market = deepcopy(extra["segments"])
        self.stock, self.price_box = extra["stock"], extra["price_box"]
        self.trains = {company: [dict(load) for load in loads] for company, loads in extra["loads"].items()}
        self.aside = deepcopy(extra["advertised"])
        self.charters = deepcopy(extra["charters"])
        self.order = [slot["brewery"] for slot in extra["order"] if not slot["kept_for"]]
        self.handed_out = extra["handed_out"]
        self.before_delivery = None
        self.before_clearing = None
        self.idle_at_start = {}

    # Components -----------------------------------------------------------------------------------------------------------

    def income(self, segment, customers):
        printed = self.sheet["own"]["segments"][segment]
        return printed["regular" if customers == REGULAR else "new"]

    def capacity(self, kind):
        """Squares of equipment: type 1 and the green type 2 of the start are listed apart."""
        if kind in self.sheet["trains"]:
            return self.sheet["trains"][kind]["own"]["capacity"]
        return self.sheet["own"]["starting_equipment"][kind]["capacity"]

    def cubes(self):
        """Every cube of the game."""
        fields = sum(sum(s["demand"]) + sum(s["supply"]) for s in self.market.values())
        loaded = sum(load["cubes"] for loads in self.trains.values() for load in loads)
        return fields + self.stock + self.price_box + loaded + (self.aside is not None)

    # Deliveries (5.6.2.1.2) -------------------------------------------------------------------------------------------------

    def deliver(self, market, turn, aside):
        """The market after a brewery has delivered, what it earned in Dortmund, and what was delivered in order."""
        market, earned, delivered = deepcopy(market), 0, []
        brewery = turn["brewery"]
        held = self.charters.get(brewery, {"becs": [], "markers": []})
        used = {entry["bec"]: entry["dortmund"] + entry["export"] for entry in turn["used"]}
        turned_aside = {int(name.split(":")[1]) for name in turn["done"] if name.startswith("aside:")}

        def paid(segment, customers, number):
            lines = [m for m in held["markers"] if number and m["bec"] == number]
            return self.income(segment, customers) + sum(
                self.sheet["own"]["markers"][m["code"]]["revenue"] for m in lines
            )

        if aside is not None and aside["brewery"] == brewery:
            segment, customers = str(aside["segment"]), aside["customers"]
            owned = any(bec["number"] == aside["bec"] for bec in held["becs"])
            if owned and not market[segment]["closed"]:
                market[segment]["supply"][customers] += 1
                earned += paid(segment, customers, aside["bec"])
                delivered.append(f"{segment}:{customers}")
        for bec in strongest(held["becs"]):
            left = self.capacity(bec["kind"]) - used.get(bec["number"], 0)
            if aside is not None and aside["bec"] == bec["number"]:
                left -= 1
            if bec["number"] in turned_aside:
                continue
            for segment in reversed(SEGMENTS[: min(int(bec["kind"]), 6)]):
                for customers in (REGULAR, NEW):
                    while left > 0 and market[segment]["demand"][customers]:
                        market[segment]["demand"][customers] -= 1
                        market[segment]["supply"][customers] += 1
                        earned += paid(segment, customers, bec["number"])
                        delivered.append(f"{segment}:{customers}")
                        left -= 1
        return market, earned, delivered

    # Clearing (5.6.2.5) -----------------------------------------------------------------------------------------------------

    def cleared(self, market, stock):
        """The market and Stock as the five steps of the clearing leave them."""
        market = deepcopy(market)
        for segment in SEGMENTS:
            field = market[segment]
            stock += sum(field["demand"])
            field["demand"] = [sum(field["supply"]), 0]
            field["supply"] = [0, 0]
        with_regular = [s for s in SEGMENTS if market[s]["demand"][REGULAR]]
        if with_regular:
            for segment in SEGMENTS[: SEGMENTS.index(with_regular[0])]:
                market[segment]["closed"] = True
        for segment in reversed(SEGMENTS):
            if market[segment]["closed"]:
                continue
            while market[segment]["demand"][NEW] < self.sheet["own"]["segments"][segment]["printed"]:
                if stock:
                    stock -= 1
                else:
                    lower = [s for s in SEGMENTS if sum(market[s]["demand"])]
                    if not lower or lower[0] >= segment:
                        break
                    field = market[lower[0]]["demand"]
                    field[REGULAR if field[REGULAR] else NEW] -= 1
                market[segment]["demand"][NEW] += 1
        return market, stock

    # The order (5.6.2.4) ----------------------------------------------------------------------------------------------------

    def new_order(self):
        def rank(brewery):
            kinds = sorted((int(bec["kind"]) for bec in self.charters.get(brewery, {"becs": []})["becs"]), reverse=True)
            return [-kind for kind in ([*kinds, 0, 0])[:2]]

        return sorted(self.order, key=rank)

    # Where missing cubes come from (5.6.1.3.3, 5.6.2.1.2.2) -----------------------------------------------------------------

    def next_source(self):
        """Stock while it has any, then the demand field with the lowest price, of equal ones in the lower segment."""
        if self.stock:
            return "stock"
        fields = [(self.income(s, c), s, c) for s in SEGMENTS for c in (REGULAR, NEW) if self.market[s]["demand"][c]]
        return "demand:{1}:{2}".format(*min(fields)) if fields else ""

    # Booking ----------------------------------------------------------------------------------------------------------------

    def on_beer(self, event):
        cause, source, target = event["cause"], event["source"], event["target"]
        if cause in ("delivered", "advertised") and self.before_delivery is None and source != "stock":
            self.before_delivery = (deepcopy(self.market), deepcopy(self.aside))
        if cause == "clearing" and self.before_clearing is None:
            self.before_clearing = (deepcopy(self.market), self.stock)
        if cause in ("loaded", "link", "shift"):
            self._drawn(cause, source, target, event["count"])
            return
        self._move(source, -event["count"])
        self._move(target, event["count"])

    def _drawn(self, cause, source, target, count):
        """Cubes for a train or a demand field. What lies in that field already stays there, and another gives the cube."""
        for n in range(count):
            expected = self.next_source()
            if expected not in (source, target):
                self.faults.append(f"{cause}: a cube from {source}, not from {expected}")
            self._move(source, -1)
            self._move(target if n == 0 else self._grown(target, n), 1)
        self.seen[cause] = self.seen.get(cause, 0) + 1

    @staticmethod
    def _grown(target, more):
        if not target.startswith("train:"):
            return target
        head, _, cubes = target.rpartition(":")
        return f"{head}:{int(cubes) + more}"

    def _move(self, place, count):
        if place == "stock":
            self.stock += count
        elif place == "price_box":
            self.price_box += count
        elif place == "aside":
            self.aside = None
        elif place.startswith("train:"):
            _, company, train, bears = place.split(":")
            loads = self.trains.setdefault(company, [])
            if int(bears):
                loads.remove({"train": train, "cubes": int(bears)})
            if int(bears) + count:
                loads.append({"train": train, "cubes": int(bears) + count})
            if not loads:
                del self.trains[company]
        else:
            kind, segment, customers = place.split(":")
            self.market[segment][kind][int(customers)] += count
            if self.market[segment][kind][int(customers)] < 0:
                self.faults.append(f"{place} holds {self.market[segment][kind]}")

    def on_advertised(self, event):
        cube = event["cube"]
        self._move(f"demand:{cube['segment']}:{cube['customers']}", -1)
        self.aside = cube

    def on_segment(self, event):
        if event["cause"] == "clearing" and self.before_clearing is None:
            self.before_clearing = (deepcopy(self.market), self.stock)
        self.market[str(event["segment"])]["closed"] = event["closed"]

    def on_brewery_order(self, event):
        mine = self.new_order()
        if event["cause"] == "equipment":
            self.says("order", mine, [slot["brewery"] for slot in event["order"] if not slot["kept_for"]])
        self.order = [slot["brewery"] for slot in event["order"] if not slot["kept_for"]]

    def _charter(self, brewery):
        return self.charters.setdefault(brewery, {"becs": [], "markers": [], "event": ""})

    def on_equipment_taken(self, event):
        self.handed_out += 1
        self._charter(event["brewery"])["becs"].append(
            {"number": self.handed_out, "kind": event["kind"], "idle": False}
        )

    def on_becs_moved(self, event):
        held = self._charter(event["source"])
        moved = [bec for bec in held["becs"] if bec["number"] in event["numbers"]]
        held["becs"] = [bec for bec in held["becs"] if bec not in moved]
        if event["target"] != "removed":
            self._charter(event["target"])["becs"] += moved
        for bec in moved:
            if event["cause"] == "no_demand":
                segment = bec["kind"]
                empty = segment in self.market and not sum(self.market[segment]["demand"])
                self.says("gone for want of demand", True, empty)
            elif event["cause"] == "idle":
                turn = self.agenda[-1]
                self.says(
                    "gone idle", (True, False), (self.idle_at_start.get(bec["number"], False), self._used(turn, bec))
                )

    @staticmethod
    def _used(turn, bec):
        return any(use["bec"] == bec["number"] and use["dortmund"] + use["export"] for use in turn["used"])

    def on_bec_turned(self, event):
        for bec in self._charter(event["brewery"])["becs"]:
            if bec["number"] == event["number"]:
                bec["idle"] = event["idle"]

    def on_mcm(self, event):
        for place, count in ((event["source"], -1), (event["target"], 1)):
            if place not in ("display", "removed"):
                markers = self._charter(place)["markers"]
                if count < 0:
                    markers.remove({"code": event["code"], "bec": event["bec"]})
                else:
                    markers.append({"code": event["code"], "bec": 0})

    def on_mcm_aligned(self, event):
        markers = self._charter(event["brewery"])["markers"]
        markers.remove({"code": event["code"], "bec": event["source"]})
        markers.append({"code": event["code"], "bec": event["target"]})

    # The agenda -------------------------------------------------------------------------------------------------------------

    def pushed(self, frame):
        if frame["type"] == "brewery_turn":
            becs = self._charter(frame["brewery"])["becs"]
            self.idle_at_start = {bec["number"]: bec["idle"] for bec in becs}
            self.before_delivery = None

    def popped(self, frame):
        if frame["type"] == "brewery_turn":
            self._turn_over(frame)
        if frame["type"] == "brewery_round":
            market, stock = self.before_clearing or (deepcopy(self.market), self.stock)
            self.says("clearing", self.cleared(market, stock), (self.market, self.stock))
            self.before_clearing = None

    def _turn_over(self, turn):
        for bec in self._charter(turn["brewery"])["becs"]:
            if bec["number"] in turn["becs"] and turn["step"] in ("buy", "after"):
                self.says("turned", not self._used(turn, bec), bec["idle"])

    def turned(self, before, after, _skipped):
        if after["type"] == "brewery_round" and after["stage"] == "opened":
            self.due = [
                bec["number"]
                for held in self.charters.values()
                for bec in held["becs"]
                if bec["kind"] in self.market and not sum(self.market[bec["kind"]]["demand"])
            ]
        if after["type"] == "brewery_round" and after["stage"] in ("turns", "ordered"):
            owned = [bec["number"] for held in self.charters.values() for bec in held["becs"]]
            self.says(
                "without demand still there", [], [number for number in getattr(self, "due", ()) if number in owned]
            )
            self.due = []
        if after["type"] == "brewery_turn" and (before["step"], after["step"]) == ("start", "income"):
            market, aside = self.before_delivery or (self.market, self.aside)
            market, earned, delivered = self.deliver(market, before, aside)
            self.says("delivery", market, self.market)
            self.says("earned in Dortmund", earned, after["income"] - before["income"])
            self.says("delivered", delivered, after["delivered"])
            self.before_delivery = None
        elif after["type"] == "brewery_turn" and before.get("step") == after["step"] == "start":
            more = sum(u["export"] for u in after["used"]) - sum(u["export"] for u in before["used"])
            self.says(
                "earned by export", more * self.sheet["own"]["export"]["income"], after["income"] - before["income"]
            )

    # At rest ----------------------------------------------------------------------------------------------------------------

    def compare(self, position):
        """The account against a position between two decisions."""
        position = lists(position)
        extra = position["extra"]
        self.says("market", self.market, extra["segments"])
        self.says("stock", [self.stock, self.price_box], [extra["stock"], extra["price_box"]])
        self.says("cubes", self.sheet["own"]["cubes"][str(len(position["players"]))]["total"], self.cubes())
        mine = {name: sorted(map(str, loads)) for name, loads in self.trains.items() if loads}
        self.says("loads", mine, {name: sorted(map(str, loads)) for name, loads in extra["loads"].items()})
        becs = {
            name: sorted(held["becs"], key=lambda bec: bec["number"])
            for name, held in self.charters.items()
            if held["becs"]
        }
        self.says("equipment", becs, {name: held["becs"] for name, held in extra["charters"].items() if held["becs"]})
