"""The job of the worker process that draws thumbnails."""

from __future__ import annotations

from dataclasses import dataclass

from docduck.workers.context import Context
from docduck.workers.limits import Limits
from docduck.workers.pool import WorkerPool

_HEAVY = ("docduck.documents.render",)


@dataclass(frozen=True, slots=True)
class ThumbnailTask:
    """A file, the first input, whose first page is to be drawn, ``width`` pixels wide."""

    name: str
    width: int


def draw_thumbnail(task: ThumbnailTask, context: Context) -> bytes:
    """Return a JPEG of the first page; raise the errors of ``docduck.documents.render.thumbnail``."""
    from docduck.documents.render import thumbnail

    return thumbnail(context.read(), width=task.width, name=task.name)


def thumbnail_pool(limits: Limits) -> WorkerPool[ThumbnailTask, bytes]:
    """Return a pool of one worker that draws thumbnails."""
    return WorkerPool(draw_thumbnail, bytes, 1, limits, preload=_HEAVY)
