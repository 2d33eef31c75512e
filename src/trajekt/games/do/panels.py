"""The boards of 18DO for the page: bids, the beer market with its cubes, breweries in their order, what the display offers.

Pure functions of a position that answer HTML and SVG; texts come from the catalogue under `board.*`. What would come, the
rules themselves are asked on a copy. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.games.do.beer_deliveries import forecast, used_of
from trajekt.games.do.beer_loading import train_room
from trajekt.games.do.beer_market_clearing import cleared
from trajekt.games.do.beer_places import DEMAND, SUPPLY, BeerBox, MarketField
from trajekt.games.do.brewery_equipment import START, holders
from trajekt.games.do.brewery_round import brewery_turn
from trajekt.games.do.components import SEGMENTS, card_of, do_components
from trajekt.games.do.frames import BreweryRound, StartingRound
from trajekt.games.do.starting_round import in_play
from trajekt.games.do.state import (
    Bec,
    DoState,
    breweries,
    charter,
    do_state,
    is_minor,
    owner,
    treasury_of,
)
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rendering.theme import Look
from trajekt.rendering.token_symbols import draw_token
from trajekt.rules.operating_round import OperatingRound

CUBE, GAP, WIDE, HIGH, SHUT, ACROSS = 8, 2, 82, 31, 15, 6
LEFT, TOP = 22, 14
COLUMNS = ((DEMAND, 0), (DEMAND, 1), (SUPPLY, 0), (SUPPLY, 1))


def boards(_ruleset: Ruleset, state: State, _look: Look, catalogue: Catalogue) -> Sequence[tuple[str, str]]:
    """The boards that a position has, as (key, HTML)."""
    if not isinstance(state.extra, DoState) or not state.extra.segments:
        return ()
    speaker = Speaker(catalogue, state.sheet, state.names)
    drawn = (
        ("bids", bids(state, speaker)),
        ("beer", beer(state, speaker)),
        ("equipment", equipment(state, speaker)),
        ("offer", offer(state, speaker)),
        ("expert", display(state, speaker)),
        ("loads", trains(state, speaker)),
    )
    return [(key, html) for key, html in drawn if html]


# The Starting Round --------------------------------------------------------------------------------------------------


def bids(state: State, speaker: Speaker) -> str:
    """The boxes of each minor with the tokens that lie on them, while the Starting Round lasts."""
    if not any(isinstance(frame, StartingRound) for frame in state.agenda):
        return ""
    say, boxes = speaker.catalogue, do_components(state.sheet).boxes
    head = "".join(f'<th scope="col">+{box}</th>' for box in boxes)
    rows = ""
    for minor in in_play(state):
        here = {bid.amount: bid.seat for bid in state.bids if bid.private == minor.number}
        best = max(here, default=-1)
        cells = "".join(
            f'<td class="{"top" if box == best else ""}">{token(speaker, here[box]) if box in here else "·"}</td>'
            for box in boxes
        )
        pieces = " ".join(minor.equipment)
        note = say.text("board.bids.minor", price=minor.price, treasury=minor.treasury, equipment=pieces)
        rows += f'<tr><th scope="row"><b>{escape(minor.name)}</b><small>{escape(note)}</small></th>{cells}</tr>'
    return f'<table class="b-bids"><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>'


def token(speaker: Speaker, seat: int) -> str:
    """A player's bid token: the first letter of the name."""
    name = speaker.seat(seat)
    return f'<i class="b-token" title={quoteattr(name)}>{escape(name[:1])}</i>'


# The beer market -----------------------------------------------------------------------------------------------------


def cubes(x: float, y: float, count: int, across: int = ACROSS, high: float = 0) -> str:
    """Draw cubes in rows of `across`; more than fit into a height of `high` are drawn smaller, so that each is seen."""
    size, gap = float(CUBE), float(GAP)
    wide = across * (size + gap)
    while high and -(-count // across) * (size + gap) > high + gap:
        size, gap = size * 0.9, gap * 0.9
        across = int(wide / (size + gap))
    return "".join(
        f'<rect class="b-cube" x="{x + (n % across) * (size + gap):g}" y="{y + (n // across) * (size + gap):g}" '
        f'width="{size:g}" height="{size:g}" rx="1.5"/>'
        for n in range(count)
    )


def heights(state: State) -> dict[int, int]:
    """The height of each segment as drawn, the highest first: a closed one is but a strip."""
    return {n: SHUT if do_state(state).segments[n].closed else HIGH for n in reversed(SEGMENTS)}


def box(state: State, say: Catalogue, segment: int, column: int, y: int, ahead: State | None) -> str:
    """A field of the market: its cubes, what a cube earns there, and what the clearing would leave."""
    kind, customers = COLUMNS[column]
    found = do_state(state).segments[segment]
    count = (found.demand if kind == DEMAND else found.supply)[customers]
    x, high = LEFT + column * (WIDE + 4), heights(state)[segment]
    label = say.text(f"board.beer.field.{kind}", segment=segment, count=count)
    then = ""
    if ahead is not None and kind == DEMAND:
        later = do_state(ahead).segments[segment].demand[customers]
        if later != count:
            then = f'<text class="b-then" x="{x + WIDE - 4}" y="{y + 11}">→ {later}</text>'
            label = f"{label}; {say.text('board.beer.then', count=later)}"
    worth = do_components(state.sheet).income[segment][customers]
    contents = "shut" if found.closed else "new" if customers else "regular"
    return (
        f'<g role="img" data-field="{MarketField(kind, segment, customers)}" aria-label={quoteattr(label)}>'
        f'<rect class="b-field {contents}" x="{x}" y="{y}" width="{WIDE}" height="{high}" rx="4"/>'
        f"{cubes(x + 4, y + 4, count, ACROSS, high - 8)}"
        f'<text class="b-worth" x="{x + WIDE - 4}" y="{y + high - 4}">{worth}</text>{then}</g>'
    )


def beer(state: State, speaker: Speaker) -> str:
    """Six segments with their demand and supply fields, Stock and the export price box; what is to come below."""
    say, extra = speaker.catalogue, do_state(state)
    rounds = [frame for frame in state.agenda if isinstance(frame, BreweryRound | OperatingRound)]
    ahead = cleared(state) if rounds and isinstance(rounds[-1], BreweryRound) else None
    svg = "".join(
        f'<text class="b-head" x="{LEFT + column * (WIDE + 4)}" y="9">'
        f"{escape(say.text(f'board.beer.{kind}.{customers}'))}</text>"
        for column, (kind, customers) in enumerate(COLUMNS)
    )
    y = TOP
    for segment, high in heights(state).items():
        shut = " shut" if extra.segments[segment].closed else ""
        svg += f'<text class="b-segment{shut}" x="4" y="{y + high / 2 + 5:g}">{segment}</text>'
        svg += "".join(box(state, say, segment, column, y, ahead) for column in range(len(COLUMNS)))
        y += high + 3
    y += 3
    for place, key, count, x in (
        (BeerBox.STOCK, "stock", extra.stock, LEFT),
        (BeerBox.PRICE, "box", extra.price_box, LEFT + 2 * (WIDE + 4)),
    ):
        named = escape(say.text(f"board.beer.{key}", count=count))
        svg += f'<g data-field="{place}"><text class="b-head" x="{x}" y="{y + 8}">{named}</text>'
        svg += cubes(x, y + 13, count, 2 * ACROSS) + "</g>"
    rows = -(-max(extra.stock, extra.price_box) // (2 * ACROSS))
    height = y + 16 + (CUBE + GAP) * rows
    width = LEFT + 4 * (WIDE + 4)
    label = quoteattr(say.text("board.beer"))
    drawn = f'<svg class="b-beer" viewBox="0 0 {width} {height}" role="group" aria-label={label}>{svg}</svg>'
    return drawn + "".join(f'<p class="m">{escape(line)}</p>' for line in coming(state, speaker, ahead))


def coming(state: State, speaker: Speaker, ahead: State | None) -> list[str]:
    """The income of a delivery now, and the meaning of the market's arrows."""
    say, turn, lines = speaker.catalogue, brewery_turn(state), []
    if turn is not None and turn.step == START:
        money = say.money(forecast(state, turn))
        lines.append(say.text("board.beer.forecast", brewery=speaker.place(turn.brewery), money=money))
    if ahead is not None:
        lines.append(say.text("board.beer.ahead"))
    return lines


# Breweries -----------------------------------------------------------------------------------------------------------


def equipment(state: State, speaker: Speaker) -> str:
    """Each brewery in the brewery order, with owner, treasury, equipment, and in the Expert Game its markers and event."""
    ordered = list(breweries(state))
    names = dict.fromkeys((*ordered, *holders(state)))
    drawn = "".join(brewery(state, speaker, name, ordered.index(name) + 1 if name in ordered else 0) for name in names)
    return f'<div class="b-charters">{drawn}</div>' if drawn else ""


def brewery(state: State, speaker: Speaker, name: str, place: int) -> str:
    """The charter of a brewery; `place` in the brewery order, 0 for none."""
    say, held, turn = speaker.catalogue, charter(state, name), brewery_turn(state)
    seat = owner(state, name)
    acts = turn is not None and turn.brewery == name
    printed = do_components(state.sheet).minors.get(name)
    title = printed.name if printed is not None else state.sheet.companies[name].name
    sign = "" if is_minor(state, name) else draw_token(name, 24)
    number = f"<i>{place}</i>" if place else "<i>·</i>"
    pieces = "".join(piece(state, say, name, bec) for bec in held.becs)
    marks = [speaker.word("marker", marker.code) for marker in held.markers]
    marks += [speaker.word("special_event", held.event)] if held.event else []
    more = f"<span>{escape(', '.join(marks))}</span>" if marks else ""
    who = speaker.seat(seat) if seat is not None else say.text("board.equipment.nobody")
    income = say.text("board.equipment.income", income=say.money(turn.income)) if acts and turn and turn.income else ""
    return (
        f'<div class="b-works{" at" if acts else ""}"><h3><span class="b-place">{number}{sign}</span>'
        f"<span><b>{escape(title)}</b><small>{escape(speaker.company(name) if not is_minor(state, name) else name)}"
        f" · {escape(who)}</small></span></h3>"
        f'<div class="b-stages">{pieces}</div>{more}'
        f"<dl><dt>{escape(say.text('board.equipment.treasury'))}</dt><dd>{escape(say.money(treasury_of(state, name)))}</dd>"
        f"{f'<dd>{escape(income)}</dd>' if income else ''}</dl></div>"
    )


def piece(state: State, say: Catalogue, name: str, bec: Bec) -> str:
    """Equipment: its type and number, a box for each square (filled where used, an arrow where fit for export), idle or not."""
    card, turn = card_of(state.sheet, bec.kind), brewery_turn(state)
    used = 0
    if turn is not None and turn.brewery == name:
        done = used_of(turn, bec.number)
        used = done.dortmund + done.export
    label = say.text(
        "board.equipment.idle" if bec.idle else "board.equipment.piece",
        kind=bec.kind,
        squares=card.capacity,
        number=bec.number,
    )
    boxes = "".join(
        f'<i class="b-box{" on" if n < used else ""}{" arrow" if n < card.arrows else ""}">'
        f"{'→' if n < card.arrows else ''}</i>"
        for n in range(card.capacity)
    )
    turned = " idle" if bec.idle else ""
    return (
        f'<span class="b-stage{turned}" role="img" aria-label={quoteattr(label)} title={quoteattr(label)}>'
        f"<b>{escape(bec.kind)}<small>#{bec.number}</small></b>{boxes}</span>"
    )


# The display ---------------------------------------------------------------------------------------------------------


def offer(state: State, speaker: Speaker) -> str:
    """Equipment on the backs of the cards that are left: price, squares, arrows."""
    say, rows = speaker.catalogue, ""
    for kind, left in state.depot.display.items():
        if not left or kind not in do_components(state.sheet).cards:
            continue
        card = card_of(state.sheet, kind)
        boxes = "".join(
            f'<i class="b-box{" arrow" if n < card.arrows else ""}">{"→" if n < card.arrows else ""}</i>'
            for n in range(card.capacity)
        )
        note = say.text("board.offer.no_minors") if card.not_for_minors else ""
        rows += (
            f'<li><span class="card">{escape(kind)}</span><span class="b-stage">{boxes}</span>'
            f"<b>{escape(say.money(card.price))}</b><small>{escape(say.text('board.offer.left', count=left))}"
            f"{escape(' · ' + note) if note else ''}</small></li>"
        )
    return f'<ul class="b-offer">{rows}</ul>' if rows and breweries(state) else ""


def display(state: State, speaker: Speaker) -> str:
    """Markers and special events in the display of the Expert Game."""
    say, extra = speaker.catalogue, do_state(state)
    if not extra.markers and not extra.events:
        return ""
    known = do_components(state.sheet)
    now = state.sheet.rank(state.current_phase.colour)
    rows = ""
    for code, left in extra.markers.items():
        kind = known.markers[code]
        note = say.text("board.offer.left", count=left)
        if left:
            rows += entry(speaker.word("marker", code), say.money(kind.price), note, state.sheet.rank(kind.phase) > now)
    for letter in extra.events:
        later = state.sheet.rank(known.events[letter]) > now
        rows += entry(speaker.word("special_event", letter), "", say.text(f"special_event.{letter}.does"), later)
    return f'<ul class="b-marks">{rows}</ul>'


def entry(name: str, price: str, note: str, later: bool) -> str:
    """A line of the display; what a later phase brings stands back."""
    kind = ' class="later"' if later else ""
    return f"<li{kind}><b>{escape(name)}</b><span>{escape(price)}</span><small>{escape(note)}</small></li>"


def trains(state: State, speaker: Speaker) -> str:
    """Loaded trains with their cubes and free squares."""
    say, rows = speaker.catalogue, ""
    for company, loads in do_state(state).loads.items():
        for load in loads:
            free = max(0, train_room(state, company, load.train, load.cubes))
            text = say.text(
                "board.loads.train",
                company=speaker.company(company),
                train=speaker.train(load.train),
                count=load.cubes,
                free=free,
            )
            boxes = '<i class="b-box full"></i>' * load.cubes + '<i class="b-box wagon"></i>' * free
            rows += f'<li>{draw_token(company, 22)}<span class="card">{escape(load.train)}</span>'
            rows += (
                f'<span class="b-stage" role="img" aria-label={quoteattr(text)} data-field="{company}:{load.train}">'
            )
            rows += f"{boxes}</span></li>"
    return f'<ul class="b-loads">{rows}</ul>' if rows else ""
