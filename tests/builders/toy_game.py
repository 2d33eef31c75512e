"""A made-up game of a few components, small enough to read at once, on which the kernel is proved.

Two companies, a stock of cubes, a bank. It has a link that adds cubes after everybody's discards, a purchase ladder of
rungs, a sale that closes a company, rounds in rounds, consent, an open offer, and a window that opens only for who can
use it: the shapes of the hard cases of all four games, without their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from trajekt.engine.actions import Accept, Action, Decline, DiscardTrain, Pass
from trajekt.engine.components.schema import CompanyDefinition, GameLimits, MarketCell, Phase, Sheet, StockMarket, Train
from trajekt.engine.events import Event, FlagSet, PhaseBegan, StatusSet, TrainMoved
from trajekt.engine.ruleset import Code, Draft, DrawNumber, Duty, Reaction, Refusal, Rule, Ruleset, View, check, refuse
from trajekt.engine.state import BANK, Frame, Seat, State, blank_state


def toy_sheet() -> Sheet:
    """Two companies X and Y, trains of types 2 and 5, three players with 100 Mark each."""
    phases = (
        Phase("yellow", "start", ("yellow",), train_limit=3, operating_rounds=1),
        Phase("brown", "5", ("yellow", "brown"), train_limit=1, operating_rounds=2),
    )
    company = {
        name: CompanyDefinition(name, name, homes=(), certificates=(20, 10, 10), float_percent=20, station_costs=())
        for name in "XY"
    }
    return Sheet(
        game="toy",
        edition="1",
        title="Toy",
        designers=(),
        players=(2, 4),
        layout="pointy",
        colours=("yellow", "brown"),
        hexes={},
        tiles={},
        market=StockMarket(rows=((MarketCell(50, par=True), MarketCell(60)),)),
        trains={"2": Train("2", 10, 6, 2), "5": Train("5", 50, 2, 5)},
        phases=phases,
        companies=company,
        privates={},
        limits=GameLimits({2: 1000, 3: 1000, 4: 1000}, {}, {}),
    )


# ------------------------------------------------------------------------------------------------------ actions, frames


class Link(Action, frozen=True, tag="link"):
    """Take a card; cubes follow when everybody has discarded."""


class SellOut(Action, frozen=True, tag="sell_out"):
    """Sell everything of a company, which closes it."""

    company: str


class AskFor(Action, frozen=True, tag="ask_for"):
    """Ask the other company's director for money: blocks until answered."""

    amount: int


class Advertise(Action, frozen=True, tag="advertise"):
    """Use the marker in its window."""


class CallRound(Action, frozen=True, tag="call_round"):
    """Interrupt the stock round by an operating round."""


class Floor(Frame, frozen=True, tag="floor"):
    """The stock round of the toy: whose turn, how many passes in a row."""

    turn: Seat
    passes: int = 0


class Turn(Frame, frozen=True, tag="turn"):
    """A company's turn."""

    company: str


class InnerRound(Frame, frozen=True, tag="inner_round"):
    """An operating round in the middle of a stock round; `order` is written down when it is pushed."""

    order: tuple[str, ...]


class AddCubes(Frame, frozen=True, tag="add_cubes"):
    """A task: add cubes."""

    count: int


class TooMany(Frame, frozen=True, tag="too_many"):
    """Companies above the limit: their directors answer in any order."""

    companies: tuple[str, ...]


class Asked(Frame, frozen=True, tag="asked"):
    """Consent that blocks: the action is inside and judged again on yes."""

    action: AskFor
    by: Seat


class Window(Frame, frozen=True, tag="window"):
    """A window in which whoever holds a marker may use it."""

    seats: tuple[Seat, ...]


# -------------------------------------------------------------------------------------------------------------- rules


def limit(state: State) -> int:
    return state.current_phase.train_limit


def over(state: State, companies: Iterable[str]) -> tuple[str, ...]:
    return tuple(c for c in companies if len(state.companies[c].trains) > limit(state))


def director(state: State, company: str) -> tuple[Seat, ...]:
    seat = state.companies[company].director
    return () if seat is None else (seat,)


def link(draft: Draft, _action: Link) -> None:
    """The rest of the effect is a task below; what the new phase asks comes above it and first (DO-LINK-06)."""
    turn = draft.state.agenda[-1]
    assert isinstance(turn, Turn)
    draft.push(AddCubes(3))
    draft.emit(TrainMoved("5", "display", turn.company, "train"))


def first_train_begins_phase(draft: Draft, event: TrainMoved) -> None:
    if event.source == "display" and event.train == "5" and draft.state.phase == "yellow":
        draft.emit(PhaseBegan("brown"))


def phase_asks_for_discards(draft: Draft, _event: PhaseBegan) -> None:
    too_many = over(draft.state, draft.state.companies)
    if too_many:
        draft.push(TooMany(too_many))


def run_too_many(draft: Draft, frame: TooMany) -> None:
    left = over(draft.state, frame.companies)
    if not left:
        draft.pop()
    elif left != frame.companies:
        draft.replace_top(TooMany(left))


def add_cubes(draft: Draft, frame: AddCubes) -> None:
    draft.pop()
    had = int(draft.state.marks.get("cubes", "0"))
    draft.emit(FlagSet("cubes", str(had + frame.count)))


@check("COMMON-TRN-09")
def above_limit(view: View, action: DiscardTrain) -> Refusal | None:
    frame = view.frame
    assert isinstance(frame, TooMany)
    if action.company not in frame.companies:
        return refuse(Code.NOT_IN_RULESET, company=action.company)
    if view.state.companies[action.company].director != view.seat:
        return refuse(Code.NOT_DIRECTOR, "COMMON-DIR-01")
    if action.train not in view.state.companies[action.company].trains:
        return refuse(Code.NO_SUCH_TRAIN, train=action.train)
    return None


def discards(view: View) -> Iterable[DiscardTrain]:
    frame = view.frame
    assert isinstance(frame, TooMany)
    for company in frame.companies:
        for train in sorted(set(view.state.companies[company].trains)):
            yield DiscardTrain(company, train)


DISCARD = Rule(
    DiscardTrain,
    discards,
    lambda draft, a: draft.emit(TrainMoved(a.train, a.company, "pool", "limit")),
    needs=(above_limit,),
)


def close(draft: Draft, event: StatusSet) -> None:
    """A company that is gone takes every frame that names it along (DO-BANKR-01)."""
    if event.status == "floated" and not event.value:
        draft.purge(lambda f: isinstance(f, Turn) and f.company == event.company)
        for at, frame in enumerate(draft.state.agenda):
            assert not (isinstance(frame, Turn) and frame.company == event.company), at


SELL_OUT = Rule(
    SellOut,
    lambda view: (SellOut(c) for c in view.state.companies),
    lambda draft, a: draft.emit(StatusSet(a.company, "floated", value=False)),
    needs=(),
)


@check("DO-BREW-22")
def can_pay(view: View, action: AskFor) -> Refusal | None:
    other = view.state.companies["Y"]
    return (
        None
        if 0 < action.amount <= other.treasury
        else refuse(Code.UNAFFORDABLE, cost=action.amount, has=other.treasury)
    )


def ask(draft: Draft, action: AskFor) -> None:
    draft.push(Asked(action, draft.seat))


ASK = Rule(AskFor, lambda _view: (AskFor(10),), ask, needs=(can_pay,))


@check("DO-BREW-22")
def still_possible(view: View, _action: Accept) -> Refusal | None:
    frame = view.frame
    assert isinstance(frame, Asked)
    return can_pay(view, frame.action)


def consent(draft: Draft, _action: Accept) -> None:
    frame = draft.state.agenda[-1]
    assert isinstance(frame, Asked)
    draft.pop()
    draft.pay("Y", "X", frame.action.amount, "train")


ACCEPT = Rule(Accept, lambda _view: (Accept(),), consent, needs=(still_possible,))
DECLINE = Rule(Decline, lambda _view: (Decline(),), lambda draft, _a: draft.pop())


def call_round(draft: Draft, _action: CallRound) -> None:
    draft.push(InnerRound(tuple(c for c in draft.state.companies if draft.state.companies[c].floated)))


def run_inner(draft: Draft, frame: InnerRound) -> None:
    if not frame.order:
        draft.pop()
        return
    draft.replace_top(replace(frame, order=frame.order[1:]))
    draft.push(Turn(frame.order[0]))


def pass_floor(draft: Draft, _action: Pass) -> None:
    top = draft.state.agenda[-1]
    if isinstance(top, Turn):
        draft.pop()
        return
    assert isinstance(top, Floor)
    after = (top.turn + 1) % len(draft.state.players)
    draft.replace_top(Floor(after, top.passes + 1))


def run_floor(draft: Draft, frame: Floor) -> None:
    if frame.passes == len(draft.state.players):
        draft.end("passed")


@check("DO-X-20")
def holds_marker(view: View, _action: Advertise) -> Refusal | None:
    return None if view.state.marks.get(f"marker:{view.seat}") else refuse(Code.NOT_OWNER)


def advertise(draft: Draft, _action: Advertise) -> None:
    draft.emit(FlagSet(f"marker:{draft.seat}", ""))
    draft.pay(BANK, draft.seat, 5, "bonus")


def holders(state: State, frame: Window) -> Sequence[Seat]:
    return tuple(s for s in frame.seats if state.marks.get(f"marker:{s}"))


def run_window(draft: Draft, frame: Window) -> None:
    if not holders(draft.state, frame):
        draft.pop()


def close_window(draft: Draft, _action: Pass) -> None:
    frame = draft.state.agenda[-1]
    assert isinstance(frame, Window)
    draft.replace_top(Window(tuple(s for s in frame.seats if s != draft.seat)))


PASS = Rule(Pass, lambda _view: (Pass(),), pass_floor)
ADVERTISE = Rule(Advertise, lambda _view: (Advertise(),), advertise, needs=(holds_marker,))
CLOSE_WINDOW = Rule(Pass, lambda _view: (Pass(),), close_window)
LINK = Rule(Link, lambda _view: (Link(),), link)
CALL = Rule(CallRound, lambda _view: (CallRound(),), call_round)

DUTIES = {
    Floor: Duty(Floor, "DO-SR-01", lambda _s, f: (f.turn,), (PASS, CALL, SELL_OUT), run_floor),
    Turn: Duty(
        Turn,
        "COMMON-OR-04",
        lambda s, f: director(s, f.company),
        (PASS, LINK, SELL_OUT, ASK),
        not_your_turn=(Code.NOT_DIRECTOR, "COMMON-DIR-01"),
    ),
    InnerRound: Duty(InnerRound, "RUHR-SR-05", run=run_inner),
    AddCubes: Duty(AddCubes, "DO-LINK-06", run=add_cubes),
    TooMany: Duty(
        TooMany,
        "COMMON-TRN-09",
        lambda s, f: tuple(sorted({seat for c in f.companies for seat in director(s, c)})),
        (DISCARD,),
        run_too_many,
    ),
    Asked: Duty(Asked, "DO-BREW-22", lambda s, _f: director(s, "Y"), (ACCEPT, DECLINE)),
    Window: Duty(Window, "DO-X-20", holders, (ADVERTISE, CLOSE_WINDOW), run_window),
}

REACTIONS = (
    Reaction(TrainMoved, ("COMMON-PHS-07",), first_train_begins_phase),
    Reaction(PhaseBegan, ("COMMON-TRN-09",), phase_asks_for_discards),
    Reaction(StatusSet, ("DO-BANKR-01",), close),
)


def set_up(draft: Draft, draw: DrawNumber) -> None:
    """100 Mark each; X is directed by seat 0 and Y by seat 1; a lot says who begins."""
    for seat in range(len(draft.state.players)):
        draft.pay(BANK, seat, 100, "set_up")
    for company in draft.state.companies:
        draft.emit(StatusSet(company, "floated"))
    draft.push(Floor(draw("first", len(draft.state.players))))


def toy(version: int = 1) -> Ruleset:
    """The toy's ruleset."""
    return Ruleset("toy", version, toy_sheet(), {}, set_up, DUTIES, REACTIONS)


def table(players: int = 3, *frames: Frame, trains: dict[str, tuple[str, ...]] | None = None, **marks: str) -> State:
    """A position of the toy with these frames on the agenda, X directed by seat 0, Y by seat 1."""
    state = blank_state(toy_sheet(), ("Ada", "Bert", "Cleo", "Dora")[:players])
    companies = {
        "X": replace(state.companies["X"], director=0, floated=True, treasury=100),
        "Y": replace(state.companies["Y"], director=1, floated=True, treasury=30),
    }
    for company, owned in (trains or {}).items():
        companies[company] = replace(companies[company], trains=owned)
    return replace(
        state, companies=companies, agenda=tuple(frames), marks={k.replace("_", ":"): v for k, v in marks.items()}
    )


def kinds(events: Iterable[Event]) -> list[str]:
    """The names of events, for comparing an order."""
    return [type(e).__name__ for e in events]
