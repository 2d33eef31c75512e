"""The end of a game: who won, how worth went over the rounds, what decided it, and the same people again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from trajekt.engine.events import Paid, TrainMoved
from trajekt.engine.state import DISPLAY, GONE, Seat
from trajekt.engine.title import Standing
from trajekt.game import Entry, Game
from trajekt.game_statistics import played_rounds, worth_of_seats
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rendering.charts import line_chart
from trajekt.round_label import round_name
from trajekt.server.presenters.charts import worth_series
from trajekt.server.presenters.game_log import log
from trajekt.server.storage.cached_game import CachedGame

EARNED = frozenset({"dividend", "private", "income", "half"})
"""Causes of payments that are income of a player."""

ADDED = frozenset({"forced", "equipment_help"})
"""Causes of payments that a director makes for what his company must buy."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A sentence about what decided the game; `at` is the entry to look at, 0 where none is."""

    text: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class EndPage:
    """The end of a game as everybody is told it; `fines` of the clock in Mark by seat. Template: `game_end.html`."""

    winner: str
    reason: str
    standings: Sequence[Standing]
    fines: Mapping[Seat, int]
    chart: str
    decided: Sequence[TurningPoint]


@dataclass(frozen=True, slots=True)
class WorthByRound:
    """Rounds of a game: name, last entry, and the worth of each seat after it, in Mark."""

    names: Sequence[str]
    ends: Sequence[int]
    worth: Sequence[Sequence[int]]

    def gain(self, seat: Seat, n: int) -> int:
        """Return what a seat's worth grew by in the round `n`."""
        return self.worth[seat][n] - self.worth[seat][n - 1]


def game_end(cached: CachedGame, game: Game, result: Sequence[Standing], speaker: Speaker) -> EndPage:
    """Tell the end of a finished game; `result` is its score with the penalties of the clock taken off."""
    say = speaker.catalogue
    played = played_rounds(game)
    worth = list(zip(*(worth_of_seats(game, each.state) for each in played), strict=True))
    rounds = WorthByRound([round_name(each.round, say) for each in played], [each.entry for each in played], worth)
    deducted = {each.seat: each.deducted for each in game.title.standings(game.state)}
    fines = {each.seat: each.deducted - deducted[each.seat] for each in result}
    standings = [replace(each, name=speaker.seat(each.seat), deducted=deducted[each.seat]) for each in result]
    last = log(cached, game.number, speaker)[-1]
    return EndPage(
        winner=winner_line(standings, say),
        reason=last.small or last.text,
        standings=standings,
        fines=fines,
        chart=line_chart(rounds.names, worth_series(game, played, speaker), say.number, say.text("page.charts.worth")),
        decided=[*turning_points(game, standings, rounds, speaker), *fines_told(fines, speaker)],
    )


def winner_line(standings: Sequence[Standing], say: Catalogue) -> str:
    """Name who won, and by how much."""
    first = [standing for standing in standings if standing.rank == 1]
    total = say.money(first[0].total)
    if len(first) > 1:
        return say.text("page.end.tie", players=", ".join(each.name for each in first), total=total)
    second = standings[1]
    ahead = say.money(first[0].total - second.total)
    return say.text("page.end.winner", player=first[0].name, total=total, ahead=ahead, second=second.name)


def turning_points(
    game: Game, standings: Sequence[Standing], rounds: WorthByRound, speaker: Speaker
) -> Iterator[TurningPoint]:
    """Tell the rounds, trains and loans that decided the game; each from the entries alone."""
    say, winner = speaker.catalogue, standings[0]
    last = len(rounds.ends) - 1
    if last > 0:
        if all(own[last] <= rounds.worth[winner.seat][last] for own in rounds.worth):  # else the clock decided
            yield lead(winner.seat, rounds, speaker)
        if len(standings) > 1:
            yield best_round(winner.seat, standings[1].seat, rounds, speaker)
        yield from worst_round(rounds, speaker)
    yield from trains_lost(game, rounds, speaker)
    incomes = incomes_of(game)
    if incomes:
        told = ", ".join(f"{speaker.seat(seat)} {say.money(amount)}" for seat, amount in incomes.most_common())
        yield TurningPoint(say.text("page.end.incomes", incomes=told))
    for seat, amount in paid_by_directors(game).items():
        yield TurningPoint(say.text("page.end.added", player=speaker.seat(seat), amount=say.money(amount)))
    for standing in standings:
        if standing.deducted:
            yield TurningPoint(
                say.text(
                    "page.end.loans",
                    player=standing.name,
                    loan=say.money(standing.deducted // 2),
                    amount=say.money(standing.deducted),
                )
            )


def fines_told(fines: Mapping[Seat, int], speaker: Speaker) -> Iterator[TurningPoint]:
    """Tell what the clock took from each player."""
    say = speaker.catalogue
    for seat, amount in fines.items():
        if amount:
            yield TurningPoint(say.text("page.end.fine", player=speaker.seat(seat), amount=say.money(amount)))


def lead(winner: Seat, rounds: WorthByRound, speaker: Speaker) -> TurningPoint:
    """Tell since which round the winner has been ahead of everybody."""
    n = len(rounds.ends) - 1
    while n > 0 and all(own[n - 1] < rounds.worth[winner][n - 1] for own in _others(winner, rounds)):
        n -= 1
    key = "page.end.lead" if n else "page.end.lead_always"
    return TurningPoint(
        speaker.catalogue.text(key, player=speaker.seat(winner), round=rounds.names[n]), rounds.ends[n] if n else 0
    )


def _others(seat: Seat, rounds: WorthByRound) -> list[Sequence[int]]:
    return [own for other, own in enumerate(rounds.worth) if other != seat]


def best_round(winner: Seat, second: Seat, rounds: WorthByRound, speaker: Speaker) -> TurningPoint:
    """Tell the round in which the winner gained most on the second."""
    n = max(range(1, len(rounds.ends)), key=lambda n: rounds.gain(winner, n) - rounds.gain(second, n))
    say = speaker.catalogue
    gained = say.money(rounds.gain(winner, n) - rounds.gain(second, n))
    words = {"player": speaker.seat(winner), "other": speaker.seat(second), "round": rounds.names[n]}
    return TurningPoint(say.text("page.end.best_round", amount=gained, **words), rounds.ends[n])


def worst_round(rounds: WorthByRound, speaker: Speaker) -> Iterator[TurningPoint]:
    """Tell the greatest loss of anybody in a round, where anybody lost."""
    say = speaker.catalogue
    least, n, seat = min(
        (rounds.gain(seat, n), n, seat) for seat in range(len(rounds.worth)) for n in range(1, len(rounds.ends))
    )
    if least < 0:
        words = {"player": speaker.seat(seat), "round": rounds.names[n], "amount": say.money(-least)}
        yield TurningPoint(say.text("page.end.worst_round", **words), rounds.ends[n])


def trains_lost(game: Game, rounds: WorthByRound, speaker: Speaker) -> Iterator[TurningPoint]:
    """Tell the purchase of a train that took most trains away from the companies."""
    say = speaker.catalogue
    found = [(len(lost), entry, lost) for entry in game.line() if (lost := _obsolete(entry))]
    if not found:
        return
    count, entry, lost = max(found, key=lambda each: each[0])
    bought = next((e for e in entry.events if isinstance(e, TrainMoved) and e.source == DISPLAY), None)
    if bought is None:
        return
    where = next(n for n, end in enumerate(rounds.ends) if entry.number <= end)
    text = say.text(
        "page.end.trains",
        company=speaker.place(bought.target),
        train=speaker.train(bought.train),
        round=rounds.names[where],
        count=count,
        lost=", ".join(f"{speaker.place(owner)} {number}" for owner, number in Counter(lost).most_common()),
    )
    yield TurningPoint(text, entry.number)


def _obsolete(entry: Entry) -> list[str]:
    """The owners of the trains that an entry took out of the game, one for each train."""
    moved = (event for event in entry.events if isinstance(event, TrainMoved))
    return [event.source for event in moved if event.target == GONE and event.cause == "obsolete"]


def incomes_of(game: Game) -> Counter[Seat]:
    """Return what each player received in dividends and incomes, in Mark."""
    out: Counter[Seat] = Counter()
    for entry in game.line():
        for event in entry.events:
            if isinstance(event, Paid) and isinstance(event.target, int) and event.cause in EARNED:
                out[event.target] += event.amount
    return out


def paid_by_directors(game: Game) -> dict[Seat, int]:
    """Return what each player added for what his company had to buy, in Mark."""
    out: dict[Seat, int] = {}
    for entry in game.line():
        for event in entry.events:
            if isinstance(event, Paid) and isinstance(event.source, int) and event.cause in ADDED:
                out[event.source] = out.get(event.source, 0) + event.amount
    return out


def again(game: Game, bots: Mapping[Seat, str], pause: float, mine: Seat | None, *, friends: bool) -> str:
    """The table with the same people and options, as JSON for the form of a new one."""
    names = game.state.names
    asked = {
        "game": game.title.id,
        "players": names,
        "options": msgspec.to_builtins(game.options),
        "bots": {names[seat]: kind for seat, kind in bots.items()},
        "pause": pause,
    }
    if game.ruleset.sheet.component_set:
        asked["component_set"] = game.ruleset.sheet.component_set + "\n"
    if friends:
        asked |= {"friends": True, "you": names[mine] if mine is not None else ""}
    return msgspec.json.encode(asked).decode()
