"""Cubes that a drawing has moved fly from where they lay; what comes from nowhere grows; who wants no motion sees none."""

from __future__ import annotations

import pytest

from tests.page.conftest import DESKTOP

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BOARD = """async () => {
  const { initCubes } = await import("/static/beer_cubes.js");
  const draw = (fields) => {
    document.querySelectorAll("[data-field]").forEach((each) => each.remove());
    for (const [name, [left, count]] of Object.entries(fields)) {
      const field = document.body.appendChild(document.createElement("div"));
      field.setAttribute("data-field", name);
      Object.assign(field.style, { position: "fixed", left: `${left}px`, top: "10px", width: "20px" });
      for (let n = 0; n < count; n++) {
        const cube = field.appendChild(document.createElement("i"));
        cube.className = "b-cube";
        Object.assign(cube.style, { position: "absolute", left: "0px", top: `${20 * n}px`, width: "10px", height: "10px" });
      }
    }
  };
  window.drawn = (fields) => {
    draw(fields);
    document.dispatchEvent(new CustomEvent("regions"));
    return document.getAnimations().map((each) => [
      each.effect.target.parentElement.dataset.field,
      each.effect.getKeyframes()[0].transform,
    ]);
  };
  draw({ works: [100, 3], city: [400, 1] });
  initCubes();
}"""
DRAWN = "fields => window.drawn(fields)"


def test_cube_flies_from_losing_field(server, opened):
    page = opened(DESKTOP)
    page.goto(server.address + "/box/18do")
    page.evaluate(BOARD)
    assert page.evaluate(DRAWN, {"works": [100, 3], "city": [400, 1]}) == []  # nothing has moved
    # the third of the works (at 100, 50) now is the second of the city (at 400, 30)
    assert page.evaluate(DRAWN, {"works": [100, 2], "city": [400, 2]}) == [["city", "translate(-300px, 20px)"]]
    page.wait_for_function("() => !document.getAnimations().length")
    # two come, one of them from the works and one from the stock
    result = page.evaluate(DRAWN, {"works": [100, 1], "city": [400, 4]})
    assert result == [["city", "translate(-300px, -20px)"], ["city", "scale(0)"]]


def test_unseen_field_shows_no_motion(server, opened):
    page = opened(DESKTOP)
    page.goto(server.address + "/box/18do")
    page.evaluate(BOARD)
    assert page.evaluate(DRAWN, {"works": [100, 3], "city": [400, 1], "export": [700, 2]}) == []


def test_who_wants_no_motion_sees_none(server, opened):
    page = opened(DESKTOP | {"reduced_motion": "reduce"})
    page.goto(server.address + "/box/18do")
    page.evaluate(BOARD)
    assert page.evaluate(DRAWN, {"works": [100, 2], "city": [400, 2]}) == []
