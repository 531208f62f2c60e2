"""The Allow header of a 405 (RFC 9110, 15.5.6)."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.routing import Match
from starlette.types import Scope

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")


def allowed_methods(app: FastAPI, scope: Scope) -> list[str]:
    """Return the methods that the scope's path supports, in their usual order."""
    return [method for method in METHODS if _matches(app, {**scope, "method": method})]


def _matches(app: FastAPI, scope: Scope) -> bool:
    return any(route.matches(scope)[0] is Match.FULL for route in app.router.routes)
