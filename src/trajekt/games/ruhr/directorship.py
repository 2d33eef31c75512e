"""Directors of 18Ruhr: Private BME keeps the directorship of the BME while it exists (section 4 of the rule sheet)."""

from __future__ import annotations

from trajekt.engine.events import CertificateMoved, PrivateClosed
from trajekt.engine.ruleset import Draft, Reaction
from trajekt.engine.state import State
from trajekt.games.ruhr.components import BME_PRIVATE
from trajekt.rules.directorship import directors_certificate, follow_majority

BME = "BME"


def private_bme_open(state: State) -> bool:
    """Tell whether Private BME keeps its owner director of the BME (RUHR-DIR-05); until its sale no BME paper moves."""
    return state.privates[BME_PRIVATE].open


def private_ends_by_sale(draft: Draft, event: CertificateMoved) -> None:
    """Take Private BME out of the game when its owner holds 10 per cent of the BME or none (RUHR-DIR-06)."""
    company, owner = draft.state.companies[BME], draft.state.privates[BME_PRIVATE].owner
    if event.company != BME or not private_bme_open(draft.state) or owner is None:
        return
    if company.percent(owner) < company.certificates[directors_certificate(company)].percent:
        draft.emit(PrivateClosed(BME_PRIVATE, "sale"))


def follow(draft: Draft, event: CertificateMoved) -> None:
    """Make the player director who holds more than the director (RUHR-DIR-01), the BME under its private excepted."""
    if event.company != BME or not private_bme_open(draft.state):
        follow_majority(draft, event)


def follow_after_private(draft: Draft, event: PrivateClosed) -> None:
    """Make somebody who holds more director at once when Private BME is gone (RUHR-DIR-06)."""
    if event.private == BME_PRIVATE:
        follow_majority(draft, CertificateMoved(BME, 0, "", "", ""))


PRIVATE_ENDS = Reaction(CertificateMoved, ("RUHR-DIR-06",), private_ends_by_sale)
DIRECTOR_FOLLOWS = Reaction(CertificateMoved, ("RUHR-DIR-01", "RUHR-DIR-02", "RUHR-DIR-03", "RUHR-DIR-05"), follow)
DIRECTOR_AFTER_PRIVATE = Reaction(PrivateClosed, ("RUHR-DIR-06",), follow_after_private)
