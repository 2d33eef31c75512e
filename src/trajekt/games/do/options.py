"""The options of a table of 18DO: game, number of players, and the rulings that it may choose.

A key with one value is a ruling that has no other reading here; it is listed so that a record says by which reading it was
played.
"""

from __future__ import annotations

import msgspec

FULL, EXPERT, RAILWAY, INTRODUCTION = "full", "expert", "railway", "introduction"

PLAYERS = {FULL: (3, 4, 5), EXPERT: (3, 4, 5), RAILWAY: (3, 4, 5), INTRODUCTION: (2, 3, 4)}
"""For how many players each game is (DO-SETUP-01, DO-INTRO-01)."""

SHEETS: dict[str, dict[int, tuple[str, ...]]] = {
    FULL: {3: ("three_players",), 4: ("four_players",)},
    EXPERT: {3: ("three_players",), 4: ("four_players",)},
    RAILWAY: dict.fromkeys((0, 3, 4, 5), ("railway_game",)),
    INTRODUCTION: dict.fromkeys((0, 2, 3, 4), ("railway_game", "introduction")),
}
"""The variants of the component sheet by game and number of players; 0 before that is known."""

VALUES: dict[str, tuple[object, ...]] = {
    "edition": (1,),
    "game": (FULL, EXPERT, RAILWAY, INTRODUCTION),
    "city_hex": ("E13",),
    "cme_home": ("A3/B4",),
    "seating": ("order_cards",),
    "cash_tie": ("order_card", "last_card"),
    "no_purchase_priority": ("first", "left_of_first"),
    "sell_only": (True,),
    "stack_order": (True, False),
    "surplus_stuck": ("pass",),
    "block_sale": ("per_action",),
    "director_swap": ("fewest",),
    "outgoing_director_moves_value": (True, False),
    "deeg_counts_bankrupt": (True, False),
    "reserved_place": ("until_next_order",),
    "several_places": ("any",),
    "first_train": ("before_step_1", "never"),
    "kwe_token": ("any_mine_first_turn", "none"),
    "pool_20_trade_in": ("pay_half_to_bank", "refused"),
    "bankrupt_cubes": ("stock",),
    "reopened_bc": ("drop_two_tens",),
    "refounded_privileges": ("as_new", "none"),
    "or_per_set": ("from_phase_6", "published", "from_set_4"),
    "rr_order": ("value_then_pile",),
    "own_sale": ("any", "top"),
    "own_sale_fall": ("certificate", "ten_percent"),
    "station_connected": (True, False),
    "link_takes": ("lowest_type",),
    "link_shortfall_same_segment": ("allowed", "never"),
    "best_route": ("free", "required"),
    "dividend_compared": ("total", "share"),
    "two_ends": (50,),
    "blocked_token": (0,),
    "stranded_cubes": ("stock",),
    "pool_train_own": ("refused", "allowed"),
    "pool_counts_as_purchase": (False, True),
    "pool_four": ("removed",),
    "turned_counts_for_limit": (True, False),
    "final_run": ("next_turn", "first_step_4"),
    "forced_bankruptcy": ("stop",),
    "forced_cheapest": ("only_if_short",),
    "no_demand": ("no_cubes",),
    "export_is_use": (True,),
    "bec_order": ("descending",),
    "export_first": (True,),
    "joint_route_check": (False,),
    "minor_duty": ("treasury_only",),
    "order_depth": (2,),
    "all_empty": ("keep_open",),
    "export_box_release": (8, 6),
    "phase_steps": ("market_scrap_trains_becs",),
    "tie": ("shared",),
    "mcm_places": (1,),
    "mcm_subsidy": ("none",),
    "mcm_after_charter": ("display",),
    "pub_before_float": ("none",),
    "realign": ("turn_start",),
    "rc_wagon": ("plus_one_square",),
    "cash_order": ("after_mcm",),
    "sem_after_charter": ("as_mcm",),
    "advertised_cube": ("stock",),
    "investor": ("replaces_deal",),
    "tool_rounding": ("floor",),
    "tool_income": ("income",),
    "second_shift_field": ("regular",),
}
"""The values of each option, its default first but for `players`."""


class DoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices made when a table is created; they never change afterwards. "Rulings at a glance" explains the keys.

    `game`: the full game, the Expert Game, or the reconstructed Railway Game or Introduction Game. `players` is filled in with
    their number when a game is set up. `beginners` deals the minors instead of the bids (DO-START-10). `mcm_places` are those
    of a minor, a corporation has one more. `fixed_seats` seats the players in the order given instead of by lot.
    """

    edition: int = 1
    game: str = FULL
    players: int = 0
    beginners: bool = False
    fixed_seats: bool = False
    city_hex: str = "E13"
    cme_home: str = "A3/B4"
    seating: str = "order_cards"
    cash_tie: str = "order_card"
    no_purchase_priority: str = "first"
    sell_only: bool = True
    stack_order: bool = True
    surplus_stuck: str = "pass"
    block_sale: str = "per_action"
    director_swap: str = "fewest"
    outgoing_director_moves_value: bool = True
    deeg_counts_bankrupt: bool = True
    reserved_place: str = "until_next_order"
    several_places: str = "any"
    first_train: str = "before_step_1"
    kwe_token: str = "any_mine_first_turn"
    pool_20_trade_in: str = "pay_half_to_bank"
    bankrupt_cubes: str = "stock"
    reopened_bc: str = "drop_two_tens"
    refounded_privileges: str = "as_new"
    or_per_set: str = "from_phase_6"
    rr_order: str = "value_then_pile"
    own_sale: str = "any"
    own_sale_fall: str = "certificate"
    station_connected: bool = True
    link_takes: str = "lowest_type"
    link_shortfall_same_segment: str = "allowed"
    best_route: str = "free"
    dividend_compared: str = "total"
    two_ends: int = 50
    blocked_token: int = 0
    stranded_cubes: str = "stock"
    pool_train_own: str = "refused"
    pool_counts_as_purchase: bool = False
    pool_four: str = "removed"
    turned_counts_for_limit: bool = True
    final_run: str = "next_turn"
    forced_bankruptcy: str = "stop"
    forced_cheapest: str = "only_if_short"
    no_demand: str = "no_cubes"
    export_is_use: bool = True
    bec_order: str = "descending"
    export_first: bool = True
    joint_route_check: bool = False
    minor_duty: str = "treasury_only"
    order_depth: int = 2
    all_empty: str = "keep_open"
    export_box_release: int = 8
    phase_steps: str = "market_scrap_trains_becs"
    tie: str = "shared"
    mcm_places: int = 1
    mcm_subsidy: str = "none"
    mcm_after_charter: str = "display"
    pub_before_float: str = "none"
    realign: str = "turn_start"
    rc_wagon: str = "plus_one_square"
    cash_order: str = "after_mcm"
    sem_after_charter: str = "as_mcm"
    advertised_cube: str = "stock"
    investor: str = "replaces_deal"
    tool_rounding: str = "floor"
    tool_income: str = "income"
    second_shift_field: str = "regular"

    def faults(self) -> list[str]:
        """List what is no choice, or cannot be combined, in plain words by option name."""
        chosen = msgspec.structs.asdict(self)
        out = [f"{key}: {', '.join(str(v) for v in may)}" for key, may in VALUES.items() if chosen[key] not in may]
        may = PLAYERS.get(self.game, ())
        if may and self.players not in (0, *may):
            out.append(f"players: {', '.join(map(str, may))}")
        if self.beginners and self.game not in (FULL, EXPERT):
            out.append("beginners: only in the full game and the Expert Game")
        return out

    @property
    def expert(self) -> bool:
        """Tell whether the Expert Game is played."""
        return self.game == EXPERT

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of the component sheet that these options lay over it."""
        return SHEETS[self.game].get(self.players, ())
