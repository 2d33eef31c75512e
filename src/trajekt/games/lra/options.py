"""The options of a table of 18LRA: scenario, variants of the rulebook, and two reconstructions marked as such."""

from __future__ import annotations

import msgspec

from trajekt.rules import referee_marks


class LraOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices made when a table is created; they never change afterwards.

    `scenario` 1 to 4 says which six corporations three players use (0: drawn from the seed, LRA-SET-09). `investor` (two
    players) and `short_game` are reconstructions of what the rulebook only mentions: house rules, off unless chosen (section
    18 of the rule sheet). `homes_of_the_record` lets the CME start in Wesel and the CCE in Köln (OQ-40). `fixed_seats` seats
    the players in the order given instead of by lot. `referee`: a mirror of a real table, `books` or `map`.

    Readings that a table may prefer: `one_stop_a_hex`: a route uses one stop of a hex (OQ-22). `offer_once`: after a sale at
    a falling price normal turns go on (OQ-14).
    """

    edition: int = 1
    scenario: int = 0
    optional_2_train: bool = False
    lower_capital: bool = False
    optional_end: bool = False
    homes_of_the_record: bool = False
    investor: bool = False
    short_game: bool = False
    fixed_seats: bool = False
    referee: str = ""
    one_stop_a_hex: bool = False
    offer_once: bool = False

    def faults(self) -> list[str]:
        """List what cannot be combined, in plain words by option name."""
        out = []
        if self.edition != 1:
            out.append("edition: 1")
        if not 0 <= self.scenario <= 4:
            out.append("scenario: 0 to 4")
        if self.short_game and self.investor:
            out.append("investor: not in the short game")
        others = {
            "scenario": bool(self.scenario),
            "optional_2_train": self.optional_2_train,
            "lower_capital": self.lower_capital,
            "optional_end": self.optional_end,
            "one_stop_a_hex": self.one_stop_a_hex,
            "offer_once": self.offer_once,
        }
        if self.short_game:
            out += [f"{name}: not in the short game" for name, on in others.items() if on]
        return out + referee_marks.faults_of(self.referee)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of the component sheet that these options lay over it."""
        chosen = {
            "optional_2_train": self.optional_2_train,
            "lower_capital": self.lower_capital,
            "homes_of_the_record": self.homes_of_the_record,
            "short_game": self.short_game,
            "two_players": self.investor,
        }
        return tuple(name for name, on in chosen.items() if on)
