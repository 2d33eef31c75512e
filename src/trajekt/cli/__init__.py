"""The command `trajekt`: start the table, replay and check records, find best runs, play random games, draw, look rules up.

With `--json` one document goes to standard output; everything meant for people goes to standard error. Exit status: 0 done,
1 refused or failed, 2 wrong usage. Commands import what they need when they run, so that `--help` is quick.

`records`: replay, import, runs. `review`: reviews of played games. `components`: check, draw, rules. `component_sets`: sets
of owners of the printed games. `simulation`: random games, the arena. `server`: serve, games. `backup`: backup, restore.
`admin`, `doctor`: commands of a host. `console`: shared by all of them. `language`: English as in the
code, German by `de.toml`.
"""

from __future__ import annotations

from trajekt.cli import admin, backup, component_sets, components, doctor, records, review, server, simulation
from trajekt.cli.console import main

__all__ = [
    "admin",
    "backup",
    "component_sets",
    "components",
    "doctor",
    "main",
    "records",
    "review",
    "server",
    "simulation",
]
