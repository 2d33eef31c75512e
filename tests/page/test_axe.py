"""axe-core finds nothing on any kind of page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.played_moments import one_of_each_step
from tests.page.conftest import DESKTOP, PHONE
from tests.page.moments import open_moment

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
  const found = await axe.run(document, {
    resultTypes: ["violations"],
    // a hex is named in words; the figures drawn in it are part of these, but in another order
    rules: {"label-content-name-mismatch": {enabled: false}},
  });
  return found.violations.map((each) => [each.id, each.nodes.length, each.nodes[0].html.slice(0, 120)]);
}"""
KINDS = [DESKTOP, PHONE, DESKTOP | {"color_scheme": "dark"}]


@pytest.fixture
def checked(opened):
    if not AXE.exists():
        pytest.skip("no axe-core here: make scripts brings it where node is installed")

    def check(page) -> None:
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert page.evaluate(RUN) == []

    return check


@pytest.mark.parametrize("kind", KINDS, ids=["desktop", "phone", "dark"])
def test_pages_have_no_violations(server, opened, checked, kind):
    page = opened(kind)
    for address in ("/", "/me", "/rules/18rhl", "/box/18do"):
        page.goto(server.address + address)
        checked(page)


@pytest.mark.parametrize("kind", KINDS, ids=["desktop", "phone", "dark"])
@pytest.mark.parametrize("game", ["18rhl", "18do"])
def test_each_step_has_no_violations(server, opened, checked, game, kind):
    page = opened(kind)
    for moment in one_of_each_step(game).values():
        open_moment(page, server, moment)
        checked(page)
    page.goto(page.url.split("?")[0] + "/print")
    checked(page)
