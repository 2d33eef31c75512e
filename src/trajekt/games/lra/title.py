"""18LRA as the library, the command and the table see it."""

from __future__ import annotations

import msgspec

from trajekt.engine.bot_hints import BotHints
from trajekt.engine.options import components, reader
from trajekt.engine.title import Title, Variant
from trajekt.games.lra.options import LraOptions
from trajekt.games.lra.repeated_entries import repeated_entries
from trajekt.games.lra.ruleset import build
from trajekt.games.lra.theme import LOOK
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.scoring import standings

PACKAGE = "trajekt.games.lra"


TITLE = Title(
    id="18lra",
    name="18LRA-Lower Rhine Area",
    package=PACKAGE,
    editions={1: (3, 4)},
    variants=(
        Variant("scenario", (1,), values=(1, 2, 3, 4)),
        Variant("optional_2_train", (1,)),
        Variant("lower_capital", (1,)),
        Variant("optional_end", (1,)),
        Variant("one_stop_a_hex", (1,)),
        Variant("offer_once", (1,)),
        Variant("homes_of_the_record", (1,)),
        Variant("investor", (1,), players=(2, 2)),
        Variant("short_game", (1,), players=(2, 4)),
    ),
    options=reader(LraOptions),
    plain=msgspec.to_builtins,
    sheet=components(PACKAGE, "18lra", repeated_entries),
    build=build,
    fixed_seats=lambda options: options.fixed_seats,
    referee=True,
    standings=standings,
    best_runs=lambda ruleset, *asked: ruleset.policy(RunningPolicy).search(*asked),
    face=lambda: LOOK,
    # the bank holds two thirds of what 18Rhl's does
    bot_hints=BotHints(rough=50.0, judged=0.0, ahead=2, wide=8, sure=1_000.0, by_trains=False, by_return=True),
)
