"""The options of a table of 18DO: game, number of players, and the rulings that it may choose.

Rulings that have no other reading here are no options: their place is the table in `docs/rulings.md`.
"""

from __future__ import annotations

import msgspec

from trajekt.rules import referee_marks

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

SETTLED = frozenset(
    {
        "advertised_cube", "all_empty", "bankrupt_cubes", "bec_order", "block_sale", "blocked_token",
        "cash_order", "city_hex", "cme_home", "director_swap", "export_first", "export_is_use",
        "forced_bankruptcy", "forced_cheapest", "investor", "joint_route_check", "link_takes",
        "mcm_after_charter", "mcm_places", "mcm_subsidy", "minor_duty", "no_demand", "order_depth",
        "phase_steps", "pool_four", "pub_before_float", "rc_wagon", "realign", "reopened_bc", "reserved_place",
        "rr_order", "seating", "second_shift_field", "sell_only", "sem_after_charter", "several_places",
        "stranded_cubes", "surplus_stuck", "tie", "tool_income", "tool_rounding", "two_ends",
    }
)  # fmt: skip
"""Rulings with one reading, which records once stated as options: they are read and passed over."""

VALUES: dict[str, tuple[object, ...]] = {
    "edition": (1,),
    "game": (FULL, EXPERT, RAILWAY, INTRODUCTION),
    "cash_tie": ("order_card", "last_card"),
    "no_purchase_priority": ("first", "left_of_first"),
    "stack_order": (True, False),
    "outgoing_director_moves_value": (True, False),
    "deeg_counts_bankrupt": (True, False),
    "first_train": ("before_step_1", "never"),
    "kwe_token": ("any_mine_first_turn", "none"),
    "pool_20_trade_in": ("pay_half_to_bank", "refused"),
    "refounded_privileges": ("as_new", "none"),
    "or_per_set": ("from_phase_6", "published", "from_set_4"),
    "own_sale": ("any", "top"),
    "own_sale_fall": ("certificate", "ten_percent"),
    "station_connected": (True, False),
    "link_shortfall_same_segment": ("allowed", "never"),
    "best_route": ("free", "required"),
    "dividend_compared": ("total", "share"),
    "pool_train_own": ("refused", "allowed"),
    "pool_counts_as_purchase": (False, True),
    "turned_counts_for_limit": (True, False),
    "final_run": ("next_turn", "first_step_4"),
    "export_box_release": (8, 6),
}
"""The values of each option, its default first but for `players`."""


class DoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices made when a table is created; they never change afterwards. "Rulings at a glance" explains the keys.

    `game`: the full game, the Expert Game, or the reconstructed Railway Game or Introduction Game. `players` is filled in with
    their number when a game is set up. `beginners` deals the minors instead of the bids (DO-START-10). `fixed_seats`
    seats the players in the order given instead of by lot. `referee`: a mirror of a real table, `books` or `map`.
    """

    edition: int = 1
    game: str = FULL
    players: int = 0
    beginners: bool = False
    fixed_seats: bool = False
    referee: str = ""
    cash_tie: str = "order_card"
    no_purchase_priority: str = "first"
    stack_order: bool = True
    outgoing_director_moves_value: bool = True
    deeg_counts_bankrupt: bool = True
    first_train: str = "before_step_1"
    kwe_token: str = "any_mine_first_turn"
    pool_20_trade_in: str = "pay_half_to_bank"
    refounded_privileges: str = "as_new"
    or_per_set: str = "from_phase_6"
    own_sale: str = "any"
    own_sale_fall: str = "certificate"
    station_connected: bool = True
    link_shortfall_same_segment: str = "allowed"
    best_route: str = "free"
    dividend_compared: str = "total"
    pool_train_own: str = "refused"
    pool_counts_as_purchase: bool = False
    turned_counts_for_limit: bool = True
    final_run: str = "next_turn"
    export_box_release: int = 8

    def faults(self) -> list[str]:
        """List what is no choice, or cannot be combined, in plain words by option name."""
        chosen = msgspec.structs.asdict(self)
        out = [f"{key}: {', '.join(str(v) for v in may)}" for key, may in VALUES.items() if chosen[key] not in may]
        may = PLAYERS.get(self.game, ())
        if may and self.players not in (0, *may):
            out.append(f"players: {', '.join(map(str, may))}")
        if self.beginners and self.game not in (FULL, EXPERT):
            out.append("beginners: only in the full game and the Expert Game")
        return out + referee_marks.faults_of(self.referee)

    @property
    def expert(self) -> bool:
        """Tell whether the Expert Game is played."""
        return self.game == EXPERT

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of the component sheet that these options lay over it."""
        return SHEETS[self.game].get(self.players, ())
