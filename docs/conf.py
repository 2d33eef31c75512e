"""How Sphinx builds these pages: `make docs`."""

from __future__ import annotations

import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent

project = "trajekt"
author = "the trajekt contributors"
copyright = "2026, the trajekt contributors"
release = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
nitpicky = True
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"trajekt {release}"
