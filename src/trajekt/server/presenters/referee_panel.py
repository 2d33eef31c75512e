"""The panel of a table with real cardboard: what is mirrored, what lies only on the real board, what lies against the sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trajekt.engine.actions import Action, Pass, PayOut, Withhold
from trajekt.engine.components.schema import CompanyId, HexId, TileId
from trajekt.engine.state import Seat, State
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker
from trajekt.rules.operating_round import current_turn
from trajekt.rules.referee import IncomeParts
from trajekt.rules.referee_declarations import RUN
from trajekt.rules.referee_entries import SetMirror
from trajekt.rules.referee_marks import BOOKS, MAP, books_only, lies_against, mirrored, stations_on_table
from trajekt.server.presenters.choice_groups import plain
from trajekt.server.presenters.forced_purchase import SumLine


@dataclass(frozen=True, slots=True)
class RefereePanel:
    """The panel of a viewer who may enter for `seat`.

    `mode` is `books` or `map`; `other` the action, as JSON, that changes to the other, and `other_label` its words. `against`
    are hexes with the rule that refuses what lies there, `on_table` companies with the stations that are not entered.
    `later` are actions of a company's turn that without a connection may be kept before their step is shown: words and JSON.
    """

    mode: str
    seat: Seat
    other: str
    other_label: str
    hexes: Sequence[tuple[HexId, str]]
    tiles: Sequence[TileId]
    companies: Sequence[tuple[CompanyId, str]]
    against: Sequence[tuple[str, str]]
    on_table: Sequence[tuple[str, int]]
    later: Sequence[tuple[str, str]]


def referee_panel(state: State, speaker: Speaker, seats: Sequence[Seat], *, open_: bool) -> RefereePanel | None:
    """The panel of a position; None where the game is played here, has ended, or the viewer may enter nothing.

    `open_`: the newest position of a table that goes on is looked at.
    """
    mode = mirrored(state)
    able = [seat for seat in seats if not state.players[seat].bankrupt]
    if not open_ or not mode or not able or state.outcome:
        return None
    other = MAP if mode == BOOKS else BOOKS
    counted = ((speaker.company(c), stations_on_table(state, c)) for c in state.companies)
    return RefereePanel(
        mode=mode,
        seat=able[0],
        other=plain(SetMirror(other)),
        other_label=speaker.catalogue.text(f"page.referee.to_{other}"),
        hexes=[(at, speaker.hex(at)) for at in state.sheet.hexes],
        tiles=[tile for tile, left in state.supply.items() if left > 0],
        companies=[(c.id, speaker.company(c.id)) for c in state.companies.values() if c.floated],
        against=[(speaker.hex(at), rule) for at, rule in lies_against(state).items()],
        on_table=[(name, count) for name, count in counted if count],
        later=_later(speaker) if mode == BOOKS and current_turn(state) is not None else (),
    )


def known_income(game: Game, speaker: Speaker) -> list[SumLine]:
    """The sums that belong to the income a table is asked for and that the books alone know."""
    parts, turn = game.ruleset.by_type.get(IncomeParts), current_turn(game.state)
    if not isinstance(parts, IncomeParts) or turn is None or turn.step != RUN or not books_only(game.state):
        return []
    say, lines = speaker.catalogue, []
    for part in parts.of(game.state, turn.company):
        words = say.text(f"page.referee.part.{part.name}", most=say.money(part.most), **part.values)
        lines.append(SumLine(words, say.money(part.amount)))
    return lines


def _later(speaker: Speaker) -> list[tuple[str, str]]:
    """The steps that follow the income of a company, each in a word and as JSON."""
    actions: dict[str, Action] = {"pay_out": PayOut(), "withhold": Withhold(), "pass": Pass()}
    return [(speaker.catalogue.text(f"choice.{kind}"), plain(action)) for kind, action in actions.items()]
