"""18DO judged from its draft rulebook: lays, stations, links, routes and what they earn (sections 5.6.1.1 to 5.6.1.5).

Plain and slow. It knows a component sheet, a position and an action as plain values and imports nothing of the product.
Every judge answers an empty text where an action is legal, else a word for what is wrong.
"""

from __future__ import annotations

from tests.judges.board import (
    Board,
    amount,
    arrivals,
    best_sum,
    edges,
    hexes_of,
    keeps_track,
    rank,
    reached,
    routes,
    runs_off,
    stops_of,
)

PHASE_OF = {"yellow": "2", "green": "3", "brown": "5", "grey": "8"}
TOKEN_OF = {10: "2", 20: "3", 30: "5"}  # from which phase on a location token of a value may be laid
LINK = 30
NEVER_BLOCKS = ("C9", "DHB")  # the home of the DHB alone; its other stations block like any (5.6.1.2)


class DoTrack:
    """One position of 18DO: its map with what section 5.6.1 says of it."""

    def __init__(self, sheet, position, *, takes_card=True):
        self.sheet, self.position = sheet, position
        self.takes_card = takes_card  # a link of the Railway Game takes none
        self.board = Board(sheet, position["board"])
        self.mines = set(sheet["own"]["places"]["coal_mines"]["hexes"])
        self.mills = set(sheet["own"]["places"]["steel_mills"]["hexes"])
        self.yards = set(sheet["own"]["places"]["freight_yards"]["hexes"])
        self._reach = {}

    def begun(self, phase):
        """Whether a phase has begun."""
        order = [p["name"] for p in self.sheet["phases"]]
        return order.index(self.position["phase"]) >= order.index(phase)

    def token(self, at):
        """The value of the location token on a hex, 0 where there is none."""
        return next((int(i[1:]) for i in self.board.contents(at)["icons"] if i[0] in "KS" and i[1:].isdecimal()), 0)

    def may_pass(self, company):
        """Through which stops a way of a railway may run (5.6.1.2, 5.6.1.4)."""

        def passes(place):
            stop = self.board.stop(place)
            if stop["kind"] != "city" or not stop["slots"]:
                return stop["kind"] != "offboard"
            here = self.board.awake(place)
            return company in here or sum((place[0], name) != NEVER_BLOCKS for name in here) < stop["slots"]

        return passes

    def reach(self, company):
        """The steps of all ways from a railway's stations; may raise `Undecided`."""
        if company not in self._reach:
            self._reach[company] = reached(self.board, self.board.stations(company), self.may_pass(company))
        return self._reach[company]

    def hexes(self, company):
        """The hexes that a railway's ways touch, those of its stations with them."""
        return hexes_of(self.reach(company), self.board.stations(company))

    # Lays (5.6.1.1)

    def lay(self, turn, at, tile, rotation, treasury):
        """A tile on a hex in a railway's turn."""
        if turn["step"] != "track" or turn["lays"]:
            return "step"
        if at not in self.sheet["hexes"] or tile not in self.sheet["tiles"] or rotation not in range(6):
            return "unknown"
        return self._follows(at, tile) or self._lies(turn["company"], at, tile, rotation, treasury)

    def _follows(self, at, tile):
        printed, new = self.sheet["hexes"][at], self.sheet["tiles"][tile]
        old, colour = self.board.face(at), new["face"]["colour"]
        if printed["face"]["colour"] in ("red", "grey"):
            return "finished"
        if rank(self.sheet, colour) != rank(self.sheet, old["colour"]) + 1:
            return "colour"
        if not self.begun(PHASE_OF[colour]):
            return "phase"
        if self.position["supply"][tile] < 1:
            return "none left"
        if set(new["face"]["labels"]) != set(printed["face"]["labels"]):
            return "symbol or border"
        if new["hexes"] and at not in new["hexes"]:
            return "its own hex"
        upgrade = colour != "yellow"
        return "no location token" if upgrade and at in self.mines | self.mills and not self.token(at) else ""

    def _lies(self, company, at, tile, rotation, treasury):
        contents = {**self.board.contents(at), "tile": tile, "turn": rotation}
        face = Board(self.sheet, {**self.board.contents_by_hex, at: contents}).face(at)
        if runs_off(self.board, at, face, edges(self.sheet["hexes"][at]["face"])):
            return "blank side"
        if not keeps_track(self.board.face(at), face):
            return "track lost"
        come = arrivals(self.board, self.reach(company))
        if at not in self.hexes(company) and not any((at, edge) in come for edge in edges(face)):
            return "not joined"
        first = not self.board.contents(at)["tile"]
        return "money" if first and self.sheet["hexes"][at]["cost"] > treasury else ""

    # Stations (5.6.1.2)

    def station(self, turn, at, treasury):
        """A station on the city of a hex in a railway's turn."""
        company, left = turn["company"], self.position["companies"][turn["company"]]["stations"]
        if turn["step"] != "station" or turn["station"]:
            return "step"
        if not left:
            return "no token"
        stops = self.board.face(at)["stops"]
        if len(stops) != 1 or stops[0]["kind"] != "city":
            return "no circle"
        contents = self.board.contents(at)
        if any(s["company"] == company for s in contents["stations"]):
            return "one a hex"
        if len(contents["stations"]) + len(contents["kept"]) >= stops[0]["slots"]:
            return "full"
        joined = self.sheet.get("options", {}).get("station_connected", True)
        if joined and (at, 0) not in stops_of(self.reach(company), self.board.stations(company)):
            return "not joined"
        return "money" if left[0] > treasury else ""

    # Links (5.6.1.3)

    def link(self, turn, at, treasury):
        """A link to a mine or mill, new or extended, in a railway's turn."""
        if turn["step"] != "link" or "link" in turn["used"]:
            return "step"
        value = self.token(at) + 10
        if at not in self.mines | self.mills or value not in TOKEN_OF:
            return "nothing to link"
        if not self.begun(TOKEN_OF[value]):
            return "phase"
        if self.takes_card and not any(self.position["depot"]["display"].values()):
            return "no card"
        if not any(step[0] == at for step in self.reach(turn["company"])) and not self._own_track(turn["company"], at):
            return "not joined"
        return "money" if treasury < LINK else ""

    def _own_track(self, company, at):
        return bool(self.board.face(at)["track"]) and any(at == place[0] for place in self.board.stations(company))

    # Routes (5.6.1.4, 5.6.1.5.1)

    def run(self, company, runs):
        """What runs earn, or a word for what is wrong with them. `runs` are those of a `run_trains` action."""
        return self.board.earned(
            self.trains(company),
            runs,
            lambda train, stops, _: self._wrong(company, train, stops),
            lambda train, stops, _: self.income(company, stops, train),
        )

    def trains(self, company):
        """The trains as they run."""
        return self.position["companies"][company]["trains"]

    def _wrong(self, company, train, stops):
        if len(stops) < 2 or len(set(stops)) < len(stops):
            return "stops"
        if not set(stops) & set(self.board.stations(company)):
            return "own station"
        if not all(self.may_pass(company)(stop) for stop in stops[1:-1]):
            return "blocked"
        return "too long" if self.too_long(train, stops) else self._only_red(stops)

    def _only_red(self, stops):
        red = [at for at, number in stops if self.board.stop((at, number))["kind"] == "offboard"]
        if any(other in self.sheet["hexes"][at]["joined"] for at in red for other in red):
            return "one destination twice"
        return "only red" if len(stops) == len(red) else ""

    def too_long(self, train, stops):
        """The number of the train is the most stops."""
        return len(stops) > self.sheet["trains"][train]["reach"]

    def income(self, company, stops, _train=""):
        """What a route earns without beer: its stops, the tokens there, ten more for each station in an own freight yard."""
        values = next(p for p in self.sheet["phases"] if p["name"] == self.position["phase"])["values"]
        total = 0
        for at, number in stops:
            total += amount(self.sheet, self.board.stop((at, number)), values) + self.token(at)
            stations = [s["company"] for s in self.board.contents(at)["stations"]]
            if at in self.yards and company in stations:
                total += 10 * len(stations)
        return total

    def best(self, company):
        """The most that a railway's trains earn without beer; may raise `Undecided`."""
        own, trains = set(self.board.stations(company)), self.trains(company)
        found = {}
        for train in set(trains):
            every = routes(
                self.board, self.may_pass(company), lambda s, t=train: self.too_long(t, s), self.board.stops(), 60_000
            )
            found[train] = [
                (self.income(company, stops, train), uses)
                for stops, _, uses in every
                if own & set(stops) and not self._only_red(list(stops))
            ]
        return best_sum([found[train] for train in trains])
