"""Colours that bear a meaning, seen with each kind of colour-blindness: told apart by colour, or else by form."""

from __future__ import annotations

import itertools
import math

import pytest

from trajekt.registry import title
from trajekt.rendering.colours import MAP_DARK, MAP_LIGHT, PAGE_DARK, PAGE_LIGHT, ROUTES
from trajekt.rendering.styles import DASHES
from trajekt.rendering.theme import Look

# Machado, Oliveira and Fernandes (2009), complete loss of one kind of cone, for linear light
KINDS = {
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TOLD_APART = 10.0  # distance in CIELAB at which neighbours are seen to differ without looking twice


def seen(colour: str, kind: str) -> tuple[float, float, float]:
    """A colour as linear light after the loss of a kind of cone."""
    light = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in light]
    r, g, b = (min(1.0, max(0.0, sum(f * c for f, c in zip(row, light, strict=True)))) for row in KINDS[kind])
    return r, g, b


def lab(light: tuple[float, float, float]) -> tuple[float, float, float]:
    """Linear light in CIELAB, white D65."""
    r, g, b = light
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, two: str, kind: str) -> float:
    """How far two colours lie apart for an eye, in CIELAB."""
    return math.dist(lab(seen(one, kind)), lab(seen(two, kind)))


def contrast(one: str, two: str, kind: str) -> float:
    """The contrast of two colours for an eye, as WCAG counts it."""
    light, dark = sorted(
        (0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (seen(one, kind), seen(two, kind))), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("colours", [MAP_LIGHT, MAP_DARK], ids=["light", "dark"])
def test_tile_colours_are_told_apart(colours, kind):
    for one, two in itertools.combinations(("land", "yellow", "green", "brown", "grey", "red", "orange"), 2):
        assert distance(colours[one], colours[two], kind) > TOLD_APART, (one, two)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("colours", [PAGE_LIGHT, PAGE_DARK], ids=["light", "dark"])
def test_par_spaces_are_told_apart(colours, kind):
    assert distance(colours["par"], colours["fill"], kind) > TOLD_APART


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("colours", [PAGE_LIGHT, PAGE_DARK], ids=["light", "dark"])
def test_lit_sides_stand_out(colours, kind):
    assert contrast(colours["may"], colours["page"], kind) >= 3  # the ground of their own on which they lie
    assert distance(colours["may"], colours["turn"], kind) > 2 * TOLD_APART


@pytest.mark.parametrize("kind", KINDS)
def test_routes_differ_by_colour_or_dashes(kind):
    for one, two in itertools.combinations(range(len(ROUTES)), 2):
        assert distance(ROUTES[one], ROUTES[two], kind) > TOLD_APART or DASHES[one] != DASHES[two]
    assert len(set(DASHES)) == len(DASHES)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", ["18rhl", "18lra", "18ruhr", "18do"])
def test_tokens_differ_by_colour_or_partition(game, kind):
    look = title(game).face()
    assert isinstance(look, Look)
    for one, two in itertools.combinations(look.tokens.values(), 2):
        assert distance(one.contents, two.contents, kind) > TOLD_APART or one.partition != two.partition


def test_loss_of_cones_is_noticed():
    assert distance("#84C07B", "#E39684", "none") > 50
    assert distance("#84C07B", "#E39684", "deuteranopia") < 3
