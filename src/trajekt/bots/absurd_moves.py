"""Counts of moves that no player would make, over whole games of bots, each beside how often there was a chance of it.

Judged by the position alone, or by what came of a move, and never by what a bot thinks with: a count says how a bot plays, and
where its judgement fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from trajekt.bots.bot import legal_of, open_to
from trajekt.bots.candidate_moves import after, least
from trajekt.bots.evaluation import LASTING, cheapest, lacking, life, next_price, open_rounds, rounds_left
from trajekt.bots.executors import HERE, Executor
from trajekt.bots.outlook import funds
from trajekt.bots.simulation import GamePlan, play_out
from trajekt.engine.actions import Action, BuyTrain, FoundCompany, Pass, PayOut, PlaceBid
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.ruleset import View
from trajekt.engine.state import Company, Seat, State
from trajekt.round_label import Round, round_of
from trajekt.rules.operating_round import CompanyTurn, current_turn
from trajekt.rules.round_sequence import Rounds, RoundsPolicy
from trajekt.rules.stock_round import StockRound, limit

TRAINLESS = "trainless pass with money"
UNFLOATED = "founding that cannot float"
BACK = "train moved back"
RUED = "pay-out that would have bought the train that lacks a round later"
DUMPED = "paying company dumped before the last set"
SHORT = "company left short of floating though its director could pay what lacks, and its capital its train"
GIVEN = "paying company given to a rival in the stock round in which its director sold of it"
OVERBID = "bid beyond price and income to come"
IDLE = "operating round that a floated company lay idle through"
ABSURD = (TRAINLESS, UNFLOATED, SHORT, BACK, RUED, DUMPED, GIVEN, OVERBID, IDLE)

DEAR = 1.5
"""A certificate without a share is hardly worth more than so many times its printed price, or than its income."""


class MoveCount(msgspec.Struct, frozen=True):
    """One kind of absurd move: how often it was made, and out of how many moves of that kind."""

    name: str
    made: int
    chances: int


class AbsurdMoves:
    """Is shown each move of a game before it is made, and counts."""

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.chances: Counter[str] = Counter()
        self._sold: dict[tuple[tuple[int, int], TrainKind], tuple[str, CompanyId]] = {}
        self._paid: dict[CompanyId, tuple[tuple[int, int], int]] = {}
        self._sellers: dict[CompanyId, Seat] = {}
        self._left: dict[CompanyId, bool] = {}
        self._in_round: Round | None = None
        self._round = (0, 0)
        self._operated = False
        self._floated: frozenset[CompanyId] = frozenset()
        self._acted: set[str] = set()

    def __call__(self, view: View, action: Action) -> None:
        """Look at a move of a seat."""
        self._turns(view.state)
        now = round_of(view.state)
        if now != self._in_round:
            self._leave(view.state)
            self._in_round = now
            self._sellers.clear()
        self._give(view, action)
        if isinstance(action, Pass) and isinstance(view.frame, StockRound):
            self._left.update((company.id, _could_float(view, company)) for company in _short(view.state, view.seat))
        if isinstance(action, FoundCompany):
            self._count(UNFLOATED, _cannot_float(view, action))
        elif isinstance(action, PlaceBid):
            self._count(OVERBID, _overbids(view.state, action))
        elif _sells(action) and _last_set(view):
            self._count(DUMPED, _dumps(view, action))
        turn = current_turn(view.state)
        if turn is None or turn.company not in view.state.companies:
            return
        company = view.state.companies[turn.company]
        self._rue(view.state, company)
        if isinstance(action, Pass) and _at_trains(view):
            if not company.trains:
                self._count(TRAINLESS, 0 < cheapest(view.state) <= company.treasury)
        elif isinstance(action, PayOut):
            self._count(RUED, False)
            self._paid[company.id] = _moment(view.state), turn.revenue
        elif isinstance(action, BuyTrain):
            self._count(BACK, self._moved_back(view.state, turn.company, action))

    def _count(self, name: str, absurd: bool) -> None:
        self.chances[name] += 1
        self.made[name] += absurd

    def _turns(self, state: State) -> None:
        """Note whose turn it is, and at the end of an operating round who had none, of those that had floated before it."""
        now = _moment(state)
        if now != self._round:
            if self._operated:
                for company in sorted(self._floated):
                    self._count(IDLE, company not in self._acted and state.companies[company].floated)
            self._round, self._acted, self._operated = now, set(), False
            self._floated = frozenset(c.id for c in state.companies.values() if c.floated)
        self._operated |= round_of(state).kind == "operating"
        self._acted |= {frame.acting() for frame in state.agenda}

    def _give(self, view: View, action: Action) -> None:
        """Note in a stock round who sells of a paying company that he directs, and look whether another directs it now."""
        for name, seat in list(self._sellers.items()):
            if view.state.companies[name].director != seat:
                del self._sellers[name]
                self.made[GIVEN] += 1
        company = view.state.companies.get(getattr(action, "company", ""))
        if round_of(view.state).kind != "stock" or not _sells(action) or company is None or company.id in self._sellers:
            return
        lasts = any(life(view.state, kind) >= LASTING for kind in company.trains)
        if company.director == view.seat and company.revenue and lasts:
            self._sellers[company.id] = view.seat
            self.chances[GIVEN] += 1

    def _leave(self, state: State) -> None:
        """Look, as a stock round is over, which companies stay short of floating, and who could have paid as he passed last."""
        for name, could in self._left.items():
            if not state.companies[name].floated:
                self._count(SHORT, could)
        self._left.clear()

    def _rue(self, state: State, company: Company) -> None:
        """Look, as the next turn of a company begins, whether what it paid out would buy the train that it lacks now."""
        paid = self._paid.get(company.id)
        if paid is not None and paid[0] != _moment(state):
            del self._paid[company.id]
            lacks = not company.trains and company.treasury < cheapest(state)
            self.made[RUED] += lacks and cheapest(state) <= company.treasury + paid[1]

    def _moved_back(self, state: State, buyer: CompanyId, action: BuyTrain) -> bool:
        """Tell whether a train goes back to where it came from in the same operating round."""
        if action.source not in state.companies:
            return False
        key = _moment(state), action.train
        back = self._sold.get(key) == (buyer, action.source)
        self._sold[key] = (action.source, buyer)
        return back


def _moment(state: State) -> tuple[int, int]:
    """The set of rounds and the operating rounds that are over in it."""
    rounds = next((frame for frame in state.agenda if isinstance(frame, Rounds)), None)
    return (rounds.number, rounds.done) if rounds is not None else (0, 0)


def _at_trains(view: View) -> bool:
    return isinstance(view.frame, CompanyTurn) and view.frame.step == "trains"


def _cannot_float(view: View, action: FoundCompany) -> bool:
    """Tell whether the founder cannot pay all the shares that float a company, while a seat could or all together cannot."""
    printed, company = view.sheet.companies[action.company], view.company(action.company)
    lacks = printed.float_percent - sum(company.shareholders.values())
    cost = max(0, lacks) // printed.share * action.par
    money = [player.cash for player in view.state.players]
    return view.player.cash < cost and (max(money) >= cost or sum(money) < cost)


def _short(state: State, seat: Seat) -> list[Company]:
    """The companies that a seat has founded and that lack shares to float."""
    return [c for c in state.companies.values() if c.director == seat and c.founded and lacking(state, c) > 0]


def _could_float(view: View, company: Company) -> bool:
    """Tell whether a seat may buy a share of a company for money alone, and has money and room for all that it lacks.

    Where the capital does not pay the train that the company must buy, the director would have to help: that is no fault.
    """
    needed, price = lacking(view.state, company), view.state.price(company.id)
    room = limit(view.state) - view.state.certificate_count(view.seat)
    if needed > min(view.player.cash, room * price):
        return False
    buying = (rule for rule in open_to(view) if rule.action.buys_share)
    shares = (least(option) for rule in buying for option in legal_of(rule, view))
    bought = (after(view, share) for share in shares if getattr(share, "company", "") == company.id)
    # a brewery corporation of 18DO takes the minor of its founder as it floats
    return any(
        state is not None
        and _privates(state, view.seat) == _privates(view.state, view.seat)
        and funds(state, state.companies[company.id]) >= next_price(state, state.companies[company.id])
        for state in bought
    )


def _privates(state: State, seat: Seat) -> list[int]:
    return [number for number, private in state.privates.items() if private.owner == seat and private.open]


def _overbids(state: State, action: PlaceBid) -> bool:
    """Tell whether a bid is far above the printed price and above all income to come, for a certificate without a share."""
    printed = state.sheet.privates[action.private]
    income = printed.revenue * min(rounds_left(state), open_rounds(state))
    return not printed.brings and action.amount > max(DEAR * printed.price, income)


def _sells(action: Action) -> bool:
    """Tell whether an action sells shares, whatever a game calls it."""
    return str(type(action).__struct_config__.tag).startswith("sell")


def _last_set(view: View) -> bool:
    """Tell whether this is the stock round before the last operating rounds, in a game that has so many."""
    rounds = next((frame for frame in view.state.agenda if isinstance(frame, Rounds)), None)
    policy = view.ruleset.by_type.get(RoundsPolicy)
    return (
        isinstance(policy, RoundsPolicy)
        and rounds is not None
        and not rounds.planned
        and 0 < policy.sets == rounds.number
    )


def _dumps(view: View, action: Action) -> bool:
    """Tell whether a sale gives away the direction of a company that paid in its last run and still has a train to run."""
    state = after(view, action)
    if state is None:
        return False
    lost = (
        company
        for name, company in view.state.companies.items()
        if company.director == view.seat != state.companies[name].director
    )
    return any(company.revenue and any(life(view.state, kind) >= 1 for kind in company.trains) for company in lost)


def counted(plan: GamePlan) -> AbsurdMoves:
    """The counts of one game. AssertionError where it comes to no end."""
    counts = AbsurdMoves()
    result = play_out(plan, told=counts)
    assert result.finished, result.violations
    return counts


def table(plans: Sequence[GamePlan], where: Executor = HERE) -> list[MoveCount]:
    """The counts of many games together."""
    made: Counter[str] = Counter()
    chances: Counter[str] = Counter()
    for each in where.run(counted, plans):
        made += each.made
        chances += each.chances
    return [MoveCount(name, made[name], chances[name]) for name in ABSURD]


def report(counts: Iterable[MoveCount]) -> str:
    """The counts as lines of text."""
    return "\n".join(f"{each.made:>5} of {each.chances:>5}  {each.name}" for each in counts)
