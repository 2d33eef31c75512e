"""The boards of 18DO for the page: the beer market with its cubes, the brewery order, equipment on the charters.

Pure functions of a position that answer HTML and SVG; texts come from the catalogue under `board.*`.
Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from trajekt.engine.model import State
from trajekt.games.do.breweries import brewery_turn
from trajekt.games.do.deliveries import forecast, used_of
from trajekt.games.do.equipment import START, holders
from trajekt.games.do.loading import train_room
from trajekt.games.do.parts import SEGMENTS, card_of, parts
from trajekt.games.do.record import Bec, Dortmund, breweries, charter, dortmund, owner, purse
from trajekt.show.look import Look
from trajekt.show.sentences import Catalogue, Speaker

CUBE, GAP, WIDE, HIGH, ACROSS = 9, 2, 66, 34, 5
GROUNDS = ("#F3D64E", "#F0A04B")
"""Fields of regular and of new customers: yellow and orange."""


def boards(state: State, _look: Look, catalogue: Catalogue) -> Sequence[tuple[str, str]]:
    """The boards that a position has, as (key, HTML)."""
    if not isinstance(state.extra, Dortmund) or not state.extra.segments:
        return ()
    speaker = Speaker(catalogue, state.sheet, state.names)
    drawn = (
        ("beer", market(state, catalogue)),
        ("order", order(state, speaker)),
        ("equipment", equipment(state, speaker)),
        ("loads", trains(state, speaker)),
    )
    return [(key, html) for key, html in drawn if html]


def cubes(x: float, y: float, count: int) -> str:
    """Cubes in rows."""
    return "".join(
        f'<rect x="{x + (n % ACROSS) * (CUBE + GAP):g}" y="{y + (n // ACROSS) * (CUBE + GAP):g}" width="{CUBE}" '
        f'height="{CUBE}" rx="1.5" fill="#7A3E12"/>'
        for n in range(count)
    )


def market(state: State, say: Catalogue) -> str:
    """Six segments with their demand and supply fields, the Stock and the export price box as numbers below."""
    known, extra = parts(state.sheet), dortmund(state)
    svg = ""
    for column, (kind, customers) in enumerate((("demand", 0), ("demand", 1), ("supply", 0), ("supply", 1))):
        head = say.text(f"board.beer.{kind}.{customers}")
        svg += f'<text x="{34 + column * (WIDE + 4)}" y="10" font-size="8.5" fill="currentColor">{escape(head)}</text>'
    for row, segment in enumerate(reversed(SEGMENTS)):
        found = extra.segments[segment]
        y = 16 + row * (HIGH + 4)
        svg += f'<text x="4" y="{y + 21}" font-size="15" font-weight="700" fill="currentColor">{segment}</text>'
        for column, count in enumerate((*found.demand, *found.supply)):
            customers, x = column % 2, 34 + column * (WIDE + 4)
            kind = "demand" if column < 2 else "supply"
            label = say.text(f"board.beer.field.{kind}", segment=segment, count=count)
            note = str(known.income[segment][customers])
            ground = "#B9B4AA" if found.closed else GROUNDS[customers]
            svg += (
                f'<g role="img" aria-label={quoteattr(label)}><rect x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="4" '
                f'fill="{ground}"/>{cubes(x + 4, y + 4, count)}<text x="{x + WIDE - 3}" y="{y + HIGH - 3}" font-size="8" '
                f'text-anchor="end" fill="#222">{note}</text></g>'
            )
        if found.closed:
            text = escape(say.text("board.beer.closed"))
            svg += f'<text x="{38}" y="{y + 20}" font-size="9" font-weight="600" fill="#222">{text}</text>'
    height = 16 + len(SEGMENTS) * (HIGH + 4)
    width = 34 + 4 * (WIDE + 4)
    label = quoteattr(say.text("board.beer"))
    drawn = f'<svg viewBox="0 0 {width} {height}" role="group" aria-label={label} width="100%">{svg}</svg>'
    below = say.text("board.beer.stock", stock=extra.stock, box=extra.price_box)
    turn = brewery_turn(state)
    coming = ""
    if turn is not None and turn.step == START:
        money = say.money(forecast(state, turn))
        coming = f'<p class="m">{escape(say.text("board.beer.forecast", brewery=turn.brewery, money=money))}</p>'
    return f'{drawn}<p class="m">{escape(below)}</p>{coming}'


def state_of(name: str, now: str) -> str:
    """How an entry of the order is shown."""
    return "at" if name == now else "waits"


def order(state: State, speaker: Speaker) -> str:
    """The brewery order; whose turn it is stands out."""
    turn = brewery_turn(state)
    now = "" if turn is None else turn.brewery
    items = (
        f'<li class="{state_of(name, now)}"><i>{n}</i>{escape(speaker.company(name))}</li>'
        for n, name in enumerate(breweries(state), 1)
    )
    listed = "".join(items)
    return f'<ol class="b-order">{listed}</ol>' if listed else ""


def equipment(state: State, speaker: Speaker) -> str:
    """Each brewery with owner, treasury, equipment, and in the Expert Game its markers and event."""
    names = dict.fromkeys((*breweries(state), *holders(state)))
    drawn = "".join(brewery(state, speaker, name) for name in names)
    return f'<div class="b-charters">{drawn}</div>' if drawn else ""


def brewery(state: State, speaker: Speaker, name: str) -> str:
    """The charter of a brewery."""
    say, held, turn = speaker.catalogue, charter(state, name), brewery_turn(state)
    seat = owner(state, name)
    at = " at" if turn is not None and turn.brewery == name else ""
    printed = parts(state.sheet).minors.get(name)
    title = printed.name if printed is not None else state.sheet.companies[name].name
    pieces = "".join(piece(state, say, name, bec) for bec in held.becs)
    marks = " ".join((*(marker.code for marker in held.markers), *((held.event,) if held.event else ())))
    more = f"<span>{escape(say.text('board.equipment.markers', markers=marks))}</span>" if marks else ""
    who = speaker.seat(seat) if seat is not None else ""
    return (
        f'<div class="b-works{at}"><h3><b>{escape(speaker.company(name))}</b><small>{escape(title)}</small></h3>'
        f"<dl><dt>{escape(who)}</dt><dd>{escape(say.money(purse(state, name)))}</dd></dl>"
        f'<div class="b-stages">{pieces}</div>{more}</div>'
    )


def piece(state: State, say: Catalogue, name: str, bec: Bec) -> str:
    """A piece of equipment: its type, a box for each square (filled where used, an arrow where fit for export), idle or not."""
    card, turn = card_of(state.sheet, bec.kind), brewery_turn(state)
    used = 0
    if turn is not None and turn.brewery == name:
        done = used_of(turn, bec.number)
        used = done.dortmund + done.export
    label = say.text(
        "board.equipment.idle" if bec.idle else "board.equipment.piece", kind=bec.kind, squares=card.capacity
    )
    boxes = "".join(
        f'<i class="b-box{" on" if n < used else ""}">{"→" if n < card.arrows else ""}</i>'
        for n in range(card.capacity)
    )
    turned = " idle" if bec.idle else ""
    return f'<span class="b-stage{turned}" role="img" aria-label={quoteattr(label)}><b>{escape(bec.kind)}</b>{boxes}</span>'


def trains(state: State, speaker: Speaker) -> str:
    """Loaded trains with their cubes and free squares."""
    say = speaker.catalogue
    rows = [
        say.text(
            "board.loads.train",
            company=speaker.company(company),
            train=speaker.train(load.train),
            count=load.cubes,
            free=max(0, train_room(state, company, load.train, load.cubes)),
        )
        for company, loads in dortmund(state).loads.items()
        for load in loads
    ]
    return "".join(f'<p class="m">{escape(row)}</p>' for row in rows)
