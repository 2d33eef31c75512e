"""18Ruhr judged from its rulebook: lays, stations, links, routes and what they earn (sections 4.1.3, 6, 9.2 and 10).

Plain and slow. It knows a component sheet, a position and an action as plain values and imports nothing of the product.
Every judge answers an empty text where an action is legal, else a word for what is wrong.
"""

from __future__ import annotations

from tests.judges.board import (
    STOP,
    Board,
    amount,
    arrivals,
    best_sum,
    hexes_of,
    keeps_track,
    rank,
    reached,
    routes,
    runs_off,
    stops_of,
)

COLOUR_FROM = {"yellow": "2", "green": "3", "brown": "5", "grey": "8"}
LINK_COST = 30
BEFORE_RUNNING = ("track", "station", "link", "deal")


class RuhrTrack:
    """One position of 18Ruhr: its board with what section 10 says of it. `options` are the table's, as plain values."""

    def __init__(self, sheet, position, options):
        self.sheet, self.position, self.options = sheet, position, options
        self.board = Board(sheet, position["board"])
        self.mine_at = {
            entry["own"]["pmc"]: at for at, entry in sheet["hexes"].items() if "pmc" in (entry["own"] or {})
        }
        self._reach = {}

    # What lies there

    def value(self, at):
        """The value of the location marker on a hex, -1 where there is none."""
        marks = [icon for icon in self.board.contents(at)["icons"] if icon.startswith("L")]
        return int(marks[0][1:]) if marks else -1

    def own(self, at):
        """What only this game prints on what lies on a hex."""
        tile = self.board.contents(at)["tile"]
        return (self.sheet["tiles"][tile] if tile else self.sheet["hexes"][at])["own"] or {}

    def marker_in_circle(self, at):
        """Brown and grey Montan cities: the location marker lies in a circle (10.2.2); by option also on 716."""
        tile = self.board.contents(at)["tile"]
        beside = self.options["tile_716_marker"] == "beside"
        return self.value(at) >= 0 and (bool(self.own(at).get("location_space")) or (tile == "716" and not beside))

    def may_pass(self, company):
        """Through which stops a company's way may run (10.4, 10.5)."""

        def passes(place):
            stop = self.board.stop(place)
            if stop["kind"] != "city" or self.own(place[0]).get("never_blocks"):
                return stop["kind"] != "offboard"
            here = self.board.awake(place)
            return company in here or len(here) + self.marker_in_circle(place[0]) < stop["slots"]

        return passes

    def reach(self, company):
        """The steps of all ways from a company's stations; may raise `Undecided`."""
        if company not in self._reach:
            self._reach[company] = reached(self.board, self.board.stations(company), self.may_pass(company))
        return self._reach[company]

    def hexes(self, company):
        """The hexes that a company's ways touch."""
        return hexes_of(self.reach(company), self.board.stations(company))

    def has_route(self, company):
        """Whether from some own station a way leads to another stop (10.5)."""
        own = set(self.board.stations(company))
        return any((at, end - STOP) not in own or len(own) > 1 for at, _, end in self.reach(company) if end >= STOP)

    # Lays

    def lay(self, turn, at, tile, rotation, treasury):
        """A tile on a hex in a railway's turn (10.1, 10.2)."""
        if turn["step"] != "track":
            return "step"
        if at not in self.sheet["hexes"] or tile not in self.sheet["tiles"] or rotation not in range(6):
            return "unknown"
        return (
            self._turn_allows(turn, at, tile)
            or self._tile_follows(at, tile)
            or self._lies(at, tile, rotation)
            or self._joined(turn["company"], at, tile, rotation)
            or self._paid(at, treasury)
        )

    def _turn_allows(self, turn, at, tile):
        upgrade = self.sheet["tiles"][tile]["face"]["colour"] != "yellow"
        if len(turn["lays"]) == 2:
            return "two tiles"
        if upgrade and any(done.startswith("upgrade") for done in turn["lays"]):
            return "two upgrades"
        return "just laid" if upgrade and f"tile:{at}" in turn["lays"] else ""

    def _tile_follows(self, at, tile):
        printed, new = self.sheet["hexes"][at], self.sheet["tiles"][tile]
        lies = self.board.contents(at)["tile"]
        old, colour = self.board.face(at), new["face"]["colour"]
        if printed["face"]["colour"] in ("red", "grey"):
            return "finished"
        if lies and self.sheet["tiles"][lies]["final"]:
            return "final"
        if rank(self.sheet, colour) != rank(self.sheet, old["colour"]) + 1:
            return "colour"
        phases = list(self.sheet["trains"])
        if phases.index(self.position["phase"]) < phases.index(COLOUR_FROM[colour]):
            return "phase"
        if self.position["supply"][tile] < 1:
            return "none left"
        return self._kind(at, tile, lies, old, new)

    def _kind(self, at, tile, lies, old, new):
        letters, wanted = set(new["face"]["labels"]), set(self.sheet["hexes"][at]["face"]["labels"])
        if self.value(at) < 0 and at in self.mine_at.values():
            wanted -= {
                "MT",
                "MC",
            }  # the marker is gone, and with it the Montan tiles (10.1.3); Dortmund and Essen keep theirs
        if letters != wanted:
            return "letters"
        if new["hexes"] and at not in new["hexes"]:
            return "its own hex"
        if tile == "716":
            return "" if lies in ("949", "950", "951") and self.value(at) >= 20 else "716"
        if self.options["j3_720"] == "required" and at == "J3" and new["face"]["colour"] == "green" and tile != "720":
            return "720"
        kinds = [sorted(stop["kind"] for stop in face["stops"]) for face in (old, new["face"])]
        if set(kinds[0]) != set(kinds[1]) or (not lies and not old["colour"] and kinds[0] != kinds[1]):
            return "kind"
        listed = self.sheet["tiles"][lies]["upgrades_to"] if lies else None
        return (
            ""
            if listed is None or tile in listed or wanted != set(self.sheet["hexes"][at]["face"]["labels"])
            else "table"
        )

    def _lies(self, at, tile, rotation):
        entry = self.sheet["tiles"][tile]
        after = self.after(at, tile, rotation)
        if entry["rotation"] is not None and rotation != entry["rotation"]:
            return "upright"
        if runs_off(self.board, at, after.face(at), _edges(self.sheet["hexes"][at]["face"])):
            return "side"
        return "" if keeps_track(self.board.face(at), after.face(at)) else "track lost"

    def after(self, at, tile, rotation):
        """The board with another tile on a hex, stations aside."""
        contents = {**self.board.contents(at), "tile": tile, "turn": rotation}
        return Board(self.sheet, {**self.board.contents_by_hex, at: contents})

    def _joined(self, company, at, tile, rotation):
        if at in self.hexes(company):
            return ""
        come = arrivals(self.board, self.reach(company))
        face = self.after(at, tile, rotation).face(at)
        return "" if any((at, edge) in come for edge in _edges(face)) else "not joined"

    def _paid(self, at, treasury):
        first = not self.board.contents(at)["tile"]
        return "money" if first and self.sheet["hexes"][at]["cost"] > treasury else ""

    # Stations

    def station(self, turn, at, stop, treasury):
        """A station on a city in a railway's turn (10.4)."""
        company = turn["company"]
        left = self.position["companies"][company]["stations"]
        if turn["step"] != "station":
            return "step"
        if turn["station"] or not left:
            return "one a turn" if turn["station"] else "no token"
        number = ord(stop) - ord("a") if len(stop) == 1 else -1
        if at not in self.sheet["hexes"] or not 0 <= number < len(self.board.face(at)["stops"]):
            return "unknown"
        printed = self.board.stop((at, number))
        if printed["kind"] != "city":
            return "no city"
        contents = self.board.contents(at)
        if any(s["company"] == company for s in contents["stations"]):
            return "one a hex"
        taken = sum(s["stop"] == number for s in contents["stations"]) + self.marker_in_circle(at)
        taken += sum(kept["stop"] == number for kept in contents["kept"])
        if taken >= printed["slots"]:
            return "no circle"
        if (at, number) not in stops_of(self.reach(company), self.board.stations(company)):
            return "not joined"
        return "money" if left[0] > treasury else ""

    # Links

    def link_by_railway(self, turn, mine, treasury):
        """30 Mark for a pMC on a route of the railway, before it runs (10.3)."""
        if turn["step"] not in BEFORE_RUNNING or "link" in turn["used"]:
            return "step"
        at = self.mine_at.get(mine)
        if at is None or self.value(at) != 0:
            return "no link wanting"
        if at not in self.hexes(turn["company"]) or not self.has_route(turn["company"]):
            return "not joined"
        return "money" if treasury < LINK_COST else ""

    def joined_to_net(self, at, *, floated, blocked):
        """Whether track on a hex is joined with a station of a railway, a floated one, and not past a full city (9.2)."""
        for name, company in self.position["companies"].items():
            if name not in self.railways or (floated and not company["floated"]):
                continue
            passes = self.may_pass(name) if blocked else lambda place: self.board.stop(place)["kind"] != "offboard"
            own = self.board.stations(name)
            if at in hexes_of(reached(self.board, own, passes), own):
                return True
        return False

    @property
    def railways(self):
        return [name for name, company in self.sheet["companies"].items() if company["homes"]]

    def link_by_pferdebahn(self, mine):
        """A Pferdebahn: any track for a passive pMC (6), track joined to the net for another (4.1.3)."""
        at = self.mine_at.get(mine)
        if at is None or self.value(at) != 0:
            return "no link wanting"
        passive = self.position["extra"]["mines"][mine] == "passive"
        if passive and self.options["pferdebahn"] == "track":
            return "" if self.board.face(at)["track"] else "no track"
        return "" if self.joined_to_net(at, floated=False, blocked=False) else "not joined"

    # Routes

    def run(self, company, runs):
        """What runs earn, or a word for what is wrong with them (10.5, 10.6). `runs` are of a `run_trains` action."""
        return self.board.earned(
            self.position["companies"][company]["trains"],
            runs,
            lambda train, stops, _: self._wrong_route(company, train, stops, stops[1:-1]),
            lambda train, stops, _: self.income(train, stops),
        )

    def _wrong_route(self, company, train, stops, through):
        passes = self.may_pass(company)
        if len(stops) < 2 or len(set(stops)) < len(stops):
            return "stops"
        if not set(stops) & set(self.board.stations(company)):
            return "own station"
        if not all(passes(stop) for stop in through):
            return "blocked"
        return "length" if self.too_long(train, stops) else ""

    def too_long(self, train, stops):
        """At most n cities and off-boards, and n towns and those it falls short of (10.5)."""
        number = int(train)
        cities = sum(self.board.stop(stop)["kind"] != "town" for stop in stops)
        return cities > number or len(stops) > 2 * number

    def income(self, train, stops):
        """What a route of a train earns (10.6.1)."""
        phase = next(p for p in self.sheet["phases"] if p["name"] == self.position["phase"])
        linked = [at for at in {at for at, _ in stops} if at in self.mine_at.values() and self.value(at) >= 10]
        coal = [at for at in linked if self.sheet["hexes"][at]["own"]["industry"] == "coal"]
        total = sum(max(0, self.value(at)) for at in {at for at, _ in stops})
        for at, number in stops:
            stop = self.board.stop((at, number))
            paid = amount(self.sheet, stop, phase["values"])
            name = self.sheet["hexes"][at]["names"]
            if "Wesel" in name:
                paid = 10 * len(linked)
            elif "Der Eiserne Rhein" in name:
                paid = 20 * len(coal)
            total += paid * (2 if train == "8" and stop["kind"] == "offboard" else 1)
        return total

    def best(self, company):
        """The most that a company's trains earn; may raise `Undecided`."""
        own = set(self.board.stations(company))
        trains = list(self.position["companies"][company]["trains"])
        found = {}
        for train in sorted(set(trains)):
            every = routes(
                self.board, self.may_pass(company), lambda s, t=train: self.too_long(t, s), self.board.stops(), 60_000
            )
            found[train] = [(self.income(train, s), uses) for s, _, uses in every if own & set(s)]
        return best_sum([found[train] for train in trains])


def _edges(face):
    return {end for piece in face["track"] for end in (piece["a"], piece["b"]) if end < STOP}
