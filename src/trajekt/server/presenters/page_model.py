"""Base of the page models: each names its template, and its fields are the names that the template uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import ClassVar, TypeAlias


@dataclass(frozen=True, slots=True)
class PageModel:
    """A page or a part of one, ready to be shown by its template."""

    template: ClassVar[str]
    """The file in `templates/` that shows it."""

    def context(self) -> Mapping[str, object]:
        """The fields by name, as the template is filled with them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


Fill: TypeAlias = Callable[[PageModel], str]
"""Way from a model to its text, for an answer in JSON that carries a part of a page."""
