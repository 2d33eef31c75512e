"""18LRA for two players: what the Investor buys in its turns of a stock round (LRA-TWO-04), told from the rule sheet.

It imports nothing of the product. The Investor is the holder outside the players, and acts after the second of them.
"""

from __future__ import annotations

from tests.judges.ledger import IPO, POOL, percent
from tests.judges.rhine_shares import CHARTER, RhineShares


def investor_of(position):
    """The seat of the Investor, None without one."""
    return next((seat for seat, player in enumerate(position["players"]) if player["outside"]), None)


def purchase(sheet, position):
    """The certificate that the Investor takes, as `(corporation, source, per cent)`; None where it passes.

    An ordinary one of the dearest corporation of which it can pay one and holds less than a half: from the charter, the
    initial offering, then the pool.
    """
    seat = investor_of(position)
    judge = RhineShares(sheet, position, "lra", seat)
    spaces, arrivals = position["markers"]["spaces"], position["markers"]["arrivals"]
    dearest = sorted(spaces, key=lambda n: (-judge.price(n), -spaces[n][1], list(arrivals).index(n)))
    for name in dearest:
        company = position["companies"][name]
        if not company["founded"] or percent(position, name, seat) >= 50:
            continue
        for source in (CHARTER, IPO, POOL):
            lying = judge.papers(name, source)
            for size in sorted(set(lying[:1] if source == IPO else lying)):
                if judge.price(name) * size // 10 <= position["players"][seat]["cash"]:
                    return name, source, size
    return None
