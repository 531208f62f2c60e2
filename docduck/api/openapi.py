"""The OpenAPI document: its introduction, how keys are sent, and no trace of what is never answered."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

INTRODUCTION = """\
Upload documents, get their values and tables.

Send an API key with every request: `Authorization: Bearer docduck_…` (`docduck keys create NAME` makes
one). Errors are `{"error": true, "message": "…"}`; validation errors list their places in `details`, a 404
lists what is missing in `notFound`. Lists are `{"data": […], "pagination": {…}}`. A POST may carry an
`Idempotency-Key`: sent again, it gets the first answer. Limits are told in `X-RateLimit-*` headers, and
every answer has an `X-Request-Id`, which the log has, too.
"""

_SCHEME = {
    "ApiKey": {"type": "http", "scheme": "bearer", "description": "An API key: `docduck_` and 43 characters"}
}


def describe(app: FastAPI) -> None:
    """Give ``app`` its document, made once."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            schema.setdefault("components", {})["securitySchemes"] = _SCHEME
            for path in schema["paths"].values():
                for operation in path.values():
                    operation["responses"].pop("422", None)
            for unused in ("HTTPValidationError", "ValidationError"):
                schema["components"].get("schemas", {}).pop(unused, None)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]
