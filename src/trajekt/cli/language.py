"""The language of the command: English as it stands in the code, German by `de.toml`, whose keys are the English texts.

`--language` of any command chooses it, else the variable TRAJEKT_LANGUAGE, else the locale of the system.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

import click

from trajekt.i18n.filled_sentences import FilledSentences

LANGUAGES = ("en", "de")
KEY = "trajekt.cli.language"
OPTION = click.Option(
    ["--language"],
    type=click.Choice(LANGUAGES),
    expose_value=False,
    help="The language of help and sentences. Also TRAJEKT_LANGUAGE. Default: that of the system, else en.",
)
SUFFIX = re.compile(r"(.*?)  (\[[^\[\]]*\])", re.DOTALL)
"""The text of an option, and what click adds to it in brackets."""


def wanted(words: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """Find the language in the words of a command line, else in the environment; `en` where neither names one that is there.

    >>> wanted(["replay", "--language", "de", "--help"]), wanted([], {"LANG": "de_AT.UTF-8"}), wanted([], {"LANG": "C"})
    ('de', 'de', 'en')
    """
    named = [after for word, after in pairwise(words) if word == "--language"]
    named += [word.partition("=")[2] for word in words if word.startswith("--language=")]
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    for each in (*named, environment.get("TRAJEKT_LANGUAGE", ""), locale[:2]):
        if each in LANGUAGES:
            return each
    return "en"


def language() -> str:
    """The language of the command that runs."""
    context = click.get_current_context(silent=True)
    return "en" if context is None else str(context.meta.get(KEY, "en"))


@cache
def german() -> Mapping[str, str]:
    """The German texts by the English ones."""
    return tomllib.loads(resources.files("trajekt.cli").joinpath("de.toml").read_text(encoding="utf-8"))


class GermanNumber(int):
    """A whole number whose thousands are parted by points."""

    def __format__(self, form: str) -> str:
        return int.__format__(self, form).replace(",", ".")


def told(template: str, /, **values: Any) -> str:
    """A text in the language of the command, its gaps filled as by `str.format`."""
    if language() == "en":
        return template.format(**values)
    numbered = {name: GermanNumber(value) if type(value) is int else value for name, value in values.items()}
    return german().get(template, template).format(**numbered)


def in_language(text: str) -> str:
    """A text of a help page in the language of the command; what is not known stays as it is."""
    if language() == "en" or not text:
        return text
    suffixed = SUFFIX.fullmatch(text)
    if suffixed:
        return f"{in_language(suffixed[1])}  {german_of(suffixed[2])}"
    return german().get(" ".join(text.split()), text)


@cache
def _filled() -> FilledSentences:
    return FilledSentences(german())


def translated(text: object) -> str:
    """A filled sentence of click, of the server or of the library in the language of the command, where it is known."""
    return str(text) if language() == "en" else german_of(str(text))


def german_of(text: str) -> str:
    """A filled sentence in German, with what stands in its gaps; what is not known stays as it is."""
    return _filled().german(text)


class Formatter(click.HelpFormatter):
    """Write help pages in the language of the command."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        words = " ".join(in_language(word) for word in args.split(" "))
        super().write_usage(prog, words, f"{in_language('Usage:')} " if prefix is None else prefix)

    def write_text(self, text: str) -> None:
        super().write_text("\n\n".join(in_language(paragraph) for paragraph in text.split("\n\n")))

    def write_dl(self, rows: Iterable[tuple[str, str]], *args: Any, **more: Any) -> None:
        super().write_dl([(term, in_language(text)) for term, text in rows], *args, **more)

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        with super().section(in_language(name)):
            yield


class SpokenContext(click.Context):
    """Context of a command that has a language."""

    formatter_class = Formatter


class Spoken(click.Command):
    """Command with a language: that of its words, of the environment or of the system."""

    context_class = SpokenContext

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *own, help_ = super().get_params(ctx)
        return [*own, OPTION, help_]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[KEY] = wanted(args) if ctx.parent is None else ctx.meta.get(KEY, "en")
        return super().parse_args(ctx, args)

    def get_short_help_str(self, limit: int = 45) -> str:
        if language() == "en":
            return super().get_short_help_str(limit)
        first = in_language((self.help or "").split("\n\n")[0])
        return first if len(first) <= limit else f"{first[: limit - 3].rpartition(' ')[0]}..."


class GermanUsageError(click.UsageError):
    """Wrong usage, told in German."""

    def __init__(self, fault: click.UsageError) -> None:
        super().__init__(fault.message, fault.ctx)
        self.fault = fault

    def format_message(self) -> str:
        return german_of(self.fault.format_message())

    def show(self, file: Any = None) -> None:
        context = self.ctx
        if context is not None:
            with context.scope(cleanup=False):
                click.echo(f"{context.get_usage()}\nMehr sagt '{context.command_path} --help'.\n", file=file, err=True)
        click.echo(f"Fehler: {self.format_message()}", file=file, err=True)


class SpokenGroup(Spoken, click.Group):
    """Group of commands with a language."""

    command_class = Spoken


@contextmanager
def errors_in_language(words: str) -> Iterator[None]:
    """Tell wrong usage in German where that is the language."""
    try:
        yield
    except click.UsageError as fault:
        if words == "en":
            raise
        raise GermanUsageError(fault) from fault
