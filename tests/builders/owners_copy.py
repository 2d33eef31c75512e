"""A made-up owner's copy of 18Ruhr: twenty-eight entries of all kinds that differ from our sheet, as its owner types them."""

from __future__ import annotations

COPY: dict[str, dict[str, str]] = {
    "hexes/G6": {"name": "Bottrop-Süd"},
    "hexes/C4": {"name": "Hünxe am Kanal"},
    "hexes/B9": {"terrain": "mountain", "cost": "30"},
    "hexes/J5": {"terrain": "water", "cost": "30"},
    "hexes/Q6": {"cost": "30"},
    "hexes/O2": {"stops.0.revenue": "yellow 30, brown 50"},
    "hexes/A6": {"stops.0.revenue": "yellow 30, brown 60"},
    "hexes/G12": {"stops.0.kind": "town"},
    "tiles/7": {"count": "6"},
    "tiles/8": {"count": "14"},
    "tiles/58": {"count": "11"},
    "tiles/4": {"count": "7"},
    "tiles/23": {"count": "3"},
    "tiles/24": {"count": "5"},
    "market": {"rows.0.31": "520"},
    "trains/2": {"price": "110"},
    "trains/3": {"price": "210"},
    "companies/EH": {"station_costs": "0, 50, 100"},
    "companies/CME": {"name": "Cöln-Mindener Bahn"},
    "privates/1": {"price": "95"},
    "privates/3": {"name": "Fabrik Harkort"},
    "phases/2": {"train_limit": "3"},
    "limits": {"pool_percent": "60"},
    "own/pmcs/3": {"start_money": "45"},
    "own/pmcs/5": {"boxes": "A 5, B 3, C 2"},
    "own/stages/B": {"markers": "11"},
    "own/engines": {"lowest": "20"},
    "own/package": {"surcharge": "10"},
}
