"""Worth and income over the rounds of a game, as charts and as a sheet of figures."""

from __future__ import annotations

from typing import Any

from trajekt.engine.events import TrainsRan
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker
from trajekt.rendering.charts import Series, line_chart
from trajekt.server.presenters.game_log import round_keys, round_name
from trajekt.server.presenters.map_and_market import look_of
from trajekt.server.storage.cached_game import CachedGame

COLOURS = ("var(--may)", "var(--down)", "#6f58c9", "#b07a00", "#2f7fd0", "#7a7a7a")
"""Of the players' lines; each has a dash and its name too."""


def round_ends(game: Game, keys: list[str]) -> list[tuple[str, int]]:
    """The rounds of the line that stands, each with the last entry that lies in it."""
    out: list[tuple[str, int]] = []
    for number in [0, *(entry.number for entry in game.line())]:
        if out and out[-1][0] == keys[number]:
            out.pop()
        out.append((keys[number], number))
    return out


def worth_by_round(game: Game, ends: list[tuple[str, int]]) -> list[list[int]]:
    """Return what each seat would have scored after each round, in Mark."""
    found = []
    for _, number in ends:
        scores = {standing.seat: standing.total for standing in game.title.standings(game.state_at(number))}
        found.append([scores.get(seat, 0) for seat in range(len(game.state.players))])
    return [[each[seat] for each in found] for seat in range(len(game.state.players))]


def income_by_round(game: Game, keys: list[str]) -> dict[str, dict[str, int]]:
    """The revenue of each company in each round in which it ran, in Mark."""
    out: dict[str, dict[str, int]] = {}
    for entry in game.line():
        for event in entry.events:
            if isinstance(event, TrainsRan):
                incomes = out.setdefault(event.company, {})
                incomes[keys[entry.parent]] = incomes.get(keys[entry.parent], 0) + event.revenue
    return out


def charts_model(cached: CachedGame, at: int | None, speaker: Speaker) -> dict[str, Any]:
    """Both charts and the sheet of incomes, of the position after entry `at` or the newest."""
    with cached.lock:
        game = cached.game.at(cached.game.number if at is None else at)
        keys = list(round_keys(cached))
    say = speaker.catalogue
    ends = round_ends(game, keys)
    names = [round_name(key, say) for key, _ in ends]
    worth = worth_by_round(game, ends)
    players = [
        Series(name, tuple(worth[seat]), COLOURS[seat % len(COLOURS)]) for seat, name in enumerate(game.state.names)
    ]
    found = income_by_round(game, keys)
    order = [company for company in game.state.sheet.companies if company in found]
    ran = [key for key, _ in ends if any(key in incomes for incomes in found.values())]
    tokens = look_of(game.title).tokens
    companies = [
        Series(
            speaker.company(company),
            tuple(found[company].get(key) for key in ran),
            tokens[company].contents if company in tokens else "var(--ink2)",
        )
        for company in order
    ]
    titles = [round_name(key, say) for key in ran]
    return {
        "worth": line_chart(names, players, say.number, say.text("page.charts.worth")),
        "incomes": line_chart(titles, companies, say.number, say.text("page.charts.incomes")) if companies else "",
        "rounds": titles,
        "rows": [
            (
                speaker.company(company),
                [say.number(found[company][key]) if key in found[company] else "" for key in ran],
                say.number(sum(found[company].values())),
            )
            for company in order
        ],
        "worth_rounds": names,
        "worth_rows": [(name, [say.number(v) for v in worth[seat]]) for seat, name in enumerate(game.state.names)],
    }
