"""The text of notices for the absent: which table, which game, which decision is asked for, and what was done last."""

from __future__ import annotations

from dataclasses import dataclass

from trajekt.engine.state import Seat
from trajekt.engine.title import Title
from trajekt.game import Game
from trajekt.round_label import round_name, round_of
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.notifications.web_push import PushMessage
from trajekt.server.notifications.webhook import Notice
from trajekt.server.presenters.decision import question_of
from trajekt.server.presenters.game_log import entry_text
from trajekt.server.storage.contacts import TURN


@dataclass(frozen=True, slots=True)
class Letter:
    """A notice for people: one line, and a text of a few."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Occasion of a notice: the seat that is told, the kind, and for a message of the talk its speaker and text."""

    seat: Seat
    kind: str
    quoted: tuple[Seat, str] | None = None


def newly_awaited(game: Game, number: int, automatic: frozenset[int]) -> tuple[Seat, ...]:
    """The seats that entry `number` made awaited: those that were not before, or for which an instruction acted."""
    entry = game.entries[number - 1]
    after = game.at(number).to_act
    before = game.at(number - 1).to_act
    return tuple(s for s in after if s not in before or (s == entry.seat and number in automatic))


def asked_decision(game: Game, asked: Asked, viewer: Viewer) -> str:
    """Return what a notice asks for, in a sentence."""
    speaker = viewer.speaker(game.title, game.state)
    if asked.kind == TURN:
        return question_of(game.state, asked.seat, speaker)
    if asked.quoted is not None:
        author, said = asked.quoted
        return speaker.catalogue.text("page.notice.named", player=speaker.seat(author), said=said)
    return speaker.catalogue.text(f"page.notice.{asked.kind}", player=speaker.seat(asked.seat))


def last_action(game: Game, viewer: Viewer) -> str:
    """Return what was done last, in a line; empty before the first action."""
    if not game.number:
        return ""
    return entry_text(game, game.entries[-1], viewer.speaker(game.title, game.state))[0]


def letter_of(game: Game, asked: Asked, language: str, address: str, quiet: str) -> Letter:
    """A notice as a letter. `address` leads to the table, `quiet` to where the viewer ends such letters."""
    viewer = Viewer(language)
    say = viewer.catalogue(game.title)
    values = {
        "game": game.title.name,
        "round": round_name(round_of(game.state), say),
        "decision": asked_decision(game, asked, viewer),
        "last": last_action(game, viewer),
        "names": ", ".join(game.state.names),
        "address": address,
        "quiet": quiet,
    }
    lines = [say.text(f"page.notice.line.{line}", **values) for line in ("action", "last", "table", "address", "quiet")]
    return Letter(say.text("page.notice.subject", **values), "\n\n".join(line for line in lines if line) + "\n")


def confirmation(title: Title, language: str, address: str) -> Letter:
    """The one letter that goes to an address before its viewer has agreed; `address` leads to where that is done.

    Nothing in it was written by a player, so that nobody can send words of his own to a stranger.
    """
    say = Viewer(language).catalogue(title)
    lines = [say.text(f"page.mail.line.{line}", game=title.name, address=address) for line in ("why", "go", "else")]
    return Letter(say.text("page.mail.subject", game=title.name), "\n\n".join(lines) + "\n")


def hook_notice(game: Game, asked: Asked, language: str, address: str, table: str) -> Notice:
    """A notice as a webhook is told it."""
    viewer = Viewer(language)
    say = viewer.catalogue(game.title)
    decision, last = asked_decision(game, asked, viewer), last_action(game, viewer)
    where = round_name(round_of(game.state), say)
    return Notice(
        text=say.text("page.notice.one_line", game=game.title.name, round=where, decision=decision, last=last),
        kind=asked.kind,
        table=table,
        game=game.title.id,
        player=game.state.names[asked.seat],
        decision=decision,
        address=address,
        number=game.number,
    )


def push_message(game: Game, asked: Asked, language: str, address: str) -> PushMessage:
    """A notice as a device shows it; `address` is the path of the table, of which a device shows one notice at a time."""
    viewer = Viewer(language)
    say = viewer.catalogue(game.title)
    where = round_name(round_of(game.state), say)
    return PushMessage(
        title=asked_decision(game, asked, viewer),
        text=say.text("page.push.text", game=game.title.name, round=where, last=last_action(game, viewer)),
        address=address,
        tag=address,
    )
