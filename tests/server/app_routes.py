"""The routes of the application, those of included routers as well."""

from __future__ import annotations

from typing import Any

from fastapi.routing import _IncludedRouter

from docduck.server.app import create_app
from docduck.service.core.installation import Installation


def app_routes(inst: Installation) -> list[Any]:
    """Every HTTP route: each has ``path``, ``methods`` and ``include_in_schema``."""
    found: list[Any] = []
    for route in create_app(inst).routes:
        found += route.effective_route_contexts() if isinstance(route, _IncludedRouter) else [route]
    return found
