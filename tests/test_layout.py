"""The project about itself: sizes of files, ids that exist, dependencies, what an import pulls in."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "src" / "trajekt"

LIMIT = 600
LONG_WITH_REASON: dict[str, str] = {}
"""Files of more than 600 lines, each with the reason why it is one thing."""

RULE_ID = re.compile(r"\b(?:COMMON|RHL|LRA|RUHR|DO)(?:-[A-Z]+)+-\d+\b")
DEFINED_RULE = re.compile(r"^#+ (" + RULE_ID.pattern + r")$", re.MULTILINE)
CASE_MARK = re.compile(r"mark\.case\(([^)]*)\)")
CITING = {".py", ".toml", ".md", ".js", ".html"}

STANDARD_LIBRARY_AND_MSGSPEC = sys.stdlib_module_names | {"msgspec"}


def source_files(*folders: str, suffixes: set[str]) -> list[Path]:
    return [
        path
        for folder in folders
        for path in sorted((PROJECT / folder).rglob("*"))
        if path.suffix in suffixes and "vendor" not in path.parts and "__pycache__" not in path.parts
    ]


def test_files_stay_under_600_lines():
    lengths = {
        path.relative_to(PROJECT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in source_files("src", "tests", "tools", suffixes={".py", ".js", ".css", ".html", ".sh"})
    }
    too_long = {name: lines for name, lines in lengths.items() if lines > LIMIT}
    assert too_long.keys() == LONG_WITH_REASON.keys(), too_long


DECISIONS = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.Assert, ast.comprehension, ast.match_case)


def complexity(function):
    """Count the decisions of a function and one, those of functions in it as well."""
    found = 1
    for node in ast.walk(function):
        found += isinstance(node, DECISIONS)
        found += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        found += len(node.ifs) if isinstance(node, ast.comprehension) else 0
    return found


def test_route_search_stays_small():
    files = sorted((PACKAGE / "engine" / "routing").glob("*.py"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    assert len(files) <= 6, "five modules and the map of the package"
    assert sum(len(text.splitlines()) for text in texts) <= 1_300
    functions = [node for text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    assert not {each.name: found for each in functions if (found := complexity(each)) > 15}


MOST_DECISIONS = 25
"""Decisions that a function may hold, those of its comprehensions and of `and` and `or` as well; ruff counts fewer kinds."""


def test_functions_hold_few_decisions():
    found = {
        f"{path.relative_to(PACKAGE)}: {each.name}": count
        for path in PACKAGE.rglob("*.py")
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        if (count := complexity(each)) > MOST_DECISIONS
    }
    assert not found


def test_no_file_is_named_for_nothing():
    empty_names = {"utils", "util", "helpers", "helper", "base", "manager", "misc", "common"}
    assert not [path for path in source_files("src", "tests", suffixes={".py", ".js"}) if path.stem in empty_names]


def test_server_tests_stand_in_its_folders():
    tests = PROJECT / "tests" / "server"
    folders = {path.parent.name for path in (PACKAGE / "server").glob("*/__init__.py")}
    assert {path.parent.name for path in tests.glob("*/test_*.py")} == folders
    assert not list(tests.glob("test_*.py"))


def test_names_have_three_to_six_words():
    found = [
        f"{path.relative_to(PROJECT)}: {node.name}"
        for path in source_files("tests", suffixes={".py"})
        if path.name.startswith("test_")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        if not 3 <= len(node.name.split("_")) - 1 <= 6
    ]
    assert found == []


STATIC, TEMPLATES = PACKAGE / "server" / "static", PACKAGE / "server" / "templates"
ACTION_IN_MARKUP = re.compile(
    r'data-action="([^"]+)"|dataset\.action = "([^"]+)"'
)  # in a template; of an element made by a script
HANDLED = re.compile(r"^handle\(\{\n(.*?)^\}\);", re.MULTILINE | re.DOTALL)
HANDLER = re.compile(r'^  (?:"([\w-]+)"|(\w+))(?:: |,$)', re.MULTILINE)


def test_each_action_has_one_handler():
    markup = [*TEMPLATES.glob("*.html"), *STATIC.glob("*.js"), PACKAGE / "server" / "presenters" / "rules_pages.py"]
    found = [pair for path in markup for pair in ACTION_IN_MARKUP.findall(path.read_text(encoding="utf-8"))]
    asked = {by_template or by_script for by_template, by_script in found}
    asked = {word for action in asked for word in re.findall(r"[a-z]+(?:-[a-z]+)*(?='|$)", action)}
    handled = [
        quoted or bare
        for path in STATIC.glob("*.js")
        for table in HANDLED.findall(path.read_text(encoding="utf-8"))
        for quoted, bare in HANDLER.findall(table)
    ]
    assert len(handled) == len(set(handled)) > 40
    assert asked == set(handled)


def test_clicks_are_handled_in_one_place():
    listening = re.compile(r"addEventListener\(\s*[\"']click")
    assert [path.name for path in STATIC.glob("*.js") if listening.search(path.read_text(encoding="utf-8"))] == [
        "handlers.js"
    ]


def test_template_lines_stay_under_160_characters():
    long = [
        f"{path.name}:{number}"
        for path in TEMPLATES.rglob("*.html")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 160
    ]
    assert not long


def test_css_has_one_declaration_a_line():
    crowded = [
        f"{path.name}:{number}"
        for path in STATIC.glob("*.css")
        for number, line in enumerate(
            re.sub(r"\(.*?\)|/\*.*?\*/", "", path.read_text(encoding="utf-8")).splitlines(), 1
        )
        if line.count(";") > 1 or (";" in line and "{" in line)
    ]
    assert not crowded


SUPPRESSION = re.compile(r"#\s*(?:noqa|type:\s*ignore)")
SUPPRESSION_WITH_REASON = re.compile(r"#\s*(?:noqa: [A-Z]+\d+(?:, [A-Z]+\d+)*|type: ignore\[[\w, -]+\]  #)\W+\w+\W+\w+")
SKIPS = {"skip", "skipif", "importorskip", "xfail"}


def suppressions_without_reason(path: Path) -> Iterator[int]:
    """The lines that silence a check without a reason of two words or more, beside it or in a comment on the line above."""
    text = path.read_text(encoding="utf-8")
    if not SUPPRESSION.search(text):
        return
    lines = text.splitlines()
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT and SUPPRESSION.match(token.string):
                line = token.start[0]
                above = lines[line - 2].lstrip() if line > 1 else ""
                explained = above.startswith("#") and not SUPPRESSION.search(above)
                if not explained and not SUPPRESSION_WITH_REASON.match(token.string):
                    yield line


def skips_without_reason(path: Path) -> Iterator[int]:
    """The lines that leave out a test, or may, without a reason of two words or more that the report shows."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text) if "pytest." in text else ast.Module([], [])
    explained = set()
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        said = [word.value for word in call.keywords if word.arg == "reason"]
        said += call.args[:1] if name in {"skip", "xfail"} else []
        if any(isinstance(part, ast.Constant) and len(str(part.value).split()) > 1 for part in said):
            explained.add(call.func)
    for node in ast.walk(tree):
        skips = isinstance(node, ast.Attribute) and node.attr in SKIPS and ast.unparse(node).startswith("pytest.")
        if skips and node not in explained:
            yield node.lineno


def test_silenced_or_skipped_says_why():
    unexplained = [
        f"{path.relative_to(PROJECT)}:{line}"
        for path in source_files("src", "tests", "tools", "examples", suffixes={".py"})
        for line in (*suppressions_without_reason(path), *skips_without_reason(path))
    ]
    assert not unexplained


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("import os  # noqa\n", [1]),
        ("import os  # noqa: F401\n", [1]),
        ("import os  # noqa: F401  it is a fixture\n", []),
        ("# it is a fixture\nimport os  # noqa: F401\n", []),
        ("x = 1  # type: ignore\n", [1]),
        ("x = 1  # type: ignore[misc]\n", [1]),
        ("x = 1  # type: ignore[misc]  # just asked\n", []),
        ("x = '# noqa'\n", []),
        ("pytest.skip()\n", [1]),
        ("pytest.skip('no Chromium here')\n", []),
        ("pytest.importorskip('yaml')\n", [1]),
        ("pytest.importorskip('yaml', reason='no PyYAML here')\n", []),
        ("@pytest.mark.skip\ndef f(): ...\n", [1]),
        ("@pytest.mark.xfail(strict=True)\ndef f(): ...\n", [1]),
        ("@pytest.mark.skipif(True, reason='not on this system')\ndef f(): ...\n", []),
    ],
)
def test_what_counts_as_a_reason(tmp_path, code, lines):
    path = tmp_path / "one.py"
    path.write_text(code, encoding="utf-8")
    assert [*suppressions_without_reason(path), *skips_without_reason(path)] == lines


def test_every_cited_rule_id_exists():
    """Each requirement has a text of our own; that these are the rule sheets' is held by `i18n/test_rule_texts.py`."""
    texts = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("rules.en.md")]
    defined = {id_ for text in texts for id_ in DEFINED_RULE.findall(text)}
    assert len(defined) > 600
    unknown = {
        f"{path.relative_to(PROJECT)}: {found}"
        for path in source_files("src", "tests", "docs", suffixes=CITING)
        for found in set(RULE_ID.findall(path.read_text(encoding="utf-8"))) - defined
    }
    assert not unknown


def test_every_case_that_is_cited_exists(shared):
    text = shared("cases/cases.md").read_text(encoding="utf-8")
    defined = set(re.findall(r"^### (\w+)", text, re.MULTILINE))
    assert "B12" in defined
    unknown = {
        f"{path.relative_to(PROJECT)}: {found}"
        for path in source_files("tests", suffixes={".py"})
        for mark in CASE_MARK.findall(path.read_text(encoding="utf-8"))
        for found in set(re.findall(r"\"(\w+)\"", mark)) - defined
    }
    assert not unknown


def names_of(requirements: list[str]) -> list[str]:
    return [re.split(r"[<>=\[;~! ]", requirement)[0] for requirement in requirements]


@pytest.fixture(scope="module")
def metadata() -> dict:
    return tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def documented_packages() -> dict[str, list[str]]:
    """The indented lists of docs/dependencies.md, by the heading word that starts each."""
    lists: dict[str, list[str]] = {}
    for line in (PROJECT / "docs" / "dependencies.md").read_text(encoding="utf-8").splitlines():
        if match := re.match(r" {4}(trajekt|postgres|ratings|rl|cluster|dev): +(.+)", line):
            lists.setdefault(match[1], []).extend(match[2].split())
    return lists


def test_dependencies_are_the_documented_ones(metadata):
    documented, extras = documented_packages(), metadata["project"]["optional-dependencies"]
    assert sorted(names_of(metadata["project"]["dependencies"])) == sorted(documented["trajekt"])
    assert sorted(extras) == ["cluster", "dev", "postgres", "ratings", "rl"]
    for extra, requirements in extras.items():
        assert sorted(names_of(requirements)) == sorted(documented[extra]), extra


def test_dev_extra_equals_dev_group(metadata):
    assert metadata["project"]["optional-dependencies"]["dev"] == metadata["dependency-groups"]["dev"]


def test_documented_packages_match_the_design(metadata, shared):
    design = shared("design/dependencies.md").read_text(encoding="utf-8")
    match = re.search(r"pip install trajekt .*\n +(.+)\n", design)
    assert match is not None
    since = ["prometheus-client"]  # in place of a writer of its text form of our own
    since += ["http-ece", "py-vapid", "cryptography"]  # the call by Web Push
    assert sorted(names_of(metadata["project"]["dependencies"])) == sorted([*match[1].split(), *since])


def imported_by(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("folder", ["engine", "rules", "games", "rendering", "i18n"])
def test_lower_layers_import_msgspec_only(folder):
    allowed = STANDARD_LIBRARY_AND_MSGSPEC | {"trajekt"}
    foreign = {
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in (PACKAGE / folder).rglob("*.py")
        for name in imported_by(path) - allowed
    }
    assert not foreign


@pytest.mark.parametrize("folder", ["engine", "rules"])
def test_the_shared_layers_name_no_game(folder):
    """Ids in comments and docstrings are fine; a string "18rhl" or a comparison with a game's name is not."""
    named = {
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {node.value}"
        for path in (PACKAGE / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in {"18rhl", "18lra", "18ruhr", "18do", "rhl", "lra", "ruhr"}
    }
    assert not named


def run_python(code: str) -> str:
    """What a fresh interpreter prints that finds the package of this checkout and no start-up files."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(PROJECT / 'src')!r})\n{code}"],
        capture_output=True,
        text=True,
        check=False,
        env={key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COV"))},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_library_import_loads_msgspec_only():
    loaded = run_python(
        "before = set(sys.modules)\nfrom trajekt import new_game, load\n"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    ).split()
    assert "trajekt" in loaded
    by_msgspec = {"typing_extensions"}  # msgspec takes it where something else has installed it
    assert not set(loaded) - STANDARD_LIBRARY_AND_MSGSPEC - by_msgspec - {"trajekt"}


def test_library_ignores_clock_and_chance():
    """`engine`, `rules` and `games` get time and randomness as arguments.

    The search of best runs looks at a stopwatch: a limit in seconds ends a proposal, on which no rule depends.
    """
    stopwatch = {"engine/routing/enumeration.py: time"}
    forbidden = {"time", "datetime", "secrets", "uuid", "socket", "asyncio", "threading", "subprocess"}
    guilty = {
        f"{path.relative_to(PACKAGE)}: {name}"
        for folder in ("engine", "rules", "games")
        for path in (PACKAGE / folder).rglob("*.py")
        for name in imported_by(path) & forbidden
    }
    assert not guilty - stopwatch


FILE_NAME = re.compile(r"(?<![\w/*.-])[\w/.-]*\w\.(?:py|js|css|html)\b")
MADE_UP = {"my_package.py", "/look/GAME.css"}
"""Names of files that stand in examples, or are made when they are asked for."""


def test_files_that_docs_name_are_there():
    sources = source_files("src", "docs", suffixes={".py", ".md"})
    there = [
        path.relative_to(PROJECT).as_posix()
        for path in source_files("src", "tests", "tools", "examples", "docs", suffixes={".py", ".js", ".css", ".html"})
    ]
    missing = [
        f"{path.relative_to(PROJECT)}: {name}"
        for path in sources
        if path.name != "best-runs-tried.md"
        for name in FILE_NAME.findall(path.read_text(encoding="utf-8"))
        if name not in MADE_UP and not any(f"/{each}".endswith(f"/{name.lstrip('./')}") for each in there)
    ]
    assert missing == []
