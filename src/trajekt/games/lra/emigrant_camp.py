"""The emigrant camp of Dalheim, and the choices of owners out of turn: who gets the marker "20", who the 2+4 train.

LRA-PRV-18, LRA-PRV-21. A marker whose owner directs no floated corporation waits until he does (OQ-36, OQ-39).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trajekt.engine.actions import Action
from trajekt.engine.board.board import Board
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import DirectorChanged, FlagSet, PhaseBegan, StatusSet, TileLaid
from trajekt.engine.ruleset import Code, Draft, Duty, Reaction, Refusal, Rule, View, check, refuse
from trajekt.engine.state import Frame, Seat, State
from trajekt.games.lra.components import dalheim, kreisbahn, right_bank
from trajekt.games.lra.kreisbahn import GKB, give_train
from trajekt.games.lra.route_rules import DEC
from trajekt.rules.track_links import linked

CAMP = 1
"""The number of the Dalheim Emigrant Camp."""


def opened(what: str) -> str:
    """The mark of the position that the marker is open: it must be placed, or has been."""
    return f"{what}_open"


class MarkerChoice(Frame, frozen=True, tag="marker_choice"):
    """Choice of a corporation by an owner: `what` is `dec` for the marker "20" or `gkb` for the 2+4 train."""

    what: str


class AssignDec(Action, frozen=True, tag="assign_dec"):
    """Lay the marker "20" of the emigrants on a charter, for good (LRA-PRV-18)."""

    company: CompanyId


class AssignGkb(Action, frozen=True, tag="assign_gkb"):
    """Lay the 2+4 train on a charter, for good (LRA-PRV-21)."""

    company: CompanyId


# Who chooses, and among what -----------------------------------------------------------------------------------------


def owner(state: State, what: str) -> Seat | None:
    """The owner of the certificate that a marker belongs to, open or closed."""
    return state.privates[CAMP if what == DEC else kreisbahn(state.sheet).private].owner


def charters(state: State, what: str) -> tuple[CompanyId, ...]:
    """The floated corporations that the owner directs: they have a charter to lay it on."""
    seat = owner(state, what)
    return tuple(c.id for c in state.companies.values() if c.floated and c.director is not None and c.director == seat)


def chooser(state: State, choice: MarkerChoice) -> Sequence[Seat]:
    """The owner, whoever's turn it is."""
    seat = owner(state, choice.what)
    return () if seat is None else (seat,)


@check("LRA-PRV-18")
def directed(view: View, action: AssignDec | AssignGkb) -> Refusal | None:
    """Refuse a corporation that the owner does not direct, and what is not asked for."""
    choice = view.frame
    assert isinstance(choice, MarkerChoice)
    rule = "LRA-PRV-18" if choice.what == DEC else "LRA-PRV-21"
    if isinstance(action, AssignDec) != (choice.what == DEC):
        return refuse(Code.WRONG_STEP, rule)
    if action.company in charters(view.state, choice.what):
        return None
    return refuse(Code.NOT_DIRECTOR, rule, company=action.company)


def dec_options(view: View) -> Iterable[AssignDec]:
    """His corporations, for the marker."""
    choice = view.frame
    assert isinstance(choice, MarkerChoice)
    return (AssignDec(company) for company in charters(view.state, DEC) if choice.what == DEC)


def gkb_options(view: View) -> Iterable[AssignGkb]:
    """His corporations, for the train."""
    choice = view.frame
    assert isinstance(choice, MarkerChoice)
    return (AssignGkb(company) for company in charters(view.state, GKB) if choice.what == GKB)


def assign(draft: Draft, what: str, company: CompanyId) -> None:
    """Lay it down and go on."""
    draft.pop()
    if what == GKB:
        give_train(draft, company)
    else:
        draft.emit(FlagSet(what, company))


def run_choice(draft: Draft, choice: MarkerChoice) -> None:
    """Take the only corporation there is; without any the marker waits."""
    found = charters(draft.state, choice.what)
    if not found:
        draft.pop()
    elif len(found) == 1:
        assign(draft, choice.what, found[0])


ASSIGN_DEC = Rule(AssignDec, dec_options, lambda draft, action: assign(draft, DEC, action.company), needs=(directed,))
ASSIGN_GKB = Rule(AssignGkb, gkb_options, lambda draft, action: assign(draft, GKB, action.company), needs=(directed,))
MARKER_CHOICE = Duty(
    MarkerChoice,
    rule="LRA-PRV-18",
    who=chooser,
    menu=(ASSIGN_DEC, ASSIGN_GKB),
    run=run_choice,
    not_your_turn=(Code.NOT_OWNER, "LRA-PRV-18"),
)


# When ----------------------------------------------------------------------------------------------------------------


def camp_linked(board: Board) -> bool:
    """Tell whether track links Dalheim with a stop of the right bank; stations play no part (OQ-37)."""
    return linked(board, (dalheim(board.sheet),), right_bank(board))


def ask(draft: Draft, what: str) -> None:
    """Tell whether the marker must be placed now."""
    draft.emit(FlagSet(opened(what), "1"))
    draft.push(MarkerChoice(what))


def open_camp_by_link(draft: Draft, _event: TileLaid) -> None:
    """The camp becomes active at once when the link is made (LRA-PRV-18)."""
    state = draft.state
    if opened(DEC) not in state.marks and state.privates[CAMP].open and camp_linked(state.board):
        ask(draft, DEC)


def open_camp_by_phase(draft: Draft, event: PhaseBegan) -> None:
    """At the latest when the private companies close (LRA-PRV-18, COMMON-PHS-04)."""
    if draft.sheet.phase_by_name[event.phase].privates_close and opened(DEC) not in draft.state.marks:
        ask(draft, DEC)


def open_kreisbahn(draft: Draft, event: PhaseBegan) -> None:
    """The certificate of the Kreisbahn becomes a train (LRA-PRV-21)."""
    if draft.sheet.phase_by_name[event.phase].own.get("gkb_floats") and opened(GKB) not in draft.state.marks:
        ask(draft, GKB)


def ask_again(draft: Draft, _event: DirectorChanged | StatusSet) -> None:
    """A marker that waits is placed as soon as its owner directs a corporation (OQ-36, OQ-39)."""
    for what in (DEC, GKB):
        asked = any(isinstance(frame, MarkerChoice) and frame.what == what for frame in draft.state.agenda)
        due = opened(what) in draft.state.marks and what not in draft.state.marks
        if due and not asked and charters(draft.state, what):
            draft.push(MarkerChoice(what))


CAMP_LINKED = Reaction(TileLaid, ("LRA-PRV-18",), open_camp_by_link)
CAMP_OPENS = Reaction(PhaseBegan, ("LRA-PRV-18", "COMMON-PHS-04"), open_camp_by_phase)
KREISBAHN_OPENS = Reaction(PhaseBegan, ("LRA-PRV-21", "COMMON-PHS-04"), open_kreisbahn)
NEW_DIRECTOR = Reaction(DirectorChanged, ("LRA-PRV-18", "LRA-PRV-21"), ask_again)
NEWLY_FLOATED = Reaction(StatusSet, ("LRA-PRV-18", "LRA-PRV-21"), ask_again)
