"""18Ruhr as the library, the command and the table see it."""

from __future__ import annotations

import msgspec

from trajekt.engine.options import components, reader
from trajekt.engine.title import Title, Variant
from trajekt.games.ruhr.bot_hints import HINTS
from trajekt.games.ruhr.observation import own_facts
from trajekt.games.ruhr.options import SCENARIOS, RuhrOptions
from trajekt.games.ruhr.panels import boards
from trajekt.games.ruhr.repeated_entries import repeated_entries
from trajekt.games.ruhr.ruleset import build
from trajekt.games.ruhr.scoring import standings
from trajekt.games.ruhr.theme import LOOK
from trajekt.rules.running_and_dividends import RunningPolicy

PACKAGE = "trajekt.games.ruhr"


TITLE = Title(
    id="18ruhr",
    name="18Ruhr",
    package=PACKAGE,
    editions={2: (3, 6)},
    variants=(
        Variant("scenario", (2,), values=SCENARIOS[1:]),
        Variant("optional_cards", (2,)),
        Variant("or_order", (2,), values=("fixed",)),
        Variant("deal_pool_limit", (2,), values=(False,)),
        Variant("eh_start", (2,), values=("same_or",)),
        Variant("x_after_e", (2,), values=(False,)),
        Variant("montan_link_blocked", (2,), values=(False,)),
        Variant("j3_720", (2,), values=("required",)),
        Variant("tile_716_marker", (2,), values=("in_circle",)),
        Variant("best_route", (2,), values=("required",)),
        Variant("bme_link_blocked", (2,)),
        Variant("brown_third_value", (2,), values=(90, 100)),
        Variant("bank_refill", (2,), values=("counted",)),
        Variant("pmc_final_value", (2,), values=("printed",)),
        Variant("pferdebahn", (2,), values=("joined",)),
    ),
    options=reader(RuhrOptions),
    plain=msgspec.to_builtins,
    sheet=components(PACKAGE, "18ruhr", repeated_entries),
    build=build,
    fixed_seats=lambda options: options.fixed_seats,
    referee=True,
    standings=standings,
    best_runs=lambda ruleset, *asked: ruleset.policy(RunningPolicy).search(*asked),
    face=lambda: LOOK,
    boards=boards,
    bot_hints=HINTS,
    own_facts=own_facts,
)
