"""A game as the world outside the rules sees it: a `Title` is found by name and builds rulesets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import msgspec

from trajekt.engine.bot_hints import NO_HINTS, BotHints
from trajekt.engine.components.component_sets import HEADER, ComponentSet
from trajekt.engine.components.editions import TomlTable
from trajekt.engine.components.loader import printed_tables
from trajekt.engine.components.provenance import SheetError, SheetFault
from trajekt.engine.components.schema import CompanyId, Sheet
from trajekt.engine.import_protocol import Exports
from trajekt.engine.options import Overlay
from trajekt.engine.ruleset import Refusal, Ruleset
from trajekt.engine.state import State

if TYPE_CHECKING:
    from trajekt.engine.routing.runs import Run
    from trajekt.engine.routing.solver import BestRuns


RULESETS: WeakValueDictionary[tuple[object, ...], Ruleset] = WeakValueDictionary()
"""The rulesets in use, by the function that composed them, the digest of the sheet, its component set and the options."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's score: cash, shares at their price, what is deducted, and the sum, all in Mark; equal sums share a rank."""

    seat: int
    name: str
    cash: int
    shares: int
    deducted: int
    total: int
    rank: int


@dataclass(frozen=True, slots=True)
class Variant:
    """A choice that a table may make besides the edition: its option and the editions that know it.

    `values` are what the option may be where it is more than on or off, without the one that holds if nothing is
    chosen. `players`: the least and the most number of players of a variant that is a game of its own and stands alone;
    None where the edition says it. `players_of` the same for single values.
    """

    option: str
    editions: tuple[int, ...]
    values: tuple[int | str, ...] = ()
    players: tuple[int, int] | None = None
    players_of: Mapping[int | str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Title:
    """A game as the library, the command and the table see it.

    `options` turns plain values into the game's options (ValueError names what is wrong) and `plain` back; `sheet` loads
    the components for options, with an owner's file or set laid over them; `build` composes the ruleset, and `ruleset`
    alone calls it.
    `face` is what the page shows of this game alone; `package` is where its catalogues and rule texts lie; `exports` reads
    games played at the public site. `seated` are the options as they are for a number of players. `boards(ruleset, state,
    look, catalogue)` answers the game's own boards as (key, HTML), in order; the page heads each by the text `board.<key>`.
    `bot_hints` is what the game tells bots about itself; `own_facts` are what its positions hold besides those of every game,
    as numbers by name, always the same names in one order. `referee`: its
    options have `referee`, so it can mirror a table with real cardboard.
    """

    id: str
    name: str
    package: str
    editions: Mapping[int, tuple[int, int]]
    variants: tuple[Variant, ...]
    options: Callable[[Mapping[str, object]], Any]
    plain: Callable[[Any], dict[str, object]]
    sheet: Callable[[Any, Overlay], Sheet]
    build: Callable[[Sheet, Any], Ruleset]
    fixed_seats: Callable[[Any], bool]
    standings: Callable[[State], Sequence[Standing]]
    best_runs: Callable[[Ruleset, State, CompanyId, float | None, tuple[Run, ...]], BestRuns | Refusal]
    faults: Callable[..., list[str]] = field(default=lambda *_: [])
    face: Callable[[], Any] = field(default=lambda: None)
    boards: Callable[[Ruleset, State, Any, Any], Sequence[tuple[str, str]]] = field(default=lambda *_: ())
    exports: Exports | None = None
    bot_hints: BotHints = NO_HINTS
    own_facts: Callable[[State], Sequence[tuple[str, float]]] | None = None
    seated: Callable[[Any, int], Any] = field(default=lambda options, _players: options)
    referee: bool = False

    def __repr__(self) -> str:
        return f"<Title {self.id}>"

    def ruleset(self, sheet: Sheet, options: Any) -> Ruleset:
        """Return the ruleset for a sheet and options: equal sheets and equal options share one as long as it is in use."""
        key = self.build, sheet.digest, sheet.component_set, msgspec.json.encode(self.plain(options), order="sorted")
        known = RULESETS.get(key)
        return known if known is not None else RULESETS.setdefault(key, self.build(sheet, options))

    def printed(self, edition: int) -> TomlTable:
        """Return the tables of the sheet of an edition, over which an owner's set is laid. Nobody may change the value."""
        return printed_tables(files(self.package) / "sheet.toml", edition)

    def __deepcopy__(self, _memo: object) -> Title:
        return self


def sheet_faults(found: Title, overlay: Overlay = None, edition: int = 0) -> list[SheetFault]:
    """All faults of a game's components, each once: in an edition, or in each where it is 0, and with every variant."""
    if edition and edition not in found.editions:
        there = ", ".join(map(str, sorted(found.editions)))
        where = overlay.name if isinstance(overlay, ComponentSet) else overlay or ""
        return [SheetFault(where, f"{HEADER}.edition", f"there is no edition {edition}, only {there}")]
    faults: dict[SheetFault, None] = {}
    tried = set()
    for each in [edition] if edition else sorted(found.editions):
        for chosen, _ in choices(found, each):
            options = found.options(chosen)
            if (kind := (each, tuple(options.variants))) in tried:
                continue
            tried.add(kind)
            try:
                told = [SheetFault("", "", text) for text in found.faults(found.sheet(options, overlay))]
            except SheetError as error:
                told = error.faults
            faults |= dict.fromkeys(told)
    return list(faults)


def choices(found: Title, edition: int) -> list[tuple[dict[str, object], tuple[int, int]]]:
    """Options to try a game with, each with its numbers of players: no variant, each alone, all that go together."""
    known = [v for v in found.variants if edition in v.editions]
    plain = found.editions[edition]
    out: list[tuple[dict[str, object], tuple[int, int]]] = [({}, plain)]
    for variant in known:
        usual = variant.players or plain
        out += [({variant.option: value}, variant.players_of.get(value, usual)) for value in variant.values or (True,)]
    together: dict[str, object] = {}
    for variant in known:
        if variant.players is None:
            more = {**together, variant.option: variant.values[0] if variant.values else True}
            with suppress(ValueError):  # it excludes one of those before
                found.options({"edition": edition, **more})
                together = more
    if len(together) > 1:
        out.append((together, plain))
    return [({"edition": edition, **options}, players) for options, players in out]
