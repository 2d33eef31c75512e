"""Phases: what the first sale of a kind of train sets off, in the order in which the ruleset lists these reactions.

Phase, obsolescence, closings and openings, limit, discards (COMMON-PHS-07): `PHASE_BEGINS`, `OBSOLETE`, `PRIVATES_CLOSE`,
whatever a game adds, and `LIMIT_FALLS` last.
"""

from __future__ import annotations

from trajekt.engine.events import PhaseBegan, PrivateClosed, TrainMoved
from trajekt.engine.ruleset import Draft, Reaction
from trajekt.engine.state import DISPLAY, GONE, POOL
from trajekt.rules.trains import ask_for_discards


def begin_phase(draft: Draft, event: TrainMoved) -> None:
    """Only a train from the display changes the phase, and never back.

    What a phase brings is data of the sheet (COMMON-PHS-01, COMMON-PHS-02, COMMON-PHS-03, COMMON-PHS-04, COMMON-PHS-05,
    RHL-PHS-06).
    """
    if event.source != DISPLAY:
        return
    phases = draft.sheet.phases
    started = next((n for n, phase in enumerate(phases) if phase.started_by == event.train), None)
    if started is not None and started > phases.index(draft.state.current_phase):
        draft.emit(PhaseBegan(phases[started].name))


def retire(draft: Draft, event: PhaseBegan) -> None:
    """Obsolete trains leave charters and pool at once, without compensation (COMMON-TRN-08)."""
    obsolete = draft.sheet.phase_by_name[event.phase].obsolete
    state = draft.state
    for company in state.companies.values():
        for train in company.trains:
            if train in obsolete:
                draft.emit(TrainMoved(train, company.id, GONE, "obsolete"))
    for train in state.depot.pool:
        if train in obsolete:
            draft.emit(TrainMoved(train, POOL, GONE, "obsolete"))


def close_privates(draft: Draft, event: PhaseBegan) -> None:
    """All privates close without value (COMMON-PHS-04, COMMON-PRV-01)."""
    if draft.sheet.phase_by_name[event.phase].privates_close:
        for private in draft.state.privates.values():
            if private.open:
                draft.emit(PrivateClosed(private.number, "phase"))


def limit_falls(draft: Draft, _event: PhaseBegan) -> None:
    """Ask companies above the new limit before anything else goes on (COMMON-TRN-09)."""
    ask_for_discards(draft)


PHASE_BEGINS = Reaction(TrainMoved, ("COMMON-PHS-07", "COMMON-PHS-02"), begin_phase)
OBSOLETE = Reaction(PhaseBegan, ("COMMON-TRN-08", "COMMON-PHS-03"), retire)
PRIVATES_CLOSE = Reaction(PhaseBegan, ("COMMON-PHS-04",), close_privates)
LIMIT_FALLS = Reaction(PhaseBegan, ("COMMON-TRN-09", "COMMON-PHS-07"), limit_falls)
