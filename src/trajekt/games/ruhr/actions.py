"""The actions that only 18Ruhr has. `works` is never named: it is the company whose turn it is."""

from __future__ import annotations

from trajekt.engine.actions import Action
from trajekt.engine.components.schema import CompanyId, TrainKind


class BuyItem(Action, frozen=True, tag="buy_item"):
    """Buy an item of the Starting Package; with Private BME the starting value of the BME (RUHR-SR-02, -04)."""

    item: int
    value: int = 0


class RemovePrivate(Action, frozen=True, tag="remove_private"):
    """Take Private BME out of the game (RUHR-SR-23)."""

    private: int


class Develop(Action, frozen=True, tag="develop"):
    """Buy a card for markers: `stages` in order, as `AAB` (RUHR-DEV-01)."""

    card: TrainKind
    stages: str


class BuildPmcLink(Action, frozen=True, tag="build_link"):
    """Build the link of a pMC, by number (RUHR-LINK-03 to -05)."""

    mine: int


class UsePferdebahn(Action, frozen=True, tag="use_pferdebahn"):
    """Let a Pferdebahn make the link of a pMC (RUHR-LINK-06)."""

    private: int
    mine: int


class BuyEngine(Action, frozen=True, tag="buy_engine"):
    """Buy a card of `display` or `pool` as an engine; `scrap` is the engine that makes room (RUHR-SWITCH-01, -05)."""

    source: str
    card: TrainKind
    scrap: str = ""


class BuyEngineFrom(Action, frozen=True, tag="buy_engine_from"):
    """Buy a railway's train as an engine; its director must consent (RUHR-SWITCH-08)."""

    company: CompanyId
    card: TrainKind
    price: int
    scrap: str = ""


class ScrapEngine(Action, frozen=True, tag="scrap_engine"):
    """Scrap an engine (RUHR-SWITCH-05)."""

    engine: str


class ShareDeal(Action, frozen=True, tag="share_deal"):
    """`sell` one of the corporation's certificates to the pool, or `buy` one from it (RUHR-OR-11)."""

    deal: str
    percent: int


class ForceTrain(Action, frozen=True, tag="force_train"):
    """Take a train that the treasury cannot pay, of `display`, `pool` or another railway (RUHR-FORCED-01)."""

    source: str
    train: TrainKind
    price: int


class FoundMontan(Action, frozen=True, tag="found_montan"):
    """Found a MONTAN corporation from a pMC at a value; `extra` is a second certificate: none, `buy`, or `merge` (RUHR-MR-07).

    `merged` is the pMC that is merged at once, 0 for none.
    """

    company: CompanyId
    mine: int
    value: int
    extra: str = ""
    merged: int = 0


class MergeMine(Action, frozen=True, tag="merge_mine"):
    """Merge an own pMC into a MONTAN corporation (RUHR-MR-08)."""

    mine: int
    company: CompanyId


class KeepEngines(Action, frozen=True, tag="keep_engines"):
    """The engines that stay on a charter after a merger; the others return to the supply (RUHR-MR-09)."""

    engines: tuple[str, ...]
