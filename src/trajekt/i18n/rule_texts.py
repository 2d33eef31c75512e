"""The texts of requirements in our own words, by id: one Markdown file per game and language beside the game's rules."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from trajekt.i18n.sentences import Catalogue

HEADING = re.compile(r"^## ([A-Z]+(?:-[A-Z]+)+-\d+)\s*$", re.MULTILINE)
SHARED = "trajekt.rules"
"""The package whose texts hold in every game of the family."""


def parsed(text: str) -> dict[str, str]:
    """The texts of a Markdown file by the id of their heading."""
    parts = HEADING.split(text)
    return {id_: body.strip() for id_, body in zip(parts[1::2], parts[2::2], strict=True)}


@cache
def rule_texts(package: str, language: str) -> Mapping[str, str]:
    """All texts that a game has in a language, the shared ones first. Empty where nobody has written any."""
    out: dict[str, str] = {}
    for place in (SHARED, package):
        file = resources.files(place).joinpath(f"rules.{language}.md")
        if file.is_file():
            out |= parsed(file.read_text(encoding="utf-8"))
    return out


def rule_text(package: str, language: str, rule: str) -> str:
    """The text of one requirement; empty where there is none."""
    return rule_texts(package, language).get(rule, "")


@cache
def sources(package: str) -> Mapping[str, str]:
    """Find each requirement of a game in the printed rules, as `v1 14, DE 6.3`."""
    out: dict[str, str] = {}
    for place in (SHARED, package):
        file = resources.files(place).joinpath("sources.toml")
        if file.is_file():
            out |= {str(rule): str(where) for rule, where in tomllib.loads(file.read_text(encoding="utf-8")).items()}
    return out


def source_line(say: Catalogue, package: str, rule: str) -> str:
    """Name the place of a requirement in words: each book with its sections; empty where nobody has noted it."""
    books: dict[str, list[str]] = {}
    for part in filter(None, re.split(r"[,;] *", sources(package).get(rule, ""))):
        book, _, section = part.partition(" ")
        if f"source.{book}" not in say:
            book, section = "book", part
        books.setdefault(book, []).append(section)
    return "; ".join(
        f"{say.text(f'source.{book}')} {', '.join(filter(None, sections))}".strip() for book, sections in books.items()
    )


@cache
def rulings(package: str) -> tuple[str, ...]:
    """The ids of the requirements that decide what a game's rulebooks leave open; empty where it has no list."""
    file = resources.files(package).joinpath("rulings.toml")
    if not file.is_file():
        return ()
    return tuple(str(rule) for rule in tomllib.loads(file.read_text(encoding="utf-8"))["rulings"])
