"""The OpenAPI document: introduction, authentication, common errors, links."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from docduck.api.response.property_words import describe_properties
from docduck.api.response.webhook_events import payload_schemas, webhook_items
from docduck.api.schemas.base import ErrorResponse

DESCRIPTIONS = {
    400: "Bad request",
    401: "No valid API key",
    403: "Access denied",
    404: "Not found",
    405: "Method not allowed",
    408: "The body did not arrive in time",
    409: "The current state does not allow it",
    412: "It has changed since",
    413: "Too large",
    415: "Unsupported type",
    429: "Rate limit or the team's quota exceeded, or too many requests of this kind in progress",
    500: "Internal server error",
    503: "Temporarily unavailable",
}


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the ``responses`` of a route: the errors that ``openapi`` does not add by itself."""
    return {status: {"model": ErrorResponse, "description": DESCRIPTIONS[status]} for status in statuses}


INTRODUCTION = """\
Upload documents, get their values and tables.

Send an API key with every request: `Authorization: Bearer docduck_…` (`docduck keys create NAME` creates
one). Errors are `{"error": true, "code": "…", "message": "…"}`: programs tell them apart by the code.
Validation errors list their places in `details`, a 404 lists what is missing in `notFound`. Lists are
`{"data": […], "pagination": {…}}`. `X-RateLimit-*` headers hold the limits, and every response has an
`X-Request-Id`, which is also in the log.

A POST may carry an `Idempotency-Key`, which is kept for 24 hours: it is done once, however often it is sent,
also if the response was lost. The same request gets the first response, another one under that key is 400.
While the first is in progress it is 409: send it again later.
"""

_LINKS = {
    ("/api/v1/parsers", "post", "201"): {"parserId": "$response.body#/id"},
    ("/api/v1/classifiers", "post", "201"): {"classifierId": "$response.body#/id"},
    ("/api/v1/parsers/{parserId}/folders", "post", "201"): {
        "parserId": "$request.path.parserId",
        "folderId": "$response.body#/id",
    },
    ("/api/v1/parsers/{parserId}/webhooks", "post", "201"): {
        "parserId": "$request.path.parserId",
        "webhookId": "$response.body#/id",
    },
    ("/api/v1/parsers/{parserId}/export-layouts", "post", "201"): {
        "parserId": "$request.path.parserId",
        "layoutId": "$response.body#/id",
    },
    ("/api/v1/parsers/{parserId}/fields", "get", "200"): {
        "parserId": "$request.path.parserId",
        "fieldId": "$response.body#/fields/0/id",
    },
    ("/api/v1/process/{parserId}/files", "post", "200"): {
        "parserId": "$request.path.parserId",
        "documentId": "$response.body#/result/0/documentId",
    },
}
"""Responses with the ids that other paths take: (path, method, status) → parameter → its place."""

_NEED_MORE_IDS = (
    "/documents",
    "/bulk-update",
    "/documents/delete",
    "/process/{parserId}/reprocess",
    "/reorder",
    "/suggest",
    "/files",
    "/urls",
    "/folders",
    "/folders/{folderId}",
    "/exports",
    "/export-layouts",
    "/export-layouts/{layoutId}",
)
"""Ends of paths whose bodies or queries refer to other things: the path's ids alone are not enough."""

_OF_ALL = (400, 401, 403, 404, 429, 500)
_ERROR = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorResponse"}}}

_SCHEME = {
    "ApiKey": {"type": "http", "scheme": "bearer", "description": "An API key: `docduck_` and 43 characters"}
}


_OF_EACH, _RETRY = ("X-Request-Id",), ("Retry-After",)
_RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
_HEADERS: dict[str, Any] = {
    "X-Request-Id": {"description": "Finds the request in the log", "schema": {"type": "string"}},
    "Retry-After": {"description": "Seconds to wait before the next try", "schema": {"type": "integer"}},
    "X-RateLimit-Limit": {
        "description": "Requests that the key has in the present minute or day, whichever has fewer left; "
        "without a limit, none of these headers is there",
        "schema": {"type": "integer"},
    },
    "X-RateLimit-Remaining": {"description": "Requests that are left", "schema": {"type": "integer"}},
    "X-RateLimit-Reset": {
        "description": "When the limit starts anew, in seconds since 1970",
        "schema": {"type": "integer"},
    },
}


def describe(app: FastAPI, base_url: str | None) -> None:
    """Set the document of ``app``, which is made once; ``base_url`` is its address, if that is known."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                routes=app.routes,
                servers=_servers(base_url),
            )
            schema.setdefault("components", {})["securitySchemes"] = _SCHEME
            schema["components"]["headers"] = _HEADERS
            for path in schema["paths"].values():
                for method, operation in path.items():
                    _complete(method, operation)
            for unused in ("HTTPValidationError", "ValidationError"):
                schema["components"].get("schemas", {}).pop(unused, None)
            schema["components"]["schemas"] |= payload_schemas()
            schema["webhooks"] = webhook_items()
            describe_properties(schema)
            _link(schema["paths"])
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _complete(method: str, operation: dict[str, Any]) -> None:
    """Add the errors that all operations with a permission share, and those that a body or a POST brings."""
    responses = operation["responses"]
    responses.pop("422", None)
    if "x-required-permission" not in operation:
        return
    # A body can be late or too long, and a POST can be repeated while it is still in progress.
    of_body = (408, 413) if "requestBody" in operation else ()
    of_post = (409,) if method == "post" else ()
    for status in (*_OF_ALL, *of_body, *of_post):
        responses.setdefault(str(status), {"description": DESCRIPTIONS[status], "content": _ERROR})
    for status, response in responses.items():
        names = [
            *_OF_EACH,
            *(_RATE if status != "401" else ()),
            *(_RETRY if status in ("429", "503") else ()),
        ]
        response["headers"] = response.get("headers", {}) | {name: _reference(name) for name in names}
    operation["responses"] = dict(sorted(responses.items()))


def _servers(base_url: str | None) -> list[dict[str, str]]:
    """Return where the API is: at its own address, or at that of the document."""
    here = {"url": "/", "description": "The server of this document"}
    return [{"url": base_url.rstrip("/"), "description": "This docduck"}, here] if base_url else [here]


def _reference(header: str) -> dict[str, str]:
    return {"$ref": f"#/components/headers/{header}"}


def _link(paths: dict[str, Any]) -> None:
    """Add OpenAPI links from operations that create a thing to those that use it."""
    for (path, method, status), ids in _LINKS.items():
        links = paths[path][method]["responses"][status].setdefault("links", {})
        for place, target in paths.items():
            for verb, operation in target.items():
                if verb not in ("get", "delete") and place.endswith(_NEED_MORE_IDS):
                    continue
                taken = {
                    parameter["name"]
                    for parameter in operation.get("parameters", ())
                    if parameter["in"] == "path"
                }
                newest = list(ids)[-1]
                if newest in taken and taken <= ids.keys():
                    parameters = {name: ids[name] for name in sorted(taken)}
                    links[operation["operationId"]] = {
                        "operationId": operation["operationId"],
                        "parameters": parameters,
                    }
