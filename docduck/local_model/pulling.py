"""Downloading models from their publishers' hub."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from docduck.errors import Conflict, DocduckError, InputError, TooLarge
from docduck.local_model.choice import models_folder
from docduck.local_model.listed_models import ListedModel
from docduck.local_model.memory import in_gigabytes
from docduck.local_model.private_files import private_folder
from docduck.outbound.download import download
from docduck.outbound.errors import DownloadFailed
from docduck.outbound.policy import OutboundPolicy
from docduck.owner import try_lock
from docduck.settings import Settings

Progress = Callable[[int, int], None]
"""Called with the bytes that are there, and those of the whole file."""

_TRIES = 5
"""A download is given up after so many further tries that got no more than those before."""
_PAUSE_SECONDS = 1.0
_CHUNK = 1 << 20
_SPARE_BYTES = 256 << 20
"""Free space that a download leaves on the disk."""


class WrongFile(DocduckError):
    """The hub sent another file than the list names."""

    code = "download_failed"


def pulled_path(home: Path, model: ListedModel) -> Path:
    """Return where a model is kept once it was pulled."""
    return models_folder(home) / f"{model.name}.gguf"


def pull(model: ListedModel, settings: Settings, progress: Progress) -> Path:
    """Download a model into the home, unless it is there, and return its path.

    What was loaded before an error is kept, and the next call goes on from there. The file gets its name only
    once size and hash are right. Raise WrongFile if they are not, DownloadFailed and UrlNotAllowed if the hub
    can't be reached or refuses, InputError if the disk is too small, Conflict if somebody else pulls the same
    model.
    """
    target = pulled_path(settings.home, model)
    if target.is_file() and _sha256_of(target) == model.sha256:
        return target
    private_folder(models_folder(settings.home))
    partial = target.with_suffix(".part")
    # Never truncated: it may hold what an earlier call has loaded.
    with os.fdopen(os.open(partial, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        if not try_lock(file.fileno()):
            raise Conflict(f"{model.name} is being pulled by another process: wait for it")
        sink = _Sink(file, model, progress)
        _check_space(target.parent, model.bytes - sink.size)
        asyncio.run(_load(sink, model, settings))
        if sink.size != model.bytes or sink.sha256 != model.sha256:
            # None of it is to be kept: it would be wrong again.
            partial.unlink()
            raise WrongFile(
                f"{model.url(settings.model_hub)} is not the file that docduck knows: {sink.size} bytes with "
                f"the SHA-256 {sink.sha256}, not {model.bytes} with {model.sha256}. It was not kept"
            )
        os.fsync(file.fileno())
        partial.replace(target)
    return target


async def _load(sink: _Sink, model: ListedModel, settings: Settings) -> None:
    """Load what is missing; go on after a break, or begin anew if the hub doesn't send the rest."""
    policy = OutboundPolicy(
        max_bytes=model.bytes,
        seconds=7 * 86_400,
        allowed_networks=settings.outbound_allowed_networks or (),
    )
    url, failures, furthest = model.url(settings.model_hub), 0, sink.size
    while sink.size < model.bytes:
        try:
            await download(url, sink, policy, resumed=sink)
            return
        except TooLarge as error:
            raise WrongFile(
                f"{url} is not the file that docduck knows: it has more than {model.bytes} bytes"
            ) from error
        except DownloadFailed as error:
            # What is sent anew, from the beginning, is no progress until it goes beyond what was there.
            failures = 0 if sink.size > furthest else failures + 1
            furthest = max(furthest, sink.size)
            if failures > _TRIES or not (error.retryable or error.restart):
                raise
            if error.restart:
                sink.restart()
            await asyncio.sleep(_PAUSE_SECONDS * failures)


class _Sink:
    """The file that is loaded, with its hash so far."""

    def __init__(self, file: BinaryIO, model: ListedModel, progress: Progress) -> None:
        self._file, self._model, self._progress = file, model, progress
        self.size, self._hash = 0, hashlib.sha256()
        while chunk := file.read(_CHUNK):
            self._hash.update(chunk)
            self.size += len(chunk)
        progress(self.size, model.bytes)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    def restart(self) -> None:
        """Drop what is there."""
        self.size, self._hash = 0, hashlib.sha256()
        self._file.seek(0)
        self._file.truncate()

    def write(self, data: bytes) -> None:
        self._file.write(data)
        # What a process that is killed has loaded counts, too.
        self._file.flush()
        self._hash.update(data)
        self.size += len(data)
        self._progress(self.size, self._model.bytes)


def _sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_space(folder: Path, missing: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < missing + _SPARE_BYTES:
        raise InputError(
            f"{folder} has {in_gigabytes(free)} free, and {in_gigabytes(missing)} are to be loaded: "
            "make room, or set DOCDUCK_HOME to a folder on another disk"
        )
