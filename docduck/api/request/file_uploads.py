"""Receiving uploaded files without blocking the event loop or holding a file in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from docduck.api.request.body import chunks
from docduck.api.request.idempotency import begin
from docduck.api.request.multipart import MAX_FIELDS_BYTES, Form, FormReader
from docduck.errors import TooLarge
from docduck.files.writing import Batch
from docduck.service.core.installation import Installation
from docduck.service.uploads.url_uploads import MAX_UPLOAD_BYTES

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
    _check_length(request)
    batch = inst.files.batch()
    reader = FormReader(request.headers.get("content-type", ""), batch, inst.settings.max_file_bytes, fields)

    def close() -> Callable[[], T]:
        form = reader.close()
        begin(request, form.digest())
        return prepare(form)

    return await receive_files(request, batch, reader.feed, close)


async def receive_files(
    request: Request,
    batch: Batch,
    feed: Callable[[bytes], None],
    close: Callable[[], Callable[[], T]],
) -> T:
    """Pass the body to ``feed`` piece by piece, store the files of ``batch``, and return the result.

    ``close`` is called while the files are in a temporary place, and the function that it returns once they
    are in the store. All of them run in threads. If one raises or the body is incomplete, nothing is stored.
    """

    def finish(last: bytes) -> T:
        with batch:
            feed(last)
            complete = close()
        return complete()

    try:
        last = await _feed(request, feed)
    except BaseException:
        await run_in_threadpool(batch.drop)
        raise
    return await run_in_threadpool(finish, last)


@asynccontextmanager
async def received_aside(
    request: Request, inst: Installation, fields: Collection[str] = ()
) -> AsyncIterator[tuple[Form, Batch]]:
    """Receive an upload whose files are never stored: they are in a temporary place during the block.

    Raise InputError, TooLarge, BodyTooSlow and ClientDisconnect.
    """
    _check_length(request)
    batch = inst.files.batch()
    reader = FormReader(request.headers.get("content-type", ""), batch, inst.settings.max_file_bytes, fields)
    try:
        await run_in_threadpool(reader.feed, await _feed(request, reader.feed))
        yield reader.close(), batch
    finally:
        await run_in_threadpool(batch.drop)


def _check_length(request: Request) -> None:
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > MAX_UPLOAD_BYTES + MAX_FIELDS_BYTES:
        raise TooLarge("File too large")


async def _feed(request: Request, feed: Callable[[bytes], None]) -> bytes:
    """Pass the body to ``feed`` in threads; return its last piece, which is still to be passed."""
    held = bytearray()
    async for chunk in chunks(request):
        held += chunk
        if len(held) >= _CHUNK_BYTES:
            piece, held = bytes(held), bytearray()
            await run_in_threadpool(feed, piece)
    return bytes(held)
