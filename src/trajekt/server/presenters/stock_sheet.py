"""The stock round as one sheet: a row for each company, with all that may be bought, sold and founded in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import TrainsRan
from trajekt.engine.state import Seat, State
from trajekt.game import Game
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.round_label import round_of
from trajekt.rules.floating import acquired
from trajekt.server.presenters.choice_groups import Group, Menu, Row

SHEET = "shares"


def last_incomes(game: Game) -> dict[CompanyId, int]:
    """The revenue of each company's newest run, in Mark."""
    found: dict[CompanyId, int] = {}
    for entry in game.line_back():
        for event in entry.events:
            if isinstance(event, TrainsRan):
                found.setdefault(event.company, event.revenue)
    return found


def with_stock_sheet(menu: Menu, game: Game, speaker: Speaker, seat: Seat | None) -> Menu:
    """The menu of a stock round with one row a company; of any other step the menu as it is."""
    state = game.state
    if seat is None or not menu.groups or round_of(state).kind != "stock":
        return menu
    merged = [group for group in menu.groups if group.rows and all(row.company for row in group.rows)]
    if not merged:
        return menu
    incomes = last_incomes(game)
    rows: dict[CompanyId, Row] = {}
    for group in merged:
        for row in group.rows:
            note = note_of(state, row, seat, incomes, speaker)
            own = rows.setdefault(row.company, replace(row, note=note, chips=[]))
            own.chips += row.chips
    order = list(state.sheet.companies)
    sheet = sorted(rows.values(), key=lambda row: (-state.price(row.company), order.index(row.company)))
    rest = [replace(group, rows=[]) if group in merged else group for group in menu.groups]
    kept = [group for group in rest if group.rows or group.refused]
    return replace(menu, groups=[Group(SHEET, sheet), *kept])


def note_of(state: State, row: Row, seat: Seat, incomes: Mapping[CompanyId, int], speaker: Speaker) -> str:
    """Name what a buyer or seller looks at: the price, his own share, the last revenue or what is missing to float; else the
    company's name.
    """
    say, company = speaker.catalogue, row.company
    price, held = state.price(company), state.companies[company]
    own, floats_at = held.percent(seat), state.sheet.companies[company].float_percent
    missing = floats_at - acquired(held) if held.founded and not held.floated else 0
    parts: Sequence[str] = (
        say.money(price) if price else speaker.sheet.companies[company].name,
        say.text("page.shares.own", percent=f"{own}\u202f%") if own else "",
        earned(incomes[company], say) if company in incomes else "",
        say.text("page.shares.floats", percent=f"{floats_at}\u202f%", missing=f"{missing}\u202f%")
        if missing > 0
        else "",
    )
    return " · ".join(part for part in parts if part)


def earned(revenue: int, say: Catalogue) -> str:
    """The last revenue of a company, with what it would bring a share of 10 %."""
    each = say.money(revenue // 10) if revenue else ""
    return say.text("page.shares.earned", revenue=say.money(revenue), each=each)
