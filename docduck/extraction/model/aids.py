"""What reading with a model needs beyond the Document."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from docduck.documents.model import Page
from docduck.documents.render import render_page
from docduck.errors import DocduckError

PICTURE_WIDTH = 1200
_QUALITY = 80

Draw = Callable[[Page, int], Image.Image]


@dataclass(frozen=True, slots=True)
class Aids:
    """``draw(page, width)`` gives a page's picture, upright; None where there are no pages to draw.

    ``deadline`` (``time.monotonic()``) is when the whole extraction has to be done.
    """

    draw: Draw | None = None
    deadline: float = math.inf

    @staticmethod
    def for_file(data: bytes, deadline: float = math.inf) -> Aids:
        """The aids for the document that was read from ``data``."""
        return Aids(lambda page, width: render_page(data, page.number, width, page.turn), deadline)

    def picture(self, page: Page) -> str | None:
        """The page as a ``data:`` URL; None when it can't be drawn."""
        if self.draw is None:
            return None
        try:
            image = self.draw(page, PICTURE_WIDTH)
        except DocduckError:
            return None
        target = io.BytesIO()
        image.save(target, "JPEG", quality=_QUALITY)
        return "data:image/jpeg;base64," + base64.b64encode(target.getvalue()).decode("ascii")
