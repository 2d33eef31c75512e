"""Sentences as they stand in source code, with their gaps numbered as the catalogues number them."""

from __future__ import annotations

import ast


def numbered(node):
    """The sentences that an expression may be, their gaps numbered."""
    if isinstance(node, ast.Constant):
        return {node.value} if isinstance(node.value, str) else set()
    if isinstance(node, ast.IfExp):
        return numbered(node.body) | numbered(node.orelse)
    if isinstance(node, ast.JoinedStr):
        count = iter(range(10))
        return {"".join(v.value if isinstance(v, ast.Constant) else f"{{{next(count)}}}" for v in node.values)}
    return set()
