"""Pages to read beside a game: its rules in our own words, and how this table differs from the box."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup, escape

from trajekt.engine.components.provenance import sheet_summary
from trajekt.engine.options import TableOptions
from trajekt.engine.title import Title
from trajekt.i18n.rule_texts import rule_text, rule_texts, rulings, source_line
from trajekt.i18n.sentences import Catalogue
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.guided_turn import guided_of, played
from trajekt.server.presenters.map_and_market import market_drawn
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.start_page import symbols, thumbnail

SURE = "ROCP"
"""Sources that somebody has printed or shown: what is left is deduced or reconstructed."""

EMPHASIS = re.compile(r"\*\*?([^*]+)\*\*?")
MARK = re.compile(r"`([^`]+)`")
RULE_ID = re.compile(r"\b([A-Z]+(?:-[A-Z]+)+-\d+)\b")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement as it is read: its id, its paragraphs with links to those that it names, its place in the printed rules."""

    id: str
    html: Markup
    source: str = ""


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """The requirements of a part of the rules: those whose ids begin alike, `RHL-RTE`."""

    name: str
    title: str
    rules: tuple[Requirement, ...]


def marked_up(text: str, address: str) -> Markup:
    """A text of ours as markup: paragraphs, lists, emphasis, and links to the rules that it names."""
    out = []
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = part.splitlines()
        if lines and all(line.startswith(("- ", "  ")) for line in lines):
            items = re.split(r"^- ", part, flags=re.MULTILINE)[1:]
            out.append(
                "<ul>" + "".join(f"<li>{inline(' '.join(item.split()), address)}</li>" for item in items) + "</ul>"
            )
        elif part:
            out.append(f"<p>{inline(' '.join(lines), address)}</p>")
    return Markup("".join(out))  # noqa: S704  everything in it went through `escape`


def inline(line: str, address: str) -> str:
    """A line with emphasis and links; its own characters never become markup."""
    text = str(escape(line))
    text = EMPHASIS.sub(r"<em>\1</em>", text)
    text = MARK.sub(r"<b>\1</b>", text)
    return RULE_ID.sub(rf'<a class="rule" href="{address}#\1" data-action="show-rule" data-rule-id="\1">\1</a>', text)


def rules_address(title: Title) -> str:
    """Return where the rules of a game are read."""
    return f"/rules/{title.id}"


@dataclass(frozen=True, slots=True)
class RulesPage(PageModel):
    """A primer in a few words and two pictures, then all rules of a game; `count` is how many there are."""

    template: ClassVar[str] = "rules.html"
    title: Title
    say: Catalogue
    groups: Sequence[RuleGroup]
    count: int
    map: str
    market: str
    symbols: str


@dataclass(frozen=True, slots=True)
class RulePart(PageModel):
    """A requirement, to be read beside the game."""

    template: ClassVar[str] = "rule.html"
    rule: Requirement
    title: Title
    say: Catalogue


def rule_part(title: Title, viewer: Viewer, rule: str) -> RulePart:
    """A requirement in the viewer's language; a sentence saying so where nobody has written it."""
    say = viewer.catalogue(title)
    text = rule_text(title.package, viewer.language, rule) or say.text("page.rules.none")
    return RulePart(
        Requirement(rule, marked_up(text, rules_address(title)), source_line(say, title.package, rule)), title, say
    )


def rules_page(title: Title, viewer: Viewer) -> RulesPage:
    """The page of all rules of a game, in groups."""
    say = viewer.catalogue(title)
    groups: dict[str, list[Requirement]] = {}
    for id_, text in rule_texts(title.package, viewer.language).items():
        family = id_.rpartition("-")[0]
        source = source_line(say, title.package, id_)
        groups.setdefault(family, []).append(Requirement(id_, marked_up(text, rules_address(title)), source))
    return RulesPage(
        title=title,
        say=say,
        groups=[RuleGroup(name, group_title(name, say), tuple(rules)) for name, rules in groups.items()],
        count=sum(len(rules) for rules in groups.values()),
        map=thumbnail(title.id),
        market=market_thumbnail(title, say),
        symbols=symbols(title.id),
    )


def market_thumbnail(title: Title, say: Catalogue) -> str:
    """The stock market of a game at the moment of its guided turn; empty where it has none."""
    guided = guided_of(title.package)
    return "" if guided is None else "".join(market_drawn(played(guided).state, title, (), (), say))


def group_title(family: str, say: Catalogue) -> str:
    """Return what a group is about, in a word or two; its letters where the catalogue has none."""
    key = f"page.rules.group.{family.rpartition('-')[2]}"
    return say.text(key) if key in say else family


@dataclass(frozen=True, slots=True)
class Origin:
    """A part of the components: how many entries there are, and how many are printed or public, deduced, reconstructed."""

    name: str
    entries: int
    sure: int
    deduced: int
    reconstructed: int


@dataclass(frozen=True, slots=True)
class EditionOrigins:
    """Origins of the components of an edition; the name is empty where there is but one."""

    name: str
    origins: Sequence[Origin]


@dataclass(frozen=True, slots=True)
class DifferencesPage(PageModel):
    """Differences between this table and the box: what is reconstructed, and what was ruled."""

    template: ClassVar[str] = "differences.html"
    title: Title
    say: Catalogue
    editions: Sequence[EditionOrigins]
    rulings: Sequence[Requirement]


def differences_page(title: Title, viewer: Viewer) -> DifferencesPage:
    """The page that tells how this table differs from the box: reconstructions and rulings."""
    say = viewer.catalogue(title)
    found = []
    for edition in sorted(title.editions, reverse=True):
        key = f"page.edition.{edition}"
        options = title.options({"edition": edition} if len(title.editions) > 1 else {})
        found.append(EditionOrigins(say.text(key) if key in say else "", origins(title, options, say)))
    texts = rule_texts(title.package, viewer.language)
    ruled = [
        Requirement(id_, marked_up(texts[id_], rules_address(title))) for id_ in rulings(title.package) if id_ in texts
    ]
    return DifferencesPage(title, say, found, ruled)


def origins(title: Title, options: TableOptions, say: Catalogue) -> list[Origin]:
    """Return where the components of an edition come from, part by part."""
    out = []
    for section, counts in sheet_summary(title.sheet(options, None)).items():
        key = f"page.box.{section}"
        name = say.text(key) if key in say else say.text("page.box.own")
        sure = sum(counts.get(letter, 0) for letter in SURE)
        out.append(Origin(name, sum(counts.values()), sure, counts.get("D", 0), counts.get("X", 0)))
    merged: dict[str, Origin] = {}
    for each in out:
        before = merged.get(each.name, Origin(each.name, 0, 0, 0, 0))
        merged[each.name] = Origin(
            each.name,
            before.entries + each.entries,
            before.sure + each.sure,
            before.deduced + each.deduced,
            before.reconstructed + each.reconstructed,
        )
    return list(merged.values())
