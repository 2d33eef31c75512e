"""A game by round, as charts and sheets of figures: worth, incomes, earnings of players, prices, holdings, trains."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.state import Seat
from trajekt.game import Game
from trajekt.game_statistics import CompanyFigures, PlayedRound, RoundFigures, figures_of, played_rounds, worth_of_seats
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rendering.charts import Series, line_chart
from trajekt.round_label import round_name
from trajekt.server.presenters.map_and_market import look_of
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.storage.cached_game import CachedGame

COLOURS = ("var(--may)", "var(--down)", "#6f58c9", "#b07a00", "#2f7fd0", "#7a7a7a")
"""Of the players' lines; each has a dash and its name too."""


def worth_series(game: Game, rounds: Sequence[PlayedRound], speaker: Speaker) -> list[Series]:
    """The lines of the chart of worth, one a player."""
    worth = list(zip(*(worth_of_seats(game, each.state) for each in rounds), strict=True))
    return [Series(name, worth[seat], colour_of(seat)) for seat, name in enumerate(speaker.names)]


def colour_of(seat: Seat) -> str:
    """The colour of a player's line."""
    return COLOURS[seat % len(COLOURS)]


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A row of a sheet: a player or a company, a figure for each round, and their sum where it has a meaning."""

    name: str
    values: Sequence[str]
    total: str = ""


@dataclass(frozen=True, slots=True)
class FigureSheet:
    """One kind of figures by round: a chart, empty where there is none, and the sheet."""

    title: str
    chart: str
    rounds: Sequence[str]
    rows: Sequence[FigureRow]


@dataclass(frozen=True, slots=True)
class ChartsPart(PageModel):
    """Charts and sheets of a game by round; `ran` says whether a company has, `at` is the entry looked at, None the newest."""

    template: ClassVar[str] = "charts.html"
    sheets: Sequence[FigureSheet]
    ran: bool
    say: Catalogue
    id: str
    at: int | None


@dataclass(frozen=True, slots=True)
class _Sheets:
    """The figures of a game, and the words and colours in which they are shown."""

    figures: Sequence[RoundFigures]
    names: Sequence[str]
    speaker: Speaker
    colours: Mapping[CompanyId, str]

    def charted(
        self, key: str, series: Sequence[Series], rounds: Sequence[str], *, summed: bool = False
    ) -> FigureSheet:
        """A chart with the sheet of the same figures."""
        say = self.speaker.catalogue
        rows = [_row(each.name, each.values, say, summed=summed) for each in series]
        chart = line_chart(rounds, series, say.number, say.text(key)) if series else ""
        return FigureSheet(say.text(key), chart, rounds, rows)

    def companies(self, value: Callable[[CompanyFigures], int | None], rounds: Sequence[RoundFigures]) -> list[Series]:
        """A line for each company that ever had such a figure."""
        found = []
        for company in dict.fromkeys(company for each in rounds for company in each.companies):
            values = tuple(value(each.companies[company]) if company in each.companies else None for each in rounds)
            if any(each is not None for each in values):
                colour = self.colours.get(company, "var(--ink2)")
                found.append(Series(self.speaker.company(company), values, colour))
        return found

    def incomes(self) -> FigureSheet:
        """Earnings of the trains of companies, in rounds in which any ran."""
        ran = [
            (n, each)
            for n, each in enumerate(self.figures)
            if any(c.revenue is not None for c in each.companies.values())
        ]
        series = self.companies(lambda each: each.revenue, [each for _, each in ran])
        return self.charted("page.charts.incomes", series, [self.names[n] for n, _ in ran], summed=True)

    def earnings(self) -> FigureSheet:
        """Dividends and incomes of private companies by player, in rounds in which any were paid."""
        paid = [
            (n, each) for n, each in enumerate(self.figures) if any(p.dividends or p.privates for p in each.players)
        ]
        series = [
            Series(
                name,
                tuple(each.players[seat].dividends + each.players[seat].privates for _, each in paid),
                colour_of(seat),
            )
            for seat, name in enumerate(self.speaker.names if paid else ())
        ]
        return self.charted("page.charts.earnings", series, [self.names[n] for n, _ in paid], summed=True)

    def holdings(self) -> FigureSheet:
        """The per cent that each player had of each company."""
        say, rows = self.speaker.catalogue, []
        for seat, name in enumerate(self.speaker.names):
            for company in dict.fromkeys(company for each in self.figures for company in each.players[seat].shares):
                held = [each.players[seat].shares.get(company) for each in self.figures]
                rows.append(_row(f"{name}: {self.speaker.company(company)}", held, say))
        return FigureSheet(say.text("page.charts.holdings"), "", self.names, rows)

    def trains(self) -> FigureSheet:
        """The trains of the companies, by the names on their cards."""
        sheet, rows = self.speaker.sheet, []
        for company in dict.fromkeys(company for each in self.figures for company in each.companies):
            owned = [each.companies[company].trains if company in each.companies else () for each in self.figures]
            if any(owned):
                shown = [", ".join(sheet.trains[kind].name or kind for kind in each) for each in owned]
                rows.append(FigureRow(self.speaker.company(company), shown))
        return FigureSheet(self.speaker.catalogue.text("page.charts.trains"), "", self.names, rows)


def _row(name: str, values: Sequence[int | None], say: Catalogue, *, summed: bool = False) -> FigureRow:
    """Figures by round, and their sum where it is asked for."""
    shown = ["" if value is None else say.number(value) for value in values]
    return FigureRow(name, shown, say.number(sum(value or 0 for value in values)) if summed else "")


def charts_part(cached: CachedGame, at: int | None, speaker: Speaker) -> ChartsPart:
    """All charts and sheets of the position after entry `at`, or of the newest; those that would be empty are left out."""
    with cached.lock:
        game = cached.game.at(cached.game.number if at is None else at)
    say, played = speaker.catalogue, played_rounds(game)
    names = [round_name(each.round, say) for each in played]
    colours = {company: look.contents for company, look in look_of(game.title).tokens.items()}
    sheets = _Sheets(figures_of(game, played), names, speaker, colours)
    incomes, rounds = sheets.incomes(), sheets.figures
    prices = sheets.charted("page.charts.prices", sheets.companies(lambda each: each.price, rounds), names)
    worth = sheets.charted("page.charts.worth", worth_series(game, played, speaker), names)
    found = [worth, incomes, sheets.earnings(), prices, sheets.holdings(), sheets.trains()]
    return ChartsPart([each for each in found if each.rows], bool(incomes.rows), say, cached.id, at)
