"""What is made once and kept."""

from __future__ import annotations

from functools import partial

from trajekt.rendering.drawing_cache import Kept


def test_drawing_made_once_while_used() -> None:
    kept: Kept[str] = Kept(2)
    made: list[str] = []

    def of(key: str) -> str:
        def make() -> str:
            made.append(key)
            return key

        return kept.of(key, make)

    assert [of(key) for key in "abab"] == list("abab")
    assert made == ["a", "b"]
    for key in "cada":  # others come, and a is asked for again and again
        of(key)
    assert made == ["a", "b", "c", "d"]


def test_cache_keeps_at_most_twice_size() -> None:
    kept: Kept[int] = Kept(3)
    for n in range(50):
        assert kept.of(n, partial(int, n)) == n
        assert len(kept) <= 6
    assert kept.of(0, lambda: -1) == -1  # long forgotten


def test_what_ages_twice_unused_goes():
    kept: Kept[int] = Kept(10)
    kept.of("a", lambda: 1)
    kept.of("b", lambda: 2)
    kept.of("c", lambda: 3)
    kept.age()
    kept.touch("c")
    kept.touch("unknown")
    assert kept.get("b") == 2
    kept.of("a", lambda: 3)
    kept.age()
    assert kept.get("a") == 1
    assert kept.get("b") is None
    assert (kept.get("c"), kept.get("unknown")) == (3, None)
