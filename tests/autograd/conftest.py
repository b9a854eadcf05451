"""The engine's tests run on NumPy, and again on a backend that refuses what the standard lacks."""

from __future__ import annotations

import pytest

from minigrad import backend
from tests.backend import strict_backend  # noqa: F401 (registers it)


@pytest.fixture(autouse=True, params=["numpy", "strict"])
def on_backend(request):
    before = backend.current().name
    backend.use(request.param)
    yield request.param
    backend.use(before)
