"""18DO judged from its draft rulebook: what a brewery may do in its turn, markers and special events (5.6.2, 8).

Plain and slow; it knows a sheet, a position, options and actions as plain values and imports nothing of the product. Every
judge answers an empty text where an action is legal, else a word for what is wrong.
"""

from __future__ import annotations

from tests.judges.board import routes
from tests.judges.do_beer import REGULAR
from tests.judges.do_track import DoTrack
from tests.judges.do_trade import CHARTER, COLOURS, IPO, DoTrade, among
from tests.judges.ledger import POOL, percent

IN_TURN = "GIKMNO"  # events that are used by themselves in a brewery's turn
NOTHING = {"bec": 0, "segment": 0, "customers": 0, "count": 0, "sizes": (), "other": 0}
READS = {
    "G": (),
    "H": ("bec",),
    "I": ("bec",),
    "K": ("segment", "customers"),
    "L": (),
    "M": ("sizes",),
    "N": ("bec", "count", "other"),
    "O": ("bec",),
}
ROUTES = 60_000  # ways looked at for a route with beer


class DoBrewing(DoTrade):
    """One position of 18DO and the seat whose rights are asked."""

    # What there is

    def charter(self, company):
        return self.extra.get("charters", {}).get(company, {"becs": [], "markers": [], "event": ""})

    def becs(self, company=""):
        """The equipment of a brewery, of the one in turn without a name, by number."""
        return {bec["number"]: bec for bec in self.charter(company or self.top.get("brewery", ""))["becs"]}

    def step(self, name):
        """Whether a brewery's turn is in a step."""
        return self.top["type"] == "brewery_turn" and self.top["step"] == name

    def squares(self, kind):
        """The squares of equipment; type 1 comes with the minors alone."""
        known = self.sheet["trains"]
        return known[kind]["own"]["capacity"] if kind in known else self.own["starting_equipment"][kind]["capacity"]

    def arrows(self, kind):
        return self.sheet["trains"][kind]["own"]["arrows"] if kind in self.sheet["trains"] else 0

    def used(self, number):
        return next((u for u in self.top["used"] if u["bec"] == number), {"dortmund": 0, "export": 0})

    def unused(self, bec):
        """The squares of equipment that are free; one bears an advertised cube."""
        use, kept = self.used(bec["number"]), self.extra["advertised"]
        aside = kept is not None and kept["bec"] == bec["number"]
        return self.squares(bec["kind"]) - use["dortmund"] - use["export"] - aside

    def set_aside(self, number):
        return f"aside:{number}" in self.top["done"]

    def segment(self, number):
        return self.extra["segments"][number]

    def income_of(self, number, customers):
        return self.own["segments"][str(number)]["regular" if customers == REGULAR else "new"]

    def cubes_left(self):
        """Cubes in Stock and in the demand fields; those of the price box are not for export (2.3)."""
        return self.extra["stock"] + sum(sum(field["demand"]) for field in self.extra["segments"].values())

    # Disposal and deliveries (5.6.2.1.1, 5.6.2.1.2)

    def dispose(self, number):
        """One piece before anything is loaded or delivered."""
        if not self.step("start") or self.top["used"]:
            return "step"
        return "one" if "dispose" in self.top["done"] else "" if number in self.becs() else "none"

    def deliver(self):
        return "" if self.step("start") else "step"

    def load(self, company, kind, cubes, number, count, *, wagon=False, contract=False):
        """Cubes on a train of type 5, 6 or 8 by squares with a red arrow, by a beer wagon without (8.1.3)."""
        if not self.step("start") or not self.begun("5"):
            return "step"
        bec = self.becs().get(number)
        if bec is None or self.set_aside(number) or count < 1:
            return "no equipment"
        if count > (self._by_wagon(bec) if wagon else self._by_arrow(bec)):
            return "squares"
        if self.is_minor(company) or not self.is_railway(company) or not self._train_there(company, kind, cubes):
            return "no such train"
        if count > self._room(company, kind, cubes):
            return "full"
        brewery = self.top["brewery"]
        if contract and f"contract:{company}" not in self.top["done"] and self.charter(brewery)["event"] != "P":
            return "no contract"
        if not contract and f"refused:{company}:{kind}:{cubes}:{count}" in self.top["done"]:
            return "refused before"
        if count > self.cubes_left():
            return "no cubes"
        return "" if self.beer_route(company, kind) else "no route"

    def _wagon_used(self, number):
        return self.top["done"].count(f"wagon:{number}")

    def _by_arrow(self, bec):
        exported = self.used(bec["number"])["export"] - self._wagon_used(bec["number"])
        return min(self.arrows(bec["kind"]) - exported, self.unused(bec))

    def _by_wagon(self, bec):
        wagons = sum(marker["code"] == "C" for marker in self.charter(self.top["brewery"])["markers"])
        taken = sum(note.startswith("wagon:") for note in self.top["done"])
        plain = self.squares(bec["kind"]) - self.arrows(bec["kind"]) - self._wagon_used(bec["number"])
        return min(wagons - taken, plain, self.unused(bec))

    def _loads(self, company):
        return [(load["train"], load["cubes"]) for load in self.extra.get("loads", {}).get(company, ())]

    def _train_there(self, company, kind, cubes):
        loads = self._loads(company)
        if cubes:
            return (kind, cubes) in loads
        return self.companies[company]["trains"].count(kind) > sum(train == kind for train, _ in loads)

    def _blue(self, kind):
        """The blue squares of a train."""
        return self.sheet["trains"][kind]["own"]["wagons"]

    def _room(self, company, kind, cubes):
        if not self._blue(kind):
            return 0
        others = self._loads(company)
        if (kind, cubes) in others:
            others.remove((kind, cubes))
        wagon = any(marker["code"] == "C" for marker in self.charter(company)["markers"])
        spare = wagon and all(count <= self._blue(train) for train, count in others)
        return self._blue(kind) + spare - cubes

    def beer_route(self, company, kind):
        """Whether a train has a way from a station of its railway through the City to a red destination by itself."""
        track = DoTrack(self.sheet, self.position)
        own = set(track.board.stations(company))
        every = routes(
            track.board, track.may_pass(company), lambda s: track.too_long(kind, s), track.board.stops(), ROUTES
        )
        for stops, _, _ in every:
            hexes = {at for at, _ in stops}
            red = any(track.board.stop(stop)["kind"] == "offboard" for stop in stops)
            if "E13" in hexes and red and own & set(stops) and not track._only_red(list(stops)):
                return True
        return False

    # Equipment (5.6.2.3)

    def limit_of(self, brewery):
        own = self.phase_rules()["own"]
        return own["bec_limit_minor"] if self.is_minor(brewery) else own.get("bec_limit_corporation", 0)

    def for_it(self, brewery, kind):
        """No types 6 and 8 for minors."""
        return not (self.is_minor(brewery) and kind in ("6", "8"))

    def one_more(self, kind):
        """Whether another card may be bought in the turn: two of type 2 in its phase, else one; a marker counts as one."""
        made = self.top["bought"] + self.top["markers"]
        return not made or (kind == "2" and made < self.phase_rules()["own"].get("capex_purchases", 1))

    def buy_bec(self, kind, *, helped=False, deal_in=0, upgrade=0):
        """A card of the display; the owner of a minor adds up to half; the events I and J make room."""
        if not self.step("buy"):
            return "step"
        brewery, becs = self.top["brewery"], self.becs()
        if kind not in self.on_display() or not self.for_it(brewery, kind):
            return "card"
        leaves = deal_in or upgrade
        if leaves:
            letter = "I" if deal_in else "J"
            if (deal_in and upgrade) or self.charter(brewery)["event"] != letter or leaves not in becs:
                return "event"
            delivered = bool(self.used(leaves)["dortmund"] or self.used(leaves)["export"])
            if delivered != bool(upgrade):
                return "delivered or not"
        if not self.one_more(kind):
            return "bought already"
        if len(becs) - bool(leaves) >= self.limit_of(brewery):
            return "limit"
        price = self.cost(kind) - (20 * int(becs[deal_in]["kind"]) if deal_in else 0)
        lacking = max(0, price) - self.treasury(brewery)
        if not helped:
            return "money" if lacking > 0 else ""
        if not self.is_minor(brewery) or lacking <= 0 or 2 * lacking > price:
            return "help"
        return "money" if lacking > self.cash else ""

    def must_get_bec(self):
        """Whether the brewery in turn may not end without equipment (5.6.2.3.1, 5.6.2.3.2)."""
        if not self.step("buy") or self.becs():
            return False
        brewery = self.top["brewery"]
        kinds = [kind for kind in self.on_display() if self.for_it(brewery, kind) and self.one_more(kind)]
        return any(not self.is_minor(brewery) or self.cost(kind) <= self.treasury(brewery) for kind in kinds)

    def leave_brewery(self):
        """The end of the turn, or going on without an income."""
        if self.step("income"):
            return "income" if self.top["income"] else ""
        if self.top["step"] not in ("buy", "after"):
            return "step"
        return "must get" if self.must_get_bec() else ""

    def discard_bec(self, brewery, number):
        """A piece above the limit, of the brewery that is asked."""
        if self.top["type"] != "too_many_becs" or brewery != self.top["breweries"][0]:
            return "time"
        return "" if number in self.becs(brewery) else "none"

    # Markers (8.1)

    def buy_marker(self, code, source, price, back):
        """A pub, bottling line or beer wagon of the display, or of another company for half to one and a half of its price."""
        buyer = self._marker_buyer()
        if not buyer or not self.extra.get("markers"):
            return "time"
        printed = self.own["markers"].get(code)
        if printed is None or (self._rails(buyer) and printed["does"] != "beer_wagon"):
            return "no such marker"
        wrong = self._marker_of(buyer, code, source, price, printed)
        if wrong:
            return wrong
        held = [marker["code"] for marker in self.charter(buyer)["markers"]]
        places = 1 if self._rails(buyer) or self.is_minor(buyer) else 2
        if (len(held) >= places) != bool(back) or (back and back not in held):
            return "places"
        first = self.top["type"] == "first_markers"
        if price > (self.cash if first else self.treasury(buyer)):
            return "money"
        notes = self.top.get("done", ()) if self.top["type"] == "brewery_turn" else self.top.get("used", ())
        return "declined" if f"declined:{source}:{code}:{price}" in notes else ""

    def _rails(self, company):
        return not self.is_minor(company) and self.is_railway(company)

    def _marker_buyer(self):
        """The company that may buy a marker now."""
        top = self.top
        if top["type"] == "first_markers":
            return top["minors"][0]
        if self.step("buy"):
            beside = 1 if self.phase == "2" else 0  # beside one piece of equipment in the yellow phase
            return "" if top["markers"] or top["bought"] > beside or self.must_get_bec() else top["brewery"]
        if top["type"] == "company_turn" and top["step"] == "trains":
            owned = self.companies[top["company"]]["trains"]
            return top["company"] if owned and not top["bought"] and "wagon" not in top["used"] else ""
        return ""

    def _marker_of(self, buyer, code, source, price, printed):
        if source == "display":
            if not self.extra["markers"].get(code) or price != printed["price"]:
                return "not on display"
            shown = COLOURS.index(self.phase_rules()["tiles"][-1])
            return "" if COLOURS.index(printed["phase"]) <= shown else "phase"
        if self.top["type"] == "first_markers" or source == buyer or (self._rails(buyer) and self._rails_name(source)):
            return "seller"
        known = source in self.companies or source in self.own["minors"]
        if not known or self.owner(source) is None:
            return "seller"
        if code not in [marker["code"] for marker in self.charter(source)["markers"]]:
            return "not there"
        if code == "C" and any(count > self._blue(train) for train, count in self._loads(source)):
            return "loaded"
        low, high = -(-printed["price"] // 2), printed["price"] * 3 // 2
        return "" if low <= price <= high else "price"

    def _rails_name(self, company):
        return company in self.companies and self.is_railway(company)

    def align(self, code, source, target):
        """A bottling line moves to another piece at the beginning of the turn."""
        if not self.step("start") or self.top["used"] or "dispose" in self.top["done"]:
            return "step"
        held = [(marker["code"], marker["bec"]) for marker in self.charter(self.top["brewery"])["markers"]]
        if self.own["markers"].get(code, {"does": ""})["does"] != "bottling_line" or (code, source) not in held:
            return "no line"
        return "" if target != source and target in self.becs() else "no equipment"

    def discard_marker(self, brewery, code):
        """One of two events after a trade-in, or a marker above the places."""
        if self.top["type"] != "too_many_markers" or brewery != self.top["brewery"]:
            return "time"
        held = [marker["code"] for marker in self.charter(brewery)["markers"]]
        return "" if code in self.top["events"] or (len(held) > 2 and code in held) else "none"

    # Special events (8.2)

    def take_event(self, letter):
        """One from the display after the purchases, from the colour of its phase on."""
        if not self.step("buy") or letter not in self.extra.get("events", ()):
            return "time"
        shown = COLOURS.index(self.phase_rules()["tiles"][-1])
        if COLOURS.index(self.own["events"][letter]["phase"]) > shown:
            return "phase"
        return "must get" if self.must_get_bec() else ""

    def use_event(self, action):
        """The own event, with what its letter asks and nothing else; `action` is one of use as plain values."""
        letter, top = action["letter"], self.top
        said = {name for name, empty in NOTHING.items() if tuple_of(action[name]) != empty}
        if top["type"] in ("advertise", "marketing"):
            if letter != ("H" if top["type"] == "advertise" else "L") or said - set(READS[letter]):
                return "event"
            return self._advertised(action["bec"]) if letter == "H" else ""
        if top["type"] != "brewery_turn" or letter not in IN_TURN or self.charter(top["brewery"])["event"] != letter:
            return "event"
        if said - set(READS[letter]):
            return "said too much"
        return getattr(self, f"event_{letter}")(action)

    def _advertised(self, number):
        bec = self.becs().get(number)
        if bec is None:
            return "no equipment"
        below = range(1, min(int(bec["kind"]), 6) + 1)
        return "" if any(sum(self.segment(n)["demand"]) for n in below) else "no cube"

    def event_G(self, _action):
        return ""

    def event_I(self, action):
        """At the beginning a piece is turned aside that has not been used."""
        bec, kept = action["bec"], self.extra["advertised"]
        if not self.step("start") or any(note.startswith("aside:") for note in self.top["done"]):
            return "step"
        if bec not in self.becs() or self.used(bec)["export"] or (kept is not None and kept["bec"] == bec):
            return "equipment"
        return ""

    def event_K(self, action):
        """A cube delivered in this turn earns what the next higher open segment pays."""
        if not self.step("income") or f"{action['segment']}:{action['customers']}" not in self.top["delivered"]:
            return "cube"
        above = range(action["segment"] + 1, 7)
        return "" if any(not self.segment(n)["closed"] for n in above) else "no higher segment"

    def event_M(self, action):
        """One or two certificates of the company stock, in place of the deal of the turn."""
        brewery, sizes = self.top["brewery"], tuple_of(action["sizes"])
        if self.is_minor(brewery) or not 1 <= len(sizes) <= 2 or "deal" in self.top["done"]:
            return "no deal"
        stock = self.papers(brewery, CHARTER) + self.papers(brewery, IPO)
        if list(sizes) != sorted(sizes, reverse=True) or not among(sizes, stock):
            return "papers"
        return "pool" if percent(self.position, brewery, POOL) + sum(sizes) > 50 else ""

    def event_N(self, action):
        """One or two squares that are left unused, of any equipment of the brewery."""
        number, other, count = action["bec"], action["other"], action["count"]
        if not self.step("income") or count not in (1, 2) or (other and (count != 2 or other <= number)):
            return "squares"
        wanted = {number: 1, other: 1} if other else {number: count}
        becs = self.becs()
        for each, squares in wanted.items():
            if each not in becs or each not in self.top["becs"] or squares > self.unused(becs[each]):
                return "squares"
        return ""

    def event_O(self, action):
        """One cube more for half the income: the segment of the piece is open, and a cube is there."""
        bec = self.becs().get(action["bec"])
        if (
            not self.step("income")
            or bec is None
            or bec["number"] not in self.top["becs"]
            or self.set_aside(bec["number"])
        ):
            return "equipment"
        if self.segment(min(int(bec["kind"]), 6))["closed"]:
            return "closed"
        return "" if self.cubes_left() else "no cubes"


def tuple_of(value):
    """Lists as tuples."""
    return tuple(value) if isinstance(value, list) else value
