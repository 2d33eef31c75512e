"""The order of rounds: stock round, two operating rounds (three at the end), Montan Round; and the order within an OR."""

from __future__ import annotations

from msgspec.structs import replace

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.ruleset import Draft, Duty
from trajekt.engine.state import State
from trajekt.games.ruhr.components import is_montan
from trajekt.games.ruhr.montan_charters import active_mines
from trajekt.games.ruhr.montan_round import Foundation
from trajekt.games.ruhr.montan_round_cards import deal_first
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.starting_package import open_package
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.private_income import pay_privates
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import open_stock_round

LAST_SET = 3  # operating rounds after the last stock round (RUHR-OR-01)


def run_rounds(draft: Draft, rounds: Rounds) -> None:
    """Open the next round, or end the game (RUHR-OR-01, RUHR-OR-12, RUHR-MR-01, RUHR-END-01 to -03).

    `done` counts the Montan Round after a set as one round more.
    """
    state = draft.state
    if rounds.number and not rounds.planned:
        if rounds.number == 1:
            deal_first(draft)
        rounds = replace(rounds, planned=state.current_phase.operating_rounds)
    if rounds.done < rounds.planned:
        rounds = replace(rounds, done=rounds.done + 1)
        draft.replace_top(rounds)
        draft.push(OperatingRound(rounds.number, rounds.done, rounds.planned))
    elif state.ending == "bank" or rounds.planned == LAST_SET:
        draft.end(state.ending)
    elif rounds.number and rounds.done == rounds.planned and "4" in state.depot.sold:
        draft.replace_top(replace(rounds, done=rounds.done + 1))
        draft.push(Foundation())
    else:
        draft.replace_top(Rounds(rounds.number + 1))
        if rounds.number:
            open_stock_round(draft, rounds.number + 1)
        else:
            open_package(draft)


ROUNDS = Duty(Rounds, rule="RUHR-OR-12", run=run_rounds)


# Within an operating round -------------------------------------------------------------------------------------------


def interrupting(current: OperatingRound) -> bool:
    """Tell whether it is the single round that interrupts the First Stock Round (RUHR-SR-05)."""
    return not current.of


def run_round(draft: Draft, current: OperatingRound) -> None:
    """Private companies, then pMCs by number, then corporations by value (RUHR-OR-02 to -04)."""
    state = draft.state
    if not current.opened:
        draft.replace_top(opened(state, draft.ruleset.policy(RuhrOptions), current))
        pay_privates(draft)
        return
    mine = next((str(m) for m in active_mines(state) if str(m) not in current.operated), None)
    if mine is not None:
        draft.replace_top(replace(current, operated=(*current.operated, mine)))
        draft.push(MontanTurn(mine))
        return
    waiting = [] if interrupting(current) else to_operate(state, current, draft.ruleset.policy(RuhrOptions))
    if not waiting:
        draft.pop()
        return
    company, price = waiting[0], state.price(waiting[0])
    lowest = price if current.lowest is None else min(price, current.lowest)
    draft.replace_top(replace(current, operated=(*current.operated, company), lowest=lowest))
    draft.push(MontanTurn(company) if is_montan(draft.sheet, company) else CompanyTurn(company))


def opened(state: State, options: RuhrOptions, current: OperatingRound) -> OperatingRound:
    """The round as it begins: who comes too early for it, and with `fixed` the order of the corporations (Q11)."""
    barred = tuple(company for company in state.companies if not may_operate(state, company))
    order = None
    if options.or_order == "fixed":
        order = tuple(c for c in state.operating_order if state.companies[c].floated and c not in barred)
    return replace(current, opened=True, barred=barred, order=order)


def to_operate(state: State, current: OperatingRound, options: RuhrOptions) -> list[CompanyId]:
    """The floated corporations that have not acted, in their order now (RUHR-OR-04, RUHR-OR-05, RUHR-OR-13).

    Whose way was barred when the round began has no place in it; with `same_or` it takes its place as soon as it may act,
    or comes last where somebody has begun his turn at a lower value than its own (Q15).
    """
    order = state.operating_order if current.order is None else (*current.order, *current.barred)
    left = [c for c in order if c in state.markers.spaces and c not in current.operated]
    waiting = [c for c in left if state.companies[c].floated and may_operate(state, c)]
    if options.eh_start == "next_or":
        return [c for c in waiting if c not in current.barred]
    lowest = current.lowest
    late = [c for c in waiting if c in current.barred and lowest is not None and state.price(c) > lowest]
    return [c for c in waiting if c not in late] + late


def may_operate(state: State, company: CompanyId) -> bool:
    """The EH not before the first card of type 5 (RUHR-OR-13)."""
    own = state.sheet.companies[company].own
    return "operates_from" not in own or own["operates_from"] in state.depot.sold


OPERATING_ROUND = Duty(OperatingRound, rule="RUHR-OR-04", run=run_round)
