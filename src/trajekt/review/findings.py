"""Findings: the few sentences that sum up a player's game, each with the entry to look at and how sure it is.

`PROVED` holds for all that the rules allowed; `ESTIMATED` comes from playing on with bots, or from a search that was not ended;
`HAPPENED` is told without a judgement of what would have come otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from trajekt.engine.actions import Action
from trajekt.engine.components.schema import Sheet
from trajekt.engine.ruleset import Choice
from trajekt.engine.state import Seat
from trajekt.engine.title import Title
from trajekt.i18n.sentences import Speaker, catalogue, choice_label, formed_values
from trajekt.review.deed_review import DeedReview
from trajekt.review.game_review import GameReview, TurnFacts
from trajekt.review.investments import Investment
from trajekt.review.lay_review import LayReview
from trajekt.round_label import Round, round_name

PACKAGE = "trajekt.review"
PROVED, ESTIMATED, HAPPENED = "proved", "estimated", "happened"
WORTH_TELLING = 50
"""An investment whose gain or loss is smaller, in Mark, is not named."""


class GameFinding(msgspec.Struct, frozen=True):
    """A sentence about a player's game: its key in the catalogue, how sure it is, the entry to look at (0: none), values."""

    key: str
    kind: str
    entry: int = 0
    values: Mapping[str, Any] = {}


def findings(review: GameReview, seat: Seat) -> list[GameFinding]:
    """Return the findings for a player, the most telling first; never more than ten.

    >>> import trajekt
    >>> from trajekt.review.game_review import review_of
    >>> game = trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"fixed_seats": True}, seed=7)
    >>> [finding.key for finding in findings(review_of(game), 0)]
    ['review.no_runs']
    """
    told = [
        *_place(review, seat),
        *_runs(review, seat),
        *_lays(review, seat),
        *_deeds(review, seat),
        *_trainless(review, seat),
        *_companies(review, seat),
        *_turning_points(review, seat),
    ]
    return told[:10]


def _sure(all_proved: bool) -> str:
    return PROVED if all_proved else ESTIMATED


def _place(review: GameReview, seat: Seat) -> Iterator[GameFinding]:
    if not review.finished:
        return
    worth = review.rounds[-1].worth
    rank = 1 + sum(other > worth[seat] for other in worth)
    second = max(other for n, other in enumerate(worth) if n != seat) if len(worth) > 1 else 0
    behind = max(worth) - worth[seat]
    if rank == 1:
        yield GameFinding(
            "review.won", HAPPENED, review.entries, {"worth": worth[seat], "amount": worth[seat] - second}
        )
    else:
        yield GameFinding(
            "review.place", HAPPENED, review.entries, {"rank": rank, "worth": worth[seat], "amount": behind}
        )


def _runs(review: GameReview, seat: Seat) -> Iterator[GameFinding]:
    mine = [run for run in review.runs if run.director == seat]
    if not mine:
        yield GameFinding("review.no_runs", HAPPENED)
        return
    below = [run for run in mine if run.lost]
    kind = _sure(all(run.proved for run in mine))
    if not below:
        yield GameFinding("review.runs_all_best", kind, 0, {"count": len(mine)})
        return
    worst = max(below, key=lambda run: run.lost)
    values = {
        "missed": len(below), "count": len(mine), "amount": sum(run.lost for run in below),
        "company": worst.company, "round": worst.round, "revenue": worst.taken, "most": worst.best,
    }  # fmt: skip
    yield GameFinding("review.runs_below_best", kind, worst.entry, values)


def _lays(review: GameReview, seat: Seat) -> Iterator[GameFinding]:
    mine = [lay for lay in review.lays if lay.director == seat]
    better = [lay for lay in mine if lay.other is not None]
    if not mine:
        return
    kind = _sure(all(lay.proved for lay in mine))
    if not better:
        yield GameFinding("review.lays_all_best", kind, 0, {"count": len(mine)})
        return
    worst = max(better, key=lambda lay: lay.lost)
    assert worst.other is not None
    values = {
        "missed": len(better), "count": len(mine), "company": worst.company, "round": worst.round, "amount": worst.lost,
        "tile": worst.other.tile, "hex": worst.other.hex, "cost": worst.dearer if worst.dearer > 0 else "",
    }  # fmt: skip
    yield GameFinding("review.lays_better", kind, worst.entry, values)
    yield from _lasting(better)


def _lasting(better: Sequence[LayReview]) -> Iterator[GameFinding]:
    """The lay that would have brought the most by the end of the game as well; where none would, the one that cost most."""
    told = [lay for lay in better if lay.lasting]
    if not told:
        return
    most, least = max(told, key=_by_end), min(told, key=_by_end)
    one, key = (most, "review.lay_lasts") if most.lasting > 0 else (least, "review.lay_lasts_not")
    assert one.other is not None
    values = {
        "round": one.round, "company": one.company, "tile": one.other.tile, "hex": one.other.hex,
        "amount": abs(one.lasting), "error": one.error,
    }  # fmt: skip
    yield GameFinding(key, ESTIMATED, one.entry, values)


def _by_end(lay: LayReview) -> int:
    return lay.lasting


def _deeds(review: GameReview, seat: Seat) -> Iterator[GameFinding]:
    """The decisions on money for which a better one is known, and the one that was furthest ahead of all others known."""
    mine = [deed for deed in review.deeds if deed.seat == seat]
    better = [deed for deed in mine if deed.better]
    if not mine:
        return
    if better:
        worst = max(better, key=_more)
        values = {"missed": len(better), "count": len(mine), **_compared(worst)}
        yield GameFinding("review.decisions_better", ESTIMATED, worst.entry, values)
    else:
        yield GameFinding("review.decisions_all_best", ESTIMATED, 0, {"count": len(mine)})
    best = min(mine, key=_more)
    if best.lead:
        yield GameFinding("review.decision_ahead", ESTIMATED, best.entry, _compared(best))


def _more(deed: DeedReview) -> int:
    return deed.more


def _compared(deed: DeedReview) -> dict[str, object]:
    found = {"round": deed.round, "made": deed.deed, "other": deed.other, "amount": abs(deed.more), "error": deed.error}
    return {**found, "company": deed.company}


def _trainless(review: GameReview, seat: Seat) -> Iterator[GameFinding]:
    """The company that stood the longest without a train after it had had one."""
    had: set[str] = set()
    without: dict[str, list[TurnFacts]] = {}
    for turn in review.turns:
        if turn.trains:
            had.add(turn.company)
        elif turn.company in had and turn.director == seat:
            without.setdefault(turn.company, []).append(turn)
    if without:
        company, turns = max(without.items(), key=lambda item: len(item[1]))
        values = {"company": company, "count": len(turns), "rounds": [turn.round for turn in turns]}
        yield GameFinding("review.trainless", HAPPENED, turns[0].entry, values)


def _companies(review: GameReview, seat: Seat) -> Iterator[GameFinding]:
    mine = [each for each in review.investments if each.seat == seat and each.company and each.paid]
    if not mine:
        return
    best, worst = max(mine, key=_gain), min(mine, key=_gain)
    if best.gain >= WORTH_TELLING:
        yield GameFinding("review.best_company", HAPPENED, 0, _account(best))
    if worst is not best and worst.gain <= -WORTH_TELLING:
        yield GameFinding("review.worst_company", HAPPENED, 0, _account(worst))
    returns = [each for each in mine if each.paid >= WORTH_TELLING and each is not best]
    dear = max(returns, key=lambda each: each.gain / each.paid, default=None)
    if dear is not None and dear.gain / dear.paid > 2 * max(best.gain, 1) / max(best.paid, 1):
        yield GameFinding("review.best_return", HAPPENED, 0, _account(dear))


def _gain(each: Investment) -> int:
    return each.gain


def _account(each: Investment) -> dict[str, object]:
    return {"company": each.company, "cost": each.paid, "income": each.income, "amount": abs(each.gain)}


def _turning_points(review: GameReview, seat: Seat) -> Iterator[GameFinding]:
    """The rounds in which the player gained and lost the most against the mean of the others."""
    lead = [_lead(each.worth, seat) for each in review.rounds]
    steps = [(after - before, review.rounds[n + 1]) for n, (before, after) in enumerate(pairwise(lead))]
    if not steps:
        return
    for key, (change, each) in (("review.gained", max(steps, key=_change)), ("review.fell", min(steps, key=_change))):
        if (change > 0) == (key == "review.gained") and abs(change) >= WORTH_TELLING:
            yield GameFinding(key, HAPPENED, each.entry, {"round": each.round, "amount": abs(change)})


def _change(step: tuple[int, object]) -> int:
    return step[0]


def _lead(worth: Sequence[int], seat: Seat) -> int:
    others = [one for n, one in enumerate(worth) if n != seat]
    return worth[seat] - sum(others) // max(1, len(others))


def speaker(title: Title, sheet: Sheet, names: Sequence[str], language: str) -> Speaker:
    """The speaker of findings: the shared sentences, those of the game, and those of reviews. ValueError: no such language."""
    return Speaker(catalogue(language, title.package, PACKAGE), sheet, names)


def sentence(by: Speaker, finding: GameFinding) -> str:
    """A finding in one sentence; decisions in it read as on their buttons."""
    deeds = {name: action_label(by, each) for name, each in finding.values.items() if isinstance(each, Action)}
    rounds = {name: _rounds(by, finding.values[name]) for name in ("round", "rounds") if name in finding.values}
    others = {name: each for name, each in finding.values.items() if name not in deeds | rounds}
    return by.catalogue.text(finding.key, **formed_values(by, others), **deeds, **rounds)


def _rounds(by: Speaker, keys: str | Sequence[str]) -> str:
    """Rounds by their names in the reader's language."""
    return ", ".join(round_name(Round.read(key), by.catalogue) for key in ([keys] if isinstance(keys, str) else keys))


def action_label(by: Speaker, action: Action) -> str:
    """An action in a few words."""
    return choice_label(by, Choice(0, action))
