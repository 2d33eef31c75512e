"""The review of a finished game as a page: findings by player, worth by round, runs and lays that could have been better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from trajekt.engine.actions import LayTile
from trajekt.game import Game
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rendering.charts import Series, line_chart
from trajekt.review import findings as review_findings
from trajekt.review.deed_review import DeedReview
from trajekt.review.game_review import GameReview
from trajekt.review.lay_review import LayReview
from trajekt.round_label import Round, round_name
from trajekt.server.presenters.charts import COLOURS
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.services.review_runner import ReviewProgress

SIGNS = {review_findings.PROVED: "✓", review_findings.ESTIMATED: "≈", review_findings.HAPPENED: "·"}


@dataclass(frozen=True, slots=True)
class FindingLine:
    """A sentence with its sign and how sure it is, and the entry to look at, 0 for none.

    `before` is the entry from which another way can be tried; None where the sentence knows of none.
    """

    sign: str
    kind: str
    text: str
    at: int
    before: int | None = None


@dataclass(frozen=True, slots=True)
class MissedLine:
    """A line of what could have been better: what was and what was possible, whose it was, the entry before which it stood.

    `sum` is what was lost, or gained, with its sign and, for an estimate, its error; `beside` is an estimate beside a proof.
    """

    sign: str
    kind: str
    round: str
    owner: str
    text: str
    sum: str
    before: int
    seat: int
    beside: FindingLine | None = None


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """The findings for a player."""

    name: str
    lines: Sequence[FindingLine]


@dataclass(frozen=True, slots=True)
class ReviewDocument(PageModel):
    """The page of a review, or of the wait for one; `offered`: the host of the server lets reviews be made."""

    template: ClassVar[str] = "review.html"
    id: str
    name: str
    finished: bool
    offered: bool
    progress: ReviewProgress
    players: Sequence[PlayerReview]
    chart: str
    runs: Sequence[MissedLine]
    lays: Sequence[MissedLine]
    deeds: Sequence[MissedLine]
    brought: Sequence[MissedLine]
    say: Catalogue


def review_page(
    id_: str, game: Game, found: GameReview | None, progress: ReviewProgress, speaker: Speaker, *, offered: bool
) -> ReviewDocument:
    """The page of a table's review; `speaker` names the players as the reader knows them."""
    say = speaker.catalogue
    by = review_findings.speaker(game.title, game.ruleset.sheet, speaker.names, say.language)
    players: list[PlayerReview] = []
    chart, runs, lays, deeds, brought = "", [], [], [], []
    if found is not None:
        players = [PlayerReview(name, _findings(found, seat, by)) for seat, name in enumerate(speaker.names)]
        lines = [
            Series(name, tuple(each.worth[seat] for each in found.rounds), COLOURS[seat % len(COLOURS)])
            for seat, name in enumerate(speaker.names)
        ]
        rounds = [round_name(Round.read(each.round), say) for each in found.rounds]
        chart = line_chart(rounds, lines, say.number, say.text("page.charts.worth"))
        runs, lays = _runs(found, by, say), _lays(found, by, say)
        deeds, brought = _deeds(found, by, say), _brought(found, by, say)
    return ReviewDocument(
        id_, game.title.name, game.finished, offered, progress, players, chart, runs, lays, deeds, brought,
        speaker.catalogue,
    )  # fmt: skip


def _findings(found: GameReview, seat: int, by: Speaker) -> list[FindingLine]:
    return [
        FindingLine(
            SIGNS[each.kind],
            by.catalogue.text(f"review.{each.kind}"),
            review_findings.sentence(by, each),
            each.entry,
            each.entry - 1 if each.entry and each.kind != review_findings.HAPPENED else None,
        )
        for each in review_findings.findings(found, seat)
    ]


def _kind(proved: bool) -> str:
    return review_findings.PROVED if proved else review_findings.ESTIMATED


def _runs(found: GameReview, by: Speaker, say: Catalogue) -> list[MissedLine]:
    return [
        MissedLine(
            SIGNS[_kind(run.proved)],
            by.catalogue.text(f"review.{_kind(run.proved)}"),
            round_name(Round.read(run.round), say),
            by.company(run.company),
            say.text("page.review.run", taken=say.money(run.taken), best=say.money(run.best)),
            f"−{say.money(run.lost)}",
            run.entry - 1,
            -1 if run.director is None else run.director,
        )
        for run in found.runs
        if run.lost
    ]


def _lays(found: GameReview, by: Speaker, say: Catalogue) -> list[MissedLine]:
    return [
        MissedLine(
            SIGNS[_kind(lay.proved)],
            by.catalogue.text(f"review.{_kind(lay.proved)}"),
            round_name(Round.read(lay.round), say),
            by.company(lay.company),
            _lay(lay, lay.other, by, say),
            f"−{say.money(lay.lost)}",
            lay.entry - 1,
            -1 if lay.director is None else lay.director,
            _by_end(lay, by, say),
        )
        for lay in found.lays
        if lay.other is not None
    ]


def _deeds(found: GameReview, by: Speaker, say: Catalogue) -> list[MissedLine]:
    """The decisions for which a better way is known, as estimates."""
    return [
        _deed_line(
            deed, review_findings.ESTIMATED, by, say,
            say.text("page.review.deed", made=review_findings.action_label(by, deed.deed),
                     other=review_findings.action_label(by, deed.other)),
            f"−{say.money(deed.more)} ± {say.number(deed.error)}",
        )
        for deed in found.deeds
        if deed.better
    ]  # fmt: skip


def _brought(found: GameReview, by: Speaker, say: Catalogue) -> list[MissedLine]:
    """The gain to the end by each purchase and sale of shares and each founding, as facts."""
    return [
        _deed_line(
            deed, review_findings.HAPPENED, by, say, review_findings.action_label(by, deed.deed),
            f"{'+' if deed.brought >= 0 else '−'}{say.money(abs(deed.brought))}",
        )
        for deed in found.deeds
        if deed.brought is not None
    ]  # fmt: skip


def _deed_line(deed: DeedReview, kind: str, by: Speaker, say: Catalogue, text: str, sum_: str) -> MissedLine:
    owner = by.company(deed.company) if deed.company else by.names[deed.seat]
    round_ = round_name(Round.read(deed.round), say)
    return MissedLine(
        SIGNS[kind], by.catalogue.text(f"review.{kind}"), round_, owner, text, sum_, deed.entry - 1, deed.seat
    )


def _by_end(lay: LayReview, by: Speaker, say: Catalogue) -> FindingLine | None:
    """The estimate of what the other lay would have brought by the end of the game."""
    if lay.more is None:
        return None
    kind = review_findings.ESTIMATED
    amount = f"{'+' if lay.more > 0 else ''}{say.money(lay.more)} ± {say.number(lay.error)}"
    return FindingLine(
        SIGNS[kind], by.catalogue.text(f"review.{kind}"), say.text("page.review.by_end", amount=amount), lay.entry
    )


def _lay(lay: LayReview, other: LayTile, by: Speaker, say: Catalogue) -> str:
    """The other lay in words: where it is the same tile on the same hex, it was to be turned otherwise."""
    made, cost = lay.lay, say.money(lay.dearer) if lay.dearer > 0 else ""
    words = {"tile": f"#{other.tile}", "hex": by.hex(other.hex), "cost": cost}
    if (made.tile, made.hex) == (other.tile, other.hex):
        return say.text("page.review.turned", **words)
    return say.text("page.review.lay", made=f"#{made.tile}", there=by.hex(made.hex), **words)
