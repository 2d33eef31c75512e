"""18Rhl as the library, the command and the table see it."""

from __future__ import annotations

import msgspec

from trajekt.engine.bot_hints import BotHints
from trajekt.engine.import_protocol import Exports
from trajekt.engine.options import components, reader
from trajekt.engine.title import Title, Variant
from trajekt.games.rhl.components import missing_parts
from trajekt.games.rhl.export_18xx import export, round_of
from trajekt.games.rhl.import_18xx import RhlTranslator
from trajekt.games.rhl.import_18xx import options as site_options
from trajekt.games.rhl.options import RhlOptions
from trajekt.games.rhl.repeated_entries import repeated_entries
from trajekt.games.rhl.ruleset import build
from trajekt.games.rhl.site_names import COMPANIES
from trajekt.games.rhl.theme import LOOK
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.scoring import standings

PACKAGE = "trajekt.games.rhl"


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
        Variant("one_stop_a_hex", (2,)),
        Variant("offer_once", (2,)),
        Variant("four_areas", (1, 2)),
        Variant("rhe_price_paid", (1,)),
        Variant("minden_closes_hamburg", (1,)),
    ),
    options=reader(RhlOptions),
    plain=msgspec.to_builtins,
    sheet=components(PACKAGE, "18rhl", missing_parts, repeated_entries),
    build=build,
    fixed_seats=lambda options: options.fixed_seats,
    referee=True,
    standings=standings,
    best_runs=lambda ruleset, *asked: ruleset.policy(RunningPolicy).search(*asked),
    face=lambda: LOOK,
    exports=Exports(site_options, RhlTranslator, lambda options: options.compat, export, round_of, COMPANIES),
    bot_hints=BotHints(ahead=2, wide=8, sure=1_000.0),  # quick to imagine
)
