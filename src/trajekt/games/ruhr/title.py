"""18Ruhr as the library, the command and the table see it."""

from __future__ import annotations

import msgspec

from trajekt.engine.options import components, reader
from trajekt.engine.title import Title, Variant
from trajekt.games.ruhr.ending import standings
from trajekt.games.ruhr.face import LOOK
from trajekt.games.ruhr.options import Options
from trajekt.games.ruhr.ruleset import build
from trajekt.rules.running import RunningPolicy

PACKAGE = "trajekt.games.ruhr"


TITLE = Title(
    id="18ruhr",
    name="18Ruhr",
    package=PACKAGE,
    editions={2: (3, 6)},
    variants=(Variant("optional_cards", (2,)),),
    options=reader(Options),
    plain=msgspec.to_builtins,
    sheet=components(PACKAGE, "18ruhr"),
    build=build,
    fixed_seats=lambda options: options.fixed_seats,
    standings=standings,
    best_runs=lambda ruleset, state, company, limit: ruleset.policy(RunningPolicy).search(state, company, limit),
    face=lambda: LOOK,
)
