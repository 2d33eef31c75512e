"""A route of so many cities and towns, to see what a plus train makes of it; the map has no such line."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.games.ruhr.table import at_table
from trajekt.engine.runs import Step, Walk
from trajekt.games.ruhr.route_rules import length


def counted(train: str, cities: int, towns: int) -> list[str]:
    """The codes of the faults in the length of a route that visits these."""
    names = [f"city{n}" for n in range(cities)] + [f"town{n}" for n in range(towns)]
    stops = [SimpleNamespace(stop=SimpleNamespace(kind=name[:4])) for name in names]
    network = SimpleNamespace(stops=stops, stop={name: n for n, name in enumerate(names)})
    setting: Any = SimpleNamespace(board=SimpleNamespace(sheet=at_table().sheet), network=network)
    walk = Walk(train, tuple(Step((name,)) for name in names), ())
    return [fault.code for fault in length(setting, walk)]
