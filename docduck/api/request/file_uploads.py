"""Receiving uploaded files without blocking the event loop or holding a file in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from docduck.api.request.body import chunks
from docduck.api.request.idempotency import begin
from docduck.api.request.multipart import Form, FormReader, most_bytes
from docduck.errors import TooLarge
from docduck.service.core.installation import Installation

T = TypeVar("T")

_CHUNK_BYTES = 256 * 1024


async def receive(
    request: Request,
    inst: Installation,
    prepare: Callable[[Form], Callable[[], T]],
    fields: Collection[str] = (),
) -> T:
    """Receive an upload of files and of these ``fields``.

    ``prepare`` validates the upload while its files are in a temporary place; the function that it returns is
    called once they are in the store. Both run in a thread.

    An upload that is refused or incomplete leaves nothing behind. Raise InputError, TooLarge, BodyTooSlow,
    ClientDisconnect, and the errors of the two functions and of ``idempotency.begin``.
    """
    settings = inst.settings
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > most_bytes(settings):
        raise TooLarge("File too large")
    batch = inst.files.batch()
    reader = FormReader(request.headers.get("content-type", ""), batch, settings, fields)
    held = bytearray()

    def finish() -> T:
        with batch:
            reader.feed(bytes(held))
            form = reader.close()
            begin(request, form.digest())
            complete = prepare(form)
        return complete()

    try:
        async for chunk in chunks(request, settings.api_body_seconds):
            held += chunk
            if len(held) >= _CHUNK_BYTES:
                piece, held = bytes(held), bytearray()
                await run_in_threadpool(reader.feed, piece)
    except BaseException as error:
        await run_in_threadpool(batch.__exit__, type(error), error, None)
        raise
    return await run_in_threadpool(finish)
