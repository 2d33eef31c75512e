"""Certificates as judges see them: which papers come to a sum, what lies where, and where it lies after a sale or a purchase.

Papers are sizes in per cent, the director's certificate as a minus.
"""

from __future__ import annotations

from itertools import product

from tests.judges.ledger import POOL

SIZES = (30, 20, 10)


def baskets(sizes, total):
    """Every choice of papers, as sizes from large to small, that comes to a sum; those with fewest papers first."""
    found = set()
    for counts in product(*(range(sizes.count(size) + 1) for size in SIZES)):
        chosen = tuple(size for size, count in zip(SIZES, counts, strict=True) for _ in range(count))
        if sum(chosen) == total:
            found.add(chosen)
    return sorted(found, key=lambda each: (len(each), each))


class Certificates:
    """One position and a seat that trades in it; a game says which `ways` a sale may go and whom the directorship follows."""

    def papers(self, company, place):
        """The sizes of the ordinary certificates at a place, in the order of the stack."""
        found = self.position["companies"][company]["certificates"]
        return [paper["percent"] for paper in found if paper["holder"] == place and not paper["director"]]

    def director_size(self, company):
        """The size of the director's certificate."""
        return next(p["percent"] for p in self.position["companies"][company]["certificates"] if p["director"])

    def lying(self, company):
        """The papers of a corporation by place."""
        found = {}
        for paper in self.position["companies"][company]["certificates"]:
            size = -paper["percent"] if paper["director"] else paper["percent"]
            found.setdefault(paper["holder"], []).append(size)
        return found

    def after_sale(self, company, size, sizes=()):
        """Who directs and what lies where after a sale, as `(director, papers by place)`."""
        ways = self.ways(company, size)
        sold, follower, given = next((way for way in ways if way[0] == tuple(sizes)), ways[0])
        lies, director = self.lying(company), self.position["companies"][company]["director"]
        if follower is not None:
            swap(lies, director, follower, self.director_size(company), given)
            director = follower
        for paper in sold:
            hand(lies, self.seat, POOL, paper)
        return self.followed(company, director, lies)

    def after_purchase(self, company, source, size):
        """Who directs and what lies where after the purchase of a certificate, floating aside."""
        lies = self.lying(company)
        hand(lies, source, self.seat, size)
        return self.followed(company, self.position["companies"][company]["director"], lies)


def hand(lies, source, target, paper):
    """Move one paper."""
    lies[source].remove(paper)
    lies.setdefault(target, []).append(paper)


def swap(lies, former, follower, chief, given):
    """The director's certificate against ordinary ones of the same size."""
    hand(lies, former, follower, -chief)
    for paper in given:
        hand(lies, follower, former, paper)


def tidy(lies):
    """Papers by place in one order, empty places left out."""
    return {place: sorted(papers, reverse=True) for place, papers in lies.items() if papers}
