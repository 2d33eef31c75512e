"""Powers of private companies that lay a tile, and the hexes that an open private company keeps closed.

A power is used once, by the owner, in the turn of a company that he directs (COMMON-PRV-02). What it lays is a `Right`
like others; what it brings besides is the `Power`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from trajekt.engine.actions import UsePrivate
from trajekt.engine.components.schema import HexId, TileId
from trajekt.engine.events import PrivateClosed, PrivateUsed
from trajekt.engine.ruleset import Check, Code, Draft, Refusal, View, check, refuse
from trajekt.rules.operating_round import CompanyTurn, Grant, operating, set_turn, turn_of
from trajekt.rules.tile_laying import Joins, Lay, LayingPolicy, Right, candidates, lay, phase_of
from trajekt.rules.turn_notes import PowerLay


@dataclass(frozen=True, slots=True)
class Power:
    """The power of a private company, used once.

    `rule` grants it. `open` tells whether the turn still allows it, `admits` which hex and tile. `grants`: a station there in
    the same turn without a route, `lasting` even after another lay, `free` of cost by this rule, or at full cost. `exclusive`:
    no other station in that turn. `closes`: the private company is given up by it.
    """

    rule: str
    open: Callable[[View, CompanyTurn], Refusal | None]
    admits: Callable[[View, HexId, TileId], Refusal | None]
    joins: Joins | None = None
    overlays: bool = False
    free_lay: str = ""
    grants: bool = False
    lasting: bool = False
    free_station: str = ""
    exclusive: bool = False
    closes: bool = False


@dataclass(frozen=True, slots=True)
class PowersPolicy:
    """The powers of a game by the number of the private company; `elsewhere` are used in another step, not by a lay."""

    powers: Mapping[int, Power]
    elsewhere: Mapping[int, str] = field(default_factory=dict)


def rights(powers: Mapping[int, Power]) -> dict[int, Right]:
    """The rights to lay that powers give."""
    return {number: _right(number, power) for number, power in powers.items()}


def _right(number: int, power: Power) -> Right:
    def done(draft: Draft, at: HexId) -> None:
        draft.emit(PrivateUsed(number))
        if power.closes:
            draft.emit(PrivateClosed(number, "used"))
        if power.grants:
            turn = turn_of(draft.state)
            exclusive = turn.exclusive or power.exclusive
            set_turn(draft, grants=(*turn.grants, Grant(number, at)), exclusive=exclusive)

    return Right(
        PowerLay(number),
        power.open,
        power.joins,
        power.admits,
        power.overlays,
        power.free_lay,
        power.lasting,
        done,
    )


def on_hexes(number: int, rule: str) -> Callable[[View, HexId, TileId], Refusal | None]:
    """A power good only for the hexes printed on its certificate, and for its own tile if it has one."""

    def admits(view: View, at: HexId, tile: TileId) -> Refusal | None:
        private = view.sheet.privates[number]
        hexes = private.hexes or private.blocks
        if at not in hexes:
            return refuse(Code.POWER_ELSEWHERE, rule, hexes=", ".join(hexes), private=number)
        if private.tile and tile != private.tile:
            return refuse(Code.POWER_TILE, rule, tile=private.tile, private=number)
        return None

    return admits


# Checks -----------------------------------------------------------------------------------------------------------------


@check("COMMON-PRV-02", "COMMON-PRV-01")
def own_power(view: View, action: UsePrivate) -> Refusal | None:
    """Refuse a power that is none of the game, of a closed private company, not of the director, or used before."""
    policy = view.ruleset.policy(PowersPolicy)
    if action.private not in view.sheet.privates:
        return refuse(Code.NOT_IN_RULESET, private=action.private)
    if action.private in policy.elsewhere:
        return refuse(Code.POWER_IN_STEP, private=action.private, step=policy.elsewhere[action.private])
    if action.private not in policy.powers:
        return refuse(Code.NO_POWER, private=action.private)
    return power_unused(view, action.private)


def power_unused(view: View, number: int) -> Refusal | None:
    """Refuse a power of a closed private company, of somebody else than the director, or used before."""
    private = view.state.privates[number]
    if not private.open:
        return refuse(Code.CLOSED, "COMMON-PRV-01", private=number)
    if private.owner != view.seat or private.owner != operating(view).director:
        return refuse(Code.NOT_OWNER, "COMMON-PRV-02", private=number)
    return refuse(Code.USED, "COMMON-PRV-02", private=number) if private.used else None


@check("COMMON-PRV-02")
def power_in_phase(view: View, action: UsePrivate) -> Refusal | None:
    """Refuse a power before the phase with which it begins."""
    needed = view.sheet.privates[action.private].available_from
    if not needed or needed in view.state.current_phase.tiles:
        return None
    rule = view.ruleset.policy(PowersPolicy).powers[action.private].rule
    return refuse(Code.NOT_IN_PHASE, rule, private=action.private, **phase_of(view.sheet, needed))


def blocked_by_private(rule: str, *, against_owner: bool = True) -> Check[Lay]:
    """Make the check that an open private company blocks its hex until its own tile lies there."""

    @check(rule)
    def closed_hex(view: View, action: Lay) -> Refusal | None:
        at = action.hex
        for number, printed in view.sheet.privates.items():
            if at not in printed.blocks or view.state.board.contents(at).tile:
                continue
            private = view.state.privates[number]
            own = isinstance(action, UsePrivate) and action.private == number
            if private.open and not own and (against_owner or private.owner != view.seat):
                return refuse(Code.RESERVED, hex=at, private=number)
        return None

    return closed_hex


# Options and effect -----------------------------------------------------------------------------------------------------


def power_options(view: View) -> Iterator[UsePrivate]:
    """Every tile that fits on the hexes of the director's own powers."""
    turn, policy = turn_of(view.state), view.ruleset.policy(LayingPolicy)
    for number, power in view.ruleset.policy(PowersPolicy).powers.items():
        private, printed = view.state.privates[number], view.sheet.privates[number]
        if private.owner != view.seat or not private.open or private.used:
            continue
        if policy.powers[number].open(view, turn) is not None:
            continue
        hexes = printed.hexes or printed.blocks
        if power.overlays:
            own = view.sheet.tiles[printed.tile].rotation
            for at in hexes:
                for lies in range(6) if own is None else (own,):
                    yield UsePrivate(number, at, printed.tile, lies)
        else:
            for at, laid in candidates(view, hexes):
                yield UsePrivate(number, at, laid.tile, laid.rotation)


def use_power(draft: Draft, action: UsePrivate) -> None:
    """Lay the tile by the power, for the company that operates."""
    lay(draft, action)


def can_use_power(view: View) -> bool:
    """Tell whether the director may use a power to lay a tile now; stops at the first."""
    rules = view.ruleset.actions.get(UsePrivate, ())
    return any(rule.first_refusal(view, action) is None for action in power_options(view) for rule in rules)
