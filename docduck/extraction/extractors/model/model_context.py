"""What reading with a model needs beyond the Document."""

from __future__ import annotations

import base64
import io
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from PIL import Image

from docduck.documents.document import Page
from docduck.documents.read_options import ReadOptions
from docduck.errors import DocduckError
from docduck.workers.context import Ask, Context

_QUALITY = 80
_SHARE_OF_TIME = 0.9

Draw = Callable[[Page, int], Image.Image]


class FileTask(Protocol):
    """A worker's task that reads a file."""

    @property
    def name(self) -> str:
        """The name of the file."""

    @property
    def reading(self) -> ReadOptions:
        """How it is read."""


@dataclass(frozen=True, slots=True)
class ModelContext:
    """``draw(page, width)`` returns a page's picture, upright; None where there are no pages to draw.

    ``deadline`` (``time.monotonic()``) is when the whole extraction must be done. ``ask`` sends requests
    through the pool of a worker; None opens a connection to the model's endpoint.
    """

    draw: Draw | None = None
    deadline: float = math.inf
    ask: Ask | None = None

    @staticmethod
    def for_file(
        data: bytes,
        name: str,
        deadline: float = math.inf,
        ask: Ask | None = None,
        password: str | None = None,
    ) -> ModelContext:
        """Return the context for the document that was read from ``data`` of the file ``name``."""

        def draw(page: Page, width: int) -> Image.Image:
            # Imported late: readers are heavy, and only workers draw.
            from docduck.documents.render import render_page

            return render_page(data, page.number, width, page.turn, name, password)

        return ModelContext(draw, deadline, ask)

    @staticmethod
    def for_task(data: bytes, task: FileTask, context: Context) -> ModelContext:
        """Return the context of a worker's task, whose deadline leaves a tenth of its time."""
        now = time.monotonic()
        deadline = now + _SHARE_OF_TIME * (context.deadline - now)
        return ModelContext.for_file(data, task.name, deadline, context.ask, task.reading.password)

    def picture(self, page: Page, width: int) -> str | None:
        """Return the page, so many pixels wide, as a ``data:`` URL; None when it can't be drawn."""
        if self.draw is None:
            return None
        try:
            image = self.draw(page, width)
        except DocduckError:
            return None
        target = io.BytesIO()
        image.save(target, "JPEG", quality=_QUALITY)
        return "data:image/jpeg;base64," + base64.b64encode(target.getvalue()).decode("ascii")
