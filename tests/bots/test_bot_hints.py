"""What a game says of itself decides what bots do; without it they do the opposite."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.builders import do_positions as do
from tests.builders import ruhr_positions as ruhr
from trajekt.bots import candidate_moves as judging
from trajekt.bots import evaluation
from trajekt.bots.bot import make_bot, next_action
from trajekt.bots.candidate_moves import ideas
from trajekt.bots.evaluation import (
    expected,
    hints_of,
    next_price,
    private_worth,
    prospects,
    rounds_left,
    threat,
    with_ends_of,
)
from trajekt.bots.reasons import sentence, speaker
from trajekt.bots.search import weighed
from trajekt.bots.simulation import GamePlan, ruleset_of
from trajekt.bots.steady import compared
from trajekt.engine.actions import Accept, BuyShare, Decline, FoundCompany, Pass
from trajekt.engine.agenda import awaited
from trajekt.engine.bot_hints import NO_HINTS
from trajekt.engine.decisions import decide, start
from trajekt.engine.ruleset import View
from trajekt.engine.state import IPO, POOL
from trajekt.games.do.actions import BuyBec, BuyCertificate, Deliver, DisposeBec, LoadTrain, SellCertificates
from trajekt.games.do.frames import BreweryRound, BreweryTurn, FloatSale, LoadOffer
from trajekt.games.ruhr.actions import Develop
from trajekt.registry import title
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound

OPEN = {"c3": False, "c4": False, "c5": False, "c6": False}


@pytest.fixture
def untold(monkeypatch):
    """Bots that are told nothing by any game."""
    for module in (judging, evaluation):
        monkeypatch.setattr(module, "hints_of", lambda _game: NO_HINTS)


def fresh(state):
    """The position without what has been worked out of it."""
    return replace(state)


def seen(ruleset, state, seat=0):
    state = fresh(state)
    return View(ruleset, state, seat, state.agenda[-1])


def best(view):
    return ideas(view)[0]


def brewery_turn(state, brewery="B7", step="start", **values):
    becs = tuple(bec.number for bec in do.do_state(state).charters[brewery].becs)
    frames = (Rounds(2, 2, 1), BreweryRound(2, 1, 2, (brewery,), "turns"))
    return replace(state, agenda=(*frames, BreweryTurn(brewery, step, becs, **values)))


def small(*held, phase="2", treasury=0, step="start", **market):
    """Ada's turn with B7 and this equipment, where demand is enough for all of it."""
    state = do.minor(do.position(4, phase, 100), 0, "B7", treasury, held)
    return brewery_turn(do.beer(state, **market), "B7", step)


def both_say(game, view, reason):
    """The sentence in English, once it is there in German too."""
    told = [sentence(speaker(title(game), view.sheet, view.state.names, language), reason) for language in ("de", "en")]
    assert all(line.endswith(".") and "‹" not in line and "{" not in line for line in told), told
    return told[1]


def test_uninstalled_game_says_nothing():
    assert hints_of("18Nowhere") is NO_HINTS
    assert hints_of("18Rhl") is title("18rhl").bot_hints
    assert hints_of("18DO") is title("18do").bot_hints


# 18DO -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DO-ORDER-02")
def test_sets_of_18do_counted_to_end():
    state = do.position(4)
    counts = {
        (2, 0, 0): 10,  # the second stock round: five sets of two rounds
        (2, 2, 1): 10,
        (2, 2, 2): 9,
        (6, 2, 2): 1,
    }
    for (number, planned, done), left in counts.items():
        frames = (Rounds(number, planned, done), *((BreweryRound(number, done, planned),) if done else ()))
        assert rounds_left(replace(state, agenda=frames)) == left, (number, planned, done)


def test_no_round_to_come_after_sets():
    state = do.beer(do.minor(do.position(4), 0, "B7", 0, ("2", "2")), s2=(6, 0))
    over = replace(state, agenda=(), outcome="rounds")
    assert rounds_left(over) == 0
    assert private_worth(over, 7) == state.sheet.privates[7].price
    assert prospects(over, 0) == over.players[0].cash + state.sheet.privates[7].price


def test_steady_delivers_before_giving_up_equipment():
    view = seen(do.rules(), small("2", "2", s2=(6, 0)))
    chosen = best(view)
    assert isinstance(chosen.action, Deliver)
    assert "80\u00a0M" in both_say("18do", view, chosen.reason)
    assert all(idea.gain < 0 for idea in ideas(view) if isinstance(idea.action, DisposeBec))


def test_without_told_it_gives_equipment_away(untold):
    assert isinstance(best(seen(do.rules(), small("2", "2", s2=(6, 0)))).action, DisposeBec)


def test_steady_buys_equipment_that_pays():
    view = seen(do.rules(), small("2", treasury=80, step="buy", s2=(6, 0)))
    chosen = best(view)
    assert chosen.action == BuyBec("2")
    assert chosen.gain > 0
    assert weighed(view, chosen)
    assert "type 2" in both_say("18do", view, chosen.reason)


def test_steady_buys_no_idle_equipment():
    """A market with two cubes in all, for equipment that sells two already."""
    state = do.beer(small("2", treasury=80, step="buy"), stock=0, price_box=0, s1=(0, 0), s2=(2, 0))
    view = seen(do.rules(), state)
    assert all(idea.gain <= 0 for idea in ideas(view) if isinstance(idea.action, BuyBec))


def test_pass_tells_cause_about_equipment():
    poor = seen(do.rules(), small("2", treasury=70, step="buy", s2=(6, 0)))
    full = seen(do.rules(), small("2", "2", "2", treasury=500, step="buy", s2=(6, 0)))
    done = seen(do.rules(), brewery_turn(small("2", phase="3", treasury=500, s2=(6, 0)), step="buy", bought=1))
    keys = {}
    for view in (poor, full, done):
        chosen = next(idea for idea in ideas(view) if isinstance(idea.action, Pass))
        keys[chosen.reason.key] = both_say("18do", view, chosen.reason)
    assert set(keys) == {"why.dear", "why.full", "why.bought"}
    assert "70\u00a0M" in keys["why.dear"]
    assert "80\u00a0M" in keys["why.dear"]


def exporting():
    """Ada may load BME's train of type 5, Bert's; her equipment of type 5 sells little in Dortmund."""
    state = do.kwe_net(do.position(4, "5", 300))
    state = do.corporation(state, "KWE", 60, 1, trains=("5",))
    state = do.minor(state, 0, "B7", 0, ("5",))
    return brewery_turn(do.beer(state, stock=5, s5=(1, 0), **OPEN))


def test_steady_asks_for_better_train():
    view = seen(do.rules(), exporting())
    chosen = best(view)
    assert isinstance(chosen.action, LoadTrain)
    assert "export" in both_say("18do", view, chosen.reason)


def test_without_hints_no_train_is_asked(untold):
    assert not isinstance(best(seen(do.rules(), exporting())).action, LoadTrain)


def offered_beer():
    state = exporting()
    return replace(state, agenda=(*state.agenda, LoadOffer("B7", "KWE", "5", 0, 1, 1)))


def test_director_carries_beer_that_pays():
    view = seen(do.rules(), offered_beer(), seat=1)
    chosen = best(view)
    assert chosen.action == Accept()
    assert "40\u00a0M" in both_say("18do", view, chosen.reason)


def test_without_hints_beer_is_indifferent(untold):
    gains = {type(idea.action): idea.gain for idea in ideas(seen(do.rules(), offered_beer(), seat=1))}
    assert gains == {Accept: 0.0, Decline: 0.0}


def test_brewery_needs_equipment_and_no_train():
    state = do.equipment(do.corporation(do.position(4, "3"), "DUB", 65, 0, treasury=10), "DUB", "3")
    assert next_price(state, state.companies["DUB"]) == 0
    bare = do.equipment(state, "DUB")
    assert next_price(bare, bare.companies["DUB"]) == 80


def test_brewery_corporation_earns_by_its_equipment():
    state = do.beer(do.position(4, "3"), s3=(6, 0), **OPEN)
    state = do.equipment(do.corporation(state, "DUB", 65, 0), "DUB", "3")
    more = do.equipment(state, "DUB", "3", "3")
    assert 0 < expected(state, state.companies["DUB"]) < expected(more, more.companies["DUB"])


def test_minor_worth_more_more_it_sells():
    one, two = (do.beer(do.minor(do.position(4), 0, "B7", 0, held), s2=(6, 0)) for held in (("2",), ("2", "2")))
    assert private_worth(one, 7) < private_worth(two, 7)
    assert prospects(one, 0) < prospects(two, 0)


# 18Ruhr -----------------------------------------------------------------------------------------------------------------


def pmc(markers, *, money, mine=7):
    state = ruhr.owning(ruhr.at_table(), markers=markers, money=money, **{f"pmc{mine}": ruhr.ADA})
    return ruhr.works_turn(replace(state, agenda=(Rounds(1, 2, 1),)), str(mine))


def test_steady_takes_markers_that_earn_most():
    view = seen(ruhr.rules(), pmc("AA", money=60), ruhr.ADA)
    chosen = best(view)
    assert chosen.action == Develop("2", "BB")
    assert "BB" in both_say("18ruhr", view, chosen.reason)


def test_without_told_one_marker_like_other(untold):
    view = seen(ruhr.rules(), pmc("AA", money=60), ruhr.ADA)
    assert len({idea.gain for idea in ideas(view) if isinstance(idea.action, Develop)}) == 1


def test_pass_tells_cause_about_markers():
    view = seen(ruhr.rules(), pmc("AA", money=50), ruhr.ADA)
    chosen = next(idea for idea in ideas(view) if isinstance(idea.action, Pass))
    assert chosen.reason.key == "why.dear"
    assert both_say("18ruhr", view, chosen.reason).endswith("60\u00a0M.")


def test_montan_earns_by_markers_without_train():
    state = ruhr.montan(ruhr.in_phase(ruhr.at_table(), "4"), "RB", ruhr.ADA, 80, 5, markers="AABBCC", treasury=0)
    less = ruhr.montan(ruhr.in_phase(ruhr.at_table(), "4"), "RB", ruhr.ADA, 80, 5, markers="AABB", treasury=0)
    assert expected(less, less.companies["RB"]) < expected(state, state.companies["RB"])
    assert next_price(state, state.companies["RB"]) == 0


def test_passive_mine_is_worth_nothing():
    state = ruhr.owning(ruhr.at_table(), markers="AA", money=0, pmc7=ruhr.ADA)
    passive = replace(state, extra=replace(state.extra, mines={**state.extra.mines, 7: "passive"}))
    assert private_worth(state, 7) > state.sheet.privates[7].price
    assert private_worth(passive, 7) == 0


def test_no_rounds_after_type_8():
    state = ruhr.owning(ruhr.at_table(), markers="AA", money=0, pmc7=ruhr.ADA)
    over = replace(state, outcome="eight")
    assert rounds_left(fresh(state)) > 0
    assert rounds_left(over) == 0
    assert private_worth(over, 7) == over.extra.worth.get(7, over.sheet.privates[7].price)


def of_steady(game, seeds, moves):
    """The views of the moves of three `steady` players in the stock rounds of several games."""
    for seed in seeds:
        ruleset, _ = ruleset_of(GamePlan(game, 0, seed, 3, {"edition": 1}))
        rng = random.Random(seed)
        state, players = start(ruleset, ("A", "B", "C"), seed).state, [make_bot("steady", rng)] * 3
        for _ in range(moves):
            if state.outcome:
                break
            seat, action = next_action(ruleset, state, players, rng)
            if isinstance(state.top, StockRound):
                yield View(ruleset, state, seat, state.top)
            state = decide(ruleset, state, seat, action).state


def test_short_cash_buys_by_return():
    """In 18LRA the share goes first that brings more for each Mark, though a dearer one may bring more in all."""
    dearer = 0
    for view in of_steady("18lra", range(1, 6), 250):
        offers = []
        for idea in compared(view):
            if isinstance(idea.action, BuyShare) and idea.gain > 0:
                bought = decide(view.ruleset, view.state, view.seat, idea.action).state
                gain = prospects(with_ends_of(bought, view.state), view.seat) - prospects(view.state, view.seat)
                offers.append((gain / (view.player.cash - bought.players[view.seat].cash), gain))
        assert offers == sorted(offers, key=lambda offer: -offer[0])
        dearer += bool(offers) and max(gain for _, gain in offers) > offers[0][1]
    assert dearer


def test_own_sales_leave_rivals_nothing():
    """18DO sells by an action of its own: it gains nothing where 20 per cent let a rival direct a safe company that pays."""
    left = kept = 0
    for view in of_steady("18do", range(100_012, 100_014), 250):
        for idea in ideas(view):
            if isinstance(idea.action, SellCertificates):
                sold = decide(view.ruleset, view.state, view.seat, idea.action).state.companies[idea.action.company]
                held = view.state.companies[sold.id]
                if held.director == view.seat and held.revenue and not threat(view.state, held):
                    rival = max(sold.percent(other) for other in range(3) if other != view.seat)
                    reach = rival + min(20, sold.percent(IPO) + sold.percent(POOL)) > sold.percent(view.seat)
                    left, kept = left + reach, kept + (not reach)
                    assert idea.gain < 0 or not reach
    assert left
    assert kept


def test_one_founding_at_a_time():
    """In 18LRA a founder whose money does not float what he has founded and another company besides founds none."""
    second = 0
    for view in of_steady("18lra", range(1, 4), 120):
        own = [c for c in view.state.companies.values() if c.director == view.seat and c.founded and not c.floated]
        needed = sum((50 - c.percent(view.seat)) // 10 * view.state.price(c.id) for c in own if not c.percent(POOL))
        for idea in ideas(view):
            if own and isinstance(idea.action, FoundCompany):
                short = needed + 5 * idea.action.par > view.player.cash
                second += short
                assert idea.gain < 0 or not short
    assert second


def test_only_offers_are_left_to_people():
    """What another answers to is an offer only where he may decline it: a share that floats a company of 18DO is none."""
    floated = 0
    for view in of_steady("18do", (100_001, 100_003), 400):
        for idea in ideas(view):
            if isinstance(idea.action, BuyCertificate):
                state = decide(view.ruleset, view.state, view.seat, idea.action).state
                if isinstance(state.agenda[-1], FloatSale) and view.seat not in awaited(view.ruleset, state):
                    floated += 1
                    assert idea.gain > judging.OFFER
    assert floated
