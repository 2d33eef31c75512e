"""The turn that waits when an entry of an export comes: whose it is, and the steps that are left on the way to it (CMP-06).

A step that waits here and that the file does not mention is left when a later entry shows that the site did not ask for it.
Each difference that is known by name is noted with its CMP id (`DIFFERENCES`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from trajekt.engine import actions as a
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import can, refusal
from trajekt.engine.import_protocol import ExportItem, KnownDifference, Parted, Untranslatable
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import Seat, State
from trajekt.games.rhl.site_names import company_of
from trajekt.rules.auction import Offer
from trajekt.rules.operating_round import CompanyTurn, current_turn, steps_of
from trajekt.rules.stock_round import SharesPolicy, StockRound

SeatAction = tuple[Seat, a.Action]
CurrentState = Callable[[], State]

DIFFERENCES = {
    "step_unasked": "CMP-06",
    "step_unknown": "CMP-06",
    "run_unknown": "CMP-06",
    "turn_unknown": "CMP-06",
    "done_here": "CMP-06",
    "link_paid": "CMP-03",
}
"""CMP ids of what is noted, where the site asks and the rules do not, or the other way round."""


class TurnReader:
    """Follows whose turn it is by an export, and by the rules.

    `acting` is the company that acted last by the file, `actor` the player who did in the round that is on; `notes` are the
    differences met, `entry` is the number of the entry that is read.
    """

    def __init__(self, ruleset: Ruleset, players: Sequence[Any], items: Sequence[ExportItem]) -> None:
        self.ruleset = ruleset
        self.players = list(players)
        self.items = items
        self.acting = ""
        self.actor: Seat | None = None
        self.notes: list[KnownDifference] = []
        self.entry = 0

    def note(self, code: str, **values: object) -> None:
        """Note a difference of the table."""
        self.notes.append(KnownDifference(self.entry, DIFFERENCES[code], code, values))

    def seat(self, who: object) -> Seat:
        """Return the seat of a player of the file."""
        if who not in self.players:
            raise Untranslatable("stranger", who=f"{who!r:.60}")
        return self.players.index(who)

    def actor_for(self, state: State, company: str) -> Seat:
        """Return who acts for a company: its director, in receivership the first who is awaited."""
        director = state.companies[company].director
        if director is not None:
            return director
        return next((seat for seat in awaited(self.ruleset, state) if seat >= 0), 0)

    # Steps ------------------------------------------------------------------------------------------------------------

    def place(self, turn: CompanyTurn, step: str) -> int:
        """Return how far the turn is from a step: below 0 before it, 0 in it, above 0 past it."""
        names = [s.name for s in steps_of(self.ruleset)]
        return (names.index(turn.step) if turn.step in names else -1) - names.index(step)

    def leave_step(self, state: State, turn: CompanyTurn) -> SeatAction:
        """Pass a step that the site did not ask for; `Parted` where it cannot be passed."""
        seat = self.actor_for(state, turn.company)
        if turn is not state.top or refusal(self.ruleset, state, seat, a.Pass()) is not None or turn.step == "track":
            raise Parted("step_left_out", company=turn.company, step=turn.step)
        self.note("step_unasked", step=turn.step, company=turn.company)
        return seat, a.Pass()

    def leave_turn(self, now: CurrentState, company: str = "") -> Iterator[SeatAction]:
        """Leave the rest of the turn that is on, unless it is that of `company`."""
        turn = current_turn(now())
        former = "" if turn is None else turn.company
        for _ in steps_of(self.ruleset):
            turn = current_turn(now())
            if turn is None or turn.company != former or former == company:
                break
            yield self.leave_step(now(), turn)

    def leave_idle(self, now: CurrentState, seat: Seat | None = None) -> Iterator[SeatAction]:
        """End the turns of players who can neither buy nor sell nor found any more: the site asks them for no pass (CMP-06)."""
        for _ in self.players:
            waiting = awaited(self.ruleset, now())
            if not isinstance(now().top, StockRound) or not waiting or seat in waiting:
                return
            if can(self.ruleset, now(), waiting[0], self.ruleset.policy(SharesPolicy).acts):
                return
            yield waiting[0], self.pass_of_player(now(), waiting[0])

    def to_company(self, now: CurrentState, company: str) -> Iterator[SeatAction]:
        """Leave the rest of the turn before, as far as the file does; then it must be the turn of `company`."""
        self.goes_on(now())
        yield from self.leave_idle(now)
        turn = current_turn(now())
        if turn is not None and turn.company != company and turn.step == "track":  # its turn has only begun
            raise Parted("other_company", order=True, company=company, operating=turn.company)
        yield from self.leave_turn(now, company)
        turn = current_turn(now())
        if turn is None:
            raise Parted("no_company_operates", order=True, company=company)
        if turn.company != company:
            raise Parted("other_company", order=True, company=company, operating=turn.company)

    def to_step(self, now: CurrentState, company: str, step: str) -> Iterator[SeatAction]:
        """Come to a step of a company's turn."""
        yield from self.to_company(now, company)
        for _ in steps_of(self.ruleset):
            turn = current_turn(now())
            if turn is None or turn.company != company:
                raise Parted("turn_ends", company=company, step=step)
            at = self.place(turn, step)
            if at == 0:
                return
            if at > 0:
                raise Parted("past_step", company=company, step=step, now=turn.step)
            yield self.leave_step(now(), turn)

    def to_player(self, now: CurrentState, seat: Seat) -> Iterator[SeatAction]:
        """Leave the rest of the company's turn before a stock round; then the player must be awaited."""
        self.goes_on(now())
        yield from self.leave_turn(now)
        yield from self.leave_idle(now, seat)
        waiting = awaited(self.ruleset, now())
        if seat not in waiting:
            raise Parted("other_player", order=True, seat=seat, seats=[each for each in waiting if each >= 0])

    def goes_on(self, state: State) -> None:
        """Raise `Parted` where the game has ended by the rules."""
        if state.outcome:
            raise Parted("goes_on")

    def rest_of_turn(self, company: str, at: int) -> str:
        """Return the kind of the company's next entry in the same turn of the file, empty where there is none."""
        for item in self.items[at + 1 :]:
            raw = item.raw
            kind, who = str(raw.get("type")), raw.get("entity_type")
            if who == "company" or kind == "discard_train" or (who == "player" and kind == "sell_shares"):
                continue
            return kind if who == "corporation" and company_of(raw.get("entity")) == company else ""
        return ""

    def behind(self, raw: Mapping[str, Any]) -> Sequence[ExportItem]:
        """Return the items behind an entry."""
        at = next(n for n, item in enumerate(self.items) if item.raw is raw)
        return self.items[at + 1 :]

    # Players ----------------------------------------------------------------------------------------------------------

    def passed_over(self, state: State, seat: Seat) -> bool:
        """Tell whether the turn of a player who passes in the file was left out here, since he can do nothing."""
        if not isinstance(state.top, StockRound):
            return True
        since = state.clockwise(state.priority if self.actor is None else self.actor)
        first = awaited(self.ruleset, state)
        return bool(first) and seat in since and since.index(seat) < since.index(first[0])

    def pass_of_player(self, state: State, seat: Seat) -> a.Action:
        """Return the pass of a player in the form that his step has here."""
        if isinstance(state.top, Offer):
            return a.DeclineOffer()
        ending = a.EndTurn()
        if isinstance(state.top, StockRound) and refusal(self.ruleset, state, seat, ending) is None:
            return ending
        return a.Pass()
