"""Operating rounds: the order of companies and the steps of a company's turn.

A turn is a row of steps. Each step says itself whether somebody is awaited; steps that nobody can use are skipped. What a
step offers is a `Rule` of its own file; here is only the frame that they share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import msgspec
from msgspec.structs import replace

from trajekt.engine.actions import Action, Pass
from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.engine.events import StatusSet
from trajekt.engine.frame_notes import Note
from trajekt.engine.ruleset import Check, Code, Draft, Duty, Refusal, Rule, Ruleset, View, check, refuse
from trajekt.engine.state import Company, Frame, Seat, State
from trajekt.rules.private_income import pay_privates


class OperatingRound(Frame, frozen=True, tag="operating_round"):
    """Operating round `set`.`number` of `of`; `operated` holds the companies that have begun their turn.

    `order` is the order of turns in games that fix it when the round begins. `barred` are companies that had no place in it
    when it began; `lowest` is the lowest price in Mark at which a company has begun its turn, in games that ask for it.
    """

    set: int
    number: int
    of: int
    operated: tuple[CompanyId, ...] = ()
    opened: bool = False
    order: tuple[CompanyId, ...] | None = None
    barred: tuple[CompanyId, ...] = ()
    lowest: int | None = None


class Grant(msgspec.Struct, frozen=True, gc=False):
    """The right to build the station of this turn on a hex without a route, by the power of a private company."""

    private: int
    hex: HexId


class CompanyTurn(Frame, frozen=True, tag="company_turn"):
    """The turn of a company.

    `lays` are the rights used, in order; `station` is the hex of the station built;
    `grants` are the hexes given by powers, `exclusive` tells that no other may be built on (COMMON-PRV-04); `revenue` in Mark;
    `bought` counts trains; `forced` tells that a forced purchase was made; `used` is what else was done that is done once.
    """

    company: CompanyId
    step: str = ""
    lays: tuple[Note, ...] = ()
    station: HexId = ""
    grants: tuple[Grant, ...] = ()
    exclusive: bool = False
    revenue: int = 0
    bought: int = 0
    forced: bool = False
    used: tuple[Note, ...] = ()

    def acting(self) -> str:
        return self.company


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A step of the turn: `enter` acts once when it begins; it waits while `waits` answers true.

    `leave` may refuse a pass. A company without a director (receivership) stops only at steps that are `unattended`.
    """

    name: str
    waits: Callable[[View], bool] | None = None
    enter: Callable[[Draft], None] | None = None
    passable: bool = False
    leave: Check[Pass] | None = None
    unattended: bool = False


@dataclass(frozen=True, slots=True)
class TurnPolicy:
    """The steps of a turn in order (COMMON-OR-04)."""

    steps: tuple[TurnStep, ...]


def open_round(draft: Draft, set_number: int, number: int, of: int) -> None:
    """Begin operating round `set_number`.`number` of `of`."""
    draft.push(OperatingRound(set_number, number, of))


def run_round(draft: Draft, current: OperatingRound) -> None:
    """Pay incomes, then give each floated company its turn: always the first of those that have not had theirs.

    The order is that of the moment (COMMON-OR-03); when none is left the round is over (COMMON-OR-08).
    """
    if not current.opened:
        draft.replace_top(replace(current, opened=True))
        pay_privates(draft)
        return
    order = draft.state.operating_order if current.order is None else current.order
    waiting = (c for c in order if c not in current.operated and draft.state.companies[c].floated)
    company = next(waiting, None)
    if company is None:
        draft.pop()
        return
    draft.replace_top(replace(current, operated=(*current.operated, company)))
    draft.push(CompanyTurn(company))


def turn_of(state: State) -> CompanyTurn:
    """The turn on the agenda, which may lie below an interruption; an assertion fails where there is none."""
    top = state.agenda[-1]
    if isinstance(top, CompanyTurn):  # asked by nearly every check of a turn
        return top
    found = current_turn(state)
    assert found is not None
    return found


def current_turn(state: State) -> CompanyTurn | None:
    """The company's turn on the agenda, or None."""
    return next((f for f in reversed(state.agenda) if isinstance(f, CompanyTurn)), None)


def acting_in_turn(state: State) -> str:
    """The company, mine or brewery in whose name an action is told; empty where a player acts."""
    return state.agenda[-1].acting() if state.agenda else ""


def company_in_turn(state: State) -> CompanyId:
    """The company whose turn lies on top, which is what acts now; empty where somebody else decides."""
    top = state.agenda[-1] if state.agenda else None
    return top.company if isinstance(top, CompanyTurn) else ""


def operating(view: View) -> Company:
    """The operating company."""
    return view.state.companies[turn_of(view.state).company]


def director_of(state: State, turn: CompanyTurn) -> Sequence[Seat]:
    """The seats that decide for the operating company: its director; in receivership anybody still in the game (RHL-BKR-03)."""
    director = state.companies[turn.company].director
    if director is not None:
        return (director,)
    return tuple(seat for seat, player in enumerate(state.players) if not player.bankrupt)


def set_turn(draft: Draft, **values: object) -> None:
    """Change the turn that lies on top."""
    top = draft.state.agenda[-1]
    assert isinstance(top, CompanyTurn)
    draft.replace_top(replace(top, **values))


def steps_of(ruleset: Ruleset) -> tuple[TurnStep, ...]:
    """The steps of a turn in order."""
    return ruleset.policy(TurnPolicy).steps


def _place(steps: Sequence[TurnStep], name: str) -> int:
    """The place of a step among all; -1 before the first."""
    for place, step in enumerate(steps):
        if step.name == name:
            return place
    return -1


def _view(draft: Draft, turn: CompanyTurn) -> View:
    director = draft.state.companies[turn.company].director
    return View(draft.ruleset, draft.state, -1 if director is None else director, turn)


def run_turn(draft: Draft, turn: CompanyTurn) -> None:
    """Go on to the first step that awaits somebody."""
    steps = steps_of(draft.ruleset)
    place = _place(steps, turn.step)
    current = steps[place] if place >= 0 else None
    if current is not None and current.waits is not None:
        attended = current.unattended or draft.state.companies[turn.company].director is not None
        if attended and current.waits(_view(draft, turn)):
            return
    advance(draft)


def advance(draft: Draft) -> None:
    """Leave the current step for the next, or end the turn after the last."""
    top = draft.state.agenda[-1]
    assert isinstance(top, CompanyTurn)
    steps = steps_of(draft.ruleset)
    at = _place(steps, top.step) + 1
    if at == len(steps):
        if not draft.state.companies[top.company].operated:
            draft.emit(StatusSet(top.company, "operated"))
        draft.pop()
        return
    draft.replace_top(replace(top, step=steps[at].name))
    enter = steps[at].enter
    if enter is not None:
        enter(draft)


def memo_of_steps(name: str) -> Callable[[str], Refusal]:
    """The refusal of what belongs to one step, by the step that is on now; each is made once."""
    return cache(lambda now: refuse(Code.WRONG_STEP, step=name, **({"now": now} if now else {})))


def in_step(name: str) -> Check[Action]:
    """Only in one step of a turn; a step that is over does not come back (COMMON-OR-04)."""
    # asked of every rule of the turn, and mostly so answered
    wrong = memo_of_steps(name)

    @check("COMMON-OR-04", general=True)
    def in_this_step(view: View, _action: Action) -> Refusal | None:
        turn = view.frame
        if not isinstance(turn, CompanyTurn):
            return wrong("")
        return None if turn.step == name else wrong(turn.step)

    return in_this_step


@check("COMMON-OR-04", general=True)
def passable(view: View, _action: Pass) -> Refusal | None:
    """Refuse to leave out running where a train can run, or to leave revenue without use (COMMON-RTE-12)."""
    turn = view.frame
    assert isinstance(turn, CompanyTurn)
    step = next(s for s in steps_of(view.ruleset) if s.name == turn.step)
    if step.passable:
        return None if step.leave is None else step.leave(view, _action)
    if step.name == "run":
        return refuse(Code.MUST_RUN, "COMMON-RTE-12")
    return refuse(Code.MUST_DECIDE, company=turn.company)


def pass_options(_view: View) -> Iterable[Pass]:
    """To pass is always a candidate."""
    yield Pass()


def pass_step(draft: Draft, _action: Pass) -> None:
    """Leave the step."""
    advance(draft)


PASS_STEP = Rule(Pass, pass_options, pass_step, needs=(passable,))

OPERATING_ROUND = Duty(OperatingRound, rule="COMMON-OR-01", run=run_round)


def company_turn(*menu: Rule[Action]) -> Duty:
    """The duty of a company's turn with the rules of its steps."""
    return Duty(
        CompanyTurn,
        rule="COMMON-OR-04",
        who=director_of,
        menu=menu,
        run=run_turn,
        not_your_turn=(Code.NOT_DIRECTOR, "COMMON-DIR-01"),
    )
