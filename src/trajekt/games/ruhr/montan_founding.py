"""Founding MONTAN corporations and merging pMCs into them: what it takes and what it does (section 18 of the rule sheet)."""

from __future__ import annotations

from trajekt.engine.events import CertificateMoved, PrivateClosed, StatusSet
from trajekt.engine.ruleset import Code, Draft, Refusal, View, refuse
from trajekt.engine.state import IPO, Company, Seat, State
from trajekt.games.ruhr.actions import FoundMontan
from trajekt.games.ruhr.components import MINES, NO_MARKERS, StageCounts, added, is_montan, ruhr_components, stages_of
from trajekt.games.ruhr.events import EngineMoved, LocationSet, MarkersMoved, MineBecame, MontanFounded, MontanMerged
from trajekt.games.ruhr.montan_charters import charter, engine_room, from_supply, industry_of, linked
from trajekt.games.ruhr.montan_round_cards import note_last
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.refusals import Why, because
from trajekt.games.ruhr.state import (
    ACTIVE,
    FOUNDED,
    MERGED,
    PASSIVE,
    SUPPLY,
    account,
    assets_of,
    location,
    ruhr_state,
    treasury_of,
)
from trajekt.rules.directorship import directors_certificate
from trajekt.rules.floating import found
from trajekt.rules.stock_round import limit

LEAST = 5  # markers of an active pMC, the connection marker included (RUHR-MR-04)
CERTIFICATE = 20
MONTAN = 20


def size(state: State, mine: int) -> int:
    """The markers of a pMC that count for a founding: all of them and the connection, no engines (RUHR-MR-04, -05, Q47)."""
    return sum(assets_of(state, str(mine)).markers) + linked(state, str(mine))


def values(options: RuhrOptions, state: State, mine: int) -> tuple[int, ...]:
    """The values at which a pMC can found, in Mark (RUHR-MR-05, RUHR-MR-06, Q48)."""
    known = ruhr_components(state.sheet).values
    if ruhr_state(state).mines[mine] == ACTIVE:
        return (min(known["at_most"], known["each_marker"] * size(state, mine)),)
    colour = state.current_phase.colour
    stated = tuple(known["passive"].get(colour, ()))
    third = options.brown_third_value
    return (*stated, third) if colour == "brown" and third else stated


def own_active(state: State, seat: Seat, mine: int) -> bool:
    """Tell whether a pMC is active and the player's own."""
    return mine in MINES and ruhr_state(state).mines[mine] == ACTIVE and state.privates[mine].owner == seat


def free_circle(state: State, company: str) -> bool:
    """Tell whether the charter of a MONTAN corporation has room for another location."""
    found = ruhr_state(state).montan.get(company)
    return found is not None and len(found.mines) < charter(state, company).circles


def next_certificate(company: Company) -> int | None:
    """The number of the next normal certificate in the IPO."""
    return next((n for n in company.held(IPO) if not company.certificates[n].director), None)


# What speaks against it ------------------------------------------------------------------------------------------------


def cannot_found(view: View, action: FoundMontan) -> Refusal | None:
    """RUHR-MR-03 and -04: a free MONTAN corporation of the industry, a linked pMC, an own one with five markers or passive."""
    state = view.state
    if not is_montan(view.sheet, action.company):
        return because(Why.NO_MONTAN, "RUHR-MR-03", company=action.company)
    if action.mine not in MINES:
        return because(Why.NO_SUCH_MINE, "RUHR-MR-03", number=action.mine)
    company = view.company(action.company)
    if company.certificates[directors_certificate(company)].holder != IPO:
        return because(Why.ALREADY_FOUNDED, "RUHR-MR-03", company=action.company)
    if charter(state, action.company).industry != industry_of(state, action.mine):
        return because(Why.WRONG_INDUSTRY, "RUHR-MR-03", company=action.company, mine=action.mine)
    status = ruhr_state(state).mines[action.mine]
    if status not in (ACTIVE, PASSIVE):
        return because(Why.OUT_OF_PLAY, "RUHR-MR-03", mine=action.mine)
    if status == ACTIVE and not own_active(state, view.seat, action.mine):
        return because(Why.OWNED_BY_OTHER, "RUHR-MR-04", mine=action.mine)
    if location(state, action.mine) <= 0:
        return because(Why.NOT_LINKED, "RUHR-MR-03", mine=action.mine)
    if status == ACTIVE and size(state, action.mine) < LEAST:
        return because(Why.TOO_FEW_MARKERS, "RUHR-MR-04", mine=action.mine, number=LEAST, held=size(state, action.mine))
    possible = values(view.ruleset.policy(RuhrOptions), state, action.mine)
    if action.value not in possible:
        rule = "RUHR-MR-05" if status == ACTIVE else "RUHR-MR-06"
        return because(Why.VALUE_RANGE, rule, par=action.value, values=", ".join(map(str, possible)))
    return None


def extra_wrong(view: View, action: FoundMontan) -> Refusal | None:
    """RUHR-MR-07: nothing more, one certificate bought, or one for an own pMC of the industry."""
    if action.extra not in ("", "buy", "merge") or bool(action.merged) != (action.extra == "merge"):
        return because(Why.EXTRA_ONE, "RUHR-MR-07")
    if action.extra != "merge":
        return None
    if action.merged not in MINES:
        return because(Why.NO_SUCH_MINE, "RUHR-MR-07", number=action.merged)
    if action.merged == action.mine or not own_active(view.state, view.seat, action.merged):
        return because(Why.OWNED_BY_OTHER, "RUHR-MR-07", mine=action.merged)
    if industry_of(view.state, action.merged) != industry_of(view.state, action.mine):
        return because(Why.WRONG_INDUSTRY, "RUHR-MR-07", company=action.company, mine=action.merged)
    return None


def too_dear(view: View, action: FoundMontan) -> Refusal | None:
    """From a passive pMC the value is paid for the director certificate, and the value for a certificate bought."""
    passive = ruhr_state(view.state).mines[action.mine] == PASSIVE
    cost = action.value * (passive + (action.extra == "buy"))
    return refuse(Code.UNAFFORDABLE, cost=cost, cash=view.player.cash) if cost > view.player.cash else None


def too_many_papers(view: View, action: FoundMontan) -> Refusal | None:
    """From a passive pMC and by buying one paper more; from an active one and by merging paper for paper."""
    passive = ruhr_state(view.state).mines[action.mine] == PASSIVE
    more, most = passive + (action.extra == "buy"), limit(view.state)
    held = view.state.certificate_count(view.seat)
    return refuse(Code.CERTIFICATE_LIMIT, held=held, limit=most) if more and held + more > most else None


# What it does ----------------------------------------------------------------------------------------------------------


def found_montan(draft: Draft, seat: Seat, action: FoundMontan) -> None:
    """The director certificate, the charter with all that moves to it, the location at 20; then the extra certificate."""
    state = draft.state
    active = ruhr_state(state).mines[action.mine] == ACTIVE
    if not active:
        draft.pay(seat, action.company, action.value, "par")
    found(draft, seat, action.company, action.value, "exchange" if active else "par")
    draft.emit(StatusSet(action.company, "floated"))
    draft.emit(MontanFounded(action.company, action.mine, state.phase))
    if active:
        bring(draft, action.mine, action.company, FOUNDED)
    else:
        start = started(draft.state, charter(draft.state, action.company).industry)
        if start != NO_MARKERS:
            draft.emit(MarkersMoved(SUPPLY, action.company, stages_of(start), "founded"))
        draft.emit(MineBecame(action.mine, FOUNDED))
    draft.emit(LocationSet(action.mine, MONTAN, "founded"))
    if action.extra == "buy":
        draft.pay(seat, action.company, action.value, "share")
        take_certificate(draft, seat, action.company, "share")
    elif action.extra == "merge":
        merge(draft, seat, action.merged, action.company)


def started(state: State, industry: str) -> StageCounts:
    """START markers by the colour of the phase, as far as the supply goes (RUHR-MR-06, Q49)."""
    return from_supply(state, industry, ruhr_components(state.sheet).start[state.current_phase.colour])


def take_certificate(draft: Draft, seat: Seat, company_id: str, cause: str) -> None:
    """A normal 20 per cent certificate of the IPO."""
    number = next_certificate(draft.state.companies[company_id])
    assert number is not None
    draft.emit(CertificateMoved(company_id, number, IPO, seat, cause))


def bring(draft: Draft, mine: int, company: str, status: str) -> None:
    """All possessions of a pMC move to a MONTAN charter; what exceeds its boxes returns to the supply (RUHR-MR-05, -09)."""
    state, works = draft.state, str(mine)
    seat = state.privates[mine].owner
    markers, boxes = assets_of(state, works).markers, charter(state, company).boxes
    room = added(boxes, assets_of(state, company).markers, -1)
    moving = tuple(max(0, min(pair)) for pair in zip(markers, room, strict=True))
    surplus = added(markers, moving, -1)
    if moving != NO_MARKERS:
        draft.emit(MarkersMoved(works, company, stages_of(moving), "merged"))
    if surplus != NO_MARKERS:
        draft.emit(MarkersMoved(works, SUPPLY, stages_of(surplus), "limit"))
    for engine in assets_of(state, works).engines:
        draft.emit(EngineMoved(engine, works, company, "merged"))
    draft.pay(account(works), company, treasury_of(state, works), "merged")
    draft.emit(PrivateClosed(mine, status))
    draft.emit(MineBecame(mine, status))
    if seat is not None:
        note_last(draft, seat)


def merge(draft: Draft, seat: Seat, mine: int, company: str) -> None:
    """A normal certificate for the pMC; its location marker stays as it is (RUHR-MR-09)."""
    absorb(draft, mine, company)
    take_certificate(draft, seat, company, "merged")


def absorb(draft: Draft, mine: int, company: str) -> None:
    """Bring all that a merged pMC has to the corporation, the first steps of a merger."""
    draft.emit(MontanMerged(company, mine))
    bring(draft, mine, company, MERGED)


def gains_office(state: State, seat: Seat, company: str) -> bool:
    """Tell whether the certificate of a merger makes a player director (RUHR-DIR-01, RUHR-BANKR-07)."""
    found = state.companies[company]
    most = 0 if found.director is None else found.percent(found.director)
    return found.director != seat and found.percent(seat) + CERTIFICATE > most


def too_many_engines(state: State, company: str) -> bool:
    """Tell whether a charter holds more engines than it has boxes for."""
    return len(assets_of(state, company).engines) > engine_room(state, company)
