"""Downloading files from URLs into the store, all or none."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from docduck.documents.detection.sniff import stream_type
from docduck.errors import InputError, TooLarge, Transient
from docduck.files.writing import Batch, Incoming
from docduck.outbound.download import download
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.resolving import SYSTEM, Connecting
from docduck.outbound.urls import check_url
from docduck.service.core.installation import Installation
from docduck.service.uploads.file_uploads import UploadedFile

MAX_UPLOAD_FILES = 20
"""Files, or URLs, of one upload."""

MAX_UPLOAD_BYTES = 500 * 1024 * 1024
"""All files of an upload together."""

MAX_DOWNLOADS = 5
"""URLs of one upload that are fetched at the same time."""

T = TypeVar("T")


def check_urls(inst: Installation, urls: Sequence[str]) -> None:
    """Check the URLs' number and text without any request.

    Raise InputError for their number, UrlNotAllowed for the first that is refused.
    """
    if not 1 <= len(urls) <= MAX_UPLOAD_FILES:
        raise InputError(f"urls must contain between 1 and {MAX_UPLOAD_FILES} items", "urls")
    policy = OutboundPolicy.for_downloads(inst.settings)
    for index, url in enumerate(urls):
        try:
            check_url(url, policy)
        except InputError as error:
            raise _with_path(error, index) from None


async def fetch_urls(
    inst: Installation,
    urls: Sequence[str],
    prepare: Callable[[list[UploadedFile]], Callable[[], T]],
    seconds: float | None = None,
    connecting: Connecting = SYSTEM,
) -> T:
    """Download ``urls`` concurrently, within ``seconds`` if given.

    ``prepare`` is called with the files, in the order of the URLs, before they are in the store, and may
    refuse them; what it returns is called once they are stored. Both run in a thread.

    The first error ends all transfers and nothing is kept. Raise the errors of ``check_urls``,
    ``docduck.outbound.download``, ``prepare`` and its result, TooLarge for the total size, and Transient.
    """
    check_urls(inst, urls)
    policy = OutboundPolicy.for_downloads(inst.settings)
    batch = inst.files.batch()
    turns = asyncio.Semaphore(MAX_DOWNLOADS)
    together = _TotalSize(MAX_UPLOAD_BYTES)

    async def fetch(index: int, url: str) -> UploadedFile:
        async with turns:
            writing = await asyncio.to_thread(_Download, batch, together, policy.max_bytes)
            try:
                got = await download(url, writing, policy, connecting=connecting)
            except InputError as error:
                raise _with_path(error, index) from error.__cause__
            return await asyncio.to_thread(_finished, batch, writing.incoming, got.name)

    def finish(files: list[UploadedFile]) -> T:
        with batch:
            complete = prepare(files)
        return complete()

    try:
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
            tasks = [group.create_task(fetch(index, url)) for index, url in enumerate(urls)]
    except BaseExceptionGroup as errors:
        await _drop(batch, errors)
        raise errors.exceptions[0] from None
    except TimeoutError as error:
        await _drop(batch, error)
        raise Transient(f"The files were not fetched in {seconds:g} s; fetch fewer at a time") from error
    except BaseException as error:
        await _drop(batch, error)
        raise
    return await asyncio.to_thread(finish, [task.result() for task in tasks])


class _TotalSize:
    """The total size of an upload's files."""

    def __init__(self, limit: int) -> None:
        self._left = limit
        self._lock = threading.Lock()

    def take(self, size: int) -> None:
        with self._lock:
            self._left -= size
            if self._left < 0:
                raise TooLarge("File too large")


class _Download:
    """A file that is being downloaded into the batch."""

    def __init__(self, batch: Batch, together: _TotalSize, limit: int) -> None:
        self.incoming = batch.begin(limit)
        self._together = together

    def write(self, data: bytes, /) -> None:
        self._together.take(len(data))
        self.incoming.write(data)


def _finished(batch: Batch, incoming: Incoming, name: str) -> UploadedFile:
    stored = incoming.finish()
    with batch.open(stored) as stream:
        return UploadedFile(name, stored, stream_type(stream, name))


async def _drop(batch: Batch, error: BaseException) -> None:
    await asyncio.to_thread(batch.__exit__, type(error), error, None)


def _with_path(error: InputError, index: int) -> InputError:
    """Return the error with the path of the URL at ``index``."""
    error.path = f"urls.{index}"
    error.details = ((error.path, error.message),)
    return error
