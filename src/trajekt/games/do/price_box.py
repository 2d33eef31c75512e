"""The price box: cubes that lie on it until a phase frees them for Stock (DO-MARKET-13)."""

from __future__ import annotations

from trajekt.engine.events import PhaseBegan
from trajekt.engine.ruleset import Draft, Reaction
from trajekt.games.do.beer_cubes import move
from trajekt.games.do.beer_places import BeerBox
from trajekt.games.do.components import do_components
from trajekt.games.do.state import do_state


def release_phase(draft: Draft) -> str:
    """The phase that frees the price box: that of the sheet, unless the table has chosen another (DO-MARKET-13)."""
    chosen = str(draft.ruleset.options.get("export_box_release", ""))
    if chosen:
        return chosen
    return next((name for name, limits in do_components(draft.sheet).phases.items() if limits.frees_price_box), "")


def release_cubes(draft: Draft, event: PhaseBegan) -> None:
    """Move all cubes of the price box to Stock when its phase begins (DO-MARKET-13)."""
    if event.phase == release_phase(draft):
        move(draft, BeerBox.PRICE, BeerBox.STOCK, do_state(draft.state).price_box, "phase")


PRICE_BOX_RELEASED = Reaction(PhaseBegan, ("DO-MARKET-13",), release_cubes)
