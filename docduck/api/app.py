"""The application: routers under ``/api/v1``, and middleware."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache

import anyio.to_thread
from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute

from docduck import __version__
from docduck.api.memory import release_regularly
from docduck.api.middleware.access_log import RequestLog
from docduck.api.middleware.cors import Cors
from docduck.api.middleware.unhandled_errors import UnhandledErrors
from docduck.api.request.authentication import PREFIX, Authentication
from docduck.api.request.lane import Lane
from docduck.api.response import openapi
from docduck.api.response.metrics import CountedRequests, Metrics
from docduck.api.response.responses import handle_errors
from docduck.api.route import GuardedRoute
from docduck.api.routers import (
    audit_log,
    classifiers,
    docs,
    document_lists,
    document_processing,
    documents,
    exports,
    fields,
    files,
    folders,
    health,
    operations,
    parsers,
    post_processing,
    processing,
    review_stages,
    reviews,
    upload_page,
    upload_page_settings,
    url_processing,
    webhooks,
)
from docduck.service.core.installation import Installation
from docduck.service.previews.field_suggestions import FieldSuggestions
from docduck.service.previews.thumbnails import Thumbnails

_RESOURCES: Sequence[APIRouter] = (
    processing.router,
    document_processing.router,
    document_lists.router,
    documents.router,
    parsers.router,
    fields.router,
    post_processing.router,
    exports.router,
    url_processing.router,
    folders.router,
    classifiers.router,
    upload_page_settings.router,
    review_stages.router,
    reviews.router,
    webhooks.router,
    operations.router,
    audit_log.router,
)
"""In the order of use: a path is looked up in each in turn."""

_WITHOUT_KEY: Sequence[APIRouter] = (files.router, health.router, docs.router, upload_page.router)
"""Routers outside of ``/api/v1``, which need no key."""


def create_app(inst: Installation) -> FastAPI:
    """Return the REST API of an open installation; the caller closes it after the application has ended."""
    app = FastAPI(
        title="docduck",
        version=__version__,
        description=openapi.INTRODUCTION,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
        routes=_routes(),
    )
    app.state.installation = inst
    app.state.metrics = Metrics()
    app.state.thumbnails = Thumbnails(inst)
    limits = inst.settings
    app.state.searches = Lane(
        "searches", limits.search_threads, limits.search_team_threads, limits.search_wait_seconds
    )
    app.state.corrections = Lane(
        "changes of values",
        limits.correction_threads,
        limits.correction_team_threads,
        limits.correction_wait_seconds,
    )
    app.state.classifications = Lane(
        "classifications", limits.side_workers, limits.side_workers, limits.classify_inline_seconds
    )
    app.state.exports = Lane(
        "exports", limits.export_threads, limits.export_team_threads, limits.export_wait_seconds
    )
    app.state.suggestions = FieldSuggestions(inst)
    app.state.large_requests = Lane(
        "large requests",
        limits.api_large_requests,
        limits.api_large_team_requests,
        limits.api_large_request_seconds,
    )
    handle_errors(app)
    openapi.describe(app)
    app.add_middleware(Authentication, inst=inst)
    app.add_middleware(UnhandledErrors)
    if origins := inst.settings.cors_allowed_origins:
        app.add_middleware(Cors, origins=origins)
    app.add_middleware(RequestLog)
    app.add_middleware(CountedRequests, metrics=app.state.metrics)
    return app


@cache
def _routes() -> list[BaseRoute]:
    """Return all routes; what they take and return is analysed once per process."""
    resources = APIRouter(prefix=PREFIX, route_class=GuardedRoute)
    for router in _RESOURCES:
        resources.include_router(router)
    routes = APIRouter()
    for router in (resources, *_WITHOUT_KEY):
        routes.include_router(router)
    return routes.routes


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings = app.state.installation.settings
    anyio.to_thread.current_default_thread_limiter().total_tokens = settings.api_threads
    releasing = asyncio.create_task(release_regularly())
    yield
    releasing.cancel()
    app.state.searches.close()
    app.state.corrections.close()
    app.state.exports.close()
