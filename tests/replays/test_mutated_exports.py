"""Exports changed by chance: each is read or ends in a sentence, never otherwise."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from trajekt.import_18xx import import_export
from trajekt.records import RecordError

FILES = sorted((Path(__file__).parent / "site_exports").glob("0[1-6]*.json"))
ODD: tuple[Any, ...] = (None, True, -1, 2**60, 1e308, "", "KEG_9", "x" * 10_000, [], {}, [["KEG_0"]], "undo", "redo")


def mutated(plain: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """An export with one entry dropped, doubled, exchanged with another, or with an odd value in it."""
    entries = plain["actions"]
    at, other, way = rng.randrange(len(entries)), rng.randrange(len(entries)), rng.randrange(4)
    if way == 0:
        del entries[at]
    elif way == 1:
        entries.insert(other, dict(entries[at]))
    elif way == 2:
        entries[at], entries[other] = entries[other], entries[at]
    else:
        entries[at][rng.choice(list(entries[at]))] = rng.choice(ODD)
    return plain


def said(data: bytes) -> str:
    """The sentence in which the reading of an export ends, empty where all of it is read."""
    try:
        game = import_export(data).game
    except RecordError as fault:
        return str(fault)
    assert game.to_act or game.finished
    return ""


def check(seed: int) -> None:
    rng = random.Random(seed)
    plain = mutated(json.loads(rng.choice(FILES).read_text(encoding="utf-8")), rng)
    assert len(said(json.dumps(plain).encode())) < 600


@pytest.mark.parametrize("seed", range(40))
def test_changed_export_ends_in_sentence(seed):
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 6000, 500))
def test_many_changed_exports_end_in_sentences(first):
    for seed in range(first, first + 500):
        check(seed)
