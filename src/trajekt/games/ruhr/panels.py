"""The boards of 18Ruhr for the page: the package in its columns, Montan Round Cards, charters with their boxes, the stack.

Pure functions of a position that answer HTML; the classes are those of the page's `boards.css`. Texts come from the
catalogue under `board.*`. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import Frame, State
from trajekt.games.ruhr.components import MINES, STAGES, StageCounts, ruhr_components, stages_of
from trajekt.games.ruhr.montan_charters import (
    active_mines,
    earning,
    engine_room,
    inactive,
    income,
    legal_takes,
    linked,
    on_boxes,
    owner_of,
    room,
    waiting,
)
from trajekt.games.ruhr.montan_round import Foundation, Merging
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.starting_package import display, price_of_item
from trajekt.games.ruhr.state import PASSIVE, RuhrState, assets_of, location, ruhr_state, treasury_of
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rendering.theme import Look
from trajekt.rendering.token_symbols import draw_token
from trajekt.rules.trains import on_display

SHAPES = {"coal": "mine", "steel": "mill"}


def boards(ruleset: Ruleset, state: State, look: Look, catalogue: Catalogue) -> Sequence[tuple[str, str]]:
    """The boards that a position has, as (key, HTML): `package` while items are left, `works`, `stack`, `montan`.

    In a Montan Round `montan` comes first.
    """
    if not isinstance(state.extra, RuhrState):
        return ()
    speaker = Speaker(catalogue, state.sheet, state.names)
    drawn = (
        ("package", package(state, speaker)),
        ("works", charters(state, look, speaker)),
        ("stack", stack(state, speaker, x_after_e=ruleset.policy(RuhrOptions).x_after_e)),
        ("montan", montan(state, speaker)),
    )
    if round_frame(state) is not None:
        drawn = (drawn[3], *drawn[:3])
    return [(key, html) for key, html in drawn if html]


def mark(industry: str, size: int = 18) -> str:
    """The sign of an industry, hidden from screen readers: its name stands beside it."""
    return (
        f'<svg class="tk" width="{size}" height="{size}" viewBox="-14 -14 28 28" aria-hidden="true">'
        f'<use href="#mark-{SHAPES[industry]}" x="-14" y="-14" width="28" height="28"/></svg>'
    )


def at_work(state: State) -> str:
    """The Montan company whose turn it is, empty where none has one."""
    return next((frame.works for frame in reversed(state.agenda) if isinstance(frame, MontanTurn)), "")


# The package -------------------------------------------------------------------------------------------------------------


def package(state: State, speaker: Speaker) -> str:
    """The two columns as they lie, the lowest price on top: each price with its surcharge (RUHR-SR-02)."""
    columns = display(state)
    if not any(columns):
        return ""
    drawn = "".join(
        f'<ol class="b-items">{"".join(item(state, n, speaker) for n in column)}</ol>' for column in columns
    )
    say = speaker.catalogue
    note = say.text("board.package.note", amount=say.money(ruhr_components(state.sheet).surcharge))
    return f'<div class="b-two">{drawn}</div><p class="m">{escape(note)}</p>'


def item(state: State, number: int, speaker: Speaker) -> str:
    """An item: its sign and name, what it starts with, its price and how that comes about."""
    say, printed = speaker.catalogue, state.sheet.privates[number]
    price = price_of_item(state, number)
    more = price - printed.price
    known = ruhr_components(state.sheet)
    if number in MINES:
        charter = known.charters[str(number)]
        sign = mark(charter.industry)
        note = say.text(
            "board.item.start",
            place=speaker.hex(known.hexes[number]),
            stages=stages_of(charter.start),
            money=say.money(charter.start_money),
        )
    else:
        sign, note = "<i></i>", say.text("board.item.private")
    sum_ = f"<small>{say.number(printed.price)} + {say.number(more)}</small>" if more else ""
    return (
        f'<li data-item="{number}">{sign}<span><b>{escape(speaker.private(number))}</b><small>{escape(note)}</small></span>'
        f'<span class="price"><b>{say.money(price)}</b>{sum_}</span></li>'
    )


# The Montan Round --------------------------------------------------------------------------------------------------------


def round_frame(state: State) -> Frame | None:
    """The frame of the Montan Round under way."""
    return next((frame for frame in reversed(state.agenda) if isinstance(frame, Foundation | Merging)), None)


def montan(state: State, speaker: Speaker) -> str:
    """The Montan Round Cards in order, whose turn it is, and the corporations that can still be founded (RUHR-MR-02, -08)."""
    cards, say, frame = ruhr_state(state).cards, speaker.catalogue, round_frame(state)
    if not cards:
        return ""
    key = "merging" if isinstance(frame, Merging) else "founding" if frame is not None else "coming"
    free = "".join(_charters_left(state, speaker, industry, listed=frame is not None) for industry in SHAPES)
    return (
        f'<p class="m">{escape(say.text("board.montan." + key))}</p><ol class="b-order">{_round_cards(state, speaker)}</ol>'
        f'<p class="b-frees"><span class="m">{escape(say.text("board.montan.free"))}</span>{free}</p>'
    )


def _round_cards(state: State, speaker: Speaker) -> str:
    """The cards in order, in the merging round the last first, with those that are done and whose turn it is."""
    frame, rows = round_frame(state), []
    for n, seat in enumerate(ruhr_state(state).cards):
        at = isinstance(frame, Foundation | Merging) and frame.at == n
        kind = "at" if at else "done" if isinstance(frame, Foundation) and n < frame.at else ""
        current = ' aria-current="step"' if at else ""
        rows.append(f'<li class="{kind}"{current}><i>{n + 1}</i>{escape(speaker.seat(seat))}</li>')
    return "".join(reversed(rows) if isinstance(frame, Merging) else rows)


def _charters_left(state: State, speaker: Speaker, industry: str, *, listed: bool) -> str:
    """The corporations of an industry that can still be founded; a dash where there are none, if that is to be `listed`."""
    founded = ruhr_state(state).montan
    left = [
        charter.id
        for charter in ruhr_components(state.sheet).charters.values()
        if charter.mine is None and charter.industry == industry and charter.id not in founded
    ]
    if not (left or listed):
        return ""
    tokens = "".join(
        f"{draw_token(company, 24)}<b>{escape(speaker.company(company))}</b>"
        f"<small>{escape(state.sheet.companies[company].name)}</small>"
        for company in left
    )
    return f'<span class="b-free">{mark(industry)}{tokens or "–"}</span>'


# Charters ----------------------------------------------------------------------------------------------------------------


def in_play(state: State) -> list[str]:
    """Montan companies with a charter in play: whose turn it is, then MONTAN corporations, then active pMCs by number."""
    founded = [company for company, held in ruhr_state(state).montan.items() if not held.closed]
    found = [*founded, *(str(mine) for mine in active_mines(state))]
    return sorted(found, key=lambda works: works != at_work(state))


def charters(state: State, look: Look, speaker: Speaker) -> str:
    """The charters in play, and below them the passive pMCs by name."""
    say = speaker.catalogue
    drawn = "".join(charter_card(state, look, works, speaker) for works in in_play(state))
    passive = [mine for mine, status in ruhr_state(state).mines.items() if status == PASSIVE]
    names = "".join(
        f"<li>{mark(ruhr_components(state.sheet).charters[str(mine)].industry, 15)}{escape(speaker.private(mine))} "
        f"{pill(state, look, mine)}</li>"
        for mine in passive
    )
    rest = (
        f'<p class="m">{escape(say.text("board.works.passive"))}</p><ul class="b-passive">{names}</ul>' if names else ""
    )
    legend = f'<p class="m">{escape(say.text("board.works.note"))}</p>' if drawn else ""
    return f'<div class="b-charters">{drawn}</div>{legend}{rest}' if drawn or rest else ""


def pill(state: State, look: Look, mine: int) -> str:
    """The location marker of a pMC as it lies on the map; nothing where it is off the map."""
    value = location(state, mine)
    if value < 0:
        return ""
    contents = look.marks[f"L{value}"].contents
    return (
        f'<svg class="b-pill" width="34" height="16"><rect width="34" height="16" rx="8" fill="{contents}"/>'
        f'<text x="17" y="12" text-anchor="middle">{value}</text></svg>'
    )


def charter_card(state: State, look: Look, works: str, speaker: Speaker) -> str:
    """A charter: who decides, its places with their markers, its boxes by stage, what waits, engines, money and income."""
    say, printed = speaker.catalogue, ruhr_components(state.sheet).charters[works]
    owner = owner_of(state, works)
    who = speaker.seat(owner) if owner is not None else say.text("place.bank")
    mines = (printed.mine,) if printed.mine is not None else ruhr_state(state).montan[works].mines
    places = " ".join(
        f'<span class="b-at">{escape(speaker.hex(ruhr_components(state.sheet).hexes[mine]))} {pill(state, look, mine)}</span>'
        for mine in mines
    )
    head = mark(printed.industry, 22) if printed.mine is not None else draw_token(works, 26)
    name = speaker.private(printed.mine) if printed.mine is not None else state.sheet.companies[works].name
    link = "" if linked(state, works) else f"<em>{escape(say.text('board.works.no_link'))}</em>"
    later, lying, usable, turned = waiting(state, works), on_boxes(state, works), room(state, works), inactive(state)
    stages = "".join(
        stage_boxes(state, works, n, lying[n], usable[n], speaker, turned=n in turned)
        for n in range(len(STAGES))
        if printed.boxes[n] or later[n]
    )
    late = stages_of(later)
    wait = f"<span>{escape(say.text('board.works.waiting', stages=late))}</span>" if late else ""
    engines = "".join(f'<span class="card">{escape(engine)}</span>' for engine in assets_of(state, works).engines)
    free = max(0, engine_room(state, works) - len(assets_of(state, works).engines))
    engines += '<span class="card later">·</span>' * free
    told = (
        ("income", say.money(income(state, works))),
        ("money", say.money(treasury_of(state, works))),
        ("engines", engines),
    )
    facts = "".join(
        f"<div><dt>{escape(say.text('board.works.' + key))}</dt><dd>{fact}</dd></div>" for key, fact in told
    )
    at = " at" if works == at_work(state) else ""
    return (
        f'<article class="b-works{at}" data-works="{escape(works)}"><h3>{head}<span><b>{escape(name)}</b>'
        f"<small>{escape(who)} · {places} {link}</small></span></h3>"
        f'<div class="b-stages two">{stages}</div>{wait}<dl>{facts}</dl></article>'
    )


def stage_boxes(state: State, works: str, n: int, lying: int, usable: int, speaker: Speaker, *, turned: bool) -> str:
    """The boxes of a stage: with a marker, empty, or shut until there is a link; the track sign under the last ones.

    `lying` markers lie on `usable` boxes, and earn nothing where they are `turned` (RUHR-DEV-06, RUHR-DEV-07, RUHR-DEV-12).
    """
    known = ruhr_components(state.sheet)
    printed, earns = known.charters[works], known.stages[n]
    boxes = ""
    for k in range(printed.boxes[n]):
        kind = ("off" if turned else "on") if k < lying else "shut" if k >= usable else ""
        sign = " sign" if k >= printed.boxes[n] - printed.signs[n] else ""
        boxes += f'<i class="b-box {kind}{sign}">{STAGES[n] if k < lying else ""}</i>'
    said = speaker.catalogue.text(
        "board.works.stage.off" if turned else "board.works.stage",
        stage=STAGES[n],
        number=lying,
        boxes=printed.boxes[n],
        income=earns,
    )
    label = f"{STAGES[n]}<small>{'–' if turned else earns}</small>"
    return f'<span class="b-stage" role="img" aria-label={quoteattr(said)} title={quoteattr(said)}><b>{label}</b>{boxes}</span>'


# The stack ---------------------------------------------------------------------------------------------------------------


def stack(state: State, speaker: Speaker, *, x_after_e: bool) -> str:
    """Every type of card by its three uses, and for those on offer which markers each Montan company could take."""
    say, offered, known = speaker.catalogue, on_display(state), ruhr_components(state.sheet)
    rows = ""
    for kind, card in known.cards.items():
        left = state.depot.display.get(kind, 0)
        if not left and kind not in state.depot.pool:
            continue
        printed = state.sheet.trains[kind]
        later = "" if kind in offered else ' class="later"'
        pool = state.depot.pool.count(kind)
        count = say.text("board.stack.left", number=left) + (
            f" · {say.text('board.stack.pool', number=pool)}" if pool else ""
        )
        rows += (
            f'<tr{later}><th scope="row"><span class="card">{escape(printed.name or kind)}</span><small>{escape(count)}</small>'
            f"</th><td>{say.number(printed.price)}</td><td>{say.number(card.price)}</td>"
            f"<td>{card.squares} × {escape(card.stages)}</td><td>{say.number(card.engine_price)}</td>"
            f"<td>{escape(card.engine)}</td></tr>"
        )
    heads = "".join(
        f'<th scope="col" colspan="{span}">{escape(say.text("board.stack." + key))}</th>'
        for key, span in (("card", 1), ("train", 1), ("development", 2), ("engine", 2))
    )
    gifts = "".join(gives(state, kind, speaker, x_after_e=x_after_e) for kind in offered if kind in known.cards)
    table = f'<table class="b-stack"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>' if rows else ""
    return table + gifts


def gives(state: State, kind: str, speaker: Speaker, *, x_after_e: bool) -> str:
    """The gain of a card for each Montan company: the markers that earn most, and what they add to its income, in Mark."""
    say = speaker.catalogue
    found = ""
    for works in in_play(state):
        takes = legal_takes(state, works, kind, x_after_e=x_after_e)
        if not takes:
            continue
        best = max(takes, key=lambda row: added_income(state, works, row))
        number = ruhr_components(state.sheet).charters[works].mine
        name = speaker.private(number) if number is not None else speaker.company(works)
        found += (
            f'<li class="{"at" if works == at_work(state) else ""}"><span>{escape(name)}</span><b>{stages_of(best)}</b>'
            f"<span>+{say.number(added_income(state, works, best))}</span></li>"
        )
    if not found:
        return ""
    name = state.sheet.trains[kind].name or kind
    return f'<p class="m">{escape(say.text("board.stack.gives", card=name))}</p><ul class="b-gives">{found}</ul>'


def added_income(state: State, works: str, row: StageCounts) -> int:
    """The income that markers add to a company if they all find a box: engines double the highest (RUHR-SWITCH-04)."""
    known, turned = ruhr_components(state.sheet), inactive(state)
    lying, free = on_boxes(state, works), room(state, works)
    fitting = [min(count, max(0, free[n] - lying[n])) for n, count in enumerate(row)]
    new = [known.stages[n] for n, count in enumerate(fitting) if n not in turned for _ in range(count)]
    engines = len(assets_of(state, works).engines)
    after = sorted((*earning(state, works), *new), reverse=True)
    return sum(after) + sum(after[:engines]) - income(state, works)
