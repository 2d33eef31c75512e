"""Tell what never happens: actions, events with their causes, and refusals that no game out of many has met.

Plays random games, and a few between `steady` players, of one game; in some positions every candidate is explained and
actions of other moments are tried, so that refusals are met too. Prints Markdown.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.judges.plain import Move, bot_moves, moves  # noqa: E402  the path to the tests comes first
from trajekt.engine.agenda import awaited  # noqa: E402  as above
from trajekt.engine.decisions import explain, refusal  # noqa: E402  as above
from trajekt.engine.events import SHARED  # noqa: E402  as above
from trajekt.engine.ruleset import Ruleset  # noqa: E402  as above
from trajekt.i18n.sentences import catalogue  # noqa: E402  as above
from trajekt.registry import title  # noqa: E402  as above


class Seen:
    """What has been met, counted."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.actions: Counter[str] = Counter()
        self.events: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.positions = 0

    def note(self, move: Move, lots: random.Random) -> None:
        """One decision, and in one position of eight what is refused there."""
        self.positions += 1
        self.actions[type(move.action).__name__] += 1
        for event in move.decision.events:
            cause = getattr(event, "cause", "")
            self.events[type(event).__name__ + (f" ({cause})" if cause else "")] += 1
            if cause:
                self.events[type(event).__name__] += 1
        if lots.random() > 1 / 8:
            return
        after = move.decision.state
        for seat in awaited(self.ruleset, after):
            for _, refusals in explain(self.ruleset, after, seat):
                self.refusals.update(str(no.code) for no in refusals)
        for seat in range(len(after.players)):
            no = refusal(self.ruleset, after, seat, move.action)
            if no is not None:
                self.refusals[str(no.code)] += 1


def main() -> None:
    """Play, and print what was not met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="18rhl, 18lra, 18ruhr or 18do")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--steady", type=int, default=0, help="how many of them between `steady` players")
    parser.add_argument("--edition", type=int)
    asked = parser.parse_args()
    found = title(asked.game)
    options = found.options({} if asked.edition is None else {"edition": asked.edition})
    ruleset = found.build(found.sheet(options, None), options)
    low, high = ruleset.sheet.players
    seen = Seen(ruleset)
    for seed in range(asked.games):
        players, lots = max(3, low) + seed % (high - max(3, low) + 1), random.Random(seed)
        steady = seed < asked.steady
        for move in bot_moves(ruleset, players, seed, "steady") if steady else moves(ruleset, players, seed):
            seen.note(move, lots)
    known = catalogue("en", found.package).entries
    lists = (
        ("Actions", {kind.__name__ for kind in ruleset.actions}, seen.actions),
        ("Events", {kind.__name__ for kind in (*SHARED, *ruleset.own)}, seen.events),
        ("Refusals", {key.removeprefix("refusal.") for key in known if key.startswith("refusal.")}, seen.refusals),
    )
    print(
        f"{ruleset.name}: {asked.games} games ({asked.steady} between steady players), {seen.positions:,} decisions\n"
    )
    for name, every, met in lists:
        missing = sorted(each for each in every if not met[each])
        rare = sorted(each for each in every if 0 < met[each] < 5)
        print(f"- {name}: {len(every) - len(missing)} of {len(every)} met")
        print(f"  - never: {', '.join(missing) or 'none'}")
        print(f"  - fewer than five times: {', '.join(rare) or 'none'}")


if __name__ == "__main__":
    main()
