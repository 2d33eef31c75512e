"""18Ruhr as the library, the command and the table see it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import msgspec

from trajekt.engine.sheet import Sheet
from trajekt.engine.sheet_files import load
from trajekt.engine.title import Title, Variant
from trajekt.games.ruhr.ending import standings
from trajekt.games.ruhr.face import LOOK
from trajekt.games.ruhr.options import Options
from trajekt.games.ruhr.ruleset import build
from trajekt.rules.running import RunningPolicy

PACKAGE = "trajekt.games.ruhr"


def read_options(plain: Mapping[str, object]) -> Options:
    """Options from plain values. Raises ValueError for unknown names, wrong types and values that are no choice."""
    try:
        options = msgspec.convert(dict(plain), Options)
    except msgspec.ValidationError as fault:
        raise ValueError(str(fault)) from fault
    if faults := options.faults():
        raise ValueError("; ".join(faults))
    return options


def sheet(options: Options, overlay: str | None) -> Sheet:
    """The components with the chosen variant, an owner's file laid over them."""
    over = None if overlay is None else Path(overlay)
    return load(files(PACKAGE) / "sheet.toml", str(options.edition), options.variants, over)


TITLE = Title(
    id="18ruhr",
    name="18Ruhr",
    package=PACKAGE,
    editions={2: (3, 6)},
    variants=(Variant("optional_cards", (2,)),),
    options=read_options,
    plain=msgspec.to_builtins,
    sheet=sheet,
    build=build,
    fixed_seats=lambda options: options.fixed_seats,
    standings=standings,
    best_runs=lambda ruleset, state, company, limit: ruleset.policy(RunningPolicy).search(state, company, limit),
    face=lambda: LOOK,
)
