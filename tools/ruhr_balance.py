"""How games of 18Ruhr run and where worth lies at their end: plays games of programs, checks every book, and sums them up.

    python tools/ruhr_balance.py play --games 1000 --seed 20261128 > games.jsonl
    python tools/ruhr_balance.py table games.jsonl

`play` goes through all tables as `trajekt simulate 18ruhr` does, with the same seeds: equal arguments give equal games. A
line a game; a game whose books are wrong, or that cannot go on, says so under `violations`, and `play` then ends with
status 1. `table` prints what docs/18ruhr-balance.md shows.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from trajekt.bots.player import next_move, player
from trajekt.bots.simulate import PATIENCE, Plan, plans
from trajekt.engine.digest import digest
from trajekt.engine.events import Pushed, Ran
from trajekt.engine.model import State
from trajekt.engine.play import blank_of, decide, fold, start
from trajekt.engine.rule import Refusal
from trajekt.games.ruhr.charters import mines_of
from trajekt.games.ruhr.montan_round import Foundation
from trajekt.games.ruhr.parts import is_montan
from trajekt.games.ruhr.record import Earned, ruhr
from trajekt.games.ruhr.title import TITLE
from trajekt.rules.history import faults
from trajekt.rules.shares import worth

KINDS = ("cash", "pmc", "railway", "montan")
Game = dict[str, Any]


def worth_by_kind(state: State) -> dict[str, list[int]]:
    """What each seat has at the end, in Mark: cash, pMCs at their value, shares of railways and of MONTAN corporations."""
    found: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for seat, holder in enumerate(state.players):
        sums = dict.fromkeys(KINDS, 0)
        if not holder.bankrupt:
            sums["cash"] = holder.cash
            sums["pmc"] = sum(ruhr(state).worth[mine] for mine in mines_of(state, seat))
        for company in state.companies.values():
            kind = "montan" if is_montan(state.sheet, company.id) else "railway"
            if company.percent(seat) and not holder.bankrupt:
                sums[kind] += worth(state, company.id, company.percent(seat))
        for kind in KINDS:
            found[kind].append(sums[kind])
    return found


def play(plan: Plan) -> Game:
    """One game to its end, every book checked after every action."""
    options = TITLE.options(dict(plan.options))
    ruleset = TITLE.build(TITLE.sheet(options, None), options)
    names = tuple(f"P{n + 1}" for n in range(plan.players))
    opening = start(ruleset, names, plan.seed, shuffle=not options.fixed_seats)
    state, events = opening.state, list(opening.events)
    lots = random.Random(plan.seed)  # noqa: S311  equal seeds must play equal games
    seats = [player(plan.kinds[n % len(plan.kinds)], lots) for n in range(plan.players)]
    wrong: list[str] = []
    actions, montan_rounds, earned = 0, 0, Counter[str]()
    while not state.outcome and not wrong and actions < PATIENCE:
        found = next_move(ruleset, state, seats, lots)
        if found is None:
            wrong.append(f"nobody can act on {state.top!r}")
            break
        answer = decide(ruleset, state, found[0], found[1].action)
        if isinstance(answer, Refusal):
            wrong.append(f"{found[1].action!r} was listed and is refused: {answer.code} ({answer.rule})")
            break
        actions += 1
        if state.board is not answer.state.board:
            state.board.forget()
        state = answer.state
        events += answer.events
        for event in answer.events:
            if isinstance(event, Pushed) and isinstance(event.frame, Foundation):
                montan_rounds += 1
            elif isinstance(event, Ran):
                earned["railway"] += event.revenue
            elif isinstance(event, Earned):
                earned["pmc" if event.works.isdecimal() else "montan"] += event.revenue
        wrong += [message for invariant in ruleset.invariants for message in invariant(state)]
    if state.outcome and not wrong:
        wrong += faults(ruleset, blank_of(ruleset, names), events)
        if digest(fold(ruleset, blank_of(ruleset, names), events)) != digest(state):
            wrong.append("the events do not fold to the last position")
    floated = [c for c, held in state.companies.items() if held.floated and not is_montan(state.sheet, c)]
    return {
        "game": plan.number,
        "seed": plan.seed,
        "players": plan.players,
        "options": dict(plan.options),
        "scenario": ruhr(state).scenario,
        "actions": actions,
        "reason": state.outcome,
        "phase": state.phase,
        "montan_rounds": montan_rounds,
        "montan": {c: len(held.mines) for c, held in ruhr(state).montan.items()},
        "railways": floated,
        "bankrupt": sum(p.bankrupt for p in state.players),
        "earned": dict(earned),
        "worth": worth_by_kind(state),
        "totals": [s.total for s in sorted(TITLE.standings(state), key=lambda s: s.seat)],
        "violations": wrong,
    }


# The table ---------------------------------------------------------------------------------------------------------------


def quartiles(values: Sequence[float]) -> str:
    """The median and the middle half."""
    if len(values) < 2:
        return str(round(values[0])) if values else "-"
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:,.0f} ({low:,.0f} to {high:,.0f})"


def shares(games: Iterable[Game], field: Callable[[Game, str], float], kinds: Sequence[str]) -> str:
    """Each kind's part of the whole, in per cent."""
    sums = {kind: sum(field(game, kind) for game in games) for kind in kinds}
    whole = sum(sums.values()) or 1
    return " | ".join(f"{100 * sums[kind] / whole:.0f} %" for kind in kinds)


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
    wrong = [game for game in games if game["violations"]]
    ended = [game for game in games if game["reason"]]
    print(
        f"{len(games)} games, {len(ended)} ended, {len(wrong)} with a violation, {sum(g['actions'] for g in games):,} actions."
    )
    for game in wrong:
        print(
            f"- game {game['game']}, seed {game['seed']}, {game['players']} players, {game['options']}: {game['violations'][0]}"
        )
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


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", choices=("play", "table"))
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=20261128)
    parser.add_argument("--player", default="random")
    chosen = parser.parse_args()
    if chosen.what == "table":
        lines = chosen.file.read_text(encoding="utf-8").splitlines()
        table([json.loads(line) for line in lines])
        return 0
    status = 0
    for plan in plans(TITLE, chosen.games, chosen.seed, kinds=tuple(chosen.player.split(","))):
        game = play(plan)
        status |= bool(game["violations"])
        print(json.dumps(game), flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
