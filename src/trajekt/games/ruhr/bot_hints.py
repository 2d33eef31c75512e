"""Bot hints of 18Ruhr: Montan companies live by their markers, not by trains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil
from typing import Any

from trajekt.engine.actions import Action, Pass, PayOut, Withhold
from trajekt.engine.bot_hints import Appraisal, BotHints
from trajekt.engine.ruleset import View
from trajekt.engine.state import Company, State
from trajekt.games.ruhr.actions import BuyEngine, BuyItem, Develop, FoundMontan, MergeMine
from trajekt.games.ruhr.components import MINES, STAGES, is_montan, ruhr_components
from trajekt.games.ruhr.montan_charters import charter, inactive, income, must_develop, on_boxes, room
from trajekt.games.ruhr.montan_turn import MontanTurn, montan_turn
from trajekt.games.ruhr.round_sequence import may_operate
from trajekt.games.ruhr.state import ACTIVE, ruhr_state, treasury_of
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.trains import on_display
from trajekt.rules.turn_notes import Once

HALF = 0.5  # of a pMC's income is its owner's (RUHR-PMC-03)
FADING = 0.8  # what is left of an income on average, since markers are turned over
LASTS = 15  # operating rounds at most that are counted, of a game that ends with the bank
LAST_CARD = "6"  # when it has been sold, pMCs turn passive after the set (RUHR-PMC-06)


def rounds(state: State) -> int | None:
    """None to come once the game has ended, by its bank or by the first type 8; before that as the bank lets guess."""
    return 0 if state.outcome else None


def rounds_to_come(state: State) -> float:
    """The operating rounds in which a Montan company still earns: fewer the further the cards on sale have come."""
    if state.outcome:
        return 0.0
    cards = list(ruhr_components(state.sheet).cards)
    sold = max((cards.index(kind) for kind in state.depot.sold if kind in cards), default=0)
    return max(2.0, LASTS * (1 - sold / len(cards)))


def rest_of_set(state: State) -> int:
    """The operating rounds of the present set still to come."""
    rounds = state.agenda[0] if state.agenda else None
    if not isinstance(rounds, Rounds):
        return 0
    return max(0, (rounds.planned or state.current_phase.operating_rounds) - rounds.done)


def growth(state: State, works: str) -> tuple[int, int]:
    """The gain of the best card on sale in income, and its price, both in Mark; nothing where no marker would find a box."""
    known, printed, turned = ruhr_components(state.sheet), charter(state, works), inactive(state)
    free = [boxes - lying for boxes, lying in zip(room(state, works), on_boxes(state, works), strict=True)]
    best = (0, 0)
    for kind in on_display(state):
        card, gain, squares = known.cards[kind], 0, known.cards[kind].squares
        for at in range(len(STAGES) - 1, -1, -1):
            if at in turned or STAGES[at] not in card.stages or (printed.mine is not None and at > 2):
                continue
            taken = min(squares, max(0, free[at]))
            squares -= taken
            gain += taken * known.stages[at]
        best = max(best, (gain, card.price))
    return best


def to_earn(state: State, works: str, rounds: float, kept: float) -> float:
    """The income of a Montan company in so many rounds, in Mark; `kept` of its income goes to its treasury and to a card."""
    now = income(state, works)
    more, price = growth(state, works)
    lacking = max(0, price - treasury_of(state, works))
    waits = ceil(lacking / max(1.0, kept * now)) if lacking else 0
    return FADING * (now * rounds + more * max(0.0, rounds - waits)) - (0.0 if kept < 1.0 else lacking)


def earnings(state: State, company: Company) -> float | None:
    """The earnings of a MONTAN corporation in a round; a railway earns by its trains, but none that may not operate yet."""
    if not may_operate(state, company.id):
        return 0.0
    if not is_montan(state.sheet, company.id) or company.id not in ruhr_state(state).montan:
        return None
    count = rounds_to_come(state)
    if not count:
        return 0.0
    return max(FADING * income(state, company.id), to_earn(state, company.id, count, 1.0) / count)


def duty(state: State, company: Company) -> int | None:
    """The price of the card that a MONTAN corporation without an active marker needs (RUHR-DEV-19); it needs no train."""
    if not is_montan(state.sheet, company.id):
        return None
    if not company.floated or company.id not in ruhr_state(state).montan or not must_develop(state, company.id):
        return 0
    return min((ruhr_components(state.sheet).cards[kind].price for kind in on_display(state)), default=0)


def holding(state: State, number: int) -> float | None:
    """The worth of a pMC: half of its income while active, and its price at the end or as much in a merger."""
    if number not in MINES or state.extra is None:
        return None
    if ruhr_state(state).mines.get(number) != ACTIVE:
        return 0.0
    last = LAST_CARD in state.depot.sold
    count = float(rest_of_set(state)) if last else rounds_to_come(state)
    counts = 0 if last else ruhr_state(state).worth.get(number, state.sheet.privates[number].price)
    return HALF * to_earn(state, str(number), count, HALF) + counts


# Actions ----------------------------------------------------------------------------------------------------------------


def develop(view: View, action: Develop) -> Appraisal:
    """By the position after it."""
    return Appraisal(None, "why.develop", {"works": montan_turn(view.frame).works, "stages": action.stages})


def engine(view: View, action: BuyEngine) -> Appraisal:
    """By the position after it."""
    return Appraisal(None, "why.engine", {"works": montan_turn(view.frame).works})


def disposal(view: View, action: PayOut | Withhold) -> Appraisal | None:
    """A Montan company's payment or saving, by the position after it; nothing to say of railways."""
    if not isinstance(view.frame, MontanTurn):
        return None
    key = "why.pays" if isinstance(action, PayOut) else "why.keeps"
    return Appraisal(None, key, {"works": view.frame.works, "income": view.frame.revenue})


def leave(view: View, _action: Pass) -> Appraisal | None:
    """Reason of a Montan company not to develop; nothing to say of other turns, and none where it could."""
    turn = view.frame
    if not isinstance(turn, MontanTurn) or Once.ACTIVITY in turn.used:
        return None
    prices = [ruhr_components(view.sheet).cards[kind].price for kind in on_display(view.state)]
    cost, treasury = min(prices, default=0), treasury_of(view.state, turn.works)
    if not growth(view.state, turn.works)[0]:
        return Appraisal(0.0, "why.full", {"works": turn.works})
    if treasury < cost:
        return Appraisal(0.0, "why.dear", {"works": turn.works, "treasury": treasury, "cost": cost})
    return None


APPRAISE: Mapping[type[Action], Callable[[View, Any], Appraisal | None]] = {
    Develop: develop,
    BuyEngine: engine,
    PayOut: disposal,
    Withhold: disposal,
    Pass: leave,
}

HINTS = BotHints(
    rounds=rounds,
    earnings=earnings,
    duty=duty,
    holding=holding,
    appraise=APPRAISE,
    weighed=frozenset({BuyItem, FoundMontan, MergeMine}),
    rough=20.0,
    by_trains=False,
    judged=0.0,
)
