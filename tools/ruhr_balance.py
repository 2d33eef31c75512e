"""How games of 18Ruhr run and where worth lies at their end: plays games of bots, checks every book, and sums them up.

    python tools/ruhr_balance.py play --games 1000 --seed 20261128 > games.jsonl
    python tools/ruhr_balance.py table games.jsonl

`play` goes through all tables as `trajekt simulate 18ruhr` does, with the same seeds: equal arguments give equal games. A
line a game; a game whose books are wrong, or that cannot go on, says so under `violations`, and `play` then ends with
status 1. `table` prints what docs/research/18ruhr-balance.md shows.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Callable, Sequence

from balance_report import Game, Tool, head, quartiles, run, shares
from trajekt.bots.simulation import GamePlan, plans
from trajekt.engine.events import Event, FramePushed, TrainsRan
from trajekt.engine.state import State
from trajekt.games.ruhr.components import is_montan
from trajekt.games.ruhr.events import Earned
from trajekt.games.ruhr.montan_charters import mines_of
from trajekt.games.ruhr.montan_round import Foundation
from trajekt.games.ruhr.state import ruhr_state
from trajekt.games.ruhr.title import TITLE
from trajekt.rules.stock_round import worth

KINDS = ("cash", "pmc", "railway", "montan")


def worth_by_kind(state: State) -> dict[str, list[int]]:
    """What each seat has at the end, in Mark: cash, pMCs at their value, shares of railways and of MONTAN corporations."""
    found: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for seat, holder in enumerate(state.players):
        sums = dict.fromkeys(KINDS, 0)
        if not holder.bankrupt:
            sums["cash"] = holder.cash
            sums["pmc"] = sum(ruhr_state(state).worth[mine] for mine in mines_of(state, seat))
        for company in state.companies.values():
            kind = "montan" if is_montan(state.sheet, company.id) else "railway"
            if company.percent(seat) and not holder.bankrupt:
                sums[kind] += worth(state, company.id, company.percent(seat))
        for kind in KINDS:
            found[kind].append(sums[kind])
    return found


class Summary:
    """What is kept of a game."""

    def __init__(self, _plan: GamePlan) -> None:
        self.montan_rounds = 0
        self.earned = Counter[str]()

    def watch(self, _state: State, events: Sequence[Event]) -> None:
        """Montan rounds, and who earned."""
        for event in events:
            if isinstance(event, FramePushed) and isinstance(event.frame, Foundation):
                self.montan_rounds += 1
            elif isinstance(event, TrainsRan):
                self.earned["railway"] += event.revenue
            elif isinstance(event, Earned):
                self.earned["pmc" if event.works.isdecimal() else "montan"] += event.revenue

    def kept(self, state: State) -> Game:
        """What a game leaves."""
        return {
            "scenario": ruhr_state(state).scenario,
            "montan_rounds": self.montan_rounds,
            "montan": {c: len(held.mines) for c, held in ruhr_state(state).montan.items()},
            "railways": [c for c, held in state.companies.items() if held.floated and not is_montan(state.sheet, c)],
            "bankrupt": sum(p.bankrupt for p in state.players),
            "earned": dict(self.earned),
            "worth": worth_by_kind(state),
        }


# The table ---------------------------------------------------------------------------------------------------------------


def section(title: str, key: Callable[[Game], object], games: Sequence[Game]) -> None:
    """A table with a row for each value of a key."""
    print(f"\n| {title} | games | actions | ended by bank | cash | pMCs | railways | MONTAN | best total |")
    print("|---|---|---|---|---|---|---|---|---|")
    for value in sorted({str(key(game)) for game in games}):
        here = [game for game in games if str(key(game)) == value]
        bank = 100 * sum(game["reason"] == "bank" for game in here) / len(here)
        parts = shares(here, lambda game, kind: sum(game["worth"][kind]), KINDS)
        best = quartiles([max(game["totals"]) for game in here])
        print(
            f"| {value} | {len(here)} | {quartiles([g['actions'] for g in here])} | {bank:.0f} % | {parts} | {best} |"
        )


def table(games: Sequence[Game]) -> None:
    """All tables, as Markdown."""
    ended = [game for game in games if game["reason"]]
    head(games)
    section("players", lambda game: game["players"], ended)
    section("scenario", lambda game: game["scenario"], ended)
    earned = shares(ended, lambda game, kind: game["earned"].get(kind, 0), ("pmc", "railway", "montan"))
    print(f"\nEarned in all turns | pMCs | railways | MONTAN\n---|---|---|---\nof the whole | {earned}")
    print("\n| company | games in which it operated or was founded |\n|---|---|")
    seen = Counter(c for game in ended for c in (*game["railways"], *game["montan"]))
    for company, number in seen.most_common():
        print(f"| {company} | {100 * number / max(1, len(ended)):.0f} % |")
    phases = Counter(game["phase"] for game in ended)
    print("\nLast phase:", ", ".join(f"{p}: {100 * n / len(ended):.0f} %" for p, n in sorted(phases.items())))
    print("Reason of the end:", ", ".join(f"{r}: {n}" for r, n in Counter(g["reason"] for g in ended).most_common()))
    print("Montan rounds a game:", quartiles([g["montan_rounds"] for g in ended]))
    print("Bankruptcies a game:", f"{statistics.mean(g['bankrupt'] for g in ended):.2f}")


def chosen(args: argparse.Namespace) -> Sequence[GamePlan]:
    """Every table that the game knows, in turn."""
    return plans(TITLE, args.games, args.seed, kinds=tuple(args.bot.split(",")))


if __name__ == "__main__":
    run(Tool((__doc__ or "").partition("\n")[0], TITLE, chosen, Summary, table))
