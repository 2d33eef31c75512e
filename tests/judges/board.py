"""A plain, slow board for judges: what lies on the map, which ways run over it, and which of them a train may take.

It knows a component sheet and a position as plain values (dicts, lists, numbers) and imports nothing of the product. Edges
are 0 to 5 clockwise; an end of track is an edge, or 6 and up for the stops of the face. A *way* is a row of steps
`(hex, from, to)`; what it uses up are sides of hexes, so that two pieces of one junction that share an edge are one track.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import product

STOP = 6  # the first number of an end that is a stop
ENDS = "012345abcdefghijklmnopqrstuvwxyz"  # how references write them
AROUND = {  # rows down and columns right, from a hex to its neighbour across edge 0, 1, ... 5
    "pointy": ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)),
    "flat": ((2, 0), (1, -1), (-1, -1), (-2, 0), (-1, 1), (1, 1)),
}


class Undecided(Exception):
    """A question that would take more steps than allowed; whoever compares leaves it out and counts it."""


def rank(sheet, colour):
    """The place of a colour in the order of tiles: open land is -1, one outside the order (red) comes last."""
    order = list(sheet["colours"])
    return -1 if not colour else order.index(colour) if colour in order else len(order)


def switched(sheet, name):
    """Tell whether a table has chosen a ruling or a variant; a sheet without options is the book's own game."""
    return bool(sheet.get("options", {}).get(name))


def amount(sheet, stop, colour):
    """What a stop pays in Mark while a colour's values are in force."""
    revenue = stop.get("revenue") or {}
    if "" in revenue:
        return revenue[""]
    paid = 0
    for step in list(sheet["colours"])[: rank(sheet, colour) + 1]:
        paid = revenue.get(step, paid)
    return paid


def turned(face, turn):
    """A face turned clockwise by so many edges; stops keep their places in the list."""

    def end(number):
        return (number + turn) % 6 if number < STOP else number

    track = [{**piece, "a": end(piece["a"]), "b": end(piece["b"])} for piece in face["track"]]
    return {**face, "track": track}


def edges(face):
    """The edges of a face to which track runs."""
    return {end for piece in face["track"] for end in (piece["a"], piece["b"]) if end < STOP}


class Board:
    """The map of a sheet with what a position puts on it (`contents_by_hex`: tile, rotation, stations, homes, icons)."""

    def __init__(self, sheet, contents_by_hex):
        self.sheet, self.contents_by_hex = sheet, contents_by_hex
        self._faces, self._moves = {}, {}

    def contents(self, at):
        return self.contents_by_hex.get(at) or {"tile": "", "turn": 0, "stations": [], "kept": [], "icons": []}

    def face(self, at):
        """What a hex shows: the tile as it lies, or the print."""
        if at not in self._faces:
            contents = self.contents(at)
            tile = contents["tile"]
            self._faces[at] = (
                turned(self.sheet["tiles"][tile]["face"], contents["turn"]) if tile else self.sheet["hexes"][at]["face"]
            )
        return self._faces[at]

    def beyond(self, at, edge):
        """The coordinate across an edge, on the map or not."""
        letters, number = at.rstrip("0123456789"), int(at.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        down, right = AROUND[self.sheet["layout"]][edge]
        return f"{chr(ord(letters) + down)}{number + right}"

    def side(self, at, edge):
        """The one name of a side, whichever of its two hexes it is asked from."""
        return min((at, edge), (self.beyond(at, edge), (edge + 3) % 6))

    def stops(self):
        """Every stop of the map as `(hex, number)`."""
        return [(at, n) for at in self.sheet["hexes"] for n in range(len(self.face(at)["stops"]))]

    def stop(self, place):
        """What is printed for a stop `(hex, number)`."""
        return self.face(place[0])["stops"][place[1]]

    def stations(self, company):
        """The stops where a company has a station that is awake."""
        return [
            (at, station["stop"])
            for at, contents in self.contents_by_hex.items()
            for station in contents["stations"]
            if station["company"] == company and not station["asleep"]
        ]

    def awake(self, place):
        """The companies whose stations at a stop are awake."""
        at, number = place
        return [s["company"] for s in self.contents(at)["stations"] if s["stop"] == number and not s["asleep"]]

    def steps_from(self, at, end):
        """The steps that begin at an end of a hex's track."""
        key = (at, end)
        if key not in self._moves:
            found = []
            for piece in self.face(at)["track"]:
                if piece["a"] == end:
                    found.append((at, end, piece["b"]))
                if piece["b"] == end:
                    found.append((at, end, piece["a"]))
            self._moves[key] = found
        return self._moves[key]

    def goes_on(self, step, may_pass):
        """The steps that may follow: over a side those of the hex beyond, at a stop all but back over the same piece."""
        at, start, end = step
        if end >= STOP:
            if not may_pass((at, end - STOP)):
                return []
            return [after for after in self.steps_from(at, end) if after != (at, end, start)]
        other = self.beyond(at, end)
        return self.steps_from(other, (end + 3) % 6) if other in self.sheet["hexes"] else []

    def use(self, step):
        """What a step uses up when it is taken: the side that it leaves by, or the piece between two stops, else nothing."""
        at, start, end = step
        if end < STOP:
            return self.side(at, end)
        return (at, min(start, end), max(start, end)) if start >= STOP else None

    def read(self, track):
        """The steps of a route given as references of its track in order; None where they make no way between two stops."""
        pieces = []
        for ref in track:
            at, _, pair = ref.partition(":")
            if at not in self.sheet["hexes"] or len(pair) != 2 or any(char not in ENDS for char in pair):
                return None
            pieces.append((at, *(ENDS.index(char) for char in pair)))
        for turned in (0, 1):
            steps = [(pieces[0][0], pieces[0][1 + turned], pieces[0][2 - turned])]
            for at, a, b in pieces[1:]:
                last, _, end = steps[-1]
                start = (last, end) if end >= STOP else (self.beyond(last, end), (end + 3) % 6)
                steps += [(at, x, y) for x, y in ((a, b), (b, a)) if (at, x) == start][:1]
            known = all(step in self.steps_from(step[0], step[1]) for step in steps)
            if known and len(steps) == len(pieces) and steps[0][1] >= STOP and steps[-1][2] >= STOP:
                return steps
        return None

    def stops_and_uses(self, steps):
        """The stops of a route in order, and all that it uses up."""
        stops = [(steps[0][0], steps[0][1] - STOP), *((at, end - STOP) for at, _, end in steps if end >= STOP)]
        return stops, [use for step in steps if (use := self.use(step)) is not None]

    # Reach ----------------------------------------------------------------------------------------------------------------

    def earned(self, trains, runs, wrong, earns):
        """What the runs of a `run_trains` action earn, or a word for what is wrong with them.

        `wrong` and `earns` are asked of each by its train, its stops and its steps.
        """
        left, used, total = list(trains), set(), 0
        for each in runs:
            if each["train"] not in left:
                return "train"
            left.remove(each["train"])
            steps = self.read(each["track"])
            if steps is None:
                return "track"
            stops, uses = self.stops_and_uses(steps)
            fault = wrong(each["train"], stops, steps)
            if fault or len(set(uses)) < len(uses) or used & set(uses):
                return fault or "track twice"
            used |= set(uses)
            total += earns(each["train"], stops, steps)
        return total


def touched(board, starts, may_pass):
    """Every step that one gets to when track may be used again: an upper bound, never too small."""
    found = {step for at, n in starts for step in board.steps_from(at, n + STOP)}
    todo = list(found)
    while todo:
        for after in board.goes_on(todo.pop(), may_pass):
            if after not in found:
                found.add(after)
                todo.append(after)
    return found


def reached(board, starts, may_pass, limit=200_000):
    """Every step that ends some way from these stops on which no track is used twice.

    Shortest ways first, which settle most; then every way, until nothing is in doubt. Raises `Undecided` past `limit` steps.
    """
    first = [step for at, n in starts for step in board.steps_from(at, n + STOP)]
    settled = {}
    queue = deque()
    for step in first:
        use = board.use(step)
        if step not in settled:
            settled[step] = frozenset({use} - {None})
            queue.append(step)
    while queue:
        step = queue.popleft()
        used = settled[step]
        for after in board.goes_on(step, may_pass):
            use = board.use(after)
            if after not in settled and use not in used:
                settled[after] = used | ({use} - {None})
                queue.append(after)
    doubtful = touched(board, starts, may_pass) - settled.keys()
    taken = 0
    open_ways = [(step, frozenset({board.use(step)} - {None})) for step in first]
    while doubtful and open_ways:
        step, used = open_ways.pop()
        doubtful.discard(step)
        taken += 1
        if taken > limit:
            raise Undecided
        for after in board.goes_on(step, may_pass):
            use = board.use(after)
            if use not in used:
                open_ways.append((after, used | ({use} - {None})))
    return touched(board, starts, may_pass) - doubtful


def hexes_of(steps, starts):
    """The hexes with reached track, and those of the stations themselves."""
    return {at for at, _, _ in steps} | {at for at, _ in starts}


def stops_of(steps, starts):
    """The reached stops, and those of the stations themselves."""
    return {(at, end - STOP) for at, _, end in steps if end >= STOP} | set(starts)


def arrivals(board, steps):
    """The sides of hexes at which reached track arrives: `(hex, edge)` of the hex beyond."""
    return {(board.beyond(at, end), (end + 3) % 6) for at, _, end in steps if end < STOP}


# Lays -----------------------------------------------------------------------------------------------------------------


def runs_off(board, at, face, printed_edges=()):
    """The edges of a face that run off the map or against a blank side of a hex that is finished as printed."""
    wrong = []
    for edge in sorted(edges(face) - set(printed_edges)):
        other = board.beyond(at, edge)
        hexes = board.sheet["hexes"]
        if other not in hexes:
            wrong.append(edge)
            continue
        colour = hexes[other]["face"]["colour"]
        done = rank(board.sheet, colour) >= len(board.sheet["colours"]) - 1 or hexes[other].get("fixed")
        if done and (edge + 3) % 6 not in edges(hexes[other]["face"]):
            wrong.append(edge)
    return wrong


def keeps_track(old, new):
    """The ways in which the stops of an old face may lie on a new one so that all old track is kept, best first.

    A way is a tuple: for each old stop the number of its new one. Stops merge only where there are fewer.
    """
    apart = min(len(old["stops"]), len(new["stops"]))
    has = {(*sorted((piece["a"], piece["b"])),) for piece in new["track"]}
    found = []
    for choice in product(range(len(new["stops"])), repeat=len(old["stops"])):
        if len(set(choice)) != apart:
            continue

        def moved(end, choice=choice):
            return end if end < STOP else STOP + choice[end - STOP]

        pairs = [tuple(sorted((moved(piece["a"]), moved(piece["b"])))) for piece in old["track"]]
        # a town that the new face adds may lie on the way from a side to an old stop, as on the promotion tiles of 18Rhl
        added = [STOP + number for number in range(len(new["stops"])) if number not in choice]
        if all(
            a == b
            or (a, b) in has
            or (b >= STOP and any((a, via) in has and tuple(sorted((b, via))) in has for via in added))
            for a, b in pairs
        ):
            found.append(choice)
    return found


# Routes ---------------------------------------------------------------------------------------------------------------


def routes(board, may_pass, too_long: Callable[[list], bool], starts: Iterable, limit=300_000) -> Iterator[tuple]:
    """Every way between two stops that visits no stop twice and uses no track twice, as `(stops, steps, uses)`.

    Each is found once, whichever end it is run from. `too_long` tells of the stops so far whether to go no further;
    `starts` are the stops from which to look. Raises `Undecided` past `limit` steps.
    """
    seen = set()
    taken = 0
    for start in starts:
        first = board.steps_from(start[0], start[1] + STOP)
        open_ways = [([start], (step,), frozenset({board.use(step)} - {None})) for step in first]
        while open_ways:
            stops, steps, used = open_ways.pop()
            taken += 1
            if taken > limit:
                raise Undecided
            at, _, end = steps[-1]
            if end >= STOP:
                here = (at, end - STOP)
                if here in stops:
                    continue
                stops = [*stops, here]
                if too_long(stops):
                    continue
                key = frozenset((h, *sorted((a, b))) for h, a, b in steps)
                if key not in seen:
                    seen.add(key)
                    yield tuple(stops), steps, used
            for after in board.goes_on(steps[-1], may_pass):
                use = board.use(after)
                if use not in used:
                    open_ways.append((stops, (*steps, after), used | ({use} - {None})))


def best_sum(choices, limit=200_000):
    """The most that one route each of several trains earns when none shares track: `choices` lists (Mark, uses) by train.

    A train may stay at home. Raises `Undecided` past `limit` steps.
    """
    ordered = [sorted(found, key=lambda each: -each[0]) for found in choices]
    tops = [max((each[0] for each in found), default=0) for found in ordered]
    best = taken = 0

    def look(train, earned, used):
        nonlocal best, taken
        best = max(best, earned)
        if train == len(ordered) or earned + sum(tops[train:]) <= best:
            return
        for mark, uses in ordered[train]:
            taken += 1
            if taken > limit:
                raise Undecided
            if earned + mark + sum(tops[train + 1 :]) <= best:
                break
            if not uses & used:
                look(train + 1, earned + mark, used | uses)
        look(train + 1, earned, used)

    look(0, 0, frozenset())
    return best
