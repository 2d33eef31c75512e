"""Charters in words: what stands on a company's charter and what lies there now, in a line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trajekt.engine.state import CHARTER, IPO, POOL, State
from trajekt.i18n.sentences import Speaker


def charter_lines(state: State, company: str, speaker: Speaker) -> list[tuple[str, str]]:
    """Label and text of each line that has something to say: home, stations, shares, prices, money, trains, abilities."""
    return [(speaker.catalogue.text(f"charter.{key}"), text) for key, text in _lines(state, company, speaker) if text]


def _lines(state: State, company: str, speaker: Speaker) -> Iterator[tuple[str, str]]:
    say, printed, held = speaker.catalogue, state.sheet.companies[company], state.companies[company]
    homes = [" / ".join(map(speaker.hex, (home.hex, *state.sheet.hexes[home.hex].joined))) for home in printed.homes]
    yield "home", ", ".join(homes)
    yield "stations", station_prices(held.stations, speaker)
    kinds = Counter(printed.certificates[1:])
    rest = ", ".join(f"{count} × {percent}\u00a0%" for percent, count in kinds.items())
    first = f"{printed.certificates[0]}\u00a0%" if printed.certificates else ""
    yield "certificates", say.text("charter.certificates_of", first=first, rest=rest) if first else ""
    yield "float", f"{printed.float_percent}\u00a0%" if printed.float_percent else ""
    yield "director", speaker.seat(held.director) if held.director is not None else ""
    offer = held.percent(IPO) + held.percent(CHARTER)
    yield "offer", f"{offer}\u00a0%" if offer else ""
    yield "pool", f"{held.percent(POOL)}\u00a0%" if held.percent(POOL) else ""
    yield "par", say.money(held.par) if held.par else ""
    yield "price", say.money(state.price(company)) if company in state.markers.spaces else ""
    yield "treasury", say.money(held.treasury) if held.floated else ""
    yield "last_income", say.money(held.revenue) if held.revenue is not None else ""
    yield "trains", "; ".join(train_with_end(state, kind, speaker) for kind in held.trains)
    yield "ability", ability_of(speaker, company)


def station_prices(costs: tuple[int, ...], speaker: Speaker) -> str:
    """The stations left, each with its price."""
    say = speaker.catalogue
    return ", ".join(say.money(cost) if cost else say.text("charter.free") for cost in costs)


def train_with_end(state: State, kind: str, speaker: Speaker) -> str:
    """A train with what ends it, where something does."""
    end = state.sheet.trains[kind].obsolete_on
    name = speaker.train(kind)
    return speaker.catalogue.text("charter.train_ends", train=name, end=speaker.train(end)) if end else name


def ability_of(speaker: Speaker, company: str) -> str:
    """The ability of a company that no other has, in the reader's language; the numbers are those of the sheet."""
    key = f"company.does.{company}"
    own = {name: str(value) for name, value in speaker.sheet.companies[company].own.items() if isinstance(value, int)}
    costs = speaker.sheet.companies[company].station_costs
    return speaker.catalogue.text(key, **own, full=costs[-1] if costs else "") if key in speaker.catalogue else ""
