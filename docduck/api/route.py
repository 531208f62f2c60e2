"""The route of every resource: checks of key and request, and a body that is read within limits.

    router = ResourceRouter("/parsers", "Parsers", read="parsers:read", write="parsers:write")

    @router.get("/{parserId}")

The order of the checks keeps callers from learning what they may not see: the key (401) and its rate (429)
before any route, then the permission (403), the ids in the path and the names in the query (400), whether
the key is limited to other parsers (403, or 404 if the parser or classifier is not in the key's team), the
body (400, 413), and the Idempotency-Key (400, 409). Only then the endpoint is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Set
from contextlib import nullcontext
from typing import Any

from fastapi import APIRouter
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Path
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from docduck.api.request.body import LARGE_BYTES, parse_body, read_body
from docduck.api.request.current_caller import caller_of, installation_of
from docduck.api.request.idempotency import KEY, begin, idempotent
from docduck.api.request.lanes import lane_of
from docduck.api.request.path_ids import check_no_nul, resolved_ids
from docduck.api.response.entity_tags import unless_known
from docduck.errors import Forbidden, InputError, TooLarge
from docduck.service.accounts.caller import Caller
from docduck.service.classifiers.classifiers import get_classifier
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import get_parser

_PERMISSION = "x-required-permission"
ANY_KEY = "any"
"""In place of a permission: every valid key is enough."""

_BODILESS = {"GET", "HEAD"}
"""Methods whose requests have no body that means anything (RFC 9110, 9.3)."""

_SLUGGED = {"parserId", "classifierId"}
"""Ids for which a slug may stand, whatever it reads."""

_ACTIONS = {"bulk-update", "delete", "search", "reorder", "suggest"}
"""Actions at the place of an id in a path; a field with such a name is addressed by its id."""

_ACTIONS_ON_DOCUMENTS = {"cancel", "reprocess"}
"""Further actions at the place of a document's id."""

_MOST_NAMED = 100
"""Unknown properties that are named in one answer."""

_ROUTES: dict[Callable[..., Any], APIRoute] = {}
"""The routes of resources, by their endpoints."""

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def needs(permission: str, **more: Any) -> dict[str, Any]:
    """Return the ``openapi_extra`` of a route that needs a permission; ``GuardedRoute`` enforces it."""
    return {_PERMISSION: permission, "security": [{"ApiKey": []}], **more}


def operation_id(route: APIRoute) -> str:
    """Return ``folders.list``, the client's resource and method for a route, from its tag and function.

    Where these differ from the client's names, the route sets its ``operation_id``.
    """
    tag = str(route.tags[0]) if route.tags else "pages"
    return f"{re.sub('[ -]', '_', tag.lower())}.{route.name.rstrip('_')}"


class Route(APIRoute):
    """A route that answers HEAD like GET; the server leaves out the body.

    A response with an ETag that the request knows is answered with 304.
    """

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()

        async def conditional(request: Request) -> Response:
            return unless_known(request, await handle(request))

        return conditional

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return super().matches(self._as_get(scope))

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await super().handle(self._as_get(scope), receive, send)

    def _as_get(self, scope: Scope) -> Scope:
        methods = self.methods or ()
        is_head = scope["method"] == "HEAD" and "HEAD" not in methods and "GET" in methods
        return {**scope, "method": "GET"} if is_head else scope


class GuardedRoute(Route):
    """A route that needs a key with its permission."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child = super().matches(scope)
        params = child.get("path_params", {})
        named = [value for name, value in params.items() if name.endswith("Id") and name not in _SLUGGED]
        # "/documents/delete" is not a document with the id "delete": its other methods are 405.
        is_action = _ACTIONS.intersection(named) or params.get("documentId") in _ACTIONS_ON_DOCUMENTS
        return (Match.NONE, {}) if is_action else (match, child)

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()
        permission = permission_of(self)
        takes_json = self.body_field is not None
        takes_body = takes_json or "requestBody" in (self.openapi_extra or {})
        takes_body = takes_body or (self.methods or set()) <= _BODILESS
        is_read_only = permission.endswith(":read")
        parameters = frozenset(
            parameter.alias
            for parameter in get_flat_params(self.dependant)
            if not isinstance(parameter.field_info, Path)
        )

        async def guarded(request: Request) -> Response:
            caller, inst = caller_of(request), installation_of(request)
            require(caller, permission)
            request.scope["path_params"] = await resolved_ids(inst, caller.team_id, request.path_params)
            check_texts(request)
            check_query(request, parameters)
            parser_id = request.path_params.get("parserId")
            if parser_id is not None and not may_use(caller, parser_id):
                await run_in_threadpool(refuse_parser, inst, caller.team_id, parser_id)
            classifier_id = request.path_params.get("classifierId")
            if classifier_id is not None and caller.parser_ids is not None:
                await run_in_threadpool(require_classifier, inst, caller, classifier_id)

            async def read_and_handle(request: Request) -> Response:
                if not takes_body:
                    await refuse_body(request)
                if not takes_json:
                    return await handle(request)
                large = len(await read_body(request)) > LARGE_BYTES
                async with (
                    lane_of(request, "large_requests").turn(caller.team_id) if large else nullcontext()
                ):
                    request._json = await json_body(request)
                    return await handle(request)

            return await idempotent(request, inst, caller, read_and_handle, is_read_only=is_read_only)

        return guarded


class ResourceRouter(APIRouter):
    """The routes of a resource: those of GET need one permission, others another one if there is one.

    A route that needs a third one says so by its ``openapi_extra``.
    """

    def __init__(self, prefix: str, tag: str, *, read: str = "", write: str = "") -> None:
        super().__init__(prefix=prefix, tags=[tag], route_class=GuardedRoute)
        self._read, self._write = read, write or read

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        permission = self._read if options["methods"] == ["GET"] else self._write
        options["openapi_extra"] = needs(permission) | (options.get("openapi_extra") or {})
        super().add_api_route(path, endpoint, **options)
        route = self.routes[-1]
        assert isinstance(route, APIRoute)
        _ROUTES.setdefault(endpoint, route)


def route_of(endpoint: Callable[..., Any]) -> APIRoute:
    """Return the first route of an endpoint of a resource."""
    return _ROUTES[endpoint]


def permission_of(route: APIRoute) -> str:
    """Return the permission that a route needs."""
    permission = (route.openapi_extra or {}).get(_PERMISSION)
    assert permission, f"{route.path} must say which permission it needs"
    return str(permission)


def check_texts(request: Request) -> None:
    """Raise InputError for a NUL character in path or query, which databases don't accept."""
    for name, value in (*request.path_params.items(), *request.query_params.multi_items()):
        check_no_nul(name, str(value))


def check_query(request: Request, known: Set[str]) -> None:
    """Raise InputError for a query parameter that is unknown or given twice."""
    seen: set[str] = set()
    for name, _ in request.query_params.multi_items():
        if name not in known:
            raise InputError(f"Unknown parameter: {name}", name)
        if name in seen:
            raise InputError(f"Parameter given twice: {name}", name)
        seen.add(name)


def require(caller: Caller, permission: str) -> None:
    """Raise Forbidden unless the key has the permission, if it is not ``ANY_KEY``."""
    if permission not in (ANY_KEY, *caller.permissions):
        raise Forbidden


def may_use(caller: Caller, parser_id: str) -> bool:
    """Return whether the key may access the parser."""
    return caller.parser_ids is None or parser_id.lower() in caller.parser_ids


def listed_parsers(caller: Caller, parser_id: str | None) -> Set[str] | None:
    """Return the parsers of a list: the one that is asked for, or all that the key may use (None for any).

    Raise Forbidden for a parser that it may not use.
    """
    if parser_id is None:
        return caller.parser_ids
    if not may_use(caller, parser_id):
        raise Forbidden
    return frozenset({parser_id})


def refuse_parser(inst: Installation, team_id: str, parser_id: str) -> None:
    """Raise Forbidden, or NotFound if the parser is not in the team."""
    get_parser(inst, team_id, parser_id)
    raise Forbidden


def require_classifier(inst: Installation, caller: Caller, classifier_id: str) -> None:
    """Raise Forbidden if the key is limited to parsers and the classifier routes to others; NotFound."""
    targets = get_classifier(inst, caller.team_id, classifier_id).target_ids
    if caller.parser_ids is not None and not targets <= caller.parser_ids:
        raise Forbidden


async def refuse_body(request: Request) -> None:
    """Raise InputError for a body other than ``{}``, at a route that takes none."""
    try:
        value = await json_body(request)
    except TooLarge as error:
        raise InputError("This request takes no body") from error
    if isinstance(value, dict) and value:
        words = [(name, f"Unknown property: {name}") for name in value][:_MOST_NAMED]
        raise InputError(words[0][1], words[0][0], words)
    if value not in (None, {}):
        raise InputError("This request takes no body")


async def json_body(request: Request) -> Any:
    """Return the request's JSON body; None without one.

    Raise InputError, TooLarge, and the errors of ``docduck.api.request.idempotency.begin``.
    """
    body = await read_body(request)
    value = None
    if body:
        kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
        if kind != "application/json" and not kind.endswith("+json"):
            raise InputError("Send the body as JSON, with Content-Type: application/json")
        value = await parse_body(body)
    if KEY in request.headers:
        await run_in_threadpool(begin, request, body)
    return value
