"""Health checks and metrics, which need no key."""

from __future__ import annotations

from typing import Any

import anyio
import anyio.to_thread
from fastapi import APIRouter, Request, Response
from pydantic import Field

from docduck.api.response.metrics import CONTENT_TYPE, Backlog, Metrics
from docduck.api.route import Route
from docduck.api.schemas.base import ResponseModel
from docduck.service.core.installation import Installation
from docduck.service.upkeep import health


class Liveness(ResponseModel):
    """The process takes requests."""

    status: str = Field(examples=["ok"])


class Readiness(ResponseModel):
    """Whether requests can be served, and what is missing, by part.

    `warnings` are troubles in spite of which requests are served.
    """

    status: str = Field(examples=["ready"])
    problems: dict[str, str] = Field(examples=[{}])
    warnings: dict[str, str] = Field(examples=[{}])


router = APIRouter(tags=["Health"], route_class=Route)

Responses = dict[int | str, dict[str, Any]]

_SECONDS = 1.5
_AT_ONCE = 2
_UNREADY: Responses = {503: {"model": Readiness, "description": "Not ready"}}
_METRICS: Responses = {200: {"description": "Prometheus' text format", "content": {"text/plain": {}}}}


@router.get("/healthz", summary="Whether the process is alive")
async def healthz() -> Liveness:
    """Return 200 as long as the process takes requests; no database is queried."""
    return Liveness(status="ok")


@router.get("/readyz", summary="Whether requests can be served", responses=_UNREADY)
async def readyz(request: Request, response: Response) -> Readiness:
    """Return 200 if the catalog responds, has this docduck's schema, and the home can be written.

    That documents wait and nothing reads them is a warning: requests are served.
    """
    inst: Installation = request.app.state.installation
    limiter = _limiter(request)
    problems = {"catalog": f"the catalog did not respond within {_SECONDS:g} s"}
    trouble = None
    with anyio.move_on_after(_SECONDS):
        # Not in the threads of requests, which may all be waiting for the catalog.
        problems = await anyio.to_thread.run_sync(
            health.problems, inst, limiter=limiter, abandon_on_cancel=True
        )
        if not problems:
            trouble = await anyio.to_thread.run_sync(
                health.reading_trouble, inst, limiter=limiter, abandon_on_cancel=True
            )
    response.status_code = 503 if problems else 200
    warnings = {"reading": trouble} if trouble else {}
    return Readiness(status="unready" if problems else "ready", problems=problems, warnings=warnings)


@router.get("/metrics", summary="Figures for Prometheus", response_class=Response, responses=_METRICS)
async def metrics(request: Request) -> Response:
    """Return the figures of requests, uploads, queues and webhooks. Queues are by team, by id."""
    inst: Installation = request.app.state.installation
    backlog: Backlog | None = None
    with anyio.move_on_after(_SECONDS):
        backlog = await anyio.to_thread.run_sync(
            _backlog, inst, limiter=_limiter(request), abandon_on_cancel=True
        )
    collected: Metrics = request.app.state.metrics
    collected.free_bytes.set(health.free_bytes(inst))
    return Response(collected.text(backlog), media_type=CONTENT_TYPE)


def _limiter(request: Request) -> anyio.CapacityLimiter:
    state = request.app.state
    if not hasattr(state, "health_limiter"):
        state.health_limiter = anyio.CapacityLimiter(_AT_ONCE)
    limiter: anyio.CapacityLimiter = state.health_limiter
    return limiter


def _backlog(inst: Installation) -> Backlog | None:
    try:
        return Backlog(health.queues(inst), health.deliveries(inst), health.tables_behind_seconds(inst))
    except Exception:
        # That the catalog is down is a figure of its own.
        return None
