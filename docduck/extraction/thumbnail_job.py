"""The job of the worker process that draws thumbnails."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from docduck.extraction.pool import Limits, WorkerPool

_HEAVY = ("docduck.documents.render",)


@dataclass(frozen=True, slots=True)
class ThumbnailTask:
    """A file whose first page is to be drawn, ``width`` pixels wide."""

    path: Path
    name: str
    width: int


def draw_thumbnail(task: ThumbnailTask) -> bytes:
    """A JPEG of the first page; raises the errors of ``docduck.documents.render.thumbnail``."""
    from docduck.documents.render import thumbnail

    return thumbnail(task.path.read_bytes(), width=task.width, name=task.name)


def thumbnail_pool(limits: Limits) -> WorkerPool[ThumbnailTask, bytes]:
    """A pool of one worker that draws thumbnails."""
    return WorkerPool(draw_thumbnail, 1, limits, preload=_HEAVY)
