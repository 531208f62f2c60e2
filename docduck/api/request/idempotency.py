"""``Idempotency-Key`` on POST: a repeated request has no effect and gets the first response.

Requests are the same if path, query and content are: the bytes of a JSON body, or the fields, file names and
file hashes of a form. The code that reads the body calls ``start`` once it is complete.
``docduck.service.requests.idempotency`` stores the responses, except those with a status of 500 or above. A
repeated request that has no response is processed again, and finds what it did
(``docduck.service.core.started_request``). If it recorded nothing and its response was too large to store, it
is refused, unless it only reads.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from docduck.errors import InputError
from docduck.owner import HEARTBEAT_SECONDS
from docduck.service.accounts.caller import Caller, KeyOwner
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import derived_key
from docduck.service.core.started_request import KeyedRequest, processing
from docduck.service.requests import idempotency as service

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

KEY = "idempotency-key"
"""The header's name."""

_LONGEST = 255
_STORED_HEADERS = (
    "content-type",
    "location",
    "content-disposition",
    "x-document-count",
    "x-row-count",
    "x-skipped-documents",
    "x-export-warnings",
)
_STATE = "idempotent"
_log = logging.getLogger(__name__)


class _AlreadyAnswered(Exception):
    """The request has a stored response."""

    def __init__(self, replay: service.Replay) -> None:
        self.replay = replay


class _Attempt:
    """A request with an Idempotency-Key."""

    def __init__(
        self, request: Request, inst: Installation, caller: KeyOwner, key: str, *, is_read_only: bool
    ) -> None:
        self._request, self._inst, self._caller, self._key = request, inst, caller, key
        self._is_read_only = is_read_only
        self.keyed = KeyedRequest()

    def begin(self, content: bytes) -> None:
        scope = self._request.scope
        whole = scope["path"].encode() + b"?" + scope["query_string"] + b"\n" + content
        # Keyed: a hash alone would tell, by trial, a password that the body holds.
        digest = hmac.new(derived_key(self._inst.settings, "requests"), whole, "sha256")
        caller = self._caller
        begun = service.start(self._inst, caller.team_id, caller.key_id, self._key, digest.hexdigest())
        if isinstance(begun, service.Replay):
            raise _AlreadyAnswered(begun)
        self.keyed.started = begun

    def finish(self, response: Response) -> None:
        begun = self.keyed.started
        assert begun is not None, "the code that reads the body must call begin"
        # One that is streamed has none.
        body = getattr(response, "body", None)
        headers = {k: v for k, v in response.headers.items() if k.lower() in _STORED_HEADERS}
        service.finish(
            self._inst, begun, response.status_code, headers, body, is_read_only=self._is_read_only
        )
        self.keyed.started = None

    def abandon(self) -> None:
        if self.keyed.started is not None:
            service.abandon(self._inst, self.keyed.started)

    async def keep(self) -> None:
        """Hold the request for as long as it is processed."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            if self.keyed.started is not None:
                try:
                    await run_in_threadpool(service.keep, self._inst, self.keyed.started)
                except SQLAlchemyError as error:
                    _log.warning("An Idempotency-Key is not held: %s", type(error).__name__)


async def idempotent(
    request: Request, inst: Installation, caller: Caller, handle: Handler, *, is_read_only: bool = False
) -> Response:
    """Return the response of ``handle``, or the stored one; a caller without a key never repeats a request.

    Raise InputError for a key that is too long or was used for another request, Conflict while the
    first request is still in progress and if its response was too large to store.
    """
    key = request.headers.get(KEY)
    if key is None or request.method != "POST" or not isinstance(caller, KeyOwner):
        return await handle(request)
    if not 1 <= len(key) <= _LONGEST or not key.isascii() or not key.isprintable():
        raise InputError(f"Idempotency-Key must have 1 to {_LONGEST} printable ASCII characters")
    attempt = _Attempt(request, inst, caller, key, is_read_only=is_read_only)
    request.scope["state"][_STATE] = attempt
    with processing(attempt.keyed):
        try:
            async with _kept(attempt):
                response = await handle(request)
                await run_in_threadpool(attempt.finish, response)
            return response
        except _AlreadyAnswered as known:
            replay = known.replay
            return Response(replay.body, replay.status, {**replay.headers, "Idempotent-Replayed": "true"})
        finally:
            await run_in_threadpool(attempt.abandon)


@asynccontextmanager
async def _kept(attempt: _Attempt) -> AsyncIterator[None]:
    keeping = asyncio.create_task(attempt.keep())
    try:
        yield
    finally:
        keeping.cancel()


def begin(request: Request, content: bytes) -> None:
    """Begin a request whose body was read; ``content`` is the body, or a digest of it.

    Do nothing without an Idempotency-Key. This queries the catalog: call it in a thread.
    """
    attempt = request.scope["state"].get(_STATE)
    if attempt is not None:
        attempt.begin(content)
