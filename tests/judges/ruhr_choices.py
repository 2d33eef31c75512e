"""18Ruhr judged from its rulebook: income, engines of second hand, links of Montan companies, offers, limits, leaving.

Sections 4.1, 5, 7.2, 7.3, 9.2, 9.3, 10.6, 10.8, 12.2 and 14. Plain and slow; it imports nothing of the product. Every judge
answers an empty text where an action is legal, else a word for what is wrong.
"""

from __future__ import annotations

from itertools import combinations

from tests.judges.ruhr_forced import RuhrForced
from tests.judges.ruhr_track import RuhrTrack

OFFERS = ("train_offer", "train_ask", "engine_offer")
TURNS = ("company_turn", "montan_turn")
PASSABLE = ("track", "station", "link", "deal", "trains")
ROUNDS = ("package", "foundation", "merging")


class RuhrChoices(RuhrForced):
    """One position of 18Ruhr and a seat that acts in it."""

    # Income (7.2, 10.6.2)

    def pay(self, *, out):
        """Paying out or keeping, where there is an income; nothing is paid while a loan stands (10.9 c)."""
        if self.top["type"] not in TURNS or self.top["step"] != (
            "pay" if self.top["type"] == "company_turn" else "income"
        ):
            return "time"
        return "loan" if out and not self.name.isdecimal() and self.company["debt"] else ""

    # Leaving a step or a turn

    def leave(self, kind):
        """A pass, or the end of a turn in which something was sold."""
        top, step = self.top["type"], self.top.get("step")
        if top == "stock_round":
            if (kind == "end_turn") != bool(self.top["blocks"]):
                return "the other word"
            return "must sell" if self.must_sell() else ""
        if kind != "pass":
            return "time"
        if top == "company_turn":
            return "step" if step not in PASSABLE else self.leave_trains() if step == "trains" else ""
        if top == "montan_turn":
            return (
                "step" if step not in ("deal", "activity") else "need" if step == "activity" and self.in_need() else ""
            )
        return "" if top in ROUNDS else "time"

    # Offers (10.8.1, 9.3)

    def answer(self):
        """The director of the railway that is asked says yes or no."""
        return "" if self.top["type"] in OFFERS else "time"

    # Engines (9.3)

    def engine_from(self, company, kind, price, scrap):
        """A railway's train as an engine: 10 Mark at least, one and a half times the grey box at most."""
        if self._no_activity():
            return "time"
        seller = self.position["companies"].get(company)
        if seller is None or kind not in seller["trains"] or seller["director"] is None:
            return "not there"
        if self.in_need() or not self.linked(self.name):
            return "need or link"
        grey = self.sheet["trains"][kind]["own"]["engine"]
        wrong = self.no_place(grey["type"], scrap)
        if wrong:
            return wrong
        if not 10 <= price <= grey["price"] * 3 // 2:
            return "price"
        if f"declined:{company}:{kind}:{price}" in self.top["used"]:
            return "declined"
        return "money" if price > self.works()[4] else ""

    def _no_activity(self):
        return self.top["type"] != "montan_turn" or self.top["step"] != "activity" or "activity" in self.top["used"]

    def scrap(self, engine):
        """An own engine, at any time of the company's turn."""
        return "" if self.top["type"] == "montan_turn" and engine in self.works()[3] else "time"

    def keep(self, engines):
        """As many engines as there are boxes after a merger (12.2)."""
        if self.top["type"] != "too_many_engines":
            return "time"
        name = self.top["company"]
        held = self.extra["works"][name]["engines"]
        found = set(combinations(held, self.engine_room(name)))
        return "" if tuple(engines) in found else "others"

    # Links (9.2)

    def own_link(self, mine):
        """A pMC's own link, or that of a merged location of a MONTAN corporation: the one activity, 30 Mark."""
        if self._no_activity():
            return "time"
        own = [int(self.name)] if self.name.isdecimal() else self.extra["montan"][self.name]["mines"]
        track = RuhrTrack(self.sheet, self.position, self.options)
        at = track.mine_at.get(mine)
        if mine not in own or at is None or track.value(at) != 0:
            return "no link wanting"
        if self.in_need():
            return "need"
        if not track.joined_to_net(at, floated=True, blocked=self.options["montan_link_blocked"]):
            return "not joined"
        return "money" if self.works()[4] < 30 else ""

    def pferdebahn(self, private, mine):
        """A free link in a turn of an own pMC or of a corporation that the owner directs (4.1.3, 4.1.4)."""
        if self.top["type"] not in TURNS or private not in (21, 22):
            return "time"
        found = self.position["privates"][private]
        if found["owner"] != self.seat or not found["open"]:
            return "not his"
        return RuhrTrack(self.sheet, self.position, self.options).link_by_pferdebahn(mine)

    # Limits and private companies

    def discard(self, company, kind):
        """A train above the limit, of the corporation that is asked (10.8.2)."""
        if self.top["type"] != "too_many_trains" or company != self.top["companies"][0]:
            return "time"
        return "" if kind in self.position["companies"][company]["trains"] else "not its train"

    def remove_private(self, number):
        """Private BME alone leaves the game at will (4.1.1 to 4.1.4)."""
        found = self.position["privates"].get(number)
        if self.top["type"] != "stock_round" or number != 19:
            return "time"
        return "" if found["owner"] == self.seat and found["open"] else "not his"
