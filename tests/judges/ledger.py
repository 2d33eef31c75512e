"""A second ledger: every Mark and every certificate, followed from event to event as plain values.

It opens with the books of one position, books what events say was moved, and is then held against the books of a later
position. It imports nothing of the product: positions and events come as dicts, events with their tag under `event`.
Nothing may be paid that is not there (the bank aside), nothing moved from where it does not lie.
"""

from __future__ import annotations

BANK, ASIDE = "bank", "aside:"
POOL, IPO, GONE, DISPLAY = "pool", "io", "gone", "display"


class Ledger:
    """The books of a game. `faults` lists what was booked against the rules of bookkeeping, in plain words."""

    def __init__(self, position):
        self.money = books(position)
        self.papers = papers(position)
        self.trains = trains(position)
        self.faults: list[str] = []

    @property
    def total(self):
        """All money of the game, in Mark."""
        return sum(self.money.values())

    def book(self, event):
        """Book one event; those that move neither money nor papers nor trains are none of the ledger's business."""
        kind = event["event"]
        if kind == "paid":
            self._pay(event["source"], event["target"], event["amount"], event["cause"])
        elif kind == "certificate":
            self._hand(event["company"], event["number"], event["source"], event["target"])
        elif kind == "train":
            self._train(event["train"], event["source"], event["target"])

    def _pay(self, source, target, amount, cause):
        if amount <= 0:
            self.faults.append(f"{cause}: {amount} Mark from {source} to {target}")
        self.money[source] = self.money.get(source, 0) - amount
        self.money[target] = self.money.get(target, 0) + amount
        if source != BANK and self.money[source] < 0:
            self.faults.append(f"{cause}: {source} pays {amount} and is at {self.money[source]}")

    def _hand(self, company, number, source, target):
        key = (company, number)
        if self.papers.get(key) != source:
            self.faults.append(f"certificate {key} is taken from {source} and lies with {self.papers.get(key)}")
        self.papers[key] = target

    def _train(self, train, source, target):
        if self.trains.get((source, train), 0) < 1:
            self.faults.append(f"no {train}-train to take from {source}")
        self.trains[source, train] = self.trains.get((source, train), 0) - 1
        self.trains[target, train] = self.trains.get((target, train), 0) + 1

    def differences(self, position):
        """Where the books and a position do not agree, in plain words."""
        said = []
        for name, mine, theirs in (
            ("money", self.money, books(position)),
            ("certificate", self.papers, papers(position)),
            ("train", self.trains, trains(position)),
        ):
            said += [
                f"{name} {key}: the ledger has {mine.get(key)}, the position {theirs.get(key)}"
                for key in sorted({*mine, *theirs}, key=str)
                if (mine.get(key) or 0) != (theirs.get(key) or 0)
            ]
        return said


def books(position):
    """Every account of a position: players by seat, corporations, the bank, money that lies aside."""
    found = {seat: player["cash"] for seat, player in enumerate(position["players"])}
    found |= {name: company["treasury"] for name, company in position["companies"].items()}
    found |= {ASIDE + name: amount for name, amount in position["aside"].items()}
    found[BANK] = position["bank"]
    return found


def papers(position):
    """Where every certificate lies, by corporation and number."""
    return {
        (name, number): paper["holder"]
        for name, company in position["companies"].items()
        for number, paper in enumerate(company["certificates"])
    }


def trains(position):
    """How many trains of each kind lie where."""
    found: dict = {}
    depot = position["depot"]
    for kind, count in depot["display"].items():
        found[DISPLAY, kind] = count
    for place, kinds in ((POOL, depot["pool"]), (GONE, depot["gone"])):
        for kind in kinds:
            found[place, kind] = found.get((place, kind), 0) + 1
    for name, company in position["companies"].items():
        for kind in company["trains"]:
            found[name, kind] = found.get((name, kind), 0) + 1
    return found


def percent(position, company, place):
    """What lies at a place of a corporation, in per cent."""
    return sum(paper["percent"] for paper in position["companies"][company]["certificates"] if paper["holder"] == place)


def holdings(position, company):
    """Per cent by seat of the players who hold any."""
    held: dict = {}
    for paper in position["companies"][company]["certificates"]:
        if isinstance(paper["holder"], int):
            held[paper["holder"]] = held.get(paper["holder"], 0) + paper["percent"]
    return held


def papers_held(position, seat):
    """How many papers of corporations a player holds, and how many open private companies."""
    count = sum(p["holder"] == seat for c in position["companies"].values() for p in c["certificates"])
    return count + sum(p["owner"] == seat and p["open"] for p in position["privates"].values())
