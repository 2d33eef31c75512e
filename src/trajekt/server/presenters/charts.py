"""Worth and income over the rounds of a game, as charts and as a sheet of figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from trajekt.engine.components.schema import CompanyId
from trajekt.game import Game
from trajekt.game_statistics import PlayedRound, played_rounds, revenues, worth_of_seats
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rendering.charts import Series, line_chart
from trajekt.server.presenters.game_log import round_name
from trajekt.server.presenters.map_and_market import look_of
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.storage.cached_game import CachedGame

COLOURS = ("var(--may)", "var(--down)", "#6f58c9", "#b07a00", "#2f7fd0", "#7a7a7a")
"""Of the players' lines; each has a dash and its name too."""


def worth_series(game: Game, rounds: Sequence[PlayedRound], speaker: Speaker) -> list[Series]:
    """The lines of the chart of worth, one a player."""
    worth = list(zip(*(worth_of_seats(game, each.state) for each in rounds), strict=True))
    return [Series(name, worth[seat], COLOURS[seat % len(COLOURS)]) for seat, name in enumerate(speaker.names)]


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A row of a sheet: a player or a company, a figure for each round, and their sum where it has a meaning."""

    name: str
    values: Sequence[str]
    total: str = ""


@dataclass(frozen=True, slots=True)
class ChartsPart(PageModel):
    """Charts of worth and of companies' incomes, as drawings and as sheets; `at` is the entry looked at, None the newest."""

    template: ClassVar[str] = "charts.html"
    worth: str
    incomes: str
    rounds: Sequence[str]
    rows: Sequence[FigureRow]
    worth_rounds: Sequence[str]
    worth_rows: Sequence[FigureRow]
    say: Catalogue
    id: str
    at: int | None


def by_company(
    rounds: Sequence[Mapping[CompanyId, int]], companies: Iterable[CompanyId]
) -> dict[CompanyId, tuple[int | None, ...]]:
    """Incomes of a company over rounds, of those that had one; None in a round without."""
    return {
        company: tuple(incomes.get(company) for incomes in rounds)
        for company in companies
        if any(company in incomes for incomes in rounds)
    }


def income_row(name: str, values: Sequence[int | None], say: Catalogue) -> FigureRow:
    """The incomes of a company and their sum."""
    shown = ["" if value is None else say.number(value) for value in values]
    return FigureRow(name, shown, say.number(sum(value or 0 for value in values)))


def charts_part(cached: CachedGame, at: int | None, speaker: Speaker) -> ChartsPart:
    """Both charts and the sheet of incomes, of the position after entry `at` or the newest."""
    with cached.lock:
        game = cached.game.at(cached.game.number if at is None else at)
    say = speaker.catalogue
    rounds = played_rounds(game)
    names = [round_name(each.round, say) for each in rounds]
    players = worth_series(game, rounds, speaker)
    earned = [(name, incomes) for name, each in zip(names, rounds, strict=True) if (incomes := revenues(each))]
    titles = [name for name, _ in earned]
    found = by_company([incomes for _, incomes in earned], game.state.sheet.companies)
    tokens = look_of(game.title).tokens
    companies = [
        Series(speaker.company(company), values, tokens[company].contents if company in tokens else "var(--ink2)")
        for company, values in found.items()
    ]
    return ChartsPart(
        worth=line_chart(names, players, say.number, say.text("page.charts.worth")),
        incomes=line_chart(titles, companies, say.number, say.text("page.charts.incomes")) if companies else "",
        rounds=titles,
        rows=[income_row(speaker.company(company), values, say) for company, values in found.items()],
        worth_rounds=names,
        worth_rows=[FigureRow(each.name, [say.number(value or 0) for value in each.values]) for each in players],
        say=say,
        id=cached.id,
        at=at,
    )
