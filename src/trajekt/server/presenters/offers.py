"""Proposals: actions that another player must agree to, told as what they are, and who is asked."""

from __future__ import annotations

from trajekt.engine.actions import Action, BuyTrain, Decline
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import open_rules
from trajekt.engine.ruleset import Choice, Ruleset
from trajekt.engine.state import Seat, State
from trajekt.game import Entry, Game
from trajekt.i18n.sentences import Speaker, tag_of
from trajekt.rules.operating_round import company_in_turn
from trajekt.server.presenters.choice_groups import label_of


def asked_of(ruleset: Ruleset, state: State, seat: Seat) -> Seat | None:
    """The other player who is to accept or decline in a position that an action of `seat` has made."""
    seats = awaited(ruleset, state)
    if len(seats) != 1 or seats[0] == seat or not any(rule.action is Decline for rule in open_rules(ruleset, state)):
        return None
    return seats[0]


def deed_label(ruleset: Ruleset, choice: Choice, after: State, speaker: Speaker) -> str:
    """The words on the button of an action that leads to `after`: a proposal says who is asked."""
    asked = asked_of(ruleset, after, choice.seat)
    label = label_of(speaker, choice)
    if asked is None:
        return label
    words = _words(choice.action, speaker) | {"player": speaker.seat(asked), "choice": label}
    say = speaker.catalogue
    return say.text(say.first(f"page.propose.{tag_of(choice.action)}", "page.propose"), **words)


def proposal_line(game: Game, entry: Entry, speaker: Speaker) -> str:
    """The heading of an entry that proposed something, empty for all others."""
    if entry.action is None:
        return ""
    asked = asked_of(game.ruleset, game.state_at(entry.number), entry.seat)
    if asked is None or asked_of(game.ruleset, game.state_at(entry.parent), entry.seat) is not None:
        return ""
    company = company_in_turn(game.state_at(entry.parent))
    words = _words(entry.action, speaker) | {
        "actor": speaker.company(company) if company else speaker.seat(entry.seat),
        "player": speaker.seat(asked),
        "choice": label_of(speaker, Choice(entry.seat, entry.action)),
    }
    say = speaker.catalogue
    return say.text(say.first(f"page.log.proposes.{tag_of(entry.action)}", "page.log.proposes"), **words)


def _words(action: Action, speaker: Speaker) -> dict[str, str]:
    """Values that the sentences about an offer for a train name."""
    if not isinstance(action, BuyTrain):
        return {}
    return {
        "price": speaker.catalogue.money(action.price),
        "train": speaker.train(action.train),
        "source": speaker.place(action.source),
    }
