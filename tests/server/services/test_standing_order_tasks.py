"""Instructions made of tasks: conditions and choices, what takes their deeds back, and when they end."""

from __future__ import annotations

import msgspec
import pytest

from tests.server.steady import (
    after,
    an_offer,
    fresh,
    in_stock_round,
    operating,
    pass_until_awaited,
    steady,
    steady_step,
)
from trajekt.engine.actions import EndTurn, FoundCompany, Pass, PlaceBid, RunTrains, SellShares
from trajekt.round_label import round_of
from trajekt.server.presenters.standing_order_tasks import same_run
from trajekt.server.refusals import DeniedError
from trajekt.server.services.standing_order_context import Fire, Sight, Wait
from trajekt.server.services.standing_orders import give, judge, lives_again
from trajekt.server.storage.standing_order_tasks import (
    Floated,
    InTurn,
    Leave,
    Like,
    NetworkChanged,
    PriceUnder,
    SameRun,
    Task,
)
from trajekt.server.storage.standing_orders import Ended, TaskList

GAMES = ("18rhl", "18lra", "18ruhr", "18do")


def do(game, given, made):
    """Let an instruction act once, as the worker does; answers the verdict."""
    verdict = judge(Sight(game, frozenset(made)), given)
    if isinstance(verdict, Fire):
        made.add(game.play(verdict.action, given.seat).number)
    return verdict


def to_turn_of(game, seat, made):
    """Others pass until the seat is awaited in the same round."""
    key = round_of(game.state).key
    while seat not in game.to_act:
        game.play(Pass(), game.to_act[0])
    return round_of(game.state).key == key


def founding(seat_awaited):
    """A stock round in which a company can be founded by who is on turn, else by the next but one."""
    game = steady(
        in_stock_round(number=1),
        lambda g: (
            round_of(g.state).kind == "stock"
            and any(isinstance(c.action, FoundCompany) for c in g.choices(g.to_act[0]))
        ),
    )
    wanted = next(c.action for c in game.choices(game.to_act[0]) if isinstance(c.action, FoundCompany))
    return game, wanted, game.to_act[0] if seat_awaited else after(game, game.to_act[0])


def test_founds_then_passes_the_round():
    game, wanted, seat = founding(seat_awaited=True)
    order = TaskList((Task(Like(msgspec.to_builtins(wanted))), Task(Leave(), times=0)))
    given, made = give(game, seat, order), set()
    assert do(game, given, made) == Fire(wanted)
    assert game.state.companies[wanted.company].director == seat
    if to_turn_of(game, seat, made):
        assert do(game, given, made) in (Fire(Pass()), Fire(EndTurn()))
    steady(game, lambda g: round_of(g.state).kind == "operating")
    assert judge(Sight(game, frozenset(made)), given) == Ended("round")


@pytest.mark.case("B96")
def test_company_founded_by_another_ends_it():
    game, wanted, seat = founding(seat_awaited=False)
    order = TaskList((Task(Like(msgspec.to_builtins(wanted))), Task(Leave(), times=0)))
    given = give(game, seat, order)
    assert judge(Sight(game), given) == Wait()
    game.play(wanted, game.to_act[0])
    pass_until_awaited(game, seat)
    ended = judge(Sight(game), given)
    assert isinstance(ended, Ended)
    assert ended.reason == "refused"
    assert ended.refusal == game.why_not(wanted, seat)


@pytest.mark.parametrize("name", GAMES)
def test_buys_several_then_passes_once(name):
    def can_buy(game):
        return round_of(game.state).kind == "stock" and any(
            str(c.action.__struct_config__.tag).startswith("buy_") and "percent" in c.action.__struct_fields__
            for c in game.choices(game.to_act[0])
        )

    game = steady(in_stock_round(name, 2), can_buy)
    seat = game.to_act[0]
    action, cost = an_offer(game, seat)
    values = {"kind": "buy", "company": action.company, "source": action.source, "percent": action.percent}
    given = give(game, seat, TaskList((Task(Like(values, most=cost + 60), times=2), Task(Leave()))))
    made = set()
    assert do(game, given, made) == Fire(action)
    verdicts = []
    while not isinstance(verdict := judge(Sight(game, frozenset(made)), given), Ended):
        if isinstance(verdict, Fire):
            verdicts.append(verdict.action)
            made.add(game.play(verdict.action, seat).number)
        elif game.why_not(Pass(), game.to_act[0]) is None:
            game.play(Pass(), game.to_act[0])
        else:
            game.play(game.choices()[0])
    bought = [each for each in verdicts if not isinstance(each, Pass | EndTurn)]
    assert len(bought) <= 1
    assert all(each.company == action.company for each in bought)
    assert verdict.reason in ("done", "round")


def test_bids_when_outbid_up_to_limit():
    game = fresh()
    seat = game.to_act[0]
    first = next(c.action for c in game.choices(seat) if isinstance(c.action, PlaceBid))
    order = TaskList(
        (Task(Like({"kind": "bid", "private": first.private}, most=first.amount + 10), times=99), Task(Leave()))
    )
    given, made = give(game, seat, order), set()
    assert do(game, given, made) == Fire(first)
    rival = game.to_act[0]
    game.play(PlaceBid(first.private, first.amount + 5), rival)
    game.play(Pass(), game.to_act[0])
    assert do(game, given, made) == Fire(PlaceBid(first.private, first.amount + 10))
    # his own bid stands highest: he does not bid against himself
    pass_until_awaited(game, seat)
    if any(bid.seat == seat and bid.private == first.private for bid in game.state.bids):
        assert judge(Sight(game, frozenset(made)), given) == Wait()


def test_bid_above_limit_passes_after_bidding():
    game = fresh()
    seat = game.to_act[0]
    first = next(c.action for c in game.choices(seat) if isinstance(c.action, PlaceBid))
    limited = Like({"kind": "bid", "private": first.private}, most=first.amount)
    given, made = give(game, seat, TaskList((Task(limited, times=99), Task(Leave())))), set()
    do(game, given, made)
    rival = game.to_act[0]
    third = next(s for s in range(3) if s not in (seat, rival))
    unmet = give(game, third, TaskList((Task(limited, times=99), Task(Leave()))))
    game.play(PlaceBid(first.private, first.amount + 50), rival)
    assert judge(Sight(game, frozenset(made)), unmet) == Ended("dear")
    game.play(Pass(), game.to_act[0])
    assert do(game, given, made) == Fire(Pass())


@pytest.mark.parametrize("name", GAMES)
def test_sale_waits_for_the_price(name):
    def can_sell(game):
        return round_of(game.state).kind == "stock" and any(
            str(c.action.__struct_config__.tag).startswith("sell_") for c in game.choices(game.to_act[0])
        )

    game = steady(in_stock_round(name, 2), can_sell)
    seat = game.to_act[0]
    sale = next(c.action for c in game.choices(seat) if str(c.action.__struct_config__.tag).startswith("sell_"))
    percent = sale.percent if isinstance(sale, SellShares) else sum(sale.sizes)
    price = game.state.price(sale.company)
    wanted = Like({"kind": "sell", "company": sale.company, "percent": percent})
    waits = give(game, seat, TaskList((Task(wanted, (PriceUnder(sale.company, price),)),)))
    sells = give(game, seat, TaskList((Task(wanted, (PriceUnder(sale.company, price + 1),)),)))
    assert judge(Sight(game), waits) == Wait()
    verdict = judge(Sight(game), sells)
    assert isinstance(verdict, Fire)
    assert verdict.action.company == sale.company
    entry = game.play(verdict.action, seat)
    assert judge(Sight(game, frozenset({entry.number})), sells) == Ended("done", entry.number)


@pytest.mark.case("B96")
def test_undo_takes_deed_and_its_consequence():
    """Another's purchase lets the list act; both are undone, the list holds and acts anew."""
    game = in_stock_round()
    actor = game.to_act[0]
    seat = next(s for s in game.state.clockwise(actor) if s != actor)
    given, made = give(game, seat, TaskList((Task(Leave(), times=0),))), set()
    start = game.number
    game.play(Pass(), actor)
    assert isinstance(do(game, given, made), Fire)
    game.undo(actor, to=start)
    assert judge(Sight(game, frozenset(made)), given) == Wait()
    game.play(Pass(), actor)
    assert isinstance(do(game, given, made), Fire)


@pytest.mark.case("B96")
def test_own_undo_by_hand_keeps_it():
    """The owner takes back what he did by hand while the list waited."""
    game = in_stock_round()
    seat = game.to_act[0]
    held = next(c.id for c in game.state.companies.values() if game.state.price(c.id))
    wanted = Like({"kind": "sell", "company": held, "percent": 10})
    given = give(game, seat, TaskList((Task(wanted, (PriceUnder(held, 1),)),)))
    game.play(Pass(), seat)
    game.undo(seat)
    assert judge(Sight(game), given) == Wait()


def test_undone_decision_of_list_ends_it():
    game = in_stock_round()
    seat = game.to_act[0]
    given, made = give(game, seat, TaskList((Task(Leave(), times=0),))), set()
    do(game, given, made)
    entry = game.undo(seat)
    assert judge(Sight(game, frozenset(made)), given) == Ended("undo", entry.number)


@pytest.mark.case("B96")
def test_undone_end_revives_list():
    """The last pass of a stock round ends a list; who takes it back lets the list hold again, and only so."""
    game = in_stock_round()
    seat = game.to_act[0]
    given = give(game, seat, TaskList((Task(Leave(), times=0),)))
    made = {game.play(Pass(), seat).number}
    while round_of(game.state).kind == "stock":
        last, automatic = game.to_act[0], frozenset(made)
        game.play(Pass(), last)
    assert judge(Sight(game, automatic), given) == Ended("round")
    assert not lives_again(Sight(game, automatic), given)
    ended = game.number
    steady_step(game)
    game.undo(game.entries[-1].seat, to=ended)
    assert not lives_again(Sight(game, automatic), given)  # it had ended before what was taken back
    game.undo(last, to=ended - 1)
    assert lives_again(Sight(game, automatic), given)
    assert judge(Sight(game, automatic), given) == Wait()


# Turns ---------------------------------------------------------------------------------------------------------------


def with_train_at_track(game):
    top = game.state.top
    return getattr(top, "step", "") == "track" and bool(game.state.companies[top.company].trains)


def test_plan_of_a_turn_is_done():
    """Lay this, run, pay: what was tried on a copy is done step by step, each at its step."""
    game = steady(operating(), with_train_at_track)
    company, seat = game.state.top.company, game.to_act[0]
    trial, tasks = game.at(game.number), []
    while getattr(trial.state.top, "company", "") == company:
        choices = trial.choices(seat)
        lays = [c for c in choices if c.action.__struct_config__.tag == "lay_tile" and not tasks]
        passes = [c for c in choices if isinstance(c.action, Pass)]
        choice = (*lays, *passes, *choices)[0]
        tasks.append(Task(Like(msgspec.to_builtins(choice.action)), (InTurn(company, trial.state.top.step),)))
        trial.play(choice)
    given, made = give(game, seat, TaskList(tuple(tasks))), set()
    for _ in tasks:
        assert isinstance(do(game, given, made), Fire)
    assert game.state == trial.state
    ended = judge(Sight(game, frozenset(made)), given)
    assert (ended.reason, ended.entry) == ("done", game.number)


def running():
    """A company about to begin its turn that has run before."""
    return steady(
        operating(),
        lambda g: (
            getattr(g.state.top, "step", "") == "track"
            and any(isinstance(e.action, RunTrains) for e in g.line())
            and bool(g.state.companies[g.state.top.company].revenue)
        ),
    )


def test_runs_as_before_until_change():
    game = running()
    company, seat = game.state.top.company, game.to_act[0]
    given, made, acted = give(game, seat, same_run(game, company)), set(), []
    while getattr(game.state.top, "company", "") == company:
        verdict = do(game, given, made)
        if not isinstance(verdict, Fire):
            break
        acted.append(verdict.action)
    assert any(isinstance(action, RunTrains) for action in acted)
    assert not any(action.__struct_config__.tag == "lay_tile" for action in acted)
    verdict = judge(Sight(game, frozenset(made)), given)
    assert isinstance(verdict, Wait) or verdict.reason in ("duty", "until")


def test_bought_train_ends_same_run():
    game = running()
    company, seat = game.state.top.company, game.to_act[0]
    given = give(game, seat, same_run(game, company))
    made = set()
    assert isinstance(do(game, given, made), Fire)
    assert isinstance(judge(Sight(game, frozenset(made)), given), Fire)
    held = game.state.companies[company]
    companies = dict(game.state.companies) | {
        company: msgspec.structs.replace(held, trains=(*held.trains, held.trains[0]))
    }
    game._states[game.head] = msgspec.structs.replace(game.state, companies=companies)
    assert judge(Sight(game, frozenset(made)), given) == Ended("until")


def test_passed_turn_ends_the_list():
    game = operating()
    company, seat = game.state.top.company, game.to_act[0]
    laid = next(c.action for c in game.choices(seat) if c.action.__struct_config__.tag == "lay_tile")
    given = give(game, seat, TaskList((Task(Like(msgspec.to_builtins(laid)), (InTurn(company, "track"),)),)))
    assert given.round == round_of(game.state).key
    game.play(Pass(), seat)
    verdict = judge(Sight(game), given)
    assert verdict in (Ended("impossible"), Wait())
    steady(game, lambda g: round_of(g.state).key != given.round)
    assert judge(Sight(game), given) in (Ended("turn_over"), Ended("director"))


# Giving --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (TaskList((Task(Like({"kind": "march"})),)), "order_no_action"),
        (TaskList((Task(Like({"company": "RhE"})),)), "order_no_action"),
        (TaskList((Task(Like({"kind": "found", "company": "???", "par": 80})),)), "order_no_company"),
        (TaskList((Task(Leave(), (PriceUnder("???", 70),)),)), "order_no_company"),
        (TaskList((Task(SameRun("???")),)), "order_not_director"),
        (TaskList((Task(Leave(), (InTurn("???", "track"),)),)), "order_not_director"),
        (TaskList((Task(Leave()),), until=(NetworkChanged("???"),)), "order_not_director"),
        (TaskList((Task(Leave()),), until=(Floated("RhE"),)), "order_ended_already"),
    ],
)
def test_impossible_tasks_are_refused(order, code):
    game = in_stock_round()
    assert game.state.companies["RhE"].floated
    with pytest.raises(DeniedError) as refused:
        give(game, 0, order)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "value",
    [
        b'{"kind": "tasks", "tasks": []}',
        b'{"kind": "tasks", "tasks": [{"choice": {"do": "dance"}}]}',
        b'{"kind": "tasks", "tasks": [{"choice": {"do": "leave"}, "times": 100}]}',
        b'{"kind": "tasks", "tasks": [{"choice": {"do": "leave"}, "when": [{"if": "moon"}]}]}',
        b'{"kind": "tasks", "tasks": [' + b",".join([b'{"choice": {"do": "leave"}}'] * 41) + b"]}",
    ],
)
def test_unreadable_tasks_are_told(value):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(value, type=TaskList)
