"""The page of a review: what is proved and what is estimated stand apart by sign and word, in one line too."""

from __future__ import annotations

import msgspec
import pytest

from tests.builders.played_moments import played
from trajekt.engine.actions import LayTile, PayOut, RunTrains, Withhold
from trajekt.i18n.sentences import LANGUAGES
from trajekt.review.deed_review import DeedReview
from trajekt.review.game_review import review_of
from trajekt.review.lay_review import LayReview
from trajekt.review.run_review import RunReview
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.review_page import review_page
from trajekt.server.services.review_runner import DONE

WORDS = {
    "en": {"✓": "proved", "≈": "estimated", "·": "what happened"},
    "de": {"✓": "bewiesen", "≈": "geschätzt", "·": "so war es"},
}


@pytest.fixture(scope="module")
def game():
    return played("18rhl", most=120)


def shown(game, language, *, proved=True):
    """The page of a review with one run, one lay and one decision that could have been better."""
    laid = next(entry for entry in game.line() if isinstance(entry.action, LayTile))
    ran = next(entry for entry in game.line() if isinstance(entry.action, RunTrains))
    other = next(
        each.action
        for each in game.at(laid.parent).choices()
        if isinstance(each.action, LayTile) and each.action != laid.action
    )
    company = next(iter(game.state.companies))
    runs = (RunReview(ran.number, "OR 1.1", company, 0, (), 40, 70, proved, ran.action.runs),)
    lays = (
        LayReview(
            laid.number,
            "OR 1.1",
            company,
            0,
            laid.action,
            60,
            90,
            other,
            3,
            proved,
            dearer=40,
            more=-80,
            error=20,
            draws=6,
        ),
    )
    deeds = (DeedReview(ran.number + 1, "OR 1.1", 0, company, Withhold(), PayOut(), 120, 30, 6),)
    found = msgspec.structs.replace(review_of(game, lays=False, deeds=False), runs=runs, lays=lays, deeds=deeds)
    return review_page("t", game, found, DONE, Viewer(language).speaker(game.title, game.state), offered=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_line_has_its_sign(game, language):
    page = shown(game, language)
    (run,), (lay,), (deed,) = page.runs, page.lays, page.deeds
    assert [line.sign for line in (run, lay, lay.beside, deed)] == ["✓", "✓", "≈", "≈"]
    told = [line for player in page.players for line in player.lines]
    for line in (run, lay, lay.beside, deed, *told):
        assert line.kind == WORDS[language][line.sign]
    uncertain = [line for line in told if "±" in line.text]
    assert len(uncertain) == 2  # the lay to the end, and the decision
    assert {line.sign for line in uncertain} == {"≈"}
    assert ("−80\u00a0M ± 20" in lay.beside.text, "30\u00a0M" in lay.sum, "±" in lay.sum) == (True, True, False)
    assert "(40\u00a0M" in lay.text
    assert "± 30" in deed.sum


def test_unproved_search_is_an_estimate(game):
    page = shown(game, "en", proved=False)
    assert {line.sign for line in (*page.runs, *page.lays, *page.deeds)} == {"≈"}


def test_other_way_leads_before_it(game):
    page = shown(game, "en")
    ways = {line.before for player in page.players for line in player.lines if line.before is not None}
    assert ways == {line.before for line in (*page.runs, *page.lays, *page.deeds)}
    assert not any(line.before is not None for player in page.players for line in player.lines if line.sign == "·")
