"""How games of 18DO run and who earns what: plays games of bots, checks every book, and sums them up by set of rounds.

    python tools/do_balance.py play --games 1000 --seed 20261128 > games.jsonl
    python tools/do_balance.py table games.jsonl

`play` goes in turn through both main games with three, four and five players, or with `--variant` through the Railway Game or
the Introduction Game, with the rulings' defaults. A line a game; a game whose books are wrong, or that cannot go on, says so
under `violations`, and `play` then ends with status 1. `table` prints what docs/research/18do-balance.md shows.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from balance_report import Game, Tool, head, quartiles, run, shares
from trajekt.bots.simulation import GamePlan
from trajekt.engine.events import Event, PhaseBegan, TrainsRan
from trajekt.engine.state import State
from trajekt.games.do.components import do_components, is_railway
from trajekt.games.do.events import BeerMoved, BreweryEarned, CorporationClosed, SegmentSet, TokenLaid
from trajekt.games.do.state import is_minor, minor_of
from trajekt.games.do.title import TITLE
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import worth

TABLES = {
    "main": tuple((game, players) for game in ("full", "expert") for players in (3, 4, 5)),
    "railway": tuple(("railway", players) for players in (3, 4, 5)),
    "introduction": tuple(("introduction", players) for players in (2, 3, 4)),
}
KINDS = ("cash", "railways", "breweries", "minors")
EARNERS = ("railway", "minor", "corporation")


class Summary:
    """What is kept of a game: incomes as [set, kind of earner, who, Mark], and what else shows how it ran."""

    def __init__(self, _plan: GamePlan) -> None:
        self.incomes: list[tuple[int, str, str, int]] = []
        self.phases: dict[str, int] = {}
        self.count = Counter[str]()

    def watch(self, state: State, events: Sequence[Event]) -> None:
        """Incomes of turns, beginnings of phases, exports, links, segments closed, bankruptcies."""
        rounds = state.agenda[0] if state.agenda else None
        number = rounds.number if isinstance(rounds, Rounds) else do_components(state.sheet).sets
        for event in events:
            if isinstance(event, TrainsRan):
                self.incomes.append((number, "railway", event.company, event.revenue))
            elif isinstance(event, BreweryEarned):
                kind = "minor" if is_minor(state, event.company) else "corporation"
                self.incomes.append((number, kind, event.company, event.revenue))
            elif isinstance(event, PhaseBegan):
                self.phases[event.phase] = number
            elif isinstance(event, BeerMoved) and event.cause == "loaded":
                self.count["exported"] += event.count
            elif isinstance(event, BeerMoved) and event.cause == "delivered":
                self.count["delivered"] += event.count
            elif isinstance(event, TokenLaid):
                self.count["links"] += 1
            elif isinstance(event, SegmentSet) and event.closed and event.cause == "clearing":
                self.count["closed"] += 1
            elif isinstance(event, CorporationClosed):
                self.count["bankrupt"] += 1

    def kept(self, state: State) -> Game:
        """What a game leaves."""
        found: dict[str, int] = dict.fromkeys(KINDS, 0)
        for seat, player in enumerate(state.players):
            found["cash"] += player.cash
            minor = minor_of(state, seat)
            found["minors"] += do_components(state.sheet).minors[minor].price if minor else 0
            for company in state.companies.values():
                kind = "railways" if is_railway(state.sheet, company.id) else "breweries"
                found[kind] += worth(state, company.id, company.percent(seat)) if company.percent(seat) else 0
        return {
            "incomes": self.incomes,
            "phases": self.phases,
            "count": dict(self.count),
            "worth": found,
            "credits": sum(player.loans for player in state.players),
        }


# The tables --------------------------------------------------------------------------------------------------------------


def mean(values: Iterable[float]) -> str:
    """The mean, or a dash where there is none."""
    found = list(values)
    return f"{statistics.mean(found):,.0f}" if found else "-"


def per_cent(part: int, whole: int) -> str:
    """A part of a whole."""
    return f"{100 * part / max(1, whole):.0f} %"


def games_table(games: Sequence[Game]) -> None:
    """A row for each game and number of players."""
    print(
        "\n| game, players | games | actions | cash | railways | brewery corporations | minors | best total | credits |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name, players in (row for tables in TABLES.values() for row in tables):
        here = [g for g in games if (g["options"]["game"], g["players"]) == (name, players)]
        if here:
            row = shares(here, lambda game, kind: game["worth"][kind], KINDS)
            best, actions = quartiles([max(g["totals"]) for g in here]), quartiles([g["actions"] for g in here])
            owed = mean(g["credits"] for g in here)
            print(f"| {name}, {players} | {len(here)} | {actions} | {row} | {best} | {owed} |")


def by_set(games: Sequence[Game]) -> None:
    """The mean income of a turn by set, and how many turns of a kind a set has."""
    incomes: dict[tuple[int, str], list[int]] = defaultdict(list)
    for game in games:
        for number, kind, _who, income in game["incomes"]:
            incomes[number, kind].append(income)
    columns = ("turns a game", "income")
    heads = ("set", *(f"{kind}: {each}" for kind in EARNERS for each in columns), "railway without any")
    print(f"\n| {' | '.join(heads)} |")
    print("|---|---|---|---|---|---|---|---|")
    for number in sorted({number for number, _ in incomes}):
        rail, minor, corporation = (incomes[number, kind] for kind in EARNERS)
        turns = [f"{len(each) / len(games):.1f}" for each in (rail, minor, corporation)]
        none = per_cent(sum(not income for income in rail), len(rail))
        pairs = zip(turns, (mean(rail), mean(minor), mean(corporation)), strict=True)
        print(f"| {number} | {' | '.join(' | '.join(pair) for pair in pairs)} | {none} |")


def by_earner(games: Sequence[Game], kind: str) -> None:
    """Each railway or brewery: in how many games it had a turn, its turns, and its income by set."""
    found: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    played: dict[str, set[int]] = defaultdict(set)
    for game in games:
        for number, what, who, income in game["incomes"]:
            if what == kind:
                found[who][number].append(income)
                played[who].add(game["game"])
    sets = sorted({number for each in found.values() for number in each})
    print(f"\n| {kind} | games | turns a game | income of a turn | {' | '.join(f'set {n}' for n in sets)} |")
    print("|---|---|---|---|" + "---|" * len(sets))
    for who in sorted(found, key=lambda name: -len(played[name])):
        every = [income for incomes in found[who].values() for income in incomes]
        row = " | ".join(mean(found[who][n]) for n in sets)
        share, turns = per_cent(len(played[who]), len(games)), len(every) / max(1, len(played[who]))
        print(f"| {who} | {share} | {turns:.1f} | {mean(every)} | {row} |")


def when(games: Sequence[Game], phase: str) -> str:
    """In how many games a phase began, and in which set."""
    begun = [game["phases"][phase] for game in games if phase in game["phases"]]
    return f"{phase}: {per_cent(len(begun), len(games))}" + (f", set {statistics.mean(begun):.1f}" if begun else "")


def table(games: Sequence[Game]) -> None:
    """All tables, as Markdown."""
    head(games)
    ended = [game for game in games if game["reason"]]
    games_table(ended)
    by_set(ended)
    for kind in EARNERS:
        by_earner(ended, kind)
    print("\nPhases begun:", "; ".join(when(ended, phase) for phase in ("3", "4", "5", "6", "8")))

    def counted(name: str) -> str:
        return f"{statistics.mean(g['count'].get(name, 0) for g in ended):.1f}"

    names = ("delivered", "exported", "links", "closed", "bankrupt")
    print("A game has on average:", ", ".join(f"{name} {counted(name)}" for name in names))


def chosen(args: argparse.Namespace) -> Sequence[GamePlan]:
    """The games of a variant for each number of players, in turn."""
    kinds = tuple(args.bot.split(","))
    tables = TABLES[args.variant]
    rows = (tables[n % len(tables)] for n in range(args.games))
    return [
        GamePlan(TITLE.id, n, args.seed + n, players, {"edition": 1, "game": game}, kinds)
        for n, (game, players) in enumerate(rows)
    ]


if __name__ == "__main__":
    run(Tool((__doc__ or "").partition("\n")[0], TITLE, chosen, Summary, table, tuple(TABLES)))
