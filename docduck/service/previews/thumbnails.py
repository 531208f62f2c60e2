"""Thumbnails, drawn on first request in a worker process and cached in the home.

An empty ``cache/thumbnails/<sha256>.jpg`` marks a file that can't be drawn.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from docduck.errors import NotFound, Transient
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.thumbnail_job import ThumbnailTask, thumbnail_pool
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.documents.file_types import READABLE
from docduck.service.previews.signed_links import linked_file

_log = logging.getLogger(__name__)

_MOST_WAITING = 4
_DAY_SECONDS = 24 * 3600


def is_drawable(content_type: str) -> bool:
    """Return whether documents of this type have thumbnails."""
    return content_type in READABLE


class Thumbnails:
    """Draw thumbnails, one at a time; safe to call from several threads."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._drawing = threading.Lock()
        self._room = threading.BoundedSemaphore(_MOST_WAITING)

    def get(self, document_id: str) -> bytes:
        """Return a document's thumbnail as JPEG.

        Raise NotFound for a document that is deleted or can't be drawn, and Transient if too many are
        waiting.
        """
        source = linked_file(self._inst, document_id)
        place = cached(self._inst, source.sha256)
        if not is_drawable(source.content_type):
            raise _no_thumbnail(document_id)
        picture = _kept(place)
        if picture is None:
            if not self._room.acquire(blocking=False):
                raise Transient("Too many thumbnails are being drawn; try again in some seconds")
            try:
                with self._drawing:
                    picture = _kept(place)
                    if picture is None:
                        picture = self._draw(source.path, source.name, document_id)
                        _keep(place, picture)
            finally:
                self._room.release()
        if not picture:
            raise _no_thumbnail(document_id)
        return picture

    def _draw(self, path: Path, name: str, document_id: str) -> bytes:
        settings = self._inst.settings
        seconds = settings.thumbnail_seconds
        limits = replace(worker_limits(settings), seconds=seconds, most_seconds=seconds)
        with self._inst.side_workers.pool("thumbnails", lambda: thumbnail_pool(limits)) as pool:
            pool.submit(document_id, ThumbnailTask(name, settings.thumbnail_width), [path])
            (outcome,) = pool.wait()
        if outcome.error is not None and outcome.error.retryable:
            raise outcome.error
        if outcome.result is None:
            _log.warning("document %s (%r) has no thumbnail: %s", document_id, name, outcome.error)
        return outcome.result or b""


def cached(inst: Installation, sha256: str) -> Path:
    """Return the cache path of the thumbnail for this content."""
    return _folder(inst) / f"{sha256}.jpg"


def sweep_thumbnails(inst: Installation) -> int:
    """Delete old thumbnails, and the oldest ones while the cache is too large; return how many."""
    settings = inst.settings
    before = time.time() - settings.keep_thumbnails_days * _DAY_SECONDS
    found: list[tuple[float, int, Path]] = []
    folder = _folder(inst)
    for path in folder.iterdir() if folder.is_dir() else ():
        with suppress(FileNotFoundError):
            facts = path.stat()
            found.append((facts.st_mtime, facts.st_size, path))
    total, removed = sum(size for _, size, _ in found), 0
    for moment, size, path in sorted(found):
        if moment >= before and total <= settings.thumbnail_cache_mb << 20:
            break
        path.unlink(missing_ok=True)
        total -= size
        removed += 1
    return removed


def _kept(place: Path) -> bytes | None:
    try:
        return place.read_bytes()
    except FileNotFoundError:
        return None


def _keep(place: Path, picture: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = place.with_name(f".{new_id()}")
    try:
        aside.write_bytes(picture)
        aside.replace(place)
    finally:
        aside.unlink(missing_ok=True)


def _folder(inst: Installation) -> Path:
    return inst.settings.home.absolute() / "cache" / "thumbnails"


def _no_thumbnail(document_id: str) -> NotFound:
    return NotFound("Document has no thumbnail", "documentId", document_id)
