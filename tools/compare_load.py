#!/usr/bin/env python3
"""The processor time of an action, beside that of another revision: so that a regression is seen before it is landed.

    tools/compare_load.py main                  three short runs of `tools/load_test.py` each, in turn
    tools/compare_load.py v0.1 --most 1.2       status 1 where an action costs more than 1.2 times what it did

The other revision is unpacked from the repository and measured with its own tool; both run with the packages of this Python.
Processor time is compared, so other work on the machine disturbs little, and the median of the pairs counts.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
FIGURE = "ms of processor an action"


def unpacked(revision: str, folder: Path) -> Path:
    """The files of a revision in a folder."""
    packed = subprocess.run(
        ["git", "-C", str(PROJECT), "archive", revision], check=True, stdout=subprocess.PIPE
    ).stdout  # fmt: skip
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def cost(project: Path, words: list[str]) -> float:
    """Milliseconds of the server's processor time for an action, by the load tool of a project."""
    done = subprocess.run(
        [sys.executable, str(project / "tools" / "load_test.py"), "--json", *words],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(project / "src")},
    )
    return float(json.loads(done.stdout[done.stdout.index("{\n") :])[FIGURE])


def main() -> int:
    """Compare; status 1 where the present state is dearer than it may be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", help="a revision of the repository")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", type=float, default=1.1, help="times the cost of the other that is allowed")
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--rate", type=float, default=25.0, help="actions a second")
    parser.add_argument("--seconds", type=float, default=10.0)
    wanted = parser.parse_args()
    words = ["--tables", str(wanted.tables), "--pages", str(4 * wanted.tables)]
    words += ["--rate", str(wanted.rate), "--seconds", str(wanted.seconds)]
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        other = unpacked(wanted.revision, Path(folder))
        for _ in range(wanted.rounds):
            before, now = cost(other, words), cost(PROJECT, words)
            ratios.append(now / before)
            print(f"{wanted.revision} {before:.1f} ms, here {now:.1f} ms an action: {ratios[-1]:.2f}", flush=True)
    ratio = statistics.median(ratios)
    print(f"{ratio:.2f} times, at most {wanted.most:.2f} allowed")
    return 0 if ratio <= wanted.most else 1


if __name__ == "__main__":
    sys.exit(main())
