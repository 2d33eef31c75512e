"""Tell what never happens: actions, events with their causes, and refusals that no game out of many has met.

Plays random games, and a few between `steady` players, of one game; in some positions every candidate is explained, and
actions of other moments and with one field changed are tried, so that refusals are met too. What only the code of a sister game
says is left out. Prints Markdown.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.i18n.test_refusals import changed  # noqa: E402  the path to the tests comes first
from tests.judges.plain import Move, bot_moves, moves  # noqa: E402  the path to the tests comes first
from tests.judges.rhine_games import busy  # noqa: E402  as above
from trajekt.engine.actions import Action  # noqa: E402  as above
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
        self.kinds: dict[type[Action], Action] = {}

    def note(self, move: Move, rng: random.Random) -> None:
        """One decision, and in one position of eight what is refused there."""
        self.positions += 1
        self.actions[type(move.action).__name__] += 1
        for event in move.decision.events:
            cause = getattr(event, "cause", "")
            self.events[type(event).__name__ + (f" ({cause})" if cause else "")] += 1
            if cause:
                self.events[type(event).__name__] += 1
        if rng.random() > 1 / 8:
            return
        after = move.decision.state
        self.kinds[type(move.action)] = move.action
        for seat in awaited(self.ruleset, after):
            for _, refusals in explain(self.ruleset, after, seat):
                self.refusals.update(str(no.code) for no in refusals)
        for seat in range(len(after.players)):
            for action in (move.action, *(changed(rng, kind) for kind in self.kinds.values())):
                no = refusal(self.ruleset, after, seat, action)
                if no is not None:
                    self.refusals[str(no.code)] += 1


def spoken_by(package: str, code: str) -> bool:
    """Tell whether the code of the engine, of the shared rules or of a game's own package names a refusal."""
    folders = (*(ROOT / "src/trajekt" / name for name in ("engine", "rules")), ROOT / "src" / package.replace(".", "/"))
    files = [file for folder in folders for file in folder.rglob("*.py") if file.name != "refusals.py"]
    name = re.compile(rf"\b(Code|Why|WhyNot|Reason|Fault)\.{code.upper()}\b|\"{code}\"")
    return any(name.search(_declared(file)) for file in files)


@cache
def _declared(file: Path) -> str:
    """The text of a module without the list of all codes."""
    text = file.read_text(encoding="utf-8")
    return re.sub(r"^    [A-Z_]+ = \"\w+\"$", "", text, flags=re.MULTILINE)


def value_of(text: str) -> object:
    """The value of an option as JSON, or the word itself."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def main() -> None:
    """Play, and print what was not met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="18rhl, 18lra, 18ruhr or 18do")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--steady", type=int, default=0, help="how many of them between `steady` players")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option, in JSON (compat=true)"
    )
    parser.add_argument("--components", help="corrections of the sheet, as a file or folder")
    asked = parser.parse_args()
    found = title(asked.game)
    given = dict(each.split("=", 1) for each in asked.option)
    options = found.options({name: value_of(text) for name, text in given.items()})
    ruleset = found.build(found.sheet(options, asked.components), options)
    low, high = ruleset.sheet.players
    seen = Seen(ruleset)
    for seed in range(asked.games):
        players, rng = max(3, low) + seed % (high - max(3, low) + 1), random.Random(seed)
        steady = seed < asked.steady
        for move in bot_moves(ruleset, players, seed, "steady") if steady else moves(ruleset, players, seed, pick=busy):
            seen.note(move, rng)
    every = [
        key.removeprefix("refusal.") for key in catalogue("en", found.package).entries if key.startswith("refusal.")
    ]
    codes = {code for code in every if spoken_by(found.package, code)}
    lists = (
        ("Actions", {kind.__name__ for kind in ruleset.actions}, seen.actions),
        ("Events", {kind.__name__ for kind in (*SHARED, *ruleset.own)}, seen.events),
        ("Refusals", codes, seen.refusals),
    )
    print(
        f"{ruleset.name}: {asked.games} games ({asked.steady} between steady players), {seen.positions:,} decisions\n"
    )
    for name, all_, met in lists:
        missing = sorted(each for each in all_ if not met[each])
        rare = sorted(each for each in all_ if 0 < met[each] < 5)
        print(f"- {name}: {len(all_) - len(missing)} of {len(all_)} met")
        print(f"  - never: {', '.join(missing) or 'none'}")
        print(f"  - fewer than five times: {', '.join(rare) or 'none'}")


if __name__ == "__main__":
    main()
