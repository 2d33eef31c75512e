"""The house as a reader meets it: packages that map their modules, docstrings that say something, no circle of imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src"
PACKAGE = SOURCE / "trajekt"
MAPPED = [path.parent for path in sorted(PACKAGE.rglob("__init__.py")) if path.parent != PACKAGE]
RIDDLE = re.compile(r"(The same|What |That |Who |How |Whether )")


@pytest.mark.parametrize("package", MAPPED, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_package_maps_its_modules(package):
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    assert {name for name in modules | folders if f"`{name}`" not in text} == set()


@pytest.mark.parametrize(
    "package", [path for path in MAPPED if path.parent.name == "games"], ids=lambda path: path.name
)
def test_map_names_modules_that_are_there(package):
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    modules = {path.stem for path in package.glob("*.py")}
    assert set(re.findall(r"`([a-z_]+[a-z0-9_]*)`", text)) <= modules


def first_lines(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value.strip().partition("\n")[0]


def test_docstrings_begin_with_verb_or_noun():
    found = [
        f"{path.relative_to(PACKAGE)}: {line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line in first_lines(path)
        if RIDDLE.match(line)
    ]
    assert found == []


def test_each_type_name_stands_once():
    places: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def modules_of_the_package() -> dict[str, Path]:
    return {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
        for path in PACKAGE.rglob("*.py")
    }


def imports_of(path: Path, modules: dict[str, Path]) -> set[str]:
    """The modules that a module imports when it is read in or checked for types; not what a function imports as it runs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    later = {inner for function in functions for inner in ast.walk(function)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node not in later:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (names & modules.keys()) or {node.module}
    return found & modules.keys()


def test_no_circle_of_imports():
    modules = modules_of_the_package()
    waiting = {name: imports_of(path, modules) - {name} for name, path in modules.items()}
    while free := {name for name, needs in waiting.items() if not needs}:
        waiting = {name: needs - free for name, needs in waiting.items() if name not in free}
    assert sorted(waiting) == []


def test_no_test_imports_another():
    tests = SOURCE.parent / "tests"
    found = [
        f"{path.relative_to(tests)}: {node.module}"
        for path in sorted(tests.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and re.search(r"(^|\.)test_", node.module or "")
    ]
    assert found == []


def test_sql_stands_in_storage_alone():
    found = [
        path.relative_to(PACKAGE).as_posix()
        for path in sorted((PACKAGE / "server").rglob("*.py"))
        if "storage" not in path.parts
        and re.search(r"\.execute\(|\bsa\.(select|insert|update|delete|text)\(", path.read_text("utf-8"))
    ]
    assert found == []
