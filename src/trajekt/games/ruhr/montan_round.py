"""The Montan Round: foundation by card, then merging in reverse order (section 18 of the rule sheet)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import ClassVar

from trajekt.engine.actions import Pass
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import can
from trajekt.engine.ruleset import Code, Draft, Duty, Refusal, Rule, View, check
from trajekt.engine.state import Frame, Seat, State
from trajekt.games.ruhr.actions import FoundMontan, KeepEngines, MergeMine
from trajekt.games.ruhr.components import MINES, is_montan, ruhr_components
from trajekt.games.ruhr.events import EngineMoved
from trajekt.games.ruhr.montan_charters import charter, engine_room, industry_of, mines_of
from trajekt.games.ruhr.montan_closing import all_turn_passive
from trajekt.games.ruhr.montan_founding import (
    absorb,
    cannot_found,
    extra_wrong,
    found_montan,
    free_circle,
    gains_office,
    next_certificate,
    own_active,
    take_certificate,
    too_dear,
    too_many_engines,
    too_many_papers,
    values,
)
from trajekt.games.ruhr.montan_round_cards import deal_again, more_montan_rounds
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.refusals import Why, because
from trajekt.games.ruhr.state import ACTIVE, PASSIVE, SUPPLY, assets_of, location, ruhr_state

PASSIVE_FROM = "6"  # the card after whose Montan Round no pMC is active (RUHR-MR-10)


class Foundation(Frame, frozen=True, tag="foundation"):
    """The foundation phase: the holder of card number `at` + 1 is to found or to pass (RUHR-MR-02)."""

    round_kind: ClassVar[str] = "MR"
    at: int = 0


class Merging(Frame, frozen=True, tag="merging"):
    """The merging phase: the holder of card number `at` + 1 is to merge or to pass; `passes` in succession (RUHR-MR-08)."""

    round_kind: ClassVar[str] = "MR"
    at: int
    passes: int = 0


class TooManyEngines(Frame, frozen=True, tag="too_many_engines"):
    """A merger brought more engines than there are boxes (RUHR-MR-09)."""

    company: CompanyId


class MergedCertificate(Frame, frozen=True, tag="merged_certificate"):
    """A certificate that makes who merged a pMC director: it follows the choice of engines, the former director's."""

    company: CompanyId
    seat: Seat


def founder(state: State, frame: Foundation) -> Sequence[Seat]:
    """The seat whose turn it is."""
    cards = ruhr_state(state).cards
    return (cards[frame.at],) if frame.at < len(cards) else ()


def run_foundation(draft: Draft, frame: Foundation) -> None:
    """Each player once, then the merging phase; who cannot found is passed over."""
    cards = ruhr_state(draft.state).cards
    if frame.at >= len(cards):
        draft.pop()
        draft.push(Merging(len(cards) - 1))
    elif not can(draft.ruleset, draft.state, cards[frame.at], (FoundMontan,)):
        draft.replace_top(Foundation(frame.at + 1), ("foundation",))


@check("RUHR-MR-03", "RUHR-MR-04", "RUHR-MR-05", "RUHR-MR-06")
def may_found(view: View, action: FoundMontan) -> Refusal | None:
    """Refuse a MONTAN corporation that is founded, a pMC that does not fit, or a wrong value."""
    return cannot_found(view, action)


@check("RUHR-MR-07")
def extra_right(view: View, action: FoundMontan) -> Refusal | None:
    """Refuse what is wrong about the further certificate, of which a founding brings one at most."""
    return extra_wrong(view, action)


@check("RUHR-MR-06", "RUHR-MR-07")
def founder_pays(view: View, action: FoundMontan) -> Refusal | None:
    """Refuse what the founder's cash does not pay."""
    return too_dear(view, action)


@check("RUHR-SR-19", "RUHR-MR-06", "RUHR-MR-07")
def papers(view: View, action: FoundMontan) -> Refusal | None:
    """Refuse a certificate above the limit."""
    return too_many_papers(view, action)


def found_options(view: View) -> Iterable[FoundMontan]:
    """Every free corporation of the industry from every linked pMC, alone, with a purchase, with a merger."""
    state, options = view.state, view.ruleset.policy(RuhrOptions)
    free = [c for c, printed in ruhr_components(view.sheet).charters.items() if printed.mine is None]
    mine_list = [m for m in MINES if ruhr_state(state).mines[m] in (ACTIVE, PASSIVE) and location(state, m) > 0]
    for mine in mine_list:
        industry = industry_of(state, mine)
        partners = [m for m in mines_of(state, view.seat) if m != mine and industry_of(state, m) == industry]
        for company in free:
            if charter(state, company).industry != industry:
                continue
            for value in values(options, state, mine):
                yield FoundMontan(company, mine, value)
                yield FoundMontan(company, mine, value, "buy")
                for partner in partners:
                    yield FoundMontan(company, mine, value, "merge", partner)


def act_found(draft: Draft, action: FoundMontan) -> None:
    """Found, and hand the turn on."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, Foundation)
    draft.replace_top(Foundation(frame.at + 1))
    found_montan(draft, draft.seat, action)
    if action.merged and too_many_engines(draft.state, action.company):
        draft.push(TooManyEngines(action.company))


FOUND_MONTAN = Rule(
    FoundMontan, found_options, act_found, needs=(may_found, extra_right), checks=(founder_pays, papers)
)


def pass_founding(draft: Draft, _action: Pass) -> None:
    """Pass for good (RUHR-MR-02)."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, Foundation)
    draft.replace_top(Foundation(frame.at + 1))


FOUNDATION = Duty(
    Foundation,
    rule="RUHR-MR-02",
    who=founder,
    menu=(FOUND_MONTAN, Rule(Pass, lambda _view: (Pass(),), pass_founding)),
    run=run_foundation,
)


# Merging -------------------------------------------------------------------------------------------------------------


def merger(state: State, frame: Merging) -> Sequence[Seat]:
    """The seat whose turn it is."""
    cards = ruhr_state(state).cards
    return (cards[frame.at],) if frame.passes < len(cards) else ()


def run_merging(draft: Draft, frame: Merging) -> None:
    """In reverse order until all have passed in a row; then the round ends."""
    cards = ruhr_state(draft.state).cards
    if frame.passes >= len(cards):
        draft.pop()
        end_round(draft)
    elif not can(draft.ruleset, draft.state, cards[frame.at], (MergeMine,)):
        draft.replace_top(next_merger(draft.state, frame, passed=True), ("merging",))


def next_merger(state: State, frame: Merging, *, passed: bool) -> Merging:
    """The turn of the holder of the next lower card, after the lowest of the highest."""
    return Merging((frame.at - 1) % len(ruhr_state(state).cards), frame.passes + 1 if passed else 0)


def end_round(draft: Draft) -> None:
    """After the last chance active pMCs turn passive; then cards anew, if another round will come (RUHR-MR-10, -11)."""
    if PASSIVE_FROM in draft.state.depot.sold:
        all_turn_passive(draft)
    if more_montan_rounds(draft.state):
        deal_again(draft)


@check("RUHR-MR-08")
def may_merge(view: View, action: MergeMine) -> Refusal | None:
    """Refuse all but an own active pMC for a corporation of its industry with a certificate in the IPO and a free circle."""
    state = view.state
    if not is_montan(view.sheet, action.company) or not view.company(action.company).floated:
        return because(Why.NO_MONTAN, company=action.company)
    if action.mine not in MINES:
        return because(Why.NO_SUCH_MINE, number=action.mine)
    if not own_active(state, view.seat, action.mine):
        return because(Why.OWNED_BY_OTHER, mine=action.mine)
    if charter(state, action.company).industry != industry_of(state, action.mine):
        return because(Why.WRONG_INDUSTRY, company=action.company, mine=action.mine)
    if next_certificate(view.company(action.company)) is None:
        return because(Why.IPO_EMPTY, company=action.company)
    return None if free_circle(state, action.company) else because(Why.NO_CIRCLE, company=action.company)


def merge_options(view: View) -> Iterable[MergeMine]:
    """List every own pMC with every corporation of its industry."""
    for mine in mines_of(view.state, view.seat):
        for company in ruhr_state(view.state).montan:
            if charter(view.state, company).industry == industry_of(view.state, mine):
                yield MergeMine(mine, company)


def act_merge(draft: Draft, action: MergeMine) -> None:
    """Merge, and hand the turn on; engines are looked at before the certificate (RUHR-MR-09)."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, Merging)
    draft.replace_top(next_merger(draft.state, frame, passed=False))
    absorb(draft, action.mine, action.company)
    over = too_many_engines(draft.state, action.company)
    if over and gains_office(draft.state, draft.seat, action.company):
        draft.push(MergedCertificate(action.company, draft.seat))
    else:
        take_certificate(draft, draft.seat, action.company, "merged")
    if over:
        draft.push(TooManyEngines(action.company))


MERGE_MINE = Rule(MergeMine, merge_options, act_merge, needs=(may_merge,))


def pass_merging(draft: Draft, _action: Pass) -> None:
    """Pass; another merger opens the round to him again."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, Merging)
    draft.replace_top(next_merger(draft.state, frame, passed=True))


MERGING = Duty(
    Merging,
    rule="RUHR-MR-08",
    who=merger,
    menu=(MERGE_MINE, Rule(Pass, lambda _view: (Pass(),), pass_merging)),
    run=run_merging,
)


# Too many engines ------------------------------------------------------------------------------------------------------


def chooser(state: State, frame: TooManyEngines) -> Sequence[Seat]:
    """The director of the corporation."""
    director = state.companies[frame.company].director
    return () if director is None else (director,)


def run_engines(draft: Draft, frame: TooManyEngines) -> None:
    """Nothing to choose among equal engines, or where the bank runs it: the best stay."""
    held = assets_of(draft.state, frame.company).engines
    if len(set(held)) == 1 or draft.state.companies[frame.company].director is None:
        keep_these(draft, frame.company, held[-engine_room(draft.state, frame.company) :])


def keep_these(draft: Draft, company: CompanyId, kept: tuple[str, ...]) -> None:
    """The others return to the supply."""
    draft.pop()
    going = list(assets_of(draft.state, company).engines)
    for engine in kept:
        going.remove(engine)
    for engine in going:
        draft.emit(EngineMoved(engine, company, SUPPLY, "limit"))


@check("RUHR-MR-09")
def engines_kept(view: View, action: KeepEngines) -> Refusal | None:
    """Refuse engines not on the charter, in another order than by type, or not as many as boxes."""
    frame = view.frame
    assert isinstance(frame, TooManyEngines)
    if action in engine_choices(view):
        return None
    return because(Why.NO_ENGINE_ROOM, boxes=engine_room(view.state, frame.company))


def engine_choices(view: View) -> tuple[KeepEngines, ...]:
    """Every set that may stay."""
    frame = view.frame
    assert isinstance(frame, TooManyEngines)
    held = assets_of(view.state, frame.company).engines
    sets = combinations(held, engine_room(view.state, frame.company))
    return tuple(KeepEngines(kept) for kept in dict.fromkeys(sets))


def act_keep(draft: Draft, action: KeepEngines) -> None:
    """Carry out the director's choice."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, TooManyEngines)
    keep_these(draft, frame.company, action.engines)


TOO_MANY_ENGINES = Duty(
    TooManyEngines,
    rule="RUHR-MR-09",
    who=chooser,
    menu=(Rule(KeepEngines, engine_choices, act_keep, needs=(engines_kept,)),),
    run=run_engines,
    not_your_turn=(Code.NOT_DIRECTOR, "RUHR-DIR-07"),
)


def hand_out(draft: Draft, frame: MergedCertificate) -> None:
    """The certificate at last; the directorship follows it (RUHR-DIR-01)."""
    draft.pop()
    take_certificate(draft, frame.seat, frame.company, "merged")


MERGED_CERTIFICATE = Duty(MergedCertificate, rule="RUHR-MR-09", run=hand_out)
