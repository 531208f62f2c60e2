"""The application: the REST API under ``/api/v1``, MCP under ``/mcp``, the pages, and middleware."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache

import anyio.to_thread
from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute, Route

from docduck import __version__, tracing
from docduck.api.request.authentication import PREFIX, Authentication
from docduck.api.request.lanes import open_lanes
from docduck.api.response import openapi
from docduck.api.response.metrics import CountedRequests, Metrics
from docduck.api.response.responses import handle_errors
from docduck.api.route import GuardedRoute, operation_id
from docduck.api.routers import (
    audit_log,
    classifiers,
    docs,
    evaluations,
    events,
    exports,
    fields,
    folders,
    health,
    lessons,
    me,
    models,
    parsers,
    post_processing,
    review_stages,
    reviews,
    upload_page_settings,
    usage,
)
from docduck.api.routers.documents import (
    document_lists,
    document_processing,
    documents,
    files,
    operations,
    team_documents,
)
from docduck.api.routers.uploads import processing, url_processing
from docduck.api.routers.webhooks import team_webhooks, webhooks
from docduck.mcp.authorization import Verifier
from docduck.mcp.endpoint import McpEndpoint, McpRoute
from docduck.mcp.uploads import router as uploads
from docduck.outbound.forwarding import Forwarder
from docduck.server.memory import release_regularly
from docduck.server.middleware.access_log import RequestLog
from docduck.server.middleware.compression import Compression
from docduck.server.middleware.cors import Cors
from docduck.server.middleware.traces import TracedRequests
from docduck.server.middleware.unhandled_errors import UnhandledErrors
from docduck.service.accounts.account_mails import check_mail_settings
from docduck.service.accounts.openid.provider import open_provider
from docduck.service.core.installation import Installation
from docduck.service.oauth.protocol import PATH as MCP_PATH
from docduck.service.oauth.tokens import check_access_token
from docduck.web.page_route import tell_unknown_pages
from docduck.web.routers import PAGES

DAGSTER_UI_SECONDS = 60
"""For each step of an answer behind ``/dagster``."""
DAGSTER_UI_CONNECTIONS = 40

_RESOURCES: Sequence[APIRouter] = (
    processing.router,
    document_processing.router,
    document_lists.router,
    document_lists.team_router,
    team_documents.router,
    documents.router,
    parsers.router,
    fields.router,
    lessons.router,
    post_processing.router,
    evaluations.router,
    exports.router,
    url_processing.router,
    folders.router,
    classifiers.router,
    upload_page_settings.router,
    review_stages.router,
    reviews.router,
    webhooks.router,
    team_webhooks.router,
    events.router,
    operations.router,
    audit_log.router,
    me.router,
    models.router,
    usage.router,
)
"""In the order of use: a path is looked up in each in turn."""

_WITHOUT_KEY: Sequence[APIRouter] = (
    files.router,
    health.router,
    docs.router,
    uploads,
    *PAGES,
)
"""Routers outside of ``/api/v1``, which need no key."""


def create_app(inst: Installation, verify: Verifier = check_access_token) -> FastAPI:
    """Return the application of an open installation; the caller closes it after the application ended.

    ``verify`` checks the access tokens of MCP clients.
    """
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
    limits = inst.settings
    app.state.lanes = open_lanes(limits)
    app.state.mcp = McpEndpoint(inst, verify)
    # First, as paths are looked up in order.
    for path in (MCP_PATH, f"{MCP_PATH}/"):
        app.router.routes.insert(0, Route(path, McpRoute(), methods=["POST"]))
    app.state.dagster_ui = limits.dagster_url and Forwarder(
        limits.dagster_url, DAGSTER_UI_SECONDS, DAGSTER_UI_CONNECTIONS
    )
    check_mail_settings(inst.settings)
    app.state.openid_provider = open_provider(inst.settings)
    handle_errors(app)
    tell_unknown_pages(app)
    openapi.describe(app, limits.base_url)
    app.add_middleware(Authentication, inst=inst)
    app.add_middleware(UnhandledErrors)
    app.add_middleware(Compression)
    if origins := inst.settings.cors_allowed_origins:
        app.add_middleware(Cors, origins=origins)
    app.add_middleware(RequestLog)
    if tracing.is_on():
        app.add_middleware(TracedRequests)
    app.add_middleware(CountedRequests, metrics=app.state.metrics)
    return app


@cache
def _routes() -> list[BaseRoute]:
    """Return all routes; what they take and return is analysed once per process."""
    resources = APIRouter(prefix=PREFIX, route_class=GuardedRoute)
    for router in _RESOURCES:
        resources.include_router(router)
    routes = APIRouter(generate_unique_id_function=operation_id)
    for router in (resources, *_WITHOUT_KEY):
        routes.include_router(router)
    return routes.routes


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings = app.state.installation.settings
    anyio.to_thread.current_default_thread_limiter().total_tokens = settings.api_threads
    releasing = asyncio.create_task(release_regularly())
    async with app.state.mcp.running():
        yield
    releasing.cancel()
    for lane in app.state.lanes.values():
        lane.close()
    if app.state.dagster_ui:
        await app.state.dagster_ui.close()
