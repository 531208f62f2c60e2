"""The application's lanes, and dependencies of endpoints on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

from fastapi import Depends
from starlette.requests import Request

from docduck.api.request.lane import Lane
from docduck.settings import Settings

_PAGE_THREADS, _PAGE_TEAM_THREADS = 8, 2


def open_lanes(own: Settings) -> dict[str, Lane]:
    """Return the lanes by name."""
    return {
        "searches": Lane("searches", own.search_threads, own.search_team_threads, own.search_wait_seconds),
        "corrections": Lane(
            "changes of values",
            own.correction_threads,
            own.correction_team_threads,
            own.correction_wait_seconds,
        ),
        "classifications": Lane(
            "classifications", own.side_workers, own.side_workers, own.classify_inline_seconds
        ),
        "page_views": Lane("pages", _PAGE_THREADS, _PAGE_TEAM_THREADS, own.preview_seconds),
        "evaluations": Lane("evaluations", own.side_workers, own.side_workers, own.mcp_wait_seconds),
        "exports": Lane("exports", own.export_threads, own.export_team_threads, own.export_wait_seconds),
        "queries": Lane("queries", own.query_processes, own.query_team_processes, own.query_wait_seconds),
        "large_requests": Lane(
            "large requests",
            own.api_large_requests,
            own.api_large_team_requests,
            own.api_large_request_seconds,
        ),
    }


def lane_of(request: Request, name: str) -> Lane:
    """Return a lane of the application."""
    return cast(Mapping[str, Lane], request.app.state.lanes)[name]


def _lane(name: str) -> Any:
    # A coroutine, because FastAPI runs plain functions in a thread for every request.
    async def found(request: Request) -> Lane:
        return lane_of(request, name)

    return Depends(found)


Searches = Annotated[Lane, _lane("searches")]
Corrections = Annotated[Lane, _lane("corrections")]
Classifications = Annotated[Lane, _lane("classifications")]
PageViews = Annotated[Lane, _lane("page_views")]
Evaluations = Annotated[Lane, _lane("evaluations")]
Exports = Annotated[Lane, _lane("exports")]
Queries = Annotated[Lane, _lane("queries")]
