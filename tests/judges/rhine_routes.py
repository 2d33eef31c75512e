"""18Rhl and 18LRA judged from their rulebooks: routes of trains and what they earn.

Written from the book of 2006 (sections 10 and 11) and that of 2022 (6.1.2, 6.2.3 and 6.2.4). Plain and slow; it imports nothing
of the product. A route is `(stops, steps)`; every judge answers an empty text where a route is legal.
"""

from __future__ import annotations

from functools import partial

from tests.judges.board import STOP, amount, best_sum, routes, switched
from tests.judges.rhine_track import GKB, METROPOLISES, RhineTrack

AREAS = (("C14", "D15"), ("A14", "B15"))  # one destination each (6.2.3)
MORE_AREAS = (("A4", "A6"), ("L11", "L13"))  # by the ruling `four_areas`
CLOSING = ("A14", "B15", "C2")  # a station there keeps others out (18Rhl)
NORTH, SOUTH = ("A4", "A6"), ("L11", "L13")
LINKS = (("C12", 4), ("D13", 3), ("D13", 4), ("E14", 3))  # sides by which the Eastern Ruhr is linked
RIGHT_BANK = ("A15", "B14", "B16", "C15", "E15", "G15", "H16")
FROM_GREEN = ("B14", "C15", "G15")
ANTWERPEN = {"first": "G2", "second": "H1", "lra": "I1"}
RUHR = {"first": ("C14", "D15"), "second": ("C14", "D15"), "lra": ("A15", "B16")}


class RhineRoutes(RhineTrack):
    """What trains may run in one position, and what they earn."""

    @property
    def areas(self):
        """The pairs of red hexes of 18Rhl that are one destination."""
        if self.book == "lra":
            return ()
        return AREAS + MORE_AREAS if switched(self.sheet, "four_areas") else AREAS

    def brown(self):
        return next(p for p in self.sheet["phases"] if p["name"] == self.position["phase"])["values"] == "brown"

    def runs_through(self, company):
        """Through which stops a train's route may run; the banks of a green metropolis are judged with the route."""
        general = self.may_pass(company)

        def passes(place):
            at, _ = place
            return True if self._has_ferry(at) else general(place)

        return passes

    def _has_ferry(self, at):
        """A green metropolis of 18Rhl: two banks of one city with a ferry between them."""
        return any(p["kind"] == "ferry" and p["a"] >= STOP for p in self.board.face(at)["track"])

    # One route

    def wrong(self, company, train, stops, steps):
        """What is wrong with a route of a train; `stops` in order, a green metropolis once for each bank touched."""
        if train == "2+4":
            return self._gkb_wrong(company, stops)
        return (
            self._stops_wrong(stops)
            or self._stations_wrong(company, stops, steps)
            or self._ends_wrong(train, stops)
            or self._special_wrong(train, stops)
        )

    def cities(self, stops):
        """Stops with the banks of a green metropolis, and those of one place, taken as one."""
        found = []
        for place in stops:
            name = self._city(place)
            if not found or found[-1] != name:
                found.append(name)
        return found

    def _city(self, place):
        """The city of a stop: both banks of a green metropolis are one, and places of one bank of a yellow one."""
        at, _ = place
        if self._has_ferry(at):
            return (at, "whole")
        stop = self.board.stop(place)
        if self.book != "lra" and at in METROPOLISES and stop["bank"]:
            return (at, stop["bank"])
        for area in self.areas:
            if at in area:
                return (area, "area")
        joined = self.sheet["hexes"][at]["joined"]
        return (tuple(sorted((at, *joined))), "area") if joined and stop["kind"] == "offboard" else place

    def _stops_wrong(self, stops):
        cities = self.cities(stops)
        if len(cities) < 2:
            return "two stops"
        if len(set(cities)) < len(cities):
            return "a stop twice"
        hexes = [at for at, _ in {(place[0], self._city(place)) for place in stops}]
        strict = switched(self.sheet, "one_stop_a_hex")  # the letter of 6.2.3 in the second books
        return "two stops of a hex" if strict and len(set(hexes)) < len(hexes) else ""

    def _stations_wrong(self, company, stops, steps):
        own = set(self.board.stations(company))
        if not own & set(stops):
            return "own station"
        cities = self.cities(stops)
        for place in stops:
            if self._city(place) in (cities[0], cities[-1]):
                continue
            if self._has_ferry(place[0]):
                if self._bank_wrong(company, place[0], stops):
                    return "must cross the Rhine"
            elif not self.may_pass(company)(place):
                return "blocked"
        return self._closed(company, stops)

    def _bank_wrong(self, company, at, stops):
        """6.2.3.1: a train uses a place that is its own or free of others; the first book asks for one on the tile."""
        if not self.may_pass(company)((at, 0)):
            return True
        if self.book == "first":
            return False
        touched = [number for h, number in stops if h == at]
        for number in touched:
            here = self.awake(at, number)
            full = len(self.awake(at)) >= sum(s["slots"] for s in self.board.face(at)["stops"])
            if company in here or (not full and len(here) < self.board.stop((at, number))["slots"]):
                return False
        return True

    def _closed(self, company, stops):
        if self.book == "lra":
            return ""
        crossed = {"A14": "B15", "B15": "A14"} if switched(self.sheet, "minden_closes_hamburg") else {}  # v1 9
        for at, _ in stops:
            here = self.awake(crossed.get(at, at))
            if at in CLOSING and here and company not in here:
                return "closed"
        return ""

    def _ends_wrong(self, train, stops):
        kinds = [self.board.stop(place)["kind"] for place in stops]
        if "offboard" in kinds[1:-1]:
            return "through an end"
        if train == "8":
            return ""
        if self.book == "first" and "town" in (kinds[0], kinds[-1]):
            return "ends at a town"
        return "too long" if self.counted(stops) > self.sheet["trains"][train]["reach"] else ""

    def counted(self, stops):
        """Cities and destinations, and in the second book towns at an end (6.2.3)."""
        ends = (stops[0], stops[-1]) if self.book != "first" else ()
        counting = [p for p in stops if self.board.stop(p)["kind"] != "town" or p in ends]
        return len(self.cities(counting))

    def _special_wrong(self, train, stops):
        hexes = [at for at, _ in stops]
        if self.book == "second" and "H1" in hexes and not self._iron(stops):
            return "Antwerpen without the Iron Rhine"
        if train != "8":
            return ""
        kinds = [self.board.stop(place)["kind"] for place in stops]
        if "town" in (kinds[0], kinds[-1]):
            return "ends at a town"
        ends = (hexes[0], hexes[-1])
        if self.book == "second":
            if not set(ends) & set(NORTH):
                return "starts at Nijmegen or Arnhem"
            if "E2" in hexes[1:-1]:
                return "through Venlo"
            return (
                "too long"
                if len(self.cities([p for p, k in zip(stops, kinds, strict=True) if k != "town"])) > 8
                else ""
            )
        rge = (*NORTH, *SOUTH)
        if not set(ends) & set(rge) or "E2" in hexes:
            return "starts at a mark of the Rheingold"
        red = [at for at, k in zip(hexes, kinds, strict=True) if k == "offboard" and at not in rge]
        back = set(ends) <= set(NORTH) or set(ends) <= set(SOUTH)  # the other mark lies on the opposite border
        return "another red hex" if red or (back and not switched(self.sheet, "compat")) else ""

    def _gkb_wrong(self, company, stops):
        if not set(GKB) & set(stops) or len(stops) < 2:
            return "without the GKB"
        if len(set(map(self._city, stops))) < len(stops):
            return "a stop twice"
        kinds = [self.board.stop(place)["kind"] for place in stops]
        if "offboard" in kinds[1:-1] or not all(self.may_pass(company)(p) for p in stops[1:-1]):
            return "blocked"
        return "too long" if kinds.count("town") > 4 or len(stops) - kinds.count("town") > 2 else ""

    # What a route earns

    def earns(self, company, train, stops, steps):
        """The income of a route, in Mark."""
        if train == "8":
            return self._rheingold(company, stops, steps)
        total = sum(self._values(stops, steps))
        if train == "2+4":
            return total
        mines, mills = self.locations(stops, steps)
        pairs = min(mines, mills, 2)
        total += pairs * (40 if self.brown() else 20)
        if self._iron(stops) and self._may_iron(company):
            total += 80
        if switched(self.sheet, "ratingen") and mills and any(at == "E12" for at, _ in stops):
            total += 40  # limestone for a steel mill (RHL-RAT-03)
        return total + (
            self._harbour(company, stops, mines + mills) + self._dalheim(company, stops) if self.book == "lra" else 0
        )

    def _values(self, stops, steps):
        """What each city, town or destination of a route pays, ferries taken into account."""
        values = next(p for p in self.sheet["phases"] if p["name"] == self.position["phase"])["values"]
        seen, out = set(), []
        for place in stops:
            name = self._city(place)
            if name in seen:
                continue
            seen.add(name)
            at, number = place
            if self.book != "lra" and at in AREAS[0]:
                out.append(self._eastern_ruhr())
                continue
            paid = amount(self.sheet, self.board.stop(place), values)
            low = self.board.face(at)["ferry_revenue"]
            out.append(low if low is not None and self._ferried(at, number, steps) else paid)
        return out

    def _ferried(self, at, number, steps):
        ferries = [p for p in self.board.face(at)["track"] if p["kind"] == "ferry"]
        ridden = {(min(a, b), max(a, b)) for h, a, b in steps if h == at}
        return any((min(p["a"], p["b"]), max(p["a"], p["b"])) in ridden for p in ferries)

    def _eastern_ruhr(self):
        count = 0
        for at, edge in LINKS:
            if self.board.contents(at)["tile"] and any(edge in (p["a"], p["b"]) for p in self.board.face(at)["track"]):
                count += 1
        return 10 + 10 * count if count else 0

    def locations(self, stops, steps):
        """How many mines and mills lie on a route (6.2.4.2): by hex, by tile, and by the link that is used."""
        found = {"K": set(), "S": set()}
        for at, number in stops:
            tile = self.board.contents(at)["tile"]
            marks = [*self.board.contents(at)["icons"], *self.board.stop((at, number))["icons"]]
            printed = list(self.sheet["hexes"][at]["face"]["icons"])
            marks += list(self.sheet["tiles"][tile]["face"]["icons"]) if tile else []
            marks += printed
            if at == "D7" and tile and self.board.face(at)["colour"] == "grey" and not switched(self.sheet, "compat"):
                marks.append("K")  # first book 11.2: from brown on, whatever replaces the brown tile
            for kind in ("K", "S"):
                if kind in marks:
                    area = self.sheet["hexes"][at]["joined"]
                    found[kind].add(tuple(sorted((at, *area))))
        return len(found["K"]), len(found["S"])

    def _iron(self, stops):
        hexes = {at for at, _ in stops}
        return ANTWERPEN[self.book] in hexes and bool(hexes & set(RUHR[self.book]))

    def _may_iron(self, company):
        """First book 11.4: a station at Roermond keeps the bonus for its owner."""
        here = self.awake("G2") if self.book == "first" else []
        return not here or company in here

    def _harbour(self, company, stops, places):
        own = any(
            s["company"] == company and s["kind"] == "harbour" and (at, s["stop"]) in stops
            for at, contents in self.position["board"].items()
            for s in contents["stations"]
        )
        return 10 * places if own else 0

    def _dalheim(self, company, stops):
        if self.position["marks"].get("dec") != company or not any(at == "I3" for at, _ in stops):
            return 0
        for at, _ in stops:
            green = self.board.face(at)["colour"] in ("green", "brown")
            if at in RIGHT_BANK and (at not in FROM_GREEN or green):
                return 20
        return 0

    def _rheingold(self, company, stops, steps):
        """6.2.4.4, first book 11.6: no towns; metropolises twice from north to south; the Iron Rhine where it ends there."""
        full = [p for p in stops if self.board.stop(p)["kind"] != "town"]
        ends = {stops[0][0], stops[-1][0]}
        twice = bool(ends & set(NORTH)) and bool(ends & set(SOUTH))
        values, names = self._values(full, steps), list(dict.fromkeys(self._city(p) for p in full))
        paid = [v * (2 if twice and self._metropolis(n) else 1) for v, n in zip(values, names, strict=True)]
        if self.book == "first" and len(paid) > 8:
            paid = self._best_of(paid)
        iron = 80 if self._iron(stops) and self._may_iron(company) else 0
        return sum(paid) + iron

    def _best_of(self, paid):
        """First book 11.6: both ends and the six best between them."""
        return [paid[0], paid[-1], *sorted(paid[1:-1], reverse=True)[:6]]

    @staticmethod
    def _metropolis(name):
        return name[0] in METROPOLISES

    # All trains of a turn

    def run(self, company, runs):
        """What runs of a `run_trains` action earn, or a word for what is wrong with them."""
        return self.board.earned(
            self.position["companies"][company]["trains"],
            runs,
            partial(self.wrong, company),
            partial(self.earns, company),
        )

    def every(self, company, train, limit=30_000):
        """Every legal route of a train as `(Mark, uses)`; may raise `Undecided`."""
        found = []
        starts = GKB if train == "2+4" else self.board.stops()
        for stops, steps, uses in routes(
            self.board, self.runs_through(company), lambda s: self._too_long(train, s), starts, limit
        ):
            if not self.wrong(company, train, list(stops), steps):
                found.append((self.earns(company, train, list(stops), steps), uses))
        return found

    def _too_long(self, train, stops):
        """Whether no train can go on: a stop more than the train and the two towns at the ends allow."""
        if train == "2+4":
            return len(stops) > 6
        cities = [p for p in stops if self.board.stop(p)["kind"] != "town"]
        if train == "8":
            return self.book != "first" and len(self.cities(cities)) > 8
        return len(self.cities(cities)) > self.sheet["trains"][train]["reach"]

    def best(self, company):
        """The most that all trains of a corporation earn; may raise `Undecided`."""
        trains = self.position["companies"][company]["trains"]
        found = {train: self.every(company, train) for train in set(trains)}
        return best_sum([found[train] for train in trains], 30_000)

    def has_route(self, company):
        """Whether the duty to own a train may arise: two stops, one with an own station, for some train."""
        kinds = [kind for kind in self.sheet["trains"] if kind not in ("8", "2+4")]
        longest = max(kinds, key=lambda kind: self.sheet["trains"][kind]["reach"])
        for stops, steps, _ in routes(
            self.board,
            self.runs_through(company),
            lambda s: len(self.cities(s)) > 6,
            self.board.stations(company),
            60_000,
        ):
            if not self.wrong(company, longest, list(stops), steps):
                return True
        return False
