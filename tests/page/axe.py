"""The script of axe-core and how it is run on a page."""

from __future__ import annotations

from pathlib import Path

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
  const found = await axe.run(document, {
    resultTypes: ["violations"],
    // a hex is named in words; the figures drawn in it are part of these, but in another order
    rules: {"label-content-name-mismatch": {enabled: false}},
  });
  return found.violations.map((each) => [each.id, each.nodes.length, each.nodes[0].html.slice(0, 120)]);
}"""
