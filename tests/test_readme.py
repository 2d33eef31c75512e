"""The README and the pages under docs/ say what is there: their Python runs, their commands and addresses exist."""

from __future__ import annotations

import re
import shlex
import tomllib

import click
import pytest

PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"^\| `trajekt (\w+)([^`]*)` \|", re.MULTILINE)
ADDRESS = re.compile(r"`(?:GET|POST) (/[^`?]*)`")
LABEL = re.compile(r"(?<!\*)\*([A-Z][^*\n]+?)[.:]?\*(?!\*)")
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")


@pytest.fixture
def page(project):
    return lambda name: (project / name).read_text(encoding="utf-8")


def commands():
    from trajekt.cli import main

    return main.commands


def test_readme_example_runs_alike_twice(page, capsys):
    (example,) = PYTHON.findall(page("README.md"))
    printed = []
    for _ in range(2):
        names: dict = {}
        exec(compile(example, "README.md", "exec"), names)
        printed.append(capsys.readouterr().out)
    game = names["game"]
    assert game.number == 1
    assert [line for line in printed[0].splitlines() if "kauft" in line] == [
        "Cleo kauft Prinz-Wilhelm-Bahn für 20\u00a0M"
    ]
    assert printed[0].splitlines()[-1] == f"{game.to_act} {game.standings()}"
    assert printed[0] == printed[1]


def test_readme_names_of_library_exist(page):
    import trajekt
    from trajekt.game import Game

    text = page("README.md") + page("docs/reference/records.md")
    for name in re.findall(r"`trajekt\.(\w+)\(", text):
        assert name in trajekt.__all__
    for name in re.findall(r"`game\.(\w+)[(`]", text):
        assert callable(getattr(Game, name)), name


def english_texts(project):
    """All that the page and the command may say in English."""
    for file in project.glob("src/trajekt/**/en.toml"):
        values = list(tomllib.loads(file.read_text(encoding="utf-8")).values())
        while values:
            value = values.pop()
            if isinstance(value, dict):
                values.extend(value.values())
            elif isinstance(value, str):
                yield value


@pytest.mark.parametrize("name", ["play", "real-table", "your-copy", "host"])
def test_labels_of_guides_are_pages(project, page, name):
    """What a guide tells to press, or to look for, stands so on the page."""
    labels = set(LABEL.findall(CODE.sub("", page(f"docs/guide/{name}.md"))))
    texts = list(english_texts(project))
    unknown = {label for label in labels if not any(re.match(rf"{re.escape(label)}(?!\w)", text) for text in texts)}
    assert labels
    assert unknown == set()


@pytest.mark.parametrize("name", ["README.md", "docs/reference/command.md"])
def test_every_command_named_with_its_options(page, name):
    rows = COMMAND.findall(page(name))
    assert sorted(row[0] for row in rows) == sorted(commands())
    for command, words in rows:
        known = {option for parameter in commands()[command].params for option in parameter.opts}
        assert set(re.findall(r"(?<!\w)--?[a-z][a-z-]*", words)) <= known, command


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "docs/guide/write-a-bot.md",
        "docs/guide/host.md",
        "docs/guide/add-a-game.md",
        "docs/reference/command.md",
    ],
)
def test_documented_lines_can_be_typed(page, name):
    """Each indented line that calls `trajekt` is read by the command itself, without being carried out."""
    lines = re.findall(r"^ {4}(?:\.venv/bin/)?trajekt (.+?)(?:  +#.*)?$", page(name), re.MULTILINE)
    assert lines or name in {"docs/guide/add-a-game.md", "docs/reference/command.md"}
    for line in lines:
        name, *words = shlex.split(line)
        command = commands()[name]
        if isinstance(command, click.Group):
            inner, *words = words
            command = command.commands[inner]
        with click.Context(command) as context:
            assert command.parse_args(context, words) == [], line


def test_each_page_is_in_an_index(project):
    docs = project / "docs"
    listed = set()
    for index in (docs / "index.md", docs / "decisions" / "index.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", index.read_text(encoding="utf-8"), re.DOTALL):
            names = [line for line in block.split("\n") if line and not line.startswith(":")]
            listed |= {path for name in names for path in index.parent.glob(f"{name}.md")}
    written = {path for path in docs.rglob("*.md") if "_build" not in path.parts}
    assert written - listed == {docs / "index.md"}


def test_links_lead_somewhere(project):
    known = [project / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
    for path in [*known, *(each for each in (project / "docs").rglob("*.md") if "_build" not in each.parts)]:
        for target in LINK.findall(path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), (path.name, target)


def test_installed_players_are_described(page):
    points = tomllib.loads(page("pyproject.toml"))["project"]["entry-points"]["trajekt.bots"]
    assert re.findall(r"^\| `(\w+)` \|", page("docs/guide/write-a-bot.md"), re.MULTILINE) == list(points)


def test_every_installed_game_in_readme(page):
    for name in tomllib.loads(page("pyproject.toml"))["project"]["entry-points"]["trajekt.registry"]:
        assert f"18{name}" in page("README.md").lower()


def test_every_described_address_is_served(page, tmp_path):
    from starlette.routing import Mount

    from trajekt.server.http.app import create_app
    from trajekt.server.storage.store import Store

    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    routes = create_app(store).routes
    store.close()
    served = {f"{route.path}/FILE" if isinstance(route, Mount) else route.path for route in routes}
    served = {re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), path) for path in served}
    described = set(ADDRESS.findall(page("docs/reference/table.md")))
    assert len(described) > 15
    assert described <= served
