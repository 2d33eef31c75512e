"""Files for a host: the lock with hashes, container, unit, environment and proxies hold together."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import click
import pytest

from trajekt.cli import main

REPO = Path(__file__).parents[1]
DEPLOY = REPO / "examples" / "deploy"


def locked():
    """The packages of the lock: version and hashes by name."""
    text = (REPO / "requirements.lock").read_text()
    parts = re.split(r"^(?=[a-z])", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)
    found = {}
    for part in parts[1:]:
        name, _, version = part.split()[0].partition("==")
        found[name] = (version, re.findall(r"--hash=sha256:([0-9a-f]{64})", part))
    return found


def test_lock_has_each_dependency_with_hashes():
    project = tomllib.loads((REPO / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["postgres"]]
    names = {re.match(r"[a-z0-9-]+", each).group() for each in wanted}
    packages = locked()
    assert names <= set(packages)
    assert [name for name, (version, hashes) in packages.items() if not version or not hashes] == []


def test_the_lock_keeps_to_the_floors():
    project = tomllib.loads((REPO / "pyproject.toml").read_text())["project"]
    packages = locked()

    def numbers(version):
        return [int(part) for part in version.split(".")]

    for each in project["dependencies"]:
        name, floor = re.match(r"([a-z0-9-]+)>=([0-9.]+)", each).groups()
        assert numbers(packages[name][0]) >= numbers(floor), name


def test_the_lock_names_no_place():
    assert not re.search(r"index-url|find-links|file:|@ ", (REPO / "requirements.lock").read_text())


def test_the_container_installs_by_hashes():
    text = (DEPLOY / "Dockerfile").read_text()
    assert "--require-hashes -r /opt/trajekt/requirements.lock" in text
    assert "USER trajekt" in text


def test_variables_of_the_examples_are_known():
    known = {
        name for command in main.commands.values() for option in command.params for name in [option.envvar] if name
    }
    text = "".join((DEPLOY / name).read_text() for name in ("trajekt.env", "compose.yaml"))
    named = set(re.findall(r"^\s*#?(TRAJEKT_[A-Z_]+)[=:]", text, re.MULTILINE))
    assert named - {"TRAJEKT_NAME", "TRAJEKT_UPSTREAM"} <= known  # these two are the proxy's


def test_line_of_unit_is_command():
    line = re.search(r"^ExecStart=\S+/trajekt (.+)$", (DEPLOY / "trajekt.service").read_text(), re.MULTILINE).group(1)
    name, *options = line.split()
    with click.Context(main) as context:
        assert main.commands[name].make_context(name, options, parent=context).params["no_browser"] is True


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed here")
def test_nginx_takes_its_example(tmp_path):
    text = (DEPLOY / "nginx.conf").read_text()
    text = re.sub(r"^\s*ssl_certificate.*\n", "", text, flags=re.MULTILINE).replace(" ssl http2", "")
    text = text.replace("443", "18443").replace("80;", "18080;")
    conf = tmp_path / "nginx.conf"
    conf.write_text(f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off; {text} }}")
    done = subprocess.run(["nginx", "-t", "-c", conf, "-p", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def settings(text):
    """The lines of a unit as pairs."""
    return [tuple(line.split("=", 1)) for line in text.splitlines() if re.match(r"[A-Z]\w+=", line)]


def test_the_unit_keeps_secrets_and_returns():
    unit = settings((DEPLOY / "trajekt.service").read_text())
    assert ("EnvironmentFile", "/etc/trajekt.env") in unit
    assert "Environment" not in dict(unit)
    for wanted in (("StartLimitIntervalSec", "0"), ("Restart", "always"), ("LimitNOFILE", "65536"), ("UMask", "0077")):
        assert wanted in unit
    assert "postgresql.service" in dict(unit)["After"]


def test_the_backup_reads_the_same_environment():
    unit = settings((DEPLOY / "trajekt-backup.service").read_text())
    assert ("EnvironmentFile", "/etc/trajekt.env") in unit
    assert "backup" in dict(unit)["ExecStart"]
    readers = [main.commands[name] for name in ("serve", "backup", "restore")]
    readers += list(main.commands["admin"].commands.values())
    for command in readers:
        assert "TRAJEKT_DB" in {option.envvar for option in command.params}, command.name


def test_every_variable_is_documented():
    known = {o.envvar for command in main.commands.values() for o in command.params if o.envvar} | {"TRAJEKT_DATA"}
    page = (REPO / "docs" / "guide" / "host.md").read_text()
    assert {name for name in known if f"`{name}`" not in page} == set()


def test_no_line_installs_by_name():
    """Nothing is published: whoever registers the name is not to be run by those who follow a document."""
    files = [REPO / "README.md", REPO / "CONTRIBUTING.md", *REPO.glob("docs/**/*.md"), *REPO.glob("src/**/*.py")]
    by_name = [path.name for path in files if re.search(r"pip install ['\"]?trajekt", path.read_text(encoding="utf-8"))]
    assert by_name == []


def test_proxies_hand_on_what_counts():
    nginx = (DEPLOY / "nginx.conf").read_text()
    for wanted in (
        "Host $http_host",
        "X-Forwarded-For $remote_addr",
        "X-Forwarded-Proto $scheme",
        "proxy_buffering off",
    ):
        assert wanted in nginx
    assert re.search(r"location ~ \^/\(mail\|quiet\)/ \{\s+access_log off;\s+error_log /dev/null crit;", nginx)
    assert "flush_interval -1" in (DEPLOY / "Caddyfile").read_text()


@pytest.mark.skipif(shutil.which("caddy") is None, reason="caddy is not installed here")
def test_caddy_takes_its_example():
    words = ["caddy", "adapt", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "(mail|quiet)" in done.stdout
