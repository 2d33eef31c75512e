"""How Sphinx builds these pages: `make docs`."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent

sys.path.insert(0, str(PROJECT / "src"))

from trajekt.json_schema import record_schema  # noqa: E402  it lies in this checkout
from trajekt.positions import position_schema  # noqa: E402

# made anew each time: a file that lies there would fall behind the types
(PROJECT / "docs" / "reference" / "record.schema.json").write_text(
    json.dumps(record_schema(), indent=1), encoding="utf-8"
)
(PROJECT / "docs" / "reference" / "position.schema.json").write_text(
    json.dumps(position_schema(), indent=1), encoding="utf-8"
)

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
