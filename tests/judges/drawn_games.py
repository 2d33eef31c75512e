"""Games drawn at random: which game, how many players, which options, which seed, and after how many decisions it stops.

Hypothesis draws them and shrinks one in which judge and engine part to few options, a small seed, an early stop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.judges import do_match, rhine_games, ruhr_match
from tests.judges.tally import Tally
from trajekt.games.do.options import INTRODUCTION, PLAYERS, RAILWAY, VALUES
from trajekt.games.ruhr.title import TITLE as RUHR

BOOKS = ("first", "second", "lra")
DORTMUND = tuple(PLAYERS)
STOP = 150  # the latest decision at which a drawn game stops
OPTIONS = 4  # that a drawn game has at most


@dataclass(frozen=True)
class Case:
    """One drawn game; `options` are those beside the defaults."""

    game: str
    players: int
    options: tuple[tuple[str, Any], ...]
    seed: int
    stop: int

    def play(self) -> Tally:
        """Play it to its stop: the accounts follow each decision, and everything is asked at the stop."""
        chosen, stop = dict(self.options), {"stop": self.stop}
        if self.game in BOOKS:
            return rhine_games.match(self.game, self.seed, 0, chosen, players=self.players, **stop)
        if self.game == "ruhr":
            return ruhr_match.match(self.seed, chosen, 0, players=self.players, **stop)
        if self.game in (RAILWAY, INTRODUCTION):
            tally = do_match.booked_match(self.game, self.seed, chosen, players=self.players, **stop)
            tally.add(do_match.other_match(self.game, self.seed, chosen, players=self.players, **stop))
            return tally
        few = self.seed % 3 == 2
        return do_match.match(self.seed, chosen, table=(self.game, few, 5 if few else self.players), **stop)


def choices_of(game: str) -> dict[str, tuple[Any, ...]]:
    """The options of a game that its judges know, with the values beside the default."""
    if game in BOOKS:
        return {v.option: v.values or (True,) for v in rhine_games.switches(game)}
    if game == "ruhr":
        return {v.option: v.values or (True,) for v in RUHR.variants}
    return {name: values[1:] for name, values in VALUES.items() if len(values) > 1 and name != "game"}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw a game that some table can choose."""
    game = draw(st.sampled_from((*BOOKS, "ruhr", *DORTMUND)))
    known = [(name, value) for name, values in sorted(choices_of(game).items()) for value in values]
    # each option by itself, or none in its place, so that a smaller case can leave out any of them
    options = dict(filter(None, (draw(st.none() | st.sampled_from(known)) for _ in range(OPTIONS))))
    alone = next((name for name in options if name in rhine_games.ALONE), None)
    if alone:
        options = {alone: True}
    counts = {"ruhr": (3, 4, 5, 6), **PLAYERS}.get(game) or rhine_games.players_of(game, options)
    players, seed = draw(st.sampled_from(counts)), draw(st.integers(0, 100_000))
    return Case(game, players, tuple(sorted(options.items())), seed, draw(st.integers(0, STOP)))
