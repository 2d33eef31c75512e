"""The options of a table of 18Ruhr: the scenario and every ruling that has a key, with the rule sheet's defaults."""

from __future__ import annotations

import msgspec

from trajekt.rules import referee_marks

SCENARIOS = ("random", "hellweg", "metropolis", "ruhr_valley", "emscher_valley", "north_and_south")

VALUES: dict[str, tuple[object, ...]] = {
    "edition": (2,),
    "scenario": SCENARIOS,
    "or_order": ("moving", "fixed"),
    "eh_start": ("next_or", "same_or"),
    "j3_720": ("free", "required"),
    "tile_716_marker": ("beside", "in_circle"),
    "best_route": ("free", "required"),
    "brown_third_value": (0, 90, 100),
    "bank_refill": ("levy", "counted"),
    "pmc_final_value": ("paid", "printed"),
    "pferdebahn": ("track", "joined"),
}


class RuhrOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices made when a table is created; they never change afterwards.

    `scenario`: which pMCs are active, `random` draws it from the seed (Q01). `or_order`: the next to act is always the
    highest (`moving`), or a list is made at the start (Q11). `deal_pool_limit`: 50 per cent hold for a corporation's own
    deals too (Q14). `eh_start`: when the EH begins after the first type 5 (Q15). `x_after_e`: X not more than E (Q16).
    `montan_link_blocked`: full cities block a Montan company's link (Q25). `j3_720`: whether the green tile of J3 must be
    720 (Q30). `tile_716_marker`: where the location marker lies on 716 (Q31). `best_route`: whether only a set of highest
    income may be run (Q34). `bme_link_blocked`: Barmen and Hagen must be joined unblocked for the BME (Q35).
    `brown_third_value`: a third starting value in brown, 0 for none (Q48). `bank_refill`: refills are paid by
    all, or only counted (Q54). `pmc_final_value`: a pMC counts what was paid for it, or its printed price (Q55).
    `pferdebahn`: it links a passive pMC by any track on its hex, or only where that is joined to a station (Q28).
    `optional_cards`: 54 cards.
    `fixed_seats` seats the players in the order given instead of by lot. `referee`: a mirror of a real table, `books` or `map`.
    """

    edition: int = 2
    scenario: str = "random"
    or_order: str = "moving"
    deal_pool_limit: bool = True
    eh_start: str = "next_or"
    x_after_e: bool = True
    montan_link_blocked: bool = True
    j3_720: str = "free"
    tile_716_marker: str = "beside"
    best_route: str = "free"
    bme_link_blocked: bool = False
    brown_third_value: int = 0
    bank_refill: str = "levy"
    pmc_final_value: str = "paid"
    pferdebahn: str = "track"
    optional_cards: bool = False
    fixed_seats: bool = False
    referee: str = ""

    def faults(self) -> list[str]:
        """List what is no choice, in plain words by option name."""
        chosen = msgspec.structs.asdict(self)
        return [
            f"{name}: {', '.join(str(v) for v in allowed)}"
            for name, allowed in VALUES.items()
            if chosen[name] not in allowed
        ] + referee_marks.faults_of(self.referee)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of the component sheet that these options lay over it."""
        return ("optional_cards",) if self.optional_cards else ()
