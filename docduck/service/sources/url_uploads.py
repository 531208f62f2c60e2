"""Fetching the files behind URLs into the store, all of them or none (spec.md, URL upload rules)."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from docduck.documents.detection.sniff import stream_type
from docduck.errors import InputError, TooLarge
from docduck.files.writing import Batch, Incoming
from docduck.outbound.download import download
from docduck.outbound.policy import Policy
from docduck.outbound.resolving import Resolver, system_resolver
from docduck.outbound.urls import check_url
from docduck.service.core.installation import Installation
from docduck.service.sources.uploads import UploadedFile

T = TypeVar("T")


def check_urls(inst: Installation, urls: Sequence[str]) -> None:
    """See whether the URLs may be fetched at all, as far as their text tells; nothing is asked of anyone.

    Raises InputError for their number, UrlNotAllowed for the first that is refused.
    """
    most = inst.settings.max_upload_files
    if not 1 <= len(urls) <= most:
        raise InputError(f"urls must contain between 1 and {most} items", "urls")
    policy = Policy.of(inst.settings)
    for index, url in enumerate(urls):
        try:
            check_url(url, policy)
        except InputError as error:
            raise _placed(error, index) from None


async def fetch_urls(
    inst: Installation,
    urls: Sequence[str],
    prepare: Callable[[list[UploadedFile]], Callable[[], T]],
    *,
    resolver: Resolver = system_resolver,
    tls: ssl.SSLContext | None = None,
) -> T:
    """Fetch all ``urls``, several at a time. ``prepare`` judges the files, in the order of the URLs, while
    they are only written aside, and may refuse them; what it gives is called once they are in the store.
    Both run in a thread.

    The first error ends all other transfers, and nothing is kept. Raises what ``check_urls`` and
    ``docduck.outbound.download`` raise, TooLarge for all of them together, and what the two raise.
    """
    check_urls(inst, urls)
    policy = Policy.of(inst.settings)
    batch = inst.files.batch()
    turns = asyncio.Semaphore(inst.settings.max_downloads)
    together = _Together(inst.settings.max_upload_bytes)

    async def fetch(index: int, url: str) -> UploadedFile:
        async with turns:
            writing = await asyncio.to_thread(_Writing, batch, together, policy.max_bytes)
            try:
                got = await download(url, writing, policy, resolver=resolver, tls=tls)
            except InputError as error:
                raise _placed(error, index) from error.__cause__
            return await asyncio.to_thread(_finished, batch, writing.incoming, got.name)

    def finish(files: list[UploadedFile]) -> T:
        with batch:
            complete = prepare(files)
        return complete()

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(fetch(index, url)) for index, url in enumerate(urls)]
    except BaseExceptionGroup as errors:
        await _drop(batch, errors)
        raise errors.exceptions[0] from None
    except BaseException as error:
        await _drop(batch, error)
        raise
    return await asyncio.to_thread(finish, [task.result() for task in tasks])


class _Together:
    """Counts the bytes of all files of one upload."""

    def __init__(self, limit: int) -> None:
        self._left = limit
        self._lock = threading.Lock()

    def take(self, size: int) -> None:
        with self._lock:
            self._left -= size
            if self._left < 0:
                raise TooLarge("File too large")


class _Writing:
    """A file that is being fetched into the batch."""

    def __init__(self, batch: Batch, together: _Together, limit: int) -> None:
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


def _placed(error: InputError, index: int) -> InputError:
    """The error, as one of the URL at ``index``."""
    error.path = f"urls.{index}"
    error.details = ((error.path, error.message),)
    return error
