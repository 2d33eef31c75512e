"""18Rhl and 18LRA judged from their rulebooks: lays and what they cost, stations, and what a corporation reaches.

Written from the book of 2006 (sections 7 to 9) and that of 2022 (6.1.2, 6.2.1 and 6.2.2, private companies 4.1). Plain and
slow. It knows a component sheet, a position and an action as plain values and imports nothing of the product. `book` is
`first` (18Rhl of 2006), `second` (18Rhl of 2022) or `lra`. Every judge answers an empty text where an action is legal, else a
word for what is wrong.
"""

from __future__ import annotations

from tests.judges.board import (
    STOP,
    Board,
    edges,
    hexes_of,
    keeps_track,
    rank,
    reached,
    runs_off,
    stops_of,
    switched,
)

BANKS = (frozenset({0, 1, 2}), frozenset({3, 4, 5}))  # the west and the east bank of a metropolis of 18Rhl
REACH = 20_000  # steps looked at before a question of reach is left open
METROPOLISES = ("D9", "F9", "I10")
TWO_YELLOWS = ("ADR", "CME", "KEG", "RhE")  # in the first turn of 18LRA (4.2.3)
HARBOURS = {"B12": 0, "E13": 2, "H14": 3, "B14": 4}  # harbour places and the private companies that keep them (4.1.2)
LOWER_PRICE = {"CCE": 40, "KEG": 40, "MKB": 40}  # under a harbour token, 50 for the others
GKB = (("A1", 0), ("A3", 0))  # its station stands in A2, which is both


class RhineTrack:
    """One position: its map with what the books say of it."""

    def __init__(self, sheet, position, book):
        self.sheet, self.position, self.book = sheet, position, book
        self.board = Board(sheet, position["board"])
        self._reach = {}

    # What lies there

    def begun(self, colour):
        """Whether tiles of a colour are to be had (6.3, first book 14)."""
        return colour in next(p for p in self.sheet["phases"] if p["name"] == self.position["phase"])["tiles"]

    def awake(self, at, number=None):
        """The corporations with a station on a hex, or on one of its stops, that floated."""
        return [
            s["company"]
            for s in self.board.contents(at)["stations"]
            if not s["asleep"] and (number is None or s["stop"] == number)
        ]

    def places(self, at, number):
        """All places of a stop, those of harbours with them."""
        stop = self.board.stop((at, number))
        return stop["slots"] + stop["harbour_slots"]

    def may_pass(self, company, board=None):
        """Through which stops an available route may run (6.1.2, first book 9)."""
        shown = board or self.board

        def passes(place):
            at, number = place
            stop = shown.stop(place)
            if stop["kind"] != "city":
                return stop["kind"] == "town"
            ferry = any(p["kind"] == "ferry" and p["a"] >= STOP for p in shown.face(at)["track"])
            numbers = range(len(shown.face(at)["stops"])) if ferry else (number,)
            stops = [shown.stop((at, n)) for n in numbers]
            here = [s["company"] for s in shown.contents(at)["stations"] if not s["asleep"] and s["stop"] in numbers]
            places = sum(s["slots"] + s["harbour_slots"] for s in stops)
            return company in here or not places or len(here) < places

        return passes

    def steps(self, company, board=None):
        """The steps of all available routes; may raise `Undecided`."""
        shown = board or self.board
        if shown is not self.board:
            return reached(shown, shown.stations(company), self.may_pass(company, shown), REACH)
        if company not in self._reach:
            self._reach[company] = reached(shown, shown.stations(company), self.may_pass(company), REACH)
        return self._reach[company]

    def hexes(self, company):
        """The hexes that available routes touch."""
        return hexes_of(self.steps(company), self.board.stations(company))

    def director(self, turn):
        return self.position["companies"][turn["company"]]["director"]

    # Lays (6.2.1, first book 7 and 8)

    def lay(self, turn, at, tile, rotation, allowance="normal"):
        """A tile by an allowance of a corporation's own: `normal`, a second yellow one, or the GKB's."""
        wrong = self._turn_of(turn, at, tile, rotation)
        if wrong:
            return wrong
        if self._lone_tile(turn):
            return "the only tile of the turn"
        yellow = self.sheet["tiles"][tile]["face"]["colour"] == "yellow"
        if allowance in turn["lays"]:
            return "laid already"
        if allowance == "yellow":
            wrong = self._second_yellow(turn) if yellow else "not yellow"
        elif allowance == "gkb":
            wrong = "" if self._has_gkb(turn["company"]) else "no GKB"
        elif allowance != "normal":
            wrong = "unknown allowance"
        elif not yellow and "yellow" in turn["lays"]:
            wrong = "an upgrade is the whole allowance"
        return (
            wrong
            or self._kept_from(turn, at)
            or self._follows(at, tile)
            or self._lies(at, tile, rotation)
            or self._paid(turn, at)
            or (self._gkb_comes(at, tile, rotation) if allowance == "gkb" else self._joined(turn, at, tile, rotation))
        )

    def _turn_of(self, turn, at, tile, rotation):
        if turn["step"] != "track" or turn["station"]:
            return "step"
        if self.position["companies"][turn["company"]]["receivership"]:
            return "receivership"
        known = at in self.sheet["hexes"] and tile in self.sheet["tiles"] and rotation in range(6)
        return "" if known else "unknown"

    def _second_yellow(self, turn):
        """A second yellow tile in the first turn, after a first yellow one (18LRA, 4.2.3)."""
        first = self.book == "lra" and turn["company"] in TWO_YELLOWS and self._first_turn(turn["company"])
        return "" if first and "normal" in turn["lays"] and self._normal_was_yellow(turn) else "no second tile"

    def _first_turn(self, company):
        return not self.position["companies"][company]["operated"]

    def _normal_was_yellow(self, turn):
        return self.position["marks"].get("yellow") == turn["company"]

    def _has_gkb(self, company):
        return self.position["marks"].get("gkb") == company

    def _kept_from(self, turn, at):
        """Hexes kept for a private company, or closed before green."""
        if self.book != "lra":
            private = self.position["privates"][1]
            mine = "E14"
            if switched(self.sheet, "ratingen"):
                mine = "E12"
                if at == mine and not self.begun("green"):
                    return "not before green"
            return "kept" if at == mine and private["open"] and not private["used"] else ""
        return "not before green" if at in ("B6", "C11") and not self.begun("green") else ""

    def _follows(self, at, tile, power=0):
        """Whether a tile may be laid on what lies there: colour, kind, letters, number (6.2.1.1, 6.2.1.2)."""
        printed, new = self.sheet["hexes"][at], self.sheet["tiles"][tile]
        lies = self.board.contents(at)["tile"]
        old, colour = self.board.face(at), new["face"]["colour"]
        if printed["fixed"] or printed["face"]["colour"] in ("red", "grey"):
            return "finished"
        if self.position["supply"].get(tile, 0) < 1:
            return "none left"
        if new["hexes"] and at not in new["hexes"]:
            return "its own hex"
        if colour == "orange":
            return "" if power == 2 else "by private no. 2 only"
        if lies and self.sheet["tiles"][lies]["final"]:
            return "never replaced"
        if rank(self.sheet, colour) != rank(self.sheet, old["colour"]) + 1:
            return "colour"
        if not self.begun(colour):
            return "phase"
        return self._kind(printed["face"], old, self.sheet["tiles"][lies] if lies else None, tile)

    def _kind(self, printed, old, lies, tile):
        new = self.sheet["tiles"][tile]["face"]
        if new["labels"] or printed["labels"]:
            return "" if set(new["labels"]) & set(printed["labels"]) else "letters"
        kinds, wanted = ([s["kind"] for s in face["stops"]] for face in (new, old))
        if lies and lies["upgrades_to"] is not None:
            return "" if tile in lies["upgrades_to"] else "another town tile"
        return "" if kinds == wanted else "kind"

    def _shown(self, at, tile, rotation):
        """The board with a tile laid on a hex and the stations moved the way that `_ways` finds; None where none is."""
        ways = self._ways(at, tile, rotation)
        if not ways:
            return None
        contents = self.board.contents(at)
        moved = [{**s, "stop": ways[0][s["stop"]]} for s in contents["stations"]]
        laid = {**contents, "tile": tile, "turn": rotation, "stations": moved}
        return Board(self.sheet, {**self.board.contents_by_hex, at: laid})

    def _ways(self, at, tile, rotation):
        """How old stops may lie on a new tile so that track is kept and stations find places."""
        old = self.board.face(at)
        laid = {**self.board.contents(at), "tile": tile, "turn": rotation}
        new = Board(self.sheet, {at: laid}).face(at)
        if tile == "935":
            return [(0,) * len(old["stops"])]
        ways = keeps_track(old, new)
        if old["colour"] in ("yellow", "green") and len(new["stops"]) == len(old["stops"]) and self._banked(old):
            ways = [
                way
                for way in ways
                if all(old["stops"][n]["bank"] == new["stops"][w]["bank"] for n, w in enumerate(way))
            ]
        return [way for way in ways if self._fits(at, new, way)]

    @staticmethod
    def _banked(face):
        return any(stop["bank"] for stop in face["stops"])

    def _fits(self, at, new, way):
        """Whether stations and kept places find room, harbours apart."""
        contents = self.board.contents(at)
        for number, stop in enumerate(new["stops"]):
            here = [s for s in contents["stations"] if way[s["stop"]] == number]
            kept = [k for k in contents["kept"] if way[k["stop"]] == number]
            if sum(s["kind"] != "harbour" for s in here) + len(kept) > stop["slots"]:
                return False
        return True

    def _lies(self, at, tile, rotation):
        """How a tile lies: rivers, closed sides, printed stubs, edges of the map, old track, places."""
        printed = self.sheet["hexes"][at]
        face = Board(self.sheet, {at: {**self.board.contents(at), "tile": tile, "turn": rotation}}).face(at)
        stated = self.sheet["tiles"][tile]["rotation"]
        if tile == "935":
            return "" if rotation == stated else "turned"
        if stated is not None and rotation != stated:
            return "turned"
        if self._river_wrong(at, tile, rotation, face):
            return "river"
        if edges(face) & set(printed["closed_edges"]):
            return "closed side"
        if runs_off(self.board, at, face) or self._closed_beyond(at, face):
            return "blank side"
        if not self.board.contents(at)["tile"] and set(printed["stubs"]) - edges(face):
            return "printed track not joined"
        return "" if self._ways(at, tile, rotation) else "track or places lost"

    def _closed_beyond(self, at, face):
        """Track against a closed side of the hex beyond."""
        hexes = self.sheet["hexes"]
        beyond = [(self.board.beyond(at, edge), (edge + 3) % 6) for edge in edges(face)]
        return any(other in hexes and edge in hexes[other]["closed_edges"] for other, edge in beyond)

    def _river_wrong(self, at, tile, rotation, face):
        """Tiles with the Rhine keep its course, and until brown the places on each bank."""
        if at in METROPOLISES and self.book != "lra":
            drawn = self.sheet["tiles"][tile]["face"]["banks"]
            if drawn and {frozenset((e + rotation) % 6 for e in bank) for bank in drawn} != set(BANKS):
                return True
            if rotation:  # the river is drawn in one direction on every tile
                return True
            return self._banked(face) and self._by_bank(face) != self._by_bank(self.sheet["hexes"][at]["face"])
        if self.book != "lra":
            return False
        river = {(edge + rotation) % 6 for edge in self.sheet["tiles"][tile]["face"]["river_edges"]}
        return bool(river) and river != set(self.sheet["hexes"][at]["face"]["river_edges"])

    @staticmethod
    def _by_bank(face):
        count = {}
        for stop in face["stops"]:
            count[stop["bank"]] = count.get(stop["bank"], 0) + stop["slots"]
        return count

    def _paid(self, turn, at):
        """Terrain printed on the hex, or on the tile that is replaced, from the treasury alone."""
        return "money" if self.cost(at) > self.position["companies"][turn["company"]]["treasury"] else ""

    def cost(self, at):
        """What a tile on a hex costs, in Mark."""
        lies = self.board.contents(at)["tile"]
        return self.sheet["tiles"][lies]["upgrade_cost"] if lies else self.sheet["hexes"][at]["cost"]

    def _joined(self, turn, at, tile, rotation):
        """New track on an available route; an upgraded city that lies on one is enough (6.2.1, first book 7.1, 8)."""
        company = turn["company"]
        old, shown = self.board.face(at), self._shown(at, tile, rotation)
        after = {self._piece(step) for step in self.steps(company, shown)}
        way = self._ways(at, tile, rotation)[0]
        kept = {self._moved(at, piece, way) for piece in old["track"]}
        mine = {piece for piece in after if piece[0] == at}
        if not old["colour"]:
            return "" if mine else "not joined"
        merged = len(set(way)) < len(way)  # the junction of two towns is new track, with all that leads to it
        if mine - kept or (merged and mine):
            return ""
        cities = [n for n, stop in enumerate(old["stops"]) if stop["kind"] == "city"]
        if not cities:
            return "no new track"
        if self.book == "first":
            return self._city_gains(company, at, way, shown)
        return "" if at in self.hexes(company) else "not on a route"

    def _city_gains(self, company, at, way, shown):
        """First book 8: a city on the corporation's route must gain track or value."""
        on_route = {n for h, n in stops_of(self.steps(company), self.board.stations(company)) if h == at}
        for number in on_route:
            more = len(shown.steps_from(at, way[number] + STOP)) > len(self.board.steps_from(at, number + STOP))
            old, new = self.board.stop((at, number)), shown.stop((at, way[number]))
            if old["kind"] == "city" and (more or self._worth(new) > self._worth(old)):
                return ""
        return "city gains nothing"

    @staticmethod
    def _worth(stop):
        return max(stop["revenue"].values(), default=0)

    @staticmethod
    def _piece(step):
        at, a, b = step
        return (at, min(a, b), max(a, b))

    @staticmethod
    def _moved(at, piece, way):
        a, b = (end if end < STOP else STOP + way[end - STOP] for end in (piece["a"], piece["b"]))
        return (at, min(a, b), max(a, b))

    # The GKB's tile (18LRA, 4.1.2)

    def gkb_ways(self, board, company):
        """The steps of every way that a 2+4 train could run from A1: at most one more city and four towns."""
        first = [step for at, number in GKB for step in board.steps_from(at, number + STOP)]
        found, open_ways = set(), [((step,), frozenset(), frozenset()) for step in first]
        passes = self.may_pass(company, board)
        while open_ways:
            steps, used, stops = open_ways.pop()
            step = steps[-1]
            at, _, end = step
            if end >= STOP:
                here = (at, end - STOP)
                if here in stops or here in GKB:
                    continue
                stops = stops | {here}
                towns = sum(board.stop(place)["kind"] == "town" for place in stops)
                if towns > 4 or len(stops) - towns > 1:
                    continue  # nor does the train run the track that leads there
            found.add(step)
            for after in board.goes_on(step, passes):
                use = board.use(after)
                if use not in used:
                    open_ways.append(((*steps, after), used | ({use} - {None}), stops))
        return found

    def _gkb_comes(self, at, tile, rotation):
        company = self.position["marks"].get("gkb")
        old, shown = self.board.face(at), self._shown(at, tile, rotation)
        way = self._ways(at, tile, rotation)[0]
        kept = {self._moved(at, piece, way) for piece in old["track"]}
        mine = {piece for piece in map(self._piece, self.gkb_ways(shown, company)) if piece[0] == at}
        city = old["colour"] and any(stop["kind"] == "city" for stop in old["stops"])
        merged = len(set(way)) < len(way)
        return "" if mine - (kept if old["colour"] and not city and not merged else set()) else "not on the GKB's way"

    # Powers (4.1.1, 4.1.2, first book 4.2)

    def power(self, turn, number, at, tile, rotation):
        """A tile laid by a private company."""
        wrong = self._turn_of(turn, at, tile, rotation) or self._own_power(turn, number)
        if wrong:
            return wrong
        rules = {1: self._pwb, 2: self._osterath, 3: self._hauling, 4: self._ferry}
        rule = {5: self._manchester}.get(number) if self.book == "lra" else rules.get(number)
        if rule is None:
            return "no such power"
        return (
            rule(turn, at)
            or self._follows(at, tile, number)
            or self._lies(at, tile, rotation)
            or self._charge(turn, number, at)
            or (self._joined(turn, at, tile, rotation) if number == 1 and switched(self.sheet, "ratingen") else "")
        )

    def _own_power(self, turn, number):
        private = self.position["privates"].get(number)
        if private is None or private["owner"] != self.director(turn) or private["owner"] is None:
            return "not the owner's"
        if not private["open"] or private["used"]:
            return "used or closed"
        return "the only tile of the turn" if self._lone_tile(turn) else ""

    def _lone_tile(self, turn):
        """No. 2 of the second 18Rhl and no. 5 of 18LRA lay the only tile of a turn."""
        return {"second": "private:2", "lra": "private:5"}.get(self.book) in turn["lays"]

    def _charge(self, turn, number, at):
        free = self.book != "lra" and (number in (2, 3, 4) or (number == 1 and switched(self.sheet, "ratingen")))
        return "" if free else self._paid(turn, at)

    def _pwb(self, turn, at):
        if switched(self.sheet, "ratingen"):  # the Angertalbahn
            return "" if at == "E12" and self.begun("green") and not self.board.contents(at)["tile"] else "E12 only"
        return "" if at == "E14" and not self.board.contents(at)["tile"] else "E14 only"

    def _osterath(self, turn, at):
        if at != "E8" or not self.begun("green"):
            return "E8 from green on"
        return "only tile" if self.book == "second" and turn["lays"] else ""

    def _hauling(self, turn, at):
        if self.book != "lra" and self._kept_from(turn, at):
            return "kept for no. 1"
        lies = self.board.contents(at)["tile"]
        mountain = self.sheet["hexes"][at]["terrain"] == "mountain"
        cost = self.cost(at) if not lies or at not in METROPOLISES else 0
        return "" if mountain and cost else "no mountain"

    def _ferry(self, turn, at):
        printed = at in METROPOLISES and not self.board.contents(at)["tile"]
        return "" if printed and self.begun("green") else "a printed metropolis from green on"

    def _manchester(self, turn, at):
        if at not in ("H8", "I7") or not self.begun("green"):
            return "H8 or I7 from green on"
        return "only tile" if turn["lays"] else ""

    # Stations (6.2.2, first book 9)

    def station(self, turn, at, letter, token="normal"):
        """A station on a stop of a hex."""
        company = self.position["companies"][turn["company"]]
        if turn["step"] != "station" or turn["station"] or company["receivership"]:
            return "step"
        if at not in self.sheet["hexes"] or token not in ("normal", "harbour", "turned"):
            return "unknown"
        number = ord(letter) - ord("a")
        stops = self.board.face(at)["stops"]
        if number not in range(len(stops)):
            return "no stop"
        granted = token == "normal" and self._granted(turn, at)
        if not granted and self.book != "first" and {"private:2", "private:4", "private:5"} & set(turn["lays"]):
            return "only the place that was granted"
        return (
            self._token(turn, at, token)
            or self._room(turn["company"], at, number, token)
            or ("" if granted or self._reaches(turn["company"], at, number) else "not joined")
            or ("money" if self.station_cost(turn, at, token) > company["treasury"] else "")
        )

    def _granted(self, turn, at):
        """A place granted by the power used last, or at any time of the turn by no. 4 (4.1, first book 4.2)."""
        powers = {g["private"] for g in turn["grants"] if g["hex"] == at}
        last = turn["lays"][-1] if turn["lays"] else ""
        return any(number == 4 or last == f"private:{number}" for number in powers)

    def harbour_left(self, company):
        """Whether a harbour token still lies on the charter; the GVE has none."""
        if self.book != "lra" or company == "GVE":
            return 0
        laid = [s for c in self.position["board"].values() for s in c["stations"] if s["company"] == company]
        return 0 if any(s["kind"] in ("harbour", "turned") for s in laid) else 1

    def _token(self, turn, at, token):
        left = len(self.position["companies"][turn["company"]]["stations"]) - self.harbour_left(turn["company"])
        if token == "normal":
            return "" if left > 0 else "no token"
        if not self.harbour_left(turn["company"]):
            return "no harbour token"
        if token == "turned":
            return "" if self.begun("brown") and not left else "not the last token in brown"
        number = HARBOURS.get(at)
        if number is None:
            return "no harbour"
        private = self.position["privates"].get(number, {"open": False})
        if number and private["open"] and (private["used"] or private["owner"] != self.director(turn)):
            return "kept"
        return ""

    def _room(self, company, at, number, token):
        stop, contents = self.board.stop((at, number)), self.board.contents(at)
        if any(s["company"] == company for s in contents["stations"]):
            return "one a hex"
        here = [s for s in contents["stations"] if s["stop"] == number]
        harbours = sum(s["kind"] == "harbour" for s in here)
        if token == "harbour":
            return "" if harbours < stop["harbour_slots"] else "full"
        kept = sum(k["stop"] == number for k in contents["kept"])
        return "" if len(here) - harbours + kept < stop["slots"] else "full"

    def _reaches(self, company, at, number):
        if self.book == "lra" and company == "CCE" and at == "F10":
            return True
        return (at, number) in stops_of(self.steps(company), self.board.stations(company))

    def station_cost(self, turn, at, token):
        """The amount under the token, in Mark: the cheapest, or under a harbour token the one that applies."""
        name = turn["company"]
        left = list(self.position["companies"][name]["stations"])
        if token == "normal":
            free = self.book != "lra" and at == "E8" and turn["lays"][-1:] in (("private:2",), ["private:2"])
            return 0 if free else left[0]
        if name == "MKB" and at == "B12" and token == "harbour":
            return 20
        reserved = self.position["privates"].get(HARBOURS.get(at, 0), {"open": False})["open"]
        return LOWER_PRICE.get(name, 50) if token == "harbour" and reserved else left[-1]
