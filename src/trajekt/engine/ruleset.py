"""The parts of a game: rules, duties, reactions and policies, composed into one `Ruleset` value; the `Draft` they change.

A `Rule` belongs to one kind of action: `options` are the candidates, `needs` and `checks` judge them and every submitted
action alike, `effect` emits events. Refusals are data; sentences exist only in the catalogues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import takewhile
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from trajekt.engine.actions import Action
from trajekt.engine.components.schema import CompanyId, Sheet
from trajekt.engine.events import Event, FramePopped, FramePushed, FrameRemoved, GameEnded, Paid, TopReplaced
from trajekt.engine.evolve import evolve
from trajekt.engine.frame_notes import Note
from trajekt.engine.state import Account, Company, Frame, Player, Seat, State

A = TypeVar("A", bound=Action)
# a check of a wider kind of action serves for a narrower one
C_contra = TypeVar("C_contra", bound=Action, contravariant=True)
P = TypeVar("P")


class Code(StrEnum):
    """Code of a refusal. Each code has one sentence in each catalogue; `args` fill its gaps."""

    NOT_YOUR_TURN = "not_your_turn"
    WRONG_STEP = "wrong_step"
    NOT_DIRECTOR = "not_director"
    NOT_OWNER = "not_owner"
    UNAFFORDABLE = "unaffordable"
    NOT_IN_PHASE = "not_in_phase"
    CERTIFICATE_LIMIT = "certificate_limit"
    POOL_LIMIT = "pool_limit"
    TRAIN_LIMIT = "train_limit"
    NO_TILE_LEFT = "no_tile_left"
    NO_PLACE = "no_place"
    NO_TOKEN = "no_token"
    NOT_CONNECTED = "not_connected"
    BLOCKED = "blocked"
    TRACK_LOST = "track_lost"
    WRONG_KIND = "wrong_kind"
    WRONG_COLOUR = "wrong_colour"
    CLOSED_SIDE = "closed_side"
    ORIENTATION = "orientation"
    NO_NEW_TRACK = "no_new_track"
    FINISHED_HEX = "finished_hex"
    STUB_NOT_JOINED = "stub_not_joined"
    RESERVED = "reserved"
    SAME_STOP_TWICE = "same_stop_twice"
    SAME_TRACK_TWICE = "same_track_twice"
    SAME_AREA = "same_area"
    TOO_LONG = "too_long"
    TOO_SHORT = "too_short"
    NO_OWN_STATION = "no_own_station"
    NOT_JOINED = "not_joined"
    ENDS_AT_TOWN = "ends_at_town"
    NO_SUCH_TRAIN = "no_such_train"
    MUST_RUN = "must_run"
    MUST_SELL = "must_sell"
    MUST_BUY_TRAIN = "must_buy_train"
    MUST_TAKE = "must_take"
    MORE_THAN_NEEDED = "more_than_needed"
    CHANGES_DIRECTOR = "changes_director"
    NOT_EXCHANGEABLE = "not_exchangeable"
    NO_SUCCESSOR = "no_successor"
    SOLD_THIS_ROUND = "sold_this_round"
    FIRST_ROUND = "first_round"
    PACKAGE_UNSOLD = "package_unsold"
    NOT_FLOATED = "not_floated"
    NOT_OPERATED = "not_operated"
    NOT_PAR = "not_par"
    BID_TOO_LOW = "bid_too_low"
    BID_STEP = "bid_step"
    FOR_SALE = "for_sale"
    NOT_HELD = "not_held"
    USED = "used"
    CLOSED = "closed"
    NOT_IN_RULESET = "not_in_ruleset"
    DECLINED = "declined"
    CAN_STILL_PAY = "can_still_pay"
    NO_MOUNTAIN = "no_mountain"
    POWER_ELSEWHERE = "power_elsewhere"
    POWER_TILE = "power_tile"
    TILE_LIES_THERE = "tile_lies_there"
    NAME_PAPERS = "name_papers"
    ONE_WAY_TO_SELL = "one_way_to_sell"
    NEXT_CERTIFICATE = "next_certificate"
    NONE_LIES_THERE = "none_lies_there"
    NOT_FOUNDED_YET = "not_founded_yet"
    ALREADY_FOUNDED = "already_founded"
    EARLIER_TRAINS = "earlier_trains"
    NOT_OPENED = "not_opened"
    SOLD_OUT = "sold_out"
    NOT_IN_POOL = "not_in_pool"
    NOT_ITS_TRAIN = "not_its_train"
    OWN_COMPANY = "own_company"
    NEVER_SOLD = "never_sold"
    AFTER_FIRST_TRAIN = "after_first_train"
    NOBODY_SELLS = "nobody_sells"
    SELLER_OWES = "seller_owes"
    PRICE_IS = "price_is"
    PRICE_AT_LEAST = "price_at_least"
    NO_POWER = "no_power"
    POWER_IN_STEP = "power_in_step"
    NOT_IN_SCENARIO = "not_in_scenario"
    STATION_HERE = "station_here"
    ONE_STATION = "one_station"
    ONE_TILE = "one_tile"
    LONE_TILE = "lone_tile"
    ONE_BLOCK = "one_block"
    LAST_TRAIN = "last_train"
    AGREED_ALREADY = "agreed_already"
    NO_OFFER_STANDS = "no_offer_stands"
    NEVER_BUILT = "never_built"
    CHARTER_FIRST = "charter_first"
    NOTHING_ON_CHARTER = "nothing_on_charter"
    ONLY_THESE_TRAINS = "only_these_trains"
    HAS_NO_DUTY = "has_no_duty"
    HARBOUR_PLACE_ONLY = "harbour_place_only"
    GRANTED_PLACE_ONLY = "granted_place_only"
    IN_ORDER = "in_order"
    CONTEST_FIRST = "contest_first"
    END_TURN_INSTEAD = "end_turn_instead"
    PASS_INSTEAD = "pass_instead"
    CAN_STILL_SELL = "can_still_sell"
    OTHER_COMPANY_FIRST = "other_company_first"
    NO_SUCH_HEX = "no_such_hex"
    PAID_ALREADY = "paid_already"
    MUST_DECIDE = "must_decide"
    NO_PAR_ASKED = "no_par_asked"
    NO_SECOND_YELLOW = "no_second_yellow"
    WITH_TRAIN_ONLY = "with_train_only"
    ONE_TILE_MORE = "one_tile_more"
    NOT_EARNED = "not_earned"
    TURNED_LAST = "turned_last"
    MUST_PAY_OUT = "must_pay_out"
    GAME_OVER = "game_over"
    BOOKS_ONLY = "books_only"
    MAP_MIRRORED = "map_mirrored"
    MIRRORED_SO = "mirrored_so"
    TYPED_SUM = "typed_sum"
    NO_TRAIN_NO_INCOME = "no_train_no_income"
    NO_SUCH_FACT = "no_such_fact"


class Refusal(msgspec.Struct, frozen=True):
    """A refused action: the code, the rule's id and plain values for the sentence. Nothing has changed."""

    code: str
    rule: str
    args: Mapping[str, str | int] = {}


def refuse(code: Code, rule: str = "", **args: str | int) -> Refusal:
    """A refusal; without `rule` the check that answers it fills in its own id."""
    return Refusal(code, rule, args)


class Span(msgspec.Struct, frozen=True):
    """Whole numbers from `low` to `high` in steps, for a field of an action."""

    low: int
    high: int
    step: int = 1

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high and (value - self.low) % self.step == 0


def spans_between(low: int, high: int, taken: Iterable[int]) -> Iterator[Span]:
    """Cut the whole numbers from `low` to `high` at those that are `taken`: the stretches that are left, in order."""
    start = low
    for number in sorted(n for n in set(taken) if low <= n <= high):
        if start < number:
            yield Span(start, number - 1)
        start = number + 1
    if start <= high:
        yield Span(start, high)


class Choice(msgspec.Struct, frozen=True):
    """A legal action, or a family of them: `spans` say which numbers a field may take; `free` names fields judged when sent."""

    seat: Seat
    action: Action
    spans: Mapping[str, Span] = {}
    free: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option(Generic[A]):
    """A candidate with fields left open; rules may yield this in place of a plain action."""

    action: A
    spans: Mapping[str, Span] = field(default_factory=dict)
    free: tuple[str, ...] = ()


class View(msgspec.Struct, frozen=True, gc=False):
    """The position as a check sees it: the ruleset, the state, the seat that acts and the frame on top."""

    ruleset: Ruleset
    state: State
    seat: Seat
    frame: Frame

    @property
    def sheet(self) -> Sheet:
        return self.state.board.sheet

    @property
    def player(self) -> Player:
        return self.state.players[self.seat]

    def company(self, company: CompanyId) -> Company:
        return self.state.companies[company]


class Draft:
    """A position under change and the events that changed it; `emit` evolves at once.

    `seat` is the actor, `-1` where nobody acted. A draft carries a position through one decision.
    """

    __slots__ = ("events", "ruleset", "seat", "state")

    def __init__(self, ruleset: Ruleset, state: State, seat: Seat = -1) -> None:
        self.ruleset = ruleset
        self.state = state
        self.seat = seat
        self.events: list[Event] = []

    @property
    def sheet(self) -> Sheet:
        return self.state.board.sheet

    @property
    def view(self) -> View:
        """The position as a check sees it: the actor and the frame on top."""
        return View(self.ruleset, self.state, self.seat, self.state.agenda[-1])

    def emit(self, event: Event) -> None:
        self.state = evolve(self.state, event, self.ruleset.own)
        self.events.append(event)

    def pay(self, source: Account, target: Account, amount: int, cause: str) -> None:
        """Move money; nothing is emitted for 0 Mark."""
        assert amount >= 0, (source, target, amount, cause)
        if amount:
            self.emit(Paid(source, target, amount, cause))

    def push(self, frame: Frame) -> None:
        self.emit(FramePushed(frame))

    def pop(self) -> None:
        self.emit(FramePopped())

    def replace_top(self, frame: Frame, skipped: tuple[str, ...] = ()) -> None:
        """Give the frame on top other values."""
        self.emit(TopReplaced(frame, skipped))

    def purge(self, unwanted: Callable[[Frame], bool]) -> None:
        """Take away every frame that is unwanted, wherever it lies."""
        for at in range(len(self.state.agenda) - 1, -1, -1):
            if unwanted(self.state.agenda[at]):
                self.emit(FrameRemoved(at))

    def end(self, reason: str) -> None:
        self.emit(GameEnded(reason))


@dataclass(frozen=True, slots=True)
class Check(Generic[C_contra]):
    """A named condition that cites the rules it enforces. `general`: it asks about the moment, whatever the action is."""

    name: str
    rules: tuple[str, ...]
    test: Callable[[View, C_contra], Refusal | None]
    general: bool = False

    def __call__(self, view: View, action: C_contra) -> Refusal | None:
        refusal = self.test(view, action)
        return None if refusal is None else self.named(refusal)

    def named(self, refusal: Refusal) -> Refusal:
        """A refusal of this check: where it names no rule, under the check's first."""
        return refusal if refusal.rule else Refusal(refusal.code, self.rules[0], refusal.args)


def check(*rules: str, general: bool = False) -> Callable[[Callable[[View, A], Refusal | None]], Check[A]]:
    """Make a check of a function; the first id is the one that its refusals name."""

    def make(test: Callable[[View, A], Refusal | None]) -> Check[A]:
        return Check(test.__name__, rules, test, general)

    return make


@dataclass(frozen=True, slots=True)
class Rule(Generic[A]):
    """One kind of action. `needs` stop at the first refusal, and `checks` may rely on them; `effect` only emits.

    `actors` overrides who may act; without it the frame's duty decides. `likely` leaves out of the options what can only be
    refused, for whoever looks for something legal and asks no reasons. `all_checks` are needs and checks in order, `gates` the
    first needs as far as they are general: while one of them refuses, nothing is legal.
    """

    action: type[A]
    options: Callable[[View], Iterable[A | Option[A]]]
    effect: Callable[[Draft, A], None]
    needs: tuple[Check[A], ...] = ()
    checks: tuple[Check[A], ...] = ()
    actors: Callable[[State, Frame], Sequence[Seat]] | None = None
    derived: bool = False
    likely: Callable[[View], Iterable[A | Option[A]]] | None = None
    all_checks: tuple[Check[A], ...] = field(init=False, repr=False)
    gates: tuple[Check[A], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "all_checks", (*self.needs, *self.checks))
        object.__setattr__(self, "gates", tuple(takewhile(lambda need: need.general, self.needs)))

    def derive(
        self,
        *,
        replaced: Mapping[str, Check[A]] | None = None,
        added: tuple[Check[A], ...] = (),
        removed: tuple[str, ...] = (),
        options: Callable[[View], Iterable[A | Option[A]]] | None = None,
        effect: Callable[[Draft, A], None] | None = None,
    ) -> Rule[A]:
        """Derive a rule with checks replaced, added or removed by name; ValueError for an unknown name or a derived rule."""
        if self.derived:
            message = f"{self.action.__name__} was derived already: list its checks in full"
            raise ValueError(message)
        swap = dict(replaced or {})
        names = {c.name for c in (*self.needs, *self.checks)}
        unknown = (set(swap) | set(removed)) - names
        if unknown:
            message = f"{self.action.__name__} has no checks {sorted(unknown)}"
            raise ValueError(message)

        def chosen(checks: tuple[Check[A], ...]) -> tuple[Check[A], ...]:
            return tuple(swap.get(c.name, c) for c in checks if c.name not in removed)

        return replace(
            self,
            needs=chosen(self.needs),
            checks=(*chosen(self.checks), *added),
            options=options or self.options,
            effect=effect or self.effect,
            derived=True,
            likely=self.likely if options is None else None,
        )

    def plausible_options(self, view: View) -> Iterable[A | Option[A]]:
        """The options that may be legal."""
        for gate in self.gates:
            asks: Any = gate.test  # a general need looks at no action
            if asks(view, None) is not None:
                return ()
        return (self.likely or self.options)(view)

    def first_refusal(self, view: View, action: A) -> Refusal | None:
        for check in self.all_checks:
            refusal = check.test(view, action)
            if refusal is not None:
                return check.named(refusal)
        return None

    def refusals(self, view: View, action: A) -> tuple[Refusal, ...]:
        """All that speaks against an action: the first failed need alone, or all failed checks."""
        for need in self.needs:
            refusal = need(view, action)
            if refusal is not None:
                return (refusal,)
        return tuple(r for r in (test(view, action) for test in self.checks) if r is not None)


def nobody(_state: State, _frame: Frame) -> tuple[Seat, ...]:
    """Await nobody: the frame runs by itself."""
    return ()


@dataclass(frozen=True, slots=True)
class Duty:
    """The duty of a kind of frame: whose decision it awaits, the rules open there, and what happens by itself.

    `run` acts while the frame is on top: it emits, pushes or pops; when it does nothing, somebody is awaited. `rule` is the
    id that refusals of the wrong kind or the wrong person name; `not_your_turn` their code for the wrong person.
    """

    frame: type[Frame]
    rule: str
    who: Callable[[State, Any], Sequence[Seat]] = nobody
    menu: tuple[Rule[Any], ...] = ()
    run: Callable[[Draft, Any], None] | None = None
    not_your_turn: tuple[Code, str] | None = None


@dataclass(frozen=True, slots=True)
class Reaction:
    """A consequence of a kind of event; reactions run in the order in which the ruleset lists them."""

    event: type[Event]
    rules: tuple[str, ...]
    run: Callable[[Draft, Any], None]


DrawNumber: TypeAlias = Callable[[str, int], int]
"""A draw from the game's seed: a name for the record and the number of equally likely values; answers 0 and up."""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Ruleset:
    """A game in one edition with its options, listed in full. It equals itself alone; `Title.ruleset` finds it again.

    `options` are the table's choices as plain values, from which its title builds the same ruleset again.
    `policies` are records of named functions and values that shared effects ask for by type (who is paid, how certificates
    are exchanged, ...): the module that asks owns the type. `own` evolves the game's own events; `notes` are the
    kinds of notes that its frames hold.
    """

    name: str
    version: int
    sheet: Sheet
    options: Mapping[str, object]
    set_up: Callable[[Draft, DrawNumber], None]
    duties: Mapping[type[Frame], Duty]
    reactions: tuple[Reaction, ...] = ()
    anytime: tuple[Rule[Any], ...] = ()
    policies: tuple[object, ...] = ()
    own: Mapping[type[Event], Callable[[State, Any], State]] = field(default_factory=dict)
    notes: tuple[type[Note], ...] = ()
    invariants: tuple[Callable[[State], Iterable[str]], ...] = ()
    table: Mapping[type[Event], tuple[Reaction, ...]] = field(init=False)
    by_type: Mapping[type, Any] = field(init=False)
    actions: Mapping[type[Action], tuple[Rule[Any], ...]] = field(init=False)

    def __post_init__(self) -> None:
        by_event: dict[type[Event], list[Reaction]] = {}
        for reaction in self.reactions:
            by_event.setdefault(reaction.event, []).append(reaction)
        rules: dict[type[Action], list[Rule[Any]]] = {}
        for rule in (*self.anytime, *(r for duty in self.duties.values() for r in duty.menu)):
            known = rules.setdefault(rule.action, [])
            if rule not in known:
                known.append(rule)
        object.__setattr__(self, "table", {k: tuple(v) for k, v in by_event.items()})
        object.__setattr__(self, "actions", {k: tuple(v) for k, v in rules.items()})
        object.__setattr__(self, "by_type", {type(p): p for p in self.policies})

    def __repr__(self) -> str:
        return f"<Ruleset {self.name} version {self.version}>"

    def __deepcopy__(self, _memo: object) -> Ruleset:
        return self

    def policy(self, kind: type[P]) -> P:
        """The ruleset's policies of one type; KeyError where the ruleset lists none."""
        found: P = self.by_type[kind]
        return found
