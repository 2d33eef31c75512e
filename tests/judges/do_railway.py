"""18DO, the Railway Game judged from its reconstruction: beer on trains, private breweries, stations in the City.

Plain and slow; it knows a sheet, a position and actions as plain values and imports nothing of the product. Every judge answers
an empty text where an action is legal, else a word for what is wrong.
"""

from __future__ import annotations

from tests.judges.board import routes
from tests.judges.do_track import DoTrack

CITY = "E13"
ONCE, KEEPS, HALVES, PAYS, EACH_ROUND = 1, 2, 3, 4, 5  # the private breweries
CUBES = {ONCE: 2, EACH_ROUND: 1}
SHORTEST = {ONCE: 2, EACH_ROUND: 3}  # trains that may bear their cubes
CUBE, TO_OWN_HOME, FOR_A_ROUTE = 40, 50, 10
WAYS = 60_000  # ways looked at for a route with beer


class DoRailway(DoTrack):
    """One position of the Railway Game."""

    def __init__(self, sheet, position):
        super().__init__(sheet, position, takes_card=False)

    def owner(self, private):
        """The owner of a private brewery that is open; None for nobody."""
        found = self.position["privates"][private]
        return found["owner"] if found["open"] else None

    # Stations (DO-TRG-05, DO-TRG-07)

    def station(self, turn, at, treasury):
        """A station; in the City the last space may be kept, and one station costs half."""
        wrong = super().station(turn, at, 1_000_000)
        if wrong:
            return wrong
        company = self.position["companies"][turn["company"]]
        price = company["stations"][0]
        if at == CITY:
            if self._kept(company["director"]):
                return "kept"
            half = self.owner(HALVES) == company["director"] and not self.position["privates"][HALVES]["used"]
            price -= price // 2 if half else 0
        return "money" if price > treasury else ""

    def _kept(self, director):
        """Whether the last space of the City is kept for a railway of another player."""
        keeper = self.owner(KEEPS)
        if keeper is None or keeper == director:
            return False
        there = self.board.contents(CITY)["stations"]
        if any(self.position["companies"][station["company"]]["director"] == keeper for station in there):
            return False
        return self.board.face(CITY)["stops"][0]["slots"] - len(there) <= 1

    # Beer (DO-TRG-06, DO-TRG-07)

    def loads(self, company):
        """The loaded trains of a railway: type and cubes."""
        extra = self.position["extra"] or {"loads": {}}
        return [(load["train"], load["cubes"]) for load in extra["loads"].get(company, ())]

    def trains(self, company):
        """The trains as they run, loaded ones with their cubes."""
        left = list(self.position["companies"][company]["trains"])
        for kind, _ in self.loads(company):
            left.remove(kind)
        return [*left, *(f"{kind}+{cubes}" for kind, cubes in self.loads(company))]

    def too_long(self, train, stops):
        return super().too_long(train.partition("+")[0], stops)

    def with_beer(self, stops):
        """Whether a route has the City and a red destination."""
        return CITY in {at for at, _ in stops} and bool(self.red(stops))

    def red(self, stops):
        return [at for at, number in stops if self.board.stop((at, number))["kind"] == "offboard"]

    def income(self, company, stops, train=""):
        """What a route earns with its beer: as many cubes as the train has squares, or those laid on it."""
        earned = super().income(company, stops, train)
        if not self.with_beer(stops):
            return earned
        kind, _, laid = train.partition("+")
        cubes = int(laid or self.sheet["trains"][kind]["own"]["wagons"])
        homes = {home["hex"] for home in self.sheet["companies"][company]["homes"]}
        homes |= {other for home in homes for other in self.sheet["hexes"][home]["joined"]}
        earned += cubes * (TO_OWN_HOME if homes & set(self.red(stops)) else CUBE)
        paid = self.owner(PAYS) is not None and self.position["marks"].get(f"PB{PAYS}") == company
        return earned + FOR_A_ROUTE * paid

    def brew(self, turn, seat, private, train):
        """A private brewery of the director lays its cubes on a train, or pays for routes with beer from now on."""
        if turn["step"] != "run" or private not in (ONCE, PAYS, EACH_ROUND) or self.owner(private) != seat:
            return "time or owner"
        if private == EACH_ROUND:
            now = next(f for f in self.position["agenda"] if f["type"] == "operating_round")
            if self.position["marks"].get(f"PB{EACH_ROUND}") == f"{now['set']}.{now['number']}":
                return "used"
        elif self.position["privates"][private]["used"]:
            return "used"
        if private == PAYS:
            return "train" if train else ""
        company = turn["company"]
        if train not in self.trains(company) or self.sheet["trains"][train]["reach"] < SHORTEST[private]:
            return "train"
        own = set(self.board.stations(company))
        every = routes(
            self.board, self.may_pass(company), lambda stops: self.too_long(train, stops), self.board.stops(), WAYS
        )
        ways = (list(stops) for stops, _, _ in every)
        beer = (stops for stops in ways if self.with_beer(stops) and own & set(stops) and not self._only_red(stops))
        return "" if next(beer, None) else "no route"
