"""Cards of what one taps: a company with its charter, a private company, a kind of train, a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from trajekt.engine.actions import UsePrivate
from trajekt.engine.events import TrainsRan
from trajekt.engine.ruleset import Choice
from trajekt.engine.state import State
from trajekt.game import Game
from trajekt.i18n.charters import charter_lines, train_with_end
from trajekt.i18n.glossary import glossary_of
from trajekt.i18n.private_powers import closing_of, power_of
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rendering.map import draw_map
from trajekt.rendering.token_symbols import draw_token
from trajekt.server.presenters.choice_groups import hex_of, label_of, plain
from trajekt.server.presenters.decision import Term, terms, tracks
from trajekt.server.presenters.info_panels import changes_of, players, private_status
from trajekt.server.presenters.map_and_market import look_of
from trajekt.server.presenters.page_model import PageModel

Line = tuple[str, str]


@dataclass(frozen=True, slots=True)
class UseNow:
    """A power that may be used now: in words, and the action as JSON where it needs no place on the map."""

    label: str
    action: str
    seat: int


@dataclass(frozen=True, slots=True)
class InfoCard:
    """A card: its heading, a text, lines of label and text, the last routes with their sums, and what may be done now."""

    title: str
    lines: Sequence[Line]
    token: str = ""
    map: str = ""
    runs: Sequence[Term] = ()
    uses: Sequence[UseNow] = ()
    told: str = ""


@dataclass(frozen=True, slots=True)
class CardPart(PageModel):
    """A card in the viewer's language."""

    template: ClassVar[str] = "card.html"
    card: InfoCard
    say: Catalogue


def card(game: Game, choices: Sequence[Choice], kind: str, key: str, speaker: Speaker) -> InfoCard:
    """The card of a piece. `choices` are those of the reader. Raises `KeyError` where the game has no such piece."""
    makers: Mapping[str, Callable[[Game, Sequence[Choice], str, Speaker], InfoCard]] = {
        "company": _company,
        "private": _private,
        "train": _train,
        "player": _player,
        "word": _word,
    }
    return makers[kind](game, choices, key, speaker)


def last_income(game: Game, company: str) -> TrainsRan | None:
    """The newest run of a company."""
    events = (event for entry in game.line_back() for event in reversed(entry.events))
    return next((e for e in events if isinstance(e, TrainsRan) and e.company == company), None)


def _company(game: Game, choices: Sequence[Choice], company: str, speaker: Speaker) -> InfoCard:
    state = game.state
    lines = charter_lines(state, company, speaker)
    ran = last_income(game, company)
    picture = ""
    if ran is not None and ran.runs:
        picture = draw_map(
            state.board, look_of(game.title), routes=tracks(ran), compact=True, label=speaker.company(company)
        )
    return InfoCard(
        state.sheet.companies[company].name,
        lines,
        draw_token(company, 34),
        picture,
        terms(ran, speaker, state.board) if picture and ran is not None else (),
    )


def _private(game: Game, choices: Sequence[Choice], key: str, speaker: Speaker) -> InfoCard:
    state, say, number = game.state, speaker.catalogue, int(key) if key.isdecimal() else -1
    printed, held = state.sheet.privates[number], state.privates[number]
    owner = speaker.seat(held.owner) if held.owner is not None else ""
    bids = sorted((bid for bid in state.bids if bid.private == number), key=lambda bid: -bid.amount)
    lines = [
        ("power", power_of(speaker, number)),
        ("price", say.money(printed.price)),
        ("pays", say.text("card.each_round", amount=say.money(printed.revenue)) if printed.revenue else ""),
        ("closes", closing_of(speaker, number)),
        ("owner", owner),
        ("bids", ", ".join(f"{speaker.seat(bid.seat)} {say.money(bid.amount)}" for bid in bids)),
        ("status", "" if held.open else say.text(f"page.private.{private_status(state, number)}")),
    ]
    own = [choice for choice in choices if isinstance(choice.action, UsePrivate) and choice.action.private == number]
    places = sorted({at for choice in own if (at := hex_of(choice.action))})
    uses = [
        UseNow(label_of(speaker, choice), plain(choice.action), choice.seat)
        for choice in own
        if not hex_of(choice.action)
    ]
    if places:
        lines.append(("use_now", ", ".join(map(speaker.hex, places))))
    return InfoCard(f"{number} {speaker.private(number)}", _named(lines, speaker), uses=uses)


def _train(game: Game, choices: Sequence[Choice], kind: str, speaker: Speaker) -> InfoCard:
    state, say = game.state, speaker.catalogue
    printed, phases = state.sheet.trains[kind], state.sheet.phases
    at = next((n for n, phase in enumerate(phases) if phase.started_by == kind and n), 0)
    changes = changes_of(phases[at - 1], phases[at], speaker) if at else ()
    owners = [f"{speaker.company(c.id)} {c.trains.count(kind)}" for c in state.companies.values() if kind in c.trains]
    lines = [
        ("price", say.money(printed.price)),
        ("left", str(state.depot.display.get(kind, 0))),
        ("in_pool", str(state.depot.pool.count(kind)) if kind in state.depot.pool else ""),
        ("owners", ", ".join(owners)),
        ("ends", train_with_end(state, kind, speaker) if printed.obsolete_on else say.text("card.lasts")),
        ("first_sale", "; ".join(changes)),
    ]
    return InfoCard(speaker.train(kind), _named(lines, speaker))


def _player(game: Game, choices: Sequence[Choice], key: str, speaker: Speaker) -> InfoCard:
    state, say, seat = game.state, speaker.catalogue, int(key) if key.isdecimal() else -1
    shown = {column.seat: column for column in players(state, game.title, speaker)}[seat]
    shares = [(c, c.percent(seat)) for c in state.companies.values() if c.percent(seat)]
    holdings = [f"{speaker.company(c.id)} {n}\u00a0%" for c, n in sorted(shares, key=lambda each: -each[1])]
    leads = [speaker.company(c.id) for c in state.companies.values() if c.director == seat]
    privates = [
        speaker.private(n) for n, private in sorted(state.privates.items()) if private.owner == seat and private.open
    ]
    lines = [
        ("cash", f"{shown.cash} M"),
        ("worth", f"{shown.worth} M"),
        ("certificates", _limit(state, shown.certificates)),
        ("promised", f"{shown.promised} M" if shown.promised else ""),
        ("loans", f"{shown.loans} M" if shown.loans else ""),
        ("shares", ", ".join(holdings)),
        ("directs", ", ".join(leads)),
        ("privates", ", ".join(privates)),
        ("priority", say.text("card.priority_held") if shown.priority else ""),
    ]
    return InfoCard(shown.name, _named(lines, speaker))


def _word(game: Game, choices: Sequence[Choice], key: str, speaker: Speaker) -> InfoCard:
    """A word of the glossary; `all` words in their order; `win`, the way of the money in four steps and who wins."""
    say = speaker.catalogue
    if key == "win":
        steps = ("invest", "build", "earn", "win")
        lines = [(say.text(f"page.way.{n}"), say.text(f"page.way.{n}.told")) for n in steps]
        return InfoCard(say.text("page.way"), lines)
    glossary = glossary_of(say)
    if key == "all":
        words = sorted(glossary.words.values(), key=lambda word: word.name.casefold())
        return InfoCard(say.text("page.words"), [(word.name, word.told) for word in words])
    word = glossary.words[key]
    return InfoCard(word.name[:1].upper() + word.name[1:], [], told=word.told)


def _limit(state: State, held: int) -> str:
    """Certificates held, of those that one may hold."""
    most = state.sheet.limits.certificates.get(len(state.players), 0)
    return f"{held} / {most}" if most else str(held)


def _named(lines: Sequence[Line], speaker: Speaker) -> list[Line]:
    """The lines that say something, under their labels."""
    return [(speaker.catalogue.text(f"card.{key}"), text) for key, text in lines if text]
