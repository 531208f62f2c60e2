"""A running server, as for the API's tests."""

from tests.api.conftest import api, lite

__all__ = ["api", "lite"]
