"""The databases on which a test may be held: `ON_BOTH` runs it once on each."""

from __future__ import annotations

import pytest

ON_BOTH = pytest.mark.parametrize("url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)], indirect=True)
