"""``Idempotency-Key`` on POST: the same request sent again gets the first one's answer, and does nothing.

The answers are kept by ``docduck.service.idempotency``; an answer of 500 or above is not, so that
trying again may help.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from docduck.errors import InputError
from docduck.service.idempotency import Replay, abandon, begin, finish
from docduck.service.installation import Installation
from docduck.service.keys import Caller

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

_LONGEST = 255
_KEPT_HEADERS = ("content-type", "location")


async def idempotent(request: Request, inst: Installation, caller: Caller, handle: Handler) -> Response:
    """The answer of ``handle``, or the kept one.

    Raises InputError for a key that is too long or was used for another request, Conflict while the
    first request is still in progress.
    """
    key = request.headers.get("idempotency-key")
    if key is None or request.method != "POST":
        return await handle(request)
    if not 1 <= len(key) <= _LONGEST or not key.isascii() or not key.isprintable():
        raise InputError(f"Idempotency-Key must have 1 to {_LONGEST} printable ASCII characters")
    begun = await run_in_threadpool(begin, inst, caller.team_id, caller.key_id, key, _fingerprint(request))
    if isinstance(begun, Replay):
        headers = {**begun.headers, "Idempotent-Replayed": "true"}
        return Response(begun.body, begun.status, headers)
    kept = False
    try:
        response = await handle(request)
        if response.status_code < 500 and isinstance(response.body, bytes):
            headers = {k: v for k, v in response.headers.items() if k.lower() in _KEPT_HEADERS}
            await run_in_threadpool(finish, inst, begun, response.status_code, headers, response.body)
            kept = True
        return response
    finally:
        if not kept:
            await run_in_threadpool(abandon, inst, begun)


def _fingerprint(request: Request) -> str:
    """What makes a request the same: its path and query, and its body where that is JSON.

    Files are not read a second time: of an upload, the length counts.
    """
    scope = request.scope
    digest = hashlib.sha256(scope["path"].encode() + b"?" + scope["query_string"] + b"\n")
    body = getattr(request, "_body", None)
    digest.update(request.headers.get("content-length", "").encode() if body is None else body)
    return digest.hexdigest()
