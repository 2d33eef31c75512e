"""18Rhl as the library, the command and the table see it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import msgspec

from trajekt.engine.sheet import Sheet
from trajekt.engine.sheet_files import load
from trajekt.engine.title import Title, Variant
from trajekt.games.rhl.face import LOOK
from trajekt.games.rhl.imports import EXPORTS
from trajekt.games.rhl.options import Options
from trajekt.games.rhl.ruleset import build
from trajekt.rules.running import RunningPolicy
from trajekt.rules.scoring import standings

PACKAGE = "trajekt.games.rhl"


def read_options(plain: Mapping[str, object]) -> Options:
    """Options from plain values. Raises ValueError for unknown names, wrong types and what cannot be combined."""
    try:
        options = msgspec.convert(dict(plain), Options)
    except msgspec.ValidationError as fault:
        raise ValueError(str(fault)) from fault
    if faults := options.faults():
        raise ValueError("; ".join(faults))
    return options


def sheet(options: Options, overlay: str | None) -> Sheet:
    """The components of the chosen edition and variants, an owner's file laid over them."""
    over = None if overlay is None else Path(overlay)
    return load(files(PACKAGE) / "sheet.toml", str(options.edition), options.variants, over)


TITLE = Title(
    id="18rhl",
    name="18Rhl-Rhineland",
    package=PACKAGE,
    editions={1: (3, 6), 2: (3, 5)},
    variants=(
        Variant("optional_2_train", (1, 2)),
        Variant("lower_capital", (1, 2)),
        Variant("promotion_tiles", (1,)),
        Variant("ratingen", (1,)),
        Variant("optional_end", (2,)),
        Variant("compat", (1,)),
    ),
    options=read_options,
    plain=msgspec.to_builtins,
    sheet=sheet,
    build=build,
    fixed_seats=lambda options: options.fixed_seats,
    standings=standings,
    best_runs=lambda ruleset, state, company, limit: ruleset.policy(RunningPolicy).search(state, company, limit),
    face=lambda: LOOK,
    exports=EXPORTS,
)
