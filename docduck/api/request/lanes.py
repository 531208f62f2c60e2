"""The application's lanes, and dependencies of endpoints on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

from fastapi import Depends
from starlette.requests import Request

from docduck.api.request.lane import Lane
from docduck.settings import Settings

_PAGE_THREADS, _PAGE_TEAM_THREADS = 8, 2
SEARCH_TEAM_THREADS, SEARCH_WAIT_SECONDS = 2, 15
CORRECTION_WAIT_SECONDS = 30
LARGE_REQUESTS, LARGE_REQUEST_WAIT_SECONDS = 2, 30
_EVALUATION_WAIT_SECONDS, _EXPORT_WAIT_SECONDS, _QUERY_WAIT_SECONDS = 15, 30, 30
_CLASSIFICATION_WAIT_SECONDS, _PAGE_WAIT_SECONDS = 20, 20


def open_lanes(own: Settings) -> dict[str, Lane]:
    """Return the lanes by name."""
    return {
        "searches": Lane("searches", own.search_threads, SEARCH_TEAM_THREADS, SEARCH_WAIT_SECONDS),
        "corrections": Lane("changes of values", own.correction_threads, 1, CORRECTION_WAIT_SECONDS),
        "classifications": Lane(
            "classifications", own.side_workers, own.side_workers, _CLASSIFICATION_WAIT_SECONDS
        ),
        "page_views": Lane("pages", _PAGE_THREADS, _PAGE_TEAM_THREADS, _PAGE_WAIT_SECONDS),
        "evaluations": Lane("evaluations", own.side_workers, own.side_workers, _EVALUATION_WAIT_SECONDS),
        "exports": Lane("exports", own.export_threads, 1, _EXPORT_WAIT_SECONDS),
        "queries": Lane("queries", own.query_processes, 1, _QUERY_WAIT_SECONDS),
        "large_requests": Lane("large requests", LARGE_REQUESTS, 1, LARGE_REQUEST_WAIT_SECONDS),
    }


def lane_of(request: Request, name: str) -> Lane:
    """Return a lane of the application."""
    return cast(Mapping[str, Lane], request.app.state.lanes)[name]


def _lane(name: str) -> Any:
    # A coroutine, because FastAPI runs plain functions in a thread for every request.
    async def named_lane(request: Request) -> Lane:
        return lane_of(request, name)

    return Depends(named_lane)


Searches = Annotated[Lane, _lane("searches")]
Corrections = Annotated[Lane, _lane("corrections")]
Classifications = Annotated[Lane, _lane("classifications")]
PageViews = Annotated[Lane, _lane("page_views")]
Evaluations = Annotated[Lane, _lane("evaluations")]
Exports = Annotated[Lane, _lane("exports")]
Queries = Annotated[Lane, _lane("queries")]
