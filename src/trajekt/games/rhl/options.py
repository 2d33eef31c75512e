"""The options of a table of 18Rhl: edition, variants, and the rules that recorded games were played by."""

from __future__ import annotations

import msgspec

from trajekt.rules import referee_marks


class RhlOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices made when a table is created; they never change afterwards.

    `compat` replays games of the public site by its rules (edition 1 only). `location` fixes the draw of mine and mill,
    1 to 9 (0: drawn from the seed). `fixed_seats` seats the players in the order given instead of by lot.
    `link`: what pays the RhE for its link, the `rules`, or the claim of its director where the `record` of a game of the
    public site has it at another time (CMP-03). `referee`: a mirror of a real table, `books` or `map`.

    Readings of the rulebooks that a table may prefer to the letter, or the letter where it is not the default:
    `one_stop_a_hex`: a route uses one stop of a hex (OQ-22, edition 2). `offer_once`: after a sale at a falling price normal
    turns go on (OQ-14, edition 2). `four_areas`: also Nijmegen/Arnhem and Basel/Frankfurt are one destination each (OQ-24).
    `rhe_price_paid`: RhE's par is 70, 75 or 80 and its treasury gets the price paid (OQ-06, edition 1).
    `minden_closes_hamburg`: a station in Minden closes Hamburg, one in Münster Berlin (OQ-43, edition 1).
    """

    edition: int = 2
    compat: bool = False
    optional_2_train: bool = False
    lower_capital: bool = False
    promotion_tiles: bool = False
    ratingen: bool = False
    optional_end: bool = False
    location: int = 0
    link: str = "rules"
    fixed_seats: bool = False
    referee: str = ""
    one_stop_a_hex: bool = False
    offer_once: bool = False
    four_areas: bool = False
    rhe_price_paid: bool = False
    minden_closes_hamburg: bool = False

    def faults(self) -> list[str]:
        """List what cannot be combined, in plain words by option name."""
        first, second, compat = self.edition == 1, self.edition == 2, self.compat
        wrong = {
            "edition: 1 or 2": not first and not second,
            "compat: edition 1 only": second and compat,
            "promotion_tiles: edition 1 only": second and self.promotion_tiles,
            "ratingen: edition 1 only": second and self.ratingen,
            "optional_end: edition 2 only": first and self.optional_end,
            "one_stop_a_hex: edition 2 only": first and self.one_stop_a_hex,
            "offer_once: edition 2 only": first and self.offer_once,
            "rhe_price_paid: edition 1 only": second and self.rhe_price_paid,
            "minden_closes_hamburg: edition 1 only": second and self.minden_closes_hamburg,
            "rhe_price_paid: not with compat": compat and self.rhe_price_paid,
            "minden_closes_hamburg: not with compat": compat and self.minden_closes_hamburg,
            "four_areas: not with compat": compat and self.four_areas,
            "link: rules or record": self.link not in ("rules", "record"),
            "link: record with compat only": self.link == "record" and not compat,
            "location: 0 to 9": not 0 <= self.location <= 9,
        }
        return [text for text, is_wrong in wrong.items() if is_wrong] + referee_marks.faults_of(self.referee)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of the component sheet that these options lay over it (COMMON-VAR-01, COMMON-VAR-02, RHL-VAR-03)."""
        chosen = {
            "optional_2_train": self.optional_2_train,
            "lower_capital": self.lower_capital,
            "promotion_tiles": self.promotion_tiles,
            "ratingen": self.ratingen,
        }
        return tuple(name for name, on in chosen.items() if on)
