"""Entity tags (RFC 9110, 8.8.3) of documents and parsers, and requests that depend on them.

    ETag: "<version>-<digest>"

The version, which the body has too, is the state that a PATCH changes; ``If-Match`` compares it alone. The
digest is of the whole body, so ``If-None-Match`` also notices what changes by itself, such as counts.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from docduck.api.response.openapi import error_responses
from docduck.errors import InputError
from docduck.service.previews.signed_links import LINK_SECONDS

_TAGS = re.compile(r'\s*(?:(W/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,\s*|$))')
_LINKS = ("url", "thumbnail", "markdownUrl")
_KEPT = ("etag", "cache-control", "content-location", "expires", "vary")
"""Headers that a 304 has as the 200 would (RFC 9110, 15.4.5)."""
_DIGITS = 16


class TaggedResponse(JSONResponse):
    """JSON with an ETag; the body has a ``version``."""

    def render(self, content: Any) -> bytes:
        self._tag = f'"{content["version"]}-{_digest(content)}"'
        return super().render(content)

    def init_headers(self, headers: Mapping[str, str] | None = None) -> None:
        super().init_headers({**(headers or {}), "ETag": self._tag})


def _digest(content: Mapping[str, Any]) -> str:
    """Return a digest of a body that is the same for half as long as the links in it hold."""
    metadata = content.get("metadata")
    shown = {key: value for key, value in content.items() if key not in _LINKS}
    if metadata is not None:
        shown["metadata"] = {key: value for key, value in metadata.items() if key not in _LINKS}
        shown["links"] = int(time.time()) // (LINK_SECONDS // 2)
    return hashlib.sha256(json.dumps(shown).encode()).hexdigest()[:_DIGITS]


def tagged(*errors: int, changes: bool = False) -> dict[str, Any]:
    """Return the options of a route whose responses have an ETag: one that reads, or one that ``changes``.

    ``errors`` are the statuses of its further errors.
    """
    header = {"description": "Names this state of it", "schema": {"type": "string"}}
    responses = {**error_responses(*errors), 200: {"headers": {"ETag": header}}}
    name, about = "If-None-Match", "The `ETag` of another response: 304 without a body if nothing has changed"
    if changes:
        responses |= error_responses(412)
        name, about = "If-Match", "The `ETag` or `version` that is to be changed: 412 if it is another by now"
    else:
        responses[304] = {"description": "Not modified"}
    parameter = {"name": name, "in": "header", "schema": {"type": "string"}, "description": about}
    return {
        "response_class": TaggedResponse,
        "responses": responses,
        "openapi_extra": {"parameters": [parameter]},
    }


async def _versions(request: Request) -> frozenset[str] | None:
    value = request.headers.get("if-match")
    if value is None or value.strip() == "*":
        return None
    tags = _parsed(value)
    if tags is None:
        raise InputError('If-Match must be an entity tag in quotes, such as "4d1f…", or *', "If-Match")
    return frozenset(tag.partition("-")[0] for is_weak, tag in tags if not is_weak)


IfMatch = Annotated[frozenset[str] | None, Depends(_versions)]
"""The versions of which one is to be changed; None for any."""


def unless_known(request: Request, response: Response) -> Response:
    """Return the response, or a 304 if ``If-None-Match`` has its ETag."""
    tag, known = response.headers.get("etag"), request.headers.get("if-none-match")
    if response.status_code != 200 or tag is None or known is None or request.method not in ("GET", "HEAD"):
        return response
    wanted = tag.removeprefix("W/").strip('"')
    if known.strip() != "*" and wanted not in {text for _, text in _parsed(known) or ()}:
        return response
    return Response(
        status_code=304, headers={name: response.headers[name] for name in _KEPT if name in response.headers}
    )


def _parsed(value: str) -> list[tuple[bool, str]] | None:
    """Return the tags of a header, each with whether it is weak; None if it is malformed."""
    tags: list[tuple[bool, str]] = []
    at = 0
    while at < len(value):
        match = _TAGS.match(value, at)
        if match is None or match.end() == at:
            return None
        tags.append((match[1] is not None, match[2]))
        at = match.end()
    return tags or None
