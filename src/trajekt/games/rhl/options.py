"""The options of a table of 18Rhl: edition, variants, and the rules that recorded games were played by."""

from __future__ import annotations

import msgspec


class RhlOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices made when a table is created; they never change afterwards.

    `compat` replays games of the public site by its rules (edition 1 only). `location` fixes the draw of mine and mill,
    1 to 9 (0: drawn from the seed). `fixed_seats` seats the players in the order given instead of by lot.
    `link`: what pays the RhE for its link, the `rules`, or the claim of its director where the `record` of a game of the
    public site has it at another time (CMP-03).

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
    one_stop_a_hex: bool = False
    offer_once: bool = False
    four_areas: bool = False
    rhe_price_paid: bool = False
    minden_closes_hamburg: bool = False

    def faults(self) -> list[str]:
        """List what cannot be combined, in plain words by option name."""
        out = []
        if self.edition not in (1, 2):
            out.append("edition: 1 or 2")
        if self.edition == 2 and self.compat:
            out.append("compat: edition 1 only")
        if self.edition == 2 and self.promotion_tiles:
            out.append("promotion_tiles: edition 1 only")
        if self.edition == 2 and self.ratingen:
            out.append("ratingen: edition 1 only")
        if self.edition == 1:
            second = {n: getattr(self, n) for n in ("optional_end", "one_stop_a_hex", "offer_once")}
            out += [f"{name}: edition 2 only" for name, on in second.items() if on]
        first = {n: getattr(self, n) for n in ("rhe_price_paid", "minden_closes_hamburg")}
        if self.edition == 2:
            out += [f"{name}: edition 1 only" for name, on in first.items() if on]
        if self.compat:
            out += [f"{name}: not with compat" for name, on in (*first.items(), ("four_areas", self.four_areas)) if on]
        if self.link not in ("rules", "record"):
            out.append("link: rules or record")
        if self.link == "record" and not self.compat:
            out.append("link: record with compat only")
        if not 0 <= self.location <= 9:
            out.append("location: 0 to 9")
        return out

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
