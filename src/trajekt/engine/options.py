"""Reading what a table chooses: options from plain values, and the components that they ask for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

import msgspec

from trajekt.engine.components.component_sets import HEADER, ComponentSet
from trajekt.engine.components.corrections import check_corrections
from trajekt.engine.components.loader import load
from trajekt.engine.components.provenance import SheetError, SheetFault
from trajekt.engine.components.schema import Sheet

Overlay: TypeAlias = str | ComponentSet | None
"""An owner's components to be laid over ours: a file or a folder, a component set, or nothing."""


class TableOptions(Protocol):
    """The options that every game has: an edition, the variants of the sheet, and what cannot be combined."""

    @property
    def edition(self) -> int:
        """The edition of the sheet."""
        ...

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants laid over the sheet."""
        ...

    def faults(self) -> list[str]:
        """List what cannot be combined, in plain words by option name."""
        ...


O = TypeVar("O", bound=TableOptions)  # noqa: E741  O as in options


def reader(kind: type[O], settled: Collection[str] = ()) -> Callable[[Mapping[str, object]], O]:
    """A function that turns plain values into a game's options; `settled` names that are options no more are passed over.

    It raises ValueError for unknown names, wrong types and what cannot be combined.
    """

    def read(plain: Mapping[str, object]) -> O:
        given: object = plain
        if not isinstance(given, Mapping):
            message = f"options must be names with their values, not {plain!r}"
            raise ValueError(message)  # noqa: TRY004  wrong values are told in one way
        try:
            options = msgspec.convert({name: value for name, value in plain.items() if name not in settled}, kind)
        except msgspec.ValidationError as fault:
            raise ValueError(str(fault)) from fault
        if faults := options.faults():
            raise ValueError("; ".join(faults))
        return options

    return read


def components(
    package: str, game: str, *more: Callable[[Sheet], Iterable[SheetFault]]
) -> Callable[[TableOptions, Overlay], Sheet]:
    """A function that loads a game's sheet for options, with what an owner of the printed game lays over it.

    That is a component set, a file, or a folder in which `<game>.toml` is looked for (`18rhl.toml`); a folder without one
    changes nothing.
    `more` are checks that only this game needs, of what its code reads by name and of what its sheet says twice:
    `SheetError` is raised with their faults as with all others.
    """

    def sheet(options: TableOptions, overlay: Overlay) -> Sheet:
        over: Path | ComponentSet | None = Path(overlay) if isinstance(overlay, str) else overlay
        if isinstance(over, ComponentSet) and over.game != game:
            raise SheetError([SheetFault(over.name, f"{HEADER}.game", f"is a set for {over.game}, not for {game}")])
        if isinstance(over, Path) and over.is_dir():
            over = over / f"{game}.toml"
            over = over if over.exists() else None
        printed = files(package) / "sheet.toml"
        found = load(printed, str(options.edition), options.variants, over)
        faults = [fault for check in more for fault in check(found)]
        if over is not None:
            plain = load(printed, str(options.edition), options.variants, None)
            known = {fault.key for fault in faults}
            faults += [fault for fault in check_corrections(plain, found) if fault.key not in known]
        if faults:
            raise SheetError(faults)
        return found

    return sheet
