"""What a table of 18Rhl chooses: edition, variants, and the rules that recorded games were played by."""

from __future__ import annotations

import msgspec


class RhlOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices made when a table is created; they never change afterwards.

    `compat` replays games of the public site by its rules (edition 1 only). `location` fixes the draw of mine and mill,
    1 to 9 (0: drawn from the seed). `fixed_seats` seats the players in the order given instead of by lot.
    `link`: what pays the RhE for its link, the `rules`, or the claim of its director where the `record` of a game of the
    public site has it at another time (CMP-03).
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

    def faults(self) -> list[str]:
        """What cannot be combined, in plain words by option name."""
        out = []
        if self.edition not in (1, 2):
            out.append("edition: 1 or 2")
        if self.edition == 2 and self.compat:
            out.append("compat: edition 1 only")
        if self.edition == 2 and self.promotion_tiles:
            out.append("promotion_tiles: edition 1 only")
        if self.edition == 2 and self.ratingen:
            out.append("ratingen: edition 1 only")
        if self.edition == 1 and self.optional_end:
            out.append("optional_end: edition 2 only")
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
