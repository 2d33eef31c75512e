"""The effects of a new phase beside obsolete trains (RUHR-TRAIN-05), engines and the train limit.

Section 17 of the rule sheet. Shared rules begin a phase (RUHR-PHASE-01) and keep the order of the cards (RUHR-PHASE-04).
"""

from __future__ import annotations

from trajekt.engine.events import EndTriggered, PhaseBegan, PrivateClosed
from trajekt.engine.ruleset import Draft, Reaction

LAST = "8"


def close_privates(draft: Draft, event: PhaseBegan) -> None:
    """Private BME at the first type 4, the others at the first type 5, sold or not (RUHR-DIR-06, RUHR-SR-24, RUHR-SR-25)."""
    closing = draft.sheet.phase_by_name[event.phase].own.get("closes", ())
    assert isinstance(closing, list | tuple)
    for number in closing:
        if draft.state.privates[number].open:
            draft.emit(PrivateClosed(number, "phase"))


def announce_end(draft: Draft, event: PhaseBegan) -> None:
    """Announce the end with the first type 8, unless the bank has run out before (RUHR-END-02, RUHR-END-03)."""
    if event.phase == LAST and not draft.state.ending:
        draft.emit(EndTriggered("eight"))


PRIVATES_CLOSE = Reaction(PhaseBegan, ("RUHR-PHASE-02", "RUHR-PHASE-03"), close_privates)
END_ANNOUNCED = Reaction(PhaseBegan, ("RUHR-END-02", "RUHR-END-03"), announce_end)
