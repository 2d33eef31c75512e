"""How many of the branches of some folders the tests have taken; status 1 where they are less than asked for.

    python tools/branch_coverage.py coverage.json --least 95 engine rules games

A branch is a way out of a decision. Lines are counted beside it; the limit is on branches alone, since a line says less.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path


def counted(report: dict, folder: str) -> list[int]:
    """Branches taken, branches, lines run, lines of the files of a folder of the package."""
    found = [0, 0, 0, 0]
    for name, file in report["files"].items():
        if f"trajekt/{folder}/" in name.replace("\\", "/"):
            summary = file["summary"]
            for place, key in enumerate(("covered_branches", "num_branches", "covered_lines", "num_statements")):
                found[place] += summary[key]
    return found


def main() -> int:
    """The command: one line a folder and one for all; the status says whether it is enough."""
    parser = argparse.ArgumentParser(description="Coverage by branches.")
    parser.add_argument("report", type=Path)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--least", type=float, default=95.0, help="per cent of the branches of all folders together")
    given = parser.parse_args()
    report = json.loads(given.report.read_text(encoding="utf-8"))
    rows = {folder: counted(report, folder) for folder in given.folders}
    whole = [sum(column) for column in zip(*rows.values(), strict=True)]
    for folder, (taken, branches, run, lines) in {**rows, "together": whole}.items():
        if not branches:
            print(f"{folder}: nothing was measured")
            return 1
        print(
            f"{folder:10} {100 * taken / branches:6.2f} % of {branches} branches, {100 * run / lines:6.2f} % of {lines} lines"
        )
    if 100 * whole[0] / whole[1] < given.least:
        print(f"less than {given.least} % of the branches; `coverage report -m` names those that are missing")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
