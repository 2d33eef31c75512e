"""Faults of component sheets in German: each sentence of the engine and of the games has one, with the same gaps."""

from __future__ import annotations

import ast
import re

import pytest

from tests.builders.written_sentences import numbered
from tests.conftest import PROJECT
from trajekt.engine.components.corrections import WORDS
from trajekt.engine.components.parsing import KINDS, plainly
from trajekt.engine.components.provenance import SheetFault
from trajekt.i18n.filled_sentences import fault_line, sheet_faults

SOURCE = PROJECT / "src" / "trajekt"
FILES = [*(SOURCE / "engine" / "components").glob("*.py"), *(SOURCE / "games").glob("*/components.py")]
TELLING = {"fault", "SheetFault"}
GAP = re.compile(r"\{\d\}")


def sentences():
    """Every sentence that a fault is made with: in its call, in a variable before it, or in a pair of place and sentence."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in TELLING and node.args:
                    yield from numbered(node.args[-1])
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "what":
                yield from numbered(node.value)
            if path.name == "editions.py" and isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
                yield from numbered(node.value.elts[-1])


def test_each_sentence_is_german():
    said = set(sentences())
    assert len(said) > 130
    assert said - sheet_faults().texts.keys() == {"there is no {0} {1}"}
    for word in ("hex", "tile", "train", "company"):  # what its first gap may be
        assert f"there is no {word} {{0}}" in sheet_faults().texts


def test_both_languages_have_equal_gaps():
    for english, german in sheet_faults().texts.items():
        assert sorted(GAP.findall(english)) == sorted(GAP.findall(german)), english


def test_each_kind_of_value_is_german():
    for word in (*KINDS.values(), *WORDS.values()):
        assert word in sheet_faults().texts, word


@pytest.mark.parametrize(
    ("message", "german"),
    (
        ("Expected `int`, got `str` - at `$.price`", "trains.2.price: muss eine ganze Zahl sein, nicht Text"),
        ("Expected `int | null`, got `array`", "trains.2: muss eine ganze Zahl oder nichts sein, nicht eine Liste"),
        ("Expected `array` of length 2, got 3", "trains.2: muss eine Liste der Länge 2 sein, nicht 3"),
        ("Expected `array` of length >= 1", "trains.2: muss eine Liste der Länge >= 1 sein"),
    ),
)
def test_complaint_of_decoder_is_german(message, german):
    assert fault_line(SheetFault("", *plainly("trains.2", message)), "de") == german


def test_unknown_sentence_stays_as_it_is():
    fault = SheetFault("a.toml", "hexes.G6", "is a riddle")
    assert fault_line(fault, "de") == fault_line(fault, "en") == str(fault)
