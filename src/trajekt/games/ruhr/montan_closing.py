"""Montan companies that leave the game: pMCs that turn passive, MONTAN corporations that close (RUHR-PMC-06, RUHR-DEV-20)."""

from __future__ import annotations

from trajekt.engine.events import CertificateMoved, DirectorChanged, PrivateClosed, StatusSet
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import BANK, GONE
from trajekt.games.ruhr.components import NO_MARKERS, stages_of
from trajekt.games.ruhr.events import EngineMoved, LocationSet, MarkersMoved, MineBecame, MontanClosed
from trajekt.games.ruhr.montan_charters import active_mines
from trajekt.games.ruhr.montan_round_cards import note_last
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.state import PASSIVE, REMOVED, account, assets_of, ruhr_state, treasury_of


def empty_charter(draft: Draft, works: str, cause: str) -> None:
    """Markers and engines leave the game, the treasury goes to the bank (Q57)."""
    held = assets_of(draft.state, works)
    if held.markers != NO_MARKERS:
        draft.emit(MarkersMoved(works, REMOVED, stages_of(held.markers), cause))
    for engine in held.engines:
        draft.emit(EngineMoved(engine, works, REMOVED, cause))
    draft.pay(account(works), BANK, treasury_of(draft.state, works), cause)


def turn_passive(draft: Draft, mine: int, cause: str) -> None:
    """Take the charter out of the game for nothing; the location marker stays with its value."""
    empty_charter(draft, str(mine), cause)
    draft.emit(PrivateClosed(mine, cause))
    draft.emit(MineBecame(mine, PASSIVE))


def all_turn_passive(draft: Draft) -> None:
    """After the Montan Round that follows the first type 6 (RUHR-PMC-06, RUHR-MR-10)."""
    owners = [draft.state.privates[mine].owner for mine in active_mines(draft.state)]
    for mine in active_mines(draft.state):
        turn_passive(draft, mine, "phase")
    for seat in ruhr_state(draft.state).cards:
        if seat in owners:
            note_last(draft, seat)


def close(draft: Draft, company_id: str) -> None:
    """Certificates void, markers on market and map and the charter gone, no compensation (RUHR-DEV-20).

    Merged locations stay on the map with their value (Q22).
    """
    empty_charter(draft, company_id, "closed")
    for number, certificate in enumerate(draft.state.companies[company_id].certificates):
        draft.emit(CertificateMoved(company_id, number, certificate.holder, GONE, "closed"))
    draft.emit(LocationSet(ruhr_state(draft.state).montan[company_id].mines[0], -1, "closed"))
    draft.emit(MontanClosed(company_id))
    draft.emit(DirectorChanged(company_id, None, "closed"))
    draft.emit(StatusSet(company_id, "floated", value=False))
    if draft.state.companies[company_id].receivership:
        draft.emit(StatusSet(company_id, "receivership", value=False))
    draft.purge(lambda frame: isinstance(frame, MontanTurn) and frame.works == company_id)
