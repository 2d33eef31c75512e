"""Hold the judges of the rulebooks against the engine, for so many positions of random games (`make judge`).

Each game whose match stands in `tests/judges/<game>_match.py` plays its seeds one after another until the positions are
reached, or until Ctrl+C. Ends with 1 where judge and engine disagree anywhere; the first disagreements are printed with
their seeds.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.judges.tally import Tally  # noqa: E402  the path to the tests comes first


def games() -> list[str]:
    """The games that have a match."""
    return sorted(path.name.removesuffix("_match.py") for path in (ROOT / "tests" / "judges").glob("*_match.py"))


def hold(game: str, positions: int, seed: int, chosen: dict[str, Any] | None = None) -> Tally:
    """One game's judges against the engine, from a seed on; with some options, else as each seed draws them."""
    match = importlib.import_module(f"tests.judges.{game}_match").match
    whole, started = Tally(), time.process_time()
    first = seed
    try:
        while whole.positions < positions:
            found = match(seed, chosen)
            for fault in found.faults[:3]:
                print(f"  seed {seed}: {fault}", flush=True)
            whole.add(found)
            seed += 1
    except KeyboardInterrupt:
        print(f"  stopped in the game of seed {seed}")
    spent = time.process_time() - started
    figures = f"{whole.positions:,} positions, seeds {first} to {seed - 1}, {len(whole.faults)} disagreements"
    print(f"\n{game}: {figures}, {spent:.0f} s")
    print("\n".join(whole.lines()))
    codes = ", ".join(f"{code} {count:,}" for code, count in whole.refused.most_common())
    print(f"\nrefused with {len(whole.refused)} codes: {codes}", flush=True)
    return whole


def value_of(text: str) -> Any:
    """The value of an option as JSON, or the word itself."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def main() -> int:
    """The games asked for; 1 where anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--game", choices=games(), action="append", help="one game, several times for more; all without"
    )
    parser.add_argument("--positions", type=int, default=10_000, help="positions for each game (10000)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument(
        "--option", action="append", metavar="NAME=VALUE", help="an option of every table, in JSON (ratingen=true)"
    )
    asked = parser.parse_args()
    chosen = (
        {name: value_of(text) for name, _, text in (each.partition("=") for each in asked.option)}
        if asked.option
        else None
    )
    found = [hold(game, asked.positions, asked.seed, chosen) for game in asked.game or games()]
    return int(any(tally.faults for tally in found))


if __name__ == "__main__":
    sys.exit(main())
