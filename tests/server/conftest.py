"""A running server, as for the API's tests."""

from tests.api.conftest import api, lite, shared

__all__ = ["api", "lite", "shared"]
