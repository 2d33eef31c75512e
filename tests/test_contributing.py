"""The door for contributors: the workflow runs what the project promises, and what is named there exists."""

from __future__ import annotations

import re
import tomllib

import pytest

yaml = pytest.importorskip("yaml", reason="no PyYAML here: it comes with the developers' tools")


@pytest.fixture(scope="module")
def root():
    from tests.conftest import PROJECT

    return PROJECT


@pytest.fixture(scope="module")
def workflow(root):
    return yaml.safe_load((root / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))


def test_workflow_runs_every_promised_python(root, workflow):
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = [line.rpartition(" ")[2] for line in project["classifiers"] if re.search(r"Python :: 3\.\d+$", line)]
    for job in ("tests", "source-distribution"):
        assert workflow["jobs"][job]["strategy"]["matrix"]["python"] == promised
    assert project["requires-python"] == f">={promised[0]}"


def test_every_job_ends_within_an_hour(workflow):
    assert all(job["timeout-minutes"] <= 60 for job in workflow["jobs"].values())
    assert workflow["permissions"] == {"contents": "read"}


def test_workflow_holds_each_gate(workflow):
    runs = {step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]}
    for target in ("static", "docs", "test", "coverage"):
        assert any(re.match(rf"make {target}\b", run) for run in runs), target


def test_targets_that_are_named_exist(root):
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set()
    for name in (
        "CONTRIBUTING.md",
        "README.md",
        ".github/workflows/ci.yml",
        ".github/pull_request_template.md",
        ".ci/run",
    ):
        text = (root / name).read_text(encoding="utf-8")
        named |= set(re.findall(r"(?:`|^ {4}|run: |\dm )make (?:-k )?([a-z]+)", text, re.MULTILINE))
    assert {"check", "test", "coverage"} <= named <= targets


def test_forms_ask_for_what_is_needed(root):
    forms = sorted((root / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    asked = {form.stem: yaml.safe_load(form.read_text(encoding="utf-8")) for form in forms}
    assert set(asked) == {"bug", "config", "wish", "wrong-rule"}
    for name, form in asked.items():
        if name != "config":
            assert {"name", "description", "body"} <= set(form)
            assert any(field.get("validations", {}).get("required") for field in form["body"])
    rule = {field["id"]: field for field in asked["wrong-rule"]["body"]}
    assert len(rule["game"]["attributes"]["options"]) == 5


def test_sdist_holds_what_tests_read(root):
    included = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    for needed in (
        "src",
        "tests",
        "docs",
        "examples",
        "tools",
        ".ci",
        ".github",
        "README.md",
        "CONTRIBUTING.md",
        "Makefile",
    ):
        assert needed in included["sdist"]["include"]
        assert (root / needed).exists()
